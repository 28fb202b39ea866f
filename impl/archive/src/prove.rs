//! Proofs: the slot that covers a key, with the opening of its vector at its index.
//!
//! Slots come from the store; openings from the archive's [`OpeningSource`], by default from
//! [`crate::openings`], which brings those that it holds up to date, and computes the others from
//! the N slots of a vector.
//!
//! [`OpeningSource`]: crate::OpeningSource

use std::time::Duration;

use aardvark_algebra::integers::u32_or_max;
use aardvark_algebra::parallel::prelude::*;
use aardvark_dictionary::{Claim, Key, Slot};

use crate::array_at::ArrayAt;
use crate::error::{ArchiveError, Damage, Place};
use crate::snapshot::Snapshot;

/// Keys that one thread looks up at a time.
const LOOKUPS: usize = 256;
/// Microseconds of one core for a look-up, at a past version.
const LOOKUP_COST: f64 = 100.0;

/// A slot and its position.
pub(crate) type Found = (u64, Slot);

/// What is to be proved, and what that costs.
#[derive(Clone, Debug)]
pub struct Plan {
    version: u64,
    found: Vec<Vec<Found>>,
    cost: Duration,
}

impl Plan {
    /// Time of one core that the openings take, about: as held openings and the machine that
    /// [`OpeningCosts`] is of have it.
    ///
    /// [`OpeningCosts`]: crate::OpeningCosts
    pub fn cost(&self) -> Duration {
        self.cost
    }

    /// The slots of its claims.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.found.iter().flatten().map(|(_, slot)| slot)
    }
}

impl Snapshot {
    /// Proves what a key was at a version: the claim for its covering slot, which says its value or
    /// its absence.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::EmptyKey`],
    /// [`ArchiveError::KeyTooLong`], [`ArchiveError::Damaged`].
    pub fn prove(&self, key: &Key, version: u64) -> Result<Claim, ArchiveError> {
        let found = self.find(key, version, |array| array.covering_slot(key))?;
        let claim = self.claims(version, vec![found])?.pop();
        claim.ok_or_else(|| Damage::missing(Place::Version(version)).into())
    }

    /// [`Snapshot::prove`] for many keys: claims in the order of the keys. Vectors are worked on in
    /// parallel, and each slot is opened once.
    ///
    /// # Errors
    /// As [`Snapshot::prove`].
    pub fn prove_many(&self, keys: &[Key], version: u64) -> Result<Vec<Claim>, ArchiveError> {
        let found = self.look_up(keys, version, |array, key| array.covering_slot(key))?;
        self.claims(version, found)
    }

    /// What a transaction needs that deletes a key: the claim for the covering slot, and behind it,
    /// where the key is present, the claim for its predecessor.
    ///
    /// # Errors
    /// As [`Snapshot::prove`].
    pub fn prove_delete(&self, key: &Key, version: u64) -> Result<Vec<Claim>, ArchiveError> {
        let needed = self.find(key, version, |array| needed_to_delete(array, key))?;
        self.claims(version, needed)
    }

    /// [`Snapshot::prove_delete`] for many keys: their claims in the order of the keys, made
    /// together.
    ///
    /// # Errors
    /// As [`Snapshot::prove`].
    pub fn prove_delete_many(&self, keys: &[Key], version: u64) -> Result<Vec<Vec<Claim>>, ArchiveError> {
        let needed = self.look_up(keys, version, needed_to_delete)?;
        let counts: Vec<usize> = needed.iter().map(Vec::len).collect();
        let mut claims = self.claims(version, needed.into_iter().flatten().collect())?.into_iter();
        Ok(counts.into_iter().map(|count| claims.by_ref().take(count).collect()).collect())
    }

    /// Looks up what [`Snapshot::prove_many`] of some keys and [`Snapshot::prove_delete_many`] of
    /// others need, and says what it would cost to prove it.
    ///
    /// # Errors
    /// As [`Snapshot::prove`].
    pub fn plan(&self, keys: &[Key], deletes: &[Key], version: u64) -> Result<Plan, ArchiveError> {
        let found = self.look_up(keys, version, |array, key| Ok(vec![array.covering_slot(key)?]))?;
        let needed = self.look_up(deletes, version, needed_to_delete)?;
        let found: Vec<Vec<Found>> = found.into_iter().chain(needed).collect();
        let slots: Vec<Found> = found.iter().flatten().cloned().collect();
        let cost = self.source.cost(self, version, &slots)?;
        Ok(Plan { version, found, cost: Duration::try_from_secs_f64(cost / 1e6).unwrap_or(Duration::MAX) })
    }

    /// What a look-up of so many keys takes of one core's time, about.
    pub fn cost_of_look_ups(keys: usize) -> Duration {
        let keys = u32_or_max(keys);
        Duration::try_from_secs_f64(LOOKUP_COST * f64::from(keys) / 1e6).unwrap_or(Duration::MAX)
    }

    /// The claims of a plan: those of its keys, then those of its deletes, each in their order.
    ///
    /// # Errors
    /// As [`Snapshot::prove`].
    pub fn claims_of(&self, plan: Plan) -> Result<Vec<Vec<Claim>>, ArchiveError> {
        let counts: Vec<usize> = plan.found.iter().map(Vec::len).collect();
        let mut claims = self.claims(plan.version, plan.found.into_iter().flatten().collect())?.into_iter();
        Ok(counts.into_iter().map(|count| claims.by_ref().take(count).collect()).collect())
    }

    /// The slots of [`Snapshot::prove_delete`], with their positions and without proofs.
    ///
    /// # Errors
    /// As [`Snapshot::prove`].
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
            self.at(version, |array| {
                keys.iter()
                    .map(|key| self.work.check().and_then(|()| find(array, key)))
                    .collect::<Result<Vec<T>, ArchiveError>>()
            })
        });
        let found: Vec<Vec<T>> = found.collect::<Result<_, ArchiveError>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Claims for slots.
    pub(crate) fn claims(&self, version: u64, found: Vec<Found>) -> Result<Vec<Claim>, ArchiveError> {
        let openings = self.source.openings(self, version, &found)?;
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
