//! A front follows the store that another archive writes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aardvark_archive::store::{Read, Store, Transaction};
use aardvark_archive::{Archive, ArchiveError, OpenStore, RedbStore, StoreError};
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Change, Genesis, Identity, Key, Parameters};
use aardvark_node::archive::{Following, OtherStore, open_front};

/// A store that can fail; without `writes` one that somebody else writes.
struct Shown {
    store: Arc<RedbStore>,
    down: Arc<AtomicBool>,
    writes: bool,
}

impl Shown {
    fn up(&self) -> Result<&RedbStore, StoreError> {
        match self.down.load(Ordering::Relaxed) {
            true => Err(StoreError::Unavailable("no route".to_owned())),
            false => Ok(&self.store),
        }
    }
}

impl Store for Shown {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        self.up()?.read()
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        if self.writes { self.up()?.write(change) } else { Err(StoreError::ReadOnly.into()) }
    }

    fn check(&self) -> Result<(), StoreError> {
        self.up()?.check()
    }
}

struct Scene {
    store: Arc<RedbStore>,
    /// Whether the storage fails where it is read.
    down: Arc<AtomicBool>,
    /// Whether it fails where it is written.
    writer_down: Arc<AtomicBool>,
}

impl Scene {
    fn new() -> Self {
        let store = Arc::new(RedbStore::in_memory().unwrap());
        Self { store, down: Arc::default(), writer_down: Arc::default() }
    }

    fn writer(&self) -> Archive {
        let parameters = Parameters { vector_size: 4, window: 3, ..Parameters::default() };
        let digest = published_digest(parameters.scheme, parameters.vector_size).unwrap();
        let genesis = || Genesis::new(Identity::new("test", [7; 32]).unwrap(), parameters, digest, Vec::new()).unwrap();
        let builder = Archive::builder().retention(4);
        builder.open_or_create_by(self.opened(true), || Ok::<_, ArchiveError>(genesis())).unwrap()
    }

    /// How a front opens the store.
    fn shown(&self) -> OtherStore {
        OtherStore { place: "memory".to_owned(), open: self.opened(false) }
    }

    fn opened(&self, writes: bool) -> Arc<OpenStore> {
        let down = if writes { &self.writer_down } else { &self.down };
        let (store, down) = (Arc::clone(&self.store), Arc::clone(down));
        Arc::new(move || {
            let opened = Shown { store: Arc::clone(&store), down: Arc::clone(&down), writes };
            opened.up()?;
            Ok(Box::new(opened))
        })
    }
}

/// Waits for something that comes.
fn until(is_so: &dyn Fn() -> bool) {
    while !is_so() {
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn change(key: &str, value: &str) -> Vec<Change> {
    vec![Change { key: key.into(), value: Some(value.into()) }]
}

#[test]
fn a_front_proves_what_the_writer_wrote_under_the_writers_root() {
    let scene = Scene::new();
    let mut writer = scene.writer();
    let (shared, follower) = open_front(&scene.shown(), None).unwrap();
    let key = Key::from("curl");
    for version in 1..=6u64 {
        writer.import(change("curl", &version.to_string())).unwrap();
        writer.import(change(&format!("key-{version}"), "value")).unwrap();
        let newest = writer.version();
        until(&|| {
            follower.look_again();
            shared.archive().version() == newest
        });
        let shown = shared.archive();
        assert_eq!(shown.prove(&key, newest).unwrap(), writer.prove(&key, newest).unwrap());
        let parts = shared.root_parts(&shown, newest).unwrap();
        assert_eq!(parts.root(), writer.validator().unwrap().root_parts().root());
    }
}

#[test]
fn a_front_without_an_archive_in_its_store_does_not_start() {
    let scene = Scene::new();
    let refused = open_front(&scene.shown(), None).err();
    assert!(matches!(refused, Some(ArchiveError::NotAnArchive { .. })), "{refused:?}");
}

#[test]
fn a_front_whose_store_fails_says_so_and_goes_on_later() {
    let scene = Scene::new();
    let mut writer = scene.writer();
    let (shared, follower) = open_front(&scene.shown(), None).unwrap();
    let end = Arc::new(AtomicBool::new(false));
    scene.down.store(true, Ordering::Relaxed);
    let ends = Arc::clone(&end);
    let running = std::thread::spawn(move || follower.run(&ends));
    let in_trouble =
        || matches!(shared.following(), Following::CatchingUp { trouble: Some(said), .. } if said.contains("no route"));
    until(&in_trouble);
    writer.import(change("curl", "1")).unwrap();
    // What it had is served.
    assert_eq!(shared.archive().version(), 0);
    scene.down.store(false, Ordering::Relaxed);
    until(&|| shared.archive().version() == 1);
    until(&|| shared.following() == Following::Nothing);
    end.store(true, Ordering::Relaxed);
    running.join().unwrap();
}

#[test]
fn a_writer_whose_storage_failed_goes_on_where_the_store_is() {
    let scene = Scene::new();
    let mut writer = scene.writer();
    for version in 1..=3u64 {
        scene.writer_down.store(true, Ordering::Relaxed);
        let value = version.to_string();
        let failed = writer.import(change("curl", &value));
        assert!(failed.is_err_and(|error| error.to_string().contains("no route")));
        let closed = writer.reopen();
        assert!(matches!(closed, Err(ArchiveError::Store(StoreError::Unavailable(_)))), "{closed:?}");
        scene.writer_down.store(false, Ordering::Relaxed);
        writer.reopen().unwrap();
        assert_eq!(writer.version(), version - 1);
        writer.import(change("curl", &value)).unwrap();
    }
    let (shared, _) = open_front(&scene.shown(), None).unwrap();
    assert_eq!(shared.archive().version(), 3);
}
