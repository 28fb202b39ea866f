//! What the vector commitment schemes share: openings, claims of a batch, points of an aggregation.
//!
//! Commitments and openings are elements of G1; [`crate::base::group`] has what can be done with
//! them.

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use hacspec_lib::*;

/// An opening as it was received.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Opening {
    /// Its 48 bytes break the format's rule for openings, which is a matter of the curve's encoding
    /// and so outside of this specification.
    #[default]
    Malformed,
    /// Its point, or rather that point's component in the subgroup of order r: the pairing
    /// annihilates the rest.
    Point(G1),
}

/// Whether the opening's bytes break the format's rule.
pub fn is_malformed(opening: &Opening) -> bool {
    match opening {
        Opening::Malformed => true,
        Opening::Point(_) => false,
    }
}

/// One claim of a batch: under the commitment, the vector has the scalar at the index, as the
/// opening shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchClaim {
    /// The commitment to the vector.
    pub batch_commitment: G1,
    /// The index within the vector.
    pub batch_index: usize,
    /// The claimed scalar.
    pub batch_scalar: Scalar,
    /// The opening; of no meaning in an aggregation, which has no single openings.
    pub batch_opening: G1,
}

/// All openings of one index, merged into one point under the first challenge's coefficients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AggregatedOpening {
    /// The index.
    pub aggregated_index: usize,
    /// The sum, over the claims at this index, of coefficient times opening.
    pub aggregated_point: G1,
}

/// The two sides of an equation between pairings, as they are summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairingSum {
    /// The side that is paired with the second group's generator.
    pub sum_left: G1,
    /// The other side.
    pub sum_right: G1,
}

/// Two empty sums.
pub fn empty_sum() -> PairingSum {
    PairingSum { sum_left: g1_identity(), sum_right: g1_identity() }
}

/// One step of [`has_index`].
pub fn has_index_step(found: bool, point: &AggregatedOpening, i: usize) -> bool {
    found || point.aggregated_index == i
}

/// Whether there is a point for the index.
pub fn has_index(points: &Seq<AggregatedOpening>, i: usize) -> bool {
    let mut found = false;
    for j in 0..points.len() {
        found = has_index_step(found, &points[j], i);
    }
    found
}

/// One step of [`indices_served`].
pub fn indices_served_step(served: bool, points: &Seq<AggregatedOpening>, claim: &BatchClaim) -> bool {
    served && has_index(points, claim.batch_index)
}

/// Whether there is a point for the index of every claim: without it, a claim would not be checked
/// at all.
pub fn indices_served(batch: &Seq<BatchClaim>, points: &Seq<AggregatedOpening>) -> bool {
    let mut served = true;
    for j in 0..batch.len() {
        served = indices_served_step(served, points, &batch[j]);
    }
    served
}

/// One step of [`indices_ascend`]: the index of point `j` comes after that of the point before it.
pub fn indices_ascend_step(ascend: bool, points: &Seq<AggregatedOpening>, j: usize) -> bool {
    if j > 0 { ascend && points[j - 1].aggregated_index < points[j].aggregated_index } else { ascend }
}

/// Whether the indices of the points are strictly ascending, so that no index stands twice.
pub fn indices_ascend(points: &Seq<AggregatedOpening>) -> bool {
    let mut ascend = true;
    for j in 0..points.len() {
        ascend = indices_ascend_step(ascend, points, j);
    }
    ascend
}

/// One step of [`is_claimed`].
pub fn is_claimed_step(claimed: bool, claim: &BatchClaim, i: usize) -> bool {
    claimed || claim.batch_index == i
}

/// Whether there is a claim about the index.
pub fn is_claimed(batch: &Seq<BatchClaim>, i: usize) -> bool {
    let mut claimed = false;
    for j in 0..batch.len() {
        claimed = is_claimed_step(claimed, &batch[j], i);
    }
    claimed
}

/// One step of [`points_claimed`].
pub fn points_claimed_step(claimed: bool, batch: &Seq<BatchClaim>, point: &AggregatedOpening, n: usize) -> bool {
    claimed && point.aggregated_index < n && is_claimed(batch, point.aggregated_index)
}

/// Whether every point is at a claimed index below `n`: without it, the identity at an unclaimed
/// index would pass.
pub fn points_claimed(batch: &Seq<BatchClaim>, points: &Seq<AggregatedOpening>, n: usize) -> bool {
    let mut claimed = true;
    for j in 0..points.len() {
        claimed = points_claimed_step(claimed, batch, &points[j], n);
    }
    claimed
}

/// Whether the points are those of an aggregation of claims about vectors of `n` elements: exactly
/// one a claimed index, in ascending order.
pub fn aggregation_fits(batch: &Seq<BatchClaim>, points: &Seq<AggregatedOpening>, n: usize) -> bool {
    indices_ascend(points) && points_claimed(batch, points, n) && indices_served(batch, points)
}

/// One step of [`aggregated_opening`].
pub fn aggregated_opening_step(total: G1, claim: &BatchClaim, rho: Scalar, i: usize) -> G1 {
    if claim.batch_index == i { g1_add(total, g1_scale(rho, claim.batch_opening)) } else { total }
}

/// The point for index `i`, as the one who aggregates computes it from the single openings.
pub fn aggregated_opening(batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>, i: usize) -> G1 {
    let mut total = g1_identity();
    for j in 0..batch.len() {
        total = aggregated_opening_step(total, &batch[j], scalar_at(coefficients, j), i);
    }
    total
}

/// The integer that a batch's coefficient is, as a scalar: the first 16 bytes of a digest.
pub fn coefficient_of_digest(digest: &ByteString) -> Scalar {
    scalar_of_number(number_of_bytes(&digest.slice(0, 16)))
}
