//! Where a store is: a folder by its URL, or any other storage.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::path::Path;

/// The prefix of the engine's objects in a folder.
const IN_FOLDER: &str = "store";

/// How often an operation of the storage is tried again, from 0.1 s to 1 s apart, before it counts
/// as failed.
pub(crate) const RETRIES: u32 = 8;

/// Why a URL is no place of a store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The URL has another form.
    #[error("{0} is no place of a store: say file:///FOLDER")]
    Url(String),
    /// The folder cannot be made.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder cannot be used.
    #[error("{place}: {source}")]
    Storage {
        /// The place.
        place: String,
        /// Why not.
        source: object_store::Error,
    },
}

/// Where a store is.
///
/// ```
/// # use aardvark_object_store::Place;
/// let parent = tempfile::tempdir()?;
/// let place = Place::at(&format!("file://{}/dictionary", parent.path().display()))?;
/// assert!(Place::at("ftp://example.org/dictionary").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Place {
    said: String,
    pub(crate) storage: Arc<dyn ObjectStore>,
    pub(crate) prefix: Path,
}

impl Place {
    /// The place of a URL: `file:///FOLDER`, which is made where there is none.
    ///
    /// # Errors
    /// [`PlaceError`].
    pub fn at(url: &str) -> Result<Self, PlaceError> {
        match url.strip_prefix("file://").filter(|folder| folder.starts_with('/')) {
            Some(folder) => Self::in_folder(url, PathBuf::from(folder)),
            None => Err(PlaceError::Url(url.to_owned())),
        }
    }

    /// A place in any storage of the crate `object_store`, by the prefix of its objects there.
    pub fn within(storage: Arc<dyn ObjectStore>, prefix: &str) -> Self {
        Self { said: storage.to_string(), storage, prefix: Path::from(prefix) }
    }

    fn in_folder(url: &str, path: PathBuf) -> Result<Self, PlaceError> {
        std::fs::create_dir_all(&path).map_err(|source| PlaceError::Folder { path: path.clone(), source })?;
        let storage = LocalFileSystem::new_with_prefix(&path);
        let storage = storage.map_err(|source| PlaceError::Storage { place: url.to_owned(), source })?;
        // What was acknowledged is on the disk, not in the system's memory.
        let storage = Arc::new(storage.with_fsync(true));
        Ok(Self { said: url.to_owned(), storage, prefix: Path::from(IN_FOLDER) })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.said)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Place({})", self.said)
    }
}
