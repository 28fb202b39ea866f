//! The finite map from keys to values: an ordinary map, what a dictionary means to its users.
//!
//! The entries stand in strictly ascending order of their keys. Nobody outside this file changes
//! the sequence: others use [`key_map_get`] and [`key_map_put`].

use crate::base::bytes::*;
use hacspec_lib::*;

/// A key and its value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyEntry {
    /// The key.
    pub entry_key: ByteString,
    /// The value.
    pub entry_value: ByteString,
}

/// A finite map from keys to values.
pub type KeyMap = Seq<KeyEntry>;

/// The map without any key.
pub fn empty_key_map() -> KeyMap {
    KeyMap::new(0)
}

/// One step of [`key_map_get`].
pub fn key_map_get_step(found: Option<ByteString>, entry: &KeyEntry, k: &ByteString) -> Option<ByteString> {
    if bytes_equal(&entry.entry_key, k) { Some(entry.entry_value.clone()) } else { found }
}

/// The value of `k`, or absent.
pub fn key_map_get(entries: &KeyMap, k: &ByteString) -> Option<ByteString> {
    let mut found = None;
    for i in 0..entries.len() {
        found = key_map_get_step(found, &entries[i], k);
    }
    found
}

/// One step of [`entries_below`].
pub fn entries_below_step(below: KeyMap, entry: &KeyEntry, k: &ByteString) -> KeyMap {
    if bytes_less(&entry.entry_key, k) { below.push_owned(entry.clone()) } else { below }
}

/// The entries whose keys come before `k`.
pub fn entries_below(entries: &KeyMap, k: &ByteString) -> KeyMap {
    let mut below = empty_key_map();
    for i in 0..entries.len() {
        below = entries_below_step(below, &entries[i], k);
    }
    below
}

/// One step of [`entries_above`].
pub fn entries_above_step(above: KeyMap, entry: &KeyEntry, k: &ByteString) -> KeyMap {
    if bytes_less(k, &entry.entry_key) { above.push_owned(entry.clone()) } else { above }
}

/// The entries whose keys come after `k`.
pub fn entries_above(entries: &KeyMap, k: &ByteString) -> KeyMap {
    let mut above = empty_key_map();
    for i in 0..entries.len() {
        above = entries_above_step(above, &entries[i], k);
    }
    above
}

/// No entry for an absent content, one entry for a value.
pub fn entries_of(k: &ByteString, content: &Option<ByteString>) -> KeyMap {
    match content {
        None => empty_key_map(),
        Some(present) => empty_key_map().push_owned(KeyEntry { entry_key: k.clone(), entry_value: present.clone() }),
    }
}

/// The map with another content of `k`; `None` removes.
pub fn key_map_put(entries: &KeyMap, k: &ByteString, content: &Option<ByteString>) -> KeyMap {
    entries_below(entries, k).concat(&entries_of(k, content)).concat(&entries_above(entries, k))
}

/// One step of [`key_map_ascends`]: entry `i` comes after the one before it.
pub fn key_map_ascends_step(ascends: bool, entries: &KeyMap, i: usize) -> bool {
    if i > 0 { ascends && bytes_less(&entries[i - 1].entry_key, &entries[i].entry_key) } else { ascends }
}

/// Whether the keys are strictly ascending.
pub fn key_map_ascends(entries: &KeyMap) -> bool {
    let mut ascends = true;
    for i in 0..entries.len() {
        ascends = key_map_ascends_step(ascends, entries, i);
    }
    ascends
}
