//! Bodies that do not stand in values.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use aardvark_sigma::Digest;
use sha2::{Digest as _, Sha256};

/// SHA-256 of a body.
pub fn body_digest(body: &[u8]) -> Digest {
    Sha256::digest(body).into()
}

/// The bytes of a body with their SHA-256, which is computed once. Copies share both.
#[derive(Clone, Debug)]
pub struct StoredBody(Arc<Hashed>);

#[derive(Debug)]
struct Hashed {
    bytes: Vec<u8>,
    digest: OnceLock<Digest>,
}

impl StoredBody {
    /// SHA-256 of the bytes.
    pub fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| body_digest(&self.0.bytes))
    }
}

impl From<Vec<u8>> for StoredBody {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Hashed { bytes, digest: OnceLock::new() }))
    }
}

impl Deref for StoredBody {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0.bytes
    }
}

impl PartialEq for StoredBody {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for StoredBody {}
