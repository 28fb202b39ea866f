//! State roots: both sides hash their own state, and every commitment's path leads to the root. The
//! oracle hashes the specification's.

use aardvark_dictionary::Validator;
use aardvark_dictionary::root::root_of_path;
use aardvark_oracle::Part;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::G1;
use aardvark_spec::block::root::{HashedPrevious, HashedRecord, HashedState};
use aardvark_spec::block::{root, state};
use aardvark_spec::commitment::commitment_tree;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::dictionary::window::PreviousCommitment;

use crate::compare::{Mismatch, point, same};
use crate::oracle::ThirdJudge;
use crate::points::Points;

/// Asks that both sides give a state one root, and that paths of one side lead to it by the rules
/// of both.
///
/// # Errors
/// Where they differ.
pub fn roots(spec: &state::ValidatorState, validator: &Validator, points: &Points) -> Result<(), Mismatch> {
    let hashed = hashed_state(spec, points);
    same("state root", byte_vec(&root::state_root(&hashed)), validator.root().to_vec())?;
    let leaves = &hashed.hashed_commitments;
    let commitment_root = commitment_tree::commitment_root(leaves);
    for (vector, commitment) in validator.commitments().iter().enumerate() {
        let path = validator.commitment_path(vector as u64).unwrap_or_default();
        let specified: Vec<_> =
            to_vec(&commitment_tree::commitment_path(leaves, vector)).iter().map(byte_vec).collect();
        same("path of a commitment", specified, path.iter().map(|digest| digest.to_vec()).collect())?;
        let spec_path = to_seq(path.iter().map(|digest| byte_string(digest)).collect());
        // One vector further than there are, too.
        for index in [vector, vector + 1, leaves.len()] {
            let end = commitment_tree::root_of_path(leaves.len(), index, &leaves[vector], &spec_path);
            let end = end.map(|end| byte_vec(&end));
            let implemented = root_of_path(leaves.len() as u64, index as u64, commitment, &path);
            same("end of a path", &end, &implemented.map(|end| end.to_vec()))?;
            if index == vector {
                same("a path's end is the root", Some(byte_vec(&commitment_root)), end)?;
            }
        }
    }
    Ok(())
}

/// Asks the oracle for a state's root, the order of its replay set, the path of its last
/// commitment, and where that leads.
///
/// # Errors
/// Where it says something else than the specification.
pub fn roots_by_oracle(
    third: &ThirdJudge,
    setup: &Setup,
    spec: &state::ValidatorState,
    points: &Points,
) -> Result<(), Mismatch> {
    let hashed = hashed_state(spec, points);
    let leaves = hashed.hashed_commitments.clone();
    let width = leaves.len();
    let index = width - 1;
    let path = commitment_tree::commitment_path(&leaves, index);
    let end = Part::End { width, index, leaf: leaves[index].clone(), path };
    for part in [Part::Root(hashed), Part::Replay(spec.replay_set.clone()), Part::Path { leaves, index }, end] {
        third.root(&part, setup, spec)?;
    }
    Ok(())
}

/// The specification's state as it is hashed: points become their encodings.
fn hashed_state(spec: &state::ValidatorState, points: &Points) -> HashedState {
    let encoded = |element: &G1| byte_string(&point(element, points));
    let first = spec.version + 1 - spec.window.len();
    let records = to_vec(&spec.window).into_iter().zip(first..).map(|(record, version)| HashedRecord {
        hashed_record_version: version,
        hashed_record_size: record.record_size,
        hashed_record_writes: record.record_writes.clone(),
        hashed_record_commitments: to_seq(
            to_vec(&record.record_commitments).iter().map(|previous| hashed_previous(previous, encoded)).collect(),
        ),
    });
    HashedState {
        hashed_dictionary: spec.dictionary_id.clone(),
        hashed_version: spec.version,
        hashed_size: spec.size,
        hashed_tail_start: spec.tail_start,
        hashed_commitments: to_seq(to_vec(&spec.commitments).iter().map(encoded).collect()),
        hashed_tail: spec.tail.clone(),
        hashed_replay_set: root::sorted_replay_set(&spec.replay_set),
        hashed_window: to_seq(records.collect()),
    }
}

fn hashed_previous(previous: &PreviousCommitment, encoded: impl Fn(&G1) -> ByteString) -> HashedPrevious {
    HashedPrevious {
        hashed_previous_vector: previous.previous_vector,
        hashed_previous_commitment: previous.previous_commitment.as_ref().map(encoded),
    }
}
