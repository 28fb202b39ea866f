//! The challenges of a certificate, round by round.
//!
//! ```text
//! s0 = H("AARDVARK-V1-CERTIFICATE", statement)                       ρ_k = challenge(s0, k)
//! s1 = H("AARDVARK-V1-CERTIFICATE-BITS", s0 || B_j* || R_v || R_1)    β   = challenge(s1, 0 ..)
//! s2 = H("AARDVARK-V1-CERTIFICATE-QUOTIENT", s1 || Q)                 ζ   = challenge(s2, 0)
//! s3 = H("AARDVARK-V1-CERTIFICATE-VALUES", s2 || b_j* || v || e)      the fold's seed
//! ```
//!
//! Where a run is continued, R_l stands behind R_1 and m behind e.

use aardvark_algebra::{Scalar, TaggedHash, scalar_to_bytes};
use aardvark_commitment::Opening;

use super::statement::{About, SheetItem, statement_behind};
use crate::fold::{challenge, challenges};
use crate::record::Record;

/// The β of a certificate, by what they weigh.
pub(super) struct Betas {
    /// β_j.
    pub(super) bits: Vec<Scalar>,
    /// β_D.
    pub(super) order: Scalar,
    /// β_S.
    pub(super) support: Scalar,
    /// β_p, from p = 1 on.
    pub(super) sums: Vec<Scalar>,
}

/// s0, and ρ_k.
pub(super) fn begin(about: &About, link: Option<&Record>, items: &[SheetItem]) -> ([u8; 32], Vec<Scalar>) {
    let statement = statement_behind(about, link, items);
    let seed = TaggedHash::new("AARDVARK-V1-CERTIFICATE").chain(statement).finalize();
    (seed, challenges(&seed, items.len()))
}

/// s1, and β.
pub(super) fn after_bits<'a>(
    about: &About,
    before: &[u8; 32],
    bits: &'a [Opening],
    masks: impl Iterator<Item = &'a Opening>,
) -> ([u8; 32], Betas) {
    let mut hash = TaggedHash::new("AARDVARK-V1-CERTIFICATE-BITS").chain(before);
    bits.iter().chain(masks).for_each(|point| hash.update(point.to_bytes()));
    let seed = hash.finalize();
    let drawn = |number: usize| challenge(&seed, number);
    let betas = Betas {
        bits: challenges(&seed, about.bits),
        order: drawn(about.bits),
        support: drawn(about.bits + 1),
        sums: (0..about.moments).map(|p| drawn(about.bits + 2 + p)).collect(),
    };
    (seed, betas)
}

/// s2, and ζ.
pub(super) fn after_quotient(before: &[u8; 32], quotient: &Opening) -> ([u8; 32], Scalar) {
    let hash = TaggedHash::new("AARDVARK-V1-CERTIFICATE-QUOTIENT").chain(before);
    let seed = hash.chain(quotient.to_bytes()).finalize();
    (seed, challenge(&seed, 0))
}

/// s3.
pub(super) fn after_values<'a>(before: &[u8; 32], scalars: impl Iterator<Item = &'a Scalar>) -> [u8; 32] {
    let mut hash = TaggedHash::new("AARDVARK-V1-CERTIFICATE-VALUES").chain(before);
    scalars.for_each(|scalar| hash.update(scalar_to_bytes(scalar)));
    hash.finalize()
}
