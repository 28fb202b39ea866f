//! Scalars, vectors, schemes and torsion for the tests.
// Each test file uses part of this module; clippy sees no tests in it.
#![allow(dead_code, clippy::unwrap_used)]

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar, decode_opening, hash_to_scalar, msm, msm_short};
use aardvark_commitment::{BatchClaim, Commitment, Opening, Scheme, VectorCommitment, insecure};
use quickcheck::{Arbitrary, Gen};

/// A dictionary's id.
pub const DICTIONARY: [u8; 32] = [7; 32];

/// A scalar that is a function of a number, uniform for all that one can tell.
pub fn scalar(seed: u64) -> Scalar {
    hash_to_scalar(&seed.to_be_bytes(), b"test")
}

/// A secret for test setups.
pub fn secret() -> Scalar {
    hash_to_scalar(b"secret", b"test")
}

/// Both schemes with a known secret.
pub fn schemes(vector_size: usize) -> [Scheme; 2] {
    [
        insecure::kzg_with_known_tau(vector_size, secret()).unwrap().into(),
        insecure::libert_yung_with_known_alpha(vector_size, secret()).unwrap().into(),
    ]
}

/// A scalar: uniform, small, or at the edge of the range.
#[derive(Clone, Copy, Debug)]
pub struct AnyScalar(pub Scalar);

impl Arbitrary for AnyScalar {
    fn arbitrary(g: &mut Gen) -> Self {
        let seed = u64::arbitrary(g);
        Self(match seed % 8 {
            0 | 1 => Scalar::ZERO,
            2 => Scalar::ONE,
            3 => -Scalar::ONE,
            _ => scalar(seed),
        })
    }
}

/// A vector of at most 8 scalars with its N, a power of two that holds it, and two indices below N.
#[derive(Clone, Debug)]
pub struct AnyVector {
    pub size: usize,
    pub scalars: Vec<Scalar>,
    pub index: usize,
    pub other: usize,
}

impl Arbitrary for AnyVector {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 1 << (u8::arbitrary(g) % 4);
        let length = usize::arbitrary(g) % (size + 1);
        Self {
            size,
            scalars: (0..length).map(|_| AnyScalar::arbitrary(g).0).collect(),
            index: usize::arbitrary(g) % size,
            other: usize::arbitrary(g) % size,
        }
    }
}

impl AnyVector {
    /// The scalar at a position, 0 beyond the end.
    pub fn at(&self, index: usize) -> Scalar {
        self.scalars.get(index).copied().unwrap_or(Scalar::ZERO)
    }

    /// The vector at full length with the scalar at `index` grown by `delta`.
    pub fn changed(&self, index: usize, delta: &Scalar) -> Vec<Scalar> {
        let mut scalars = self.scalars.clone();
        scalars.resize(self.size, Scalar::ZERO);
        scalars[index] += delta;
        scalars
    }
}

/// True claims: claim j is about index (5 j) mod N of vector j mod 7, with label j mod 3.
pub fn true_claims(scheme: &Scheme, count: usize) -> Vec<BatchClaim> {
    let size = scheme.vector_size();
    let vectors: Vec<Vec<Scalar>> = (0..7).map(|v| (0..size as u64).map(|i| scalar(1000 * v + i)).collect()).collect();
    let commitments: Vec<Commitment> = vectors.iter().map(|v| scheme.commit(v).unwrap()).collect();
    let claim = |j: usize| {
        let (vector, index) = (j % 7, 5 * j % size);
        BatchClaim {
            label: j as u64 % 3,
            commitment: commitments[vector],
            index,
            scalar: vectors[vector][index],
            opening: scheme.open(&vectors[vector], index).unwrap(),
        }
    };
    (0..count).map(claim).collect()
}

/// A point of E(F_p) outside every subgroup in particular.
pub fn curve_point(seed: u64) -> G1Affine {
    let attempt = |attempt: u64| {
        let mut bytes = [0u8; 48];
        bytes[0] = 0x80;
        bytes[8..16].copy_from_slice(&seed.to_be_bytes());
        bytes[16..24].copy_from_slice(&attempt.to_be_bytes());
        decode_opening(&bytes).ok()
    };
    (0..).find_map(attempt).unwrap()
}

/// A torsion point: r times a point of the curve clears its part of order r.
pub fn torsion(seed: u64) -> G1Affine {
    let point = curve_point(seed);
    let cleared = msm(&[point, point], &[-Scalar::ONE, Scalar::ONE]).to_affine();
    assert!(!bool::from(cleared.is_identity()));
    cleared
}

/// A torsion point of order 33 or a divisor of it other than 1: |z - 1| / 33 times a torsion point.
pub fn small_torsion() -> G1Affine {
    let multiple = |seed| msm_short(&[torsion(seed)], &[0xd201_0000_0001_0001 / 33]).to_affine();
    (0..).map(multiple).find(|point| !bool::from(point.is_identity())).unwrap()
}

/// The same opening, shifted by a torsion point.
pub fn shifted(opening: &Opening, by: &G1Affine) -> Opening {
    Opening::from_point_unchecked((opening.point().to_curve() + by).to_affine())
}
