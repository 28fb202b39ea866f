//! Many openings in one: n claims "the vector under C_i has the scalar y_i at index k_i", of any
//! number of commitments, shown by two points, 96 bytes
//! (`aardvark_spec::commitment::folded_opening`; docs/answers.md, "Many openings in one").
//!
//! With z_i = ω^(k_i) and q_i = (p_i - y_i) / (X - z_i), the quotient that opens claim i by itself:
//!
//! ```text
//! seed   = H("AARDVARK-V1-FOLD-CLAIMS",
//!            context (32) || u64 n || (C_i (48) || z_i (32) || y_i (32))*)
//! γ_i    = challenge(seed, i)
//! W      = Σ γ_i [q_i(τ)]
//! z      = challenge(H("AARDVARK-V1-FOLD", seed || W (48)), 0)
//! W'     = Σ γ_i / (z - z_i) [q_i(τ)]
//! challenge(seed, i) = hash_to_scalar(seed || u64 i, "AARDVARK-V1-CHALLENGE")
//! ```
//!
//! **Why two challenges.** Whoever knew z before W is fixed would show anything: W' = 0 and
//! W = Σ γ_i / (z - z_i) (C_i - y_i g1) satisfy the equation whatever the claims say.
//!
//! Folding and verifying are KZG's (`kzg/folded.rs`).

use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{DecodeError, Domain, Scalar, TaggedHash, hash_to_scalar, scalar_to_bytes};

use crate::points::{Commitment, Opening, POINT_BYTES};

/// Domain separation tag of the first seed.
const CLAIMS_TAG: &str = "AARDVARK-V1-FOLD-CLAIMS";
/// Domain separation tag of the second seed.
const FOLD_TAG: &str = "AARDVARK-V1-FOLD";
/// Domain separation tag of the challenges.
const CHALLENGE_TAG: &[u8] = b"AARDVARK-V1-CHALLENGE";

/// Bytes that the first seed takes of a claim.
const CLAIM_BYTES: usize = POINT_BYTES + 32 + 32;
/// Bytes of a folded opening.
pub const FOLDED_BYTES: usize = 2 * POINT_BYTES;

/// A claim of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedClaim {
    /// Commitment to the vector, from the trusted side.
    pub commitment: Commitment,
    /// Index in the vector.
    pub index: usize,
    /// Scalar claimed there.
    pub scalar: Scalar,
}

impl FoldedClaim {
    /// What the first seed binds of the claim: commitment, point, scalar.
    fn to_bytes(self, domain: &Domain) -> [u8; CLAIM_BYTES] {
        let mut bytes = [0; CLAIM_BYTES];
        let point = scalar_to_bytes(&domain.element(self.index));
        let parts: [&[u8]; 3] = [&self.commitment.to_bytes(), &point, &scalar_to_bytes(&self.scalar)];
        bytes.iter_mut().zip(parts.into_iter().flatten()).for_each(|(byte, part)| *byte = *part);
        bytes
    }
}

/// The two points that stand for the openings of many claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedOpening {
    /// W, which is fixed before z is drawn.
    pub quotient: Opening,
    /// W'.
    pub witness: Opening,
}

impl FoldedOpening {
    /// The folded opening that 96 bytes encode: `W (48) || W' (48)`, each by the rule for openings
    /// ([`Opening::from_bytes`]).
    ///
    /// # Errors
    /// Half of the bytes encode no point.
    pub fn from_bytes(bytes: &[u8; FOLDED_BYTES]) -> Result<Self, DecodeError> {
        Self::decode(bytes, Opening::from_bytes)
    }

    /// [`FoldedOpening::from_bytes`] with the subgroup check that other KZG verifiers make.
    ///
    /// # Errors
    /// Half of the bytes encode no point of the subgroup.
    pub fn from_bytes_strict(bytes: &[u8; FOLDED_BYTES]) -> Result<Self, DecodeError> {
        Self::decode(bytes, Opening::from_bytes_strict)
    }

    fn decode(
        bytes: &[u8; FOLDED_BYTES],
        point: impl Fn(&[u8; POINT_BYTES]) -> Result<Opening, DecodeError>,
    ) -> Result<Self, DecodeError> {
        let (mut quotient, mut witness) = ([0; POINT_BYTES], [0; POINT_BYTES]);
        let both = quotient.iter_mut().chain(&mut witness);
        both.zip(bytes).for_each(|(half, byte)| *half = *byte);
        Ok(Self { quotient: point(&quotient)?, witness: point(&witness)? })
    }

    /// Both points, compressed.
    pub fn to_bytes(&self) -> [u8; FOLDED_BYTES] {
        let mut bytes = [0; FOLDED_BYTES];
        let both = [self.quotient.to_bytes(), self.witness.to_bytes()];
        bytes.iter_mut().zip(both.as_flattened()).for_each(|(byte, part)| *byte = *part);
        bytes
    }
}

/// The first seed: it binds the context, a digest of all else that the fold is about, and all
/// claims in their order. Indices are below the domain's size.
pub fn claims_seed(domain: &Domain, context: &[u8; 32], claims: &[FoldedClaim]) -> [u8; 32] {
    let encoded: Vec<[u8; CLAIM_BYTES]> =
        claims.par_iter().with_min_len(64).map(|claim| claim.to_bytes(domain)).collect();
    TaggedHash::new(CLAIMS_TAG)
        .chain(context)
        .chain((claims.len() as u64).to_be_bytes())
        .chain(encoded.as_flattened())
        .finalize()
}

/// γ_i of the first `count` claims.
pub fn gammas(claims_seed: &[u8; 32], count: usize) -> Vec<Scalar> {
    (0..count).into_par_iter().with_min_len(64).map(|i| challenge(claims_seed, i)).collect()
}

/// z, once W is fixed.
pub fn point(claims_seed: &[u8; 32], quotient: &Opening) -> Scalar {
    challenge(&TaggedHash::new(FOLD_TAG).chain(claims_seed).chain(quotient.to_bytes()).finalize(), 0)
}

/// The challenge with a number, drawn from a seed: any scalar.
fn challenge(seed: &[u8; 32], i: usize) -> Scalar {
    let number = (i as u64).to_be_bytes();
    hash_to_scalar([seed.as_slice(), &number].concat().as_slice(), CHALLENGE_TAG)
}
