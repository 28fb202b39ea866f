//! One state of the engine, read as an archive reads a store.

use aardvark_archive::StoreError;
use aardvark_archive::store::{Bounds, Entries, Read, Store, Table};
use slatedb::config::ReadOptions;

use crate::engine_error::store_error;
use crate::entries::SlateEntries;
use crate::held::{Rows, State};
use crate::keys;

impl Read for Rows {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        let (row, options) = (keys::row(table, key), ReadOptions::new());
        let found = self.runtime.wait(async {
            match &self.state {
                State::Written(snapshot) => snapshot.get_with_options(row, &options).await,
                State::Standing(reader) => reader.engine().get_with_options(row, &options).await,
            }
        });
        Ok(found.map_err(store_error)?.map(|value| value.to_vec()))
    }

    fn range(&self, table: Table, bounds: Bounds<'_>) -> Result<Entries<'_>, StoreError> {
        Ok(Box::new(SlateEntries::new(self.clone(), keys::range(table, bounds))))
    }
}

/// Reads every entry of a store's newest state, whose blocks the engine checks as it reads them.
pub(crate) fn read_all(store: &dyn Store) -> Result<(), StoreError> {
    let read = store.read()?;
    for table in Table::ALL {
        let everything = (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
        read.range(table, everything)?.try_for_each(|entry| entry.map(drop))?;
    }
    Ok(())
}
