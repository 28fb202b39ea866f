//! Proofs of L points.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{DecodeError, G1Affine, G1Projective, batch_to_affine, decode_opening, encode_g1};
use aardvark_commitment::MAX_VECTOR_SIZE;
use aardvark_commitment::points::POINT_BYTES;

/// The largest L: log2 of the largest N.
pub const MAX_LOG_SIZE: usize = MAX_VECTOR_SIZE.ilog2() as usize;

/// An opening of a multilinear commitment: `[q_t(s)]_1` for every bit t of the index, bit 0 first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultilinearOpening {
    length: usize,
    elements: [G1Affine; MAX_LOG_SIZE],
}

impl MultilinearOpening {
    /// The opening of these elements; those beyond [`MAX_LOG_SIZE`] are dropped.
    pub(super) fn from_projective(elements: &[G1Projective]) -> Self {
        Self::from_elements(&batch_to_affine(elements))
    }

    fn from_elements(list: &[G1Affine]) -> Self {
        let mut elements = [G1Affine::identity(); MAX_LOG_SIZE];
        elements.iter_mut().zip(list).for_each(|(place, element)| *place = *element);
        Self { length: list.len().min(MAX_LOG_SIZE), elements }
    }

    /// The L elements, that of bit 0 first.
    pub fn elements(&self) -> &[G1Affine] {
        self.elements.get(..self.length).unwrap_or_default()
    }

    pub(super) fn elements_mut(&mut self) -> &mut [G1Affine] {
        self.elements.get_mut(..self.length).unwrap_or_default()
    }

    /// 48 L bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.elements().iter().flat_map(encode_g1).collect()
    }

    /// The opening that 48 L bytes encode, each point by the rule for openings
    /// ([`decode_opening`]). `None` where the number of bytes is not a multiple of 48, or more than
    /// [`MAX_LOG_SIZE`] points.
    pub fn from_bytes(bytes: &[u8]) -> Option<Result<Self, DecodeError>> {
        let (points, rest) = bytes.as_chunks::<POINT_BYTES>();
        if !rest.is_empty() || points.len() > MAX_LOG_SIZE {
            return None;
        }
        let points: Result<Vec<G1Affine>, DecodeError> = points.iter().map(decode_opening).collect();
        Some(points.map(|points| Self::from_elements(&points)))
    }
}
