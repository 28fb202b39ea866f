//! The store may be asked on any thread, also on those of another runtime.
#![cfg(feature = "slatedb")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::path::Path;
use std::sync::Arc;

use aardvark_archive::store::Store;
use aardvark_object_store::{ReaderOptions, SlateReader, SlateStore};
use common::{count, counted, place};
use tokio::runtime::Builder;

/// Opens, writes, reads and closes both kinds of store.
fn use_it(folder: &Path, number: u64) {
    let store = SlateStore::open(&place(folder)).unwrap();
    // Often enough that a task would have used up its budget.
    for _ in 0..20 {
        count(&store, number).unwrap();
        assert_eq!(counted(&*store.read().unwrap()), Some(number));
    }
    let reader = SlateReader::open(&place(folder), &ReaderOptions::default()).unwrap();
    assert_eq!(counted(&*reader.read().unwrap()), Some(number));
}

#[test]
fn the_workers_of_another_runtime_may_ask_it() {
    let folder = tempfile::tempdir().unwrap();
    let one = Builder::new_current_thread().build().unwrap();
    one.block_on(async { use_it(folder.path(), 1) });
    let several = Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let path = folder.path().to_owned();
    several.block_on(several.spawn(async move { use_it(&path, 2) })).unwrap();
    let path = folder.path().to_owned();
    several.block_on(several.spawn_blocking(move || use_it(&path, 3))).unwrap();
}

#[test]
fn many_threads_read_while_one_writes() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SlateStore::open(&place(folder.path())).unwrap());
    count(&*store, 0).unwrap();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut newest = 0;
                    while newest < 10 {
                        let number = counted(&*store.read().unwrap()).unwrap();
                        assert!(number >= newest);
                        newest = number;
                    }
                })
            })
            .collect();
        for number in 1..=10 {
            count(&*store, number).unwrap();
        }
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}
