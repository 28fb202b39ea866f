//! The challenges of a comparison, round by round, from its answer's seed a0 and its number i.
//!
//! ```text
//! c0 = H("AARDVARK-V1-COMPARISON", a0 || u32 i || item*)
//! s1 = H("AARDVARK-V1-COMPARISON-BITS", c0 || B_j* || R_k*)         β = challenge(s1, 0 ..= l)
//! s2 = H("AARDVARK-V1-COMPARISON-QUOTIENT", s1 || Q)                ζ = challenge(s2, 0)
//! s3 = H("AARDVARK-V1-COMPARISON-VALUES", s2 || b_j* || v_k*)       for the answer's fold
//! ```

use aardvark_algebra::{Scalar, TaggedHash, scalar_to_bytes};
use aardvark_commitment::Opening;

use super::ComparedRow;
use crate::fold::{challenge, challenges};

/// The β of a comparison.
pub(super) struct Betas {
    /// β_j.
    pub(super) bits: Vec<Scalar>,
    /// β_D.
    pub(super) difference: Scalar,
}

/// c0.
pub(super) fn begin(answer_seed: &[u8; 32], number: u32, items: &[ComparedRow]) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-V1-COMPARISON").chain(answer_seed).chain(number.to_be_bytes());
    items.iter().for_each(|item| hash.update(item.to_bytes()));
    hash.finalize()
}

/// s1, and β.
pub(super) fn after_bits(before: &[u8; 32], bits: &[Opening], masks: &[Opening]) -> ([u8; 32], Betas) {
    let mut hash = TaggedHash::new("AARDVARK-V1-COMPARISON-BITS").chain(before);
    bits.iter().chain(masks).for_each(|point| hash.update(point.to_bytes()));
    let seed = hash.finalize();
    (seed, Betas { bits: challenges(&seed, bits.len()), difference: challenge(&seed, bits.len()) })
}

/// s2, and ζ.
pub(super) fn after_quotient(before: &[u8; 32], quotient: &Opening) -> ([u8; 32], Scalar) {
    let hash = TaggedHash::new("AARDVARK-V1-COMPARISON-QUOTIENT").chain(before);
    let seed = hash.chain(quotient.to_bytes()).finalize();
    (seed, challenge(&seed, 0))
}

/// s3.
pub(super) fn after_values<'a>(before: &[u8; 32], scalars: impl Iterator<Item = &'a Scalar>) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-V1-COMPARISON-VALUES").chain(before);
    scalars.for_each(|scalar| hash.update(scalar_to_bytes(scalar)));
    hash.finalize()
}
