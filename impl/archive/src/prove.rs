//! Proofs: the slot that answers for a key, with the opening of its vector at its index.
//!
//! An opening needs the N slots of one vector and nothing else, so a proof costs one walk over N records and one
//! multi-scalar multiplication, whatever the size of the dictionary.

use std::collections::BTreeMap;

use aardvark_algebra::Scalar;
use aardvark_commitment::{CommitmentError, VectorCommitment};
use aardvark_dictionary::{Claim, Key, Slot};
use rayon::prelude::*;

use crate::archive::Archive;
use crate::array_at::ArrayAt;
use crate::error::ArchiveError;

/// Vectors whose slots are held in memory at a time, while their openings are computed.
const BATCH: usize = 64;

impl Archive {
    /// Proves what a key was at a version: the claim for its covering slot, which says its value or its absence.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::EmptyKey`], [`ArchiveError::KeyTooLong`],
    /// [`ArchiveError::Damaged`].
    pub fn prove(&self, key: &Key, version: u64) -> Result<Claim, ArchiveError> {
        self.check_key(key)?;
        self.at(version, |array| {
            let (position, slot) = array.covering_slot(key)?;
            self.claim(array, position, slot)
        })
    }

    /// What a transaction needs that deletes a key: the claim for the covering slot, and behind it, where the key is
    /// present, the claim for its predecessor.
    ///
    /// # Errors
    /// As [`Archive::prove`].
    pub fn prove_delete(&self, key: &Key, version: u64) -> Result<Vec<Claim>, ArchiveError> {
        self.check_key(key)?;
        self.at(version, |array| {
            let (position, slot) = array.covering_slot(key)?;
            let mut needed = vec![(position, slot.clone())];
            if slot.key == *key {
                needed.push(array.preceding_slot(key)?);
            }
            needed.into_iter().map(|(position, slot)| self.claim(array, position, slot)).collect()
        })
    }

    /// [`Archive::prove`] for many keys: claims in the order of the keys. Openings are computed in parallel, and each
    /// slot is opened once.
    ///
    /// # Errors
    /// As [`Archive::prove`].
    pub fn prove_many(&self, keys: &[Key], version: u64) -> Result<Vec<Claim>, ArchiveError> {
        keys.iter().try_for_each(|key| self.check_key(key))?;
        self.at(version, |array| {
            let covering: Vec<(u64, Slot)> =
                keys.iter().map(|key| array.covering_slot(key)).collect::<Result<_, _>>()?;
            let openings = self.openings(array, covering.iter().map(|(position, _)| *position))?;
            let claims = covering.into_iter().map(|(position, slot)| {
                let opening = openings.get(&position).copied().unwrap_or([0; 48]);
                Claim { position, slot, opening }
            });
            Ok(claims.collect())
        })
    }

    fn claim(&self, array: &ArrayAt<'_>, position: u64, slot: Slot) -> Result<Claim, ArchiveError> {
        let scheme = self.scheme()?;
        let (scalars, index) = (self.vector_scalars(array, self.vector_of(position))?, self.index_of(position));
        let opening = scheme.open(&scalars, index)?.to_bytes();
        Ok(Claim { position, slot, opening })
    }

    /// Openings of positions, by position.
    fn openings(
        &self,
        array: &ArrayAt<'_>,
        positions: impl Iterator<Item = u64>,
    ) -> Result<BTreeMap<u64, [u8; 48]>, ArchiveError> {
        let scheme = self.scheme()?;
        let mut by_vector: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for position in positions {
            by_vector.entry(self.vector_of(position)).or_default().push(position);
        }
        let mut openings = BTreeMap::new();
        let by_vector: Vec<(u64, Vec<u64>)> = by_vector.into_iter().collect();
        for batch in by_vector.chunks(BATCH) {
            let mut wanted: Vec<(&[Scalar], u64)> = Vec::new();
            let vectors = batch.iter().map(|(vector, _)| self.vector_scalars(array, *vector));
            let vectors: Vec<Vec<Scalar>> = vectors.collect::<Result<_, _>>()?;
            for ((_, positions), scalars) in batch.iter().zip(&vectors) {
                let mut positions = positions.clone();
                positions.sort_unstable();
                positions.dedup();
                wanted.extend(positions.into_iter().map(|position| (scalars.as_slice(), position)));
            }
            let opened = wanted
                .into_par_iter()
                .map(|(scalars, position)| Ok((position, scheme.open(scalars, self.index_of(position))?.to_bytes())));
            openings.extend(opened.collect::<Result<Vec<_>, CommitmentError>>()?);
        }
        Ok(openings)
    }

    /// The scalars of a vector's slots in use; the scheme takes the rest for zeros.
    fn vector_scalars(&self, array: &ArrayAt<'_>, vector: u64) -> Result<Vec<Scalar>, ArchiveError> {
        use aardvark_dictionary::array::Slots;
        let vector_size = self.parameters().positions_per_vector();
        let start = vector * vector_size;
        let slots = array.slots(start, array.size().min(start + vector_size))?;
        Ok(slots.iter().map(Slot::scalar).collect())
    }

    fn vector_of(&self, position: u64) -> u64 {
        position / self.parameters().positions_per_vector()
    }

    fn index_of(&self, position: u64) -> usize {
        usize::try_from(position % self.parameters().positions_per_vector()).unwrap_or(usize::MAX)
    }
}
