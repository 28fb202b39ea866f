//! What an answer should be: the same question, put to an ordinary map. Source: docs/answers.md.

use crate::answer::question::*;
use crate::answer::scan::*;
use crate::base::bytes::*;
use crate::dictionary::key_map::*;

/// Whether a key lies in a range.
pub fn is_within(asked: &KeyRange, k: &ByteString) -> bool {
    bytes_at_most(&asked.range_from, k) && is_below_end(&asked.range_to, k)
}

/// One step of [`entries_within`].
pub fn entries_within_step(within: KeyMap, entry: &KeyEntry, asked: &KeyRange) -> KeyMap {
    if is_within(asked, &entry.entry_key) { within.push_owned(entry.clone()) } else { within }
}

/// All entries of a range, whatever its limit.
pub fn entries_within(entries: &KeyMap, asked: &KeyRange) -> KeyMap {
    let mut within = empty_key_map();
    for i in 0..entries.len() {
        within = entries_within_step(within, &entries[i], asked);
    }
    within
}

/// The first `most` entries, and the key of the one after them.
pub fn limited_range(within: &KeyMap, most: usize) -> RangeAnswer {
    if most < within.len() {
        RangeAnswer { range_entries: within.slice(0, most), range_resume: Some(within[most].entry_key.clone()) }
    } else {
        RangeAnswer { range_entries: within.clone(), range_resume: None }
    }
}

/// The entries of a range, as many as its limit allows.
pub fn ideal_range(asked: &KeyRange, entries: &KeyMap) -> RangeAnswer {
    let within = entries_within(entries, asked);
    match asked.range_limit {
        None => RangeAnswer { range_entries: within, range_resume: None },
        Some(most) => limited_range(&within, most),
    }
}

/// The greatest key below `k`, with its value.
pub fn ideal_predecessor(k: &ByteString, entries: &KeyMap) -> Option<KeyEntry> {
    let below = entries_below(entries, k);
    if below.len() > 0 { Some(below[below.len() - 1].clone()) } else { None }
}

/// The least key above `k`.
pub fn ideal_successor(k: &ByteString, entries: &KeyMap) -> Option<ByteString> {
    let above = entries_above(entries, k);
    if above.len() > 0 { Some(above[0usize].entry_key.clone()) } else { None }
}

/// The answer that a map gives.
pub fn ideal_answer(question: &Question, entries: &KeyMap) -> Answer {
    match question {
        Question::AskRegion(region) => match region {
            Region::RegionKeys(listed_keys) => Answer::AnswerKeys(key_answers(listed_keys, entries)),
            Region::RegionRange(asked) => Answer::AnswerRange(ideal_range(asked, entries)),
        },
        Question::AskPredecessor(k) => Answer::AnswerPredecessor(ideal_predecessor(k, entries)),
        Question::AskSuccessor(k) => Answer::AnswerSuccessor(ideal_successor(k, entries)),
    }
}
