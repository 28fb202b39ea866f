//! The dictionary of the table that the cases are about, and its honest answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use aardvark_aggregates::answer::prover::{Ground, answer_totals};
use aardvark_aggregates::scan::TableScan;
use aardvark_aggregates::{
    Answer, Head, KeyColumn, KeyKind, KeyValue, KnownSegment, MaskSource, ProverSetup, Query, Schema, TableKey,
    ValueColumn, encode_columns,
};
use aardvark_commitment::{Ceremony, Kzg, Scheme};
use aardvark_dictionary::{Key, Value};

use super::super::book::Version;
use super::super::{CommitmentsJson, Trusted};

/// The table's name.
pub(super) const TABLE: &str = "meters";

/// A run: time, town, number, the logarithm of its domain, the rows of the column `power`.
pub(super) type Run = (u64, &'static str, u32, usize, &'static [i64]);

const LOWEST: i64 = -5;
/// The table's runs.
pub(super) const RUNS: [Run; 5] = [
    (100, "Bern", 0, 3, &[3, 7]),
    (100, "Chur", 0, 3, &[-5]),
    (101, "Bern", 0, 4, &[1, 1, 50]),
    (101, "Bern", 1, 3, &[9]),
    (104, "Chur", 0, 4, &[-4, 0, 0, 200]),
];

/// The table's schema.
pub(super) fn schema() -> Schema {
    let key = |name: &str, kind, width| KeyColumn { name: name.to_owned(), kind, width };
    let value = |name: &str, lowest, span, moments| ValueColumn {
        name: name.to_owned(),
        lowest,
        span,
        bits: 8,
        moments,
        scale: 0,
    };
    Schema {
        append_only: false,
        deletable: true,
        writers: vec![],
        keys: vec![key("time", KeyKind::Unsigned, 4), key("town", KeyKind::Text, 6)],
        values: vec![value("heat", 0, 9, 1), value("power", LOWEST, 205, 2)],
        rows: vec!["user".to_owned()],
        watermark: vec![],
    }
}

/// The dictionary of the table.
pub(super) struct Scene {
    version: Version,
    setup: ProverSetup,
    segments: BTreeMap<Vec<u8>, KnownSegment>,
}

impl Scene {
    pub(super) fn new() -> Self {
        let setup = ProverSetup::ethereum(None).expect("the ceremony is part of the program");
        let mut masks = MaskSource::new([7; 32]);
        let (mut segments, mut entries) = (BTreeMap::new(), Vec::new());
        let schema = schema();
        for (time, town, run, log, rows) in RUNS {
            let numbers = rows.iter().map(|row| u64::try_from(row - LOWEST).expect("at least the lowest")).collect();
            let segment = KnownSegment::draw(&mut masks, 1, numbers, 2);
            let record = segment.commit(setup.sheet(log).expect("a sheet"), [7; 32]);
            let columns = encode_columns(&schema, &[KeyValue::Unsigned(time), KeyValue::Text(town.to_owned())]);
            let columns = columns.expect("values of the columns");
            let key = TableKey::Head { table: TABLE.to_owned(), column: 1, columns, run }.to_bytes();
            entries.push((Key::from(key.clone()), Value::from(Head::single(0, record).to_bytes())));
            segments.insert(key, segment);
        }
        let schema_key = TableKey::Schema { table: TABLE.to_owned() }.to_bytes();
        entries.push((Key::from(schema_key), Value::from(schema.to_bytes())));
        // What stands beside the table, and what looks like one of its keys.
        entries.push((Key::from("apple"), Value::from("green")));
        entries.push((Key::from("zebra"), Value::from("striped")));
        let other = TableKey::Schema { table: "others".to_owned() }.to_bytes();
        entries.push((Key::from(other), Value::from(schema.to_bytes())));
        entries.sort_by(|(one, _), (other, _)| one.cmp(other));
        let ceremony = Ceremony::ethereum().expect("the ceremony is part of the program");
        let scheme = Arc::new(Scheme::from(Kzg::new(ceremony, 4).expect("a legal size")));
        Self { version: Version::genesis("tables", 9, &scheme, entries), setup, segments }
    }

    /// The claim of the slot that covers a key.
    pub(super) fn claim_covering(&self, key: &[u8]) -> aardvark_dictionary::Claim {
        let position = self.version.slots.iter().position(|slot| slot.covers(&Key::from(key)));
        self.version.claim(position.expect("each key is covered"))
    }

    /// The honest answer.
    pub(super) fn answer(&self, query: &str) -> Answer {
        let schema = schema();
        let parsed = Query::parse(TABLE, query, &schema).expect("a query");
        let key_box = parsed.key_box();
        let mut scan = TableScan::new(&key_box);
        let (mut runs, mut segments) = (Vec::new(), Vec::new());
        while let Some(wanted) = scan.wanted().cloned() {
            let claim = self.claim_covering(&wanted);
            if scan.step(&claim.slot).expect("it covers the cursor") {
                segments.push(self.segments[&claim.slot.key.to_vec()].clone());
            }
            runs.push(claim);
        }
        let schema = self.claim_covering(&TableKey::Schema { table: TABLE.to_owned() }.to_bytes());
        let dictionary = self.version.genesis.dictionary_id();
        let ground = Ground { dictionary, version: self.version.number, schema, runs, segments: Vec::new(), tie: None };
        answer_totals(&self.setup, &parsed, query, ground, &segments).expect("an answer")
    }

    /// What is believed of its dictionary.
    pub(super) fn trusted(&self) -> Trusted {
        let version = &self.version;
        Trusted::Commitments(CommitmentsJson {
            format: 1,
            dictionary: version.genesis.dictionary_id().0.into(),
            scheme: "kzg".to_owned(),
            vector_size: 4,
            version: version.number,
            slots: version.slots.len() as u64,
            commitments: version.commitments.iter().map(|commitment| commitment.to_bytes().into()).collect(),
        })
    }
}
