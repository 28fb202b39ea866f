//! Certificates: each segment's rows are integers from 0 to the cap in ascending order, nothing
//! else stands in its vector, and its sums are the suffix sums of the rows' powers
//! (`aardvark_spec::table::certificate`).
//!
//! ```text
//! bytes = u8 1 || B_j (48)* || R_v || R_1 || Q || b_j (32)* || v || e || W (48) || W' (48)
//! ```
//!
//! 2,865 bytes for 32 bits, whatever the number of rows. Where the first segment continues a run,
//! R_l stands before Q and m behind e: 80 bytes more
//! (`aardvark_spec::table::linked_certificate`).
//! [`prover`] makes certificates, [`verifier`] judges them, `transcript` has what both hash.

#[cfg(test)]
mod forgeries;
pub mod link;
pub mod naive;
pub mod prover;
mod rows;
pub mod statement;
mod transcript;
pub mod verifier;

use aardvark_algebra::{DecodeError, Scalar, scalar_from_bytes, scalar_to_bytes};
use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_commitment::{FoldedOpening, Opening};
use thiserror::Error;

use crate::sheet::SheetFault;

/// The format of certificates.
const FORMAT: u8 = 1;
/// Bytes of a point.
const POINT_BYTES: usize = 48;
/// Bytes of a scalar.
const SCALAR_BYTES: usize = 32;

/// A certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The commitments to B_j.
    pub bits: Vec<Opening>,
    /// The commitment to R_v.
    pub values_mask: Opening,
    /// The commitment to R_1.
    pub sums_mask: Opening,
    /// The commitment to Q.
    pub quotient: Opening,
    /// b_j.
    pub bit_values: Vec<Scalar>,
    /// v.
    pub value: Scalar,
    /// e.
    pub next: Scalar,
    /// What it has besides where the first segment continues a run.
    pub link: Option<LinkPart>,
    /// W and W'.
    pub opening: FoldedOpening,
}

/// What a certificate says of the segment before its first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkPart {
    /// The commitment to R_l.
    pub mask: Opening,
    /// m.
    pub value: Scalar,
}

/// Why a certificate does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// Its bytes have another length or format.
    #[error("{found} bytes of format {format}, where a certificate has {expected} of format 1")]
    Form {
        /// What was found.
        found: usize,
        /// The first byte; 0 where there is none.
        format: u8,
        /// What the schema's bits ask for.
        expected: usize,
    },
    /// A point or scalar of it is none.
    #[error("item {item} of the certificate: {source}")]
    Item {
        /// Its number: points, then scalars, then W and W'.
        item: usize,
        /// Why.
        source: DecodeError,
    },
    /// The segments make no sheet.
    #[error(transparent)]
    Sheet(#[from] SheetFault),
    /// It has another number of bits than the schema.
    #[error("the certificate has {found} bits, the schema {expected}")]
    Bits {
        /// The certificate's.
        found: usize,
        /// The schema's.
        expected: usize,
    },
    /// It continues a run where its statement begins one, or the other way round.
    #[error("the certificate continues a run where its segments begin one, or the other way round")]
    Link,
    /// Its challenge lies on the domain, which nobody meets by chance.
    #[error("the certificate's challenge lies on the domain")]
    ZetaOnDomain,
    /// It is false.
    #[error("the certificate is false")]
    False,
}

impl CertificateError {
    /// Whether the certificate is false, and not merely malformed.
    pub fn is_proof_invalid(&self) -> bool {
        matches!(self, Self::False | Self::ZetaOnDomain)
    }
}

/// Bytes of a certificate for so many bits that continues no run.
pub const fn certificate_bytes(bits: usize) -> usize {
    1 + (bits + 5) * POINT_BYTES + (bits + 2) * SCALAR_BYTES
}

/// Bytes that a certificate has more where it continues a run.
pub const LINK_BYTES: usize = POINT_BYTES + SCALAR_BYTES;

impl Certificate {
    /// The certificate as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        let masks = self.masks().chain([&self.quotient]);
        self.bits.iter().chain(masks).for_each(|point| bytes.extend(point.to_bytes()));
        self.scalars().for_each(|scalar| bytes.extend(scalar_to_bytes(scalar)));
        bytes.extend(self.opening.to_bytes());
        bytes
    }

    /// R_v, R_1, and R_l where a run is continued.
    fn masks(&self) -> impl Iterator<Item = &Opening> {
        [&self.values_mask, &self.sums_mask].into_iter().chain(self.link.iter().map(|link| &link.mask))
    }

    /// b_j, v and e, and m where a run is continued.
    fn scalars(&self) -> impl Iterator<Item = &Scalar> {
        let values = [&self.value, &self.next].into_iter().chain(self.link.iter().map(|link| &link.value));
        self.bit_values.iter().chain(values)
    }

    /// The certificate that bytes are, for so many bits: whether it continues a run, their number
    /// says. Points are canonical and on the curve, by the rule for openings; scalars are
    /// canonical.
    ///
    /// # Errors
    /// [`CertificateError::Form`], [`CertificateError::Item`].
    pub fn from_bytes(bytes: &[u8], bits: usize) -> Result<Self, CertificateError> {
        let (format, expected) = (bytes.first().copied().unwrap_or(0), certificate_bytes(bits));
        let form = CertificateError::Form { found: bytes.len(), format, expected };
        let linked = usize::from(bytes.len() == expected + LINK_BYTES);
        if (linked == 0 && bytes.len() != expected) || format != FORMAT {
            return Err(form);
        }
        let (point_count, scalar_count) = (bits + 3 + linked, bits + 2 + linked);
        let (points, rest) = bytes.get(1..).unwrap_or_default().split_at(point_count * POINT_BYTES);
        let (scalars, opening) = rest.split_at(scalar_count * SCALAR_BYTES);
        let (points, scalars) = (points.as_chunks::<POINT_BYTES>().0, scalars.as_chunks::<SCALAR_BYTES>().0);
        let fault = |item: usize| move |source| CertificateError::Item { item, source };
        let decoded = points.iter().enumerate().map(|(i, bytes)| Opening::from_bytes(bytes).map_err(fault(i)));
        let mut points = decoded.collect::<Result<Vec<Opening>, _>>()?;
        let decoded =
            scalars.iter().enumerate().map(|(i, bytes)| scalar_from_bytes(bytes).map_err(fault(point_count + i)));
        let mut scalars = decoded.collect::<Result<Vec<Scalar>, _>>()?;
        let opening: &[u8; FOLDED_BYTES] = opening.try_into().map_err(|_| form)?;
        let opening = FoldedOpening::from_bytes(opening).map_err(fault(point_count + scalar_count))?;
        let quotient = points.pop().ok_or(form)?;
        let link = match linked {
            0 => None,
            _ => Some(LinkPart { mask: points.pop().ok_or(form)?, value: scalars.pop().ok_or(form)? }),
        };
        let (sums_mask, values_mask) = (points.pop().ok_or(form)?, points.pop().ok_or(form)?);
        let (next, value) = (scalars.pop().ok_or(form)?, scalars.pop().ok_or(form)?);
        Ok(Self { bits: points, values_mask, sums_mask, quotient, bit_values: scalars, value, next, link, opening })
    }
}
