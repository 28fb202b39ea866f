//! A chain of the policy `tables`: the certificates of what is applied stand beside the archive,
//! wherever its blocks come from.

use std::path::{Path, PathBuf};

use aardvark_aggregates::{
    About, CertificateMasks, Head, KeyColumn, KeyKind, KnownSegment, MaskSource, ProverSetup, SheetItem, TableKey,
    ValueColumn, prove,
};
use aardvark_aggregates::{Record, Schema};
use aardvark_archive::Snapshot;
use aardvark_archive::backup::BackupError;
use aardvark_chain::{Policy, TableCertificate, encode_certificates};
use aardvark_client::testing::genesis_validators_json;
use aardvark_dictionary::{Key, Value};
use aardvark_tables::certificates::StoredCertificate;
use aardvark_tables::{AuditOptions, Sifted, TableAudit, audit_tables};

use super::scene::{follower_of, shared_of};
use super::*;
use crate::archive::backup_certificates::EntryError;
use crate::archive::opened::DaemonError;
use crate::archive::{Restored, Trust, restore};

fn schema() -> Schema {
    Schema {
        append_only: false,
        deletable: false,
        writers: vec![signer().verifying_key().to_bytes()],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: 0, span: 200, bits: 8, moments: 1, scale: 0 }],
        rows: vec![],
        watermark: vec![],
    }
}

fn table_genesis() -> ChainGenesis {
    let policy = Policy::Tables { creators: [signer().verifying_key().to_bytes()].into() };
    let parameters = Parameters { vector_size: 4, window: 3, ..Parameters::default() };
    let entries = (0..9).map(|number| (Key::from(format!("k{number}").as_str()), "old".into())).collect();
    ChainGenesis::new(scene::CHAIN, [0; 32], parameters, policy, entries).unwrap()
}

fn schema_key() -> Key {
    Key::from(TableKey::Schema { table: "t".to_owned() }.to_bytes())
}

fn head_key(time: u8) -> Key {
    Key::from(TableKey::Head { table: "t".to_owned(), column: 0, columns: vec![time], run: 0 }.to_bytes())
}

/// A chain with a table, and a keeper of it.
struct Tables {
    chain: Chain,
    genesis: ChainGenesis,
    setup: ProverSetup,
    masks: MaskSource,
    folder: tempfile::TempDir,
}

impl Tables {
    /// The table is there at height 1; heights 2 to 5 append a run of two times, amend one of them,
    /// are empty, and append another.
    fn new() -> Self {
        let genesis = table_genesis();
        let (setup, masks) = (ProverSetup::ethereum(None).unwrap(), MaskSource::new([7; 32]));
        let mut tables =
            Self { chain: Chain::of(&genesis), genesis, setup, masks, folder: tempfile::tempdir().unwrap() };
        let schema = Value::from(schema().to_bytes());
        tables.chain.advance(vec![Operation::Require(schema_key(), None), Operation::Put(schema_key(), schema)]);
        tables.put(&[(1, 0), (2, 0)]);
        tables.put(&[(2, 1)]);
        tables.chain.advance_empty();
        tables.put(&[(3, 0)]);
        tables
    }

    /// What puts runs of times on one sheet, each in the place of the revision before, and their
    /// certificate.
    fn sheet(&mut self, runs: &[(u8, u32)]) -> (Vec<Operation>, TableCertificate) {
        let sheet = self.setup.sheet(4).unwrap();
        let about = About::of_column(*self.chain.reference.id(), "t", &schema(), 0).unwrap();
        let version = self.chain.reference.version();
        let mut operations = vec![Operation::Require(schema_key(), Some(Value::from(schema().to_bytes())))];
        let (mut items, mut segments) = (Vec::new(), Vec::new());
        for (place, (time, revision)) in (0..).zip(runs.iter().copied()) {
            let segment = KnownSegment::draw(&mut self.masks, 1 + 3 * place, vec![7, 180], 1);
            let record: Record = segment.commit(sheet, [0; 32]);
            let before = self.chain.reference.get(&head_key(time), version).unwrap();
            operations.push(Operation::Require(head_key(time), before));
            let head = Head::single(revision, record.clone());
            operations.push(Operation::Put(head_key(time), Value::from(head.to_bytes())));
            items.push(SheetItem { columns: vec![time], run: 0, revision, segment: 0, record });
            segments.push(segment);
        }
        let masks = CertificateMasks::draw(&mut self.masks, 8);
        let certificate = prove(sheet, &about, &items, &segments, &masks).unwrap().to_bytes();
        (operations, TableCertificate { segments: runs.len() as u16, certificate })
    }

    fn put(&mut self, runs: &[(u8, u32)]) {
        let (operations, certificate) = self.sheet(runs);
        let block = self.chain.block_with(operations, vec![certificate], &[signer()]);
        self.chain.decide(block.to_txs(), &block.aggregated);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Follows in a folder.
    fn follow(&self, name: &str, nodes: &[&TestServer], other: Option<&TestServer>) -> Followed {
        let shared = shared_of(&self.path(name), &self.genesis);
        let outcome = follow(&mut follower_of(&self.genesis, &shared, nodes, other));
        Followed { shared, outcome }
    }

    /// Another archive, which gives what `certificates` says of each height.
    fn other(&self, certificates: impl Fn(u64) -> Reply + Send + Sync + 'static) -> TestServer {
        let logged = |height| self.chain.reference.block_bytes(height).unwrap();
        let log: Vec<Vec<u8>> = (0..=self.chain.reference.version()).map(logged).collect();
        TestServer::new(move |request| {
            let (height, what) =
                request.path.strip_prefix("/v1/blocks/").and_then(|rest| rest.split_once('/')).unwrap();
            let height: u64 = height.parse().unwrap();
            match (what, log.get(height as usize)) {
                ("raw", Some(bytes)) => Reply::Body(200, bytes.clone()),
                ("certificates", Some(_)) => certificates(height),
                _ => Reply::Body(404, b"{}".to_vec()),
            }
        })
    }

    fn genesis_file(&self) -> PathBuf {
        let file = serde_json::json!({
            "chain_id": scene::CHAIN,
            "validators": genesis_validators_json(&VALIDATORS),
            "app_state": self.genesis.to_app_state(),
        });
        std::fs::write(self.path("genesis.json"), file.to_string()).unwrap();
        self.path("genesis.json")
    }
}

/// A follower that came to an end.
struct Followed {
    shared: Arc<SharedArchive>,
    outcome: Result<u64, FollowError>,
}

impl Followed {
    /// All certificates, by their heights.
    fn certificates(&self) -> Vec<Vec<StoredCertificate>> {
        let versions = 0..=self.shared.archive().version();
        versions.map(|version| self.shared.certificates().of_version(version).unwrap()).collect()
    }

    fn audit(&self) -> TableAudit {
        audited(&self.shared.archive(), &self.shared)
    }
}

fn audited(archive: &Snapshot, shared: &SharedArchive) -> TableAudit {
    audit_tables(archive, shared.certificates(), None, &AuditOptions::default(), &mut |_, _| {}).unwrap()
}

/// The certificates of a height as an archive gives them.
fn given(stored: &[StoredCertificate]) -> Vec<u8> {
    let one = |stored: &StoredCertificate| TableCertificate {
        segments: stored.heads.len() as u16,
        certificate: stored.certificate.clone(),
    };
    encode_certificates(&stored.iter().map(one).collect::<Vec<_>>())
}

#[test]
fn certificates_of_what_is_applied_stand_beside_the_archive() {
    let tables = Tables::new();
    let shared = shared_of(&tables.path("a"), &tables.genesis);
    // As after a death between the certificates and the version.
    let stale = StoredCertificate { heads: vec![head_key(9).to_vec()], certificate: vec![9] };
    shared.certificates().put(2, &[stale.clone(), stale]).unwrap();
    drop(shared);
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    assert!(matches!(followed.outcome, Ok(5)));
    assert_has_the_chain(&followed.shared, &tables.chain);
    let heads: Vec<Vec<Vec<Vec<u8>>>> = followed
        .certificates()
        .into_iter()
        .map(|of_version| of_version.into_iter().map(|stored| stored.heads).collect())
        .collect();
    let [one, two, three] = [1, 2, 3].map(|time| head_key(time).to_vec());
    assert_eq!(heads, [vec![], vec![], vec![vec![one, two.clone()]], vec![vec![two]], vec![], vec![vec![three]]]);
    let audit = followed.audit();
    assert_eq!((audit.findings, audit.certificates, audit.runs, audit.rows), (vec![], 3, 3, 6));
}

#[test]
fn a_decided_block_with_a_false_certificate_is_empty_for_archive_and_audit() {
    let mut tables = Tables::new();
    let (operations, honest) = tables.sheet(&[(4, 0)]);
    let (_, other) = tables.sheet(&[(4, 0)]);
    let lists = [vec![other], vec![], vec![honest.clone(), honest.clone()]]
        .map(|certificates| tables.chain.block_with(operations.clone(), certificates, &[signer()]).to_txs());
    for txs in lists {
        let height = tables.chain.reference.version() + 1;
        tables.chain.decide(txs, &empty(height));
    }
    let honest = tables.chain.block_with(operations, vec![honest], &[signer()]);
    tables.chain.decide(honest.to_txs(), &honest.aggregated);
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    assert!(matches!(followed.outcome, Ok(9)));
    // The app hashes are the validators'.
    assert_has_the_chain(&followed.shared, &tables.chain);
    let counts: Vec<usize> = followed.certificates().iter().map(Vec::len).collect();
    assert_eq!(counts, [0, 0, 1, 1, 0, 1, 0, 0, 0, 1]);
    let rejected = |height| followed.shared.records().unwrap().get(height).unwrap().unwrap().rejected;
    assert_eq!([5, 6, 7, 8, 9].map(rejected), [0, 1, 1, 1, 0]);
    let audit = followed.audit();
    assert_eq!((audit.findings, audit.certificates, audit.runs), (vec![], 4, 4));
}

#[test]
fn blocks_from_another_archive_come_with_their_certificates() {
    let mut tables = Tables::new();
    let expected = tables.follow("a", &[&tables.chain.honest_node()], None).certificates();
    let bodies: Vec<Vec<u8>> = expected.iter().map(|stored| given(stored)).collect();
    let other = tables.other(move |height| Reply::Body(200, bodies[height as usize].clone()));
    tables.chain.advance_empty();
    let pruned = tables.chain.pruned_node(6);
    let followed = tables.follow("b", &[&pruned], Some(&other));
    assert!(matches!(followed.outcome, Ok(6)));
    assert_has_the_chain(&followed.shared, &tables.chain);
    assert_eq!(followed.certificates()[..6], expected);
    assert_eq!(other.requests(), 5 + 3, "of blocks that put nothing none are asked for");
    assert_eq!(followed.audit().findings, []);
}

#[test]
fn another_archives_false_certificates_are_not_taken_and_what_is_missing_is_named() {
    let mut tables = Tables::new();
    let expected = tables.follow("a", &[&tables.chain.honest_node()], None).certificates();
    tables.chain.advance_empty();
    let pruned = tables.chain.pruned_node(6);
    let good: Vec<Vec<u8>> = expected.iter().map(|stored| given(stored)).collect();
    let mut flipped = good[2].clone();
    flipped[700] ^= 1;
    let lies: [(&str, Vec<u8>); 6] = [
        ("another's", good[3].clone()),
        ("flipped", flipped),
        ("none", Vec::new()),
        ("one more", [good[2].clone(), good[3].clone()].concat()),
        ("cut", good[2][..good[2].len() - 1].to_vec()),
        ("of fewer segments", [&[0, 1][..], &good[2][2..]].concat()),
    ];
    for (name, lie) in lies {
        let good = good.clone();
        let body = move |height: u64| if height == 2 { lie.clone() } else { good[height as usize].clone() };
        let other = tables.other(move |height| Reply::Body(200, body(height)));
        let followed = tables.follow(name, &[&pruned], Some(&other));
        assert!(matches!(followed.outcome, Ok(6)), "{name}: {:?}", followed.outcome);
        assert_has_the_chain(&followed.shared, &tables.chain);
        let counts: Vec<usize> = followed.certificates().iter().map(Vec::len).collect();
        assert_eq!(counts, [0, 0, 0, 1, 0, 1, 0], "{name}");
        let findings: Vec<String> = followed.audit().findings.iter().map(ToString::to_string).collect();
        let named = |time: u8| format!("version 2, table t, run power time = {time} number 0: it has no certificate");
        assert_eq!(findings, [named(1), named(2)], "{name}");
    }
    // One that has none says so; one that fails is asked again.
    let none = tables.other(|_| Reply::Body(404, b"{}".to_vec()));
    let followed = tables.follow("without", &[&pruned], Some(&none));
    assert!(matches!(followed.outcome, Ok(6)));
    assert_eq!(followed.audit().findings.len(), 4);
    let failing = tables.other(|_| Reply::Body(500, b"{}".to_vec()));
    let followed = tables.follow("later", &[&pruned], Some(&failing));
    assert!(matches!(&followed.outcome, Err(error) if !error.is_final()), "{:?}", followed.outcome);
    assert_eq!(followed.shared.archive().version(), 1);
}

/// Restores a backup, held against its chain.
fn restored(tables: &Tables, backup: &[u8], directory: &Path) -> Result<Restored, DaemonError> {
    let node = tables.chain.honest_node();
    let trust = Trust::Chain { nodes: vec![node.url.clone()], genesis: tables.genesis_file() };
    restore(directory, backup, &trust, &mut |_| {})
}

#[test]
fn a_backup_brings_certificates_and_those_that_do_not_hold_are_left_out() {
    let mut tables = Tables::new();
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    let (shared, expected) = (Arc::clone(&followed.shared), followed.certificates());
    let mut backup = Vec::new();
    // One of a version that did not come stays out.
    shared.certificates().put(6, &expected[5]).unwrap();
    shared.back_up(&mut backup).unwrap();
    tables.chain.advance_empty();
    let summary = restored(&tables, &backup, &tables.path("b")).unwrap();
    assert_eq!(summary.certificates, Sifted { kept: 3, removed: 0 });
    let again = tables.follow("b", &[&tables.chain.pruned_node(6)], None);
    assert!(matches!(again.outcome, Ok(6)));
    assert_eq!(again.certificates()[..6], expected);
    assert_eq!(again.audit().findings, []);

    // What a maker of backups says: a false one, one in the place of another, one of no table.
    let [of_two, of_three] = [2, 3].map(|version: usize| expected[version][0].clone());
    let mut flipped = of_two.clone();
    flipped.certificate[700] ^= 1;
    let foreign = StoredCertificate { heads: vec![b"k1".to_vec()], certificate: of_two.certificate.clone() };
    let other = StoredCertificate { heads: of_two.heads.clone(), ..of_three };
    for (name, lie) in [("flipped", flipped), ("other", other), ("foreign", foreign)] {
        shared.certificates().put(2, &[lie]).unwrap();
        let mut backup = Vec::new();
        shared.back_up(&mut backup).unwrap();
        let summary = restored(&tables, &backup, &tables.path(name)).unwrap();
        assert_eq!(summary.certificates, Sifted { kept: 2, removed: 1 }, "{name}");
        let sifted = tables.follow(name, &[&tables.chain.pruned_node(6)], None);
        let counts: Vec<usize> = sifted.certificates().iter().map(Vec::len).collect();
        assert_eq!(counts, [0, 0, 0, 1, 0, 1, 0], "{name}");
        assert_eq!(sifted.audit().findings.len(), 2, "{name}");
    }
}

#[test]
fn a_backup_with_more_certificates_than_its_versions_put_segments_makes_no_archive() {
    let mut tables = Tables::new();
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    let (shared, expected) = (Arc::clone(&followed.shared), followed.certificates());
    tables.chain.advance_empty();
    let [of_two, of_three] = [2, 3].map(|version: usize| expected[version][0].clone());
    let about_none = StoredCertificate { heads: Vec::new(), ..of_three.clone() };
    let lies = [
        (2, vec![of_two.clone(), of_three.clone()], 2),
        (2, vec![about_none.clone(); 3], 2),
        (3, vec![of_three.clone(); 300], 1),
        (4, vec![about_none], 0),
    ];
    for (version, lie, put) in lies {
        shared.certificates().put(version, &lie).unwrap();
        let mut backup = Vec::new();
        shared.back_up(&mut backup).unwrap();
        shared.certificates().put(version, &expected[version as usize]).unwrap();
        let error = restored(&tables, &backup, &tables.path("b")).unwrap_err();
        let DaemonError::Backup(BackupError::Beside(why)) = error else { panic!("{error}") };
        match why.downcast_ref() {
            Some(EntryError::Many { version: named, put: found }) => assert_eq!((*named, *found), (version, put)),
            _ => panic!("{why}"),
        }
        assert_eq!(std::fs::read_dir(tables.path("b")).unwrap().count(), 0, "nothing is left");
    }
}

#[test]
fn entries_of_a_backup_that_are_no_certificates_make_no_archive() {
    let mut tables = Tables::new();
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    tables.chain.advance_empty();
    let archive = followed.shared.archive();
    let key = |version: u64| [&[255; 8][..], &version.to_be_bytes(), &[0; 4]].concat();
    let directory = tables.path("b");
    let with = |key: Vec<u8>, value: Vec<u8>| {
        let mut backup = Vec::new();
        archive.back_up(&mut backup, [Ok((key, value))].into_iter()).unwrap();
        let outcome = restored(&tables, &backup, &directory);
        assert!(outcome.is_ok() || std::fs::read_dir(&directory).unwrap().count() == 0, "nothing is left");
        outcome
    };
    for (key, value) in [
        (key(2), vec![]),
        (key(2), vec![0, 1, 9]),
        (key(2), vec![0; 1 << 20]),
        // Of a version that is still to come.
        (key(99), followed.certificates()[2][0].to_bytes()),
        ([&key(2)[..], &[0]].concat(), vec![0, 0]),
        (key(2)[..19].to_vec(), vec![0, 0]),
    ] {
        let error = with(key, value).unwrap_err();
        assert!(matches!(error, DaemonError::Backup(BackupError::Beside(_))), "{error}");
    }
    let summary = with(key(2), followed.certificates()[2][0].to_bytes()).unwrap();
    assert_eq!(summary.certificates, Sifted { kept: 1, removed: 0 });
}

#[test]
fn certificates_that_cannot_be_written_for_a_while_are_written_when_the_file_can_be_opened_again() {
    let tables = Tables::new();
    let node = tables.chain.honest_node();
    let shared = shared_of(&tables.path("a"), &tables.genesis);
    let mut following = follower_of(&tables.genesis, &shared, &[&node], None);
    following.step().unwrap();
    // The file is closed, as after a full disk, and cannot be opened yet.
    let [file, away] = ["certificates.redb", "away.redb"].map(|name| tables.path("a").join(name));
    std::fs::rename(&file, &away).unwrap();
    shared.reopen().unwrap_err();
    assert!(shared.certificates().of_version(1).is_err(), "none are not the same as none that can be read");
    let error = follow(&mut following).unwrap_err();
    assert!(matches!(error, FollowError::Certificates(_)) && error.is_of_the_store() && !error.is_final(), "{error}");
    assert_eq!(shared.archive().version(), 1, "no version comes without its certificates");
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(follow(&mut following).unwrap(), 5);
    assert_has_the_chain(&shared, &tables.chain);
    assert_eq!(
        (audited(&shared.archive(), &shared).findings, shared.certificates().of_version(2).unwrap().len()),
        (vec![], 1)
    );
}
