//! Imports that are killed: at each write of vault, certificates and archive, before it and after
//! it; while what is left is removed; and as processes, at any moment. Whatever was left, the next
//! opening has a version that was there before or the one that came, secrets of exactly the runs
//! that the dictionary has, and an audit that finds nothing.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::io::{BufRead, BufReader};
use std::ops::Bound;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::Duration;
use std::{env, thread};

use aardvark_aggregates::{KeyColumn, KeyKind, ProverSetup, Schema, ValueColumn};
use aardvark_archive::store::{Read, Store, Table, Transaction};
use aardvark_archive::{Archive, ArchiveError, RedbStore, StoreError};
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Genesis, Identity, Parameters};
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::{
    AuditOptions, Certificates, ImportOptions, ImportReport, Keeper, Renewal, TableAudit, TablesError, Vault,
    audit_tables,
};

fn schema() -> Schema {
    Schema {
        append_only: true,
        deletable: false,
        writers: vec![],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 4 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: 0, span: 255, bits: 8, moments: 1, scale: 0 }],
        rows: vec!["user".to_owned()],
        watermark: vec![],
    }
}

fn genesis() -> Genesis {
    let parameters = Parameters { vector_size: 16, ..Parameters::default() };
    let digest = published_digest(parameters.scheme, parameters.vector_size).unwrap();
    Genesis::new(Identity::new("homes", [7; 32]).unwrap(), parameters, digest, Vec::new()).unwrap()
}

fn setup() -> Arc<ProverSetup> {
    static SETUP: OnceLock<Arc<ProverSetup>> = OnceLock::new();
    Arc::clone(SETUP.get_or_init(|| Arc::new(ProverSetup::ethereum(None).unwrap())))
}

/// Rows of a key each, four of a run, so that sheets of eight positions hold one run.
fn import(keeper: &mut Keeper, rows: std::ops::Range<u32>) -> Result<ImportReport, TablesError> {
    let lines: String = rows.map(|i| format!("{},{},user{i}\n", i / 4, i * 37 % 256)).collect();
    let text = format!("time,power,user\n{lines}");
    let mut source = CsvSource::new(text.as_bytes(), &schema(), &Default::default())?;
    // Sorted on disk.
    let options = ImportOptions { sheet: 8, memory: 256 };
    keeper.import("meters", &schema(), &mut source, &options, &mut |_| {})
}

/// Rows that continue the run of their key, four a segment, eight of which are written together.
fn extend(keeper: &mut Keeper, rows: std::ops::Range<u32>) -> Result<ImportReport, TablesError> {
    let lines: String = rows.map(|i| format!("{},{i},user{i}\n", 1 + u32::from(i >= 60))).collect();
    let text = format!("time,power,user\n{lines}");
    let mut source = CsvSource::new(text.as_bytes(), &schema(), &Default::default())?;
    let options = ImportOptions { sheet: 8, memory: 256 };
    keeper.renew("meters", &schema(), &mut source, Renewal::Extend, &options, &mut |_| {})
}

fn audit(keeper: &Keeper) -> TableAudit {
    let vault = Some((keeper.vault(), keeper.setup()));
    audit_tables(keeper.archive(), keeper.certificates(), vault, &AuditOptions::default(), &mut |_, _| {}).unwrap()
}

/// How many entries begin with a byte.
fn entries(store: &dyn Store, first: u8) -> u64 {
    let read = store.read().unwrap();
    let bounds: (Bound<&[u8]>, Bound<&[u8]>) = (Bound::Included(&[first]), Bound::Excluded(&[first + 1]));
    read.range(Table::Meta, bounds).unwrap().map(Result::unwrap).count() as u64
}

/// The stores of a keeper, which stay while processes with them are killed.
#[derive(Clone)]
struct Stores {
    archive: Arc<RedbStore>,
    vault: Arc<RedbStore>,
    certificates: Arc<RedbStore>,
}

/// A store of a process that may be killed.
struct Mortal {
    store: Arc<RedbStore>,
    life: Life,
}

/// How many writes a process has before it is killed, and whether its last one is made.
#[derive(Clone)]
struct Life {
    left: Arc<AtomicI64>,
    last_is_made: bool,
}

impl Life {
    fn of(writes: i64, last_is_made: bool) -> Self {
        Self { left: Arc::new(AtomicI64::new(writes)), last_is_made }
    }
}

impl Store for Mortal {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        self.store.read()
    }

    fn write(&self, change: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        match self.life.left.fetch_sub(1, Ordering::SeqCst) {
            left if left > 0 => self.store.write(change),
            0 if self.life.last_is_made => {
                self.store.write(change)?;
                Err(StoreError::Closed.into())
            }
            _ => Err(StoreError::Closed.into()),
        }
    }

    fn check(&self) -> Result<(), StoreError> {
        self.store.check()
    }
}

impl Stores {
    fn new() -> Self {
        let store = || Arc::new(RedbStore::in_memory().unwrap());
        let stores = Self { archive: store(), vault: store(), certificates: store() };
        let boxed = Box::new(Mortal { store: Arc::clone(&stores.archive), life: Life::of(i64::MAX, false) });
        drop(Archive::builder().create_on(boxed, &genesis()).unwrap());
        stores
    }

    /// A process that opens them.
    fn opened(&self, life: &Life) -> Keeper {
        let mortal = |store: &Arc<RedbStore>| Box::new(Mortal { store: Arc::clone(store), life: life.clone() });
        let archive = Archive::builder().open_on(mortal(&self.archive)).unwrap();
        let vault = Vault::on_store(mortal(&self.vault), archive.id()).unwrap();
        let certificates = Certificates::on_store(mortal(&self.certificates), archive.id()).unwrap();
        Keeper::of_parts(archive, vault, certificates, setup())
    }

    /// Opens them for good, and looks at what is there: so many segments, by what is found.
    fn checked(&self, segments: impl Fn(&TableAudit) -> u64) -> u64 {
        let mut keeper = self.opened(&Life::of(i64::MAX, false));
        keeper.settle().unwrap();
        let audited = audit(&keeper);
        assert_eq!(audited.findings, []);
        // Secrets of the segments that there are, an index of their rows, nothing pending.
        assert_eq!(entries(&*self.vault, b's'), segments(&audited));
        assert_eq!(entries(&*self.vault, b'i'), audited.rows);
        assert_eq!(entries(&*self.vault, b'p'), 0);
        assert_eq!(entries(&*self.certificates, b'c'), audited.certificates);
        assert_eq!(entries(&*self.certificates, b'h'), segments(&audited));
        audited.rows
    }
}

/// What writes rows.
type Write = fn(&mut Keeper, std::ops::Range<u32>) -> Result<ImportReport, TablesError>;

/// Kills a second write at each of its writes to a store, behind a first one and before a third.
fn kill(write: Write, ranges: [std::ops::Range<u32>; 3], segments: impl Fn(&TableAudit) -> u64) {
    let [first, second, third] = ranges;
    let (rows_before, rows_after) = (first.len() as u64, (first.len() + second.len()) as u64);
    let (mut before, mut after) = (0, 0);
    'kills: for writes in 0.. {
        for last_is_made in [false, true] {
            let stores = Stores::new();
            let mut keeper = stores.opened(&Life::of(i64::MAX, false));
            keeper.create("meters", &schema()).unwrap();
            write(&mut keeper, first.clone()).unwrap();
            drop(keeper);

            let life = Life::of(writes, last_is_made);
            let mut keeper = stores.opened(&life);
            let outcome = write(&mut keeper, second.clone());
            drop(keeper);
            let killed = life.left.load(Ordering::SeqCst) < 0;
            assert_eq!(outcome.is_err(), killed, "{writes}");
            // Whoever sweeps may be killed too.
            let mut sweeper = stores.opened(&Life::of(writes % 3, last_is_made));
            let _ = sweeper.settle();
            drop(sweeper);
            match stores.checked(&segments) {
                rows if rows == rows_before => before += 1,
                rows if rows == rows_after => after += 1,
                rows => panic!("{rows} rows after {writes} writes"),
            }
            // What was begun is done again.
            let mut keeper = stores.opened(&Life::of(i64::MAX, false));
            write(&mut keeper, third.clone()).unwrap();
            drop(keeper);
            stores.checked(&segments);
            if !killed {
                break 'kills;
            }
        }
    }
    assert!(before > 8 && after > 1, "{before} {after}");
}

#[test]
fn an_import_killed_at_any_write_leaves_the_rows_before_or_all_of_them() {
    kill(import, [0..8, 6..150, 200..203], |audited| audited.runs);
}

#[test]
fn an_extension_killed_at_any_write_leaves_the_rows_before_or_all_of_them() {
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Each segment has a certificate.
    one_core.install(|| kill(extend, [0..6, 6..75, 200..203], |audited| audited.certificates));
}

const DIRECTORY: &str = "AARDVARK_TEST_DIRECTORY";

#[test]
#[ignore = "what the next test starts and kills"]
fn child() {
    let Ok(directory) = env::var(DIRECTORY) else { return };
    let directory = Path::new(&directory);
    let mut keeper = Keeper::open(Archive::builder().open(directory).unwrap(), directory).unwrap();
    for round in 0u32.. {
        println!("round");
        import(&mut keeper, round * 160..(round + 1) * 160).unwrap();
    }
}

#[test]
fn a_process_killed_at_any_moment_of_an_import_leaves_whole_versions() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("d");
    let archive = Archive::builder().create(&directory, &genesis()).unwrap();
    Keeper::open(archive, &directory).unwrap().create("meters", &schema()).unwrap();
    let mut seen = 1;
    for round in 0..6u64 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["child", "--exact", "--ignored", "--nocapture"])
            .env(DIRECTORY, &directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("round")), "the child imports");
        let rest = thread::spawn(move || lines.for_each(drop));
        sleep(Duration::from_millis(round * 131 % 450));
        child.kill().unwrap();
        child.wait().unwrap();
        rest.join().unwrap();

        let keeper = Keeper::open(Archive::builder().open(&directory).unwrap(), &directory).unwrap();
        let (version, audited) = (keeper.archive().version(), audit(&keeper));
        assert!(version >= seen);
        seen = version;
        assert_eq!(audited.findings, []);
        assert_eq!(audited.rows, (version - 1) * 160, "all rows of each import, or none");
        drop(keeper);
        let store = |file: &str| RedbStore::open_read_only(&directory.join(file)).unwrap();
        let vault = store("vault/vault.redb");
        assert_eq!([b's', b'i', b'p'].map(|first| entries(&vault, first)), [audited.runs, audited.rows, 0]);
        assert_eq!(entries(&store("certificates.redb"), b'c'), audited.certificates);
        let files: Vec<_> =
            std::fs::read_dir(directory.join("vault")).unwrap().map(|f| f.unwrap().file_name()).collect();
        assert!(files.iter().all(|name| !name.to_string_lossy().starts_with(".tmp")), "{files:?}");
    }
}
