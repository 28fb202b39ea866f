//! Requests about parts of the specification: what challenges and state roots are made of,
//! commitments and claims by themselves, what an honest archive says.
//!
//! A part is a question with its inputs. [`Oracle::part`] asks the oracle, [`Part::specified`] the
//! specification.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::G1;
use aardvark_spec::base::scalar::{Scalar, scalar_of_wide_bytes};
use aardvark_spec::block::aggregated_block::{MergedClaim, unopened_claims};
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::map::map_of_array;
use aardvark_spec::block::operation::Operation;
use aardvark_spec::block::prover::{honest_claims, honest_tail_vectors};
use aardvark_spec::block::root::{HashedState, parts_of_state, sorted_replay_set, state_root};
use aardvark_spec::block::state::{ReplayEntry, ValidatorState};
use aardvark_spec::block::validator::array_after;
use aardvark_spec::commitment::aggregation::{
    EncodedPoint, UnopenedClaim, aggregate_claims_seed, aggregate_points_seed, distinct_claims,
};
use aardvark_spec::commitment::challenge::{ChallengeClaim, batch_coefficient, batch_seed};
use aardvark_spec::commitment::commitment_tree::{commitment_path, root_of_path};
use aardvark_spec::commitment::opening::{AggregatedOpening, BatchClaim, aggregated_opening};
use aardvark_spec::commitment::scheme::{
    Setup, commit, open, open_all, scheme_number, setup_vector_size, update_commitment, update_opening,
    verify_aggregated, verify_batch,
};
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::window::is_current;
use aardvark_spec::dictionary::writes::Write;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// A question about a part of the specification.
#[derive(Clone, Debug)]
pub enum Part {
    /// The distinct claims of an aggregated block, in the present state: `unopened_claims`.
    Unopened {
        /// The block without its points.
        block: Block,
    },
    /// The seed of a batch: `batch_seed`.
    Seed {
        /// The dictionary's id, 32 bytes.
        dictionary: ByteString,
        /// The claims.
        claims: Seq<ChallengeClaim>,
    },
    /// A coefficient of a batch: `batch_coefficient`.
    Coefficient {
        /// The seed, 32 bytes.
        seed: ByteString,
        /// The claim's number, from 0.
        number: usize,
    },
    /// The distinct claims of an aggregation and its two seeds: `distinct_claims`,
    /// `aggregate_claims_seed`, `aggregate_points_seed`.
    Seeds {
        /// The dictionary's id, 32 bytes.
        dictionary: ByteString,
        /// The version that the block makes.
        version: usize,
        /// The claims, repetitions included.
        claims: Seq<UnopenedClaim>,
        /// The points.
        points: Seq<EncodedPoint>,
    },
    /// The parts of a state's root, and the root: `parts_of_state`, `state_root`.
    Root(HashedState),
    /// The replay set in the order in which it is hashed: `sorted_replay_set`.
    Replay(Seq<ReplayEntry>),
    /// The path from a commitment to the root over all: `commitment_path`.
    Path {
        /// The encoded commitments.
        leaves: Seq<ByteString>,
        /// The commitment's vector.
        index: usize,
    },
    /// The root to which a path leads: `root_of_path`.
    End {
        /// The number of leaves.
        width: usize,
        /// The leaf's index.
        index: usize,
        /// The leaf.
        leaf: ByteString,
        /// The digests, from below.
        path: Seq<ByteString>,
    },
    /// The scheme's number and the size of its vectors: `scheme_number`, `setup_vector_size`.
    Scheme,
    /// The scalar that 48 bytes are reduced to: `scalar_of_wide_bytes`.
    Wide(ByteString),
    /// A vector's commitment, its opening at an index, and all its openings: `commit`, `open`,
    /// `open_all`.
    Vector {
        /// The vector.
        scalars: Seq<Scalar>,
        /// The index.
        index: usize,
    },
    /// A commitment, and an opening at an index, after an element grew: `update_commitment`,
    /// `update_opening`.
    Updated {
        /// The commitment before.
        commitment: G1,
        /// The opening before.
        opening: G1,
        /// The index of the opening.
        index: usize,
        /// The index of the element.
        changed: usize,
        /// What was added to it.
        delta: Scalar,
    },
    /// Whether a batch and an aggregation of claims are accepted, and the points of an honest
    /// aggregation, one an index: `verify_batch`, `verify_aggregated`, `aggregated_opening`.
    Batch {
        /// The claims.
        claims: Seq<BatchClaim>,
        /// A coefficient a claim.
        coefficients: Seq<Scalar>,
        /// The points of the aggregation.
        points: Seq<AggregatedOpening>,
        /// A combiner a point.
        combiners: Seq<Scalar>,
    },
    /// The claims that an honest archive gives for operations: `honest_claims`.
    Claims {
        /// The whole array.
        array: Array,
        /// The operations.
        operations: Seq<Operation>,
    },
    /// The tail vectors that an honest archive gives: `honest_tail_vectors`.
    Tail {
        /// The whole array.
        array: Array,
        /// The first position of the tail.
        start: usize,
        /// N, the number of slots of a vector.
        vector_size: usize,
        /// How many vectors.
        count: usize,
    },
    /// An array after writes, and the map that it stands for: `array_after`, `map_of_array`.
    Written {
        /// The whole array before.
        array: Array,
        /// The writes.
        writes: Seq<Write>,
        /// The number of slots after.
        size: usize,
    },
    /// Whether a claim of a version, about a position, is current in the present state:
    /// `is_current`.
    Current {
        /// The version of the claim.
        version: usize,
        /// The position.
        position: usize,
    },
}

impl Oracle {
    /// What the oracle says of a part, at its current setup and state.
    ///
    /// # Errors
    /// Where the oracle does not answer: among others because the part needs a setup or a state and
    /// there was no genesis.
    pub fn part(&mut self, safety: Safety, part: &Part) -> Result<Answer, OracleError> {
        self.ask(part.line(safety))
    }
}

impl Part {
    /// The request's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unopened { .. } => "unopened",
            Self::Seed { .. } => "seed",
            Self::Coefficient { .. } => "coefficient",
            Self::Seeds { .. } => "seeds",
            Self::Root(_) => "root",
            Self::Replay(_) => "replay",
            Self::Path { .. } => "path",
            Self::End { .. } => "end",
            Self::Scheme => "scheme",
            Self::Wide(_) => "wide",
            Self::Vector { .. } => "vector",
            Self::Updated { .. } => "updated",
            Self::Batch { .. } => "batch",
            Self::Claims { .. } => "claims",
            Self::Tail { .. } => "tail",
            Self::Written { .. } => "written",
            Self::Current { .. } => "current",
        }
    }

    fn line(&self, safety: Safety) -> Line {
        let mut line = request(self.name(), safety);
        match self {
            Self::Unopened { block } => line.block(block),
            Self::Seed { dictionary, claims } => {
                line.bytes(dictionary);
                line.list(claims, Line::challenge_claim);
            }
            Self::Coefficient { seed, number } => {
                line.bytes(seed);
                line.size(*number);
            }
            Self::Seeds { dictionary, version, claims, points } => {
                line.bytes(dictionary);
                line.size(*version);
                line.list(claims, Line::unopened_claim);
                line.list(points, Line::encoded_point);
            }
            Self::Root(state) => line.hashed_state(state),
            Self::Replay(entries) => line.list(entries, Line::replay_entry),
            Self::Path { leaves, index } => {
                line.list(leaves, Line::bytes);
                line.size(*index);
            }
            Self::End { width, index, leaf, path } => {
                line.size(*width);
                line.size(*index);
                line.bytes(leaf);
                line.list(path, Line::bytes);
            }
            Self::Scheme => {}
            Self::Wide(bytes) => line.bytes(bytes),
            Self::Vector { scalars, index } => {
                line.scalars(scalars);
                line.size(*index);
            }
            Self::Updated { commitment, opening, index, changed, delta } => {
                line.element(*commitment);
                line.element(*opening);
                line.size(*index);
                line.size(*changed);
                line.scalar(*delta);
            }
            Self::Batch { claims, coefficients, points, combiners } => {
                line.list(claims, Line::batch_claim);
                line.scalars(coefficients);
                line.list(points, |line, point| {
                    line.size(point.aggregated_index);
                    line.element(point.aggregated_point);
                });
                line.scalars(combiners);
            }
            Self::Claims { array, operations } => {
                line.array(array);
                line.list(operations, Line::operation);
            }
            Self::Tail { array, start, vector_size, count } => {
                line.array(array);
                [start, vector_size, count].into_iter().for_each(|number| line.size(*number));
            }
            Self::Written { array, writes, size } => {
                line.array(array);
                line.list(writes, Line::write);
                line.size(*size);
            }
            Self::Current { version, position } => {
                line.size(*version);
                line.size(*position);
            }
        }
        line
    }

    /// What the oracle should say: what the specification says, with this setup and in this state.
    pub fn specified(&self, setup: &Setup, state: &ValidatorState) -> String {
        let mut line = Line::default();
        match self {
            Self::Unopened { block } => {
                let claims = unopened_claims(state, block);
                line.option(claims.as_ref(), |line, claims| line.list(claims, merged_claim));
            }
            Self::Seed { dictionary, claims } => line.bytes(&batch_seed(dictionary, claims)),
            Self::Coefficient { seed, number } => line.scalar(batch_coefficient(seed, *number)),
            Self::Seeds { dictionary, version, claims, points } => {
                let distinct = distinct_claims(claims);
                let seed = aggregate_claims_seed(dictionary, *version, &distinct);
                line.list(&distinct, Line::unopened_claim);
                line.bytes(&seed);
                line.bytes(&aggregate_points_seed(&seed, points));
            }
            Self::Root(hashed) => {
                line.root_parts(&parts_of_state(hashed));
                line.bytes(&state_root(hashed));
            }
            Self::Replay(entries) => line.list(&sorted_replay_set(entries), Line::replay_entry),
            Self::Path { leaves, index } => line.list(&commitment_path(leaves, *index), Line::bytes),
            Self::End { width, index, leaf, path } => {
                line.option(root_of_path(*width, *index, leaf, path).as_ref(), Line::bytes);
            }
            Self::Scheme => {
                line.number(scheme_number(setup));
                line.size(setup_vector_size(setup));
            }
            Self::Wide(bytes) => line.scalar(scalar_of_wide_bytes(bytes)),
            Self::Vector { scalars, index } => {
                line.element(commit(setup, scalars));
                line.element(open(setup, scalars, *index));
                line.elements(&open_all(setup, scalars));
            }
            Self::Updated { commitment, opening, index, changed, delta } => {
                line.element(update_commitment(setup, *commitment, *changed, *delta));
                line.element(update_opening(setup, *opening, *index, *changed, *delta));
            }
            Self::Batch { claims, coefficients, points, combiners } => {
                line.flag(verify_batch(setup, claims, coefficients));
                line.flag(verify_aggregated(setup, claims, coefficients, points, combiners));
                let honest = (0..setup_vector_size(setup)).map(|i| aggregated_opening(claims, coefficients, i));
                line.elements(&Seq::from_vec(honest.collect()));
            }
            Self::Claims { array, operations } => line.list(&honest_claims(setup, array, operations), Line::claim),
            Self::Tail { array, start, vector_size, count } => {
                let vectors = honest_tail_vectors(array, *start, *vector_size, *count);
                line.list(&vectors, |line, vector| line.list(vector, Line::slot));
            }
            Self::Written { array, writes, size } => {
                let after = array_after(array, writes, *size);
                line.array(&after);
                line.key_map(&map_of_array(&after));
            }
            Self::Current { version, position } => {
                line.flag(is_current(&state.window, state.version, *version, *position));
            }
        }
        line.text()
    }
}

fn merged_claim(line: &mut Line, claim: &MergedClaim) {
    line.size(claim.merged_version);
    line.size(claim.merged_position);
    line.element(claim.merged_commitment);
    line.scalar(claim.merged_scalar);
}
