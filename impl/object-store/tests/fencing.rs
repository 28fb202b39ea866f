//! One writer: whoever opens a store for writing fences whoever had it.
#![cfg(feature = "slatedb")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use aardvark_archive::StoreError;
use aardvark_archive::error::ArchiveError;
use aardvark_archive::store::Store;
use aardvark_object_store::{Place, SlateStore};
use common::{count, counted, place};

fn a_second_writer_comes(place: &Place) {
    let first = SlateStore::open(place).unwrap();
    for number in 0..5 {
        count(&first, number).unwrap();
    }
    let held = first.read().unwrap();

    let second = SlateStore::open(place).unwrap();
    assert_eq!(counted(&*second.read().unwrap()), Some(4));
    let refused = count(&first, 5);
    assert!(matches!(refused, Err(ArchiveError::Store(StoreError::Fenced))), "{refused:?}");
    // It stays so, also where the second writes nothing more.
    let refused = count(&first, 5);
    assert!(matches!(refused, Err(ArchiveError::Store(StoreError::Fenced))), "{refused:?}");
    assert!(matches!(first.read().err(), Some(StoreError::Fenced)));
    drop(held);

    count(&second, 5).unwrap();
    drop(first);
    count(&second, 6).unwrap();
    drop(second);
    let third = SlateStore::open(place).unwrap();
    assert_eq!(counted(&*third.read().unwrap()), Some(6));
}

fn writers_take_the_store_from_each_other(place: &Place) {
    let mut writers = Vec::new();
    for number in 0..4u64 {
        let writer = SlateStore::open(place).unwrap();
        assert_eq!(counted(&*writer.read().unwrap()), number.checked_sub(1));
        count(&writer, number).unwrap();
        writers.push(writer);
    }
    let last = writers.pop().unwrap();
    for fenced in &writers {
        assert!(matches!(count(fenced, 9), Err(ArchiveError::Store(StoreError::Fenced))));
    }
    assert_eq!(counted(&*last.read().unwrap()), Some(3));
    count(&last, 4).unwrap();
}

#[test]
fn a_second_writer_fences_the_first_and_has_all_that_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    a_second_writer_comes(&place(folder.path()));
}

#[test]
fn writers_that_take_the_store_from_each_other_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    writers_take_the_store_from_each_other(&place(folder.path()));
}

#[cfg(feature = "s3")]
#[test]
#[ignore = "needs a bucket: cargo xtask test --long"]
fn in_a_bucket_writers_fence_each_other_and_lose_nothing() {
    let (Some(one), Some(other)) = (common::url_in_bucket(), common::url_in_bucket()) else { return };
    a_second_writer_comes(&Place::at(&one).unwrap());
    writers_take_the_store_from_each_other(&Place::at(&other).unwrap());
}
