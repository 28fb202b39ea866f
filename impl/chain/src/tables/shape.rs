//! The shape of a transaction under the policy `tables`: what it pins, which keys it changes and in
//! which order, and which segments its certificates cover. No point is decoded.

use aardvark_aggregates::policy::check_open;
use aardvark_aggregates::{PolicyFault, Schema, TableChange, TableKey, judge_change};
use aardvark_dictionary::{Operation, Transaction};

use crate::code::TxCode;
use crate::table_certificate::TableCertificate;

/// What a transaction does to a table.
#[derive(Debug)]
pub(super) enum TableWrite<'a> {
    /// A table begins.
    Create,
    /// Keys of the table with this schema are closed.
    Seal(Schema),
    /// Runs change.
    Runs {
        /// The table's name.
        table: &'a str,
        /// The schema that is pinned.
        schema: Schema,
        /// What happens to each run.
        steps: Vec<RunStep<'a>>,
    },
}

/// What happens to a run.
#[derive(Debug)]
pub(super) struct RunStep<'a> {
    /// The key of its head.
    pub(super) head: &'a [u8],
    /// The number of its value column.
    pub(super) column: u8,
    /// What stands under it before.
    pub(super) before: Option<&'a [u8]>,
    /// The segment before the first that is put, where that one is in no head.
    pub(super) pinned: Option<SegmentAt<'a>>,
    /// The segments that are put.
    pub(super) put: Vec<SegmentAt<'a>>,
    /// What becomes of its head.
    pub(super) after: HeadChange<'a>,
    /// The keys of the segments that are deleted.
    pub(super) deleted: Vec<&'a [u8]>,
    stage: Stage<'a>,
}

/// A segment that is not its run's first.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentAt<'a> {
    /// Its key.
    pub(super) key: &'a [u8],
    /// The revision of its run.
    pub(super) revision: u32,
    /// Its number.
    pub(super) number: u32,
    /// What stands there, or is put.
    pub(super) value: &'a [u8],
}

/// What becomes of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeadChange<'a> {
    /// It stays.
    Kept,
    /// It is put.
    Put(&'a [u8]),
    /// It is deleted.
    Deleted,
}

/// Where in a step an operation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage<'a> {
    /// Behind the requirement of the head.
    Begun,
    /// Behind that of the segment before.
    Pinned,
    /// Behind the requirement that a segment is absent.
    Announced(&'a [u8]),
    /// Behind a segment that is put.
    Grown,
    /// Behind the change of the head, or the deletion of a segment.
    Settled,
}

/// A segment that a transaction puts and a certificate has to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Covered<'a> {
    /// Under which key it stands: a head's, or that of a further segment.
    pub(super) key: &'a [u8],
    /// The number of its value column.
    pub(super) column: u8,
    /// Whether it continues a run.
    pub(super) continues: bool,
}

/// The keys of the segments that a certificate covers, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertifiedKeys {
    /// The keys of heads and further segments, in the order in which they are put.
    pub keys: Vec<Vec<u8>>,
    /// The certificate's bytes.
    pub certificate: Vec<u8>,
}

/// What each certificate of a transaction covers; none where it is no write of runs, or they do not
/// cover what it puts.
pub fn certified_keys<O>(transaction: &Transaction<O>, certificates: &[TableCertificate]) -> Vec<CertifiedKeys> {
    let Ok(write) = read_write(&transaction.operations) else { return Vec::new() };
    let Ok(covered) = covered(&write, certificates) else { return Vec::new() };
    let keys = |of: &Vec<Covered<'_>>| of.iter().map(|one| one.key.to_vec()).collect();
    let pairs = covered.iter().zip(certificates);
    pairs.map(|(of, one)| CertifiedKeys { keys: keys(of), certificate: one.certificate.clone() }).collect()
}

/// How many segments a transaction puts, which certificates have to cover; none where it is no
/// write of runs.
pub fn segments_put<O>(transaction: &Transaction<O>) -> usize {
    read_write(&transaction.operations).map_or(0, |write| to_cover(&write).len())
}

/// What a list of operations does to a table.
pub(super) fn read_write(operations: &[Operation]) -> Result<TableWrite<'_>, TxCode> {
    let Some((Operation::Require(key, pinned), rest)) = operations.split_first() else {
        return Err(TxCode::SchemaNotPinned);
    };
    let table = match TableKey::split_prefix(key) {
        Ok((table, [0])) => table,
        _ => return Err(TxCode::SchemaNotPinned),
    };
    let pinned = pinned.as_deref();
    if let [Operation::Put(changed, value)] = rest
        && changed == key
    {
        let schema = pinned.map(Schema::from_bytes).transpose().map_err(|_| TxCode::TableMalformed)?;
        return match judge_change(schema.as_ref(), key, pinned, Some(value)) {
            Ok(TableChange::Created(_)) => Ok(TableWrite::Create),
            Ok(TableChange::Sealed(schema)) => Ok(TableWrite::Seal(schema)),
            _ => Err(TxCode::TableMalformed),
        };
    }
    let pinned = pinned.ok_or(TxCode::TableMalformed)?;
    let schema = Schema::from_bytes(pinned).map_err(|_| TxCode::TableMalformed)?;
    let mut steps = Vec::new();
    for operation in rest {
        read_operation(&schema, table, &mut steps, operation)?;
    }
    match steps.last() {
        Some(last) if last.stage == Stage::Settled => Ok(TableWrite::Runs { table, schema, steps }),
        _ => Err(TxCode::TableMalformed),
    }
}

/// One more operation behind the steps so far.
fn read_operation<'a>(
    schema: &Schema,
    table: &str,
    steps: &mut Vec<RunStep<'a>>,
    operation: &'a Operation,
) -> Result<(), TxCode> {
    const MALFORMED: TxCode = TxCode::TableMalformed;
    let key: &'a [u8] = operation.key();
    let place = TableKey::from_bytes(key, schema).map_err(|_| MALFORMED)?;
    match place {
        TableKey::Head { table: of, column, columns, .. } if of == table => match operation {
            Operation::Require(_, before) => {
                let settled = steps.last().is_none_or(|last| last.stage == Stage::Settled);
                if !settled || steps.iter().any(|step| step.head == key) {
                    return Err(MALFORMED);
                }
                check_open(schema, column, &columns).map_err(code)?;
                let before = before.as_deref();
                steps.push(RunStep { head: key, column, before, ..RunStep::default() });
                Ok(())
            }
            Operation::Put(_, value) => settle(steps, key, HeadChange::Put(value)),
            Operation::Delete(_) => settle(steps, key, HeadChange::Deleted),
            Operation::Add(..) | Operation::Sub(..) => Err(MALFORMED),
        },
        TableKey::Segment { table: of, column, columns, run, revision, segment } if of == table => {
            let head = TableKey::Head { table: of, column, columns, run }.to_bytes();
            let step = steps.last_mut().filter(|step| step.head == head).ok_or(MALFORMED)?;
            let at = |value| SegmentAt { key, revision, number: segment, value };
            match (operation, step.stage) {
                (Operation::Require(_, Some(value)), Stage::Begun) => {
                    (step.pinned, step.stage) = (Some(at(value)), Stage::Pinned);
                }
                (Operation::Require(_, None), Stage::Begun) if segment == 1 => step.stage = Stage::Announced(key),
                (Operation::Require(_, None), Stage::Pinned | Stage::Grown) => {
                    let last = step.put.last().or(step.pinned.as_ref()).ok_or(MALFORMED)?;
                    if last.revision != revision || last.number.checked_add(1) != Some(segment) {
                        return Err(MALFORMED);
                    }
                    step.stage = Stage::Announced(key);
                }
                (Operation::Put(_, value), Stage::Announced(announced)) if announced == key => {
                    step.put.push(at(value));
                    step.stage = Stage::Grown;
                }
                (Operation::Delete(_), Stage::Begun | Stage::Settled) => {
                    step.deleted.push(key);
                    step.stage = Stage::Settled;
                }
                _ => return Err(MALFORMED),
            }
            Ok(())
        }
        _ => Err(MALFORMED),
    }
}

/// A change of the head of the last step's run.
fn settle<'a>(steps: &mut [RunStep<'a>], key: &[u8], after: HeadChange<'a>) -> Result<(), TxCode> {
    let step = steps.last_mut().filter(|step| step.head == key).ok_or(TxCode::TableMalformed)?;
    let may_follow = match after {
        HeadChange::Put(value) => {
            let segments_are_its = step.put.first().is_none_or(|first| revision(value) == Some(first.revision));
            matches!(step.stage, Stage::Begun | Stage::Grown) && segments_are_its
        }
        _ => step.stage == Stage::Begun,
    };
    if !may_follow {
        return Err(TxCode::TableMalformed);
    }
    (step.after, step.stage) = (after, Stage::Settled);
    Ok(())
}

/// The revision that the bytes of a head say.
fn revision(head: &[u8]) -> Option<u32> {
    head.get(1..).and_then(<[u8]>::first_chunk).map(|bytes| u32::from_be_bytes(*bytes))
}

impl<'a> RunStep<'a> {
    /// Whether the run grows: its head is put and has the revision of the one before, so that its
    /// first segment is not put.
    fn grows(&self) -> bool {
        match (self.before.and_then(revision), self.after) {
            (Some(before), HeadChange::Put(after)) => revision(after) == Some(before),
            _ => false,
        }
    }

    /// What certificates have to cover, in the order in which it is put: the segments, then the
    /// head, unless the run only grows.
    fn covered(&self) -> impl Iterator<Item = Covered<'a>> {
        let column = self.column;
        let begins = matches!(self.after, HeadChange::Put(_)) && !self.grows();
        let segments = self.put.iter().map(|segment| segment.key).collect::<Vec<_>>();
        let segments = segments.into_iter().map(move |key| Covered { key, column, continues: true });
        segments.chain(begins.then_some(Covered { key: self.head, column, continues: false }))
    }
}

impl Default for RunStep<'_> {
    fn default() -> Self {
        Self {
            head: &[],
            column: 0,
            before: None,
            pinned: None,
            put: Vec::new(),
            after: HeadChange::Kept,
            deleted: Vec::new(),
            stage: Stage::Begun,
        }
    }
}

/// The segments that certificates have to cover, in the order in which they are put.
fn to_cover<'a>(write: &TableWrite<'a>) -> Vec<Covered<'a>> {
    match write {
        TableWrite::Create | TableWrite::Seal(_) => Vec::new(),
        TableWrite::Runs { steps, .. } => steps.iter().flat_map(RunStep::covered).collect(),
    }
}

/// What each certificate covers: the next segments, in the order in which they are put, all of one
/// column, of which only the first continues a run; and all together cover all of them.
pub(super) fn covered<'a>(
    write: &TableWrite<'a>,
    certificates: &[TableCertificate],
) -> Result<Vec<Vec<Covered<'a>>>, TxCode> {
    let mut left = to_cover(write);
    let mut parts = Vec::with_capacity(certificates.len());
    for certificate in certificates {
        let count = usize::from(certificate.segments);
        if count == 0 || count > left.len() {
            return Err(TxCode::CertificateMalformed);
        }
        let behind = left.split_off(count);
        let part = core::mem::replace(&mut left, behind);
        let column = part.first().map(|first| first.column);
        let continues_inside = part.iter().skip(1).any(|one| one.continues);
        if continues_inside || part.iter().any(|one| Some(one.column) != column) {
            return Err(TxCode::CertificateMalformed);
        }
        parts.push(part);
    }
    if left.is_empty() { Ok(parts) } else { Err(TxCode::CertificateMalformed) }
}

/// The code of a change that is not legal.
pub(super) fn code(fault: PolicyFault) -> TxCode {
    use aardvark_aggregates::StepFault;
    match fault {
        PolicyFault::Closed => TxCode::Closed,
        PolicyFault::Immutable | PolicyFault::Step(StepFault::Immutable) => TxCode::Immutable,
        _ => TxCode::RecordFalse,
    }
}
