//! Scalars and points of every kind, for the laws.
// Each test file uses part of this module; clippy sees no tests in it.
#![allow(dead_code, clippy::unwrap_used)]

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, decode_opening, hash_to_scalar, msm, msm_short};
use quickcheck::{Arbitrary, Gen};

/// |z - 1| = 3 · 11 · 10177 · 859267 · 52437899, z the curve's parameter: the exponent of the
/// torsion group, whose order is the cofactor (z - 1)² / 3.
const TORSION_EXPONENT: u128 = 0xd201_0000_0001_0001;

/// A scalar: uniform, small, or at the edge of the range.
#[derive(Clone, Copy, Debug)]
pub struct AnyScalar(pub Scalar);

impl Arbitrary for AnyScalar {
    fn arbitrary(g: &mut Gen) -> Self {
        let seed = u64::arbitrary(g);
        Self(match seed % 8 {
            0 => Scalar::ZERO,
            1 => Scalar::ONE,
            2 => -Scalar::ONE,
            3 => Scalar::from(u64::from(u8::arbitrary(g))),
            _ => hash_to_scalar(&seed.to_be_bytes(), b"test"),
        })
    }
}

/// A point of the curve: mostly of the subgroup; also infinity, torsion of large and small order,
/// and sums of both.
#[derive(Clone, Copy, Debug)]
pub struct AnyPoint(pub G1Affine);

impl Arbitrary for AnyPoint {
    fn arbitrary(g: &mut Gen) -> Self {
        // A small range, so that equal and opposite points meet.
        let seed = u64::arbitrary(g) % 40;
        let sign = if bool::arbitrary(g) { Scalar::ONE } else { -Scalar::ONE };
        let point = subgroup_point(seed % 4) * sign;
        Self(match seed / 4 {
            0 => G1Affine::identity(),
            1 => curve_point(seed),
            2 => torsion(seed),
            3 => small_torsion(33),
            4 => small_torsion(11),
            5 => small_torsion(3),
            6 => (point + torsion(seed)).to_affine(),
            _ => point.to_affine(),
        })
    }
}

/// A point of the subgroup.
pub fn subgroup_point(seed: u64) -> G1Affine {
    (G1Affine::generator() * hash_to_scalar(&seed.to_be_bytes(), b"point")).to_affine()
}

/// A point of the curve, in no subgroup in particular.
pub fn curve_point(seed: u64) -> G1Affine {
    (0u64..)
        .find_map(|attempt| {
            let mut bytes = [0u8; 48];
            bytes[8..16].copy_from_slice(&seed.to_be_bytes());
            bytes[16..24].copy_from_slice(&attempt.to_be_bytes());
            bytes[0] = 0x80;
            decode_opening(&bytes).ok()
        })
        .unwrap()
}

/// A point of E(F_p) whose order divides the cofactor: r times a point of the curve.
pub fn torsion(seed: u64) -> G1Affine {
    let point = curve_point(seed);
    let cleared = msm(&[point, point], &[-Scalar::ONE, Scalar::ONE]).to_affine();
    assert!(!bool::from(cleared.is_identity()));
    cleared
}

/// A torsion point of exactly this order, which is 3, 11 or 33.
pub fn small_torsion(order: u128) -> G1Affine {
    (0..)
        .map(|seed| msm_short(&[torsion(seed)], &[TORSION_EXPONENT / order]).to_affine())
        .find(|point| {
            let smaller = [1, 3, 11].into_iter().filter(|k| *k < order);
            smaller.map(|k| msm_short(&[*point], &[k]).to_affine()).all(|multiple| !bool::from(multiple.is_identity()))
        })
        .unwrap()
}

/// A torsion point of this prime order: 3, 11, 10177, 859267 or 52437899.
pub fn prime_torsion(prime: u128) -> G1Affine {
    let point = |seed| msm_short(&[torsion(seed)], &[TORSION_EXPONENT / prime]).to_affine();
    (0..).map(point).find(|point| !bool::from(point.is_identity())).unwrap()
}
