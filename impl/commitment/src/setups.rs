//! The published setups: the scheme that a digest names, for everyone who knows only parameters.
//!
//! - KZG: the Ethereum ceremony ([`Ceremony`]), whatever N.
//! - Libert–Yung: the setup whose secret everyone knows ([`insecure::libert_yung`]), one for each
//!   N.

use std::path::Path;

use aardvark_algebra::integers::usize_of_u32;

use crate::ceremony::{Ceremony, ETHEREUM_DIGEST};
use crate::error::CommitmentError;
use crate::insecure;
use crate::kzg::Kzg;
use crate::scheme::{Scheme, SchemeKind};
use crate::vector_commitment::VectorCommitment;

/// The digest of the published setup of a scheme for vectors of N scalars.
///
/// # Errors
/// [`CommitmentError::VectorSize`] for an N that Libert–Yung does not have.
pub fn published_digest(kind: SchemeKind, vector_size: u32) -> Result<[u8; 32], CommitmentError> {
    match kind {
        SchemeKind::Kzg => Ok(ETHEREUM_DIGEST),
        SchemeKind::LibertYung => Ok(insecure::libert_yung_verifier(usize_of_u32(vector_size))?.setup_digest()),
    }
}

/// The scheme on the published setup with this digest, able to commit; KZG's Lagrange basis is kept
/// in the file that `cache` names, if it names one ([`Kzg::with_cache`]).
///
/// # Errors
/// [`CommitmentError::UnknownSetup`] where the digest is not that of the published setup;
/// [`CommitmentError::VectorSize`].
pub fn published_scheme(
    kind: SchemeKind,
    vector_size: u32,
    digest: &[u8; 32],
    cache: Option<&Path>,
) -> Result<Scheme, CommitmentError> {
    if published_digest(kind, vector_size)? != *digest {
        return Err(CommitmentError::UnknownSetup);
    }
    let vector_size = usize_of_u32(vector_size);
    Ok(match (kind, cache) {
        (SchemeKind::Kzg, Some(cache)) => Kzg::with_cache(Ceremony::ethereum()?, vector_size, cache)?.into(),
        (SchemeKind::Kzg, None) => Kzg::new(Ceremony::ethereum()?, vector_size)?.into(),
        (SchemeKind::LibertYung, _) => insecure::libert_yung(vector_size)?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_published_setup_is_found_by_its_digest_and_by_no_other() {
        for kind in SchemeKind::ALL {
            let digest = published_digest(kind, 4).unwrap();
            let scheme = published_scheme(kind, 4, &digest, None).unwrap();
            assert_eq!((scheme.kind(), scheme.vector_size(), scheme.setup_digest()), (kind, 4, digest));
            let other = published_scheme(kind, 4, &[0; 32], None);
            assert_eq!(other.unwrap_err(), CommitmentError::UnknownSetup);
        }
        let [kzg, libert_yung] = SchemeKind::ALL.map(|kind| published_digest(kind, 4).unwrap());
        assert_ne!(kzg, libert_yung);
        assert_eq!(published_digest(SchemeKind::LibertYung, 3), Err(CommitmentError::VectorSize(3)));
    }

    #[test]
    fn the_digest_of_kzg_is_the_ceremonys_for_every_n_and_libert_yungs_differs_by_n() {
        let digests = |kind| [4, 8].map(|size| published_digest(kind, size).unwrap());
        let [a, b] = digests(SchemeKind::Kzg);
        assert_eq!((a, b), (ETHEREUM_DIGEST, ETHEREUM_DIGEST));
        let [a, b] = digests(SchemeKind::LibertYung);
        assert_ne!(a, b);
    }
}
