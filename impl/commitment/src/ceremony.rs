//! The Ethereum KZG ceremony: `[τ^i]_1` for i < 4096 and `[τ^i]_2` for i < 65, of a τ that nobody
//! knows.
//!
//! One file, embedded in the program, pinned by its SHA-256; `data/README.md` says where it comes
//! from. The build compares the digest (`build.rs`), so that no process has to. `[τ]_2`, which is
//! all that a verifier needs, stands beside it with both coordinates: they are compared at load,
//! and take no square root. Other powers are decoded when asked for. The pin stands in for
//! subgroup checks at run time: `tests/ceremony.rs` makes them on the pinned file, and checks the
//! powers by pairings.

use std::sync::OnceLock;

use aardvark_algebra::encoding::decode_g2_uncompressed_trusted;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{DecodeError, G1Affine, G2Affine, decode_g2, decode_openings, encode_g2};

use crate::error::CommitmentError;

/// Number of published powers in G1.
pub const G1_POWERS: usize = 4096;
/// Number of published powers in G2.
pub const G2_POWERS: usize = 65;
/// Bytes of a compressed point of G1.
const G1_BYTES: usize = 48;
/// Bytes of a compressed point of G2.
const G2_BYTES: usize = 96;

include!("ceremony_digest.rs");

/// The file, as this repository ships it.
static ETHEREUM_FILE: &[u8; G1_POWERS * G1_BYTES + G2_POWERS * G2_BYTES] =
    include_bytes!("../data/ethereum_kzg_ceremony.bin");

/// `[τ]_2` of the file with both coordinates.
static ETHEREUM_TAU_G2: &[u8; 192] = include_bytes!("../data/ethereum_tau_g2.bin");

/// A ceremony's published powers, still encoded but for `[τ]_2`.
#[derive(Clone, Debug)]
pub struct Ceremony {
    g1: &'static [[u8; G1_BYTES]],
    g2: &'static [[u8; G2_BYTES]],
    tau_g2: G2Affine,
}

impl Ceremony {
    /// The Ethereum ceremony: the first call decodes `[τ]_2`, further ones return the same value.
    pub fn ethereum() -> Result<&'static Self, CommitmentError> {
        static CEREMONY: OnceLock<Result<Ceremony, CommitmentError>> = OnceLock::new();
        let loaded = CEREMONY.get_or_init(|| Self::load(ETHEREUM_FILE, ETHEREUM_TAU_G2));
        loaded.as_ref().map_err(Clone::clone)
    }

    fn load(
        file: &'static [u8; G1_POWERS * G1_BYTES + G2_POWERS * G2_BYTES],
        tau_g2: &[u8; 192],
    ) -> Result<Self, CommitmentError> {
        let (g1, g2) = file.split_at(G1_POWERS * G1_BYTES);
        let (g1, g2) = (g1.as_chunks().0, g2.as_chunks().0);
        let tau_g2 = decode_g2_uncompressed_trusted(tau_g2).map_err(|source| malformed("G2", 1, source))?;
        // The point of the file, and no other.
        if g2.get(1) != Some(&encode_g2(&tau_g2)) {
            return Err(malformed("G2", 1, DecodeError::NotCanonical));
        }
        Ok(Self { g1, g2, tau_g2 })
    }

    /// SHA-256 of the file.
    pub fn digest(&self) -> &'static [u8; 32] {
        &ETHEREUM_DIGEST
    }

    /// `[τ]_2`.
    pub fn tau_g2(&self) -> &G2Affine {
        &self.tau_g2
    }

    /// `[τ^0]_1 .. [τ^(count-1)]_1`, decoded on rayon's threads; 2 to 13 µs of work for each.
    pub fn g1_powers(&self, count: usize) -> Result<Vec<G1Affine>, CommitmentError> {
        let encoded = self.g1.get(..count).ok_or_else(|| too_short("G1", count, self.g1.len()))?;
        let decoded = decode_openings(encoded).into_iter().enumerate();
        decoded.map(|(power, point)| point.map_err(|source| malformed("G1", power, source))).collect()
    }

    /// `[τ^0]_2 .. [τ^(count-1)]_2`, with their subgroup checks.
    pub fn g2_powers(&self, count: usize) -> Result<Vec<G2Affine>, CommitmentError> {
        let encoded = self.g2.get(..count).ok_or_else(|| too_short("G2", count, self.g2.len()))?;
        let decoded = encoded.par_iter().enumerate();
        decoded.map(|(power, bytes)| decode_g2(bytes).map_err(|source| malformed("G2", power, source))).collect()
    }
}

fn too_short(group: &'static str, asked: usize, available: usize) -> CommitmentError {
    CommitmentError::CeremonyTooShort { group, asked, available }
}

fn malformed(group: &'static str, power: usize, source: DecodeError) -> CommitmentError {
    CommitmentError::CeremonyPoint { group, power, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_point_than_the_files_is_refused() {
        let negated = (-*Ceremony::ethereum().unwrap().tau_g2()).to_uncompressed();
        let refused = Ceremony::load(ETHEREUM_FILE, &negated);
        assert_eq!(refused.unwrap_err(), malformed("G2", 1, DecodeError::NotCanonical));
        let mut damaged = *ETHEREUM_TAU_G2;
        damaged[191] ^= 1;
        assert_eq!(Ceremony::load(ETHEREUM_FILE, &damaged).unwrap_err(), malformed("G2", 1, DecodeError::NotOnCurve));
    }

    #[test]
    fn more_powers_than_were_published_are_refused() {
        let ceremony = Ceremony::ethereum().unwrap();
        assert_eq!(ceremony.g1_powers(0), Ok(vec![]));
        assert!(matches!(ceremony.g1_powers(G1_POWERS + 1), Err(CommitmentError::CeremonyTooShort { .. })));
        assert!(matches!(ceremony.g2_powers(G2_POWERS + 1), Err(CommitmentError::CeremonyTooShort { .. })));
    }
}
