//! The answer that a chain of slots gives to a question, once they are known to be slots of the
//! dictionary.
//!
//! Between a slot's key and its next key there is no live key. So slots that cover, one after the
//! other, all that is asked for show every entry of it and leave no gap:
//!
//! ```text
//! cursor := the least asked key
//! each slot must cover the cursor; if its key is the cursor, it is an entry
//! cursor := the least asked key from slot.next on; there is none where the ring closes
//! ```
//!
//! The slots end exactly where the cursor does, or where the limit is reached: the cursor then says
//! where to go on. All slots must be of one version, since slots of two versions do not compose.
//! Source: docs/answers.md.

use crate::answer::question::*;
use crate::base::bytes::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// Why slots do not answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// The slot does not cover the cursor, or does not precede the key.
    NotCovering,
    /// The slot stands where all has been answered.
    SlotSuperfluous,
    /// The slots end before all has been answered.
    SlotMissing,
}

/// How far a scan has come.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// The least asked key of which nothing is known yet; none where all is known.
    pub scan_cursor: Option<ByteString>,
    /// The entries found, in ascending order.
    pub scan_entries: KeyMap,
}

/// A key that was asked for, and its value, or that it is absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyAnswer {
    /// The key.
    pub answered_key: ByteString,
    /// Its value; `None` where the key is absent.
    pub answered_value: Option<ByteString>,
}

/// The entries of a range.
#[derive(Clone, Debug, Default)]
pub struct RangeAnswer {
    /// The entries, in ascending order.
    pub range_entries: KeyMap,
    /// Where the limit was reached: the least key of the range of which nothing is said.
    pub range_resume: Option<ByteString>,
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To a list of keys: each with its value, or absent.
    AnswerKeys(Seq<KeyAnswer>),
    /// To a range.
    AnswerRange(RangeAnswer),
    /// The greatest live key below the asked one; none where there is none.
    AnswerPredecessor(Option<KeyEntry>),
    /// The least live key above the asked one; none where there is none.
    AnswerSuccessor(Option<ByteString>),
}

/// Whether a number of entries reaches a limit.
pub fn limit_reached(limit: &Option<usize>, count: usize) -> bool {
    match limit {
        None => false,
        Some(most) => count >= *most,
    }
}

/// Whether nothing more is to be shown: all is known, or there are as many entries as were asked
/// for.
pub fn scan_done(region: &Region, scan: &Scan) -> bool {
    match &scan.scan_cursor {
        None => true,
        Some(_) => limit_reached(&region_limit(region), scan.scan_entries.len()),
    }
}

/// Where a scan begins.
pub fn scan_start(region: &Region) -> Scan {
    Scan { scan_cursor: asked_from(region, &ByteString::new(0)), scan_entries: empty_key_map() }
}

/// The cursor after a slot that covers `cursor`. Where the slot's next key does not come after the
/// cursor, the ring closes: no live key comes after it.
pub fn cursor_after(region: &Region, cursor: &ByteString, slot: &Slot) -> Option<ByteString> {
    if bytes_less(cursor, &slot.next) { asked_from(region, &slot.next) } else { None }
}

/// The entries with the slot's, if its key is the cursor. The sentinel's is no entry.
pub fn entries_after(found_entries: KeyMap, cursor: &ByteString, slot: &Slot) -> KeyMap {
    if bytes_equal(&slot.key, cursor) && slot.key.len() > 0 {
        found_entries.push_owned(KeyEntry { entry_key: slot.key.clone(), entry_value: slot.value.clone() })
    } else {
        found_entries
    }
}

/// The scan after one more slot.
pub fn scan_slot(region: &Region, scan: &Scan, slot: &Slot) -> Result<Scan, ChainFault> {
    match &scan.scan_cursor {
        None => Err(ChainFault::SlotSuperfluous),
        Some(cursor) => {
            if scan_done(region, scan) {
                Err(ChainFault::SlotSuperfluous)
            } else if !covers(slot, cursor) {
                Err(ChainFault::NotCovering)
            } else {
                Ok(Scan {
                    scan_cursor: cursor_after(region, cursor, slot),
                    scan_entries: entries_after(scan.scan_entries.clone(), cursor, slot),
                })
            }
        }
    }
}

/// One step of [`scan_slots`].
pub fn scan_slots_step(progress: Result<Scan, ChainFault>, region: &Region, slot: &Slot) -> Result<Scan, ChainFault> {
    match progress {
        Err(fault) => Err(fault),
        Ok(scan) => scan_slot(region, &scan, slot),
    }
}

/// The scan after all slots, wherever it has come.
pub fn scan_slots(region: &Region, chain: &Seq<Slot>) -> Result<Scan, ChainFault> {
    let mut progress = Ok(scan_start(region));
    for i in 0..chain.len() {
        progress = scan_slots_step(progress, region, &chain[i]);
    }
    progress
}

/// One step of [`key_answers`].
pub fn key_answers_step(answers: Seq<KeyAnswer>, k: &ByteString, found_entries: &KeyMap) -> Seq<KeyAnswer> {
    answers.push_owned(KeyAnswer { answered_key: k.clone(), answered_value: key_map_get(found_entries, k) })
}

/// Each asked key with its value, or absent where it is not among the entries.
pub fn key_answers(listed_keys: &Seq<ByteString>, found_entries: &KeyMap) -> Seq<KeyAnswer> {
    let mut answers = Seq::<KeyAnswer>::new(0);
    for i in 0..listed_keys.len() {
        answers = key_answers_step(answers, &listed_keys[i], found_entries);
    }
    answers
}

/// What a finished scan answers.
pub fn region_answer(region: &Region, scan: &Scan) -> Answer {
    match region {
        Region::RegionKeys(listed_keys) => Answer::AnswerKeys(key_answers(listed_keys, &scan.scan_entries)),
        Region::RegionRange(_) => Answer::AnswerRange(RangeAnswer {
            range_entries: scan.scan_entries.clone(),
            range_resume: scan.scan_cursor.clone(),
        }),
    }
}

/// The answer of a chain of slots about a region.
pub fn answer_region(region: &Region, chain: &Seq<Slot>) -> Result<Answer, ChainFault> {
    let scan = scan_slots(region, chain)?;
    if scan_done(region, &scan) { Ok(region_answer(region, &scan)) } else { Err(ChainFault::SlotMissing) }
}

/// The entry of a slot; the sentinel has none.
pub fn entry_of_slot(slot: &Slot) -> Option<KeyEntry> {
    if slot.key.len() > 0 {
        Some(KeyEntry { entry_key: slot.key.clone(), entry_value: slot.value.clone() })
    } else {
        None
    }
}

/// The slot's next key; none where the ring closes.
pub fn next_of_slot(slot: &Slot) -> Option<ByteString> {
    if slot.next.len() > 0 { Some(slot.next.clone()) } else { None }
}

/// The only slot of a chain.
pub fn single_slot(chain: &Seq<Slot>) -> Result<Slot, ChainFault> {
    if chain.len() < 1 {
        Err(ChainFault::SlotMissing)
    } else if chain.len() > 1 {
        Err(ChainFault::SlotSuperfluous)
    } else {
        Ok(chain[0usize].clone())
    }
}

/// The greatest live key below `k`, as the slot that precedes it says.
pub fn answer_predecessor(k: &ByteString, chain: &Seq<Slot>) -> Result<Answer, ChainFault> {
    let slot = single_slot(chain)?;
    if precedes(&slot, k) { Ok(Answer::AnswerPredecessor(entry_of_slot(&slot))) } else { Err(ChainFault::NotCovering) }
}

/// The least live key above `k`, as the slot that covers it says.
pub fn answer_successor(k: &ByteString, chain: &Seq<Slot>) -> Result<Answer, ChainFault> {
    let slot = single_slot(chain)?;
    if covers(&slot, k) { Ok(Answer::AnswerSuccessor(next_of_slot(&slot))) } else { Err(ChainFault::NotCovering) }
}

/// The answer of slots, all of one version of the dictionary, to a question.
pub fn answer_of_slots(question: &Question, chain: &Seq<Slot>) -> Result<Answer, ChainFault> {
    match question {
        Question::AskRegion(region) => answer_region(region, chain),
        Question::AskPredecessor(k) => answer_predecessor(k, chain),
        Question::AskSuccessor(k) => answer_successor(k, chain),
    }
}
