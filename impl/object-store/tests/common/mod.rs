//! Stores in folders, and rows that show torn states.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use std::ops::Bound;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use aardvark_archive::error::ArchiveError;
use aardvark_archive::store::{Entry, Read, Store, Table};
use aardvark_object_store::Place;

/// Rows that each transaction of [`count`] writes besides the number.
pub const ROWS: u64 = 40;

/// Names a bucket in which tests make stores, as `s3://BUCKET`. Its endpoint, region and keys are
/// in the variables of [`Place::at`].
const BUCKET: &str = "AARDVARK_TEST_BUCKET";

/// The URL of a store in a folder.
pub fn url(folder: &Path) -> String {
    format!("file://{}", folder.display())
}

/// The store of a folder.
pub fn place(folder: &Path) -> Place {
    Place::at(&url(folder)).unwrap()
}

/// The URL of a store in a bucket, where nothing is yet; `None`, with a word about it, where no
/// bucket is named.
pub fn url_in_bucket() -> Option<String> {
    let Ok(bucket) = std::env::var(BUCKET) else {
        eprintln!("skipped: {BUCKET} does not name a bucket");
        return None;
    };
    let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    Some(format!("{bucket}/store-{}-{nanoseconds}", std::process::id()))
}

/// A key of a table, and its value, or none where it is removed.
pub type Change<'a> = (Table, &'a [u8], Option<&'a [u8]>);

/// Sets and removes keys of a table in one transaction.
pub fn write(store: &dyn Store, changes: &[Change<'_>]) -> Result<(), ArchiveError> {
    store.write(&mut |write| {
        for (table, key, value) in changes {
            match value {
                Some(value) => write.put(*table, key, value)?,
                None => write.delete(*table, key)?,
            }
        }
        Ok(())
    })
}

/// All entries of a table, ascending.
pub fn all(read: &dyn Read, table: Table) -> Vec<Entry> {
    read.range(table, (Bound::Unbounded, Bound::Unbounded)).unwrap().map(Result::unwrap).collect()
}

/// Writes a number, and the same into every row: with 7 rows of each transaction removed again by
/// the next.
pub fn count(store: &dyn Store, number: u64) -> Result<(), ArchiveError> {
    let value = number.to_be_bytes();
    store.write(&mut |write| {
        write.put(Table::Meta, b"count", &value)?;
        for row in 0..ROWS {
            write.put(Table::Slots, &row.to_be_bytes(), &value)?;
        }
        for row in 0..7 {
            write.put(Table::Log, &[&value[..], &[row]].concat(), &[])?;
            let Some(before) = number.checked_sub(1) else { continue };
            write.delete(Table::Log, &[&before.to_be_bytes()[..], &[row]].concat())?;
        }
        Ok(())
    })
}

/// The number of a state; it fails where the state is not that of one whole transaction.
pub fn counted(read: &dyn Read) -> Option<u64> {
    let number = read.get(Table::Meta, b"count").unwrap()?;
    let slots = all(read, Table::Slots);
    assert_eq!(slots.len() as u64, ROWS);
    assert!(slots.iter().all(|(_, value)| *value == number), "a torn state: {number:?}, {slots:?}");
    let log: Vec<_> = all(read, Table::Log).into_iter().map(|(key, _)| key).collect();
    let expected: Vec<_> = (0..7).map(|row| [&number[..], &[row]].concat()).collect();
    assert_eq!(log, expected, "a torn state");
    Some(u64::from_be_bytes(number.try_into().unwrap()))
}
