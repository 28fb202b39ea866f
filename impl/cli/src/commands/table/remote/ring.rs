//! All slots of a version, as one ring.
//!
//! Under a root that consensus made, the slots of a version are one ring: each key is covered by
//! one slot. Whoever makes commitments alone could commit to two rings that do not meet, of which
//! different scans show different ones. Where the slots of all positions are one ring there is no
//! other.

use std::collections::BTreeSet;

use aardvark_dictionary::{DictionaryId, Key};
use aardvark_proof::{Answer, Question, RangeAnswer};

use super::super::trusted_side::TrustedSide;
use super::Remote;
use crate::failure::Failure;

/// What is done with each entry.
type Visit<'a> = dyn FnMut(&Key, &[u8]) -> Result<(), Failure> + 'a;

/// What was seen to be one ring.
pub(super) struct Ring {
    /// The dictionary.
    pub(super) dictionary: DictionaryId,
    /// The version.
    pub(super) version: u64,
    /// How many slots it has.
    pub(super) slots: u64,
}

/// All entries of a version, once its slots were found to be one ring over all positions.
///
/// # Errors
/// A server that does not answer, a proof that does not hold; positions that are not in the ring.
pub(super) fn entries(
    remote: &Remote,
    trusted: &TrustedSide,
    visit: &mut Visit<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Ring, Failure> {
    let mut positions = BTreeSet::new();
    let mut from = Key::empty();
    let mut ring: Option<Ring> = None;
    loop {
        let question = Question::range(from.clone(), Key::empty(), Some(aardvark_client::tables::MOST_ENTRIES));
        // The version of the first answer is asked for on.
        let version = ring.as_ref().map(|ring| ring.version).or(remote.version);
        let proof = remote.ask(|client| client.entries_from(&from, version, trusted.is_rooted()))?;
        let found = match trusted.verify_proof(&question, &proof)? {
            Answer::Range(found) => found,
            Answer::Keys(_) | Answer::Predecessor(_) | Answer::Successor(_) => RangeAnswer::default(),
        };
        let slots =
            trusted.slots(&proof)?.ok_or_else(|| Failure::Ring("nothing says how many there are".to_owned()))?;
        let of_proof = Ring { dictionary: proof.dictionary, version: proof.version, slots };
        let seen = ring.get_or_insert(of_proof);
        if (seen.version, seen.slots) != (proof.version, slots) {
            return Err(Failure::Ring("its parts are of two versions".to_owned()));
        }
        let shown = positions.len() + proof.claims.len();
        positions.extend(proof.claims.iter().map(|claim| claim.position));
        if positions.len() != shown {
            return Err(Failure::Ring("a position stands in it twice".to_owned()));
        }
        for entry in &found.entries {
            visit(&entry.key, &entry.value)?;
        }
        progress(positions.len() as u64, slots);
        match found.resume {
            Some(next) if next > from => from = next,
            _ => break,
        }
    }
    // Each position is in use, so as many as there are slots are all of them.
    match ring {
        Some(ring) if positions.len() as u64 == ring.slots => Ok(ring),
        ring => {
            let slots = ring.map_or(0, |ring| ring.slots);
            Err(Failure::Ring(format!("it has {} of {slots} slots: there is another ring", positions.len())))
        }
    }
}
