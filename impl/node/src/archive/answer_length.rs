//! How long answers get: most bytes of a proof's text, from the slots that it is about.
//!
//! Bounds of what `proof_json` and `answer_json` of the reader's crate write on one line. They are
//! known before an opening is computed, so that an answer's memory is taken before it is made.

use aardvark_dictionary::{Key, Slot};

/// A proof without its keys, claims and paths: names, numbers, digests, what the dictionary's id is
/// over with a name of 255 characters that are all escaped.
const PROOF: usize = 4 << 10;
/// A claim without its slot's bytes and its path.
const CLAIM: usize = 256;
/// Most bytes of a key.
const LARGEST_KEY: usize = 255;
/// A claim's commitment beside its path.
const COMMITMENT: usize = 160;
/// A digest of a path.
const DIGEST: usize = 69;
/// What stands around a key's digits.
const AROUND: usize = 5;

/// Most bytes of the claims of slots, each with a path of so many digests where they are tied to
/// the root.
pub(super) fn claims<'s>(slots: impl Iterator<Item = &'s Slot>, path: Option<usize>) -> usize {
    let tie = path.map_or(0, |digests| COMMITMENT + DIGEST * digests);
    slots.map(|Slot { key, value, next }| CLAIM + tie + 2 * (key.len() + value.len() + next.len())).sum()
}

/// Most bytes of so many claims of slots that are not known yet, whose values have at most so many
/// bytes, each with such a path.
pub(super) fn unknown_claims(count: usize, value: usize, path: Option<usize>) -> usize {
    let tie = path.map_or(0, |digests| COMMITMENT + DIGEST * digests);
    count.saturating_mul(CLAIM + tie + 2 * (2 * LARGEST_KEY + value))
}

/// Most bytes of so many proofs besides their keys and claims.
pub(super) fn proofs(count: usize) -> usize {
    count.saturating_mul(PROOF)
}

/// Most bytes of keys.
pub(super) fn keys<'k>(keys: impl Iterator<Item = &'k Key>) -> usize {
    keys.map(|key| AROUND + 2 * key.len()).sum()
}
