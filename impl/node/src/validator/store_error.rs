//! Why a validator's store fails.

use aardvark_dictionary::state_bytes::StateBytesError;
use aardvark_dictionary::{DecodeError, StateError};

use crate::validator::upgrades::{FIRST, NEWEST};

/// Why the store cannot do what it is asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The engine fails: no space left, no permission, damage.
    #[error("the store: {0}")]
    Engine(#[from] redb::Error),
    /// A record that is not what this program writes.
    #[error("the store holds a record that cannot be read: {0}")]
    Record(#[from] StateBytesError),
    /// Records that contradict each other.
    #[error("the store's state: {0}")]
    State(#[from] StateError),
    /// The state is of an app version that this program does not run.
    #[error("the store's state is of app version {0}, and this program runs {FIRST} to {NEWEST}")]
    AppVersion(u8),
    /// The file is of another dictionary.
    #[error("the store is that of another chain: its dictionary is 0x{}", hex::encode(.0))]
    OtherDictionary([u8; 32]),
    /// The file does not hold the state of an earlier version.
    #[error(
        "the store is at height {held} and cannot go back to {wanted}: it keeps the state before its newest block, and that once"
    )]
    NothingEarlier {
        /// What it holds.
        held: u64,
        /// What was wanted.
        wanted: u64,
    },
    /// The state does not have the root that was written with it.
    #[error("the store is damaged: its state does not have the root that was written with it")]
    Root,
}

/// The file's errors, which redb gives as many types.
pub(super) trait OrEngine<T> {
    fn engine(self) -> Result<T, StoreError>;
}

impl<T, E: Into<redb::Error>> OrEngine<T> for Result<T, E> {
    fn engine(self) -> Result<T, StoreError> {
        self.map_err(|error| StoreError::Engine(error.into()))
    }
}

impl From<DecodeError> for StoreError {
    fn from(error: DecodeError) -> Self {
        Self::Record(error.into())
    }
}
