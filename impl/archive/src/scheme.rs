//! The commitment scheme of a dictionary, by the digest of its setup.

use std::path::Path;

use aardvark_commitment::{CommitmentError, Scheme, setups};
use aardvark_dictionary::Parameters;

use crate::error::ArchiveError;

/// The scheme on the published setup, its derived parameters kept in a file where `cache` names
/// one.
///
/// # Errors
/// [`ArchiveError::Setup`] where the dictionary is on another setup; [`ArchiveError::Commitment`].
pub(crate) fn published_scheme(
    parameters: &Parameters,
    setup_digest: &[u8; 32],
    cache: Option<&Path>,
) -> Result<Scheme, ArchiveError> {
    let scheme = setups::published_scheme(parameters.scheme, parameters.vector_size, setup_digest, cache);
    scheme.map_err(|error| match error {
        CommitmentError::UnknownSetup => ArchiveError::Setup,
        other => other.into(),
    })
}

/// The scheme on the published setup for an audit: derived here, whatever files say. With it,
/// whether the cache, if there is one, has the same parameters; a missing one agrees.
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
