//! Proofs: the slot that answers for a key, with the opening of its vector at its index.
//!
//! Slots come from the store; openings from [`crate::openings`], which brings those that it holds up to date, and computes
//! the others from the N slots of a vector.

use aardvark_dictionary::{Claim, Key, Slot};
use rayon::prelude::*;

use crate::archive::Archive;
use crate::array_at::ArrayAt;
use crate::error::{ArchiveError, Damage, Place};

/// Keys that one thread looks up at a time.
const LOOKUPS: usize = 256;

/// A slot and its position.
pub(crate) type Found = (u64, Slot);

impl Archive {
    /// Proves what a key was at a version: the claim for its covering slot, which says its value or its absence.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::EmptyKey`], [`ArchiveError::KeyTooLong`],
    /// [`ArchiveError::Damaged`].
    pub fn prove(&self, key: &Key, version: u64) -> Result<Claim, ArchiveError> {
        let (position, slot) = self.find(key, version, |array| array.covering_slot(key))?;
        let openings = self.openings_at(version, [position].into_iter())?;
        let opening = openings.get(&position).ok_or_else(|| Damage::missing(Place::Slot(position)))?;
        Ok(Claim { position, slot, opening: opening.to_bytes() })
    }

    /// [`Archive::prove`] for many keys: claims in the order of the keys. Vectors are worked on in parallel, and each
    /// slot is opened once.
    ///
    /// # Errors
    /// As [`Archive::prove`].
    pub fn prove_many(&self, keys: &[Key], version: u64) -> Result<Vec<Claim>, ArchiveError> {
        let found = self.look_up(keys, version, |array, key| array.covering_slot(key))?;
        self.claims(version, found)
    }

    /// What a transaction needs that deletes a key: the claim for the covering slot, and behind it, where the key is
    /// present, the claim for its predecessor.
    ///
    /// # Errors
    /// As [`Archive::prove`].
    pub fn prove_delete(&self, key: &Key, version: u64) -> Result<Vec<Claim>, ArchiveError> {
        let needed = self.find(key, version, |array| needed_to_delete(array, key))?;
        self.claims(version, needed)
    }

    /// [`Archive::prove_delete`] for many keys: their claims in the order of the keys, made together.
    ///
    /// # Errors
    /// As [`Archive::prove`].
    pub fn prove_delete_many(&self, keys: &[Key], version: u64) -> Result<Vec<Vec<Claim>>, ArchiveError> {
        let needed = self.look_up(keys, version, needed_to_delete)?;
        let counts: Vec<usize> = needed.iter().map(Vec::len).collect();
        let mut claims = self.claims(version, needed.into_iter().flatten().collect())?.into_iter();
        Ok(counts.into_iter().map(|count| claims.by_ref().take(count).collect()).collect())
    }

    /// The slots of [`Archive::prove_delete`], with their positions and without proofs.
    ///
    /// # Errors
    /// As [`Archive::prove`].
    pub fn slots_to_delete(&self, key: &Key, version: u64) -> Result<Vec<(u64, Slot)>, ArchiveError> {
        self.find(key, version, |array| needed_to_delete(array, key))
    }

    /// What a question about one key finds.
    fn find<T>(
        &self,
        key: &Key,
        version: u64,
        find: impl FnOnce(&ArrayAt<'_>) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        self.check_key(key)?;
        self.at(version, find)
    }

    /// What a question about each of many keys finds, some keys a thread.
    fn look_up<T: Send>(
        &self,
        keys: &[Key],
        version: u64,
        find: impl Fn(&ArrayAt<'_>, &Key) -> Result<T, ArchiveError> + Sync,
    ) -> Result<Vec<T>, ArchiveError> {
        self.check_version(version)?;
        keys.iter().try_for_each(|key| self.check_key(key))?;
        let found = keys.par_chunks(LOOKUPS).map(|keys| {
            self.at(version, |array| keys.iter().map(|key| find(array, key)).collect::<Result<Vec<T>, ArchiveError>>())
        });
        let found: Vec<Vec<T>> = found.collect::<Result<_, ArchiveError>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Claims for slots.
    fn claims(&self, version: u64, found: Vec<Found>) -> Result<Vec<Claim>, ArchiveError> {
        let openings = self.openings_at(version, found.iter().map(|(position, _)| *position))?;
        let claim = |(position, slot): Found| {
            let opening = openings.get(&position).ok_or_else(|| Damage::missing(Place::Slot(position)))?;
            Ok(Claim { position, slot, opening: opening.to_bytes() })
        };
        found.into_iter().map(claim).collect()
    }
}

/// The covering slot of a key, and its predecessor's where the key is present.
fn needed_to_delete(array: &ArrayAt<'_>, key: &Key) -> Result<Vec<Found>, ArchiveError> {
    let (position, slot) = array.covering_slot(key)?;
    let present = slot.key == *key;
    let mut needed = vec![(position, slot)];
    if present {
        needed.push(array.preceding_slot(key)?);
    }
    Ok(needed)
}
