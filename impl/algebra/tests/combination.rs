//! Sums of multiples: short integers exactly on the whole curve, full scalars up to what a pairing
//! does not see.

mod common;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::msm::naive;
use aardvark_algebra::{
    Combination, G1Affine, G1Projective, G2Affine, PreparedLines, Scalar, msm_in_subgroup, shared_product_is_one,
};
use common::{AnyPoint, AnyScalar, prime_torsion, subgroup_point};
use quickcheck::QuickCheck;

fn exact(terms: &[(G1Affine, u128)]) -> G1Affine {
    let mut combination = Combination::with_capacity(terms.len());
    terms.iter().for_each(|(point, integer)| combination.add(point, *integer));
    combination.sum().to_affine()
}

fn slow(terms: &[(G1Affine, u128)]) -> G1Affine {
    let sum: G1Projective = terms.iter().map(|(point, integer)| naive::multiply(point, &integer.to_le_bytes())).sum();
    sum.to_affine()
}

/// Integers at the edges of windows and of the range, and random ones.
fn integer(high: u64, low: u64) -> u128 {
    let random = u128::from(high) << 64 | u128::from(low);
    match high % 6 {
        0 => 0,
        1 => u128::MAX - u128::from(low % 3),
        2 => 1 << (low % 128),
        3 => (1 << (low % 128)) - 1,
        _ => random,
    }
}

#[test]
fn short_multiples_sum_exactly_for_any_points_and_lengths() {
    fn law(terms: Vec<(AnyPoint, u64, u64)>, copies: u8) -> bool {
        let terms: Vec<_> = terms.into_iter().map(|(point, high, low)| (point.0, integer(high, low))).collect();
        // Repeated, so that equal points with equal digits fill buckets.
        let repeated: Vec<_> =
            terms.iter().copied().cycle().take(terms.len() * (1 + usize::from(copies % 8))).collect();
        exact(&repeated) == slow(&repeated)
    }
    QuickCheck::new().tests(60).quickcheck(law as fn(Vec<(AnyPoint, u64, u64)>, u8) -> bool);
}

#[test]
fn equal_and_opposite_points_of_every_small_order_sum_exactly() {
    for prime in [3, 11, 10_177, 859_267, 52_437_899] {
        let point = prime_torsion(prime);
        let other = subgroup_point(prime as u64);
        for count in [2, 23, 24, 25, 100] {
            let terms: Vec<_> = (0..count)
                .map(|j| match j % 5 {
                    0 => (point, u128::MAX - j),
                    1 => (-point, 1 << (j % 128)),
                    2 => (other, j * j),
                    3 => (-other, j * j),
                    _ => (point, u128::MAX - j),
                })
                .collect();
            assert_eq!(exact(&terms), slow(&terms), "{count} terms, order {prime}");
        }
    }
}

#[test]
fn a_thousand_equal_points_with_equal_integers_sum_exactly() {
    for point in [subgroup_point(1), prime_torsion(3), -prime_torsion(11)] {
        let terms = vec![(point, u128::MAX / 3); 1000];
        assert_eq!(exact(&terms), slow(&terms));
    }
}

#[test]
fn the_sum_of_many_does_not_depend_on_the_number_of_threads() {
    let terms: Vec<_> =
        (0..3000u64).map(|j| (subgroup_point(j % 50), integer(j.wrapping_mul(0x9e37_79b9_7f4a_7c15), j))).collect();
    let expected = slow(&terms);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| exact(&terms)), expected, "{threads} threads");
    }
}

#[test]
fn full_multiples_are_exact_on_the_subgroup() {
    fn law(terms: Vec<(u64, AnyScalar)>, copies: u8) -> bool {
        let terms: Vec<_> = terms.into_iter().map(|(seed, scalar)| (subgroup_point(seed % 9), scalar.0)).collect();
        let terms: Vec<_> = terms.iter().copied().cycle().take(terms.len() * (1 + usize::from(copies % 8))).collect();
        let (points, scalars): (Vec<G1Affine>, Vec<Scalar>) = terms.iter().copied().unzip();
        let mut combination = Combination::default();
        terms.iter().for_each(|(point, scalar)| combination.add_modulo_torsion(point, scalar));
        let slow = naive::msm(&points, &scalars);
        combination.sum() == slow && msm_in_subgroup(&points, &scalars) == slow
    }
    QuickCheck::new().tests(40).quickcheck(law as fn(Vec<(u64, AnyScalar)>, u8) -> bool);
}

#[test]
fn full_multiples_are_right_up_to_torsion_everywhere_and_pairings_do_not_see_it() {
    // 2^64 · h kills torsion, h the cofactor: its exponent |z - 1| does already.
    const EXPONENT: u128 = 0xd201_0000_0001_0001;
    fn law(terms: Vec<(AnyPoint, AnyScalar)>) -> bool {
        let (points, scalars): (Vec<G1Affine>, Vec<Scalar>) = terms.iter().map(|(p, k)| (p.0, k.0)).unzip();
        let mut combination = Combination::default();
        points.iter().zip(&scalars).for_each(|(point, scalar)| combination.add_modulo_torsion(point, scalar));
        let (fast, slow) = (combination.sum().to_affine(), naive::msm(&points, &scalars).to_affine());
        let difference = (fast.to_curve() - slow).to_affine();
        let g2 = PreparedLines::new(&G2Affine::generator());
        let killed = naive::multiply(&difference, &EXPONENT.to_le_bytes()).is_identity().into();
        killed && shared_product_is_one(&[(fast, &g2), (-slow, &g2)])
    }
    QuickCheck::new().tests(60).quickcheck(law as fn(Vec<(AnyPoint, AnyScalar)>) -> bool);
}

#[test]
fn an_empty_sum_is_the_identity() {
    assert_eq!(Combination::default().sum(), G1Projective::identity());
    assert_eq!(exact(&[(subgroup_point(1), 0), (G1Affine::identity(), 5)]), G1Affine::identity());
    assert_eq!(msm_in_subgroup(&[subgroup_point(1)], &[]), G1Projective::identity());
}
