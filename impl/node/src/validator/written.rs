//! When the last block went to the validator's store, by the machine's clock: with the block, in
//! its transaction, so that who starts the validator again knows it too. Nothing but the operator's
//! metric depends on it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redb::{Database, ReadableDatabase, TableDefinition, WriteTransaction};

use crate::validator::store_error::{OrEngine as _, StoreError};

const WRITTEN: TableDefinition<'_, &str, u64> = TableDefinition::new("written");
const BLOCK_KEY: &str = "block";

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).as_ref().map_or(0, Duration::as_secs)
}

/// Notes that the block of a version is written now; version 0 has none.
pub(super) fn note(transaction: &WriteTransaction, version: u64) -> Result<(), StoreError> {
    if version > 0 {
        transaction.open_table(WRITTEN).engine()?.insert(BLOCK_KEY, now()).engine()?;
    }
    Ok(())
}

/// When the last block was written, in seconds since 1970; `None` where none was, or by a program
/// that did not note it.
///
/// # Errors
/// [`StoreError::Engine`].
pub(super) fn read(database: &Database) -> Result<Option<u64>, StoreError> {
    let transaction = database.begin_read().engine()?;
    let table = match transaction.open_table(WRITTEN) {
        Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
        table => table.engine()?,
    };
    Ok(table.get(BLOCK_KEY).engine()?.map(|at| at.value()))
}
