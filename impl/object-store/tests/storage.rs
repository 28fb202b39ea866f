//! Storage that fails and storage that is slow.
#![cfg(feature = "slatedb")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use aardvark_archive::StoreError;
use aardvark_archive::error::ArchiveError;
use aardvark_archive::store::Store;
use aardvark_object_store::{Place, ReaderOptions, SlateReader, SlateStore};
use async_trait::async_trait;
use common::{count, counted};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::throttle::{ThrottleConfig, ThrottledStore};
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

/// Storage in memory, behind a network.
#[derive(Debug, Default)]
struct Remote {
    storage: InMemory,
    /// Whether everything fails.
    down: AtomicBool,
    /// Milliseconds that each request takes.
    latency: AtomicU64,
    requests: AtomicU64,
}

impl Remote {
    async fn request(&self) -> Result<()> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let latency = self.latency.load(Ordering::Relaxed);
        if latency > 0 {
            tokio::time::sleep(Duration::from_millis(latency)).await;
        }
        match self.down.load(Ordering::Relaxed) {
            true => Err(Error::Generic { store: "remote", source: Box::new(io::Error::other("no route")) }),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Remote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("remote")
    }
}

#[async_trait]
impl ObjectStore for Remote {
    async fn put_opts(&self, at: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.request().await?;
        self.storage.put_opts(at, payload, options).await
    }

    async fn put_multipart_opts(&self, at: &Path, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.request().await?;
        self.storage.put_multipart_opts(at, options).await
    }

    async fn get_opts(&self, at: &Path, options: GetOptions) -> Result<GetResult> {
        self.request().await?;
        self.storage.get_opts(at, options).await
    }

    fn delete_stream(&self, places: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.storage.delete_stream(places)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.down.load(Ordering::Relaxed) {
            true => {
                let source = Box::new(io::Error::other("no route"));
                futures_util::stream::iter([Err(Error::Generic { store: "remote", source })]).boxed()
            }
            false => self.storage.list(prefix),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.request().await?;
        self.storage.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.request().await?;
        self.storage.copy_opts(from, to, options).await
    }
}

fn place(remote: &Arc<Remote>) -> Place {
    Place::within(Arc::clone(remote) as Arc<dyn ObjectStore>, "dictionary")
}

#[test]
fn a_storage_that_fails_closes_the_store_and_loses_nothing() {
    let remote = Arc::new(Remote::default());
    let store = SlateStore::open(&place(&remote)).unwrap();
    count(&store, 0).unwrap();
    let held = store.read().unwrap();

    remote.down.store(true, Ordering::Relaxed);
    let failed = count(&store, 1);
    let is_typed = |error: &StoreError| matches!(error, StoreError::Unavailable(_) | StoreError::Closed);
    assert!(matches!(&failed, Err(ArchiveError::Store(error)) if is_typed(error)), "{failed:?}");
    // Whether it became durable is not known: the store is closed.
    assert!(matches!(count(&store, 1), Err(ArchiveError::Store(StoreError::Closed))));
    assert!(matches!(store.read().err(), Some(StoreError::Closed)));
    assert!(SlateStore::open(&place(&remote)).is_err_and(|error| matches!(error, StoreError::Unavailable(_))));
    drop(held);

    remote.down.store(false, Ordering::Relaxed);
    let opened = SlateStore::open(&place(&remote)).unwrap();
    let found = counted(&*opened.read().unwrap()).unwrap();
    assert!(found <= 1, "{found}");
    count(&opened, found + 1).unwrap();
}

#[test]
fn a_reader_whose_storage_fails_keeps_its_state_and_goes_on_later() {
    let remote = Arc::new(Remote::default());
    let store = SlateStore::open(&place(&remote)).unwrap();
    count(&store, 0).unwrap();
    let options = ReaderOptions { interval: Duration::from_millis(5), ..ReaderOptions::default() };
    let reader = SlateReader::open(&place(&remote), &options).unwrap();
    assert_eq!(counted(&*reader.read().unwrap()), Some(0));

    remote.down.store(true, Ordering::Relaxed);
    let asked = remote.requests.load(Ordering::Relaxed);
    while remote.requests.load(Ordering::Relaxed) < asked + 5 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // What it has of the log is in memory.
    assert_eq!(counted(&*reader.read().unwrap()), Some(0));
    remote.down.store(false, Ordering::Relaxed);

    let store = match count(&store, 1) {
        Ok(()) => store,
        // The writer had the same trouble.
        Err(_) => SlateStore::open(&place(&remote)).unwrap(),
    };
    count(&store, 2).unwrap();
    while counted(&*reader.read().unwrap()) != Some(2) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_slow_storage_makes_transactions_slow_and_nothing_else() {
    let remote = Arc::new(Remote::default());
    let store = SlateStore::open(&place(&remote)).unwrap();
    remote.latency.store(40, Ordering::Relaxed);
    let began = Instant::now();
    for number in 0..3 {
        count(&store, number).unwrap();
    }
    // No transaction is acknowledged before the storage has it.
    assert!(began.elapsed() >= 3 * Duration::from_millis(40));
    // A reader finds it all, though every request takes its time.
    let reader = SlateReader::open(&place(&remote), &ReaderOptions::default()).unwrap();
    assert_eq!(counted(&*reader.read().unwrap()), Some(2));
}

/// What each request to the storage takes where that is far away.
const FAR: Duration = Duration::from_millis(50);
/// How long a state may take to a reader, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Prints what docs/scale.md quotes.
#[test]
fn on_storage_that_is_far_away_a_reader_has_each_transaction_and_some_requests_later() {
    let config = ThrottleConfig {
        wait_delete_per_call: FAR,
        wait_get_per_call: FAR,
        wait_list_per_call: FAR,
        wait_list_with_delimiter_per_call: FAR,
        wait_put_per_call: FAR,
        ..ThrottleConfig::default()
    };
    for interval in [ReaderOptions::default().interval, Duration::from_millis(50)] {
        let place = Place::within(Arc::new(ThrottledStore::new(InMemory::new(), config)), "dictionary");
        let store = SlateStore::open(&place).unwrap();
        count(&store, 0).unwrap();
        let options = ReaderOptions { interval, ..ReaderOptions::default() };
        let reader = SlateReader::open(&place, &options).unwrap();
        let (mut commits, mut delays) = (Vec::new(), Vec::new());
        for number in 1..=12 {
            let begun = Instant::now();
            count(&store, number).unwrap();
            commits.push(begun.elapsed());
            assert!(begun.elapsed() >= FAR, "acknowledged before the storage can have it");
            let committed = Instant::now();
            while counted(&*reader.read().unwrap()) != Some(number) {
                assert!(committed.elapsed() < PATIENCE, "transaction {number} does not arrive");
                std::thread::sleep(Duration::from_millis(2));
            }
            delays.push(committed.elapsed());
        }
        for (what, mut times) in [("a commit takes", commits), ("a reader has it after", delays)] {
            times.sort_unstable();
            let middle = times[times.len() / 2];
            println!(
                "a look every {interval:?}, {what} {:?} to {:?}, middle {middle:?}",
                times[0],
                times[times.len() - 1]
            );
        }
    }
}
