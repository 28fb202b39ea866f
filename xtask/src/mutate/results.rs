//! What was seen: `proofs/mutation/results.tsv`, a line for each mutant that was judged, and the
//! explanations of those that nothing notices beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::chore::{ChoreError, file_error, read, root, write_below};
use crate::mutate::side::Side;
use crate::mutate::sites::Mutant;
use crate::mutate::{histories, proofs};

/// The names of the columns.
const HEAD: &str = "# id\tfile\tspoken\tproofs\tlemma\ttheorem\thistories\ttest\tproofs_s\thistories_s\tchange";

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// `function.operator.number`.
    pub id: String,
    /// The file below `spec/src`.
    pub file: String,
    /// Whether a theorem of the list speaks about the function.
    pub spoken: bool,
    /// `headline`, `other`, `pass`, `undecided`; `none` where it is no specification; empty where
    /// they were not asked.
    pub proofs: String,
    /// The theory and the lemma that fail.
    pub lemma: String,
    /// A theorem that stands on it.
    pub theorem: String,
    /// `noticed`, `pass`, `not reached`; empty where they were not asked.
    pub histories: String,
    /// The test that fails.
    pub test: String,
    /// Processor time of both, in seconds.
    pub seconds: [String; 2],
    /// `from → to`.
    pub change: String,
}

impl Row {
    /// What is known of a mutant before it is judged.
    pub fn new(mutant: &Mutant, change: String, spoken: bool) -> Self {
        let empty = String::new;
        Self {
            id: mutant.id.clone(),
            file: mutant.file.clone(),
            spoken,
            proofs: empty(),
            lemma: empty(),
            theorem: empty(),
            histories: empty(),
            test: empty(),
            seconds: [empty(), empty()],
            change,
        }
    }

    /// Notes what the proofs say.
    pub fn set_proofs(&mut self, verdict: &proofs::Verdict, seconds: f64) {
        let (word, lemma, theorem) = match verdict {
            proofs::Verdict::None | proofs::Verdict::Same => ("none", String::new(), String::new()),
            proofs::Verdict::Headline { file, lemma, theorem } => {
                ("headline", format!("{file} {lemma}"), theorem.clone())
            }
            proofs::Verdict::Other { file, lemma } => ("other", format!("{file} {lemma}"), String::new()),
            proofs::Verdict::Pass => ("pass", String::new(), String::new()),
            proofs::Verdict::Undecided => ("undecided", String::new(), String::new()),
        };
        (self.proofs, self.lemma, self.theorem) = (word.to_owned(), lemma, theorem);
        self.seconds[0] = format!("{seconds:.1}");
    }

    /// Notes what the histories say.
    pub fn set_histories(&mut self, verdict: &histories::Verdict, seconds: f64) {
        let (word, test) = match verdict {
            histories::Verdict::Noticed(test) => ("noticed", test.clone()),
            histories::Verdict::Pass => ("pass", String::new()),
            histories::Verdict::NotReached => ("not reached", String::new()),
        };
        (self.histories, self.test) = (word.to_owned(), test);
        self.seconds[1] = format!("{seconds:.1}");
    }

    /// Takes what this judge said from another row of the same mutant.
    fn take(&mut self, side: Side, other: &Self) {
        match side {
            Side::Proofs => {
                let [seconds, _] = &other.seconds;
                (self.proofs, self.lemma, self.theorem) =
                    (other.proofs.clone(), other.lemma.clone(), other.theorem.clone());
                self.seconds[0].clone_from(seconds);
            }
            Side::Histories => {
                let [_, seconds] = &other.seconds;
                (self.histories, self.test) = (other.histories.clone(), other.test.clone());
                self.seconds[1].clone_from(seconds);
            }
        }
    }

    /// Whether it is a specification at all.
    pub fn is_mutant(&self) -> bool {
        self.proofs != "none"
    }

    /// Whether the proofs were asked.
    pub fn proofs_asked(&self) -> bool {
        !self.proofs.is_empty()
    }

    /// Whether the histories were asked.
    pub fn histories_asked(&self) -> bool {
        !self.histories.is_empty()
    }

    /// Whether one was asked and did not notice it.
    pub fn survives_one(&self) -> bool {
        let of_proofs = self.proofs_asked() && !self.proofs_notice();
        self.is_mutant() && (of_proofs || self.histories_asked() && !self.histories_notice())
    }

    /// Whether both were asked, and neither the proofs nor the histories notice it.
    pub fn is_unnoticed(&self) -> bool {
        let asked = self.proofs_asked() && self.histories_asked();
        asked && self.is_mutant() && !self.proofs_notice() && !self.histories_notice()
    }

    /// Whether a theorem of the list is no longer proved.
    pub fn proofs_notice(&self) -> bool {
        self.proofs == "headline"
    }

    /// Whether a comparison differs.
    pub fn histories_notice(&self) -> bool {
        self.histories == "noticed"
    }

    /// The function.
    #[cfg(test)]
    pub fn function(&self) -> &str {
        self.id.split('.').next().unwrap_or_default()
    }

    fn line(&self) -> String {
        let spoken = if self.spoken { "yes" } else { "no" };
        let [proofs, histories] = &self.seconds;
        [
            &self.id,
            &self.file,
            spoken,
            &self.proofs,
            &self.lemma,
            &self.theorem,
            &self.histories,
            &self.test,
            proofs,
            histories,
            &self.change,
        ]
        .join("\t")
    }

    fn read(line: &str) -> Option<Self> {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let [id, file, spoken, proofs, lemma, theorem, histories, test, first, second, change] =
            <[String; 11]>::try_from(cells).ok()?;
        let (spoken, seconds) = (spoken == "yes", [first, second]);
        Some(Self { id, file, spoken, proofs, lemma, theorem, histories, test, seconds, change })
    }
}

/// All lines, and how many mutants there are.
#[derive(Debug, Default)]
pub struct Results {
    /// By id.
    pub rows: BTreeMap<String, Row>,
    /// For each file the number of mutants that type-check, and those of them in functions that a
    /// theorem of the list speaks about.
    pub population: BTreeMap<String, [usize; 2]>,
    /// Why a mutant that nothing notices is no other specification.
    pub explained: BTreeMap<String, String>,
}

impl Results {
    /// Reads the files of the tree.
    pub fn read() -> Result<Self, ChoreError> {
        let folder = folder();
        let lines = |name: &str| -> Result<Vec<String>, ChoreError> {
            let path = folder.join(name);
            if !path.exists() {
                return Ok(Vec::new());
            }
            let text = read(&path)?;
            Ok(text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect())
        };
        let mut results = Self::default();
        for line in lines("results.tsv")? {
            let row = Row::read(&line).ok_or_else(|| ChoreError::Mutation(format!("results.tsv: `{line}`")))?;
            results.rows.insert(row.id.clone(), row);
        }
        for line in lines("population.tsv")? {
            let cells: Vec<&str> = line.split('\t').collect();
            let numbers = |text: &str| text.parse().ok();
            let counted = match cells.as_slice() {
                [file, all, spoken] => numbers(all).zip(numbers(spoken)).map(|(all, spoken)| (*file, [all, spoken])),
                _ => None,
            };
            let (file, counts) = counted.ok_or_else(|| ChoreError::Mutation(format!("population.tsv: `{line}`")))?;
            results.population.insert(file.to_owned(), counts);
        }
        for line in lines("explained.tsv")? {
            let explained = line.split_once('\t').filter(|(_, why)| !why.trim().is_empty());
            let (id, why) =
                explained.ok_or_else(|| ChoreError::Mutation(format!("explained.tsv: `{line}` has no reason")))?;
            results.explained.insert(id.to_owned(), why.to_owned());
        }
        Ok(results)
    }

    /// Leaves out what was seen of mutants that are no more, and of functions that now are others:
    /// those that are not among these changes, by id.
    pub fn keep(&mut self, changes: &BTreeMap<String, String>) {
        self.rows.retain(|id, row| changes.get(id) == Some(&row.change));
    }

    /// Adds a row, and writes the results, with what another run has added to the file meanwhile;
    /// where this run asks one judge only, what the other said is the file's.
    pub fn record(&mut self, row: Row, asked: Option<Side>) -> Result<(), ChoreError> {
        let _locked = locked()?;
        let mut rows = Self::read()?.rows;
        let mut row = row;
        if let (Some(side), Some(known)) = (asked, rows.get(&row.id).filter(|known| known.change == row.change)) {
            let judged = row;
            row = known.clone();
            row.take(side, &judged);
        }
        rows.insert(row.id.clone(), row);
        self.rows = rows;
        self.write()
    }

    /// Writes the numbers of mutants; all as the files have it now.
    pub fn refreshed(&self) -> Result<Self, ChoreError> {
        let _locked = locked()?;
        let results = Self { population: self.population.clone(), ..Self::read()? };
        results.write()?;
        Ok(results)
    }

    /// Notes how many mutants there are.
    pub fn count(&mut self, mutants: &[Mutant], spoken: &BTreeSet<String>) {
        self.population.clear();
        for mutant in mutants {
            let counts = self.population.entry(mutant.file.clone()).or_default();
            counts[0] += 1;
            counts[1] += usize::from(spoken.contains(&mutant.function));
        }
    }

    /// Writes the results and the numbers of mutants.
    pub fn write(&self) -> Result<(), ChoreError> {
        let lines = |head: &str, lines: Vec<String>| {
            lines.into_iter().fold(format!("{head}\n"), |text, line| text + &line + "\n")
        };
        let rows = lines(HEAD, self.rows.values().map(Row::line).collect());
        let counted = self.population.iter().map(|(file, [all, spoken])| format!("{file}\t{all}\t{spoken}"));
        let population = lines("# file\tmutants\tin functions that theorems speak about", counted.collect());
        for (name, text) in [("results.tsv", rows), ("population.tsv", population)] {
            let (path, fresh) = (folder().join(name), folder().join(format!("{name}.new")));
            std::fs::write(&fresh, text).map_err(|source| file_error(&fresh, source))?;
            std::fs::rename(&fresh, &path).map_err(|source| file_error(&path, source))?;
        }
        Ok(())
    }

    /// Those that one of the two does not notice, and that were not shown to the other.
    pub fn waiting(&self) -> Vec<&Row> {
        let both = |row: &&Row| row.proofs_asked() && row.histories_asked();
        self.rows.values().filter(|row| row.survives_one() && !both(row)).collect()
    }

    /// Explanations of mutants that something notices, or that were not shown to both.
    #[cfg(test)]
    pub fn needless(&self) -> Vec<&str> {
        let is_needed = |id: &&String| self.rows.get(*id).is_some_and(Row::is_unnoticed);
        self.explained.keys().filter(|id| !is_needed(id)).map(String::as_str).collect()
    }

    /// Those that neither the proofs nor the histories notice, and nobody explains.
    pub fn unexplained(&self) -> Vec<&Row> {
        let unnoticed = self.rows.values().filter(|row| row.is_unnoticed());
        unnoticed.filter(|row| !self.explained.contains_key(&row.id)).collect()
    }
}

/// Keeps other runs from the files, until it is dropped.
pub fn locked() -> Result<std::fs::File, ChoreError> {
    let path = root().join("target/mutate/lock");
    write_below(&path, "")?;
    let file = std::fs::File::open(&path).map_err(|source| file_error(&path, source))?;
    file.lock().map_err(|source| file_error(&path, source))?;
    Ok(file)
}

/// Where all of it stands.
pub fn folder() -> PathBuf {
    root().join("proofs/mutation")
}
