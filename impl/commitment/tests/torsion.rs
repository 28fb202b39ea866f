//! Openings with cofactor torsion: accepted exactly where the format's rule says, and no verdict
//! changes. The argument is docs/openings.md.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::msm::naive::multiply;
use aardvark_algebra::{DecodeError, G1Affine, G1Projective, Scalar};
use aardvark_commitment::{
    Aggregation, BatchClaim, Commitment, Kzg, Opening, UnopenedClaim, VectorCommitment, insecure,
};
use common::{DICTIONARY, schemes, secret, shifted, torsion, true_claims};

const SIZE: usize = 8;

/// The primes that divide the cofactor; the torsion's exponent is their product, |z - 1|.
const PRIMES: [u128; 5] = [3, 11, 10_177, 859_267, 52_437_899];

fn times(point: &G1Affine, integer: u128) -> G1Projective {
    multiply(point, &integer.to_le_bytes())
}

/// A torsion point of the order that these primes make, which is exact.
fn of_order(order: u128, seed: u64) -> G1Affine {
    let exponent: u128 = PRIMES.iter().product();
    let exact = |point: &G1Affine| {
        let proper =
            PRIMES.iter().filter(|prime| order.is_multiple_of(**prime)).map(|prime| times(point, order / prime));
        proper.map(|multiple| bool::from(multiple.is_identity())).all(|vanishes| !vanishes)
    };
    let points = (seed..).map(|seed| times(&torsion(seed), exponent / order).to_affine());
    let point = points.filter(exact).find(|point| bool::from(!point.is_identity())).unwrap();
    assert!(bool::from(times(&point, order).is_identity()));
    point
}

/// One torsion point of each kind: every prime order, 33, two independent ones of order 11, the
/// full exponent.
fn kinds() -> Vec<G1Affine> {
    let mut kinds: Vec<G1Affine> = PRIMES.iter().map(|prime| of_order(*prime, 1)).collect();
    let eleven = of_order(11, 1);
    let dependent = |point: &G1Affine| (0..11).any(|k| times(&eleven, k).to_affine() == *point);
    kinds.push((2..).map(|seed| of_order(11, seed)).find(|point| !dependent(point)).unwrap());
    kinds.push(of_order(33, 1));
    kinds.push(of_order(PRIMES.iter().product(), 1));
    kinds
}

#[test]
fn torsion_of_every_order_is_an_opening_by_the_formats_rule_alone_unless_x_is_zero() {
    for scheme in schemes(SIZE) {
        let claim = true_claims(&scheme, 1)[0];
        for kind in kinds() {
            let opening = shifted(&claim.opening, &kind);
            let bytes = opening.to_bytes();
            assert_ne!(bytes, claim.opening.to_bytes());
            assert_eq!(Opening::from_bytes(&bytes), Ok(opening));
            assert_eq!(Opening::from_bytes_strict(&bytes), Err(DecodeError::NotInSubgroup));
            assert_eq!(Commitment::from_bytes(&bytes), Err(DecodeError::NotInSubgroup));
            // Alone, the points of order 3 are the ones with x = 0.
            let alone = Opening::from_point_unchecked(kind).to_bytes();
            let expected = if bool::from(times(&kind, 3).is_identity()) {
                Err(DecodeError::ZeroX)
            } else {
                Ok(Opening::from_point_unchecked(kind))
            };
            assert_eq!(Opening::from_bytes(&alone), expected);
        }
    }
}

#[test]
fn torsion_of_every_order_changes_no_single_verdict() {
    let indexed = insecure::kzg_with_known_tau(SIZE, secret()).unwrap().with_index_lines();
    for scheme in schemes(SIZE) {
        for (claim, kind) in true_claims(&scheme, 8).iter().zip(kinds()) {
            let opening = shifted(&claim.opening, &kind);
            assert!(scheme.verify(&claim.commitment, claim.index, &claim.scalar, &opening));
            assert!(!scheme.verify(&claim.commitment, claim.index, &(claim.scalar + Scalar::ONE), &opening));
        }
    }
    let [kzg, _] = schemes(SIZE);
    for (claim, kind) in true_claims(&kzg, 8).iter().zip(kinds()) {
        let opening = shifted(&claim.opening, &kind);
        assert!(indexed.verify(&claim.commitment, claim.index, &claim.scalar, &opening));
        assert!(!indexed.verify(&claim.commitment, claim.index, &(claim.scalar + Scalar::ONE), &opening));
    }
}

#[test]
fn equal_and_opposite_openings_of_every_order_batch_and_aggregate_as_without_torsion() {
    for scheme in schemes(SIZE) {
        let honest = true_claims(&scheme, 40);
        for kind in kinds() {
            // +t, -t, twice the same, and none at all, with equal claims among them.
            let shifts = [kind, -kind, kind, G1Affine::identity()];
            let mut claims: Vec<BatchClaim> = honest.iter().flat_map(|claim| [*claim; 2]).collect();
            for (claim, shift) in claims.iter_mut().zip(shifts.iter().cycle()) {
                claim.opening = shifted(&claim.opening, shift);
            }
            assert!(scheme.verify_batch(&DICTIONARY, &claims));
            let opened: Vec<(UnopenedClaim, Opening)> = claims.iter().zip(0..).map(opened).collect();
            let unopened: Vec<UnopenedClaim> = opened.iter().map(|(claim, _)| *claim).collect();
            let aggregate = scheme.aggregate(&DICTIONARY, &opened);
            assert!(scheme.verify_aggregated(&DICTIONARY, &unopened, &aggregate));
            claims[31].scalar += Scalar::ONE;
            assert!(!scheme.verify_batch(&DICTIONARY, &claims));
            assert_eq!(scheme.first_false(&DICTIONARY, &claims), Some(31));
        }
    }
}

fn opened((claim, vector): (&BatchClaim, u64)) -> (UnopenedClaim, Opening) {
    let BatchClaim { label, commitment, index, scalar, opening } = *claim;
    (UnopenedClaim { label, position: vector * SIZE as u64 + index as u64, commitment, scalar }, opening)
}

#[test]
fn index_lines_change_no_verdict() {
    let plain = insecure::kzg_with_known_tau(SIZE, secret()).unwrap();
    let indexed: Kzg = insecure::kzg_with_known_tau(SIZE, secret()).unwrap().with_index_lines();
    let [scheme, _] = schemes(SIZE);
    for claim in true_claims(&scheme, 20) {
        for (scalar, index) in
            [(claim.scalar, claim.index), (-claim.scalar, claim.index), (claim.scalar, claim.index ^ 1)]
        {
            let expected = scalar == claim.scalar && index == claim.index;
            assert_eq!(plain.verify(&claim.commitment, index, &scalar, &claim.opening), expected);
            assert_eq!(indexed.verify(&claim.commitment, index, &scalar, &claim.opening), expected);
        }
        assert!(!indexed.verify(&claim.commitment, SIZE, &claim.scalar, &claim.opening));
    }
    // The constant vector: every opening is infinity.
    let five = vec![Scalar::from(5); SIZE];
    let commitment = plain.commit(&five).unwrap();
    assert!(indexed.verify(&commitment, 3, &five[3], &Opening::identity()));
    assert!(!indexed.verify(&commitment, 3, &Scalar::from(6), &Opening::identity()));
}
