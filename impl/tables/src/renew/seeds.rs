//! The seeds of a write of segments: one is drawn, and one for each use is expanded from it.

use aardvark_algebra::tagged_hash;

use crate::error::TablesError;

/// Domain separation tag of the seeds that a renewal's seed is expanded to.
const SEED_TAG: &str = "AARDVARK-V1-TABLE-RENEWAL-SEED";

/// What all masks and salts of a write are expanded from.
pub(super) struct Seeds {
    seed: [u8; 32],
    /// How many were expanded.
    expanded: u64,
}

impl Seeds {
    /// Those of a seed that the system draws.
    ///
    /// # Errors
    /// [`TablesError::Random`].
    pub(super) fn draw() -> Result<Self, TablesError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        Ok(Self { seed, expanded: 0 })
    }

    /// A seed of its own for each use.
    pub(super) fn next(&mut self) -> [u8; 32] {
        self.expanded += 1;
        tagged_hash(SEED_TAG, &[self.seed.as_slice(), &self.expanded.to_be_bytes()].concat())
    }
}
