//! Audits: whether every run that a dictionary's tables ever had was put legally and has a
//! certificate that holds.
//!
//! The log is replayed, step by step, transactions in their order; which steps are legal,
//! `judge_change` and `judge_run` of `aardvark_aggregates` say. That the log is the one that made
//! the dictionary is the archive's own audit to say.

mod replay;
mod replayed;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use aardvark_aggregates::{
    About, Certificate, CertificateError, Head, PolicyFault, ProverSetup, Record, Schema, SheetItem, TableKey,
    TableVerifier, decode_columns,
};
use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;
use rayon::prelude::*;

use crate::brought::steps_of;
use crate::certificates::{Certificates, StoredCertificate};
use crate::error::TablesError;
use crate::logged::steps;
use crate::place::{SegmentPlace, head_key, segment_key};
use crate::source::fields::shown_key;
use crate::to_verify::{BATCH, ToVerify, false_ones};
use crate::vault::Vault;
use replayed::{Replayed, key_moments};

/// What is audited.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// Only this table.
    pub table: Option<String>,
    /// Versions up to this one count as audited: what they put is not looked at again, though they
    /// are replayed.
    pub since: u64,
}

/// What an audit found.
#[derive(Clone, Debug, Default)]
pub struct TableAudit {
    /// Versions that were replayed.
    pub versions: u64,
    /// Tables at the newest version.
    pub tables: u64,
    /// Runs at the newest version.
    pub runs: u64,
    /// Rows of these.
    pub rows: u64,
    /// Certificates that were verified.
    pub certificates: u64,
    /// Vectors that were recomputed from the vault.
    pub recomputed: u64,
    /// What is wrong.
    pub findings: Vec<TableFinding>,
}

/// Something that is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFinding {
    /// The version that did it.
    pub version: u64,
    /// The table.
    pub table: String,
    /// The run, where it is one: its column, key and number.
    pub run: Option<String>,
    /// What is wrong.
    pub reason: FindingReason,
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingReason {
    /// A change that is not legal.
    #[error("{0}")]
    Illegal(PolicyFault),
    /// A run that no certificate of its version covers.
    #[error("it has no certificate")]
    Uncertified,
    /// A certificate that does not hold.
    #[error("{0}")]
    Certificate(CertificateError),
    /// A certificate about runs that its version did not put, or of several columns.
    #[error("a certificate of something else")]
    OtherCertificate,
    /// The dictionary holds another value than its log puts.
    #[error("the dictionary holds another value than its log puts")]
    OtherValue,
    /// The vault has no secret of it.
    #[error("the vault has nothing of it")]
    Lost,
    /// The vault's rows are not those that are committed to.
    #[error("the vault's rows are not those that the record commits to")]
    OtherRows,
}

impl fmt::Display for TableFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {}, table {}", self.version, self.table)?;
        if let Some(run) = &self.run {
            write!(f, ", run {run}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// A segment that a step puts.
struct PutSegment {
    item: SheetItem,
    /// The record of the segment before it, as it stands then, where it continues a run.
    link: Option<Record>,
}

/// Audits the tables of an archive; with the vault also whether its rows are those that are
/// committed to. `progress` is told how much of how much is done.
///
/// # Errors
/// [`TablesError`] where the archive, the certificates or the vault cannot be read; what is wrong
/// with tables is found, and no error.
pub fn audit_tables(
    archive: &Snapshot,
    certificates: &Certificates,
    vault: Option<(&Vault, &ProverSetup)>,
    options: &AuditOptions,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<TableAudit, TablesError> {
    let newest = archive.version();
    let mut audit = Audit { archive, options, report: TableAudit::default(), tables: BTreeMap::new(), sheets: vec![] };
    let verifier = TableVerifier::ethereum()?;
    for version in 0..=newest {
        audit.replay(version, certificates)?;
        if audit.sheets.len() >= BATCH * rayon::current_num_threads() {
            audit.verify(&verifier);
        }
        progress(version, newest);
    }
    audit.verify(&verifier);
    audit.report.versions = newest.saturating_sub(options.since);
    audit.compare()?;
    if let Some((vault, setup)) = vault {
        audit.recompute(vault, setup)?;
    }
    Ok(audit.report)
}

struct Audit<'a> {
    archive: &'a Snapshot,
    options: &'a AuditOptions,
    report: TableAudit,
    tables: BTreeMap<String, Replayed>,
    sheets: Vec<ToVerify>,
}

impl Audit<'_> {
    fn found(&mut self, version: u64, table: &str, head: Option<&[u8]>, reason: FindingReason) {
        if version <= self.options.since && self.options.since > 0 {
            return;
        }
        let schema = self.tables.get(table).and_then(|table| table.schema.as_ref());
        let run = head.map(|head| shown_run(schema, head));
        self.report.findings.push(TableFinding { version, table: table.to_owned(), run, reason });
    }

    /// Replays the block of a version, and gathers the certificates of what its steps put.
    fn replay(&mut self, version: u64, certificates: &Certificates) -> Result<(), TablesError> {
        let mut steps_put = Vec::new();
        for step in steps(self.archive.block(version)?) {
            let mut put = BTreeMap::new();
            self.step(version, step, &mut put);
            steps_put.push(put);
        }
        let nothing = steps_put.iter().all(BTreeMap::is_empty);
        if nothing || (version <= self.options.since && self.options.since > 0) {
            return Ok(());
        }
        let stored = certificates.of_version(version)?;
        let of_step = |put: &BTreeMap<Vec<u8>, PutSegment>| put.keys().cloned().collect::<BTreeSet<_>>();
        let mut uncovered: Vec<BTreeSet<Vec<u8>>> = steps_put.iter().map(of_step).collect();
        let keys = steps_put.iter().map(|put| put.keys().map(Vec::as_slice).collect());
        let places = steps_of(keys, stored.iter().map(|stored| stored.heads.as_slice()));
        let mut misplaced = BTreeSet::new();
        for (stored, step) in stored.iter().zip(places) {
            let of = step.and_then(|step| Some((steps_put.get(step)?, uncovered.get_mut(step)?)));
            let (put, left) = of.unzip();
            match self.to_verify(version, stored, put) {
                Ok(sheet) => self.sheets.extend(sheet),
                Err(reason) => {
                    let first = stored.heads.first();
                    let table = first.and_then(|head| TableKey::split_prefix(head).ok());
                    let table = table.map_or_else(String::new, |(table, _)| table.to_owned());
                    self.found(version, &table, first.map(Vec::as_slice), reason);
                }
            }
            match left {
                Some(left) => stored.heads.iter().for_each(|key| {
                    left.remove(key);
                }),
                None => misplaced.extend(stored.heads.iter().cloned()),
            }
        }
        for key in uncovered.into_iter().flatten().filter(|key| !misplaced.contains(key)) {
            let table = TableKey::split_prefix(&key).map_or_else(|_| String::new(), |(table, _)| table.to_owned());
            self.found(version, &table, Some(&key), FindingReason::Uncertified);
        }
        Ok(())
    }

    /// The sheet that a certificate of a version is about, by what its step puts; `None` where it
    /// is one of another table than is asked for.
    fn to_verify(
        &self,
        version: u64,
        StoredCertificate { heads, certificate }: &StoredCertificate,
        put: Option<&BTreeMap<Vec<u8>, PutSegment>>,
    ) -> Result<Option<ToVerify>, FindingReason> {
        let other = || FindingReason::OtherCertificate;
        let first = heads.first().ok_or_else(other)?;
        let (table, _) = TableKey::split_prefix(first).map_err(|_| other())?;
        if self.options.table.as_ref().is_some_and(|only| only != table) {
            return Ok(None);
        }
        let schema = self.tables.get(table).and_then(|replayed| replayed.schema.as_ref()).ok_or_else(other)?;
        let put = put.ok_or_else(other)?;
        let mut items = Vec::with_capacity(heads.len());
        let mut of_column = None;
        for key in heads {
            let column = match TableKey::from_bytes(key, schema) {
                Ok(TableKey::Head { table: of, column, .. } | TableKey::Segment { table: of, column, .. })
                    if of == table =>
                {
                    column
                }
                _ => return Err(other()),
            };
            if *of_column.get_or_insert(column) != column {
                return Err(other());
            }
            items.push(put.get(key).ok_or_else(other)?.item.clone());
        }
        let column = of_column.ok_or_else(other)?;
        let about = About::of_column(*self.archive.id(), table, schema, column).ok_or_else(other)?;
        let link = put.get(first).and_then(|segment| segment.link.clone());
        let certificate = Certificate::from_bytes(certificate, about.bits).map_err(FindingReason::Certificate)?;
        Ok(Some(ToVerify { version, about, link, items, certificate }))
    }

    /// Verifies the certificates that were gathered, in batches on all cores.
    fn verify(&mut self, verifier: &TableVerifier) {
        let sheets = core::mem::take(&mut self.sheets);
        self.report.certificates += sheets.len() as u64;
        for (place, error) in false_ones(verifier, &sheets) {
            let Some(ToVerify { version, about, items, .. }) = sheets.get(place) else { continue };
            for item in items {
                let SheetItem { columns, run, revision, segment, .. } = item;
                let key = match segment {
                    0 => head_key(&about.table, about.column, columns, *run),
                    _ => segment_key(&about.table, about.column, columns, *run, *revision, *segment),
                };
                self.found(*version, &about.table, Some(&key), FindingReason::Certificate(error));
            }
        }
    }

    /// Whether the newest version holds what the log puts, and nothing else.
    fn compare(&mut self) -> Result<(), TablesError> {
        let version = self.archive.version();
        let mut others = Vec::new();
        for (table, replayed) in &self.tables {
            let Some(schema) = &replayed.schema else { continue };
            self.report.tables += 1;
            for (key, (value, _)) in replayed.heads.iter().chain(&replayed.segments) {
                if self.archive.get(&Key::from(key.as_slice()), version)?.as_deref() != Some(value.as_slice()) {
                    others.push((table.clone(), key.clone()));
                }
            }
            for (key, (value, _)) in &replayed.heads {
                if let Ok(head) = Head::from_bytes(value, key_moments(schema, key)) {
                    self.report.runs += 1;
                    self.report.rows += head.rows();
                }
            }
        }
        for (table, head) in others {
            self.found(version, &table, Some(&head), FindingReason::OtherValue);
        }
        Ok(())
    }

    /// Whether the vault's rows are those that the newest heads commit to.
    fn recompute(&mut self, vault: &Vault, setup: &ProverSetup) -> Result<(), TablesError> {
        let mut todo = Vec::new();
        for (table, replayed) in &self.tables {
            let Some(schema) = &replayed.schema else { continue };
            let entries = replayed.heads.iter().chain(&replayed.segments);
            for (key, (value, version)) in entries.filter(|(_, (_, version))| *version > self.options.since) {
                todo.push((table.clone(), key.clone(), *version, value.clone(), key_moments(schema, key)));
            }
        }
        type Todo = (String, Vec<u8>, u64, Vec<u8>, usize);
        let look = |(table, key, version, value, _): &Todo| {
            let found = |reason| Ok(Some((*version, table.clone(), key.clone(), reason)));
            let record = self.tables.get(table).and_then(|table| table.record(key));
            let (Some(record), Some(place)) = (record, SegmentPlace::of_entry(key, value)) else { return Ok(None) };
            let Some(secret) = vault.segment(&place)? else { return found(FindingReason::Lost) };
            if secret.is_of(&record, setup)? { Ok(None) } else { found(FindingReason::OtherRows) }
        };
        let looked: Result<Vec<_>, TablesError> = todo.par_iter().map(look).collect();
        for (version, table, head, reason) in looked?.into_iter().flatten() {
            self.found(version, &table, Some(&head), reason);
        }
        self.report.recomputed += todo.iter().map(|(.., moments)| 1 + *moments as u64).sum::<u64>();
        Ok(())
    }
}

/// A run in words: its column, its key, its number.
fn shown_run(schema: Option<&Schema>, head: &[u8]) -> String {
    let decoded = schema.and_then(|schema| match TableKey::from_bytes(head, schema) {
        Ok(TableKey::Head { column, columns, run, .. }) => Some((schema, column, columns, run, 0)),
        Ok(TableKey::Segment { column, columns, run, segment, .. }) => Some((schema, column, columns, run, segment)),
        _ => None,
    });
    let Some((schema, column, columns, run, segment)) = decoded else {
        return head.iter().map(|byte| format!("{byte:02x}")).collect();
    };
    let name = schema.values.get(usize::from(column)).map_or("", |column| column.name.as_str());
    let run = if segment == 0 { format!("{run}") } else { format!("{run}, segment {segment}") };
    match decode_columns(schema, &columns) {
        Ok(values) => format!("{} number {run}", [name.to_owned(), shown_key(schema, &values)].join(" ")),
        Err(_) => {
            format!("{name} 0x{} number {run}", columns.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
    }
}
