//! A chain of the policy `tables` with a table on it, and a keeper who writes it.

use std::path::PathBuf;

use aardvark_aggregates::{
    About, CertificateMasks, Head, KeyColumn, KeyKind, KnownSegment, MaskSource, ProverSetup, Record, Schema,
    SheetItem, TableKey, ValueColumn, prove,
};
use aardvark_archive::Snapshot;
use aardvark_chain::{Policy, TableCertificate, encode_certificates};
use aardvark_client::testing::genesis_validators_json;
use aardvark_dictionary::{Key, Value};
use aardvark_tables::certificates::StoredCertificate;
use aardvark_tables::{AuditOptions, TableAudit, audit_tables};

use super::scene::{follower_of, shared_of};
use super::*;

pub(super) fn schema() -> Schema {
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

pub(super) fn table_genesis() -> ChainGenesis {
    let policy = Policy::Tables { creators: [signer().verifying_key().to_bytes()].into() };
    let parameters = Parameters { vector_size: 4, window: 3, ..Parameters::default() };
    let entries = (0..9).map(|number| (Key::from(format!("k{number}").as_str()), "old".into())).collect();
    ChainGenesis::new(scene::CHAIN, [0; 32], parameters, policy, entries).unwrap()
}

pub(super) fn schema_key() -> Key {
    Key::from(TableKey::Schema { table: "t".to_owned() }.to_bytes())
}

pub(super) fn head_key(time: u8) -> Key {
    Key::from(TableKey::Head { table: "t".to_owned(), column: 0, columns: vec![time], run: 0 }.to_bytes())
}

/// A chain with a table, and a keeper of it.
pub(super) struct Tables {
    pub(super) chain: Chain,
    pub(super) genesis: ChainGenesis,
    setup: ProverSetup,
    masks: MaskSource,
    folder: tempfile::TempDir,
}

impl Tables {
    /// The table is there at height 1; heights 2 to 5 append a run of two times, amend one of them,
    /// are empty, and append another.
    pub(super) fn new() -> Self {
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
    pub(super) fn sheet(&mut self, runs: &[(u8, u32)]) -> (Vec<Operation>, TableCertificate) {
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

    pub(super) fn put(&mut self, runs: &[(u8, u32)]) {
        let (operations, certificate) = self.sheet(runs);
        let block = self.chain.block_with(operations, vec![certificate], &[signer()]);
        self.chain.decide(block.to_txs(), &block.aggregated);
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Follows in a folder.
    pub(super) fn follow(&self, name: &str, nodes: &[&TestServer], other: Option<&TestServer>) -> Followed {
        let shared = shared_of(&self.path(name), &self.genesis);
        let outcome = follow(&mut follower_of(&self.genesis, &shared, nodes, other));
        Followed { shared, outcome }
    }

    /// Another archive, which gives what `certificates` says of each height.
    pub(super) fn other(&self, certificates: impl Fn(u64) -> Reply + Send + Sync + 'static) -> TestServer {
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

    pub(super) fn genesis_file(&self) -> PathBuf {
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
pub(super) struct Followed {
    pub(super) shared: Arc<SharedArchive>,
    pub(super) outcome: Result<u64, FollowError>,
}

impl Followed {
    /// All certificates, by their heights.
    pub(super) fn certificates(&self) -> Vec<Vec<StoredCertificate>> {
        let versions = 0..=self.shared.archive().version();
        versions.map(|version| self.shared.certificates().of_version(version).unwrap()).collect()
    }

    pub(super) fn audit(&self) -> TableAudit {
        audited(&self.shared.archive(), &self.shared)
    }
}

pub(super) fn audited(archive: &Snapshot, shared: &SharedArchive) -> TableAudit {
    audit_tables(archive, shared.certificates(), None, &AuditOptions::default(), &mut |_, _| {}).unwrap()
}

/// The certificates of a height as an archive gives them.
pub(super) fn given(stored: &[StoredCertificate]) -> Vec<u8> {
    let one = |stored: &StoredCertificate| TableCertificate {
        segments: stored.heads.len() as u16,
        certificate: stored.certificate.clone(),
    };
    encode_certificates(&stored.iter().map(one).collect::<Vec<_>>())
}
