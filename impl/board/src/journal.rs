//! What a server has signed: a digest for each slot, written and synced before the post goes out.
//!
//! Each slot is signed once in the server's life, on whatever board: on a forked one two mixes of
//! lists that differ in one input would give that input away.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use aardvark_proof::hex_text::{decode, encode};

/// Why a slot may not be signed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The slot was signed with another digest.
    #[error("SlotConflict: this slot was signed with another digest: is the board forked?")]
    SlotConflict,
    /// The file.
    #[error("journal: {0}")]
    File(#[from] io::Error),
    /// A line that is none.
    #[error("journal: line {0} is malformed")]
    Malformed(usize),
}

/// The journal of a server.
#[derive(Debug)]
pub struct Journal {
    file: File,
    slots: HashMap<Vec<u8>, Vec<u8>>,
}

impl Journal {
    /// Opens or makes a journal. A last line without its end was not synced, so nothing was posted
    /// for it, and it is taken away.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        let mut slots = HashMap::new();
        for (number, line) in text.get(..whole).unwrap_or_default().lines().enumerate() {
            let fields =
                line.split_once(' ').and_then(|(slot, digest)| Some((decode(slot).ok()?, decode(digest).ok()?)));
            let (slot, digest) = fields.ok_or(JournalError::Malformed(number + 1))?;
            slots.insert(slot, digest);
        }
        Ok(Self { file, slots })
    }

    /// Notes that a slot is signed with this digest, unless it was with another.
    pub fn enter(&mut self, slot: &[u8], digest: &[u8; 32]) -> Result<(), JournalError> {
        match self.slots.get(slot) {
            Some(known) if known == digest => return Ok(()),
            Some(_) => return Err(JournalError::SlotConflict),
            None => {}
        }
        self.file.write_all(format!("{} {}\n", encode(slot), encode(digest)).as_bytes())?;
        self.file.sync_all()?;
        self.slots.insert(slot.to_vec(), digest.to_vec());
        Ok(())
    }
}
