//! The policy `tables`: the specification, the oracle and `aardvark-chain` say the same of random
//! histories of transactions, legal and not, from their shape to the statements that their
//! certificates are about. `table_certified.rs` has certificates that hold.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_aggregates::certificate::statement::statement_behind;
use aardvark_aggregates::{Head, KeyColumn, KeyKind, Record, Schema, Segment, TableKey, ValueColumn};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar};
use aardvark_chain::tables::judge;
use aardvark_chain::{Policy, SignerSignature, TableCertificate};
use aardvark_commitment::Commitment;
use aardvark_dictionary::{DictionaryId, Key, Operation, Transaction, Unopened, Value};
use aardvark_oracle::{PolicyRequest, Safety};
use aardvark_spec::base::group::g1_multiple;
use aardvark_spec::base::scalar::scalar_of_number;
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::policy::check_policy::check_policy;
use aardvark_spec::policy::table_made::TableSheet;
use aardvark_spec::policy::tables::judge_tables;
use aardvark_spec::table::certificate_transcript::certificate_statement;
use aardvark_spec::table::linked_certificate::linked_statement;
use aardvark_spec::table::run_record::TablePoint;
use differential_tests::answers::world::Draw;
use differential_tests::convert::transaction_to_spec;
use differential_tests::oracle::policies::policy as ask_oracle;
use differential_tests::points::Points;
use differential_tests::policies::{certificate_to_spec, code, policy_to_spec, signer_to_spec};
use hacspec_lib::Seq;

/// Transactions of the normal run; the oracle judges each third.
const TRANSACTIONS: usize = 4_000;
const DICTIONARY: DictionaryId = DictionaryId([1; 32]);
/// The exponents of the points that there are.
const EXPONENTS: u64 = 4_096;

fn public_key(person: usize) -> [u8; 32] {
    [person as u8 + 1; 32]
}

/// Points by their exponents, and exponents by the points' encodings.
struct Known {
    points: Vec<Commitment>,
    exponents: BTreeMap<[u8; 48], u64>,
}

impl Known {
    fn new() -> Self {
        let multiple = |i: u64| Commitment::from_point_unchecked((G1Affine::generator() * Scalar::from(i)).to_affine());
        let points: Vec<Commitment> = (0..EXPONENTS).map(multiple).collect();
        let exponents = points.iter().enumerate().map(|(i, point)| (point.to_bytes(), i as u64)).collect();
        Self { points, exponents }
    }

    fn record(&self, draw: &mut Draw) -> Record {
        let rows = 1 + draw.below(4) as u16;
        let mut point = || self.points[1 + draw.below(60)];
        Record { log: 3, first: 1, rows, values: point(), root: [4; 32], sums: vec![point(), point()] }
    }

    /// The points that stand in values of operations: at each place where there may be one.
    fn of(&self, operations: &[Operation]) -> Seq<TablePoint> {
        let mut found = BTreeSet::new();
        for value in operations.iter().filter_map(Operation::value) {
            let windows = value.windows(48).filter_map(|bytes| <[u8; 48]>::try_from(bytes).ok());
            found.extend(windows.filter(|bytes| self.exponents.contains_key(bytes)));
        }
        let point = |bytes: [u8; 48]| TablePoint {
            held_element: g1_multiple(scalar_of_number(u128::from(self.exponents[&bytes]))),
            held_bytes: byte_string(&bytes),
        };
        to_seq(found.into_iter().map(point).collect())
    }
}

fn schema(flags: usize) -> Schema {
    let column =
        |name: &str| ValueColumn { name: name.to_owned(), lowest: 0, span: 200, bits: 8, moments: 2, scale: 0 };
    Schema {
        append_only: flags == 1,
        deletable: flags == 2,
        writers: vec![public_key(1), public_key(2)],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
        values: vec![column("power"), column("other")],
        rows: vec![],
        watermark: vec![],
    }
}

fn key(place: &TableKey) -> Key {
    Key::from(place.to_bytes().as_slice())
}

fn value(bytes: &[u8]) -> Value {
    Value::from(bytes)
}

/// A table as it stands.
struct Table {
    entries: BTreeMap<Key, Value>,
}

impl Table {
    fn get(&self, key: &Key) -> Option<Value> {
        self.entries.get(key).cloned()
    }

    fn head(&self, key: &Key) -> Option<Head> {
        self.get(key).map(|value| Head::from_bytes(&value, 2).unwrap())
    }

    /// The operations of an honest step of a run, and which of its puts continue a run.
    fn step(&self, draw: &mut Draw, known: &Known, deletable: bool) -> (Vec<Operation>, Vec<bool>) {
        let (column, columns, run) = (draw.below(2) as u8, vec![draw.below(5) as u8], 0);
        let table = "t".to_owned();
        let head_key = key(&TableKey::Head { table: table.clone(), column, columns: columns.clone(), run });
        let segment_key = |revision: u32, segment: u32| {
            key(&TableKey::Segment { table: table.clone(), column, columns: columns.clone(), run, revision, segment })
        };
        let before = self.head(&head_key);
        let mut operations = vec![Operation::Require(head_key.clone(), self.get(&head_key))];
        let mut continues = Vec::new();
        let single = |draw: &mut Draw, revision| Head::single(revision, known.record(draw));
        let (mut after, grows) = match &before {
            None => (single(draw, 0), false),
            Some(_) if deletable && draw.below(4) == 0 => {
                operations.push(Operation::Delete(head_key));
                return (operations, continues);
            }
            Some(head) if deletable && draw.below(6) == 0 => {
                // Its head stays; whether a segment may go is for its revision to say.
                let revision = [head.revision, head.revision + 1, head.revision.saturating_sub(1)][draw.below(3)];
                operations.push(Operation::Delete(segment_key(revision, 1 + draw.below(2) as u32)));
                return (operations, continues);
            }
            Some(head) if draw.below(3) == 0 => (single(draw, head.revision + 1), false),
            Some(head) => (head.clone(), true),
        };
        let count = draw.below(3).max(usize::from(grows));
        if count > 0 && after.segments() > 1 {
            let last = segment_key(after.revision, after.segments() - 1);
            operations.push(Operation::Require(last.clone(), self.get(&last)));
        }
        for _ in 0..count {
            let (number, record) = (after.segments(), known.record(draw));
            let segment = Segment { rank: after.rows(), record: record.clone() };
            operations.push(Operation::Require(segment_key(after.revision, number), None));
            operations.push(Operation::Put(segment_key(after.revision, number), value(&segment.to_bytes())));
            after = after.with_segment(&record);
            continues.push(true);
        }
        operations.push(Operation::Put(head_key, value(&after.to_bytes())));
        if !grows {
            continues.push(false);
        }
        if let Some(head) = before.filter(|head| deletable && head.revision != after.revision) {
            operations.extend((1..head.segments()).map(|number| Operation::Delete(segment_key(head.revision, number))));
        }
        (operations, continues)
    }
}

/// Certificates whose bytes are none: so many segments each.
fn certificates(draw: &mut Draw, continues: &[bool]) -> Vec<TableCertificate> {
    let mut parts: Vec<u16> = Vec::new();
    for continues in continues {
        match parts.last_mut() {
            Some(last) if !continues && draw.below(2) == 0 => *last += 1,
            _ => parts.push(1),
        }
    }
    parts.into_iter().map(|segments| TableCertificate { segments, certificate: vec![] }).collect()
}

/// The operations with another key in the place of one.
fn renamed(operations: &mut [Operation], from: &Key, to: &Key) {
    for operation in operations.iter_mut().filter(|operation| operation.key() == from) {
        *operation = match operation.clone() {
            Operation::Put(_, value) => Operation::Put(to.clone(), value),
            Operation::Require(_, content) => Operation::Require(to.clone(), content),
            Operation::Delete(_) => Operation::Delete(to.clone()),
            other => other,
        };
    }
}

/// Changes something about a transaction.
fn lie(
    draw: &mut Draw,
    operations: &mut Vec<Operation>,
    brought: &mut Vec<TableCertificate>,
    signers: &mut Vec<usize>,
) {
    let kind = draw.below(13);
    let pinned = |place: &usize| matches!(operations[*place], Operation::Require(_, Some(_)));
    let heads: Vec<usize> = (1..operations.len()).filter(pinned).collect();
    let place = match kind {
        5 if !heads.is_empty() => heads[draw.below(heads.len())],
        _ => draw.below(operations.len().max(1)),
    };
    let other = draw.below(operations.len().max(1));
    match kind {
        0 if !operations.is_empty() => drop(operations.remove(place)),
        1 if !operations.is_empty() => operations.swap(place, other),
        2 if !operations.is_empty() => operations.insert(place, operations[other].clone()),
        3..=5 if !operations.is_empty() => {
            let flip = |value: &Value, draw: &mut Draw| {
                let mut bytes = value.to_vec();
                let length = bytes.len().max(1);
                // Numbers in front as often as the points behind; of a head the segments and rows.
                let at = [draw.below(length), draw.below(length.min(22)), 5 + draw.below(12)][draw.below(3)];
                match draw.below(12) {
                    0 => bytes.push(0),
                    1 => drop(bytes.pop()),
                    _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| {
                        *byte = byte.wrapping_add([1, 255, 128][draw.below(3)]);
                    }),
                }
                Value::from(bytes.as_slice())
            };
            operations[place] = match &operations[place] {
                Operation::Put(key, value) => Operation::Put(key.clone(), flip(value, draw)),
                Operation::Require(key, Some(value)) => Operation::Require(key.clone(), Some(flip(value, draw))),
                Operation::Require(key, None) => Operation::Require(key.clone(), Some(Value::from("value"))),
                other => Operation::Require(other.key().clone(), None),
            };
        }
        6 if !operations.is_empty() => operations[place] = Operation::Delete(operations[other].key().clone()),
        7 if !brought.is_empty() => brought[0].segments = [0, 2, 300][draw.below(3)],
        8 => brought.push(TableCertificate { segments: 1, certificate: vec![1] }),
        9 => drop(brought.pop()),
        10 => signers.push(draw.below(4)),
        11 if !operations.is_empty() => {
            // Another run, revision or number of a segment, by the last byte of each; another
            // table.
            let from = operations[place].key().clone();
            let mut bytes = from.to_vec();
            let at = [2, bytes.len().saturating_sub([1, 5, 9][draw.below(3)])][draw.below(4).min(1)];
            bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = byte.wrapping_add([1, 255][draw.below(2)]));
            renamed(operations, &from, &Key::from(bytes.as_slice()));
        }
        _ => drop(signers.pop()),
    }
    signers.sort_unstable();
    signers.dedup();
}

/// The statement that a sheet's certificate is about, and how many bits it has.
fn spec_statement(sheet: &TableSheet) -> Vec<u8> {
    let (about, items) = (&sheet.table_sheet_about, &sheet.table_sheet_items);
    byte_vec(&match &sheet.table_sheet_link {
        None => certificate_statement(about, items),
        Some(link) => linked_statement(about, link, items),
    })
}

#[test]
fn both_say_the_same_of_histories_of_transactions() {
    let (known, points, mut draw) = (Known::new(), Points::default(), Draw::new(0x0074_6162_6c65_7300));
    let mut said = BTreeMap::<String, u64>::new();
    let mut standing = Table { entries: BTreeMap::new() };
    let mut now = schema(0);
    let schema_key = key(&TableKey::Schema { table: "t".to_owned() });
    for number in 0..TRANSACTIONS {
        if number % 400 == 0 {
            // Another table of the same name.
            standing.entries.clear();
            now = schema(number / 400 % 3);
        }
        let pinned = standing.get(&schema_key);
        let mut operations = vec![Operation::Require(schema_key.clone(), pinned.clone())];
        let (mut continues, mut signers) = (Vec::new(), vec![1 + draw.below(2)]);
        if pinned.is_none() {
            operations.push(Operation::Put(schema_key.clone(), value(&now.to_bytes())));
            signers = vec![0];
        } else if draw.below(200) == 0 {
            let watermark = vec![now.watermark.first().map_or(1, |first| first + 1)];
            let sealed = Schema { watermark, ..now.clone() };
            operations.push(Operation::Put(schema_key.clone(), value(&sealed.to_bytes())));
        } else {
            for _ in 0..1 + draw.below(3) {
                let (step, put) = standing.step(&mut draw, &known, now.deletable);
                operations.extend(step);
                continues.extend(put);
            }
        }
        let mut brought = certificates(&mut draw, &continues);
        for _ in 0..draw.below(3) {
            lie(&mut draw, &mut operations, &mut brought, &mut signers);
        }
        let transaction: Transaction<Unopened> =
            Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] };
        let signatures: Vec<SignerSignature> =
            signers.iter().map(|one| SignerSignature { public_key: public_key(*one), signature: [0; 64] }).collect();

        let specified = transaction_to_spec(&transaction, &points);
        let signed_by = to_seq(signatures.iter().map(signer_to_spec).collect());
        let received = to_seq(brought.iter().map(certificate_to_spec).collect());
        let policy = Policy::Tables { creators: [public_key(0)].into() };
        let rules = policy_to_spec(&policy);
        let expected = check_policy(&rules, &specified, &signed_by, &received).map_err(code);
        let asked =
            PolicyRequest::Check { policy: &rules, transaction: &specified, signed_by: &signed_by, brought: &received };
        let asks = number % 3 == 0;
        if asks {
            ask_oracle(Safety::Ask, &asked).unwrap();
        }
        let verdict = policy.check(&transaction, &signatures, &brought);
        assert_eq!(verdict, expected, "{number}: {transaction:?} {signers:?} {brought:?}");

        // Certificates are none here: the implementation says so once all steps are judged.
        let mut name = expected.err().map(|code| code.name().to_owned());
        if name.is_none() {
            let (dictionary, points) = (byte_string(&DICTIONARY.0), known.of(&transaction.operations));
            let statements = judge_tables(&dictionary, &specified, &received, &points)
                .map(|sheets| to_vec(&sheets).iter().map(spec_statement).collect::<Vec<_>>())
                .map_err(code);
            let asked = PolicyRequest::Sheets {
                dictionary: &dictionary,
                transaction: &specified,
                brought: &received,
                points: &points,
            };
            if asks {
                ask_oracle(Safety::Ask, &asked).unwrap();
            }
            let real = real_certificates(&brought);
            let judged = judge(&DICTIONARY, &transaction, &real).map(|sheets| {
                let statement = |sheet: &aardvark_chain::tables::TableSheet| {
                    statement_behind(&sheet.about, sheet.link.as_ref(), &sheet.items)
                };
                sheets.iter().map(statement).collect::<Vec<_>>()
            });
            assert_eq!(judged, statements, "{number}: {transaction:?} {brought:?}");
            name = statements.err().map(|code| code.name().to_owned());
        }
        let legal = name.is_none();
        *said.entry(name.unwrap_or_else(|| "legal".to_owned())).or_default() += 1;
        let holds = |operation: &Operation| match operation {
            Operation::Require(key, content) => standing.get(key) == *content,
            _ => true,
        };
        if legal && transaction.operations.iter().all(holds) {
            *said.entry("applied".to_owned()).or_default() += 1;
            for operation in &transaction.operations {
                match operation {
                    Operation::Put(key, value) => drop(standing.entries.insert(key.clone(), value.clone())),
                    Operation::Delete(key) => drop(standing.entries.remove(key)),
                    _ => {}
                }
            }
            if let Some(bytes) = standing.get(&schema_key) {
                now = Schema::from_bytes(&bytes).unwrap();
            }
        }
    }
    println!("{said:?}");
    assert!(said.len() == 10 && said.values().all(|count| *count >= 10), "{said:?}");
    assert!(said["applied"] >= 400, "{said:?}");
}

/// The same, with bytes that are a certificate, of nothing that is true.
fn real_certificates(brought: &[TableCertificate]) -> Vec<TableCertificate> {
    let infinity = Commitment::identity().to_bytes();
    let bytes = [&[1], infinity.repeat(8 + 3).as_slice(), &[0; (8 + 2) * 32], &infinity.repeat(2)].concat();
    brought.iter().map(|one| TableCertificate { segments: one.segments, certificate: bytes.clone() }).collect()
}
