//! Commitments and openings: one point of the curve each, 48 bytes on the wire.

use core::fmt;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    DecodeError, G1Affine, decode_g1, decode_g1_many, decode_opening, decode_openings, encode_g1, is_in_subgroup,
};

/// Bytes of a commitment and of an opening.
pub const POINT_BYTES: usize = 48;

/// A commitment to a vector: a point of the subgroup of order r.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Commitment(G1Affine);

impl Commitment {
    /// The commitment to the all-zero vector: the group identity.
    pub fn identity() -> Self {
        Self(G1Affine::identity())
    }

    /// A commitment that was computed. The point must lie in the subgroup of order r; nothing
    /// checks that. Bytes from elsewhere go through [`Commitment::from_bytes`].
    pub fn from_point_unchecked(point: impl Into<G1Affine>) -> Self {
        Self(point.into())
    }

    /// The commitment that 48 bytes encode: canonical, and in the subgroup.
    pub fn from_bytes(bytes: &[u8; POINT_BYTES]) -> Result<Self, DecodeError> {
        decode_g1(bytes).map(Self)
    }

    /// Compressed encoding.
    pub fn to_bytes(&self) -> [u8; POINT_BYTES] {
        encode_g1(&self.0)
    }

    /// The point.
    pub fn point(&self) -> &G1Affine {
        &self.0
    }
}

/// An opening of a commitment at one index: a point of the curve.
///
/// Its bytes are malleable: adding cofactor torsion gives another opening that verifies likewise.
/// Never identify anything by them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Opening(G1Affine);

impl Opening {
    /// The opening of a constant vector: the group identity.
    pub fn identity() -> Self {
        Self(G1Affine::identity())
    }

    /// An opening that was computed. The point must obey the rule of [`Opening::from_bytes`];
    /// nothing checks that.
    pub fn from_point_unchecked(point: impl Into<G1Affine>) -> Self {
        Self(point.into())
    }

    /// The opening that 48 bytes encode, by the format's rule: canonical, on the curve, x ≠ 0
    /// unless the point at infinity. The subgroup is not checked, and all validators agree on that
    /// (docs/design.md, section 3).
    pub fn from_bytes(bytes: &[u8; POINT_BYTES]) -> Result<Self, DecodeError> {
        decode_opening(bytes).map(Self)
    }

    /// [`Opening::from_bytes`] of many, on the current rayon pool: faster than one by one where the
    /// processor works on several at a time.
    pub fn from_bytes_each(encodings: &[[u8; POINT_BYTES]]) -> Vec<Result<Self, DecodeError>> {
        decode_openings(encodings).into_iter().map(|decoded| decoded.map(Self)).collect()
    }

    /// The opening that 48 bytes encode, with the subgroup check that other KZG verifiers make.
    pub fn from_bytes_strict(bytes: &[u8; POINT_BYTES]) -> Result<Self, DecodeError> {
        decode_g1(bytes).map(Self)
    }

    /// [`Opening::from_bytes_strict`] of many, on the current rayon pool.
    pub fn from_bytes_strict_each(encodings: &[[u8; POINT_BYTES]]) -> Vec<Result<Self, DecodeError>> {
        decode_g1_many(encodings).into_iter().map(|decoded| decoded.map(Self)).collect()
    }

    /// Compressed encoding.
    pub fn to_bytes(&self) -> [u8; POINT_BYTES] {
        encode_g1(&self.0)
    }

    /// The point.
    pub fn point(&self) -> &G1Affine {
        &self.0
    }

    /// Whether the point lies in the subgroup of order r, as every honestly made opening does.
    #[must_use]
    pub fn is_in_subgroup(&self) -> bool {
        is_in_subgroup(&self.0)
    }
}

fn write_hex(name: &str, bytes: &[u8], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "{name}(0x")?;
    bytes.iter().try_for_each(|b| write!(formatter, "{b:02x}"))?;
    write!(formatter, ")")
}

impl fmt::Debug for Commitment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex("Commitment", &self.to_bytes(), formatter)
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex("Opening", &self.to_bytes(), formatter)
    }
}
