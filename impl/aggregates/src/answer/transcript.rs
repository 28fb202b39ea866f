//! What binds an answer.
//!
//! ```text
//! a0   = H("AARDVARK-V1-ANSWER", dictionary (32) || u64 version || query || bytes8(schema key) || bytes16(schema)
//!          || u32 n || (bytes8(key) || bytes16(head))* of the runs
//!          || u32 m || (bytes8(key) || bytes16(segment))* of the segments that are shown || stated)
//! seed = H("AARDVARK-V1-ANSWER-FOLD", a0 || s3 of each comparison)
//! ```
//!
//! `stated` is 32 bytes for each total, group by group; for a cut `(u64 split)* || (u32 run || u64
//! value)*`; for a row `u16 position || u64 value`. First segments are in the heads.

use aardvark_algebra::TaggedHash;
use aardvark_dictionary::{DictionaryId, Slot};

use super::Answer;
use super::totals::total_bytes;
use crate::query::Query;

/// a0, of the answer to a query with these slots of runs.
pub(super) fn answer_seed<'a>(
    dictionary: &DictionaryId,
    query: &Query,
    answer: &Answer,
    runs: impl ExactSizeIterator<Item = &'a Slot>,
) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-V1-ANSWER")
        .chain(dictionary.0)
        .chain(answer.version.to_be_bytes())
        .chain(query.to_bytes());
    let slot = |hash: &mut TaggedHash, slot: &Slot| {
        // Keys have at most 255 bytes and values at most 1,024.
        hash.update([slot.key.len() as u8]);
        hash.update(&slot.key);
        hash.update((slot.value.len() as u16).to_be_bytes());
        hash.update(&slot.value);
    };
    slot(&mut hash, &answer.schema.slot);
    hash.update((runs.len() as u32).to_be_bytes());
    runs.for_each(|run| slot(&mut hash, run));
    hash.update((answer.segments.len() as u32).to_be_bytes());
    answer.segments.iter().for_each(|claim| slot(&mut hash, &claim.slot));
    answer.totals.iter().flatten().for_each(|total| hash.update(total_bytes(total).unwrap_or_default()));
    if let Some(cut) = &answer.cut {
        hash.update(cut.to_bytes());
    }
    if let Some(row) = &answer.row {
        hash.update(row.position.to_be_bytes());
        hash.update(row.value.to_be_bytes());
    }
    hash.finalize()
}
