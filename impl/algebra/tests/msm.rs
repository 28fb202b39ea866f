//! Multi-scalar multiplication equals its slow twin on every point of the curve.

mod common;

use aardvark_algebra::encoding::scalar_from_u128;
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::msm::naive;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, msm, msm_short};
use common::{AnyPoint, AnyScalar, small_torsion, subgroup_point};
use quickcheck::{QuickCheck, quickcheck};

fn points(points: &[(AnyPoint, AnyScalar)]) -> (Vec<G1Affine>, Vec<Scalar>) {
    points.iter().map(|(point, scalar)| (point.0, scalar.0)).unzip()
}

#[test]
fn the_fast_sum_is_the_slow_one_for_any_points_and_lengths() {
    fn law(terms: Vec<(AnyPoint, AnyScalar)>, copies: u8) -> bool {
        // Copies push the length past the switch between methods and put equal points into one sum.
        let terms = terms.repeat(usize::from(copies % 4));
        let (points, scalars) = points(&terms);
        msm(&points, &scalars) == naive::msm(&points, &scalars)
    }
    QuickCheck::new().tests(60).quickcheck(law as fn(Vec<(AnyPoint, AnyScalar)>, u8) -> bool);
}

#[test]
fn the_short_sum_is_the_slow_one_for_any_points_and_lengths() {
    fn law(terms: Vec<(AnyPoint, u64, u64)>, copies: u8) -> bool {
        let terms = terms.repeat(usize::from(copies % 4));
        let points: Vec<G1Affine> = terms.iter().map(|(point, _, _)| point.0).collect();
        let integers: Vec<u128> = terms.iter().map(|(_, a, b)| (u128::from(*a) << 64) | u128::from(*b)).collect();
        let scalars: Vec<Scalar> = integers.iter().map(|k| scalar_from_u128(*k)).collect();
        msm_short(&points, &integers) == naive::msm(&points, &scalars)
    }
    QuickCheck::new().tests(60).quickcheck(law as fn(Vec<(AnyPoint, u64, u64)>, u8) -> bool);
}

#[test]
fn points_of_small_order_do_not_disturb_a_sum() {
    // Orders at which incomplete additions and window tables go wrong, alone and amid infinities.
    for order in [3, 11, 33] {
        let small = small_torsion(order);
        for length in [1, 2, 3, 15, 16, 17, 31, 32, 33, 100] {
            let points: Vec<G1Affine> = (0..length)
                .map(|i| match i % 4 {
                    0 | 1 => small,
                    2 => -small,
                    _ => G1Affine::identity(),
                })
                .collect();
            let integers: Vec<u128> = (0..length as u128).map(|i| u128::MAX / (i + 1)).collect();
            let scalars: Vec<Scalar> = integers.iter().map(|k| scalar_from_u128(*k)).collect();
            let expected = naive::msm(&points, &scalars);
            assert_eq!(msm(&points, &scalars), expected, "order {order}, {length} points");
            assert_eq!(msm_short(&points, &integers), expected, "order {order}, {length} points");
        }
    }
}

#[test]
fn equal_points_add_up_and_opposite_points_cancel() {
    let point = subgroup_point(3);
    for length in [2, 30, 32, 64, 256] {
        let same = vec![point; length];
        let ones = vec![Scalar::ONE; length];
        assert_eq!(msm(&same, &ones), point * Scalar::from(length as u64));
        let alternating: Vec<G1Affine> = (0..length).map(|i| if i % 2 == 0 { point } else { -point }).collect();
        assert_eq!(msm(&alternating, &ones), G1Projective::identity());
        assert_eq!(msm_short(&alternating, &vec![u128::MAX; length]), G1Projective::identity());
    }
}

#[test]
fn an_empty_sum_is_the_identity_and_lists_are_cut_to_the_shorter() {
    let points = [subgroup_point(1), subgroup_point(2)];
    assert_eq!(msm(&[], &[]), G1Projective::identity());
    assert_eq!(msm(&points, &[]), G1Projective::identity());
    assert_eq!(msm(&points, &[Scalar::ONE]), points[0].to_curve());
    assert_eq!(msm(&points[..1], &[Scalar::ONE; 40]), points[0].to_curve());
    assert_eq!(msm_short(&points[..1], &[1; 40]), points[0].to_curve());
}

#[test]
fn a_thousand_terms_sum_as_their_logarithms_do() {
    let logarithms: Vec<u64> = (1..=1000).map(|i| i * i).collect();
    let powers: Vec<G1Projective> = logarithms.iter().map(|k| G1Projective::generator() * Scalar::from(*k)).collect();
    let points = batch_to_affine(&powers);
    let scalars: Vec<Scalar> = (0..1000u64).map(|i| Scalar::from(i).square() - Scalar::ONE).collect();
    let logarithm: Scalar = logarithms.iter().zip(&scalars).map(|(k, s)| Scalar::from(*k) * s).sum();
    assert_eq!(msm(&points, &scalars), G1Projective::generator() * logarithm);
}

quickcheck! {
    fn affine_forms_are_those_taken_one_by_one(points: Vec<AnyPoint>) -> bool {
        let doubled: Vec<G1Projective> = points.iter().map(|p| p.0.to_curve().double()).collect();
        let expected: Vec<G1Affine> = doubled.iter().map(Curve::to_affine).collect();
        batch_to_affine(&doubled) == expected
    }
}

#[test]
fn short_integers_of_every_length_sum_exactly() {
    let all = [subgroup_point(1), small_torsion(3), G1Affine::identity(), subgroup_point(2)];
    for bits in 0..=128u32 {
        let highest = 1u128.checked_shl(bits).map_or(u128::MAX, |above| above - 1);
        for length in [3, 40] {
            let points: Vec<G1Affine> = all.iter().copied().cycle().take(length).collect();
            let integers: Vec<u128> = (0..length as u128).map(|i| highest - (i * i).min(highest)).collect();
            let scalars: Vec<Scalar> = integers.iter().map(|integer| scalar_from_u128(*integer)).collect();
            assert_eq!(msm_short(&points, &integers), naive::msm(&points, &scalars), "{bits} bits, {length} points");
        }
    }
}
