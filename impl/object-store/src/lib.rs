//! The store of an archive on object storage: [SlateDB](https://slatedb.io), an ordered map of
//! immutable files with a write-ahead log, in a folder, a bucket of S3, or any storage of the crate
//! `object_store`.
//!
//! One process writes (`SlateStore`): whoever opens the store for writing fences whoever had it
//! before, whose next transaction is refused with
//! [`StoreError::Fenced`](aardvark_archive::StoreError::Fenced). Any number of processes read
//! (`SlateReader`): each sees whole transactions, newer ones as they arrive, and never goes back.
//! Nobody needs to trust the storage: an archive checks each record, and its readers each proof.
//!
//! | an archive's store | here |
//! |---|---|
//! | table and key | one key: the table's number in a byte, then the key |
//! | transaction | one batch, durable in the log before [`Store::write`](aardvark_archive::store::Store::write) returns |
//! | state to read | the writer's snapshot of its last durable batch; a reader's engine that stands still |
//!
//! Without the feature `slatedb` the crate is empty; with `s3` it has stores in buckets too.

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]
#![cfg(feature = "slatedb")]

mod block_cache;
mod engine_error;
mod entries;
mod gate;
mod held;
mod keys;
mod place;
mod reader;
mod rows;
mod runtime;
mod standing_reader;
mod writer;

pub use place::{Place, PlaceError};
pub use reader::{ReaderOptions, SlateReader};
pub use writer::SlateStore;
