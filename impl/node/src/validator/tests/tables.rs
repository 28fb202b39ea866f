//! Tables on a chain: what their writers, and who is none, get into blocks.

use aardvark_aggregates::{
    About, CertificateMasks, Head, KeyColumn, KeyKind, KnownSegment, MaskSource, ProverSetup, Schema, SheetItem,
    TableKey, ValueColumn, prove,
};
use aardvark_chain::{ChainBlock, ChainGenesis, Policy, SignedTransaction, TableCertificate, TxCode};
use aardvark_dictionary::{Key, Operation, Reason, Transaction, Value};
use ed25519_dalek::SigningKey;
use prost::bytes::Bytes;
use tendermint_proto::v0_38::abci::{
    CheckTxType, RequestApplySnapshotChunk, RequestCheckTx, RequestLoadSnapshotChunk, RequestOfferSnapshot,
    response_apply_snapshot_chunk::Result as ChunkResult, response_offer_snapshot::Result as OfferResult,
};

use super::{LIMIT, Scene, codes, finalize, publisher, small};

/// A keeper of one table, and the validator of its chain.
struct Tables {
    scene: Scene,
    setup: ProverSetup,
    masks: MaskSource,
    schema: Schema,
    /// The list of the block that made the table.
    begun: Vec<Bytes>,
}

fn key(bytes: Vec<u8>) -> Key {
    Key::from(bytes.as_slice())
}

fn schema_key() -> Key {
    key(TableKey::Schema { table: "t".to_owned() }.to_bytes())
}

fn head_key(time: u8) -> Key {
    key(TableKey::Head { table: "t".to_owned(), column: 0, columns: vec![time], run: 0 }.to_bytes())
}

fn value(bytes: Vec<u8>) -> Value {
    Value::from(bytes.as_slice())
}

impl Tables {
    /// A chain without tables that the publisher may create some on.
    fn new() -> Self {
        let policy = Policy::Tables { creators: [publisher().verifying_key().to_bytes()].into() };
        let entries = (0..12).map(|i| (Key::from(format!("k{i:02}").as_str()), "old".into())).collect();
        let genesis = ChainGenesis::new("test", [0; 32], small(), policy, entries).unwrap();
        let column = ValueColumn { name: "power".to_owned(), lowest: 0, span: 200, bits: 8, moments: 1, scale: 0 };
        let schema = Schema {
            append_only: false,
            deletable: true,
            writers: vec![publisher().verifying_key().to_bytes()],
            keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
            values: vec![column],
            rows: vec![],
            watermark: vec![],
        };
        let (setup, masks) = (ProverSetup::ethereum(None).unwrap(), MaskSource::new([7; 32]));
        Self { scene: Scene::begin(&[], "test", genesis), setup, masks, schema, begun: Vec::new() }
    }

    /// The table is there.
    fn created() -> Self {
        let mut tables = Self::new();
        let bytes = value(tables.schema.to_bytes());
        let operations = [Operation::Require(schema_key(), None), Operation::Put(schema_key(), bytes)];
        let create = tables.scene.signed(&operations);
        assert_eq!(tables.scene.check(&create), TxCode::Applied);
        let (proposal, response) = tables.scene.step(&[create]);
        assert_eq!(codes(&response), [TxCode::Applied; 2]);
        tables.begun = proposal;
        tables
    }

    /// What appends a run of a time, and its certificate.
    fn run(&mut self, time: u8, numbers: &[u64]) -> (Vec<Operation>, TableCertificate) {
        let sheet = self.setup.sheet(3).unwrap();
        let segment = KnownSegment::draw(&mut self.masks, 1, numbers.to_vec(), 1);
        let record = segment.commit(sheet, [0; 32]);
        let dictionary = self.scene.genesis.genesis().dictionary_id();
        let about = About::of_column(dictionary, "t", &self.schema, 0).unwrap();
        let item = SheetItem { columns: vec![time], run: 0, revision: 0, segment: 0, record: record.clone() };
        let masks = CertificateMasks::draw(&mut self.masks, 8);
        let certificate = prove(sheet, &about, &[item], &[segment], &masks).unwrap().to_bytes();
        let operations = vec![
            Operation::Require(schema_key(), Some(value(self.schema.to_bytes()))),
            Operation::Require(head_key(time), None),
            Operation::Put(head_key(time), value(Head::single(0, record).to_bytes())),
        ];
        (operations, TableCertificate { segments: 1, certificate })
    }

    fn sign(&self, transaction: Transaction, certificates: Vec<TableCertificate>, key: &SigningKey) -> Vec<u8> {
        let id = self.scene.genesis.genesis().dictionary_id();
        SignedTransaction::sign(transaction, &id, std::slice::from_ref(key)).with_certificates(certificates).encode()
    }

    fn signed(&mut self, operations: &[Operation], certificates: Vec<TableCertificate>) -> Vec<u8> {
        let transaction = self.scene.transaction(operations);
        self.sign(transaction, certificates, &publisher())
    }

    /// A transaction that appends a run.
    fn append(&mut self, time: u8, numbers: &[u64]) -> Vec<u8> {
        let (operations, certificate) = self.run(time, numbers);
        self.signed(&operations, vec![certificate])
    }
}

#[test]
fn runs_get_into_blocks_with_their_certificates_and_every_replica_agrees() {
    let mut tables = Tables::created();
    let replica = tables.scene.another("replica");
    let (one, two) = (tables.append(1, &[3, 3, 180]), tables.append(2, &[0]));
    assert!([&one, &two].iter().all(|tx| tables.scene.check(tx) == TxCode::Applied));
    let (proposal, response) = tables.scene.step(&[one, two]);
    assert_eq!(codes(&response), [TxCode::Applied; 3]);
    assert_eq!([proposal[0][0], proposal[1][0], proposal[2][0]], [3, 5, 5]);
    // Who was not asked before the block was decided, and who replays it, comes to the same.
    let mut replayed = Vec::new();
    for (height, list) in [(1, &tables.begun), (2, &proposal)] {
        replayed = replica.finalize_block(&finalize(height, list, 9)).unwrap().app_hash.to_vec();
        replica.commit().unwrap();
    }
    assert_eq!(replayed, response.app_hash);
    let parameters = tables.scene.genesis.genesis().parameters().clone();
    let block = ChainBlock::from_txs(2, &proposal, &parameters).unwrap();
    assert_eq!(block.certified_keys().len(), 2);
    let state = (tables.scene.app.state().state(), tables.scene.app.state().root());
    tables.scene.app = tables.scene.another("elsewhere");
    tables.scene.app = tables.scene.another("a");
    assert_eq!((tables.scene.app.state().state(), tables.scene.app.state().root()), state);
    let before = tables.scene.app.version();
    let again = tables.append(3, &[7]);
    let proposal = tables.scene.prepare(&[again], LIMIT);
    assert_eq!(proposal.len(), 2, "what CheckTx did not see is verified by the proposer");
    let first = tables.scene.app.finalize_block(&finalize(3, &proposal, 1)).unwrap();
    assert_eq!(tables.scene.app.version(), before + 1);
    // CometBFT has come back before Commit.
    assert!(tables.scene.accepts(&proposal));
    let second = tables.scene.app.finalize_block(&finalize(3, &proposal, 9)).unwrap();
    assert_eq!((codes(&second), second.app_hash), (vec![TxCode::Applied; 2], first.app_hash));
}

#[test]
fn what_lies_does_not_wait_for_a_block() {
    let mut tables = Tables::created();
    let (operations, honest) = tables.run(1, &[3, 9]);
    let (_, other) = tables.run(1, &[3, 9]);
    let cut = TableCertificate { segments: 1, certificate: honest.certificate[1..].to_vec() };
    let false_run = {
        // A head of twice as many rows as its record.
        let mut operations = operations.clone();
        let Operation::Put(_, head) = &operations[2] else { panic!("the third operation puts the head") };
        let mut bytes = head.to_vec();
        bytes[16] = 4;
        operations[2] = Operation::Put(head_key(1), value(bytes));
        operations
    };
    let refused = [
        (operations.clone(), vec![other.clone()], TxCode::CertificateFalse),
        (operations.clone(), vec![cut], TxCode::CertificateMalformed),
        (operations.clone(), vec![], TxCode::CertificateMalformed),
        (operations.clone(), vec![honest.clone(), other.clone()], TxCode::CertificateMalformed),
        (false_run, vec![honest.clone()], TxCode::RecordFalse),
        (operations[1..].to_vec(), vec![honest.clone()], TxCode::SchemaNotPinned),
        (vec![Operation::Put("k01".into(), "new".into())], vec![], TxCode::SchemaNotPinned),
    ];
    for (operations, certificates, code) in refused {
        let tx = tables.signed(&operations, certificates);
        assert_eq!(tables.scene.check(&tx), code);
        assert!(tables.scene.prepare(&[tx], LIMIT).is_empty());
    }
    // A stranger, and one who pins a schema that lists him: it is not the one that stands.
    let stranger = SigningKey::from_bytes(&[8; 32]);
    let transaction = tables.scene.transaction(&operations);
    let foreign = tables.sign(transaction, vec![honest.clone()], &stranger);
    assert_eq!(tables.scene.check(&foreign), TxCode::SignerSuperfluous);
    let own = Schema { writers: vec![stranger.verifying_key().to_bytes()], ..tables.schema.clone() };
    let mut pinned = operations.clone();
    pinned[0] = Operation::Require(schema_key(), Some(value(own.to_bytes())));
    let transaction = tables.scene.transaction(&pinned);
    let foreign = tables.sign(transaction, vec![other.clone()], &stranger);
    assert_eq!(tables.scene.check(&foreign), TxCode::Rejected(Reason::RequireFailed));
    // Nor does a claim that says so: its opening is looked at before any certificate.
    let mut transaction = tables.scene.transaction(&pinned);
    let claim = transaction.claims.iter_mut().find(|claim| claim.slot.key == schema_key()).unwrap();
    claim.slot.value = value(own.to_bytes());
    let foreign = tables.sign(transaction, vec![other], &stranger);
    assert!(matches!(tables.scene.check(&foreign), TxCode::Rejected(_)));
    // Asked about together, each has its own answer.
    let honest = tables.signed(&operations, vec![honest]);
    let (operations, _) = tables.run(2, &[1]);
    let (_, certificate) = tables.run(3, &[1]);
    let lie = tables.signed(&operations, vec![certificate]);
    let good = tables.append(4, &[1]);
    let request = |tx: &Vec<u8>| RequestCheckTx { tx: tx.clone().into(), r#type: CheckTxType::New.into() };
    let answers = tables.scene.app.check_txs(&[&honest, &lie, &good].map(request));
    let said: Vec<_> = answers.iter().map(|answer| TxCode::from_number(answer.code).unwrap()).collect();
    assert_eq!(said, [TxCode::Applied, TxCode::CertificateFalse, TxCode::Applied]);
    assert_eq!(codes(&tables.scene.step(&[honest, lie, good]).1), [TxCode::Applied; 3]);
}

#[test]
fn a_block_with_a_false_certificate_is_refused_and_decided_all_the_same_it_is_empty() {
    let mut tables = Tables::created();
    let txs = [tables.append(1, &[3, 9]), tables.append(2, &[7]), tables.append(3, &[7])];
    let honest = tables.scene.prepare(&txs, LIMIT);
    assert_eq!(honest.len(), 4);
    let parameters = tables.scene.genesis.genesis().parameters().clone();
    let spoilt = |change: fn(&mut ChainBlock)| -> Vec<Bytes> {
        let mut block = ChainBlock::from_txs(2, &honest, &parameters).unwrap();
        change(&mut block);
        block.to_txs().into_iter().map(Bytes::from).collect()
    };
    let lists = [
        spoilt(|block| block.certificates.swap(1, 2)),
        spoilt(|block| block.certificates[2].clear()),
        spoilt(|block| block.certificates[0][0].certificate.truncate(100)),
        spoilt(|block| block.certificates[0][0].segments = 2),
    ];
    for txs in &lists {
        assert!(!tables.scene.accepts(txs));
    }
    let before = tables.scene.app.state().state();
    assert_eq!(codes(&tables.scene.decide(&lists[0])), [TxCode::BlockRefused; 4]);
    let after = tables.scene.app.state().state();
    assert_eq!((after.version, after.commitments), (before.version + 1, before.commitments));
    // They were not applied, so they can be: what is accepted and decided now is the honest list.
    assert_eq!(codes(&tables.scene.step(&txs).1), [TxCode::Applied; 4]);
}

#[test]
fn a_validator_that_joins_by_a_snapshot_needs_no_certificate_of_before() {
    let mut tables = Tables::created();
    let append = tables.append(1, &[3, 9]);
    tables.scene.step(&[append]);
    let snapshot = tables.scene.app.list_snapshots().snapshots.pop().unwrap();
    assert_eq!(snapshot.height, 2, "of the block that put the run");
    let joiner = tables.scene.another("joiner");
    let root = tables.scene.app.state().root();
    let offer = RequestOfferSnapshot { snapshot: Some(snapshot.clone()), app_hash: root.to_vec().into() };
    assert_eq!(joiner.offer_snapshot(offer).unwrap().result, i32::from(OfferResult::Accept));
    for index in 0..snapshot.chunks {
        let load = RequestLoadSnapshotChunk { height: 2, format: 1, chunk: index };
        let chunk = tables.scene.app.load_snapshot_chunk(&load).chunk;
        let request = RequestApplySnapshotChunk { index, chunk, sender: "peer".into() };
        assert_eq!(joiner.apply_snapshot_chunk(request).unwrap().result, i32::from(ChunkResult::Accept));
    }
    // What it has is the state; certificates are judged as they come, false ones refused.
    let txs = [tables.append(2, &[7]), tables.append(3, &[8])];
    let proposal = tables.scene.prepare(&txs, LIMIT);
    let parameters = tables.scene.genesis.genesis().parameters().clone();
    let mut lie = ChainBlock::from_txs(3, &proposal, &parameters).unwrap();
    lie.certificates.swap(0, 1);
    let lie: Vec<Bytes> = lie.to_txs().into_iter().map(Bytes::from).collect();
    let expected = tables.scene.app.finalize_block(&finalize(3, &proposal, 1)).unwrap();
    tables.scene.app = joiner;
    assert!(!tables.scene.accepts(&lie));
    assert!(tables.scene.accepts(&proposal));
    let response = tables.scene.decide(&proposal);
    assert_eq!((codes(&response), response.app_hash), (vec![TxCode::Applied; 3], expected.app_hash));
}
