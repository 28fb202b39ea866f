//! Files without names, for what is needed for a while: a process that is killed leaves none.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use redb::backends::FileBackend;
use redb::{DatabaseError, StorageBackend};

/// Makes a file that has no name, to read and to write.
pub type MakeFile = Box<dyn Fn() -> io::Result<File>>;

/// Makes files without names in a folder, or in the system's folder for such.
pub fn temporary_files(folder: Option<PathBuf>) -> MakeFile {
    Box::new(move || folder.as_ref().map_or_else(tempfile::tempfile, tempfile::tempfile_in))
}

/// The bytes of a store that is gone with its process: nothing waits until they are on the disk.
#[derive(Debug)]
pub(crate) struct ScratchFile(FileBackend);

impl ScratchFile {
    /// Takes an empty file over.
    pub(crate) fn new(file: File) -> Result<Self, DatabaseError> {
        Ok(Self(FileBackend::new(file)?))
    }
}

impl StorageBackend for ScratchFile {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, out)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.0.close()
    }
}
