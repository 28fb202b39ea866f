//! What a keeper with a writer's key may try to have put, each with the code that it is refused
//! with: the ways of which the chain is what stops them.

use aardvark_dictionary::{Key, Operation, Value};
use aardvark_tables::chain::{DraftCertificate, ToSign};

use super::forger::Lie;

/// The value of the first head that a write puts.
fn head(write: &mut ToSign) -> (Key, Vec<u8>, usize) {
    let place = write.operations.iter().position(|operation| matches!(operation, Operation::Put(..))).unwrap();
    let Operation::Put(key, value) = &write.operations[place] else { unreachable!() };
    (key.clone(), value.to_vec(), place)
}

/// Changes the first head that a write puts.
fn with_head(write: &mut ToSign, change: impl FnOnce(&mut Vec<u8>)) {
    let (key, mut value, place) = head(write);
    change(&mut value);
    write.operations[place] = Operation::Put(key, Value::from(value));
}

/// The bytes of a head before its record: format, revision, segments, rows.
const RECORD: usize = 17;
/// The bytes of a record before its commitments: domain, first position, rows.
const LAYOUT: usize = 5;
const POINT: usize = 48;
const ROOT: usize = 32;

/// All lies: what it is, what it does, the code.
pub const LIES: [(&str, Lie, &str); 17] = [
    ("a certificate of other rows", other_certificate, "CertificateFalse"),
    ("a record of other rows", other_record, "CertificateFalse"),
    ("a total that is another's", other_total, "CertificateFalse"),
    ("a sum in the place of the values", sum_for_values, "CertificateFalse"),
    ("a certificate for another run of the key", other_run, "CertificateFalse"),
    ("rows moved on the domain", moved_rows, "CertificateFalse"),
    ("no certificate", no_certificate, "CertificateMalformed"),
    ("a certificate that is cut", cut_certificate, "CertificateMalformed"),
    ("a certificate for one run less", fewer_segments, "CertificateMalformed"),
    ("more rows than the record has", more_rows, "RecordFalse"),
    ("a run that begins as a revision", a_revision, "RecordFalse"),
    ("no schema", no_schema, "SchemaNotPinned"),
    ("a key of no table", foreign_key, "TableMalformed"),
    ("a run that is not said to be absent", not_required, "TableMalformed"),
    ("the schema taken away", schema_deleted, "TableMalformed"),
    ("a run replaced where that is not allowed", replaced, "Immutable"),
    ("a run deleted where that is not allowed", deleted, "Immutable"),
];

fn other_certificate(write: &mut ToSign, honest: &[ToSign]) {
    write.certificates[0].certificate = honest[0].certificates[0].certificate.clone();
}

fn other_record(write: &mut ToSign, honest: &[ToSign]) {
    let (_, other, _) = head(&mut honest[0].clone());
    with_head(write, |value| *value = other);
}

fn other_total(write: &mut ToSign, honest: &[ToSign]) {
    let (_, other, _) = head(&mut honest[0].clone());
    let total = RECORD + LAYOUT + POINT + ROOT;
    with_head(write, |value| value[total..total + POINT].copy_from_slice(&other[total..total + POINT]));
}

fn sum_for_values(write: &mut ToSign, _: &[ToSign]) {
    let (values, total) = (RECORD + LAYOUT, RECORD + LAYOUT + POINT + ROOT);
    with_head(write, |value| value.copy_within(total..total + POINT, values));
}

fn other_run(write: &mut ToSign, _: &[ToSign]) {
    for operation in &mut write.operations[1..] {
        let moved = |key: &Key| {
            let mut bytes = key.to_vec();
            *bytes.last_mut().unwrap() += 7;
            Key::from(bytes)
        };
        *operation = match &*operation {
            Operation::Require(key, value) => Operation::Require(moved(key), value.clone()),
            Operation::Put(key, value) => Operation::Put(moved(key), value.clone()),
            other => other.clone(),
        };
    }
}

fn moved_rows(write: &mut ToSign, _: &[ToSign]) {
    with_head(write, |value| value[RECORD + 2] += 1);
}

fn no_certificate(write: &mut ToSign, _: &[ToSign]) {
    write.certificates.clear();
}

fn cut_certificate(write: &mut ToSign, _: &[ToSign]) {
    write.certificates[0].certificate.pop();
}

fn fewer_segments(write: &mut ToSign, _: &[ToSign]) {
    let DraftCertificate { segments, .. } = &mut write.certificates[0];
    *segments -= 1;
}

fn more_rows(write: &mut ToSign, _: &[ToSign]) {
    with_head(write, |value| value[RECORD - 1] += 1);
}

fn a_revision(write: &mut ToSign, _: &[ToSign]) {
    with_head(write, |value| value[4] = 1);
}

fn no_schema(write: &mut ToSign, _: &[ToSign]) {
    write.operations.remove(0);
}

fn foreign_key(write: &mut ToSign, _: &[ToSign]) {
    write.operations.push(Operation::Put("money".into(), "mine".into()));
}

fn not_required(write: &mut ToSign, _: &[ToSign]) {
    write.operations.remove(1);
}

fn schema_deleted(write: &mut ToSign, _: &[ToSign]) {
    let key = write.operations[0].key().clone();
    write.operations.truncate(1);
    write.operations.push(Operation::Delete(key));
    write.certificates.clear();
}

/// A run that stands, with what stands under its key.
fn standing(honest: &[ToSign]) -> (Key, Value) {
    let (key, value, _) = head(&mut honest[0].clone());
    (key, Value::from(value))
}

fn replaced(write: &mut ToSign, honest: &[ToSign]) {
    let (key, before) = standing(honest);
    let mut after = before.to_vec();
    after[4] = 1;
    write.operations.truncate(1);
    write.operations.push(Operation::Require(key.clone(), Some(before)));
    write.operations.push(Operation::Put(key, Value::from(after)));
    write.certificates[0].segments = 1;
}

fn deleted(write: &mut ToSign, honest: &[ToSign]) {
    let (key, before) = standing(honest);
    write.operations.truncate(1);
    write.operations.extend([Operation::Require(key.clone(), Some(before)), Operation::Delete(key)]);
    write.certificates.clear();
}
