//! What is done to a dictionary: read from a file that `benches peers` writes, so that the peers
//! and the archive get the same keys and values in the same blocks.
//!
//! The file has, in this order: the blocks of the import, the blocks of updates, the keys to prove
//! present and those to prove absent, by runs. Each of the four is a list of lists of records. A
//! list is its length, eight bytes in little-endian order, and its items; a record is a key of 32
//! bytes and a value of 8, which is zero for absent keys.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// A key.
pub type Key = [u8; 32];
/// A value.
pub type Value = [u8; 8];
/// A key and its value.
pub type Record = (Key, Value);

/// Bytes of a record.
const RECORD: usize = 40;

/// All that is done to a dictionary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// What is imported, in blocks; keys ascend.
    pub import: Vec<Vec<Record>>,
    /// What is written then, in blocks; the first warms up.
    pub updates: Vec<Vec<Record>>,
    /// Keys that are there after all blocks but the last, and their values, by runs; the first run
    /// warms up.
    pub present: Vec<Vec<Record>>,
    /// Keys that are never there, by runs.
    pub absent: Vec<Vec<Key>>,
}

impl Scene {
    /// Reads a scene.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        let mut rest = bytes.as_slice();
        let [import, updates, present, absent] = [(); 4].map(|()| lists(&mut rest));
        let absent = absent?.iter().map(|records| records.iter().map(|(key, _)| *key).collect()).collect();
        ensure!(rest.is_empty(), "{} bytes after the scene", rest.len());
        Ok(Self { import: import?, updates: updates?, present: present?, absent })
    }

    /// Number of keys imported.
    pub fn keys(&self) -> usize {
        self.import.iter().map(Vec::len).sum()
    }
}

fn lists(rest: &mut &[u8]) -> Result<Vec<Vec<Record>>> {
    (0..length(rest)?).map(|_| records(rest)).collect()
}

fn records(rest: &mut &[u8]) -> Result<Vec<Record>> {
    let bytes = length(rest)?.checked_mul(RECORD).context("a list that is too long")?;
    let (taken, left) = rest.split_at_checked(bytes).context("a list that ends early")?;
    *rest = left;
    taken.chunks_exact(RECORD).map(record).collect()
}

fn record(bytes: &[u8]) -> Result<Record> {
    let (key, value) = bytes.split_at_checked(32).context("a record that ends early")?;
    Ok((key.try_into()?, value.try_into()?))
}

fn length(rest: &mut &[u8]) -> Result<usize> {
    let (bytes, left) = rest.split_first_chunk::<8>().context("a length that ends early")?;
    *rest = left;
    Ok(usize::try_from(u64::from_le_bytes(*bytes))?)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A scene of 256 keys, with two blocks of updates after one that warms up.
    pub fn small() -> Scene {
        let key = |number: u8, kind: u8| {
            let mut key = [kind; 32];
            key[0] = number;
            key
        };
        let import: Vec<Vec<Record>> =
            [0..=99, 100..=255].map(|numbers| numbers.map(|number| (key(number, 7), [number; 8])).collect()).to_vec();
        let write = |value: u8| (0..=254).step_by(2).map(|number| (key(number, 7), [value; 8])).collect();
        let present = (0..=255).map(|number| (key(number, 7), [if number % 2 == 0 { 2 } else { number }; 8])).collect();
        let absent = (0..=255).flat_map(|number| [key(number, 6), key(number, 8)]).collect();
        let twice = vec![present; 2];
        Scene { import, updates: vec![write(1), write(2), write(3)], present: twice, absent: vec![absent; 3] }
    }

    #[test]
    fn a_file_that_ends_early_or_late_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("scene");
        let mut bytes = Vec::new();
        for length in [1u64, 1] {
            bytes.extend_from_slice(&length.to_le_bytes());
        }
        bytes.extend_from_slice(&[5; RECORD]);
        // No updates, and nothing asked for.
        bytes.extend_from_slice(&[0; 24]);
        fs::write(&path, &bytes).unwrap();
        let scene = Scene::read(&path).unwrap();
        assert_eq!(scene, Scene { import: vec![vec![([5; 32], [5; 8])]], ..Scene::default() });
        for wrong in [&bytes[..bytes.len() - 1], &bytes[..20], &[bytes.as_slice(), &[0]].concat()] {
            fs::write(&path, wrong).unwrap();
            assert!(Scene::read(&path).is_err());
        }
        fs::write(&path, u64::MAX.to_le_bytes()).unwrap();
        assert!(Scene::read(&path).is_err());
    }
}
