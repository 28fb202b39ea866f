//! Phase 6 of an aggregated block: its points prove all claims, or none
//! (`aardvark_spec::block::aggregated_block::phase_points`); and how a proposer makes them.

use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::aggregation::{Aggregate, Aggregation, UnopenedClaim, claimed_indices};
use aardvark_commitment::{Opening, Scheme, VectorCommitment};

use crate::data::aggregated_block::AggregatedBlock;
use crate::data::block::Block;
use crate::data::claim::OpeningBytes;
use crate::data::identity::DictionaryId;
use crate::data::rejection::{Item, Reason, Rejection};
use crate::data::transaction::Transaction;
use crate::state::vectors::KnownCommitments;

/// The number of points, then their bytes, then the equation.
pub(crate) fn phase_points(
    scheme: &Scheme,
    id: &DictionaryId,
    known: &KnownCommitments<'_>,
    aggregated: &AggregatedBlock,
) -> Result<(), Rejection> {
    let AggregatedBlock { block, points } = aggregated;
    let claims = unopened_claims(known, &block.transactions)?;
    let indices = claimed_indices(scheme.vector_size(), &claims);
    if indices.len() != points.len() {
        return Err(refusal(Reason::OpeningFalse));
    }
    let decoded = Opening::from_bytes_each(points).into_iter().collect::<Result<Vec<_>, _>>();
    let decoded = decoded.map_err(|_| refusal(Reason::OpeningMalformed))?;
    let aggregate = Aggregate { points: indices.into_iter().zip(decoded).collect() };
    match scheme.verify_aggregated(&challenge_context(id, block.version), &claims, &aggregate) {
        true => Ok(()),
        false => Err(refusal(Reason::OpeningFalse)),
    }
}

/// The aggregated form of a block whose openings are true.
pub(crate) fn aggregate(
    scheme: &Scheme,
    id: &DictionaryId,
    known: &KnownCommitments<'_>,
    block: Block,
) -> Result<AggregatedBlock, Rejection> {
    let claims = unopened_claims(known, &block.transactions)?;
    let openings = block.transactions.par_iter().flat_map_iter(|transaction| &transaction.claims);
    let openings: Vec<OpeningBytes> = openings.map(|claim| claim.opening).collect();
    let openings = Opening::from_bytes_each(&openings).into_iter().collect::<Result<Vec<_>, _>>();
    let openings = openings.map_err(|_| refusal(Reason::OpeningMalformed))?;
    let opened: Vec<_> = claims.into_iter().zip(openings).collect();
    let aggregate = scheme.aggregate(&challenge_context(id, block.version), &opened);
    let points = aggregate.points.iter().map(|(_, point)| point.to_bytes()).collect();
    Ok(AggregatedBlock { block: block.without_openings(), points })
}

/// The claims of transactions as the challenges bind them.
pub(crate) fn unopened_claims<O: Sync>(
    known: &KnownCommitments<'_>,
    transactions: &[Transaction<O>],
) -> Result<Vec<UnopenedClaim>, Rejection> {
    let claims = transactions.par_iter().flat_map_iter(|transaction| {
        let version = transaction.claims_version();
        transaction.claims.iter().map(move |claim| {
            let found = known.of_claim(version, claim.position);
            let (commitment, _) = found.ok_or_else(|| refusal(Reason::OpeningFalse))?;
            Ok(UnopenedClaim { label: version, position: claim.position, commitment, scalar: claim.slot.scalar() })
        })
    });
    claims.collect()
}

/// What the challenges of a block are bound to besides its claims: the dictionary, and the version
/// that the block makes.
fn challenge_context(id: &DictionaryId, version: u64) -> [u8; 40] {
    let mut context = [0; 40];
    let bytes = id.0.into_iter().chain(version.to_be_bytes());
    context.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    context
}

/// No claim has a proof of its own, so the block as a whole is refused.
fn refusal(reason: Reason) -> Rejection {
    Rejection::of_block(reason, Item::Whole)
}
