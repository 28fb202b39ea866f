//! The commitment scheme of a dictionary, by the digest of its setup.

use std::path::Path;

use aardvark_commitment::{Ceremony, Kzg, Scheme, SchemeKind, VectorCommitment, insecure};
use aardvark_dictionary::Parameters;

use crate::error::ArchiveError;

/// The digest of the setup that everyone has: the Ethereum ceremony for KZG; for Libert–Yung the insecure one.
///
/// # Errors
/// [`ArchiveError::Commitment`] for an illegal vector size.
pub fn published_setup_digest(kind: SchemeKind, vector_size: u32) -> Result<[u8; 32], ArchiveError> {
    match kind {
        SchemeKind::Kzg => Ok(*Ceremony::ethereum()?.digest()),
        SchemeKind::LibertYung => Ok(insecure::libert_yung_verifier(length(vector_size))?.setup_digest()),
    }
}

/// The scheme on the published setup, its derived parameters kept in a file where `cache` names one.
///
/// # Errors
/// [`ArchiveError::Setup`] where the dictionary is on another setup; [`ArchiveError::Commitment`].
pub fn published_scheme(
    parameters: &Parameters,
    setup_digest: &[u8; 32],
    cache: Option<&Path>,
) -> Result<Scheme, ArchiveError> {
    if published_setup_digest(parameters.scheme, parameters.vector_size)? != *setup_digest {
        return Err(ArchiveError::Setup);
    }
    let vector_size = length(parameters.vector_size);
    Ok(match (parameters.scheme, cache) {
        (SchemeKind::Kzg, Some(cache)) => Kzg::with_cache(Ceremony::ethereum()?, vector_size, cache)?.into(),
        (SchemeKind::Kzg, None) => Kzg::new(Ceremony::ethereum()?, vector_size)?.into(),
        (SchemeKind::LibertYung, _) => insecure::libert_yung(vector_size)?.into(),
    })
}

/// The scheme on the published setup for an audit: derived here, whatever files say. With it, whether the cache, if there is one,
/// has the same parameters; a missing one agrees.
///
/// # Errors
/// As [`published_scheme`]; [`ArchiveError::File`] where the cache is there and cannot be read.
pub(crate) fn audited_scheme(
    parameters: &Parameters,
    setup_digest: &[u8; 32],
    cache: Option<&Path>,
) -> Result<(Scheme, bool), ArchiveError> {
    let scheme = published_scheme(parameters, setup_digest, None)?;
    let agrees = match (&scheme, cache) {
        (Scheme::Kzg(kzg), Some(cache)) => kzg
            .cache_agrees(cache)
            .map_err(|source| ArchiveError::File { path: cache.to_owned(), source })?
            .unwrap_or(true),
        _ => true,
    };
    Ok((scheme, agrees))
}

fn length(vector_size: u32) -> usize {
    usize::try_from(vector_size).unwrap_or(usize::MAX)
}
