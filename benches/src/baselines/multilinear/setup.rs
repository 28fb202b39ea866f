//! Public parameters from secrets, which are known: insecure by nature.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, G2Affine, G2Prepared, Scalar, batch_to_affine, hash_to_scalar};
use aardvark_commitment::{CommitmentError, MAX_VECTOR_SIZE};
use rayon::prelude::*;

use super::Multilinear;

/// The text whose hashes, one for each bit, are the secrets of [`Multilinear::insecure`].
const PUBLIC_TEXT: &[u8] = b"Aardvark: multilinear test setup. Everyone knows these secrets, so everyone can forge.";
/// Domain separation tag of those hashes.
const PUBLIC_TAG: &[u8] = b"AARDVARK-V1-INSECURE-SETUP";

impl Multilinear {
    /// The scheme with secrets that everyone knows, hashes of a public text: insecure. 2N scalar
    /// multiplications.
    pub fn insecure(vector_size: usize) -> Result<Self, CommitmentError> {
        from_secrets(vector_size, &public_secrets(vector_size))
    }

    /// The scheme with secrets of the caller's choice, s_0 first, L of them for N = 2^L: insecure,
    /// for tests.
    #[cfg(test)]
    pub(super) fn insecure_with_known_secrets(secrets: &[Scalar]) -> Result<Self, CommitmentError> {
        let vector_size = u32::try_from(secrets.len()).ok().and_then(|log| 1usize.checked_shl(log));
        from_secrets(vector_size.ok_or(CommitmentError::VectorSize(usize::MAX))?, secrets)
    }
}

/// Secrets that everyone knows, one for each bit of an index below N.
fn public_secrets(vector_size: usize) -> Vec<Scalar> {
    let bits = vector_size.checked_ilog2().unwrap_or(0);
    (0..bits).map(|t| hash_to_scalar(&[PUBLIC_TEXT, &t.to_be_bytes()].concat(), PUBLIC_TAG)).collect()
}

/// All public parameters; the secrets are log2 N, s_0 first.
fn from_secrets(vector_size: usize, secrets: &[Scalar]) -> Result<Multilinear, CommitmentError> {
    if !vector_size.is_power_of_two() || vector_size > MAX_VECTOR_SIZE {
        return Err(CommitmentError::VectorSize(vector_size));
    }
    let secret_points: Vec<G2Affine> = secrets.iter().map(|s| (G2Affine::generator() * s).to_affine()).collect();
    let lines = secret_points.iter().map(|point| {
        let less = (point.to_curve() - G2Affine::generator()).to_affine();
        [G2Prepared::from(*point), G2Prepared::from(less)]
    });
    Ok(Multilinear {
        vector_size,
        bases: characters(secrets).iter().map(|level| points(level)).collect(),
        generator_g2: G2Prepared::from(G2Affine::generator()),
        lines: lines.collect(),
    })
}

/// χ_w^t(s) for w < 2^t, for every t in 0..=L: level t + 1 splits each character of level t by bit
/// t.
fn characters(secrets: &[Scalar]) -> Vec<Vec<Scalar>> {
    let mut levels = vec![vec![Scalar::ONE]];
    for secret in secrets {
        let below = levels.last().cloned().unwrap_or_default();
        let zero = below.iter().map(|character| character * (Scalar::ONE - secret));
        let one = below.iter().map(|character| character * secret);
        levels.push(zero.chain(one).collect());
    }
    levels
}

fn points(characters: &[Scalar]) -> Vec<G1Affine> {
    let points: Vec<G1Projective> = characters.par_iter().map(|character| G1Affine::generator() * character).collect();
    batch_to_affine(&points)
}
