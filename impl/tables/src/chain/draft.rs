//! What one transaction puts, until it is applied.
//!
//! ```text
//! draft = u8 1 || u8 flags || u32 length || transaction || u16 n || (u16 segments || u32 length || certificate)*
//! flags = 1: the schema as it stands is required before all else; 2: what comes before is applied first
//! ```
//!
//! The transaction has the operations and nothing else: its versions, nonce and claims are those of
//! the time when it is sent.

use std::collections::BTreeMap;

use aardvark_aggregates::TableKey;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{DecodeError, Key, Operation, Transaction, Value};

use super::grown_run::GrownRun;
use crate::place::{SegmentPlace, has_segment};

/// The format of drafts.
const FORMAT: u8 = 1;
/// The schema as it stands is required before all else.
const ON_SCHEMA: u8 = 1;
/// What comes before is applied first.
const IN_TURN: u8 = 2;

/// A certificate of some of the records that a transaction puts, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftCertificate {
    /// How many segments it is about.
    pub segments: u16,
    /// Its bytes.
    pub certificate: Vec<u8>,
}

/// What one transaction puts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Whether the schema is required as it stands when this is sent: other keepers may close keys
    /// meanwhile, and certificates stay good.
    pub on_schema: bool,
    /// Whether the drafts before it have to be applied first.
    pub in_turn: bool,
    /// What it does besides.
    pub operations: Vec<Operation>,
    /// The certificates of the records that it puts.
    pub certificates: Vec<DraftCertificate>,
}

/// How a draft is to what stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Something that it puts stands, of runs that have grown since their segments; or there is
    /// nothing of what it deletes.
    Applied,
    /// What it requires stands.
    Open,
    /// Under these keys stands something else than it requires.
    Other(Vec<Key>),
}

/// What stands under keys; `None` where they are absent.
pub type Contents = BTreeMap<Key, Option<Value>>;

impl Draft {
    /// A table that begins.
    pub fn create(table: &str, schema: &[u8]) -> Self {
        let key = schema_key(table);
        let operations = vec![Operation::Require(key.clone(), None), Operation::Put(key, Value::from(schema))];
        Self { on_schema: false, in_turn: false, operations, certificates: Vec::new() }
    }

    /// A watermark that grows.
    pub fn seal(table: &str, before: &[u8], after: &[u8]) -> Self {
        let key = schema_key(table);
        let before = Operation::Require(key.clone(), Some(Value::from(before)));
        let operations = vec![before, Operation::Put(key, Value::from(after))];
        Self { on_schema: false, in_turn: false, operations, certificates: Vec::new() }
    }

    /// The runs of a sheet, by the keys and values of their heads, with the sheet's certificate.
    pub fn append(heads: Vec<(Vec<u8>, Vec<u8>)>, certificate: Vec<u8>) -> Self {
        // A sheet has at most 1,022 runs.
        let certificates = vec![DraftCertificate { segments: heads.len() as u16, certificate }];
        let put = |(key, head): (Vec<u8>, Vec<u8>)| {
            let key = Key::from(key);
            [Operation::Require(key.clone(), None), Operation::Put(key, Value::from(head))]
        };
        let operations = heads.into_iter().flat_map(put).collect();
        Self { on_schema: true, in_turn: false, operations, certificates }
    }

    /// Runs that get segments, each with a certificate of its own; after what comes before, or not.
    pub fn grow(runs: Vec<GrownRun>, in_turn: bool) -> Self {
        let (mut operations, mut certificates) = (Vec::new(), Vec::new());
        let mut covered = |certificate| certificates.push(DraftCertificate { segments: 1, certificate });
        for GrownRun { head, before, previous, segments, first, after } in runs {
            operations.push(Operation::Require(head.clone(), before));
            operations.extend(previous.map(|(key, value)| Operation::Require(key, Some(value))));
            for (key, value, certificate) in segments {
                operations.extend([Operation::Require(key.clone(), None), Operation::Put(key, value)]);
                covered(certificate);
            }
            operations.push(Operation::Put(head, after));
            first.into_iter().for_each(&mut covered);
        }
        Self { on_schema: true, in_turn, operations, certificates }
    }

    /// A run that goes, with what stands under its head's key, and some of its further segments.
    pub fn delete(head: Key, before: Value, segments: &[Key]) -> Self {
        let first = [Operation::Require(head.clone(), Some(before)), Operation::Delete(head)];
        let operations = first.into_iter().chain(segments.iter().cloned().map(Operation::Delete)).collect();
        Self { on_schema: true, in_turn: false, operations, certificates: Vec::new() }
    }

    /// Segments of a run that is no more.
    pub fn delete_segments(head: Key, segments: &[Key]) -> Self {
        let first = Operation::Require(head, None);
        let operations = core::iter::once(first).chain(segments.iter().cloned().map(Operation::Delete)).collect();
        Self { on_schema: true, in_turn: true, operations, certificates: Vec::new() }
    }

    /// What runs get by it, where it does nothing else and each segment has a certificate of its
    /// own: what [`Draft::grow`] was given.
    pub fn grown_runs(&self) -> Option<Vec<GrownRun>> {
        let (mut operations, mut certificates) = (self.operations.iter(), self.certificates.iter());
        let mut certificate = || certificates.next().filter(|one| one.segments == 1).map(|one| one.certificate.clone());
        let mut runs = Vec::new();
        while let Some(operation) = operations.next() {
            let Operation::Require(head, before) = operation else { return None };
            let (mut previous, mut segments) = (None, Vec::new());
            let after = loop {
                match operations.next()? {
                    Operation::Put(key, after) if key == head => break after.clone(),
                    Operation::Require(key, Some(value)) if previous.is_none() && segments.is_empty() => {
                        previous = Some((key.clone(), value.clone()));
                    }
                    Operation::Require(key, None) => match operations.next()? {
                        Operation::Put(put, value) if put == key => {
                            segments.push((key.clone(), value.clone(), certificate()?));
                        }
                        _ => return None,
                    },
                    _ => return None,
                }
            };
            let revision = |value: &Value| SegmentPlace::of_entry(head, value).map(|place| place.revision);
            let first = match before.as_ref().map(revision) {
                Some(standing) if standing == revision(&after) => None,
                _ => Some(certificate()?),
            };
            runs.push(GrownRun { head: head.clone(), before: before.clone(), previous, segments, first, after });
        }
        certificates.next().is_none().then_some(runs)
    }

    /// The keys and values of the heads that it puts, where it begins runs on one sheet and does
    /// nothing else.
    pub fn begun_runs(&self) -> Option<Vec<(&Key, &Value)>> {
        let (pairs, []) = self.operations.as_chunks::<2>() else { return None };
        if self.certificates.len() != 1 || pairs.is_empty() {
            return None;
        }
        let begun = pairs.iter().map(|pair| match pair {
            [Operation::Require(required, None), Operation::Put(key, value)] if required == key => Some((key, value)),
            _ => None,
        });
        begun.collect()
    }

    /// The keys that it names, and whether it deletes them.
    pub fn keys(&self) -> BTreeMap<Key, bool> {
        let mut keys = BTreeMap::new();
        for operation in &self.operations {
            *keys.entry(operation.key().clone()).or_default() |= matches!(operation, Operation::Delete(_));
        }
        keys
    }

    /// How it is to what stands under its keys.
    pub fn standing(&self, contents: &Contents) -> Standing {
        let mut after: BTreeMap<&Key, Option<&Value>> = BTreeMap::new();
        let mut before: BTreeMap<&Key, Option<&Value>> = BTreeMap::new();
        for operation in &self.operations {
            match operation {
                Operation::Put(key, value) => {
                    // That a run has grown its segments say, whatever became of its head since.
                    let grows = before.get(key).copied().flatten().is_some_and(|head| has_segment(key, head, value));
                    if !grows {
                        after.insert(key, Some(value));
                    }
                }
                Operation::Delete(key) => drop(after.insert(key, None)),
                Operation::Require(key, value) if !after.contains_key(key) => {
                    before.insert(key, value.as_ref());
                }
                Operation::Require(..) | Operation::Add(..) | Operation::Sub(..) => {}
            }
        }
        let stands = |key: &Key| contents.get(key).and_then(Option::as_ref);
        let has = |key: &Key, value: Option<&Value>| match (stands(key), value) {
            (Some(found), Some(put)) => has_segment(key, found, put),
            (found, put) => found == put,
        };
        // All of it is put at once, and masks are fresh: where one record stands all of them did,
        // whatever became of the others since.
        let any = after.iter().any(|(key, value)| value.is_some() && has(key, *value));
        if any || after.iter().all(|(key, value)| has(key, *value)) {
            return Standing::Applied;
        }
        let others = before.into_iter().filter(|(key, value)| stands(key) != *value);
        let others: Vec<Key> = others.map(|(key, _)| key.clone()).collect();
        if others.is_empty() { Standing::Open } else { Standing::Other(others) }
    }

    /// The operations of its transaction, where the table's schema stands so.
    pub fn operations(&self, schema: Option<(Key, Value)>) -> Vec<Operation> {
        let schema = schema.filter(|_| self.on_schema).map(|(key, value)| Operation::Require(key, Some(value)));
        schema.into_iter().chain(self.operations.iter().cloned()).collect()
    }

    /// The draft as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { on_schema, in_turn, operations, certificates } = self;
        let operations = operations.clone();
        let transaction: Transaction =
            Transaction { first_valid: 0, last_valid: 0, nonce: [0; 16], operations, claims: Vec::new() };
        let transaction = transaction.encode();
        let mut bytes = vec![FORMAT, u8::from(*on_schema) * ON_SCHEMA + u8::from(*in_turn) * IN_TURN];
        bytes.extend((transaction.len() as u32).to_be_bytes());
        bytes.extend(transaction);
        bytes.extend((certificates.len() as u16).to_be_bytes());
        for DraftCertificate { segments, certificate } in certificates {
            bytes.extend(segments.to_be_bytes());
            bytes.extend((certificate.len() as u32).to_be_bytes());
            bytes.extend(certificate);
        }
        bytes
    }

    /// The draft that bytes are; `None` where they are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        read(bytes).ok().flatten()
    }
}

fn read(bytes: &[u8]) -> Result<Option<Draft>, DecodeError> {
    let mut reader = Reader::new(bytes);
    if reader.u8("the format")? != FORMAT {
        return Ok(None);
    }
    let flags = reader.u8("the flags")?;
    let length = reader.u32("the length of a transaction")?;
    let transaction: Transaction = Transaction::decode(reader.take(length as usize, "a transaction")?)?;
    let mut certificates = Vec::new();
    for _ in 0..reader.u16("the number of certificates")? {
        let segments = reader.u16("a number of segments")?;
        let length = reader.u32("the length of a certificate")?;
        let certificate = reader.take(length as usize, "a certificate")?.to_vec();
        certificates.push(DraftCertificate { segments, certificate });
    }
    reader.finish()?;
    let (on_schema, in_turn) = (flags & ON_SCHEMA != 0, flags & IN_TURN != 0);
    Ok(Some(Draft { on_schema, in_turn, operations: transaction.operations, certificates }))
}

/// The key of a table's schema.
pub(super) fn schema_key(table: &str) -> Key {
    Key::from(TableKey::Schema { table: table.to_owned() }.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{head_key, segment_key};

    fn sheet() -> Draft {
        Draft::append(vec![(b"a".to_vec(), b"1".to_vec()), (b"b".to_vec(), b"2".to_vec())], vec![9; 40])
    }

    fn contents(entries: &[(&str, Option<&str>)]) -> Contents {
        entries.iter().map(|(key, value)| (Key::from(*key), value.map(Value::from))).collect()
    }

    #[test]
    fn a_draft_is_read_back_and_nothing_else_is() {
        for draft in [
            sheet(),
            Draft::create("meters", b"schema"),
            Draft::seal("meters", b"schema", b"sealed"),
            Draft::delete("a".into(), "1".into(), &["s".into()]),
            Draft::delete_segments("a".into(), &["t".into()]),
        ] {
            let bytes = draft.to_bytes();
            assert_eq!(Draft::from_bytes(&bytes), Some(draft));
            for length in 0..bytes.len() {
                assert_eq!(Draft::from_bytes(&bytes[..length]), None, "{length}");
            }
        }
    }

    #[test]
    fn what_runs_get_is_read_back_from_their_draft_alone() {
        let head = |revision: u32| Value::from([&[1][..], &revision.to_be_bytes()].concat());
        let run = |time, (before, after): (Option<u32>, u32), segments: u32, first: Option<u8>| {
            let segment = |number| {
                (Key::from(segment_key("t", 0, &[time], 0, after, number)), Value::from(vec![9]), vec![number as u8])
            };
            GrownRun {
                head: Key::from(head_key("t", 0, &[time], 0)),
                before: before.map(head),
                previous: first.is_none().then(|| (segment(1).0, segment(1).1)),
                segments: (2..2 + segments).map(segment).collect(),
                first: first.map(|byte| vec![byte]),
                after: head(after),
            }
        };
        let runs = vec![run(1, (Some(3), 3), 2, None), run(2, (None, 0), 2, Some(7)), run(3, (Some(0), 1), 0, Some(8))];
        let draft = Draft::grow(runs.clone(), true);
        assert_eq!(draft.grown_runs(), Some(runs));
        let fewer = Draft { certificates: draft.certificates[1..].to_vec(), ..draft.clone() };
        let shorter = Draft { operations: draft.operations[1..].to_vec(), ..draft };
        for other in [fewer, shorter, sheet(), Draft::create("t", b"s"), Draft::delete("a".into(), "1".into(), &[])] {
            assert_eq!(other.grown_runs(), None);
        }
    }

    #[test]
    fn a_draft_is_applied_open_or_contradicted_by_what_stands() {
        let draft = sheet();
        let standing = |entries: &[(&str, Option<&str>)]| draft.standing(&contents(entries));
        assert_eq!(standing(&[("a", None), ("b", None)]), Standing::Open);
        assert_eq!(standing(&[("a", Some("1")), ("b", Some("2"))]), Standing::Applied);
        assert_eq!(standing(&[("a", None), ("b", Some("3"))]), Standing::Other(vec!["b".into()]));
        assert_eq!(standing(&[("a", Some("1")), ("b", None)]), Standing::Applied, "and changed since");
        assert_eq!(standing(&[("a", Some("3")), ("b", Some("2"))]), Standing::Applied);
        let delete = Draft::delete("a".into(), "1".into(), &[]);
        assert_eq!(delete.standing(&contents(&[("a", None)])), Standing::Applied);
        assert_eq!(delete.standing(&contents(&[("a", Some("1"))])), Standing::Open);
        assert_eq!(delete.standing(&contents(&[("a", Some("2"))])), Standing::Other(vec!["a".into()]));
        let seal = Draft::seal("t", b"1", b"2");
        let key = String::from_utf8(schema_key("t").to_vec()).unwrap();
        assert_eq!(seal.standing(&contents(&[(&key, Some("1"))])), Standing::Open);
        assert_eq!(seal.standing(&contents(&[(&key, Some("2"))])), Standing::Applied);
    }

    #[test]
    fn the_schema_that_stands_is_required_first_and_by_none_that_puts_one() {
        let schema = Some((schema_key("t"), Value::from("s")));
        let operations = sheet().operations(schema.clone());
        assert_eq!(operations.len(), 5);
        assert_eq!(operations[0], Operation::Require(schema_key("t"), Some("s".into())));
        assert_eq!(operations[1..3], [Operation::Require("a".into(), None), Operation::Put("a".into(), "1".into())]);
        assert_eq!(Draft::create("t", b"s").operations(schema).len(), 2);
    }
}
