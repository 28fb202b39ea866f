//! Which proofs are asked for: those of some vectors, at the rate that all vectors would be asked
//! at.
//!
//! What an archive does for one vector does not depend on what it is asked about others, as long as
//! all of their snapshots fit its budget. A block changes all vectors; asking some of them gives
//! the same time for a proof, in a fraction of the run's.

use std::ops::Range;

use aardvark_dictionary::{Key, Transaction};

use crate::workload::archive::MemoryArchive;
use crate::workload::random::Random;

/// Vectors, and how many proofs they are asked for.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Proofs for each update.
    pub per_update: usize,
    /// Positions in its vectors.
    positions: Range<u64>,
}

impl Sample {
    /// Samples one behind the other: numbers of vectors with their proofs for each update. Gives
    /// the number of all their vectors too.
    pub fn disjoint(wanted: &[(usize, usize)], vector_size: usize) -> (Vec<Self>, usize) {
        let mut first = 0;
        let mut samples = Vec::new();
        for (vectors, per_update) in wanted {
            let positions = (first * vector_size) as u64..((first + vectors) * vector_size) as u64;
            samples.push(Self { per_update: *per_update, positions });
            first += vectors;
        }
        (samples, first)
    }

    /// The keys to ask for before a block: at one proof an update those that the block's own
    /// transactions claim in the sample's vectors, otherwise so many times as many random ones.
    pub fn keys(&self, transactions: &[Transaction], array: &MemoryArchive, random: &mut Random) -> Vec<Key> {
        let claims = transactions.iter().flat_map(|transaction| &transaction.claims);
        let claimed = claims.filter(|claim| self.positions.contains(&claim.position));
        if self.per_update > 1 {
            return self.random_keys(array, random, claimed.count() * self.per_update);
        }
        // The sentinel has no key to ask for.
        claimed.map(|claim| claim.slot.key.clone()).filter(|key| !key.is_empty()).collect()
    }

    /// Keys at so many random positions in the sample's vectors.
    pub fn random_keys(&self, array: &MemoryArchive, random: &mut Random, count: usize) -> Vec<Key> {
        let end = self.positions.end.min(array.scalars().len() as u64);
        let length = end.saturating_sub(self.positions.start);
        let mut position = || self.positions.start + random.below(length.max(1));
        let slots = (0..count).filter_map(|_| array.slot(position()));
        slots.map(|slot| slot.key.clone()).filter(|key| !key.is_empty()).collect()
    }
}
