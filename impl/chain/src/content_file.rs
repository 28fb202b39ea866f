//! First content in a file of its own, where it is too large for `app_state`: that has the digest
//! and the number of entries, and the file stands beside genesis.json.
//!
//! ```text
//! genesis-content.bin = u64 n | n * (u16 length | key | u16 length | value)          keys strictly ascending
//! content digest      = H("AARDVARK-V2-CONTENT", those bytes)
//! ```
//!
//! They are the bytes that the dictionary id is over, and those that an archive of the chain gives
//! as `/v1/blocks/0/raw`. The file is read as a stream: nothing is allocated by a number that
//! stands in it, and what is longer, out of order or more than genesis says ends it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use aardvark_algebra::integers::{u16_or_max, u64_of_usize};
use aardvark_dictionary::{ContentHasher, Key, Parameters, Value};

/// The file's name beside genesis.json.
pub const CONTENT_FILE: &str = "genesis-content.bin";

/// What a genesis says of content that stands elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentDigest {
    /// The digest.
    pub digest: [u8; 32],
    /// How many entries it is over.
    pub entries: u64,
}

/// Why a content file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContentError {
    /// There is none.
    #[error(
        "the chain begins with {entries} entries that stand in a file of their own, and there is no {}: get it from where genesis.json is from, \
         or from an archive of the chain, with curl ARCHIVE/v1/blocks/0/raw -o {}; --content names another place",
        path.display(), path.display()
    )]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
        /// How many entries it has.
        entries: u64,
    },
    /// The system says no.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another number of entries than genesis says.
    #[error("{}: {found} entries, where genesis says {expected}", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// Entries there.
        found: u64,
        /// Entries that genesis says.
        expected: u64,
    },
    /// What is no entry of this dictionary.
    #[error("{}: entry {number}: {what}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// Which entry, from 1.
        number: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Other content than genesis says.
    #[error("{}: it has the digest 0x{}, genesis says 0x{}: it is that of another chain, or damaged", path.display(), hex::encode(found), hex::encode(expected))]
    Digest {
        /// The file.
        path: PathBuf,
        /// The file's.
        found: [u8; 32],
        /// That of genesis.
        expected: [u8; 32],
    },
}

/// What genesis says of these entries, and the bytes that the file has.
pub fn digest(entries: &[(Key, Value)]) -> ContentDigest {
    let count = u64_of_usize(entries.len());
    let mut hasher = ContentHasher::new(count);
    entries.iter().for_each(|(key, value)| hasher.add(key, value));
    ContentDigest { digest: hasher.finish().unwrap_or_default(), entries: count }
}

/// Bytes of the entries in the file.
pub fn length(entries: &[(Key, Value)]) -> usize {
    entries.iter().fold(8, |sum, (key, value)| sum + 4 + key.len() + value.len())
}

/// Where a content file is: beside the genesis file, unless the user names another place.
pub fn content_path(genesis: &Path, named: Option<&Path>) -> PathBuf {
    named.map_or_else(|| genesis.with_file_name(CONTENT_FILE), Path::to_owned)
}

/// Writes the file whole or not at all.
///
/// # Errors
/// [`ContentError::File`].
pub fn write(path: &Path, entries: &[(Key, Value)]) -> Result<(), ContentError> {
    let failed = |source| ContentError::File { path: path.to_owned(), source };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".writing");
    let beside = path.with_file_name(name);
    let written = || {
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&beside)?);
        file.write_all(&u64_of_usize(entries.len()).to_be_bytes())?;
        for (key, value) in entries {
            for bytes in [&**key, &**value] {
                file.write_all(&u16_or_max(bytes.len()).to_be_bytes())?;
                file.write_all(bytes)?;
            }
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(&beside, path)
    };
    written().map_err(|source| {
        // What could not be written is of no use.
        let _ = std::fs::remove_file(&beside);
        failed(source)
    })
}

/// The entries of a file, as genesis says them.
///
/// # Errors
/// [`ContentError`].
pub fn read(path: &Path, says: &ContentDigest, parameters: &Parameters) -> Result<Vec<(Key, Value)>, ContentError> {
    let failed = |source| ContentError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ContentError::Missing { path: path.to_owned(), entries: says.entries },
        _ => failed(error),
    })?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let bad = |number, what| ContentError::Entry { path: path.to_owned(), number, what };
    let cut = |number: u64| {
        move |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => bad(number, "the file ends within it"),
            _ => failed(error),
        }
    };
    let mut count = [0; 8];
    reader.read_exact(&mut count).map_err(cut(1))?;
    let found = u64::from_be_bytes(count);
    if found != says.entries {
        return Err(ContentError::Count { path: path.to_owned(), found, expected: says.entries });
    }
    let mut hasher = ContentHasher::new(found);
    let mut entries: Vec<(Key, Value)> = Vec::new();
    for number in 1..=found {
        let key = field(&mut reader, parameters.max_key_length).map_err(cut(number))?;
        let key =
            Key::from(key.filter(|key| !key.is_empty()).ok_or_else(|| bad(number, "its key is empty or too long"))?);
        let value = field(&mut reader, parameters.max_value_length).map_err(cut(number))?;
        let value = Value::from(value.ok_or_else(|| bad(number, "its value is too long"))?);
        if entries.last().is_some_and(|(last, _)| *last >= key) {
            return Err(bad(number, "its key is out of order, or stands twice"));
        }
        hasher.add(&key, &value);
        entries.push((key, value));
    }
    if reader.read(&mut [0]).map_err(failed)? > 0 {
        return Err(bad(found.saturating_add(1), "there is more than genesis says"));
    }
    let found = hasher.finish().unwrap_or_default();
    if found != says.digest {
        return Err(ContentError::Digest { path: path.to_owned(), found, expected: says.digest });
    }
    Ok(entries)
}

/// Bytes behind their length; `None` where there are more than `most`.
fn field(reader: &mut impl Read, most: u16) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 2];
    reader.read_exact(&mut length)?;
    let length = u16::from_be_bytes(length);
    if length > most {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::from(length)];
    reader.read_exact(&mut bytes)?;
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<(Key, Value)> {
        (0..40).map(|i| (Key::from(format!("key-{i:02}").as_str()), Value::from("some value"))).collect()
    }

    /// What comes of the file after `change` to its bytes.
    fn read_after(change: impl FnOnce(&mut Vec<u8>)) -> Result<Vec<(Key, Value)>, ContentError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CONTENT_FILE);
        write(&path, &entries()).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len(), length(&entries()));
        change(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        read(&path, &digest(&entries()), &Parameters::default())
    }

    #[test]
    fn content_survives_its_file() {
        assert_eq!(read_after(|_| ()).unwrap(), entries());
    }

    #[test]
    fn every_cut_and_every_flipped_bit_of_a_content_file_is_refused() {
        let whole = length(&entries());
        for end in (0..whole).step_by(7) {
            assert!(matches!(read_after(|bytes| bytes.truncate(end)), Err(ContentError::Entry { .. })), "{end}");
        }
        for byte in (0..whole).step_by(5) {
            assert!(read_after(|bytes| bytes[byte] ^= 1 << (byte % 8)).is_err(), "{byte}");
        }
        assert!(matches!(read_after(|bytes| bytes.push(0)), Err(ContentError::Entry { number: 41, .. })));
    }

    #[test]
    fn counts_order_and_lengths_are_refused_where_they_stand() {
        let counted = read_after(|bytes| bytes[..8].fill(0xff));
        assert!(matches!(counted, Err(ContentError::Count { found: u64::MAX, expected: 40, .. })));
        // The second key becomes the first's; the first key becomes empty, or longer than any.
        let again = read_after(|bytes| bytes[8 + 20 + 2 + 5] = b'0');
        assert!(
            matches!(again, Err(ContentError::Entry { number: 2, what, .. }) if what.contains("twice")),
            "{again:?}"
        );
        for (length, what) in [([0, 0], "key"), ([1, 0], "key")] {
            let read = read_after(|bytes| bytes[8..10].copy_from_slice(&length));
            assert!(matches!(read, Err(ContentError::Entry { number: 1, what: found, .. }) if found.contains(what)));
        }
        let other = read_after(|bytes| *bytes.last_mut().unwrap() = b'x');
        assert!(matches!(other, Err(ContentError::Digest { .. })));
    }

    #[test]
    fn a_missing_file_says_what_it_is_and_where_it_can_be_had() {
        let missing = read(Path::new("/nowhere/genesis-content.bin"), &digest(&entries()), &Parameters::default());
        let said = missing.unwrap_err().to_string();
        assert!(
            said.contains("40 entries") && said.contains("/v1/blocks/0/raw") && said.contains("--content"),
            "{said}"
        );
    }
}
