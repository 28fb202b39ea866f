//! Changes in any order, brought into the order of their keys, in as much memory as is allowed.
//!
//! ```text
//! record = escaped key || 0 0 || u64 number of the change || u8 0 | u8 1 || value
//! ```
//!
//! where a zero in the key is escaped as `0 255`: so records are in the order of keys and, within a
//! key, in that in which the changes were given.

use std::io::{self, ErrorKind};

use aardvark_dictionary::{Change, Key, Value};

use crate::scratch::MakeFile;
use crate::sorting::{Sorted, Sorter};

/// Ends a key: no escaped key has it, and it sorts before what may follow.
const END: [u8; 2] = [0, 0];
/// A zero within a key.
const ZERO: [u8; 2] = [0, 255];

/// Changes on their way to be sorted.
pub struct ChangeSorter {
    sorter: Sorter,
    record: Vec<u8>,
}

impl ChangeSorter {
    /// A sorter that takes about so many bytes of memory, and files for what is more.
    pub fn new(memory: usize, make_file: MakeFile) -> Self {
        Self { sorter: Sorter::new(memory, make_file), record: Vec::new() }
    }

    /// Takes a change. Of those with one key the last one counts.
    ///
    /// # Errors
    /// What the system says of a temporary file.
    pub fn push(&mut self, change: &Change) -> io::Result<()> {
        self.record.clear();
        encode(&mut self.record, self.sorter.count(), change);
        self.sorter.push(&self.record)
    }

    /// The changes in strictly ascending order of keys, the last one of each key.
    ///
    /// # Errors
    /// What the system says of a temporary file.
    pub fn sorted(self) -> io::Result<SortedChanges> {
        let mut sorted = SortedChanges { sorted: self.sorter.sorted()?, ahead: None, superseded: 0 };
        sorted.ahead = sorted.read()?;
        Ok(sorted)
    }
}

/// Changes in strictly ascending order of keys.
pub struct SortedChanges {
    sorted: Sorted,
    ahead: Option<Change>,
    superseded: u64,
}

impl SortedChanges {
    /// How many changes were left out so far, because their key stood again further on.
    pub fn superseded(&self) -> u64 {
        self.superseded
    }

    fn read(&mut self) -> io::Result<Option<Change>> {
        let Some(record) = self.sorted.next().transpose()? else { return Ok(None) };
        decode(&record).map(Some).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    fn step(&mut self) -> io::Result<Option<Change>> {
        loop {
            let next = self.read()?;
            let last = std::mem::replace(&mut self.ahead, next);
            match (&last, &self.ahead) {
                (Some(last), Some(next)) if last.key == next.key => self.superseded += 1,
                _ => return Ok(last),
            }
        }
    }
}

impl Iterator for SortedChanges {
    type Item = io::Result<Change>;

    fn next(&mut self) -> Option<io::Result<Change>> {
        self.step().transpose()
    }
}

fn encode(record: &mut Vec<u8>, number: u64, Change { key, value }: &Change) {
    for byte in key.iter() {
        match byte {
            0 => record.extend_from_slice(&ZERO),
            other => record.push(*other),
        }
    }
    record.extend_from_slice(&END);
    record.extend_from_slice(&number.to_be_bytes());
    record.push(u8::from(value.is_some()));
    record.extend_from_slice(value.as_deref().unwrap_or_default());
}

/// The inverse of [`encode`], without the number; `None` where a disk gives something else.
fn decode(record: &[u8]) -> Option<Change> {
    let (mut key, mut rest) = (Vec::new(), record);
    loop {
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (plain, behind) = rest.split_at(end);
        key.extend_from_slice(plain);
        let (mark, behind) = behind.split_at_checked(ZERO.len())?;
        rest = behind;
        match mark {
            mark if mark == END => break,
            mark if mark == ZERO => key.push(0),
            _ => return None,
        }
    }
    let (_, content) = rest.split_at_checked(size_of::<u64>())?;
    let value = match content.split_first()? {
        (0, []) => None,
        (1, value) => Some(Value::from(value)),
        _ => return None,
    };
    Some(Change { key: Key::from(key), value })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use aardvark_algebra::integers::u64_of_usize;
    use proptest::prelude::*;

    use crate::scratch::temporary_files;

    use super::*;

    /// Bytes that escaping has to look at, and others.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(vec![0, 1, 2, 254, 255]), 0..5)
    }

    proptest! {
        #[test]
        fn changes_come_in_the_order_of_their_keys_and_of_each_key_the_last(
            given in prop::collection::vec((bytes(), prop::option::of(bytes())), 0..60),
            memory in prop::sample::select(vec![0, 300, usize::MAX]),
        ) {
            let mut expected = BTreeMap::new();
            let mut sorter = ChangeSorter::new(memory, temporary_files(None));
            for (key, value) in &given {
                let (key, value) = (Key::from(key.as_slice()), value.as_deref().map(Value::from));
                sorter.push(&Change { key: key.clone(), value: value.clone() }).unwrap();
                expected.insert(key, value);
            }
            let mut sorted = sorter.sorted().unwrap();
            let found: Vec<Change> = sorted.by_ref().map(Result::unwrap).collect();
            prop_assert_eq!(sorted.superseded(), u64_of_usize(given.len() - expected.len()));
            let expected: Vec<Change> = expected.into_iter().map(|(key, value)| Change { key, value }).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn whatever_a_disk_gives_back_is_a_change_or_none(record in prop::collection::vec(0..3u8, 0..40)) {
            if let Some(change) = decode(&record) {
                let number = record.len() - usize::from(change.value.as_ref().map_or(0, |value| value.len() as u16));
                let number = record.get(number - 9..number - 1).unwrap();
                let mut again = Vec::new();
                encode(&mut again, u64::from_be_bytes(number.try_into().unwrap()), &change);
                prop_assert_eq!(again, record);
            }
        }
    }
}
