//! The table of results, `proofs/mutation/results.tsv`, the explanations beside it, and the
//! summary.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::chore::{ChoreError, file_error, read};
use crate::mutants::choose::Mutant;
use crate::mutants::oracle;
use crate::recompile;

const HEAD: &str = "# file\tfunction\tkind\tchange\tproofs\toracle";
const NOT_RUN: &str = "not run";
const PASS: &str = "pass";
const NAMING_PASS: &str = "pass (theories that name it)";
const UNDECIDED: &str = "out of time";
const ABSENT: &str = "not in the oracle";

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The generated file.
    pub file: String,
    /// The function.
    pub function: String,
    /// The kind of change.
    pub kind: String,
    /// The first line that differs.
    pub change: String,
    /// What the proofs say: `theories/File lemma`, or a word.
    pub proofs: String,
    /// What the oracle's test says: the test's name, or a word.
    pub oracle: String,
}

impl Row {
    /// The row of a mutant that nothing has judged yet.
    pub fn new(mutant: &Mutant) -> Self {
        let (function, change) = (&mutant.function, &mutant.change);
        Self {
            file: function.file.clone(),
            function: function.name.clone(),
            kind: change.kind.to_owned(),
            change: change.shown.replace('\t', " "),
            proofs: NOT_RUN.to_owned(),
            oracle: NOT_RUN.to_owned(),
        }
    }

    /// Whether the theories that name the function have judged.
    pub fn proofs_done(&self) -> bool {
        self.proofs != NOT_RUN && self.proofs != UNDECIDED
    }

    /// Whether nobody noticed, and the theories that do not name the function were not asked.
    pub fn needs_all_theories(&self) -> bool {
        self.survives() && self.proofs == NAMING_PASS
    }

    /// Whether the oracle's test has judged.
    pub fn oracle_done(&self) -> bool {
        self.oracle != NOT_RUN
    }

    /// Whether a theory fails.
    pub fn proofs_notice(&self) -> bool {
        self.proofs.starts_with("theories/")
    }

    /// Whether the oracle's test fails.
    pub fn oracle_notices(&self) -> bool {
        ![NOT_RUN, PASS, ABSENT].contains(&self.oracle.as_str())
    }

    /// Whether the theories that name the function, and the oracle, let it pass.
    pub fn survives(&self) -> bool {
        [PASS, NAMING_PASS].contains(&self.proofs.as_str()) && self.oracle_done() && !self.oracle_notices()
    }

    /// Notes what the proofs say: all theories, or those that name the function.
    pub fn set_proofs(&mut self, verdict: &recompile::Verdict, all: bool) {
        self.proofs = match verdict {
            recompile::Verdict::Noticed { file, lemma } => format!("{file} {lemma}"),
            recompile::Verdict::Pass if all => PASS.to_owned(),
            recompile::Verdict::Pass => NAMING_PASS.to_owned(),
            recompile::Verdict::Undecided => UNDECIDED.to_owned(),
        };
    }

    /// Notes what the oracle's test says.
    pub fn set_oracle(&mut self, verdict: &oracle::Verdict) {
        self.oracle = match verdict {
            oracle::Verdict::Noticed { test } => test.clone(),
            oracle::Verdict::Pass => PASS.to_owned(),
            oracle::Verdict::Absent => ABSENT.to_owned(),
        };
    }

    fn line(&self) -> String {
        [&self.file, &self.function, &self.kind, &self.change, &self.proofs, &self.oracle]
            .map(String::as_str)
            .join("\t")
    }

    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.split('\t').map(str::to_owned);
        let (file, function, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let (change, proofs, oracle) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { file, function, kind, change, proofs, oracle })
    }
}

/// The results, by file and function, and where they are kept.
pub struct Table {
    folder: PathBuf,
    rows: BTreeMap<(String, String), Row>,
}

impl Table {
    /// Reads the table of a folder; an empty one where there is none.
    pub fn read(folder: &Path) -> Result<Self, ChoreError> {
        let path = folder.join("results.tsv");
        let text = if path.exists() { read(&path)? } else { String::new() };
        let rows = text.lines().filter(|line| !line.starts_with('#')).filter_map(Row::parse);
        let rows = rows.map(|row| ((row.file.clone(), row.function.clone()), row)).collect();
        Ok(Self { folder: folder.to_owned(), rows })
    }

    /// Forgets all rows but those of the functions that exist.
    pub fn keep(&mut self, functions: &BTreeSet<String>) {
        self.rows.retain(|(_, function), _| functions.contains(function));
    }

    /// What is known of this very mutant.
    pub fn row_of(&self, mutant: &Mutant) -> Row {
        let new = Row::new(mutant);
        let known = self.rows.get(&(new.file.clone(), new.function.clone()));
        known.filter(|row| row.kind == new.kind && row.change == new.change).cloned().unwrap_or(new)
    }

    /// Notes a row and writes the table.
    pub fn put(&mut self, row: Row) -> Result<(), ChoreError> {
        self.rows.insert((row.file.clone(), row.function.clone()), row);
        let lines: Vec<String> = self.rows.values().map(Row::line).collect();
        let path = self.folder.join("results.tsv");
        std::fs::create_dir_all(&self.folder).map_err(|source| file_error(&self.folder, source))?;
        std::fs::write(&path, format!("{HEAD}\n{}\n", lines.join("\n"))).map_err(|source| file_error(&path, source))
    }

    /// The survivors that `explained.tsv` gives no reason for.
    pub fn unexplained(&self) -> Result<Vec<&Row>, ChoreError> {
        let path = self.folder.join("explained.tsv");
        let text = if path.exists() { read(&path)? } else { String::new() };
        let explained: BTreeSet<(&str, &str)> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let mut parts = line.split('\t');
                let (function, change, _reason) = (parts.next()?, parts.next()?, parts.next()?);
                Some((function, change))
            })
            .collect();
        let explained = |row: &&Row| explained.contains(&(row.function.as_str(), row.change.as_str()));
        Ok(self.rows.values().filter(|row| row.survives() && !explained(row)).collect())
    }

    /// The table of counts, in Markdown.
    pub fn summary(&self) -> String {
        let mut text = String::from(
            "| file | functions | proofs | oracle | both | neither | not decided |\n|---|---|---|---|---|---|---|\n",
        );
        let files: BTreeSet<&String> = self.rows.keys().map(|(file, _)| file).collect();
        for file in files {
            text += &counted(&format!("`{file}.v`"), self.rows.values().filter(|row| row.file == *file));
        }
        text + &counted("all", self.rows.values())
    }
}

/// A line of counts. `proofs` and `oracle` include those of `both`.
fn counted<'a>(title: &str, rows: impl Iterator<Item = &'a Row>) -> String {
    let rows: Vec<&Row> = rows.collect();
    let count = |keep: fn(&&&Row) -> bool| rows.iter().filter(keep).count();
    let proofs = count(|row| row.proofs_notice());
    let oracle = count(|row| row.oracle_notices());
    let both = count(|row| row.proofs_notice() && row.oracle_notices());
    let neither = count(|row| row.survives());
    let open = rows.len() - count(|row| row.proofs_notice() || row.oracle_notices() || row.survives());
    format!("| {title} | {} | {proofs} | {oracle} | {both} | {neither} | {open} |\n", rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(proofs: &str, oracle: &str) -> Row {
        let of = |text: &str| text.to_owned();
        Row {
            file: of("F"),
            function: of("f"),
            kind: of("k"),
            change: of("a  =>  b"),
            proofs: of(proofs),
            oracle: of(oracle),
        }
    }

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let row = row("theories/Bytes order", PASS);
        assert_eq!(Row::parse(&row.line()), Some(row));
        assert_eq!(Row::parse("F\tf\tk"), None);
    }

    #[test]
    fn only_what_the_proofs_and_the_oracle_let_pass_survives() {
        assert!(row(PASS, PASS).survives() && row(NAMING_PASS, ABSENT).survives());
        assert!(row(NAMING_PASS, PASS).needs_all_theories() && !row(PASS, PASS).needs_all_theories());
        for (proofs, oracle) in
            [(PASS, NOT_RUN), (PASS, "a_test"), (NOT_RUN, PASS), ("theories/A b", PASS), (UNDECIDED, PASS)]
        {
            assert!(!row(proofs, oracle).survives(), "{proofs}, {oracle}");
        }
    }

    #[test]
    fn the_counts_add_up() {
        let rows = [row("theories/A b", "a_test"), row(PASS, PASS), row(NOT_RUN, NOT_RUN), row(PASS, "a_test")];
        assert_eq!(counted("all", rows.iter()), "| all | 4 | 1 | 2 | 1 | 1 | 1 |\n");
    }
}
