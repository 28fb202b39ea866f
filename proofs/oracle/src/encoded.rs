//! What is hashed, as tokens: claims and points as challenges bind them, states and their parts as
//! roots bind them.

use aardvark_spec::block::root::{HashedState, RootParts};
use aardvark_spec::commitment::aggregation::{EncodedPoint, UnopenedClaim};
use aardvark_spec::commitment::challenge::ChallengeClaim;

use crate::tokens::Line;

impl Line {
    /// A claim of a batch as its challenge binds it.
    pub fn challenge_claim(&mut self, claim: &ChallengeClaim) {
        self.size(claim.challenge_version);
        self.bytes(&claim.challenge_commitment);
        self.size(claim.challenge_index);
        self.bytes(&claim.challenge_scalar);
        self.bytes(&claim.challenge_opening);
    }

    /// A claim of an aggregation as its first challenge binds it.
    pub fn unopened_claim(&mut self, claim: &UnopenedClaim) {
        self.size(claim.unopened_version);
        self.size(claim.unopened_position);
        self.bytes(&claim.unopened_commitment);
        self.bytes(&claim.unopened_scalar);
    }

    /// A point of an aggregation as its second challenge binds it.
    pub fn encoded_point(&mut self, point: &EncodedPoint) {
        self.size(point.encoded_index);
        self.bytes(&point.encoded_point);
    }

    /// A state as it is hashed.
    pub fn hashed_state(&mut self, state: &HashedState) {
        self.bytes(&state.hashed_dictionary);
        self.size(state.hashed_version);
        self.size(state.hashed_size);
        self.size(state.hashed_tail_start);
        self.list(&state.hashed_commitments, Self::bytes);
        self.list(&state.hashed_tail, Self::slot);
        self.list(&state.hashed_replay_set, Self::replay_entry);
        self.list(&state.hashed_window, |line, record| {
            line.size(record.hashed_record_version);
            line.size(record.hashed_record_size);
            line.list(&record.hashed_record_writes, Self::write);
            line.list(&record.hashed_record_commitments, |line, previous| {
                line.size(previous.hashed_previous_vector);
                line.option(previous.hashed_previous_commitment.as_ref(), Self::bytes);
            });
        });
    }

    /// What a state root is over.
    pub fn root_parts(&mut self, parts: &RootParts) {
        self.bytes(&parts.parts_dictionary);
        self.size(parts.parts_version);
        self.size(parts.parts_size);
        self.size(parts.parts_tail_start);
        self.bytes(&parts.parts_commitment_root);
        self.bytes(&parts.parts_tail_digest);
        self.bytes(&parts.parts_replay_digest);
        self.bytes(&parts.parts_window_digest);
    }
}
