//! Openings that are none, and openings that are and look otherwise.

use aardvark_algebra::ff::Field as _;
use aardvark_algebra::group::Curve as _;
use aardvark_algebra::group::prime::PrimeCurveAffine as _;
use aardvark_algebra::msm::msm;
use aardvark_algebra::{G1Affine, Scalar, encode_g1};
use aardvark_commitment::Opening;

/// The bytes of an opening.
pub type Bytes = [u8; 48];

/// Infinity: the true opening of nothing but constant vectors.
pub fn identity() -> Bytes {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
}

/// The point (0, 2), of order 3, which the format's rule excludes.
pub fn zero_x() -> Bytes {
    let mut bytes = [0; 48];
    bytes[0] = 0x80;
    bytes
}

/// An x to which the curve has no point.
pub fn off_the_curve(seed: u64) -> Bytes {
    (0..).map(|attempt| candidate(seed, attempt)).find(|bytes| Opening::from_bytes(bytes).is_err()).unwrap()
}

/// A point whose part in the group that openings live in is infinity.
pub fn torsion(seed: u64) -> Bytes {
    encode_g1(&torsion_point(seed))
}

/// The same opening, written otherwise: with torsion added. The format takes it for what it was.
pub fn disguised(opening: &Bytes, seed: u64) -> Bytes {
    let opening = Opening::from_bytes(opening).unwrap();
    Opening::from_point_unchecked((opening.point().to_curve() + torsion_point(seed)).to_affine()).to_bytes()
}

/// r times a point of the curve clears its part of order r.
fn torsion_point(seed: u64) -> G1Affine {
    let on_the_curve = (0..).find_map(|attempt| Opening::from_bytes(&candidate(seed, attempt)).ok()).unwrap();
    let point = *on_the_curve.point();
    let cleared = msm(&[point, point], &[-Scalar::ONE, Scalar::ONE]).to_affine();
    assert!(!bool::from(cleared.is_identity()));
    cleared
}

fn candidate(seed: u64, attempt: u64) -> Bytes {
    let mut bytes = [0; 48];
    bytes[0] = 0x80;
    bytes[8..16].copy_from_slice(&seed.to_be_bytes());
    bytes[16..24].copy_from_slice(&attempt.to_be_bytes());
    bytes
}
