//! The scan of a table: which runs have their keys in a box, as a chain of slots shows it.
//!
//! ```text
//! cursor := box_next("")
//! each slot must cover the cursor; if its key is the cursor, it is a run of the box
//! cursor := box_next(slot.next); there is none where the ring closes
//! the slots end exactly where the cursor does
//! ```
//!
//! Each key of the box is then the key of a slot, or lies in the gap of one. Keys of other tables,
//! columns and lengths are in no box, so they neither hide a run nor pass for one. It is the scan
//! of [`crate::answer::scan`] over another set of keys, without a limit. All slots must be of one
//! version. Source: docs/tables.md, "The scan".

use crate::answer::scan::*;
use crate::base::bytes::*;
use crate::dictionary::key_map::*;
use crate::dictionary::slot::*;
use crate::table::key_box::*;
use hacspec_lib::*;

/// Where a scan begins.
pub fn table_scan_start(key_box: &KeyBox) -> Scan {
    Scan { scan_cursor: box_next(key_box, &ByteString::new(0)), scan_entries: empty_key_map() }
}

/// The cursor after a slot that covers `cursor`.
pub fn table_cursor_after(key_box: &KeyBox, cursor: &ByteString, slot: &Slot) -> Option<ByteString> {
    if bytes_less(cursor, &slot.next) { box_next(key_box, &slot.next) } else { None }
}

/// The scan after one more slot.
pub fn table_scan_slot(key_box: &KeyBox, scan: &Scan, slot: &Slot) -> Result<Scan, ChainFault> {
    match &scan.scan_cursor {
        None => Err(ChainFault::SlotSuperfluous),
        Some(cursor) => {
            if covers(slot, cursor) {
                Ok(Scan {
                    scan_cursor: table_cursor_after(key_box, cursor, slot),
                    scan_entries: entries_after(scan.scan_entries.clone(), cursor, slot),
                })
            } else {
                Err(ChainFault::NotCovering)
            }
        }
    }
}

/// One step of [`table_scan_slots`].
pub fn table_scan_slots_step(
    progress: Result<Scan, ChainFault>,
    key_box: &KeyBox,
    slot: &Slot,
) -> Result<Scan, ChainFault> {
    match progress {
        Err(fault) => Err(fault),
        Ok(scan) => table_scan_slot(key_box, &scan, slot),
    }
}

/// The scan after all slots, wherever it has come.
pub fn table_scan_slots(key_box: &KeyBox, chain: &Seq<Slot>) -> Result<Scan, ChainFault> {
    let mut progress = Ok(table_scan_start(key_box));
    for i in 0..chain.len() {
        progress = table_scan_slots_step(progress, key_box, &chain[i]);
    }
    progress
}

/// The keys of a box that a chain of slots shows, with their values.
pub fn table_scan(key_box: &KeyBox, chain: &Seq<Slot>) -> Result<KeyMap, ChainFault> {
    let scan = table_scan_slots(key_box, chain)?;
    match scan.scan_cursor {
        None => Ok(scan.scan_entries),
        Some(_) => Err(ChainFault::SlotMissing),
    }
}
