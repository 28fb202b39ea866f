//! What an archive asks of a store: a few ordered tables of byte strings, read in snapshots and
//! changed in transactions.
//!
//! Nothing here knows what the tables hold (the module `records` does), so that another engine
//! takes the place of redb behind three small traits.

use std::ops::Bound;
use std::sync::Arc;

use crate::error::ArchiveError;
pub use crate::store_error::StoreError;
pub use crate::table::Table;

/// A key and its value.
pub type Entry = (Vec<u8>, Vec<u8>);

/// Entries in ascending key order, from either end.
pub type Entries<'a> = Box<dyn DoubleEndedIterator<Item = Result<Entry, StoreError>> + 'a>;

/// Where a range of keys starts and ends.
pub type Bounds<'k> = (Bound<&'k [u8]>, Bound<&'k [u8]>);

/// One unchanging state of the tables.
pub trait Read: Send + Sync {
    /// The value of a key, where there is one.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// The entries of a range of keys.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    fn range(&self, table: Table, bounds: Bounds<'_>) -> Result<Entries<'_>, StoreError>;
}

/// Entries whose keys strictly ascend, one after the other in the same memory.
pub trait Run {
    /// The next key and its value.
    fn next_entry(&mut self) -> Option<(&[u8], &[u8])>;
}

impl Run for std::slice::Iter<'_, Entry> {
    fn next_entry(&mut self) -> Option<(&[u8], &[u8])> {
        self.next().map(|(key, value)| (key.as_slice(), value.as_slice()))
    }
}

/// Changes that become visible and durable together, or not at all.
pub trait Write {
    /// Sets the value of a key.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails; the transaction then comes to nothing.
    fn put(&mut self, table: Table, key: &[u8], value: &[u8]) -> Result<(), StoreError>;

    /// Sets the values of a run of keys: for some engines less work than one by one, above all
    /// where the keys come after all that the table has.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails; the transaction then comes to nothing.
    fn put_run(&mut self, table: Table, run: &mut dyn Run) -> Result<(), StoreError> {
        while let Some((key, value)) = run.next_entry() {
            self.put(table, key, value)?;
        }
        Ok(())
    }

    /// Removes a key, if it is there.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails; the transaction then comes to nothing.
    fn delete(&mut self, table: Table, key: &[u8]) -> Result<(), StoreError>;
}

/// What a transaction does to the tables.
pub type Transaction<'a> = dyn FnMut(&mut dyn Write) -> Result<(), ArchiveError> + 'a;

/// Tables with one writer, and snapshots for readers.
pub trait Store: Send + Sync {
    /// The state of the last transaction, which stays as it is while others are written.
    ///
    /// # Errors
    /// [`StoreError`] where the store fails.
    fn read(&self) -> Result<Arc<dyn Read>, StoreError>;

    /// Runs one transaction and makes it durable; where `change` fails, nothing is changed.
    ///
    /// # Errors
    /// What `change` returns; [`ArchiveError::Store`] where the store fails. The state before then
    /// stands, unless the failure came after the new one had become durable; never anything
    /// between.
    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError>;

    /// Checks what the engine itself can check of its file: checksums, page links. Changes nothing.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] says what is wrong.
    fn check(&self) -> Result<(), StoreError>;
}

/// Several archives of one process on one store.
impl<S: Store + ?Sized> Store for Arc<S> {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        S::read(self)
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        S::write(self, change)
    }

    fn check(&self) -> Result<(), StoreError> {
        S::check(self)
    }
}

/// What stands in the place of a store that failed, until it is opened anew.
pub(crate) struct Closed;

impl Store for Closed {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        Err(StoreError::Closed)
    }

    fn write(&self, _: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        Err(StoreError::Closed.into())
    }

    fn check(&self) -> Result<(), StoreError> {
        Err(StoreError::Closed)
    }
}

impl Read for Closed {
    fn get(&self, _: Table, _: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        Err(StoreError::Closed)
    }

    fn range(&self, _: Table, _: Bounds<'_>) -> Result<Entries<'_>, StoreError> {
        Err(StoreError::Closed)
    }
}
