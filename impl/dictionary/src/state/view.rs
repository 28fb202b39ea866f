//! The view: every slot that a validator knows at version t (`aardvark_spec::block::view`, design
//! section 5).
//!
//! It is made of current claims and the tail, with the window's latest writes laid over both.
//! Whatever it holds stands in the array at t; by window completeness the slot that decides about a
//! key is always among them when honest claims were brought.

use std::convert::Infallible;

use crate::data::claim::Claim;
use crate::data::slot::Slot;
use crate::state::array::Slots;
use crate::state::slot_map::SlotMap;
use crate::state::tail::Tail;
use crate::state::window::Window;

/// Known slots at version t: window over tail and claims.
#[derive(Clone, Debug)]
pub struct View<'a> {
    size: u64,
    window: &'a Window,
    tail: &'a Tail,
    claimed: SlotMap,
}

impl<'a> View<'a> {
    /// What window and tail alone show of an array with `size` slots.
    pub fn new(size: u64, window: &'a Window, tail: &'a Tail) -> Self {
        Self { size, window, tail, claimed: SlotMap::default() }
    }

    /// Adds verified claims of version `version`; those that are not current are dropped.
    pub fn add_claims<O>(&mut self, version: u64, claims: &[Claim<O>]) {
        for claim in claims {
            if self.window.is_current(version, claim.position) {
                self.claimed.set(claim.position, Some(claim.slot.clone()));
            }
        }
    }

    /// Adds slots that are known to stand at t, such as those of a block's tail vectors.
    pub fn add_slots(&mut self, slots: impl Iterator<Item = (u64, Slot)>) {
        for (position, slot) in slots {
            self.claimed.set(position, Some(slot));
        }
    }

    /// The known slot that covers `key`.
    pub fn covering_slot(&self, key: &[u8]) -> Option<(u64, Slot)> {
        let beneath = || self.beneath(|slots| slots.covering(key));
        self.window.covering(key).or_else(beneath)
    }

    /// The known slot that precedes `key`.
    pub fn preceding_slot(&self, key: &[u8]) -> Option<(u64, Slot)> {
        let beneath = || self.beneath(|slots| slots.preceding(key));
        self.window.preceding(key).or_else(beneath)
    }

    /// What is found beneath the window.
    fn beneath<'s>(&'s self, search: impl Fn(&'s SlotMap) -> Option<(u64, &'s Slot)>) -> Option<(u64, Slot)> {
        let found = [self.tail.slots(), &self.claimed].into_iter().find_map(search);
        found.map(|(position, slot)| (position, slot.clone()))
    }
}

impl Slots for View<'_> {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.size
    }

    fn slot_at(&self, position: u64) -> Result<Option<Slot>, Infallible> {
        if let Some(content) = self.window.content_at(position) {
            return Ok(content);
        }
        Ok(self.tail.slots().get(position).or_else(|| self.claimed.get(position)).cloned())
    }

    fn covering(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Infallible> {
        Ok(self.covering_slot(key))
    }

    fn preceding(&self, key: &[u8]) -> Result<Option<(u64, Slot)>, Infallible> {
        Ok(self.preceding_slot(key))
    }
}
