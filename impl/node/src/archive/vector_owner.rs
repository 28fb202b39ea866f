//! What an opening server knows besides its archive: its name, and who owns which vector.

use std::sync::{Arc, PoisonError, RwLock};

use super::store_follower::StoreFollower;
use crate::openings::Ring;

/// A server among those of a ring.
pub struct VectorOwner {
    name: String,
    ring: RwLock<Ring>,
    follower: Arc<StoreFollower>,
}

impl VectorOwner {
    /// The server of a name; the follower keeps its archive at the store's newest version.
    pub fn new(name: String, ring: Ring, follower: Arc<StoreFollower>) -> Self {
        Self { name, ring: RwLock::new(ring), follower }
    }

    /// Owns the vectors that another ring gives it from now on.
    pub fn set_ring(&self, ring: Ring) {
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = ring;
    }

    /// Whether it owns a vector.
    pub fn owns(&self, vector: u64) -> bool {
        self.ring.read().unwrap_or_else(PoisonError::into_inner).owns(&self.name, vector)
    }

    /// What keeps its archive at the store's newest version.
    pub(super) fn follower(&self) -> &Arc<StoreFollower> {
        &self.follower
    }
}
