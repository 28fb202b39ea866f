//! Stores of archives on object storage, by their URLs.

use aardvark_client::rpc::http::without_credentials;
use aardvark_node::archive::OtherStore;

/// What a store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To write it, alone.
    Write,
    /// To read what another process writes.
    Read,
}

/// Why a URL names no store.
#[derive(Debug, thiserror::Error)]
pub enum ObjectStorageError {
    /// It is no place of a store.
    #[cfg(feature = "object-storage")]
    #[error(transparent)]
    Place(#[from] aardvark_object_store::PlaceError),
    /// It has a user or a password.
    #[error(
        "{0}: a store's address has no user and no password; keys of S3 are taken from the environment \
         (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)"
    )]
    Credentials(String),
    /// This program was built without such stores.
    #[cfg(not(feature = "object-storage"))]
    #[error("{0}: this program was built without stores on object storage (feature object-storage)")]
    NotBuiltIn(String),
}

/// The store at a URL. It is not opened yet.
///
/// # Errors
/// [`ObjectStorageError`].
#[cfg(feature = "object-storage")]
pub fn store_at(url: &str, access: Access) -> Result<OtherStore, ObjectStorageError> {
    use std::sync::Arc;

    use aardvark_archive::OpenStore;
    use aardvark_object_store::{Place, ReaderOptions, SlateReader, SlateStore};

    refuse_credentials(url)?;
    let place = Place::at(url)?;
    let open: Arc<OpenStore> = match access {
        Access::Write => Arc::new(move || Ok(Box::new(SlateStore::open(&place)?))),
        Access::Read => Arc::new(move || Ok(Box::new(SlateReader::open(&place, &ReaderOptions::default())?))),
    };
    Ok(OtherStore { place: url.to_owned(), open })
}

/// The store at a URL, of which this program knows nothing.
///
/// # Errors
/// [`ObjectStorageError::NotBuiltIn`].
#[cfg(not(feature = "object-storage"))]
pub fn store_at(url: &str, _: Access) -> Result<OtherStore, ObjectStorageError> {
    refuse_credentials(url)?;
    Err(ObjectStorageError::NotBuiltIn(url.to_owned()))
}

/// A bucket's name has no `@`; a folder's may.
fn refuse_credentials(url: &str) -> Result<(), ObjectStorageError> {
    match without_credentials(url) {
        shown if shown != url && !url.starts_with("file://") => Err(ObjectStorageError::Credentials(shown)),
        _ => Ok(()),
    }
}
