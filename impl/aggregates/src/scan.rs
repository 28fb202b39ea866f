//! The scan of a table: which runs have their keys in a box, as a chain of slots shows it
//! (`aardvark_spec::table::table_scan`).
//!
//! ```text
//! cursor := box.next("")
//! each slot must cover the cursor; if its key is the cursor, it is a run of the box
//! cursor := box.next(slot.next); there is none where the ring closes
//! the slots end exactly where the cursor does
//! ```
//!
//! Each key of the box is then the key of a slot, or lies in the gap of one. Keys of other tables,
//! columns and lengths are in no box, so they neither hide a run nor pass for one. All slots must
//! be of one version.

use aardvark_dictionary::{Key, Slot};
use aardvark_proof::scan::ChainFault;

use crate::key_box::KeyBox;

/// How far a scan has come.
#[derive(Clone, Debug)]
pub struct TableScan<'a> {
    key_box: &'a KeyBox,
    cursor: Option<Key>,
}

impl<'a> TableScan<'a> {
    /// A scan that begins.
    pub fn new(key_box: &'a KeyBox) -> Self {
        Self { key_box, cursor: key_box.next(&[]).map(Key::from) }
    }

    /// The key that the next slot has to cover; `None` where all is known.
    pub fn wanted(&self) -> Option<&Key> {
        self.cursor.as_ref()
    }

    /// Goes on with one more slot; whether it is a run of the box.
    ///
    /// # Errors
    /// [`ChainFault::SlotSuperfluous`], [`ChainFault::NotCovering`].
    pub fn step(&mut self, slot: &Slot) -> Result<bool, ChainFault> {
        let cursor = self.cursor.as_ref().ok_or(ChainFault::SlotSuperfluous)?;
        if !slot.covers(cursor) {
            return Err(ChainFault::NotCovering);
        }
        // The sentinel is no run; its key is in no box.
        let found = slot.key == *cursor;
        // Where the slot's next key does not come after the cursor, the ring closes.
        let next = Some(&slot.next).filter(|next| cursor < next);
        self.cursor = next.and_then(|next| self.key_box.next(next)).map(Key::from);
        Ok(found)
    }

    /// The end of the slots.
    ///
    /// # Errors
    /// [`ChainFault::SlotMissing`] where they end too early.
    pub fn finish(self) -> Result<(), ChainFault> {
        if self.cursor.is_some() { Err(ChainFault::SlotMissing) } else { Ok(()) }
    }
}

/// The places of those slots that are the runs of a box, if the slots are a scan of it.
///
/// # Errors
/// [`ChainFault`].
pub fn runs_in_box<'a>(key_box: &KeyBox, slots: impl IntoIterator<Item = &'a Slot>) -> Result<Vec<usize>, ChainFault> {
    let mut scan = TableScan::new(key_box);
    let mut runs = Vec::new();
    for (place, slot) in slots.into_iter().enumerate() {
        if scan.step(slot)? {
            runs.push(place);
        }
    }
    scan.finish()?;
    Ok(runs)
}
