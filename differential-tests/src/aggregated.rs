//! Aggregated blocks on both sides.
//!
//! Each side draws its own challenges. The specification is given the encodings of commitments,
//! scalars and points, which are a matter of the curve; those of an honest proposer, who needs the
//! first challenge to make the points, are computed by the text of `docs/format.md`.

use aardvark_algebra::{Scalar, TaggedHash, scalar_from_u128, scalar_to_bytes};
use aardvark_dictionary::{AggregatedBlock, Block, Effects, Rejection, Validator};
use aardvark_spec::block::aggregated_block::{self as spec, MergedClaim, unopened_claims};
use aardvark_spec::block::drawn_block::{BlockEncodings, ClaimEncoding, apply_aggregated_block};
use aardvark_spec::block::state::ValidatorState;
use aardvark_spec::block::{rejection as spec_rejection, validator as spec_validator};
use aardvark_spec::convert::{to_seq, to_vec};
use hacspec_lib::Seq;

use crate::compare::{self, Mismatch, same};
use crate::convert::{Refusal, SpecifiedOpening, block_to_spec, bytes_to_spec, opening_to_spec, scalar_from_spec};
use crate::pair::{Pair, Verdict};
use crate::points::{Meaning, PointBytes};

/// What both sides made of an aggregated block.
pub type Judgement = Result<(Validator, Effects), Refusal>;

/// The aggregated form of a block, its points made from the exponents of its openings; under
/// another dictionary id or for another version if so wanted. Openings that are no points count as
/// the identity.
pub fn aggregated_by_exponents(pair: &Pair, block: &Block, id: &[u8; 32], version: u64) -> AggregatedBlock {
    let claims = claims_of(pair, block).unwrap_or_default();
    let rho = coefficients(&claims_seed(pair, id, version, &claims), claims.len());
    let vector_size = pair.archive.vector_size() as usize;
    let mut sums = vec![None; vector_size];
    for (claim, rho) in claims.iter().zip(&rho) {
        let opening = opening_of(block, claim);
        let exponent = match pair.archive.points.meaning(&opening) {
            Meaning::Exponent(exponent) => exponent,
            Meaning::Malformed => Scalar::from(0),
        };
        let sum = sums[claim.merged_position % vector_size].get_or_insert(Scalar::from(0));
        *sum += *rho * exponent;
    }
    let points = sums.into_iter().flatten().map(|exponent| pair.archive.points.opening(exponent)).collect();
    AggregatedBlock { block: block.clone().without_openings(), points }
}

/// Gives the block to both sides and compares all that they say; neither moves.
///
/// # Errors
/// Where they differ.
pub fn judge(pair: &Pair, aggregated: &AggregatedBlock) -> Result<Judgement, Mismatch> {
    let points = &pair.archive.points;
    let in_spec = spec::AggregatedBlock {
        plain_block: block_to_spec(&aggregated.block, points),
        block_points: to_seq(aggregated.points.iter().map(|point| opening_to_spec(points.meaning(point))).collect()),
    };
    let length = spec::aggregated_length(&in_spec);
    same("length of the aggregated block", length, aggregated.encode().len())?;
    same("length of the aggregated block as announced", length, aggregated.encoded_length())?;
    let encodings = encodings(pair, aggregated);
    let setup = &pair.archive.setting().setup;
    let specified = apply_aggregated_block(setup, &pair.state, &in_spec, &encodings);
    if let Some(third) = &pair.third {
        third.judge_aggregated(&in_spec, &encodings, &specified)?;
    }
    let mut validator = pair.validator.clone();
    let implemented = validator.apply_aggregated(aggregated);
    same_outcome(pair, specified, validator, implemented)
}

/// Compares what the specification makes of an aggregated block with what the implementation made
/// of it, and with the validator that it left behind.
///
/// # Errors
/// Where they differ.
pub(crate) fn same_outcome(
    pair: &Pair,
    specified: Result<(ValidatorState, spec_validator::Effects), spec_rejection::Rejection>,
    validator: Validator,
    implemented: Result<Effects, Rejection>,
) -> Result<Judgement, Mismatch> {
    let points = &pair.archive.points;
    match (specified, implemented) {
        (Ok((state, effects)), Ok(applied)) => {
            let writes = applied.writes.iter().map(|write| (write.position, write.after.clone())).collect();
            same("writes", compare::writes_from_spec(&effects.effect_writes), writes)?;
            compare::states(&state, &validator.state(), points)?;
            Ok(Ok((validator, applied)))
        }
        (Err(specified), Err(implemented)) => {
            same("reason of refusal", Refusal::from(specified), Refusal::from(&implemented))?;
            same("a refused block leaves no trace", validator.state() == pair.validator.state(), true)?;
            Ok(Err(specified.into()))
        }
        (specified, implemented) => Err(format!(
            "the specification says {:?}, the implementation {implemented:?}",
            specified.map(|_| ()).map_err(Refusal::from)
        )),
    }
}

/// Gives a block to all in its aggregated form: with the points that its openings merge into, and
/// with points of which one is forged, missing, too many or malformed, which the version decides.
/// What they made of the honest form, then of the other.
///
/// # Errors
/// Where they differ.
pub fn judge_honest_and_forged(pair: &Pair, block: &Block) -> Result<[Judgement; 2], Mismatch> {
    let honest = aggregated_by_exponents(pair, block, &pair.validator.id().0, block.version);
    let points = &pair.archive.points;
    let mut forged = honest.clone();
    match (block.version % 4, forged.points.last_mut()) {
        (0, Some(last)) => *last = points.opening(Scalar::from(block.version % 1000 + 7)),
        (1, Some(last)) => *last = [0xff; 48],
        (2, Some(_)) => drop(forged.points.pop()),
        _ => forged.points.push(points.opening(Scalar::from(0))),
    }
    Ok([judge(pair, &honest)?, judge(pair, &forged)?])
}

/// An honest aggregated form does what the plain block did, which led the pair to where it is now
/// if it was accepted. It may be too long where the plain block is not, by the number of its
/// points; and the openings may be what a plain block was refused for.
///
/// # Errors
/// Where it does something else.
pub fn same_as_plain(pair: &Pair, aggregated: &Judgement, plain: &Verdict) -> Result<(), Mismatch> {
    match (aggregated, plain) {
        (Err(refusal), _) if refusal.reason == "BlockTooLong" => Ok(()),
        (_, Verdict::Refused(refusal))
            if ["BlockTooLong", "OpeningMalformed", "OpeningFalse"].contains(&refusal.reason.as_str()) =>
        {
            Ok(())
        }
        (Ok((validator, _)), Verdict::Accepted(_)) => {
            same("state after the aggregated block", validator.state() == pair.validator.state(), true)
        }
        (Err(aggregated), Verdict::Refused(plain)) => same("reason in the aggregated form", plain, aggregated),
        (aggregated, plain) => Err(format!("the plain block: {plain:?}, aggregated: {aggregated:?}")),
    }
}

/// The encodings that the challenges of a received block bind.
fn encodings(pair: &Pair, aggregated: &AggregatedBlock) -> BlockEncodings {
    let claims = claims_of(pair, &aggregated.block).unwrap_or_default();
    BlockEncodings {
        claim_encodings: claim_encodings(pair, &claims),
        point_encodings: to_seq(aggregated.points.iter().map(|point| bytes_to_spec(point)).collect()),
    }
}

/// The encodings of distinct claims.
pub(crate) fn claim_encodings(pair: &Pair, claims: &[MergedClaim]) -> Seq<ClaimEncoding> {
    let of_claim = |claim: &MergedClaim| ClaimEncoding {
        commitment_bytes: bytes_to_spec(&compare::point(&claim.merged_commitment, &pair.archive.points)),
        scalar_bytes: bytes_to_spec(&scalar_to_bytes(&scalar_from_spec(&claim.merged_scalar))),
    };
    to_seq(claims.iter().map(of_claim).collect())
}

/// The distinct claims, by the specification.
fn claims_of<O: SpecifiedOpening>(pair: &Pair, block: &Block<O>) -> Option<Vec<MergedClaim>> {
    unopened_claims(&pair.state, &block_to_spec(block, &pair.archive.points)).map(|claims| to_vec(&claims))
}

fn claims_seed(pair: &Pair, id: &[u8; 32], version: u64, claims: &[MergedClaim]) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-V1-AGGREGATE-CLAIMS").chain(id).chain(version.to_be_bytes());
    hash.update((claims.len() as u64).to_be_bytes());
    for claim in claims {
        hash.update((claim.merged_version as u64).to_be_bytes());
        hash.update((claim.merged_position as u64).to_be_bytes());
        hash.update(compare::point(&claim.merged_commitment, &pair.archive.points));
        hash.update(scalar_to_bytes(&scalar_from_spec(&claim.merged_scalar)));
    }
    hash.finalize()
}

fn coefficients(seed: &[u8; 32], count: usize) -> Vec<Scalar> {
    let coefficient = |j: usize| {
        let digest = TaggedHash::new("AARDVARK-V1-COEFFICIENT").chain(seed).chain((j as u64).to_be_bytes()).finalize();
        let first = digest.first_chunk::<16>().expect("a digest has 32 bytes");
        scalar_from_u128(u128::from_be_bytes(*first))
    };
    (0..count).map(coefficient).collect()
}

/// The opening of the first claim of the block that is this one.
fn opening_of(block: &Block, claim: &MergedClaim) -> PointBytes {
    let version = claim.merged_version as u64;
    let of_version = block.transactions.iter().filter(|tx| tx.first_valid.saturating_sub(1) == version);
    let mut claims = of_version.flat_map(|transaction| &transaction.claims);
    let scalar = scalar_from_spec(&claim.merged_scalar);
    let found = claims.find(|one| one.position == claim.merged_position as u64 && one.slot.scalar() == scalar);
    found.expect("it is one of the block's claims").opening
}
