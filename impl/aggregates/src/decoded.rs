//! Points that are decoded together, which takes less than one after the other where the processor
//! works on several at a time.
//!
//! What is decoded is what an answer has of encodings, so it takes memory by the answer's length,
//! and goes with the answer's verification. Whoever asks for a point has a place of its own for the
//! refusal of one that is none.

use std::collections::HashMap;

use aardvark_algebra::{DecodeError, G1Affine, decode_opening, decode_openings, each_in_subgroup};
use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_commitment::points::POINT_BYTES;
use aardvark_commitment::{Commitment, FoldedOpening, Opening};

/// What encodings are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoded {
    points: HashMap<[u8; POINT_BYTES], Result<G1Affine, DecodeError>>,
    /// Of those that have to be commitments.
    in_subgroup: HashMap<[u8; POINT_BYTES], Result<Commitment, DecodeError>>,
}

impl Decoded {
    /// What these encodings are: openings, which lie on the curve, and commitments, which lie in
    /// the subgroup.
    pub(crate) fn new(openings: &[[u8; POINT_BYTES]], commitments: &[[u8; POINT_BYTES]]) -> Self {
        let encodings = [openings, commitments].concat();
        let mut decoded = decode_openings(&encodings);
        let of_commitments = decoded.split_off(openings.len());
        let on_curve: Vec<G1Affine> = of_commitments.iter().filter_map(|point| point.as_ref().ok().copied()).collect();
        let mut inside = each_in_subgroup(&on_curve).into_iter();
        let checked = of_commitments.into_iter().map(|point| match point {
            Ok(point) if inside.next() == Some(true) => Ok(Commitment::from_point_unchecked(point)),
            Ok(_) => Err(DecodeError::NotInSubgroup),
            Err(error) => Err(error),
        });
        Self {
            points: openings.iter().copied().zip(decoded).collect(),
            in_subgroup: commitments.iter().copied().zip(checked).collect(),
        }
    }

    /// [`Opening::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn opening(&self, bytes: &[u8; POINT_BYTES]) -> Result<Opening, DecodeError> {
        self.point(bytes).map(Opening::from_point_unchecked)
    }

    /// [`Commitment::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn in_subgroup(&self, bytes: &[u8; POINT_BYTES]) -> Result<Commitment, DecodeError> {
        self.in_subgroup.get(bytes).copied().unwrap_or_else(|| Commitment::from_bytes(bytes))
    }

    /// [`FoldedOpening::from_bytes`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn folded(&self, bytes: &[u8; FOLDED_BYTES]) -> Result<FoldedOpening, DecodeError> {
        let [quotient, witness] = bytes.as_chunks().0 else { return FoldedOpening::from_bytes(bytes) };
        Ok(FoldedOpening { quotient: self.opening(quotient)?, witness: self.opening(witness)? })
    }

    fn point(&self, bytes: &[u8; POINT_BYTES]) -> Result<G1Affine, DecodeError> {
        self.points.get(bytes).copied().unwrap_or_else(|| decode_opening(bytes))
    }
}

#[cfg(test)]
mod tests {
    use aardvark_algebra::group::prime::PrimeCurveAffine;

    use super::*;

    #[test]
    fn each_encoding_is_what_it_is_by_itself_decoded_beforehand_or_not() {
        let generator = Commitment::from_point_unchecked(G1Affine::generator());
        // On the curve outside of the subgroup, off the curve, x = 0, infinity, wrong flags.
        let with_x = |x: u8| {
            let mut bytes = [0; POINT_BYTES];
            (bytes[0], bytes[POINT_BYTES - 1]) = (0x80, x);
            bytes
        };
        let mut encodings: Vec<_> = (0..40).map(with_x).collect();
        encodings.extend([generator.to_bytes(), Commitment::identity().to_bytes(), [0; POINT_BYTES]]);
        let (some, none) = (&encodings[..20], &[]);
        let all = Decoded::new(&encodings, &encodings);
        for decoded in [Decoded::default(), Decoded::new(some, none), Decoded::new(none, some), all] {
            for bytes in &encodings {
                assert_eq!(decoded.opening(bytes), Opening::from_bytes(bytes));
                assert_eq!(decoded.in_subgroup(bytes), Commitment::from_bytes(bytes));
            }
        }
        let refusals: Vec<_> = encodings.iter().map(|bytes| Decoded::default().in_subgroup(bytes).err()).collect();
        for refusal in [DecodeError::NotInSubgroup, DecodeError::NotOnCurve, DecodeError::ZeroX] {
            assert!(refusals.contains(&Some(refusal)));
        }
    }
}
