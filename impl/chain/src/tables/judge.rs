//! What the policy `tables` asks behind the openings: whether each step of a run is legal, whether
//! each certificate is one, and whether all hold.

use std::collections::BTreeMap;

use aardvark_aggregates::{
    About, Certificate, CertifiedSheet, Head, Record, Schema, Segment, SheetItem, TableChange, TableKey, TableVerifier,
    judge_run, judge_segment_delete,
};
use aardvark_dictionary::{DictionaryId, Transaction};

use super::shape::{HeadChange, RunStep, TableWrite, code, covered, read_write};
use crate::code::TxCode;
use crate::table_certificate::TableCertificate;

/// Segments that a transaction puts, and the certificate that has to hold for them.
#[derive(Clone, Debug)]
pub struct TableSheet {
    /// What the certificate is about, besides the segments.
    pub about: About,
    /// The record of the segment before the first, where that one continues a run.
    pub link: Option<Record>,
    /// The segments.
    pub items: Vec<SheetItem>,
    /// The certificate.
    pub certificate: Certificate,
}

impl TableSheet {
    fn certified(&self) -> CertifiedSheet<'_> {
        let Self { about, link, items, certificate } = self;
        CertifiedSheet { about, link: link.as_ref(), items, certificate }
    }
}

/// The segments that steps put, by their keys, and the records that they continue.
#[derive(Default)]
struct Placed {
    items: BTreeMap<Vec<u8>, SheetItem>,
    links: BTreeMap<Vec<u8>, Record>,
}

/// What the certificates of a transaction have to show, once each of its steps is judged. It
/// depends on nothing but the transaction, whose requirements are the dictionary's to check.
///
/// # Errors
/// The first rule that is broken, as its [`TxCode`].
pub fn judge<O>(
    dictionary: &DictionaryId,
    transaction: &Transaction<O>,
    certificates: &[TableCertificate],
) -> Result<Vec<TableSheet>, TxCode> {
    let write = read_write(&transaction.operations)?;
    let covered = covered(&write, certificates)?;
    let TableWrite::Runs { table, schema, steps } = &write else { return Ok(Vec::new()) };
    let mut placed = Placed::default();
    for step in steps {
        judge_one(schema, step, &mut placed)?;
    }
    let mut sheets = Vec::with_capacity(covered.len());
    for (part, brought) in covered.iter().zip(certificates) {
        const MALFORMED: TxCode = TxCode::CertificateMalformed;
        let first = part.first().ok_or(MALFORMED)?;
        let about = About::of_column(*dictionary, table, schema, first.column).ok_or(MALFORMED)?;
        let items = part.iter().map(|one| placed.items.get(one.key).cloned()).collect::<Option<Vec<_>>>();
        let certificate = Certificate::from_bytes(&brought.certificate, about.bits).map_err(|_| MALFORMED)?;
        let (items, link) = (items.ok_or(MALFORMED)?, placed.links.get(first.key).cloned());
        sheets.push(TableSheet { about, link, items, certificate });
    }
    Ok(sheets)
}

/// Of which transactions, each by the sheets that it puts, a certificate does not hold, ascending.
/// One pairing check where all hold; where one does not, halves are looked at.
pub fn false_ones(verifier: &TableVerifier, transactions: &[&[TableSheet]]) -> Vec<usize> {
    let mut found = Vec::new();
    // The first half is looked at first.
    let mut left = vec![(0, transactions)];
    while let Some((from, part)) = left.pop() {
        let sheets: Vec<CertifiedSheet<'_>> =
            part.iter().flat_map(|sheets| sheets.iter()).map(TableSheet::certified).collect();
        if sheets.is_empty() || verifier.certificates_hold(&sheets) {
            continue;
        }
        if part.len() == 1 {
            found.push(from);
            continue;
        }
        let (first, second) = part.split_at(part.len() / 2);
        left.extend([(from + first.len(), second), (from, first)]);
    }
    found
}

/// The first transaction, each given by the sheets that it puts, of which a certificate does not
/// hold. One pairing check where all hold; else bisection.
pub fn first_false(verifier: &TableVerifier, transactions: &[&[TableSheet]]) -> Option<usize> {
    let sheets: Vec<CertifiedSheet<'_>> =
        transactions.iter().flat_map(|sheets| sheets.iter()).map(TableSheet::certified).collect();
    if sheets.is_empty() {
        return None;
    }
    let (place, _) = verifier.verify_certificates(&sheets).err()?;
    let mut before = 0;
    transactions.iter().position(|sheets| {
        before += sheets.len();
        place < before
    })
}

/// Judges a step, and places the segments that it puts.
fn judge_one(schema: &Schema, step: &RunStep<'_>, placed: &mut Placed) -> Result<(), TxCode> {
    let further: Vec<(u32, Vec<u8>)> = step.put.iter().map(|put| (put.number, put.value.to_vec())).collect();
    let moments = schema.values.get(usize::from(step.column)).map_or(0, |column| usize::from(column.moments));
    let head_of = |bytes: &[u8]| Head::from_bytes(bytes, moments).map_err(|_| TxCode::RecordFalse);
    let standing = match step.after {
        HeadChange::Kept => step.before.map(head_of).transpose()?,
        HeadChange::Deleted => {
            judge_run(Some(schema), step.head, step.before, None, &further).map_err(code)?;
            None
        }
        HeadChange::Put(after) => {
            let change = judge_run(Some(schema), step.head, step.before, Some(after), &further).map_err(code)?;
            let TableChange::Put { key, head } = change else { return Err(TxCode::RecordFalse) };
            place_segments(step, &key, &head, moments, placed)?;
            Some(head)
        }
    };
    for key in &step.deleted {
        judge_segment_delete(schema, key, standing.as_ref()).map_err(code)?;
    }
    Ok(())
}

/// Places the segments that a step puts, with the records that they continue.
fn place_segments(
    step: &RunStep<'_>,
    key: &TableKey,
    head: &Head,
    moments: usize,
    placed: &mut Placed,
) -> Result<(), TxCode> {
    let TableKey::Head { columns, run, .. } = key else { return Err(TxCode::RecordFalse) };
    let item = |segment: u32, record: Record| SheetItem {
        columns: columns.clone(),
        run: *run,
        revision: head.revision,
        segment,
        record,
    };
    let read = |bytes: &[u8]| Segment::from_bytes(bytes, moments).map_err(|_| TxCode::RecordFalse);
    placed.items.insert(step.head.to_vec(), item(0, head.record.clone()));
    let mut before = match step.pinned {
        Some(pinned) if pinned.revision == head.revision => read(pinned.value)?.record,
        Some(_) => return Err(TxCode::RecordFalse),
        None => head.record.clone(),
    };
    for put in &step.put {
        let record = read(put.value)?.record;
        placed.items.insert(put.key.to_vec(), item(put.number, record.clone()));
        placed.links.insert(put.key.to_vec(), core::mem::replace(&mut before, record));
    }
    Ok(())
}
