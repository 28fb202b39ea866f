//! The ceremony file holds what it says: powers of one secret, in the subgroups.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::{G1Affine, G2Affine, G2Prepared, G2Projective, Scalar, is_in_subgroup, msm, pairings_equal};
use aardvark_commitment::Ceremony;
use aardvark_commitment::ceremony::{ETHEREUM_DIGEST, G1_POWERS, G2_POWERS};
use common::scalar;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

fn coefficients(count: usize) -> Vec<Scalar> {
    (0..count as u64).map(scalar).collect()
}

#[test]
fn the_digest_is_the_one_the_readme_states() {
    let readme = include_str!("../data/README.md");
    assert!(readme.contains(&hex::encode(ETHEREUM_DIGEST)));
    assert_eq!(Ceremony::ethereum().unwrap().digest(), &ETHEREUM_DIGEST);
    let file = include_bytes!("../data/ethereum_kzg_ceremony.bin");
    assert_eq!(Sha256::digest(file)[..], ETHEREUM_DIGEST);
}

#[test]
fn every_point_lies_in_its_subgroup_and_the_first_are_the_generators() {
    let ceremony = Ceremony::ethereum().unwrap();
    let g1 = ceremony.g1_powers(G1_POWERS).unwrap();
    assert_eq!(g1.len(), 4096);
    assert_eq!(g1[0], G1Affine::generator());
    assert!(g1.par_iter().all(is_in_subgroup));
    // Decoding G2 checks the subgroup.
    let g2 = ceremony.g2_powers(G2_POWERS).unwrap();
    assert_eq!(g2.len(), 65);
    assert_eq!(g2[0], G2Affine::generator());
    assert_eq!(&g2[1], ceremony.tau_g2());
}

#[test]
fn consecutive_powers_have_one_ratio_in_both_groups() {
    // e(Σ r_i [τ^(i+1)]_1, g2) = e(Σ r_i [τ^i]_1, [τ]_2): were one ratio different, the sides would
    // differ but for one in 2^255 choices of r.
    let ceremony = Ceremony::ethereum().unwrap();
    let g1 = ceremony.g1_powers(G1_POWERS).unwrap();
    let g2 = ceremony.g2_powers(G2_POWERS).unwrap();
    let generator = G2Prepared::from(G2Affine::generator());
    let tau = G2Prepared::from(*ceremony.tau_g2());
    let r = coefficients(G1_POWERS - 1);
    let lower = msm(&g1[..G1_POWERS - 1], &r).to_affine();
    let upper = msm(&g1[1..], &r).to_affine();
    assert!(pairings_equal(&upper, &generator, &lower, &tau));

    let combine =
        |points: &[G2Affine]| -> G2Projective { points.iter().zip(&r).map(|(point, factor)| point * factor).sum() };
    let lower = G2Prepared::from(combine(&g2[..G2_POWERS - 1]).to_affine());
    let upper = G2Prepared::from(combine(&g2[1..]).to_affine());
    assert!(pairings_equal(&g1[1], &lower, &g1[0], &upper));
    // The check is not vacuous: a swap of two powers fails it.
    let mut swapped = g1.clone();
    swapped.swap(100, 101);
    let wrong = msm(&swapped[1..], &r).to_affine();
    let lower = msm(&swapped[..G1_POWERS - 1], &r).to_affine();
    assert!(!pairings_equal(&wrong, &generator, &lower, &tau));
    assert!(!bool::from(combine(&g2).is_identity()));
}
