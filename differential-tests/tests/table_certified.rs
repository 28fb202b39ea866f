//! Certificates under the policy `tables`: with a known trapdoor the specification, the oracle and
//! `aardvark-chain` say the same of transactions whose certificates hold, and of lies about them.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod known_sheets;

use aardvark_aggregates::{
    About, Certificate, Head, KeyColumn, KeyKind, Schema, Segment, TableKey, TableVerifier, ValueColumn, WholeRun,
};
use aardvark_chain::tables::{first_false, judge};
use aardvark_chain::{Policy, TableCertificate, TxCode};
use aardvark_dictionary::{DictionaryId, Key, Operation, Transaction, Unopened, Value};
use aardvark_oracle::{PolicyRequest, Safety};
use aardvark_spec::base::group::g1_add;
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::convert::{byte_string, to_seq, to_vec};
use aardvark_spec::policy::check_policy::certify_policy;
use aardvark_spec::policy::tables::CertificateMeaning;
use aardvark_spec::table::run_record::TablePoint;
use differential_tests::convert::transaction_to_spec;
use differential_tests::oracle::policies::policy as ask_oracle;
use differential_tests::points::Points;
use differential_tests::policies::{certificate_to_spec, code, policy_to_spec};
use known_sheets::linked::LinkedPair;
use known_sheets::{Pair, held, to_spec};

const DICTIONARY: DictionaryId = DictionaryId([9; 32]);
const TABLE: &str = "t";
const MOMENTS: usize = 2;

fn schema() -> Schema {
    let column =
        ValueColumn { name: "power".to_owned(), lowest: 0, span: 200, bits: 8, moments: MOMENTS as u8, scale: 0 };
    Schema {
        append_only: false,
        deletable: false,
        writers: vec![[1; 32]],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
        values: vec![column],
        rows: vec![],
        watermark: vec![],
    }
}

fn key(place: &TableKey) -> Key {
    Key::from(place.to_bytes().as_slice())
}

fn head_key(time: u8, run: u32) -> Key {
    key(&TableKey::Head { table: TABLE.to_owned(), column: 0, columns: vec![time], run })
}

fn value(bytes: &[u8]) -> Value {
    Value::from(bytes)
}

/// The schema, pinned.
fn pinned() -> Operation {
    let place = TableKey::Schema { table: TABLE.to_owned() };
    Operation::Require(key(&place), Some(value(&schema().to_bytes())))
}

/// A sheet's segments become such of the table, at these times, each of run 0 and revision 0.
fn placed(pair: &mut Pair, times: &[u8]) {
    pair.about = About::of_column(DICTIONARY, TABLE, &schema(), 0).unwrap();
    for (item, time) in pair.items.iter_mut().zip(times) {
        (item.columns, item.run, item.revision, item.segment) = (vec![*time], 0, 0, 0);
    }
}

/// The points of a sheet's records.
fn points_of(pair: &Pair) -> Vec<TablePoint> {
    let records = to_vec(&pair.spec_items()).into_iter().map(|item| item.item_record);
    records.flat_map(|one| [vec![one.record_values], to_vec(&one.record_sums)].concat()).collect()
}

/// A transaction with its certificates, as bytes and as the specification knows them.
#[derive(Clone)]
struct Written<'a> {
    operations: Vec<Operation>,
    brought: Vec<TableCertificate>,
    meanings: Vec<CertificateMeaning>,
    points: Vec<TablePoint>,
    pair: &'a Pair,
}

fn brought(segments: u16, shown: &Certificate) -> TableCertificate {
    TableCertificate { segments, certificate: shown.to_bytes() }
}

impl Written<'_> {
    /// What all three say of it.
    fn said(&self, dictionary: DictionaryId) -> Result<(), TxCode> {
        let Self { operations, brought, meanings, points, pair } = self;
        let transaction: Transaction<Unopened> = Transaction {
            first_valid: 1,
            last_valid: 1,
            nonce: [0; 16],
            operations: operations.clone(),
            claims: vec![],
        };
        let (tau, specified) = (to_spec(&pair.tau), transaction_to_spec(&transaction, &Points::default()));
        let setup = kzg_setup(pair.size, tau);
        let policies = [Policy::Tables { creators: [[0; 32]].into() }, Policy::Publisher([[0; 32]].into())];
        let [under_tables, under_publisher] = policies.map(|policy| {
            let (policy, id) = (policy_to_spec(&policy), byte_string(&dictionary.0));
            let received = to_seq(brought.iter().map(certificate_to_spec).collect());
            let (points, meanings) = (to_seq(points.clone()), to_seq(meanings.clone()));
            let asked = PolicyRequest::Certify {
                setup: (tau, pair.size, &setup),
                policy: &policy,
                dictionary: &id,
                transaction: &specified,
                brought: &received,
                points: &points,
                meanings: &meanings,
            };
            ask_oracle(Safety::Ask, &asked).unwrap();
            certify_policy(&policy, &setup, &id, &specified, &received, &points, &meanings).map_err(code)
        });
        assert_eq!(under_publisher, Ok(()));
        let verifier = TableVerifier::new(pair.setup.tau_g2());
        let verdict = judge(&dictionary, &transaction, brought)
            .and_then(|sheets| first_false(&verifier, &[&sheets]).map_or(Ok(()), |_| Err(TxCode::CertificateFalse)));
        assert_eq!(verdict, under_tables);
        verdict
    }

    /// The same with a change.
    fn with(&self, change: impl FnOnce(&mut Self)) -> Result<(), TxCode> {
        let mut changed = self.clone();
        change(&mut changed);
        changed.said(DICTIONARY)
    }
}

/// Three runs that begin, with one certificate.
fn appended(seed: u8) -> Pair {
    let mut pair = Pair::new(4, [8, MOMENTS], 200, &[(2, vec![1, 2, 3]), (7, vec![0, 200]), (11, vec![9, 9])], seed);
    placed(&mut pair, &[3, 4, 5]);
    pair
}

fn written(pair: &Pair) -> Written<'_> {
    let shown = pair.prove();
    let mut operations = vec![pinned()];
    for item in &pair.items {
        let place = head_key(item.columns[0], item.run);
        let head = Head::single(0, item.record.clone());
        operations.extend([Operation::Require(place.clone(), None), Operation::Put(place, value(&head.to_bytes()))]);
    }
    let meanings = vec![CertificateMeaning::CertificatePlain(pair.specified(&shown))];
    Written { operations, brought: vec![brought(3, &shown)], meanings, points: points_of(pair), pair }
}

#[test]
fn all_three_say_the_same_of_runs_that_begin() {
    let (pair, other) = (appended(1), appended(2));
    let honest = written(&pair);
    assert_eq!(honest.said(DICTIONARY), Ok(()));
    assert_eq!(honest.said(DictionaryId([8; 32])), Err(TxCode::CertificateFalse));
    let not_bytes = |changed: &mut Written<'_>| {
        changed.brought[0].certificate.pop();
        changed.meanings = vec![CertificateMeaning::CertificateUnread];
    };
    assert_eq!(honest.with(not_bytes), Err(TxCode::CertificateMalformed));
    // Of the same rows, with other masks.
    let foreign = other.prove();
    let of_other = |changed: &mut Written<'_>| {
        changed.brought = vec![brought(3, &foreign)];
        changed.meanings = vec![CertificateMeaning::CertificatePlain(other.specified(&foreign))];
    };
    assert_eq!(honest.with(of_other), Err(TxCode::CertificateFalse));
    // At other keys.
    let moved = |changed: &mut Written<'_>| {
        for operation in &mut changed.operations[1..3] {
            *operation = match &*operation {
                Operation::Put(_, value) => Operation::Put(head_key(3, 1), value.clone()),
                _ => Operation::Require(head_key(3, 1), None),
            };
        }
    };
    assert_eq!(honest.with(moved), Err(TxCode::CertificateFalse));
    let swapped = |changed: &mut Written<'_>| {
        let heads = changed.operations.split_off(1);
        changed.operations.extend([&heads[2..4], &heads[..2], &heads[4..]].concat());
    };
    assert_eq!(honest.with(swapped), Err(TxCode::CertificateFalse));
    // A record whose bytes are no point.
    let pointless = |changed: &mut Written<'_>| {
        let Operation::Put(place, content) = &changed.operations[2] else { return };
        let mut bytes = content.to_vec();
        bytes[30] ^= 1;
        changed.operations[2] = Operation::Put(place.clone(), value(&bytes));
    };
    assert_eq!(honest.with(pointless), Err(TxCode::RecordFalse));
}

#[test]
fn all_three_say_the_same_of_a_run_that_begins_with_two_segments() {
    let mut pair = LinkedPair::new([8, MOMENTS], 200, (3, &[(1, vec![3, 3, 7])]), (3, &[(1, vec![7, 9, 200])]), 3);
    placed(&mut pair.before, &[6]);
    placed(&mut pair.after, &[6]);
    pair.after.items[0].segment = 1;
    let (first, second) = (pair.before.prove(), pair.prove());

    let [before, after] = [&pair.before, &pair.after].map(|pair| pair.items[0].record.clone());
    let head = Head::single(0, before.clone()).with_segment(&after);
    let segment = Segment { rank: head.rows() - u64::from(after.rows), record: after };
    let place =
        TableKey::Segment { table: TABLE.to_owned(), column: 0, columns: vec![6], run: 0, revision: 0, segment: 1 };
    let operations = vec![
        pinned(),
        Operation::Require(head_key(6, 0), None),
        Operation::Require(key(&place), None),
        Operation::Put(key(&place), value(&segment.to_bytes())),
        Operation::Put(head_key(6, 0), value(&head.to_bytes())),
    ];
    let (sums, further) = (points_of(&pair.before), points_of(&pair.after));
    let whole = head.whole.clone().unwrap();
    let totals = sums[1..].iter().zip(&further[1..]).zip(&whole.totals);
    let totals: Vec<TablePoint> =
        totals.map(|((a, b), total)| held(g1_add(a.held_element, b.held_element), total.to_bytes())).collect();
    let honest = Written {
        operations,
        brought: vec![brought(1, &second), brought(1, &first)],
        meanings: vec![
            CertificateMeaning::CertificateLinked(pair.specified(&second)),
            CertificateMeaning::CertificatePlain(pair.before.specified(&first)),
        ],
        points: [sums, further, totals].concat(),
        pair: &pair.after,
    };
    assert_eq!(honest.said(DICTIONARY), Ok(()));
    let swapped = |changed: &mut Written<'_>| {
        changed.brought.reverse();
        changed.meanings.reverse();
    };
    assert_eq!(honest.with(swapped), Err(TxCode::CertificateFalse));
    let unlinked = |changed: &mut Written<'_>| {
        changed.brought[0] = changed.brought[1].clone();
        changed.meanings[0] = changed.meanings[1].clone();
    };
    assert_eq!(honest.with(unlinked), Err(TxCode::CertificateFalse));
    let ranked = |changed: &mut Written<'_>| {
        let wrong = Segment { rank: segment.rank + 1, ..segment.clone() };
        changed.operations[3] = Operation::Put(key(&place), value(&wrong.to_bytes()));
    };
    assert_eq!(honest.with(ranked), Err(TxCode::RecordFalse));
    // The totals are those of the first segment.
    let short = |changed: &mut Written<'_>| {
        let whole = WholeRun { totals: before.sums.clone(), ..whole.clone() };
        let wrong = Head { whole: Some(whole), ..head.clone() };
        changed.operations[4] = Operation::Put(head_key(6, 0), value(&wrong.to_bytes()));
    };
    assert_eq!(honest.with(short), Err(TxCode::RecordFalse));
}
