//! Masks: the random scalars that hide rows.
//!
//! Provers take their masks as arguments. Who keeps a table draws a seed from the system for each
//! write and expands it here; the seed is as secret as the rows.

use aardvark_algebra::{Scalar, hash_to_scalar};

/// Domain separation tag of the expansion.
const MASK_TAG: &[u8] = b"AARDVARK-V1-TABLE-MASK";

/// Scalars of full length, expanded from a secret seed.
#[derive(Clone)]
pub struct MaskSource {
    seed: [u8; 32],
    next: u64,
}

impl MaskSource {
    /// The scalars of a seed, from the first on. One seed serves one write: whoever uses it twice
    /// shows differences between the rows of both.
    pub fn new(seed: [u8; 32]) -> Self {
        Self { seed, next: 0 }
    }

    /// The next scalar.
    pub fn scalar(&mut self) -> Scalar {
        let message = [self.seed.as_slice(), &self.next.to_be_bytes()].concat();
        self.next += 1;
        hash_to_scalar(&message, MASK_TAG)
    }

    /// The next scalars.
    pub fn scalars<const COUNT: usize>(&mut self) -> [Scalar; COUNT] {
        core::array::from_fn(|_| self.scalar())
    }
}

/// The masks of one certificate.
#[derive(Clone)]
pub struct CertificateMasks {
    /// For each bit the two scalars at the masks of its vector.
    pub bits: Vec<[Scalar; 2]>,
    /// The coefficients of R_v. Three, since three things are seen of it: its commitment, its value
    /// at ωζ, and its share in the quotient's commitment.
    pub values: [Scalar; 3],
    /// The coefficients of R_1.
    pub sums: [Scalar; 3],
}

impl CertificateMasks {
    /// The next masks of a source, for so many bits.
    pub fn draw(source: &mut MaskSource, bits: usize) -> Self {
        Self { bits: (0..bits).map(|_| source.scalars()).collect(), values: source.scalars(), sums: source.scalars() }
    }
}

/// The masks of one comparison.
#[derive(Clone)]
pub struct ComparisonMasks {
    /// For each bit the two scalars at the masks of its vector.
    pub bits: Vec<[Scalar; 2]>,
    /// For each item the coefficients of R_k. Three, since three things are seen of it: its
    /// commitment, its value at κ_k ζ, and its share in the quotient's commitment.
    pub rows: Vec<[Scalar; 3]>,
}

impl ComparisonMasks {
    /// The next masks of a source, for so many bits and items.
    pub fn draw(source: &mut MaskSource, bits: usize, items: usize) -> Self {
        let bits = (0..bits).map(|_| source.scalars()).collect();
        Self { bits, rows: (0..items).map(|_| source.scalars()).collect() }
    }
}
