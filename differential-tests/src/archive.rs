//! The honest archive: every version of the array, and an honest claim for every position of each.
//!
//! Claims are made with the specification's exponents. That the implementation's own `open` gives
//! the same bytes is compared elsewhere (`tests/algebra.rs`).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use aardvark_algebra::Scalar;
use aardvark_dictionary::array::Write;
use aardvark_dictionary::{Claim, Key, Slot, TailVector, Value};
use aardvark_spec::base::scalar::Scalar as SpecScalar;
use aardvark_spec::commitment::scheme::open;
use aardvark_spec::dictionary::slot::scalar_of_slot;
use hacspec_lib::Seq;

use crate::compare::{Mismatch, same};
use crate::convert::{exponent_from_spec, scalar_to_spec, slot_to_spec};
use crate::ordinary_map::OrdinaryMap;
use crate::points::{PointBytes, Points};
use crate::setting::Setting;

/// All versions of one dictionary.
#[derive(Debug)]
pub struct Archive {
    setting: Setting,
    /// The array at each version.
    arrays: Vec<Vec<Slot>>,
    /// The positions that each version wrote; nothing for version 0.
    written: Vec<BTreeSet<u64>>,
    /// Openings made so far.
    pub points: Points,
    scalars: RefCell<HashMap<Vec<u8>, SpecScalar>>,
    /// Whether claims carry openings.
    with_openings: bool,
}

impl Archive {
    /// The archive at version 0.
    pub fn new(setting: Setting, array: Vec<Slot>) -> Self {
        let (arrays, written) = (vec![array], vec![BTreeSet::new()]);
        let (points, scalars) = (Points::default(), RefCell::default());
        Self { setting, arrays, written, points, scalars, with_openings: true }
    }

    /// The archive at version 0, whose claims carry zeros for openings: for the dictionary alone.
    pub fn without_openings(setting: Setting, array: Vec<Slot>) -> Self {
        Self { with_openings: false, ..Self::new(setting, array) }
    }

    /// The setting.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Whether claims carry openings.
    pub fn with_openings(&self) -> bool {
        self.with_openings
    }

    /// The latest version, t.
    pub fn version(&self) -> u64 {
        self.arrays.len() as u64 - 1
    }

    /// N.
    pub fn vector_size(&self) -> u64 {
        self.setting.parameters.positions_per_vector()
    }

    /// The array at a version.
    pub fn array(&self, version: u64) -> &[Slot] {
        &self.arrays[version as usize]
    }

    /// The array at t.
    pub fn now(&self) -> &[Slot] {
        self.array(self.version())
    }

    /// Keys and values at t.
    pub fn map(&self) -> BTreeMap<Key, Value> {
        self.now().iter().skip(1).map(|slot| (slot.key.clone(), slot.value.clone())).collect()
    }

    /// Takes over the writes of the next version, whose array has `size` slots.
    pub fn take(&mut self, writes: &[Write], size: u64) {
        let mut array = self.now().to_vec();
        for write in writes {
            let position = write.position as usize;
            match &write.after {
                Some(slot) if position == array.len() => array.push(slot.clone()),
                Some(slot) => array[position] = slot.clone(),
                None => array.truncate(position.min(array.len())),
            }
        }
        assert_eq!(array.len() as u64, size, "the writes and the number of slots");
        self.arrays.push(array);
        self.written.push(writes.iter().map(|write| write.position).collect());
    }

    /// The array at t is well-formed, its sentinel first, and stands for the map.
    ///
    /// # Errors
    /// Where it is not.
    pub fn is_ring_of(&self, map: &OrdinaryMap) -> Result<(), Mismatch> {
        let array = self.now();
        same("keys and values", &map.0, &self.map())?;
        same("keys are distinct", map.0.len() + 1, array.len())?;
        let ascending: Vec<_> = [&Slot::default().key].into_iter().chain(map.0.keys()).cloned().collect();
        for (index, key) in ascending.iter().enumerate() {
            let next = ascending.get(index + 1).unwrap_or(&ascending[0]);
            let slot = array.iter().find(|slot| slot.key == *key);
            same("the next key", Some(next), slot.map(|slot| &slot.next))?;
        }
        same("the sentinel stands first", true, array[0].key.is_empty() && array[0].value.is_empty())
    }

    /// The position whose slot covers a key.
    pub fn covering(&self, version: u64, key: &[u8]) -> u64 {
        self.position(version, |slot| slot.covers(key))
    }

    /// The position whose slot precedes a key.
    pub fn preceding(&self, version: u64, key: &[u8]) -> u64 {
        self.position(version, |slot| slot.precedes(key))
    }

    /// Whether a key is present at a version.
    pub fn is_present(&self, version: u64, key: &Key) -> bool {
        self.array(version).iter().skip(1).any(|slot| slot.key == *key)
    }

    /// The position of a key at a version.
    pub fn position_of(&self, version: u64, key: &Key) -> Option<u64> {
        let found = self.array(version).iter().skip(1).position(|slot| slot.key == *key);
        found.map(|index| index as u64 + 1)
    }

    /// Whether a position was written in the versions after `after`, up to t.
    pub fn written_after(&self, after: u64, position: u64) -> bool {
        self.written.iter().skip(after as usize + 1).any(|written| written.contains(&position))
    }

    /// The positions that a version wrote.
    pub fn written_in(&self, version: u64) -> &BTreeSet<u64> {
        &self.written[version as usize]
    }

    /// The honest claim of a position in use at a version.
    pub fn claim(&self, version: u64, position: u64) -> Claim {
        let slot = self.array(version)[position as usize].clone();
        let opening = if self.with_openings { self.points.opening(self.exponent(version, position)) } else { [0; 48] };
        Claim { position, slot, opening }
    }

    /// The discrete logarithm of the honest opening of a position, which need not be in use; its
    /// vector, if it does not exist, is taken for one of zeros.
    pub fn exponent(&self, version: u64, position: u64) -> Scalar {
        let (vector, index) = (position / self.vector_size(), position % self.vector_size());
        let opening = open(&self.setting.setup, &self.vector(version, vector), index as usize);
        exponent_from_spec(opening)
    }

    /// The scalars of a vector at a version.
    pub fn vector(&self, version: u64, vector: u64) -> Seq<SpecScalar> {
        let start = vector.saturating_mul(self.vector_size());
        let scalars = (0..self.vector_size()).map(|index| {
            let position = usize::try_from(start + index).unwrap_or(usize::MAX);
            self.array(version).get(position).map_or_else(SpecScalar::default, |slot| self.scalar(slot))
        });
        Seq::from_vec(scalars.collect())
    }

    /// The whole vectors below `tail_start`, the highest first.
    pub fn tail_vectors(&self, version: u64, tail_start: u64) -> Vec<TailVector> {
        let whole = (tail_start as usize).min(self.array(version).len());
        let vectors = self.array(version)[..whole].chunks_exact(self.vector_size() as usize);
        vectors.rev().map(<[Slot]>::to_vec).collect()
    }

    /// The scalar of a slot, on which both sides must agree.
    fn scalar(&self, slot: &Slot) -> SpecScalar {
        let encoding = slot.encode();
        if let Some(scalar) = self.scalars.borrow().get(&encoding) {
            return *scalar;
        }
        let scalar = scalar_of_slot(&slot_to_spec(slot));
        assert!(scalar == scalar_to_spec(&slot.scalar()), "hash_to_scalar of {slot:?}");
        self.scalars.borrow_mut().insert(encoding, scalar);
        scalar
    }

    fn position(&self, version: u64, decides: impl Fn(&Slot) -> bool) -> u64 {
        let deciding: Vec<_> =
            self.array(version).iter().enumerate().filter(|(_, slot)| decides(slot)).map(|(index, _)| index).collect();
        assert_eq!(deciding.len(), 1, "exactly one slot decides: {:?}", self.array(version));
        deciding[0] as u64
    }
}

/// Bytes of an opening in the shape of a claim.
pub fn with_opening(claim: &Claim, opening: PointBytes) -> Claim {
    Claim { opening, ..claim.clone() }
}
