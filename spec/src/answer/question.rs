//! What is asked of a dictionary at one version: the values of keys, the entries of a range, a
//! key's neighbours.
//!
//! A region is a set of keys, given by a function: the least key of the set that is at least some
//! key ([`asked_from`]). The scan of [`crate::answer::scan`] needs nothing else of it. Source:
//! docs/answers.md.

use crate::base::bytes::*;
use hacspec_lib::*;

/// The most bytes of a key in any dictionary.
pub const MAX_ASKED_LENGTH: usize = 255;

/// The keys from one key up to, and not including, another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyRange {
    /// The least key of the range, present or not.
    pub range_from: ByteString,
    /// The least key above the range; empty for a range without an end.
    pub range_to: ByteString,
    /// At most so many entries are asked for, from the least on.
    pub range_limit: Option<usize>,
}

/// A set of keys.
#[derive(Clone, Debug)]
pub enum Region {
    /// These keys, in strictly ascending order.
    RegionKeys(Seq<ByteString>),
    /// The keys of a range.
    RegionRange(KeyRange),
}

/// A question.
#[derive(Clone, Debug)]
pub enum Question {
    /// What there is in a region: of a set of keys each key's value or absence, of a range its
    /// entries.
    AskRegion(Region),
    /// The greatest live key below this one, and its value.
    AskPredecessor(ByteString),
    /// The least live key above this one.
    AskSuccessor(ByteString),
}

/// Whether `k` is below the end of a range; the empty end is no end.
pub fn is_below_end(range_end: &ByteString, k: &ByteString) -> bool {
    range_end.len() == 0 || bytes_less(k, range_end)
}

/// The least key of a range that is at least `k`.
pub fn range_key_from(asked: &KeyRange, k: &ByteString) -> Option<ByteString> {
    let least = if bytes_less(k, &asked.range_from) { asked.range_from.clone() } else { k.clone() };
    if is_below_end(&asked.range_to, &least) { Some(least) } else { None }
}

/// One step of [`listed_key_from`].
pub fn listed_key_from_step(found: Option<ByteString>, listed: &ByteString, k: &ByteString) -> Option<ByteString> {
    match found {
        Some(earlier) => Some(earlier),
        None => {
            if bytes_less(listed, k) {
                None
            } else {
                Some(listed.clone())
            }
        }
    }
}

/// The first of ascending keys that is at least `k`.
pub fn listed_key_from(listed_keys: &Seq<ByteString>, k: &ByteString) -> Option<ByteString> {
    let mut found = None;
    for i in 0..listed_keys.len() {
        found = listed_key_from_step(found, &listed_keys[i], k);
    }
    found
}

/// The least key of a region that is at least `k`.
pub fn asked_from(region: &Region, k: &ByteString) -> Option<ByteString> {
    match region {
        Region::RegionKeys(listed_keys) => listed_key_from(listed_keys, k),
        Region::RegionRange(asked) => range_key_from(asked, k),
    }
}

/// The most entries that a region asks for, if there is such a number.
pub fn region_limit(region: &Region) -> Option<usize> {
    match region {
        Region::RegionKeys(_) => None,
        Region::RegionRange(asked) => asked.range_limit,
    }
}

/// Whether a byte string may be a key that somebody asks for.
pub fn key_askable(k: &ByteString) -> bool {
    k.len() >= 1 && k.len() <= MAX_ASKED_LENGTH
}

/// One step of [`keys_askable`].
pub fn keys_askable_step(askable: bool, listed_keys: &Seq<ByteString>, i: usize) -> bool {
    if i > 0 {
        askable && key_askable(&listed_keys[i]) && bytes_less(&listed_keys[i - 1], &listed_keys[i])
    } else {
        askable && key_askable(&listed_keys[i])
    }
}

/// Whether there are keys, and all have legal lengths and ascend.
pub fn keys_askable(listed_keys: &Seq<ByteString>) -> bool {
    let mut askable = listed_keys.len() >= 1;
    for i in 0..listed_keys.len() {
        askable = keys_askable_step(askable, listed_keys, i);
    }
    askable
}

/// Whether a limit is not 0.
pub fn limit_legal(limit: &Option<usize>) -> bool {
    match limit {
        None => true,
        Some(most) => *most >= 1,
    }
}

/// Whether a range has a key, ends of legal lengths, and a limit that is not 0.
pub fn range_askable(asked: &KeyRange) -> bool {
    asked.range_from.len() <= MAX_ASKED_LENGTH
        && asked.range_to.len() <= MAX_ASKED_LENGTH
        && is_below_end(&asked.range_to, &asked.range_from)
        && limit_legal(&asked.range_limit)
}

/// Whether a question can be asked.
pub fn question_legal(question: &Question) -> bool {
    match question {
        Question::AskRegion(region) => match region {
            Region::RegionKeys(listed_keys) => keys_askable(listed_keys),
            Region::RegionRange(asked) => range_askable(asked),
        },
        Question::AskPredecessor(k) => key_askable(k),
        Question::AskSuccessor(k) => key_askable(k),
    }
}

/// One step of [`same_keys`].
pub fn same_keys_step(same: bool, a: &Seq<ByteString>, b: &Seq<ByteString>, i: usize) -> bool {
    same && i < b.len() && bytes_equal(&a[i], &b[i])
}

/// Whether two lists of keys are the same.
pub fn same_keys(a: &Seq<ByteString>, b: &Seq<ByteString>) -> bool {
    let mut same = a.len() == b.len();
    for i in 0..a.len() {
        same = same_keys_step(same, a, b, i);
    }
    same
}

/// Whether two limits are the same.
pub fn same_limits(a: &Option<usize>, b: &Option<usize>) -> bool {
    match a {
        None => match b {
            None => true,
            Some(_) => false,
        },
        Some(left) => match b {
            None => false,
            Some(right) => left == right,
        },
    }
}

/// Whether two regions are the same.
pub fn same_regions(a: &Region, b: &Region) -> bool {
    match a {
        Region::RegionKeys(left_keys) => match b {
            Region::RegionKeys(right_keys) => same_keys(left_keys, right_keys),
            Region::RegionRange(_) => false,
        },
        Region::RegionRange(left) => match b {
            Region::RegionKeys(_) => false,
            Region::RegionRange(right) => {
                bytes_equal(&left.range_from, &right.range_from)
                    && bytes_equal(&left.range_to, &right.range_to)
                    && same_limits(&left.range_limit, &right.range_limit)
            }
        },
    }
}

/// Whether two questions are the same.
pub fn same_questions(a: &Question, b: &Question) -> bool {
    match a {
        Question::AskRegion(left) => match b {
            Question::AskRegion(right) => same_regions(left, right),
            Question::AskPredecessor(_) => false,
            Question::AskSuccessor(_) => false,
        },
        Question::AskPredecessor(left) => match b {
            Question::AskRegion(_) => false,
            Question::AskPredecessor(right) => bytes_equal(left, right),
            Question::AskSuccessor(_) => false,
        },
        Question::AskSuccessor(left) => match b {
            Question::AskRegion(_) => false,
            Question::AskPredecessor(_) => false,
            Question::AskSuccessor(right) => bytes_equal(left, right),
        },
    }
}
