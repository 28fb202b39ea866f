//! The coefficients of a batch (`docs/format.md`, "The batch challenge").
//!
//! ```text
//! seed  = H("AARDVARK-V1-BATCH",
//!           context || u64 n || (u64 label || commitment || u32 index || scalar || opening)*)
//! rho_j = first 16 bytes, as an integer, of H("AARDVARK-V1-COEFFICIENT", seed || u64 j)
//! ```
//!
//! A dictionary's context is its id, and a claim's label the version that it is about.
//!
//! The hash binds every part of every claim, so nobody can choose a claim after seeing its
//! coefficient. A caller cannot pass coefficients in: whoever could choose them makes two false
//! claims cancel.
//!
//! **Contexts.** A context is hashed without its length, so two of them must not be mistaken for
//! each other: give all contexts of an application one length, or keep them shorter than the
//! encoding of a claim (140 bytes; 96 in an aggregate), where the total length tells them apart.
//! Hash a longer one first.

use aardvark_algebra::integers::u32_or_max;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{TaggedHash, scalar_to_bytes};

use crate::vector_commitment::BatchClaim;

/// Domain separation tag of the seed.
const BATCH_TAG: &str = "AARDVARK-V1-BATCH";
/// Domain separation tag of the coefficients.
const COEFFICIENT_TAG: &str = "AARDVARK-V1-COEFFICIENT";

/// Bytes that the seed takes of a claim.
const CLAIM_BYTES: usize = 8 + 48 + 4 + 32 + 48;
/// Claims that are encoded, in parallel, before they are hashed: half a megabyte.
const ENCODED_TOGETHER: usize = 4096;

/// The seed of a batch of claims, in order, in a context.
pub fn seed(context: &[u8], claims: &[BatchClaim]) -> [u8; 32] {
    let mut hash = TaggedHash::new(BATCH_TAG);
    hash.update(context);
    hash.update((claims.len() as u64).to_be_bytes());
    for claims in claims.chunks(ENCODED_TOGETHER) {
        let encoded: Vec<[u8; CLAIM_BYTES]> = claims.par_iter().with_min_len(64).map(encode).collect();
        hash.update(encoded.as_flattened());
    }
    hash.finalize()
}

/// What the seed takes of a claim.
fn encode(claim: &BatchClaim) -> [u8; CLAIM_BYTES] {
    // A claim whose index passes 32 bits is refused before it gets here.
    let index = u32_or_max(claim.index);
    let mut bytes = [0; CLAIM_BYTES];
    let parts: [&[u8]; 5] = [
        &claim.label.to_be_bytes(),
        &claim.commitment.to_bytes(),
        &index.to_be_bytes(),
        &scalar_to_bytes(&claim.scalar),
        &claim.opening.to_bytes(),
    ];
    bytes.iter_mut().zip(parts.into_iter().flatten()).for_each(|(byte, part)| *byte = *part);
    bytes
}

/// The coefficient of claim j, 128 bits.
pub fn coefficient(seed: &[u8; 32], j: usize) -> u128 {
    let digest = TaggedHash::new(COEFFICIENT_TAG).chain(seed).chain((j as u64).to_be_bytes()).finalize();
    let (high, _) = digest.split_at(16);
    high.iter().fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
}

/// The coefficients of all claims of a batch.
pub fn coefficients(context: &[u8], claims: &[BatchClaim]) -> Vec<u128> {
    coefficients_of_seed(&seed(context, claims), claims.len())
}

/// The first `count` coefficients of a seed.
pub(crate) fn coefficients_of_seed(seed: &[u8; 32], count: usize) -> Vec<u128> {
    (0..count).into_par_iter().with_min_len(256).map(|j| coefficient(seed, j)).collect()
}
