//! The table of `proofs/weakened/README.md`, between two comments that mark it.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

use crate::chore::{ChoreError, file_error, read, root};
use crate::weaken::definitions::{Weakened, read_all};

const BEGIN: &str = "<!-- cargo xtask weaken writes from here on -->";
const END: &str = "<!-- up to here -->";
const HEAD: &str = "| definition | weakened so that | must break | fails first at | theorems that use it | other files that need it |\n\
    |---|---|---|---|---|---|\n";
const NOT_RUN: &str = "not run |  |  |";

/// What the proofs say of a weakened definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A lemma fails that the theorem uses which it must break.
    Fails {
        /// The theory that fails.
        file: String,
        /// The lemma at the error's line.
        lemma: String,
        /// How many theorems use the lemma, by file.
        theorems: BTreeMap<String, usize>,
        /// The other files of `theories/Theorems` that do not compile without the theory.
        others: Vec<String>,
    },
    /// A lemma fails that the theorem does not use.
    FailsElsewhere {
        /// The theory that fails.
        file: String,
        /// The lemma at the error's line.
        lemma: String,
    },
    /// The weakened definition is no definition: a generated file fails.
    IllTyped {
        /// The file.
        file: String,
    },
    /// All theories compile.
    Survives,
    /// The time ran out.
    Undecided,
}

impl Display for Outcome {
    /// The last three cells of the row, and the bars between them.
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fails { file, lemma, theorems, others } => {
                let counted: Vec<String> = theorems.iter().map(|(file, count)| format!("{file} {count}")).collect();
                write!(out, "`{file}.v`, `{lemma}` | {} | {}", counted.join(", "), others.join(", "))
            }
            Self::FailsElsewhere { file, lemma } => {
                write!(out, "`{file}.v`, `{lemma}` | **not the theorem that it must break** | ")
            }
            Self::IllTyped { file } => write!(out, "`{file}.v` | **does not type-check** | "),
            Self::Survives => write!(out, "nothing | **survives** | "),
            Self::Undecided => write!(out, "out of time | not decided | "),
        }
    }
}

/// The rows that are known, by name, and the text around them.
pub struct Table {
    before: String,
    after: String,
    /// All definitions, in their order.
    weakened: Vec<Weakened>,
    rows: BTreeMap<String, String>,
}

impl Table {
    /// Reads the page. Rows of definitions that are no more, or that have other words now, are left
    /// out.
    pub fn read() -> Result<Self, ChoreError> {
        let page = read(&root().join(PAGE))?;
        let parts = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
        let (before, (rows, after)) =
            parts.ok_or_else(|| ChoreError::Proofs(format!("{PAGE} has no place for the table")))?;
        let weakened = read_all()?;
        let known = |definition: &Weakened| {
            let first = first_cells(definition);
            rows.lines().find(|line| line.starts_with(&first)).map(|line| (definition.name.clone(), line.to_owned()))
        };
        let rows = weakened.iter().filter_map(known).collect();
        Ok(Self { before: before.to_owned(), after: after.to_owned(), weakened, rows })
    }

    /// Notes what was seen, and writes the page.
    pub fn put(&mut self, definition: &Weakened, outcome: &Outcome) -> Result<(), ChoreError> {
        self.rows.insert(definition.name.clone(), format!("{}{outcome} |", first_cells(definition)));
        let path = root().join(PAGE);
        let page = format!("{}{BEGIN}\n\n{}\n{END}{}", self.before, self.text(), self.after);
        std::fs::write(&path, page).map_err(|source| file_error(&path, source))
    }

    /// The table, in Markdown.
    pub fn text(&self) -> String {
        let row = |definition: &Weakened| match self.rows.get(&definition.name) {
            Some(row) => format!("{row}\n"),
            None => format!("{}{NOT_RUN}\n", first_cells(definition)),
        };
        self.weakened.iter().fold(HEAD.to_owned(), |text, definition| text + &row(definition))
    }
}

/// The page, below the workspace's root.
const PAGE: &str = "proofs/weakened/README.md";

/// What a row begins with.
fn first_cells(definition: &Weakened) -> String {
    let Weakened { name, weakens, theorem, .. } = definition;
    format!("| `{name}` | {weakens} | `{}.{}` | ", theorem.file, theorem.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_fills_three_cells() {
        let (file, lemma) = ("theories/A".to_owned(), "b".to_owned());
        let theorems = BTreeMap::from([("C".to_owned(), 2), ("D".to_owned(), 1)]);
        let others = vec!["E".to_owned()];
        let fails = Outcome::Fails { file: file.clone(), lemma: lemma.clone(), theorems, others };
        assert_eq!(fails.to_string(), "`theories/A.v`, `b` | C 2, D 1 | E");
        for outcome in [fails, Outcome::FailsElsewhere { file, lemma }, Outcome::Survives, Outcome::Undecided] {
            assert_eq!(outcome.to_string().matches(" | ").count(), 2);
        }
    }

    #[test]
    fn the_page_has_one_row_a_definition() {
        let table = Table::read().unwrap();
        let text = table.text();
        assert_eq!(text.lines().count(), table.weakened.len() + 2);
        assert!(text.lines().all(|line| line.matches('|').count() == 7), "{text}");
    }
}
