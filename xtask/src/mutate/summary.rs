//! The tables of `proofs/mutation/README.md`, between two comments that mark them.

use crate::chore::{ChoreError, file_error, read};
use crate::mutate::results::{Results, Row, folder};

const BEGIN: &str = "<!-- cargo xtask mutate writes from here on -->";
const END: &str = "<!-- up to here -->";
const HEAD: &str = "| file of `spec/src` | mutants | proofs asked | they notice | histories asked | they notice | both asked | neither notices |\n\
    |---|---|---|---|---|---|---|---|\n";

/// How many of some mutants were shown to what, and noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    population: usize,
    proofs_asked: usize,
    proofs: usize,
    histories_asked: usize,
    histories: usize,
    both_asked: usize,
    neither: usize,
}

impl Counts {
    fn of<'a>(population: usize, rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut counts = Self { population, ..Self::default() };
        for row in rows.filter(|row| row.is_mutant()) {
            counts.proofs_asked += usize::from(row.proofs_asked());
            counts.proofs += usize::from(row.proofs_notice());
            counts.histories_asked += usize::from(row.histories_asked());
            counts.histories += usize::from(row.histories_notice());
            counts.both_asked += usize::from(row.proofs_asked() && row.histories_asked());
            counts.neither += usize::from(row.is_unnoticed());
        }
        counts
    }

    fn row(self, name: &str) -> String {
        let Self { population, proofs_asked, proofs, histories_asked, histories, both_asked, neither } = self;
        let numbers = [population, proofs_asked, proofs, histories_asked, histories, both_asked, neither];
        numbers.iter().fold(format!("| {name} |"), |row, number| row + &format!(" {number} |")) + "\n"
    }
}

/// The tables, in Markdown.
pub fn text(results: &Results) -> String {
    let mut text = HEAD.to_owned();
    for (file, [population, _]) in &results.population {
        let rows = results.rows.values().filter(|row| row.file == *file);
        text += &Counts::of(*population, rows).row(&format!("`{file}`"));
    }
    let all = Counts::of(results.population.values().map(|[all, _]| all).sum(), results.rows.values());
    let spoken = Counts::of(
        results.population.values().map(|[_, spoken]| spoken).sum(),
        results.rows.values().filter(|row| row.spoken),
    );
    text += &all.row("all");
    text += &spoken.row("in functions that theorems speak about");
    text += &format!(
        "\nOf {} mutants the proofs were asked for {}, and alone notice {}; the histories for {}, and alone notice {}. Of those in \
         functions that theorems speak about, the proofs were asked for {}, and alone notice {}. A mutant took the proofs {:.0} s of \
         processor time on average, the histories {:.0} s. For {} only lemmas fail on which no theorem of `theorems.txt` stands; \
         they do not count as noticed.\n",
        all.population,
        all.proofs_asked,
        share(all.proofs, all.proofs_asked),
        all.histories_asked,
        share(all.histories, all.histories_asked),
        spoken.proofs_asked,
        share(spoken.proofs, spoken.proofs_asked),
        average(results, 0),
        average(results, 1),
        results.rows.values().filter(|row| row.proofs == "other").count(),
    );
    text + &agreement(results) + &neither(results)
}

/// What each judge notices that the other does not, of the mutants that were shown to both.
fn agreement(results: &Results) -> String {
    let count = |proofs: bool, histories: bool| {
        let shown = results.rows.values().filter(|row| row.is_mutant() && row.proofs_asked() && row.histories_asked());
        shown.filter(|row| (row.proofs_notice(), row.histories_notice()) == (proofs, histories)).count()
    };
    format!(
        "\n| of those shown to both | histories notice | histories do not |\n|---|---|---|\n\
         | proofs notice | {} | {} |\n| proofs do not | {} | {} |\n",
        count(true, true),
        count(true, false),
        count(false, true),
        count(false, false),
    )
}

fn share(part: usize, whole: usize) -> String {
    format!("{part} ({} %)", (part * 100).checked_div(whole).unwrap_or(0))
}

fn average(results: &Results, of: usize) -> f64 {
    let mutants = results.rows.values().filter(|row| row.is_mutant());
    let seconds: Vec<f64> = mutants.filter_map(|row| row.seconds.get(of)?.parse().ok()).collect();
    seconds.iter().fold(0.0, |sum, one| sum + one) / f64::from(u32::try_from(seconds.len().max(1)).unwrap_or(u32::MAX))
}

/// The mutants that neither notices, with what explains each.
fn neither(results: &Results) -> String {
    let rows: Vec<&Row> = results.rows.values().filter(|row| row.is_unnoticed()).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = "\n| noticed by neither | change | why |\n|---|---|---|\n".to_owned();
    rows.into_iter().fold(head, |text, row| {
        let why = results.explained.get(&row.id).map_or("**not explained**", String::as_str);
        let change = row.change.replace('|', "\\|");
        text + &format!("| `{}` | `{change}` | {why} |\n", row.id)
    })
}

/// Writes the tables into the page.
pub fn write(results: &Results) -> Result<(), ChoreError> {
    let path = folder().join("README.md");
    let (before, _, after) = parts()?;
    let page = format!("{before}{BEGIN}\n\n{}\n{END}{after}", text(results));
    std::fs::write(&path, page).map_err(|source| file_error(&path, source))
}

/// The page before the tables, the tables, and the page behind them.
fn parts() -> Result<(String, String, String), ChoreError> {
    let page = read(&folder().join("README.md"))?;
    let parts = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
    let (before, (tables, after)) = parts
        .ok_or_else(|| ChoreError::Mutation("proofs/mutation/README.md has no place for the tables".to_owned()))?;
    Ok((before.to_owned(), tables.to_owned(), after.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_tables_of_the_results() {
        let results = Results::read().unwrap();
        assert_eq!(parts().unwrap().1.trim(), text(&results).trim(), "run `cargo xtask mutate --summary`");
    }

    #[test]
    fn what_nobody_notices_is_counted_and_shown() {
        let line = |proofs: &str, histories: &str| Row {
            id: format!("f.{proofs}.{histories}"),
            file: "a.rs".to_owned(),
            spoken: true,
            proofs: proofs.to_owned(),
            lemma: String::new(),
            theorem: String::new(),
            histories: histories.to_owned(),
            test: String::new(),
            seconds: ["1.0".to_owned(), "2.0".to_owned()],
            change: "a || b → a".to_owned(),
        };
        let rows = [
            ("headline", "pass"),
            ("headline", "noticed"),
            ("pass", "noticed"),
            ("other", "not reached"),
            ("none", ""),
            ("pass", ""),
        ];
        let mut results = Results::default();
        for row in rows.map(|(proofs, histories)| line(proofs, histories)) {
            results.rows.insert(row.id.clone(), row);
        }
        results.population.insert("a.rs".to_owned(), [9, 8]);
        let text = text(&results);
        assert!(text.contains("| `a.rs` | 9 | 5 | 2 | 4 | 2 | 4 | 1 |"), "{text}");
        assert!(text.contains("| `f.other.not reached` | `a \\|\\| b → a` | **not explained** |"), "{text}");
        assert!(text.contains("| proofs notice | 1 | 1 |\n| proofs do not | 1 | 1 |"), "{text}");
        let waiting: Vec<&str> = results.waiting().iter().map(|row| row.id.as_str()).collect();
        assert_eq!(waiting, ["f.pass."]);
        assert_eq!(results.unexplained().len(), 1);
        assert_eq!(results.needless(), Vec::<&str>::new());
        results.explained.insert("f.headline.pass".to_owned(), "noticed".to_owned());
        assert_eq!(results.needless(), ["f.headline.pass"]);
        assert_eq!(results.unexplained().len(), 1);
        results.explained.insert("f.other.not reached".to_owned(), "the same".to_owned());
        assert!(results.unexplained().is_empty());
    }
}
