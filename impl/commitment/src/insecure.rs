//! Setups whose secret is known. **Whoever knows the secret opens any commitment to anything.**
//!
//! - [`libert_yung`]: the secret is a hash of a public text, so everyone can rederive the setup,
//!   and everyone can forge. It exists because Libert–Yung has no published ceremony (it would have
//!   to keep `[α^(N+1)]_1` secret), for tests and for comparison with the paper.
//! - `*_with_known_*`, behind the cargo feature `insecure-test-setup`: the caller chooses the
//!   secret, so that a test can compare every point with its discrete logarithm.
//!
//! The digest of such a setup is H("AARDVARK-V1-SETUP", u8 scheme || u32 N || `[s]_1` || `[s]_2`),
//! s the secret: these two points determine all others. It is never that of the Ethereum ceremony,
//! so a dictionary on one never passes for a dictionary on the other.

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, TaggedHash, encode_g1, encode_g2, hash_to_scalar};

use crate::error::CommitmentError;
use crate::libert_yung::LibertYung;
use crate::scheme::SchemeKind;

/// The text whose hash is the secret of [`libert_yung`].
pub const LIBERT_YUNG_TEXT: &[u8] =
    b"Aardvark: Libert-Yung test setup. Everyone knows this secret, so everyone can forge.";
/// Domain separation tag of that hash.
pub const LIBERT_YUNG_TAG: &[u8] = b"AARDVARK-V1-INSECURE-SETUP";

/// Domain separation tag of a setup's digest.
const SETUP_TAG: &str = "AARDVARK-V1-SETUP";

/// Libert–Yung with a secret that everyone knows: insecure. 3N scalar multiplications (N = 1,024:
/// 0.3 s on one core).
pub fn libert_yung(vector_size: usize) -> Result<LibertYung, CommitmentError> {
    from_alpha(vector_size, public_alpha())
}

/// [`libert_yung`] for verifying alone, ready at once.
pub fn libert_yung_verifier(vector_size: usize) -> Result<LibertYung, CommitmentError> {
    let alpha = public_alpha();
    let digest = setup_digest(SchemeKind::LibertYung, vector_size, &alpha);
    LibertYung::verifier_from_secret(vector_size, alpha, digest)
}

/// Libert–Yung with a secret of the caller's choice: insecure, for tests.
#[cfg(feature = "insecure-test-setup")]
pub fn libert_yung_with_known_alpha(vector_size: usize, alpha: Scalar) -> Result<LibertYung, CommitmentError> {
    from_alpha(vector_size, alpha)
}

/// KZG with a secret of the caller's choice: insecure, for tests. `tau` must be neither 0 nor in
/// the domain.
#[cfg(feature = "insecure-test-setup")]
pub fn kzg_with_known_tau(vector_size: usize, tau: Scalar) -> Result<crate::kzg::Kzg, CommitmentError> {
    use aardvark_algebra::batch_to_affine;
    use aardvark_algebra::ff::Field;

    let tau_g2 = (G2Affine::generator() * tau).to_affine();
    let digest = setup_digest(SchemeKind::Kzg, vector_size, &tau);
    let kzg = crate::kzg::Kzg::from_parameters(vector_size, &tau_g2, digest)?;
    let domain = kzg.domain();
    // L_i(tau) = ω^i (tau^N - 1) / (N (tau - ω^i))
    let vanishing = tau.pow_vartime([vector_size as u64]) - Scalar::ONE;
    let basis = domain.powers().iter().map(|point| {
        let inverse: Option<Scalar> = (tau - point).invert().into();
        let value = inverse? * point * vanishing * domain.size_inverse();
        Some(G1Affine::generator() * value)
    });
    let basis: Option<Vec<_>> = basis.collect();
    match basis {
        Some(basis) if !bool::from(tau.is_zero()) => Ok(kzg.with_basis(batch_to_affine(&basis))),
        _ => Err(CommitmentError::DegenerateSecret),
    }
}

fn public_alpha() -> Scalar {
    hash_to_scalar(LIBERT_YUNG_TEXT, LIBERT_YUNG_TAG)
}

fn from_alpha(vector_size: usize, alpha: Scalar) -> Result<LibertYung, CommitmentError> {
    let digest = setup_digest(SchemeKind::LibertYung, vector_size, &alpha);
    LibertYung::from_secret(vector_size, alpha, digest)
}

fn setup_digest(kind: SchemeKind, vector_size: usize, secret: &Scalar) -> [u8; 32] {
    let g1 = (G1Affine::generator() * secret).to_affine();
    let g2 = (G2Affine::generator() * secret).to_affine();
    TaggedHash::new(SETUP_TAG)
        .chain([u8::from(kind)])
        .chain((vector_size as u32).to_be_bytes())
        .chain(encode_g1(&g1))
        .chain(encode_g2(&g2))
        .finalize()
}
