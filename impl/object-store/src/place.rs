//! Where a store is: a folder or a bucket by its URL, or any other storage.

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
    #[error("{0} is no place of a store: say file:///FOLDER or s3://BUCKET/PREFIX")]
    Url(String),
    /// The crate was built without stores in buckets.
    #[error("{0}: this program was built without stores on S3 (feature s3)")]
    WithoutS3(String),
    /// The folder cannot be made.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The folder cannot be used, or the bucket's client not be made.
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
    /// The place of a URL: `file:///FOLDER`, which is made where there is none, or
    /// `s3://BUCKET/PREFIX`, whose endpoint, region and keys the environment says (`AWS_ENDPOINT`,
    /// `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and the others of the crate
    /// `object_store`). Nothing is asked of the storage yet.
    ///
    /// # Errors
    /// [`PlaceError`].
    pub fn at(url: &str) -> Result<Self, PlaceError> {
        if let Some(folder) = url.strip_prefix("file://").filter(|folder| folder.starts_with('/')) {
            return Self::in_folder(url, PathBuf::from(folder));
        }
        match url.strip_prefix("s3://").and_then(|place| place.split_once('/')) {
            Some((bucket, prefix)) if !bucket.is_empty() && !prefix.trim_matches('/').is_empty() => {
                Self::in_bucket(url, bucket, prefix)
            }
            _ => Err(PlaceError::Url(url.to_owned())),
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

    #[cfg(feature = "s3")]
    fn in_bucket(url: &str, bucket: &str, prefix: &str) -> Result<Self, PlaceError> {
        use object_store::RetryConfig;
        use object_store::aws::AmazonS3Builder;
        // The client of HTTP wants one chosen; where the process has chosen already, that stays.
        let _chosen = rustls::crypto::ring::default_provider().install_default();
        // The engine tries again by itself.
        let once = RetryConfig { max_retries: 0, ..RetryConfig::default() };
        let storage = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(once).build();
        let storage = storage.map_err(|source| PlaceError::Storage { place: url.to_owned(), source })?;
        Ok(Self { said: url.to_owned(), storage: Arc::new(storage), prefix: Path::from(prefix) })
    }

    #[cfg(not(feature = "s3"))]
    fn in_bucket(url: &str, _bucket: &str, _prefix: &str) -> Result<Self, PlaceError> {
        Err(PlaceError::WithoutS3(url.to_owned()))
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
