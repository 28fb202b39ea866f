//! Aggregated blocks: in the place of the claims' openings, one point for each index that they
//! speak of.
//!
//! All phases are those of a plain block, but for the block's length and for phase 6. The
//! transactions are those of the plain block; their openings are not looked at. The values of the
//! challenges are arguments here, `coefficients` for the distinct claims in order, `combiners` for
//! the points; [`crate::block::drawn_block`] draws them, and has what a validator calls. Source:
//! docs/format.md, "Aggregated blocks".

use crate::base::group::*;
use crate::base::scalar::*;
use crate::block::block_data::*;
use crate::block::phases::*;
use crate::block::rejection::*;
use crate::block::state::*;
use crate::block::transaction::*;
use crate::block::validator::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::dictionary::slot::*;
use crate::dictionary::vectors::*;
use crate::dictionary::window::*;
use hacspec_lib::*;

/// A block whose claims are proved together.
#[derive(Clone, Debug, Default)]
pub struct AggregatedBlock {
    /// The transactions and tail vectors; openings are of no meaning.
    pub plain_block: Block,
    /// One point for each claimed index, in ascending order of the indices.
    pub block_points: Seq<Opening>,
}

/// A claim without its opening, and with what the dictionary's state adds to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedClaim {
    /// The version that it speaks of.
    pub merged_version: usize,
    /// The position.
    pub merged_position: usize,
    /// The commitment to the position's vector at that version.
    pub merged_commitment: G1,
    /// The slot's scalar.
    pub merged_scalar: Scalar,
}

/// The length of the encoded block, in bytes: 48 a point, and 2 for their number, in the place of
/// 48 a claim.
pub fn aggregated_length(block: &AggregatedBlock) -> usize {
    let totals = block_totals(&block.plain_block);
    let with_points = block_length(&block.plain_block) + 2 + 48 * block.block_points.len();
    if with_points >= 48 * totals.total_claims { with_points - 48 * totals.total_claims } else { with_points }
}

/// Phase 1 for the block as a whole: as for a plain block, with the length of the aggregated one.
pub fn check_aggregated_size(state: &ValidatorState, block: &AggregatedBlock) -> Result<(), Rejection> {
    let totals = block_totals(&block.plain_block);
    let p = state.parameters.clone();
    if block.plain_block.block_version != state.version + 1 {
        Err(reject_block(Reason::WrongVersion))
    } else if block.plain_block.transactions.len() > p.block_transactions {
        Err(reject_block(Reason::TooManyTransactions))
    } else if totals.total_operations > p.block_operations {
        Err(reject_block(Reason::TooManyBlockOperations))
    } else if totals.total_claims > p.block_claims {
        Err(reject_block(Reason::TooManyBlockClaims))
    } else if aggregated_length(block) > p.block_bytes {
        Err(reject_block(Reason::BlockTooLong))
    } else {
        Ok(())
    }
}

/// Phase 1: sizes. A transaction is as long as with its openings, for so it was submitted.
pub fn phase_aggregated_size(state: &ValidatorState, block: &AggregatedBlock) -> Result<(), Rejection> {
    let mut checked = check_aggregated_size(state, block);
    for x in 0..block.plain_block.transactions.len() {
        checked = phase_size_step(checked, &state.parameters, &block.plain_block.transactions[x], x);
    }
    checked
}

/// One step of [`is_among`].
pub fn is_among_step(found: bool, other: &MergedClaim, claim: &MergedClaim) -> bool {
    found
        || (other.merged_version == claim.merged_version
            && other.merged_position == claim.merged_position
            && g1_equal(other.merged_commitment, claim.merged_commitment)
            && other.merged_scalar == claim.merged_scalar)
}

/// Whether a claim is among others.
pub fn is_among(items: &Seq<MergedClaim>, claim: &MergedClaim) -> bool {
    let mut found = false;
    for j in 0..items.len() {
        found = is_among_step(found, &items[j], claim);
    }
    found
}

/// The claims with one more, unless it is among them.
pub fn add_unopened(items: Seq<MergedClaim>, claim: &MergedClaim) -> Seq<MergedClaim> {
    if is_among(&items, claim) { items } else { items.push_owned(claim.clone()) }
}

/// One step of [`unopened_of_transaction`]. A claim of a vector that did not exist, which phase 5
/// excludes, leaves none.
pub fn unopened_of_transaction_step(
    collected: Option<Seq<MergedClaim>>,
    state: &ValidatorState,
    claim: &Claim,
    v: usize,
) -> Option<Seq<MergedClaim>> {
    match collected {
        None => None,
        Some(items) => {
            let vector = vector_of(claim.claim_position, state.parameters.vector_size);
            match commitment_at(&state.window, &state.commitments, state.version, v, vector) {
                None => None,
                Some(commitment) => Some(add_unopened(
                    items,
                    &MergedClaim {
                        merged_version: v,
                        merged_position: claim.claim_position,
                        merged_commitment: commitment,
                        merged_scalar: scalar_of_slot(&claim.claim_slot),
                    },
                )),
            }
        }
    }
}

/// The distinct claims with those of one more transaction.
pub fn unopened_of_transaction(
    before: Option<Seq<MergedClaim>>,
    state: &ValidatorState,
    tx: &Transaction,
) -> Option<Seq<MergedClaim>> {
    let mut collected = before;
    for c in 0..tx.claims.len() {
        collected = unopened_of_transaction_step(collected, state, &tx.claims[c], claims_version(tx));
    }
    collected
}

/// The distinct claims of a block, in order; the first of equal ones stays.
pub fn unopened_claims(state: &ValidatorState, block: &Block) -> Option<Seq<MergedClaim>> {
    let mut collected = Some(Seq::<MergedClaim>::new(0));
    for x in 0..block.transactions.len() {
        collected = unopened_of_transaction(collected, state, &block.transactions[x]);
    }
    collected
}

/// One step of [`batch_of_unopened`].
pub fn batch_of_unopened_step(batch: Seq<BatchClaim>, claim: &MergedClaim, n: usize) -> Seq<BatchClaim> {
    batch.push_owned(BatchClaim {
        batch_commitment: claim.merged_commitment,
        batch_index: index_of(claim.merged_position, n),
        batch_scalar: claim.merged_scalar,
        batch_opening: g1_identity(),
    })
}

/// The claims as the scheme takes them.
pub fn batch_of_unopened(items: &Seq<MergedClaim>, n: usize) -> Seq<BatchClaim> {
    let mut batch = Seq::<BatchClaim>::new(0);
    for j in 0..items.len() {
        batch = batch_of_unopened_step(batch, &items[j], n);
    }
    batch
}

/// One step of [`speaks_of`].
pub fn speaks_of_step(found: bool, claim: &BatchClaim, i: usize) -> bool {
    found || claim.batch_index == i
}

/// Whether a claim speaks of the index.
pub fn speaks_of(batch: &Seq<BatchClaim>, i: usize) -> bool {
    let mut found = false;
    for j in 0..batch.len() {
        found = speaks_of_step(found, &batch[j], i);
    }
    found
}

/// Point `k`; the identity beyond the end and for a malformed one, which are refused for what they
/// are.
pub fn point_element(points: &Seq<Opening>, k: usize) -> G1 {
    if k < points.len() {
        match points[k].clone() {
            Opening::Malformed => g1_identity(),
            Opening::Point(point) => point,
        }
    } else {
        g1_identity()
    }
}

/// One step of [`indexed_points`].
pub fn indexed_points_step(
    indexed: Seq<AggregatedOpening>,
    batch: &Seq<BatchClaim>,
    points: &Seq<Opening>,
    i: usize,
) -> Seq<AggregatedOpening> {
    if speaks_of(batch, i) {
        let element = point_element(points, indexed.len());
        indexed.push_owned(AggregatedOpening { aggregated_index: i, aggregated_point: element })
    } else {
        indexed
    }
}

/// One entry for each claimed index below `n`, ascending, with the points in their order.
pub fn indexed_points(batch: &Seq<BatchClaim>, points: &Seq<Opening>, n: usize) -> Seq<AggregatedOpening> {
    let mut indexed = Seq::<AggregatedOpening>::new(0);
    for i in 0..n {
        indexed = indexed_points_step(indexed, batch, points, i);
    }
    indexed
}

/// One step of [`has_malformed_point`].
pub fn has_malformed_point_step(found: bool, point: &Opening) -> bool {
    found || is_malformed(point)
}

/// Whether the bytes of a point break the format's rule.
pub fn has_malformed_point(points: &Seq<Opening>) -> bool {
    let mut found = false;
    for k in 0..points.len() {
        found = has_malformed_point_step(found, &points[k]);
    }
    found
}

/// Phase 6: the points prove all claims. Their number is looked at before any point is; a refusal
/// names no transaction, for no claim has a proof of its own.
pub fn phase_points(
    setup: &Setup,
    state: &ValidatorState,
    block: &AggregatedBlock,
    coefficients: &Seq<Scalar>,
    combiners: &Seq<Scalar>,
) -> Result<(), Rejection> {
    match unopened_claims(state, &block.plain_block) {
        None => Err(reject_block(Reason::OpeningFalse)),
        Some(items) => {
            let batch = batch_of_unopened(&items, state.parameters.vector_size);
            let indexed = indexed_points(&batch, &block.block_points, state.parameters.vector_size);
            if indexed.len() != block.block_points.len() {
                Err(reject_block(Reason::OpeningFalse))
            } else if has_malformed_point(&block.block_points) {
                Err(reject_block(Reason::OpeningMalformed))
            } else if !verify_aggregated(setup, &batch, coefficients, &indexed, combiners) {
                Err(reject_block(Reason::OpeningFalse))
            } else {
                Ok(())
            }
        }
    }
}

/// Runs all phases in order, and then the block, under given challenges.
pub fn execute_challenged_block(
    setup: &Setup,
    state: &ValidatorState,
    aggregated: &AggregatedBlock,
    coefficients: &Seq<Scalar>,
    combiners: &Seq<Scalar>,
) -> Result<Execution, Rejection> {
    let block = aggregated.plain_block.clone();
    let _ = phase_aggregated_size(state, aggregated)?;
    let _ = phase_interval(state, &block)?;
    let ids = transaction_ids(&state.dictionary_id, &block.transactions);
    let _ = phase_replay(state, &ids)?;
    let _ = phase_shape(state, &block)?;
    let _ = phase_position(state, &block)?;
    let _ = phase_points(setup, state, aggregated, coefficients, combiners)?;
    execute_proved(setup, state, &block, &ids)
}

/// Applies an aggregated block under given challenges: the state at the next version and what the
/// block did, or why it is refused.
pub fn apply_challenged_block(
    setup: &Setup,
    state: &ValidatorState,
    aggregated: &AggregatedBlock,
    coefficients: &Seq<Scalar>,
    combiners: &Seq<Scalar>,
) -> Result<(ValidatorState, Effects), Rejection> {
    let execution = execute_challenged_block(setup, state, aggregated, coefficients, combiners)?;
    apply_executed(setup, state, &execution, &aggregated.plain_block.transactions)
}
