//! Fields of keys, ceremonies and short bodies: integers, big-endian, strings with their lengths,
//! points of 48 bytes and scalars of 32.
//!
//! A reader never allocates for more than it was given: what a length or a count announces is
//! looked for in the bytes first.

use aardvark_algebra::encoding::{G1_BYTES, SCALAR_BYTES};
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{DecodeError, G1Affine, Scalar, decode_opening, encode_g1, scalar_from_bytes, scalar_to_bytes};
use aardvark_sigma::{List, ListError};

use crate::fault::{Fault, FaultKind};

/// Reads fields, one after the other.
#[derive(Clone, Debug)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Fault> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(Fault::new(FaultKind::Malformed))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// An array of bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        self.bytes(N)?.first_chunk().copied().ok_or(Fault::new(FaultKind::Malformed))
    }

    /// A byte.
    pub fn u8(&mut self) -> Result<u8, Fault> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// A byte that is 0 or 1.
    pub fn flag(&mut self) -> Result<bool, Fault> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Fault::new(FaultKind::Malformed)),
        }
    }

    /// A string after its length of two bytes.
    pub fn text(&mut self) -> Result<String, Fault> {
        let length = usize::from(self.u16()?);
        let bytes = self.bytes(length)?;
        core::str::from_utf8(bytes).map(str::to_owned).map_err(|_| Fault::new(FaultKind::Malformed))
    }

    /// So many points of 48 bytes, as rows of this width, all in G1 and none at infinity.
    pub fn points(&mut self, rows: usize, width: usize) -> Result<List, Fault> {
        let count = rows.checked_mul(width).and_then(|points| points.checked_mul(G1_BYTES));
        let (encoded, _) = self.bytes(count.ok_or(Fault::new(FaultKind::Malformed))?)?.as_chunks::<G1_BYTES>();
        let points = encoded.iter().map(decode_point).collect::<Result<Vec<_>, _>>()?;
        List::received(points, width.max(1)).map_err(|error| Fault::of_list(error, None, 0))
    }

    /// So many scalars.
    pub fn scalars(&mut self, count: usize) -> Result<Vec<Scalar>, Fault> {
        let length = count.checked_mul(SCALAR_BYTES).ok_or(Fault::new(FaultKind::Malformed))?;
        let (encoded, _) = self.bytes(length)?.as_chunks::<SCALAR_BYTES>();
        let scalars: Result<_, _> = encoded.iter().map(scalar_from_bytes).collect();
        scalars.map_err(|_| Fault::new(FaultKind::Malformed))
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Nothing may be left.
    pub fn finish(self) -> Result<(), Fault> {
        if self.is_empty() { Ok(()) } else { Err(Fault::new(FaultKind::Malformed)) }
    }
}

/// A point of the curve that is not at infinity, from 48 bytes; its subgroup is not checked.
fn decode_point(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, Fault> {
    match decode_opening(bytes) {
        Ok(point) if bool::from(point.is_identity()) => Err(Fault::new(FaultKind::IdentityComponent)),
        Ok(point) => Ok(point),
        // The points of order 3 that the encoding already gives away.
        Err(DecodeError::ZeroX) => Err(Fault::of_list(ListError::NotInSubgroup { row: 0, column: 0 }, None, 0)),
        Err(_) => Err(Fault::new(FaultKind::Malformed)),
    }
}

/// The points of a list, 48 bytes each.
pub fn short_points(list: &List) -> Vec<u8> {
    list.points().iter().flat_map(encode_g1).collect()
}

/// The bytes of scalars.
pub fn scalar_bytes(scalars: &[Scalar]) -> Vec<u8> {
    scalars.iter().flat_map(scalar_to_bytes).collect()
}

/// A string after its length of two bytes; what is beyond 65,535 bytes is left out.
pub fn text_bytes(text: &str) -> Vec<u8> {
    let mut end = text.len().min(usize::from(u16::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = text.get(..end).unwrap_or_default();
    [&(kept.len() as u16).to_be_bytes(), kept.as_bytes()].concat()
}
