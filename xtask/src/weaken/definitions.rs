//! The weakened definitions: `proofs/weakened/definitions.txt`.
//!
//! After some lines of introduction, each one is:
//!
//! ```text
//! == NAME
//! weakens: what it no longer asks for, in words
//! breaks: FILE THEOREM, a line of proofs/theorems.txt
//! file: a file below proofs/generated, without .v
//! -- from
//! lines that the file has, once
//! -- to
//! lines that stand there instead
//! ```

use crate::assumptions::Theorem;
use crate::chore::{ChoreError, read, root};

/// A definition made weaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakened {
    /// What the table and the command call it.
    pub name: String,
    /// What it no longer asks for.
    pub weakens: String,
    /// The theorem that it must break.
    pub theorem: Theorem,
    /// The file below `generated/`, without `.v`.
    pub file: String,
    /// What stands there.
    pub from: String,
    /// What stands there instead.
    pub to: String,
}

/// Reads all of them.
pub fn read_all() -> Result<Vec<Weakened>, ChoreError> {
    let text = read(&root().join("proofs/weakened/definitions.txt"))?;
    let parsed = text.split("\n== ").skip(1).map(|entry| parse(entry).ok_or(entry));
    parsed
        .collect::<Result<_, _>>()
        .map_err(|entry| ChoreError::Proofs(format!("proofs/weakened/definitions.txt: cannot read {entry}")))
}

/// One entry, without the `== ` before its name.
fn parse(entry: &str) -> Option<Weakened> {
    let (head, texts) = entry.split_once("\n-- from\n")?;
    let (from, to) = texts.split_once("\n-- to\n")?;
    let mut lines = head.lines();
    let name = lines.next()?.to_owned();
    let weakens = lines.next()?.strip_prefix("weakens: ")?.to_owned();
    let (of, theorem) = lines.next()?.strip_prefix("breaks: ")?.split_once(' ')?;
    let file = lines.next()?.strip_prefix("file: ")?.to_owned();
    let theorem = Theorem { file: of.to_owned(), name: theorem.to_owned() };
    let (from, to) = (from.to_owned(), to.trim_end().to_owned());
    lines.next().is_none().then_some(Weakened { name, weakens, theorem, file, from, to })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_entry_is_read() {
        let entry = "a\nweakens: b\nbreaks: C d\nfile: E/F\n-- from\n  x\n  y\n-- to\n  z\n";
        let weakened = parse(entry).unwrap();
        assert_eq!((weakened.name.as_str(), weakened.weakens.as_str()), ("a", "b"));
        assert_eq!((weakened.theorem.file.as_str(), weakened.theorem.name.as_str()), ("C", "d"));
        assert_eq!((weakened.file.as_str(), weakened.from.as_str(), weakened.to.as_str()), ("E/F", "  x\n  y", "  z"));
        assert_eq!(parse(&entry.replace("breaks", "break")), None);
        assert_eq!(parse(&entry.replace("\n-- from", "\nmore\n-- from")), None);
    }

    #[test]
    fn what_is_replaced_stands_once_in_the_generated_file() {
        for weakened in read_all().unwrap() {
            let text = read(&root().join(format!("proofs/generated/{}.v", weakened.file))).unwrap();
            assert_eq!(text.matches(&weakened.from).count(), 1, "{}", weakened.name);
            assert_ne!(weakened.from, weakened.to, "{}", weakened.name);
        }
    }

    #[test]
    fn each_has_a_name_of_its_own_and_breaks_a_listed_theorem() {
        let theorems = crate::assumptions::listed().unwrap();
        let all = read_all().unwrap();
        let names: BTreeSet<&String> = all.iter().map(|weakened| &weakened.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.len() >= 12);
        for weakened in &all {
            assert!(theorems.contains(&weakened.theorem), "{}", weakened.name);
        }
    }
}
