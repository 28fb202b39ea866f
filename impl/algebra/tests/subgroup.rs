//! The check of many points' subgroup: a single component of small order anywhere is found.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::group::Group;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::multiply::naive::multiply_each as multiply_naive;
use aardvark_algebra::{
    G1Affine, G1Projective, Scalar, batch_in_subgroup, batch_to_affine, first_outside_subgroup, multiply_secret,
};
use common::{prime_torsion, subgroup_point};

/// Different points of the subgroup.
fn many(count: usize) -> Vec<G1Affine> {
    let step = G1Projective::generator() * Scalar::from(77);
    let points = (0..count).scan(G1Projective::from(subgroup_point(1)), |sum, _| {
        *sum += step;
        Some(*sum)
    });
    batch_to_affine(&points.collect::<Vec<_>>())
}

fn plus(a: &G1Affine, b: &G1Affine) -> G1Affine {
    (G1Projective::from(a) + b).into()
}

#[test]
fn lists_of_the_subgroup_pass_long_and_short_with_equal_points_and_infinity() {
    for count in [0, 1, 2, 3, 383, 384, 385, 1000] {
        let mut points = many(count);
        assert!(batch_in_subgroup(&points), "{count}");
        points.extend([G1Affine::identity(), G1Affine::generator(), G1Affine::generator(), -G1Affine::generator()]);
        assert!(batch_in_subgroup(&points), "{count}");
        assert_eq!(first_outside_subgroup(&points), None);
    }
}

#[test]
fn a_component_of_each_prime_order_is_found_and_named_in_long_and_short_lists() {
    for prime in [3, 11, 10177, 859_267, 52_437_899] {
        let torsion = prime_torsion(prime);
        for (count, place) in [(1, 0), (5, 2), (400, 0), (400, 211), (400, 399)] {
            let mut points = many(count);
            points[place] = plus(&points[place], &torsion);
            assert!(!batch_in_subgroup(&points), "{prime} at {place} of {count}");
            assert_eq!(first_outside_subgroup(&points), Some(place), "{prime}");
        }
    }
}

#[test]
fn components_that_cancel_in_the_sum_of_all_points_are_found() {
    let torsion = prime_torsion(3);
    let mut points = many(400);
    points[17] = plus(&points[17], &torsion);
    points[290] = plus(&points[290], &-torsion);
    assert!(!batch_in_subgroup(&points));
    points[91] = plus(&points[91], &torsion);
    assert_eq!(first_outside_subgroup(&points), Some(17));
}

#[test]
fn multiplication_by_a_secret_is_multiplication() {
    // Few points go to blst, more to the kernel, more than its steps have into several.
    for count in [9, 32, 37, 520] {
        let mut points = many(count);
        points[4] = G1Affine::identity();
        points[6] = points[5];
        let edges =
            [Scalar::from(0), Scalar::from(1), -Scalar::from(1), Scalar::from(1 << 40) * Scalar::from(u64::MAX)];
        for secret in edges {
            assert_eq!(multiply_secret(&points, &secret), multiply_naive(&points, &vec![secret; count]));
        }
    }
}
