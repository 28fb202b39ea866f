//! A file that can be written without being changed: writes go to memory, over the file's bytes.
//!
//! redb checks and repairs a file by writing to it. On a shadow it does so for a reader or an
//! audit, which must leave the file as it is.

use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};

/// Unit of what is kept in memory. redb's pages are no smaller.
const BLOCK: u64 = 4096;

/// A file opened for reading, under what was written over it.
pub(crate) struct Shadow {
    file: FileBackend,
    file_length: u64,
    over: Mutex<Overlay>,
}

struct Overlay {
    length: u64,
    /// Where the file's own bytes end for good: what was cut off once reads as zeros.
    file_visible: u64,
    blocks: BTreeMap<u64, Vec<u8>>,
}

impl Shadow {
    /// Opens a file. It is locked as readers lock it.
    pub(crate) fn open(path: &Path) -> Result<Self, DatabaseError> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let overlay = Overlay { length, file_visible: length, blocks: BTreeMap::new() };
        Ok(Self { file: FileBackend::new(file)?, file_length: length, over: Mutex::new(overlay) })
    }

    fn overlay(&self) -> MutexGuard<'_, Overlay> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One block as it reads now.
    fn block(&self, overlay: &Overlay, number: u64) -> io::Result<Vec<u8>> {
        if let Some(block) = overlay.blocks.get(&number) {
            return Ok(block.clone());
        }
        let mut block = vec![0; usize_or_max(BLOCK)];
        let start = number.saturating_mul(BLOCK);
        let there = overlay.file_visible.min(self.file_length).saturating_sub(start).min(BLOCK);
        if let Some(part) = block.get_mut(..usize_or_max(there)) {
            self.file.read(start, part)?;
        }
        Ok(block)
    }
}

/// The blocks that `length` bytes at `offset` touch: number, first byte within it, number of bytes.
fn spans(offset: u64, length: usize) -> impl Iterator<Item = (u64, usize, usize)> {
    let end = offset.saturating_add(u64_of_usize(length));
    (offset / BLOCK..end.div_ceil(BLOCK)).map(move |number| {
        let start = number * BLOCK;
        let from = offset.max(start) - start;
        let to = end.min(start + BLOCK) - start;
        let size = |bytes: u64| usize_or_max(bytes);
        (number, size(from), size(to - from))
    })
}

fn out_of_range() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "beyond the end of the file")
}

impl fmt::Debug for Shadow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shadow").field("file", &self.file).finish_non_exhaustive()
    }
}

impl StorageBackend for Shadow {
    fn len(&self) -> io::Result<u64> {
        Ok(self.overlay().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let overlay = self.overlay();
        let end = u64::try_from(out.len()).ok().and_then(|length| offset.checked_add(length));
        end.filter(|end| *end <= overlay.length).ok_or_else(out_of_range)?;
        let mut rest = out;
        for (number, from, count) in spans(offset, rest.len()) {
            let block = self.block(&overlay, number)?;
            let (part, later) = rest.split_at_mut(count);
            part.copy_from_slice(block.get(from..from + count).ok_or_else(out_of_range)?);
            rest = later;
        }
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut overlay = self.overlay();
        if length < overlay.length {
            let edge = length / BLOCK;
            let mut last = self.block(&overlay, edge)?;
            let kept = usize_or_max(length % BLOCK);
            last.iter_mut().skip(kept).for_each(|byte| *byte = 0);
            overlay.blocks.split_off(&edge);
            overlay.blocks.insert(edge, last);
            overlay.file_visible = overlay.file_visible.min(length);
        }
        overlay.length = length;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut overlay = self.overlay();
        let mut rest = data;
        for (number, from, count) in spans(offset, data.len()) {
            let mut block = self.block(&overlay, number)?;
            let (part, later) = rest.split_at(count);
            block.get_mut(from..from + count).ok_or_else(out_of_range)?.copy_from_slice(part);
            overlay.blocks.insert(number, block);
            rest = later;
        }
        let end = offset.saturating_add(u64_of_usize(data.len()));
        overlay.length = overlay.length.max(end);
        Ok(())
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    /// Shared: nobody's bytes are changed.
    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_over_a_file_are_read_back_and_leave_it_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let original: Vec<u8> = (0..10_000u32).map(|i| i as u8).collect();
        std::fs::write(&path, &original).unwrap();
        let shadow = Shadow::open(&path).unwrap();
        let mut expected = original.clone();
        shadow.write(4000, &[9; 5000]).unwrap();
        expected[4000..9000].fill(9);
        shadow.set_len(9500).unwrap();
        shadow.set_len(20_000).unwrap();
        expected.truncate(9500);
        expected.resize(20_000, 0);
        let mut read = vec![1; 20_000];
        shadow.read(0, &mut read).unwrap();
        assert_eq!(read, expected);
        assert_eq!(shadow.len().unwrap(), 20_000);
        assert!(shadow.read(19_999, &mut [0; 2]).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), original);
    }
}
