//! Keys of the tables. Their byte order is the order in which they are looked for.
//!
//! ```text
//! meta              "genesis" | "head"
//! slots             u64 position
//! index             the slot's key
//! commitments       u64 vector
//! past_slots        u64 position || u64 version
//! past_keys         u8 level || u64 start of the block || the slot's key
//! past_commitments  u64 vector || u64 version
//! written           u64 version || u64 position
//! versions          u64 version
//! log               u64 version || u64 part
//! replay            u64 last_valid || transaction id (32)
//! ```
//!
//! What level and start of `past_keys` are, the module `past_index` says.

use aardvark_algebra::integers::u8_or_max;
use aardvark_dictionary::Key;

use crate::error::Place;
use crate::store::Table;

/// Genesis in `meta`.
pub(crate) const GENESIS: &[u8] = b"genesis";
/// The newest version in `meta`.
pub(crate) const HEAD: &[u8] = b"head";

/// A number as a key.
pub(crate) fn number(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}

/// Two numbers as a key, the first one first.
pub(crate) fn pair(first: u64, second: u64) -> [u8; 16] {
    let mut key = [0; 16];
    let (front, back) = key.split_at_mut(8);
    front.copy_from_slice(&first.to_be_bytes());
    back.copy_from_slice(&second.to_be_bytes());
    key
}

/// Bytes before the slot's key in a key of `past_keys`.
const PAST_KEY_PREFIX: usize = 9;

/// Level and start of a block of versions, and a slot's key, as a key of `past_keys`.
pub(crate) fn past_key(level: u32, start: u64, key: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PAST_KEY_PREFIX + key.len());
    bytes.push(u8_or_max(level));
    bytes.extend_from_slice(&start.to_be_bytes());
    bytes.extend_from_slice(key);
    bytes
}

/// An entry of the replay set.
pub(crate) fn replay(last_valid: u64, id: &[u8; 32]) -> [u8; 40] {
    let mut key = [0; 40];
    let (front, back) = key.split_at_mut(8);
    front.copy_from_slice(&last_valid.to_be_bytes());
    back.copy_from_slice(id);
    key
}

/// The inverse of [`number`].
pub(crate) fn read_number(key: &[u8]) -> Option<u64> {
    key.try_into().ok().map(u64::from_be_bytes)
}

/// The inverse of [`pair`].
pub(crate) fn read_pair(key: &[u8]) -> Option<(u64, u64)> {
    let (first, second) = key.split_at_checked(8)?;
    Some((read_number(first)?, read_number(second)?))
}

/// The inverse of [`past_key`].
pub(crate) fn read_past_key(bytes: &[u8]) -> Option<(u32, u64, Key)> {
    let (prefix, key) = bytes.split_at_checked(PAST_KEY_PREFIX)?;
    let (level, start) = prefix.split_first()?;
    Some(((*level).into(), read_number(start)?, Key::from(key)))
}

/// The inverse of [`replay`].
pub(crate) fn read_replay(key: &[u8]) -> Option<(u64, [u8; 32])> {
    let (last_valid, id) = key.split_at_checked(8)?;
    Some((read_number(last_valid)?, id.try_into().ok()?))
}

/// What a record is about, by its table and key.
pub(crate) fn place(table: Table, key: &[u8]) -> Place {
    let place = match table {
        Table::Meta if key == GENESIS => Some(Place::Genesis),
        Table::Meta if key == HEAD => Some(Place::Head),
        Table::Meta => None,
        Table::Slots => read_number(key).map(Place::Slot),
        Table::Index => Some(Place::Index(key.into())),
        Table::Commitments => read_number(key).map(Place::Commitment),
        Table::PastSlots => read_pair(key).map(|(position, version)| Place::PastSlot { position, version }),
        Table::PastKeys => read_past_key(key).map(|(level, start, key)| Place::PastKey { key, level, start }),
        Table::PastCommitments => read_pair(key).map(|(vector, version)| Place::PastCommitment { vector, version }),
        Table::Written => read_pair(key).map(|(version, position)| Place::Written { version, position }),
        Table::Versions => read_number(key).map(Place::Version),
        Table::Log => read_pair(key).map(|(version, _)| Place::Block(version)),
        Table::Replay => read_replay(key).map(|_| Place::Replay),
    };
    place.unwrap_or(Place::Key(table))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn past_keys_of_one_block_sort_by_key_and_are_read_back(
            (a, b) in (prop::collection::vec(any::<u8>(), 0..5), prop::collection::vec(any::<u8>(), 0..5)),
            (level, start) in (0..32u32, any::<u64>()),
        ) {
            prop_assert_eq!(past_key(level, start, &a).cmp(&past_key(level, start, &b)), a.cmp(&b));
            prop_assert_eq!(read_past_key(&past_key(level, start, &a)), Some((level, start, Key::from(a))));
        }
    }

    #[test]
    fn bytes_that_are_no_key_are_named_by_their_table() {
        assert_eq!(place(Table::Slots, b"short"), Place::Key(Table::Slots));
        assert_eq!(place(Table::PastKeys, &[0, 1, 0]), Place::Key(Table::PastKeys));
        assert_eq!(place(Table::Written, &pair(3, 4)), Place::Written { version: 3, position: 4 });
    }
}
