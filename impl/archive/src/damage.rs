//! Damage: where a record of the store is not what was written.

use std::fmt;
use std::path::PathBuf;

use aardvark_dictionary::{DecodeError, Key};

use crate::table::Table;

/// Something in the store that is not what was written there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store is damaged: {place}: {fault}; `audit` says what else is")]
pub struct Damage {
    /// Where.
    pub place: Place,
    /// What is wrong with it.
    pub fault: DamageKind,
}

/// How a record of the store is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DamageKind {
    /// The record is not there.
    #[error("missing")]
    Missing,
    /// The record fails its checksum.
    #[error("does not match its checksum")]
    Checksum,
    /// The record is no encoding.
    #[error("unreadable ({0})")]
    Malformed(DecodeError),
    /// A number, point or key in it that cannot be.
    #[error("{0}")]
    Invalid(&'static str),
}

impl Damage {
    pub(crate) fn new(place: Place, fault: DamageKind) -> Self {
        Self { place, fault }
    }

    pub(crate) fn missing(place: Place) -> Self {
        Self::new(place, DamageKind::Missing)
    }
}

/// A record of the store, named by what it is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The store's file as a whole.
    File,
    /// The cache of the scheme's derived parameters, a file beside the store.
    Cache(PathBuf),
    /// What an audit compares a version with that does not lie beside the store.
    Anchor(u64),
    /// Parameters, setup and retention.
    Genesis,
    /// The number of the newest version.
    Head,
    /// The slot at a position.
    Slot(u64),
    /// The position of a live key.
    Index(Key),
    /// The commitment of a vector.
    Commitment(u64),
    /// The slot at a position as it was before a version.
    PastSlot {
        /// The position.
        position: u64,
        /// The version that replaced it.
        version: u64,
    },
    /// Where to find the slot of a key that one of a block of versions replaced.
    PastKey {
        /// The key.
        key: Key,
        /// The level of the block.
        level: u32,
        /// The block's first version.
        start: u64,
    },
    /// The commitment of a vector as it was before a version.
    PastCommitment {
        /// The vector.
        vector: u64,
        /// The version that replaced it.
        version: u64,
    },
    /// The note that a version wrote a position.
    Written {
        /// The version.
        version: u64,
        /// The position.
        position: u64,
    },
    /// Sizes and chain link of a version.
    Version(u64),
    /// The block that made a version; of version 0, the entries of genesis.
    Block(u64),
    /// An entry of the replay set.
    Replay,
    /// A record whose key makes no sense in its table.
    Key(Table),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the store's file"),
            Self::Cache(path) => write!(f, "{}", path.display()),
            Self::Anchor(version) => write!(f, "version {version} against what it was to be"),
            Self::Genesis => f.write_str("the parameters"),
            Self::Head => f.write_str("the newest version's number"),
            Self::Slot(position) => write!(f, "the slot at position {position}"),
            Self::Index(key) => write!(f, "the index entry of key {key}"),
            Self::Commitment(vector) => write!(f, "the commitment of vector {vector}"),
            Self::PastSlot { position, version } => {
                write!(f, "the slot at position {position} before version {version}")
            }
            Self::PastKey { key, level, start } => {
                write!(f, "the past index entry of key {key} in the versions from {start} on, level {level}")
            }
            Self::PastCommitment { vector, version } => {
                write!(f, "the commitment of vector {vector} before version {version}")
            }
            Self::Written { version, position } => {
                write!(f, "the note that version {version} wrote position {position}")
            }
            Self::Version(version) => write!(f, "the record of version {version}"),
            Self::Block(version) => write!(f, "the block of version {version}"),
            Self::Replay => f.write_str("the replay set"),
            Self::Key(table) => write!(f, "a key of table {}", table.name()),
        }
    }
}
