//! Choosing one change for each function, among those that type-check: a definition that Coq
//! refuses is no mutant.
//!
//! All candidates of a file go to one `coqtop`, which goes on after an error and says of each that
//! it takes `name is defined`. Of those the choice falls first on a kind, then on a change of that
//! kind, by a digest of the function's name: always the same, and spread over the kinds.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::chore::{ChoreError, read};
use crate::mutants::changes::{Change, changes_of, last_resorts};
use crate::mutants::definitions::{Function, Library};

/// A function and the change that was chosen for it.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The function.
    pub function: Function,
    /// The change.
    pub change: Change,
}

/// The mutants of these functions, which are of one file; none for a function that allows no change
/// that type-checks.
pub fn choose(
    folder: &Path,
    library: &Library,
    functions: &[Function],
    round: u32,
) -> Result<Vec<Option<Mutant>>, ChoreError> {
    let Some(file) = functions.first().map(|function| function.file.as_str()) else {
        return Ok(Vec::new());
    };
    let candidates: Vec<Vec<Change>> = functions
        .iter()
        .map(|function| changes_of(function, library).into_iter().chain(last_resorts(function)).collect())
        .collect();
    let mut text = read(&folder.join(format!("generated/{file}.v")))?;
    for (function, changes) in functions.iter().zip(&candidates) {
        let tried: Vec<String> =
            changes.iter().enumerate().map(|(i, change)| renamed(function, &change.text, i)).collect();
        // Before the function itself, which they must not use.
        text = text.replacen(&function.text, &format!("{}\n{}", tried.join("\n"), function.text), 1);
    }
    let taken = definitions_taken(folder, &text)?;
    let chosen = functions.iter().zip(candidates).map(|(function, changes)| {
        let legal = |(i, change)| taken.contains(&candidate_name(function, i)).then_some(change);
        let last: BTreeSet<String> = last_resorts(function).into_iter().map(|change| change.text).collect();
        let (clumsy, fine): (Vec<Change>, Vec<Change>) =
            changes.into_iter().enumerate().filter_map(legal).partition(|change| last.contains(&change.text));
        let change = pick(&function.name, if fine.is_empty() { clumsy } else { fine }, round)?;
        Some(Mutant { function: function.clone(), change })
    });
    Ok(chosen.collect())
}

fn candidate_name(function: &Function, i: usize) -> String {
    format!("{}__{i}", function.name)
}

fn renamed(function: &Function, text: &str, i: usize) -> String {
    text.replacen(&format!("Definition {}", function.name), &format!("Definition {}", candidate_name(function, i)), 1)
}

/// The definitions that Coq takes of a text; it goes on after an error.
fn definitions_taken(folder: &Path, text: &str) -> Result<BTreeSet<String>, ChoreError> {
    let start = |source| ChoreError::Start { command: "coqtop".to_owned(), source };
    let mut command = Command::new("coqtop");
    command.args(["-q", "-Q", "generated", "AardvarkSpec"]).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(start)?;
    let input = child.stdin.take();
    let text = text.to_owned();
    // Coq answers while it reads, so the text is written from another thread.
    let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
    let output = child.wait_with_output().map_err(start)?;
    if !matches!(writer.join(), Ok(Some(Ok(())))) {
        return Err(ChoreError::Proofs("coqtop did not read its text to the end".to_owned()));
    }
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(output.lines().filter_map(|line| line.trim().strip_suffix(" is defined").map(str::to_owned)).collect())
}

/// One of the changes: a kind by the digest of the name, then one of that kind by the rest of the
/// digest.
fn pick(name: &str, changes: Vec<Change>, round: u32) -> Option<Change> {
    let kinds: Vec<&'static str> =
        changes.iter().map(|change| change.kind).collect::<BTreeSet<_>>().into_iter().collect();
    let digest = digest(&format!("{name} {round}"));
    let kind = *kinds.get(usize::try_from(digest % kinds.len().max(1) as u64).ok()?)?;
    let of_kind: Vec<Change> = changes.into_iter().filter(|change| change.kind == kind).collect();
    let i = usize::try_from((digest >> 20) % of_kind.len() as u64).ok()?;
    of_kind.into_iter().nth(i)
}

/// FNV-1a, with its high bits stirred into the low ones.
fn digest(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_one_of_the_changes_and_always_the_same() {
        let change = |kind, text: &str| Change { kind, shown: text.to_owned(), text: text.to_owned() };
        let changes = vec![change("a", "1"), change("a", "2"), change("b", "3")];
        let picked: BTreeSet<String> =
            (0..40).filter_map(|i| pick(&format!("f{i}"), changes.clone(), 0)).map(|change| change.text).collect();
        assert_eq!(picked.len(), 3);
        assert_eq!(pick("f", changes.clone(), 0), pick("f", changes, 0));
        assert_eq!(pick("f", Vec::new(), 0), None);
    }
}
