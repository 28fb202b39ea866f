//! What is done to a dictionary: the same for ours and for the peers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

use aardvark_archive::import_blocks::BLOCK_CHANGES;
use aardvark_dictionary::{Change, Key, Value};

use super::options::Work;
use crate::workload::random::{Random, key};

/// Blocks of updates: one that warms up, five that are timed, and one that is followed.
const UPDATES: usize = 7;
/// Runs that prove, each other keys; the first warms up.
const RUNS: usize = 6;
/// The value of an absent key in the file.
const NO_VALUE: [u8; 8] = [0; 8];

/// A key and its value.
pub type Record = ([u8; 32], [u8; 8]);

/// All that is done to a dictionary.
pub struct Scene {
    /// What is imported, in blocks; keys ascend.
    pub import: Vec<Vec<Record>>,
    /// What is written then, in blocks; keys ascend in each.
    pub updates: Vec<Vec<Record>>,
    /// Keys that are there after all blocks but the last, and their values, by runs.
    pub present: Vec<Vec<Record>>,
    /// Keys that are never there, by runs.
    pub absent: Vec<Vec<[u8; 32]>>,
}

impl Scene {
    /// A dictionary of random keys, blocks of random updates, and random keys asked for.
    pub fn new(keys: u64, work: &Work) -> Self {
        let Work { operations, asked, .. } = *work;
        let mut random = Random::new(8);
        let mut value = || random.next().to_be_bytes();
        let mut records: Vec<Record> = (0..keys).map(|number| (bytes(number), value())).collect();
        let mut chosen = Random::new(9);
        let mut latest = BTreeMap::new();
        let mut updates = Vec::with_capacity(UPDATES);
        for number in 0..UPDATES {
            let mut block = BTreeMap::new();
            while (block.len() as u64) < operations.min(keys) {
                block.insert(bytes(chosen.below(keys)), value());
            }
            if number + 1 < UPDATES {
                latest.extend(&block);
            }
            updates.push(block.into_iter().collect());
        }
        let mut present = || {
            let number = chosen.below(keys);
            let (key, imported) = records.get(number as usize).copied().unwrap_or((bytes(number), NO_VALUE));
            (key, latest.get(&key).copied().unwrap_or(imported))
        };
        let present = (0..RUNS).map(|_| (0..asked).map(|_| present()).collect()).collect();
        let mut absent = (keys..).map(bytes);
        let absent = (0..RUNS).map(|_| absent.by_ref().take(asked as usize).collect()).collect();
        records.sort_unstable();
        let import = records.chunks(BLOCK_CHANGES).map(<[Record]>::to_vec).collect();
        Self { import, updates, present, absent }
    }

    /// Number of keys.
    pub fn keys(&self) -> u64 {
        self.import.iter().map(Vec::len).sum::<usize>() as u64
    }

    /// Keys that a block of updates writes.
    pub fn operations(&self) -> u64 {
        self.updates.first().map_or(0, Vec::len) as u64
    }

    /// Writes the file that the program `peers` reads, whose source says what it looks like.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        let absent = |keys: &Vec<[u8; 32]>| keys.iter().map(|key| (*key, NO_VALUE)).collect();
        let absent: Vec<Vec<Record>> = self.absent.iter().map(absent).collect();
        for lists in [&self.import, &self.updates, &self.present, &absent] {
            write_lists(&mut file, lists)?;
        }
        file.into_inner()?.sync_all()
    }
}

fn write_lists(file: &mut impl Write, lists: &[Vec<Record>]) -> Result<()> {
    file.write_all(&(lists.len() as u64).to_le_bytes())?;
    for records in lists {
        file.write_all(&(records.len() as u64).to_le_bytes())?;
        for (key, value) in records {
            file.write_all(key)?;
            file.write_all(value)?;
        }
    }
    Ok(())
}

fn bytes(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(&key(number));
    bytes
}

/// A block as an archive takes it.
pub fn changes(block: &[Record]) -> Vec<Change> {
    let change = |(key, value): &Record| Change { key: key_of(key), value: Some(Value::from(value.as_slice())) };
    block.iter().map(change).collect()
}

/// A key as an archive takes it.
pub fn key_of(key: &[u8; 32]) -> Key {
    Key::from(key.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_asked_for_have_the_value_of_the_last_block_that_wrote_them_but_one() {
        let scene = Scene::new(500, &Work { operations: 100, asked: 60, tables: 0, vector_size: 16 });
        assert_eq!((scene.keys(), scene.operations(), scene.updates.len()), (500, 100, UPDATES));
        let written = scene.import.iter().chain(scene.updates.split_last().unwrap().1).flatten();
        let state: BTreeMap<[u8; 32], [u8; 8]> = written.copied().collect();
        assert_eq!(state.len(), 500);
        assert!(scene.present.iter().flatten().all(|(key, value)| state.get(key) == Some(value)));
        assert!(scene.present.iter().flatten().any(|record| !scene.import.concat().contains(record)));
        assert!(scene.absent.iter().flatten().all(|key| !state.contains_key(key)));
    }
}
