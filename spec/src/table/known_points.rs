//! Points as whoever has the trapdoor makes them: multiples of the generator, openings of claims.

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::run_record::*;
use hacspec_lib::*;

/// One step of [`claim_openings`].
pub fn claim_openings_step(opened: Seq<G1>, tau: Scalar, claim: &FoldedClaim) -> Seq<G1> {
    opened.push_owned(open_folded_claim(tau, claim))
}

/// The openings of claims by themselves, as whoever has the trapdoor makes them.
pub fn claim_openings(tau: Scalar, claimed: &Seq<FoldedClaim>) -> Seq<G1> {
    let mut opened = Seq::<G1>::new(0);
    for i in 0..claimed.len() {
        opened = claim_openings_step(opened, tau, &claimed[i]);
    }
    opened
}

/// The folded opening of claims, as whoever has the trapdoor makes it.
pub fn fold_known_claims(tau: Scalar, claimed: &Seq<FoldedClaim>, gammas: &Seq<Scalar>, z: Scalar) -> FoldedOpening {
    let opened = claim_openings(tau, claimed);
    FoldedOpening {
        folded_quotient: fold_quotient(&opened, gammas),
        folded_witness: fold_witness(claimed, &opened, gammas, z),
    }
}

/// The multiple of the generator, without an encoding.
pub fn unencoded_point(factor: Scalar) -> TablePoint {
    TablePoint { held_element: g1_multiple(factor), held_bytes: Seq::<u8>::new(0) }
}

/// One step of [`unencoded_points`].
pub fn unencoded_points_step(points: Seq<TablePoint>, factor: Scalar) -> Seq<TablePoint> {
    points.push_owned(unencoded_point(factor))
}

/// Multiples of the generator, without encodings.
pub fn unencoded_points(factors: &Seq<Scalar>) -> Seq<TablePoint> {
    let mut points = Seq::<TablePoint>::new(0);
    for i in 0..factors.len() {
        points = unencoded_points_step(points, factors[i]);
    }
    points
}
