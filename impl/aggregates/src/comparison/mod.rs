//! Comparisons: rows of segments, of any domains, are at least or at most given thresholds
//! (`aardvark_spec::table::comparison`).
//!
//! The rows are relocated into a domain H' of their own, of N' elements, with generator ω' and
//! Lagrange polynomials L'_k: with κ_k = ω_k^(pos_k) / ω'^k and V^_k = V_k + Z_k R_k, σ_k the sign
//! of item k and x_k its threshold, these vanish on H' but for its two masks; combined they are Z'
//! Q:
//!
//! ```text
//! B_j² - B_j                     Σ_k σ_k L'_k(X) (V^_k(κ_k X) - x_k) - Σ_j 2^j B_j(X)
//! bytes = B_j (48)* || R_k (48)* || Q || b_j (32)* || v_k (32)*
//! ```
//!
//! The claims of a comparison are shown by the fold of its answer. [`prover`] makes comparisons,
//! [`verifier`] says what they claim, `transcript` has what both hash.

#[cfg(test)]
mod forgeries;
pub mod naive;
pub mod prover;
mod relocation;
mod transcript;
pub mod verifier;

use aardvark_algebra::{DecodeError, Scalar, scalar_from_bytes, scalar_to_bytes};
use aardvark_commitment::Opening;
use thiserror::Error;

use crate::record::Record;

/// The most items of a comparison.
pub const MAX_COMPARED: usize = 1022;
/// Bytes of a point.
const POINT_BYTES: usize = 48;
/// Bytes of a scalar.
const SCALAR_BYTES: usize = 32;

/// On which side of its threshold a row is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At least the threshold.
    AtLeast,
    /// At most the threshold.
    AtMost,
}

/// A row that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedRow {
    /// The place of its run among those of the answer.
    pub run: u32,
    /// The number of its segment within the run; 0 for the first.
    pub segment: u32,
    /// The segment's record.
    pub record: Record,
    /// The row's position on the record's domain.
    pub position: u16,
    /// The side.
    pub side: Side,
    /// The threshold.
    pub threshold: u64,
}

impl ComparedRow {
    /// `u32 run || u32 segment || record || u16 pos || u8 (0 at least, 1 at most) || u64 x`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(self.run.to_be_bytes());
        bytes.extend(self.segment.to_be_bytes());
        bytes.extend(self.record.to_bytes());
        bytes.extend(self.position.to_be_bytes());
        bytes.push(match self.side {
            Side::AtLeast => 0,
            Side::AtMost => 1,
        });
        bytes.extend(self.threshold.to_be_bytes());
        bytes
    }

    /// Whether the position is that of one of the record's rows.
    fn is_row(&self) -> bool {
        let (first, rows) = (usize::from(self.record.first), usize::from(self.record.rows));
        usize::from(self.position).checked_sub(first).is_some_and(|row| row < rows)
    }

    /// How far a number lies on its threshold's right side; `None` where it lies on the wrong one.
    fn difference(&self, number: u64) -> Option<u64> {
        match self.side {
            Side::AtLeast => number.checked_sub(self.threshold),
            Side::AtMost => self.threshold.checked_sub(number),
        }
    }
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The commitments to B_j.
    pub bits: Vec<Opening>,
    /// The commitments to R_k.
    pub masks: Vec<Opening>,
    /// The commitment to Q.
    pub quotient: Opening,
    /// b_j.
    pub bit_values: Vec<Scalar>,
    /// v_k.
    pub values: Vec<Scalar>,
}

/// Why a comparison says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// Its bytes have another length.
    #[error("{found} bytes, where a comparison of these rows has {expected}")]
    Length {
        /// What was found.
        found: usize,
        /// What the schema's bits and the items ask for.
        expected: usize,
    },
    /// A point or scalar of it is none.
    #[error("item {item} of the comparison: {source}")]
    Item {
        /// Its number: points, then scalars.
        item: usize,
        /// Why.
        source: DecodeError,
    },
    /// There is nothing to compare, or too much, or something that is no row.
    #[error("the compared rows are none, too many, or no rows")]
    Rows,
    /// It has other numbers of bits, masks or values than it should.
    #[error("the comparison is of another number of bits or rows")]
    Shape,
    /// A challenge lies on a domain, which nobody meets by chance.
    #[error("the comparison's challenge lies on a domain")]
    PointOnDomain,
}

/// Bytes of a comparison of so many bits and items.
pub const fn comparison_bytes(bits: usize, items: usize) -> usize {
    (bits + items + 1) * POINT_BYTES + (bits + items) * SCALAR_BYTES
}

impl Comparison {
    /// The comparison as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(comparison_bytes(self.bits.len(), self.masks.len()));
        let points = self.bits.iter().chain(&self.masks).chain([&self.quotient]);
        points.for_each(|point| bytes.extend(point.to_bytes()));
        self.scalars().for_each(|scalar| bytes.extend(scalar_to_bytes(scalar)));
        bytes
    }

    /// b_j and v_k.
    fn scalars(&self) -> impl Iterator<Item = &Scalar> {
        self.bit_values.iter().chain(&self.values)
    }

    /// The comparison that bytes are, of so many bits and items. Points are canonical and on the
    /// curve, by the rule for openings; scalars are canonical.
    ///
    /// # Errors
    /// [`ComparisonError::Length`], [`ComparisonError::Item`]; [`ComparisonError::Rows`] for more
    /// items than a comparison has.
    pub fn from_bytes(bytes: &[u8], bits: usize, items: usize) -> Result<Self, ComparisonError> {
        if items > MAX_COMPARED {
            return Err(ComparisonError::Rows);
        }
        let length = ComparisonError::Length { found: bytes.len(), expected: comparison_bytes(bits, items) };
        let split = bytes.split_at_checked((bits + items + 1) * POINT_BYTES);
        let (points, scalars) = split.filter(|_| bytes.len() == comparison_bytes(bits, items)).ok_or(length)?;
        let (points, scalars) = (points.as_chunks::<POINT_BYTES>().0, scalars.as_chunks::<SCALAR_BYTES>().0);
        let fault = |item: usize| move |source| ComparisonError::Item { item, source };
        let decoded = points.iter().enumerate().map(|(i, bytes)| Opening::from_bytes(bytes).map_err(fault(i)));
        let mut points = decoded.collect::<Result<Vec<Opening>, _>>()?;
        let first_scalar = points.len();
        let decoded =
            scalars.iter().enumerate().map(|(i, bytes)| scalar_from_bytes(bytes).map_err(fault(first_scalar + i)));
        let mut scalars = decoded.collect::<Result<Vec<Scalar>, _>>()?;
        let quotient = points.pop().ok_or(length)?;
        let (masks, values) = (points.split_off(bits), scalars.split_off(bits));
        Ok(Self { bits: points, masks, quotient, bit_values: scalars, values })
    }
}
