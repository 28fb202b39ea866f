//! Bodies that do not stand in a post's value: a file for each, named by its SHA-256.
//!
//! A file is named by a post, or waited for by a draft, or neither: such orphans are left of drafts
//! that were forgotten when the board stopped. They are counted when the board opens, and go where
//! room is needed.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use aardvark_proof::hex_text::{decode_array, encode};
use aardvark_sigma::Digest;

/// Writes a file that is there whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // Two who write one body have a file each until it is whole.
    let part = path.with_extension(format!("{}.part", NEXT.fetch_add(1, Ordering::Relaxed)));
    let written = fs::File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    match written.and_then(|()| fs::rename(&part, path)) {
        Ok(()) => Ok(()),
        Err(error) => {
            let _ = fs::remove_file(&part);
            Err(error)
        }
    }
}

/// The folder of bodies.
#[derive(Debug)]
pub(crate) struct Bodies {
    directory: PathBuf,
    named: HashSet<Digest>,
    named_bytes: u64,
    orphans: BTreeMap<Digest, u64>,
}

impl Bodies {
    /// Opens the folder and counts what is in it, all of it orphans before posts name some. What
    /// was half written goes.
    pub(crate) fn open(directory: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&directory)?;
        let mut bodies = Self { directory, named: HashSet::new(), named_bytes: 0, orphans: BTreeMap::new() };
        for entry in fs::read_dir(&bodies.directory)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let length = entry.metadata()?.len();
            match decode_array::<32>(&name) {
                Ok(digest) => drop(bodies.orphans.insert(digest, length)),
                Err(_) if name.ends_with(".part") => fs::remove_file(entry.path())?,
                Err(_) => {}
            }
        }
        Ok(bodies)
    }

    /// The file of a body.
    pub(crate) fn path(&self, digest: &Digest) -> PathBuf {
        self.directory.join(encode(digest))
    }

    /// Whether the body is there, with this length.
    pub(crate) fn has(&self, digest: &Digest, length: u64) -> bool {
        fs::metadata(self.path(digest)).is_ok_and(|data| data.len() == length)
    }

    /// Bytes of bodies that posts name.
    pub(crate) fn named_bytes(&self) -> u64 {
        self.named_bytes
    }

    /// Bytes of bodies that neither post nor draft names.
    pub(crate) fn orphaned_bytes(&self) -> u64 {
        self.orphans.values().sum()
    }

    /// A post names a body. One that is not here, or has another length, lies at another board of
    /// the chain or nowhere, and takes no room.
    pub(crate) fn name(&mut self, digest: &Digest, length: u64) {
        if self.has(digest, length) {
            self.orphans.remove(digest);
            if self.named.insert(*digest) {
                self.named_bytes = self.named_bytes.saturating_add(length);
            }
        }
    }

    /// A draft waits for a body.
    pub(crate) fn adopt(&mut self, digest: &Digest) {
        self.orphans.remove(digest);
    }

    /// No draft waits for a body any more: unless a post names it, its file goes.
    pub(crate) fn forget(&self, digest: &Digest) -> io::Result<()> {
        if self.named.contains(digest) {
            return Ok(());
        }
        match fs::remove_file(self.path(digest)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes the orphans.
    pub(crate) fn remove_orphans(&mut self) -> io::Result<()> {
        for digest in core::mem::take(&mut self.orphans).into_keys() {
            self.forget(&digest)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

    use super::*;

    #[test]
    fn posts_take_no_room_with_bodies_that_are_not_here() {
        let folder = tempfile::tempdir().unwrap();
        let (here, elsewhere) = ([1; 32], [2; 32]);
        fs::write(folder.path().join(encode(&here)), [7; 1000]).unwrap();
        let mut bodies = Bodies::open(folder.path().to_owned()).unwrap();
        bodies.name(&elsewhere, 128 << 20);
        bodies.name(&here, 128 << 20);
        assert_eq!((bodies.named_bytes(), bodies.orphaned_bytes()), (0, 1000));
        bodies.name(&here, 1000);
        bodies.name(&here, 1000);
        assert_eq!((bodies.named_bytes(), bodies.orphaned_bytes()), (1000, 0));
        // Only what a post names stays.
        bodies.remove_orphans().unwrap();
        assert!(bodies.has(&here, 1000));
    }
}
