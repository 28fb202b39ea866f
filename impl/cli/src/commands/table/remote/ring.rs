//! All slots of a version, as one ring.
//!
//! Under a root that consensus made, the slots of a version are one ring: each key is covered by
//! one slot. Whoever makes commitments alone could commit to two rings that do not meet, of which
//! different scans show different ones. Where the slots of all positions are one ring there is no
//! other.

use std::collections::BTreeSet;

use aardvark_dictionary::Key;
use aardvark_proof::commitments_json::CommitmentsText;
use aardvark_proof::{Answer, Question, RangeAnswer, verify};

use super::Remote;
use crate::answer_refusal::AnswerRefusal;
use crate::failure::Failure;

/// What is done with each entry.
type Visit<'a> = dyn FnMut(&Key, &[u8]) -> Result<(), Failure> + 'a;

/// All entries of a version, once its slots were found to be one ring over all positions.
///
/// # Errors
/// A server that does not answer, a proof that does not hold; positions that are not in the ring.
pub(super) fn entries(
    remote: &Remote,
    known: &CommitmentsText<'_>,
    visit: &mut Visit<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), Failure> {
    let scheme = known.verifier()?;
    let trusted = known.trusted(&scheme).map_err(AnswerRefusal::from)?;
    let mut positions = BTreeSet::new();
    let mut from = Key::empty();
    loop {
        let question = Question::range(from.clone(), Key::empty(), Some(aardvark_client::tables::MOST_ENTRIES));
        let proof = remote.client.entries_from(&from, known.version).map_err(|fault| remote.failed(fault))?;
        let found = match verify(&trusted, &question, &proof).map_err(AnswerRefusal::Refused)? {
            Answer::Range(found) => found,
            Answer::Keys(_) | Answer::Predecessor(_) | Answer::Successor(_) => RangeAnswer::default(),
        };
        let shown = positions.len() + proof.claims.len();
        positions.extend(proof.claims.iter().map(|claim| claim.position));
        if positions.len() != shown {
            return Err(Failure::Ring("a position stands in it twice".to_owned()));
        }
        for entry in &found.entries {
            visit(&entry.key, &entry.value)?;
        }
        progress(positions.len() as u64, known.slots);
        match found.resume {
            Some(next) if next > from => from = next,
            _ => break,
        }
    }
    // Each position is in use, so as many as there are slots are all of them.
    match positions.len() as u64 {
        shown if shown == known.slots => Ok(()),
        shown => Err(Failure::Ring(format!("it has {shown} of {} slots: there is another ring", known.slots))),
    }
}
