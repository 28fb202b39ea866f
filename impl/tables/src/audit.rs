//! Audits: whether every run that a dictionary's tables ever had was put legally and has a
//! certificate that holds.
//!
//! The log is replayed; which changes are legal, `aardvark_aggregates::judge_change` says. That the
//! log is the one that made the dictionary is the archive's own audit to say.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use aardvark_aggregates::{
    About, Certificate, CertificateError, CertifiedSheet, Head, PolicyFault, ProverSetup, Schema, SheetItem,
    TableChange, TableKey, TableVerifier, decode_columns, judge_change,
};
use aardvark_archive::Snapshot;
use aardvark_dictionary::Key;
use rayon::prelude::*;

use crate::certificates::Certificates;
use crate::error::TablesError;
use crate::logged::changes;
use crate::place::SegmentPlace;
use crate::source::fields::shown_key;
use crate::vault::Vault;

/// Certificates that are verified as one batch.
const BATCH: usize = 64;

/// What is audited.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// Only this table.
    pub table: Option<String>,
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

/// A table while its log is replayed.
#[derive(Default)]
struct Replayed {
    schema: Option<Schema>,
    /// Values of heads, by their keys, and the versions that put them.
    heads: BTreeMap<Vec<u8>, (Vec<u8>, u64)>,
}

/// A certificate to verify.
struct ToVerify {
    version: u64,
    about: About,
    items: Vec<SheetItem>,
    certificate: Certificate,
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
    audit.report.versions = newest;
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
        let schema = self.tables.get(table).and_then(|table| table.schema.as_ref());
        let run = head.map(|head| shown_run(schema, head));
        self.report.findings.push(TableFinding { version, table: table.to_owned(), run, reason });
    }

    /// Replays the block of a version, and gathers the certificates of what it put.
    fn replay(&mut self, version: u64, certificates: &Certificates) -> Result<(), TablesError> {
        let mut put = BTreeMap::new();
        for (key, value) in changes(self.archive.block(version)?) {
            let Ok((table, _)) = TableKey::split_prefix(&key) else { continue };
            let table = table.to_owned();
            if self.options.table.as_ref().is_some_and(|only| *only != table) {
                continue;
            }
            self.change(version, &table, &key, value, &mut put);
        }
        if put.is_empty() {
            return Ok(());
        }
        let mut covered = BTreeSet::new();
        for stored in certificates.of_version(version)? {
            match self.to_verify(version, &stored.heads, &stored.certificate, &put, &mut covered) {
                Ok(Some(sheet)) => self.sheets.push(sheet),
                Ok(None) => {}
                Err(reason) => {
                    let table = stored.heads.first().and_then(|head| TableKey::split_prefix(head).ok());
                    let table = table.map_or_else(String::new, |(table, _)| table.to_owned());
                    self.found(version, &table, stored.heads.first().map(Vec::as_slice), reason);
                    covered.extend(stored.heads);
                }
            }
        }
        for head in put.keys().filter(|head| !covered.contains(*head)) {
            let table = TableKey::split_prefix(head).map_or_else(|_| String::new(), |(table, _)| table.to_owned());
            self.found(version, &table, Some(head), FindingReason::Uncertified);
        }
        Ok(())
    }

    /// One change of a key of a table.
    fn change(
        &mut self,
        version: u64,
        table: &str,
        key: &[u8],
        value: Option<Vec<u8>>,
        put: &mut BTreeMap<Vec<u8>, (TableKey, Head)>,
    ) {
        let replayed = self.tables.entry(table.to_owned()).or_default();
        let is_schema = TableKey::split_prefix(key).is_ok_and(|(_, rest)| rest == [0]);
        let before = match (&replayed.schema, is_schema) {
            (Some(schema), true) => Some(schema.to_bytes()),
            _ => replayed.heads.get(key).map(|(head, _)| head.clone()),
        };
        match judge_change(replayed.schema.as_ref(), key, before.as_deref(), value.as_deref()) {
            Ok(TableChange::Created(schema) | TableChange::Sealed(schema)) => replayed.schema = Some(schema),
            Ok(TableChange::Put { key: place, head }) => {
                replayed.heads.insert(key.to_vec(), (value.unwrap_or_default(), version));
                put.insert(key.to_vec(), (place, head));
            }
            Ok(TableChange::Deleted(_)) => {
                replayed.heads.remove(key);
                put.remove(key);
            }
            Err(fault) => {
                let head = (!is_schema).then_some(key);
                self.found(version, table, head, FindingReason::Illegal(fault));
            }
        }
    }

    /// The sheet that a certificate of a version is about; `None` where it is one of another table
    /// than is asked for.
    fn to_verify(
        &self,
        version: u64,
        heads: &[Vec<u8>],
        certificate: &[u8],
        put: &BTreeMap<Vec<u8>, (TableKey, Head)>,
        covered: &mut BTreeSet<Vec<u8>>,
    ) -> Result<Option<ToVerify>, FindingReason> {
        let other = || FindingReason::OtherCertificate;
        let first = heads.first().ok_or_else(other)?;
        let (table, _) = TableKey::split_prefix(first).map_err(|_| other())?;
        if self.options.table.as_ref().is_some_and(|only| only != table) {
            return Ok(None);
        }
        let schema = self.tables.get(table).and_then(|table| table.schema.as_ref()).ok_or_else(other)?;
        let mut items = Vec::with_capacity(heads.len());
        let mut of_column = None;
        for head_key in heads {
            let (place, head) = put.get(head_key).ok_or_else(other)?;
            let TableKey::Head { table: of, column, columns, run } = place else { return Err(other()) };
            if of != table || *of_column.get_or_insert(*column) != *column || !covered.insert(head_key.clone()) {
                return Err(other());
            }
            let Head { revision, record } = head.clone();
            items.push(SheetItem { columns: columns.clone(), run: *run, revision, segment: 0, record });
        }
        let about = of_column.and_then(|column| About::of_column(*self.archive.id(), table, schema, column));
        let about = about.ok_or_else(other)?;
        let certificate = Certificate::from_bytes(certificate, about.bits).map_err(FindingReason::Certificate)?;
        Ok(Some(ToVerify { version, about, items, certificate }))
    }

    /// Verifies the certificates that were gathered, in batches on all cores.
    fn verify(&mut self, verifier: &TableVerifier) {
        let sheets = core::mem::take(&mut self.sheets);
        let verdicts: Vec<Vec<(usize, CertificateError)>> =
            sheets.par_chunks(BATCH).map(|batch| false_ones(verifier, batch)).collect();
        self.report.certificates += sheets.len() as u64;
        for (number, of_batch) in verdicts.into_iter().enumerate() {
            for (place, error) in of_batch {
                let Some(ToVerify { version, about, items, .. }) = sheets.get(number * BATCH + place) else { continue };
                for item in items {
                    let SheetItem { columns, run, .. } = item;
                    let head = crate::place::head_key(&about.table, about.column, columns, *run);
                    self.found(*version, &about.table, Some(&head), FindingReason::Certificate(error));
                }
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
            for (head, (value, _)) in &replayed.heads {
                if self.archive.get(&Key::from(head.as_slice()), version)?.as_deref() != Some(value.as_slice()) {
                    others.push((table.clone(), head.clone()));
                }
                let moments = head_moments(schema, head);
                if let Ok(head) = Head::from_bytes(value, moments) {
                    self.report.runs += 1;
                    self.report.rows += u64::from(head.record.rows);
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
            for (head, (value, version)) in &replayed.heads {
                todo.push((table.clone(), head.clone(), *version, value.clone(), head_moments(schema, head)));
            }
        }
        type Todo = (String, Vec<u8>, u64, Vec<u8>, usize);
        let look = |(table, key, version, value, moments): &Todo| {
            let found = |reason| Ok(Some((*version, table.clone(), key.clone(), reason)));
            let Ok(head) = Head::from_bytes(value, *moments) else { return Ok(None) };
            let place = SegmentPlace { head: key.clone(), revision: head.revision, segment: 0 };
            let Some(secret) = vault.segment(&place)? else { return found(FindingReason::Lost) };
            let sheet = setup.sheet(usize::from(head.record.log))?;
            let root = secret.root().ok_or(TablesError::TextTooLong)?;
            let record = secret.known(*moments).commit(sheet, root);
            if record == head.record { Ok(None) } else { found(FindingReason::OtherRows) }
        };
        let looked: Result<Vec<_>, TablesError> = todo.par_iter().map(look).collect();
        for (version, table, head, reason) in looked?.into_iter().flatten() {
            self.found(version, &table, Some(&head), reason);
        }
        self.report.recomputed += todo.iter().map(|(.., moments)| 1 + *moments as u64).sum::<u64>();
        Ok(())
    }
}

/// Those of a batch that do not hold, by their places.
fn false_ones(verifier: &TableVerifier, batch: &[ToVerify]) -> Vec<(usize, CertificateError)> {
    let sheets: Vec<CertifiedSheet<'_>> = batch
        .iter()
        .map(|ToVerify { about, items, certificate, .. }| CertifiedSheet { about, link: None, items, certificate })
        .collect();
    if verifier.verify_certificates(&sheets).is_ok() {
        return Vec::new();
    }
    let verdict = |(place, sheet): (usize, &ToVerify)| {
        verifier.verify_certificate(&sheet.about, &sheet.items, &sheet.certificate).err().map(|error| (place, error))
    };
    batch.iter().enumerate().filter_map(verdict).collect()
}

/// How many sums the records of a head's column have.
fn head_moments(schema: &Schema, head: &[u8]) -> usize {
    match TableKey::from_bytes(head, schema) {
        Ok(TableKey::Head { column, .. }) => {
            schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments))
        }
        _ => 0,
    }
}

/// A run in words: its column, its key, its number.
fn shown_run(schema: Option<&Schema>, head: &[u8]) -> String {
    let decoded = schema.and_then(|schema| match TableKey::from_bytes(head, schema) {
        Ok(TableKey::Head { column, columns, run, .. }) => Some((schema, column, columns, run)),
        _ => None,
    });
    let Some((schema, column, columns, run)) = decoded else {
        return head.iter().map(|byte| format!("{byte:02x}")).collect();
    };
    let name = schema.values.get(usize::from(column)).map_or("", |column| column.name.as_str());
    match decode_columns(schema, &columns) {
        Ok(values) => format!("{} number {run}", [name.to_owned(), shown_key(schema, &values)].join(" ")),
        Err(_) => {
            format!("{name} 0x{} number {run}", columns.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
    }
}
