//! The entries of a version in the order of their keys, some at a time, and the ranges that people
//! ask for.

use aardvark_archive::Archive;
use aardvark_dictionary::Key;
use aardvark_proof::{Answer, Entry, KeyRange, Question, RangeAnswer, Region};

use crate::failure::Failure;
use crate::key_text::{Notation, display, parse_key};

/// Entries that are read at a time.
const PAGE: u64 = 1024;

/// The end of a range as people type it: a key, or nothing for no end.
///
/// # Errors
/// A malformed key.
pub fn parse_end(text: &str, notation: Notation) -> Result<Key, Failure> {
    match (text, notation) {
        ("", _) | ("0x", Notation::TextOrHex) => Ok(Key::empty()),
        _ => Ok(parse_key(text, notation)?),
    }
}

/// The keys that begin with a prefix, as a range: its end is the least key above all of them.
pub fn range_of_prefix(prefix: &Key) -> (Key, Key) {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if let Some(next) = last.checked_add(1) {
            end.push(next);
            break;
        }
    }
    (prefix.clone(), Key::from(end))
}

/// A range in words.
pub fn shown(KeyRange { from, to, limit }: &KeyRange) -> String {
    let from = if from.is_empty() { "the first key".to_owned() } else { display(from) };
    let to = if to.is_empty() { "the end".to_owned() } else { display(to) };
    let limit = limit.map_or_else(String::new, |limit| format!(", at most {limit}"));
    format!("{from} up to {to}{limit}")
}

/// Visits the entries of a range at a version.
///
/// # Errors
/// A range without a key, a version that cannot be read, a store that cannot be read; what visiting
/// ends with.
pub fn for_each(
    archive: &Archive,
    range: &KeyRange,
    version: u64,
    mut visit: impl FnMut(Entry) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (mut from, mut left) = (range.from.clone(), range.limit);
    loop {
        let most = left.map_or(PAGE, |left| left.min(PAGE));
        let question = Question::Region(Region::Range(KeyRange { from, to: range.to.clone(), limit: Some(most) }));
        let RangeAnswer { entries, resume } = match archive.answer(&question, version)? {
            Answer::Range(answer) => answer,
            Answer::Keys(_) | Answer::Predecessor(_) | Answer::Successor(_) => RangeAnswer::default(),
        };
        left = left.map(|left| left.saturating_sub(entries.len() as u64));
        entries.into_iter().try_for_each(&mut visit)?;
        match resume.filter(|_| left != Some(0)) {
            Some(next) => from = next,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_with_a_prefix_are_a_range() {
        let end = |prefix: &[u8]| range_of_prefix(&Key::from(prefix)).1.to_vec();
        assert_eq!(end(b"apt"), b"apu");
        assert_eq!(end(b"a\xff\xff"), b"b");
        assert_eq!(end(b"\xff\xff"), b"");
        assert_eq!(end(b"\0"), b"\x01");
    }
}
