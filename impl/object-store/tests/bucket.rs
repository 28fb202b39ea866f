//! What a store asks of a bucket, tried with a server: where `AARDVARK_TEST_BUCKET` names a bucket
//! and `AWS_ENDPOINT` and its like say where that is, as `cargo xtask test --long` sets them.
#![cfg(feature = "s3")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::sync::Arc;

use aardvark_archive::StoreError;
use aardvark_archive::store::Store;
use aardvark_object_store::{Place, ReaderOptions, SlateReader, SlateStore};
use common::{count, counted};
use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::Builder;

/// Writers who find a place free at the same time.
const WRITERS: usize = 8;

#[test]
#[ignore = "needs a bucket: cargo xtask test --long"]
fn an_object_that_is_there_is_not_written_again_and_of_many_writers_one_writes_it() {
    let Some(url) = common::url_in_bucket() else { return };
    let (bucket, prefix) = url.strip_prefix("s3://").unwrap().split_once('/').unwrap();
    let _chosen = rustls::crypto::ring::default_provider().install_default();
    let storage = AmazonS3Builder::from_env().with_bucket_name(bucket).build().unwrap();
    let storage: Arc<dyn ObjectStore> = Arc::new(storage);
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for round in 0..5 {
        let at = Path::from(format!("{prefix}/{round}"));
        // With `If-None-Match: *`.
        let write = |writer: usize| {
            let (storage, at) = (Arc::clone(&storage), at.clone());
            async move { storage.put_opts(&at, PutPayload::from(writer.to_string()), PutMode::Create.into()).await }
        };
        let tasks: Vec<_> = (0..WRITERS).map(|writer| runtime.spawn(write(writer))).collect();
        let results: Vec<_> = tasks.into_iter().map(|task| runtime.block_on(task).unwrap()).collect();
        let written: Vec<usize> = (0..WRITERS).filter(|writer| results[*writer].is_ok()).collect();
        assert_eq!(written.len(), 1, "{results:?}");
        let again = runtime.block_on(write(WRITERS));
        assert!(matches!(again, Err(Error::AlreadyExists { .. })), "{again:?}");
        let found = runtime.block_on(async { storage.get(&at).await.unwrap().bytes().await.unwrap() });
        assert_eq!(found, written[0].to_string());
    }
}

#[test]
#[ignore = "needs a bucket: cargo xtask test --long"]
fn what_was_written_in_a_bucket_is_read_and_where_nothing_is_the_error_says_so() {
    let Some(url) = common::url_in_bucket() else { return };
    let place = Place::at(&url).unwrap();
    let nothing = SlateReader::open(&place, &ReaderOptions::default());
    assert!(matches!(nothing.err(), Some(StoreError::Damaged(_))));
    let store = SlateStore::open(&place).unwrap();
    // More than the log keeps: rows are filed in order too.
    for number in 0..300 {
        count(&store, number).unwrap();
    }
    let reader = SlateReader::open(&place, &ReaderOptions::default()).unwrap();
    assert_eq!(counted(&*reader.read().unwrap()), Some(299));
    drop(store);
    let opened = SlateStore::open(&place).unwrap();
    assert_eq!(counted(&*opened.read().unwrap()), Some(299));
}
