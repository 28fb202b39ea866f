//! Pairing checks: bilinear, one final exponentiation, blind to torsion.

mod common;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    G1Affine, G2Affine, G2Prepared, PairingProduct, PreparedLines, Scalar, pairing_product_is_one, pairings_equal,
    shared_product_is_one,
};
use common::{AnyScalar, small_torsion, subgroup_point, torsion};
use quickcheck::QuickCheck;

fn prepared(scalar: &Scalar) -> G2Prepared {
    G2Prepared::from((G2Affine::generator() * scalar).to_affine())
}

#[test]
fn a_scalar_moves_from_one_side_to_the_other() {
    fn law(a: AnyScalar, b: AnyScalar) -> bool {
        let point = (subgroup_point(1) * a.0).to_affine();
        let both = (subgroup_point(1) * (a.0 * b.0)).to_affine();
        pairings_equal(&point, &prepared(&b.0), &both, &prepared(&Scalar::from(1)))
    }
    QuickCheck::new().tests(30).quickcheck(law as fn(AnyScalar, AnyScalar) -> bool);
}

#[test]
fn unequal_pairings_are_told_apart() {
    let (p, q) = (subgroup_point(1), subgroup_point(2));
    let g2 = prepared(&Scalar::from(1));
    assert!(!pairings_equal(&p, &g2, &q, &g2));
    assert!(!pairings_equal(&p, &g2, &-p, &g2));
    assert!(!pairings_equal(&p, &g2, &G1Affine::identity(), &g2));
    assert!(!pairings_equal(&p, &g2, &p, &prepared(&Scalar::from(2))));
}

#[test]
fn a_product_is_one_when_the_exponents_sum_to_zero() {
    let g2: Vec<G2Prepared> = [2, 3, 4].map(|k| prepared(&Scalar::from(k))).into();
    let term = |k: u64| (G1Affine::generator() * Scalar::from(k)).to_affine();
    // 6 · 2 + 4 · 3 - 6 · 4 = 0
    assert!(pairing_product_is_one(&[(term(6), &g2[0]), (term(4), &g2[1]), (-term(6), &g2[2])]));
    assert!(!pairing_product_is_one(&[(term(6), &g2[0]), (term(4), &g2[1]), (-term(7), &g2[2])]));
}

#[test]
fn infinity_on_either_side_contributes_nothing() {
    let infinity = G2Prepared::from(G2Affine::identity());
    let g2 = prepared(&Scalar::from(1));
    assert!(PairingProduct::one().is_one());
    assert!(pairing_product_is_one(&[]));
    assert!(PairingProduct::pair(&subgroup_point(1), &infinity).is_one());
    assert!(PairingProduct::pair(&G1Affine::identity(), &g2).is_one());
    assert!(!PairingProduct::pair(&subgroup_point(1), &g2).is_one());
}

#[test]
fn miller_loops_that_share_their_squarings_answer_as_separate_ones_do() {
    fn law(exponents: Vec<(AnyScalar, AnyScalar)>, last: bool) -> bool {
        let sum: Scalar = exponents.iter().map(|(a, b)| a.0 * b.0).sum();
        // The last pair makes the product one, or nearly so.
        let closing = if last { -sum } else { Scalar::from(1) - sum };
        let exponents = exponents.iter().map(|(a, b)| (a.0, b.0)).chain([(closing, Scalar::from(1))]);
        let points: Vec<(G1Affine, G2Affine)> = exponents
            .map(|(a, b)| ((G1Affine::generator() * a).to_affine(), (G2Affine::generator() * b).to_affine()))
            .collect();
        let lines: Vec<PreparedLines> = points.iter().map(|(_, q)| PreparedLines::new(q)).collect();
        let prepared: Vec<G2Prepared> = points.iter().map(|(_, q)| G2Prepared::from(*q)).collect();
        let shared: Vec<_> = points.iter().zip(&lines).map(|((p, _), q)| (*p, q)).collect();
        let separate: Vec<_> = points.iter().zip(&prepared).map(|((p, _), q)| (*p, q)).collect();
        shared_product_is_one(&shared) == last && pairing_product_is_one(&separate) == last
    }
    QuickCheck::new().tests(30).quickcheck(law as fn(Vec<(AnyScalar, AnyScalar)>, bool) -> bool);
    assert!(shared_product_is_one(&[]));
}

#[test]
fn every_prime_torsion_pairs_to_one_with_shared_squarings() {
    let g2 = PreparedLines::new(&G2Affine::generator());
    let point = subgroup_point(5);
    for prime in [3, 11, 10_177, 859_267, 52_437_899] {
        let extra = common::prime_torsion(prime);
        let shifted = (point.to_curve() + extra).to_affine();
        assert!(shared_product_is_one(&[(extra, &g2)]), "order {prime}");
        assert!(shared_product_is_one(&[(shifted, &g2), (-point, &g2)]), "order {prime}");
        assert!(!shared_product_is_one(&[(shifted, &g2)]), "order {prime}");
    }
}

#[test]
fn torsion_in_g1_changes_no_answer() {
    let g2 = prepared(&Scalar::from(1));
    let point = subgroup_point(3);
    for extra in [torsion(1), torsion(2), small_torsion(3), small_torsion(11), small_torsion(33)] {
        let shifted = (point.to_curve() + extra).to_affine();
        assert_ne!(shifted, point);
        assert!(pairings_equal(&shifted, &g2, &point, &g2));
        assert!(!pairings_equal(&shifted, &g2, &subgroup_point(4), &g2));
        assert!(PairingProduct::pair(&extra, &g2).is_one());
        // Multiplication by the endomorphism leaves the right class too.
        let multiple = (shifted * Scalar::from(123_456_789).square_of()).to_affine();
        let expected = (point * Scalar::from(123_456_789).square_of()).to_affine();
        assert!(pairings_equal(&multiple, &g2, &expected, &g2));
    }
}

/// A scalar of full size, for the endomorphism's sake.
trait SquareOf {
    fn square_of(self) -> Self;
}

impl SquareOf for Scalar {
    fn square_of(self) -> Self {
        (0..5).fold(self, |x, _| x * x)
    }
}
