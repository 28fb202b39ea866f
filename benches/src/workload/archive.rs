//! The honest archive that a workload asks for claims: the whole array in memory, at one version.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Bound;

use aardvark_algebra::Scalar;
use aardvark_dictionary::array::{Draft, Slots, Write};
use aardvark_dictionary::changes::NetChanges;
use aardvark_dictionary::{Genesis, Key, Operation, Slot, TailVector, Value};
use rayon::prelude::*;

use crate::error::{BenchError, require};

/// Slots by position, positions by key, and every slot's scalar.
#[derive(Clone, Debug)]
pub struct MemoryArchive {
    slots: Vec<Slot>,
    positions: BTreeMap<Key, u64>,
    scalars: Vec<Scalar>,
}

impl MemoryArchive {
    /// The array of version 0.
    pub fn new(genesis: &Genesis) -> Self {
        let slots: Vec<Slot> = genesis.slots().collect();
        let positions = slots.iter().zip(0..).map(|(slot, position)| (slot.key.clone(), position)).collect();
        let scalars = slots.par_iter().map(Slot::scalar).collect();
        Self { slots, positions, scalars }
    }

    /// Scalars of all slots, by position.
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// Slots from `start` on.
    pub fn slots_from(&self, start: u64) -> &[Slot] {
        self.slots.get(start as usize..).unwrap_or_default()
    }

    /// Positions of the slots that an honest transaction with this operation claims: the covering
    /// one, and the predecessor of a present key that is deleted.
    pub fn positions_to_claim(&self, operation: &Operation) -> Vec<u64> {
        let covering = self.greatest(Bound::Included(operation.key()));
        let present = covering.and_then(|position| self.slots.get(position as usize));
        let deleted = present.is_some_and(|slot| operation.deletes(&slot.key));
        let predecessor = deleted.then(|| self.greatest(Bound::Excluded(operation.key()))).flatten();
        covering.into_iter().chain(predecessor).collect()
    }

    /// The slot at a position in use.
    pub fn slot(&self, position: u64) -> Option<&Slot> {
        self.slots.get(position as usize)
    }

    /// The whole vectors below `tail_start`, the highest first, as many as a block needs that
    /// leaves `size` slots.
    pub fn tail_vectors(&self, tail_start: u64, size: u64, vector_size: u64) -> Vec<TailVector> {
        let needed = aardvark_dictionary::tail::tail_needed(tail_start, size, vector_size);
        let vector = |below: u64| {
            let first = (tail_start - below * vector_size) as usize;
            self.slots.get(first..first + vector_size as usize).unwrap_or_default().to_vec()
        };
        (1..=needed).map(vector).collect()
    }

    /// What operations change net, computed on the whole array.
    pub fn net_changes<'a>(&self, operations: impl Iterator<Item = &'a Operation>) -> Result<NetChanges, BenchError> {
        let mut after: BTreeMap<&Key, Option<&Value>> = BTreeMap::new();
        for operation in operations {
            match operation {
                Operation::Put(key, value) => after.insert(key, Some(value)),
                Operation::Delete(key) => after.insert(key, None),
                other => return Err(BenchError::Wrong(format!("no workload has the operation {other:?}"))),
            };
        }
        let mut changes = NetChanges::default();
        for (key, after) in after {
            let before = self.positions.get(key).and_then(|position| self.slot(*position)).map(|slot| &slot.value);
            changes.push(key, before, after);
        }
        Ok(changes)
    }

    /// The writes of changes, ascending; nothing is changed yet.
    pub fn writes(&self, changes: &NetChanges) -> Result<Vec<Write>, BenchError> {
        let mut draft = Draft::new(self);
        let applied = draft.apply(changes);
        require(applied.is_ok(), || "the whole array lacks a slot that a change needs".to_owned())?;
        Ok(draft.writes())
    }

    /// Takes over writes; gives what each written position's scalar grows by.
    pub fn take(&mut self, writes: &[Write], size: u64) -> Vec<Scalar> {
        let size = size as usize;
        for write in writes {
            if let Some(old) = self.slot(write.position).map(|slot| slot.key.clone())
                && self.positions.get(&old) == Some(&write.position)
            {
                self.positions.remove(&old);
            }
        }
        self.slots.resize(size.max(self.slots.len()), Slot::default());
        self.scalars.resize(self.slots.len(), Scalar::from(0u64));
        let after: Vec<Scalar> =
            writes.par_iter().map(|write| write.after.as_ref().map_or(Scalar::default(), Slot::scalar)).collect();
        let mut deltas = Vec::with_capacity(writes.len());
        for (write, scalar) in writes.iter().zip(after) {
            let position = write.position as usize;
            if let (Some(slot), Some(old)) = (self.slots.get_mut(position), self.scalars.get_mut(position)) {
                deltas.push(scalar - *old);
                *old = scalar;
                *slot = write.after.clone().unwrap_or_default();
            }
            if let Some(slot) = &write.after {
                self.positions.insert(slot.key.clone(), write.position);
            }
        }
        self.slots.truncate(size);
        self.scalars.truncate(size);
        deltas
    }

    fn greatest(&self, upper: Bound<&[u8]>) -> Option<u64> {
        self.positions.range::<[u8], _>((Bound::Unbounded, upper)).next_back().map(|(_, position)| *position)
    }

    fn found(&self, position: Option<u64>) -> Option<(u64, Slot)> {
        let position = position?;
        self.slot(position).map(|slot| (position, slot.clone()))
    }
}

impl Slots for MemoryArchive {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.slots.len() as u64
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, Infallible> {
        Ok(self.slot(position).cloned())
    }

    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Infallible> {
        Ok(self.found(self.greatest(Bound::Included(key))))
    }

    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Infallible> {
        // The smallest key's predecessor is the largest, around the ring; the sentinel is never
        // asked for.
        Ok(self.found(self.greatest(Bound::Excluded(key))))
    }
}
