//! Imports of rows: grouped by key, sorted by number, packed into sheets, certified, and put as one
//! import block.
//!
//! The order of writing is vault, certificates, archive: a commitment never stands without its
//! secrets, and no head without its certificate. What a kill leaves of the first two is removed or
//! written over by the next write.

use std::collections::BTreeMap;

use aardvark_aggregates::sheet::{MIN_LOG, capacity, max_log};
use aardvark_aggregates::{
    About, CertificateMasks, CertifiedSheet, Head, MaskSource, PolicyFault, Schema, SheetItem, TableKey, TableVerifier,
    judge_change, prove,
};
use aardvark_algebra::tagged_hash;
use aardvark_dictionary::{Change, Key, Value};
use rayon::prelude::*;

use crate::certificates::StoredCertificate;
use crate::error::TablesError;
use crate::keeper::Keeper;
use crate::packing::{PackedSheet, pack};
use crate::place::SegmentPlace;
use crate::source::{Row, RowSource};
use crate::vault::{Pending, SegmentSecret};

/// Domain separation tag of the seeds that an import's seed is expanded to.
const SEED_TAG: &str = "AARDVARK-V1-TABLE-SEED";

/// How rows are imported.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The most positions of a sheet, a power of two.
    pub sheet: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { sheet: 1024 }
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// So many rows were read.
    Read(u64),
    /// Of so many sheets (the second), so many (the first) are certified.
    Certified(u64, u64),
    /// The archive writes.
    Archive(aardvark_archive::Progress),
}

/// What an import came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// The newest version afterwards.
    pub version: u64,
    /// Rows that were read.
    pub rows: u64,
    /// Runs that were put.
    pub runs: u64,
    /// Sheets that they are on: one certificate each.
    pub sheets: u64,
}

/// A number, and the row that it is of.
type Member = (u64, usize);

/// A run that is to be put.
struct NewRun {
    column: u8,
    columns: Vec<u8>,
    run: u32,
    /// Numbers, ascending, and the row that each is of.
    members: Vec<Member>,
}

/// A sheet that is certified.
struct CertifiedRuns {
    about: About,
    items: Vec<SheetItem>,
    certificate: aardvark_aggregates::Certificate,
    secrets: Vec<SegmentSecret>,
}

impl Keeper {
    /// Imports all rows of a source into a table, as one version; nothing where one of them is
    /// refused. A key that has runs already gets another.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn import(
        &mut self,
        table: &str,
        schema: &Schema,
        source: &mut dyn RowSource,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        let mut rows = Vec::new();
        while let Some(row) = source.next_row()? {
            rows.push(row);
            if rows.len() % 1024 == 0 {
                progress(ImportStep::Read(rows.len() as u64));
            }
        }
        self.import_rows(table, schema, rows, options, progress)
    }

    fn import_rows(
        &mut self,
        table: &str,
        schema: &Schema,
        rows: Vec<Row>,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        if *schema != self.schema(table)? {
            return Err(PolicyFault::SchemaChanged.into());
        }
        let most = |moments: u8| max_log(usize::from(moments));
        let least = schema.values.iter().map(|column| most(column.moments)).min().unwrap_or(MIN_LOG);
        if !options.sheet.is_power_of_two() || !(1 << MIN_LOG..=1 << least).contains(&options.sheet) {
            return Err(TablesError::SheetSize(options.sheet, 1 << least));
        }
        let log = options.sheet.trailing_zeros() as usize;
        let runs = self.runs_of(table, &rows, capacity(log))?;
        let counts: Vec<usize> = runs.iter().map(|run| run.members.len()).collect();
        let sheets = pack_columns(&runs, &counts, log);
        let certified = self.certify(table, schema, &runs, &sheets, &rows, progress)?;
        let read = rows.len() as u64;
        drop(rows);
        let version = self.write(table, schema, certified, progress)?;
        Ok(ImportReport { version, rows: read, runs: runs.len() as u64, sheets: sheets.len() as u64 })
    }

    /// The runs of rows: by column and key, no longer than a sheet, behind those that there are.
    fn runs_of(&self, table: &str, rows: &[Row], longest: usize) -> Result<Vec<NewRun>, TablesError> {
        let mut groups: BTreeMap<(u8, &[u8]), Vec<Member>> = BTreeMap::new();
        for (i, row) in rows.iter().enumerate() {
            for (column, number) in (0u8..).zip(&row.numbers) {
                if let Some(number) = number {
                    groups.entry((column, &row.columns)).or_default().push((*number, i));
                }
            }
        }
        let mut runs = Vec::with_capacity(groups.len());
        for ((column, columns), mut members) in groups {
            members.sort_unstable();
            let mut run = self.next_run(table, column, columns)?;
            for members in members.chunks(longest) {
                runs.push(NewRun { column, columns: columns.to_vec(), run, members: members.to_vec() });
                run = run.checked_add(1).ok_or(TablesError::TooManyRuns)?;
            }
        }
        Ok(runs)
    }

    /// The least number that no run of a key has.
    fn next_run(&self, table: &str, column: u8, columns: &[u8]) -> Result<u32, TablesError> {
        let version = self.archive.version();
        let mut run = 0u32;
        loop {
            let key = head_key(table, column, columns, run);
            if self.archive.get(&Key::from(key), version)?.is_none() {
                return Ok(run);
            }
            run = run.checked_add(1).ok_or(TablesError::TooManyRuns)?;
        }
    }

    /// Commits to the runs of all sheets and certifies them, each sheet on a core of its own.
    fn certify(
        &self,
        table: &str,
        schema: &Schema,
        runs: &[NewRun],
        sheets: &[PackedSheet],
        rows: &[Row],
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<Vec<CertifiedRuns>, TablesError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let total = sheets.len() as u64;
        progress(ImportStep::Certified(0, total));
        let mut certified = Vec::with_capacity(sheets.len());
        // Some at a time, so that progress can be told.
        let batch = 4 * rayon::current_num_threads();
        for (number, part) in sheets.chunks(batch).enumerate() {
            let one = |(i, sheet): (usize, &PackedSheet)| {
                let sheet_seed = expanded(&seed, number * batch + i);
                certify_sheet(&Work { keeper: self, table, schema, runs, rows }, sheet, &sheet_seed)
            };
            let done: Result<Vec<CertifiedRuns>, TablesError> = part.par_iter().enumerate().map(one).collect();
            certified.extend(done?);
            progress(ImportStep::Certified(certified.len() as u64, total));
        }
        Ok(certified)
    }

    /// Vault, certificates, archive.
    fn write(
        &mut self,
        table: &str,
        schema: &Schema,
        certified: Vec<CertifiedRuns>,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<u64, TablesError> {
        let version = self.archive.version();
        if certified.is_empty() {
            return Ok(version);
        }
        // What is wrong with a certificate is found before anything is written.
        let verifier = TableVerifier::new(self.setup.tau_g2());
        let batch: Vec<CertifiedSheet<'_>> = certified
            .iter()
            .map(|CertifiedRuns { about, items, certificate, .. }| CertifiedSheet {
                about,
                link: None,
                items,
                certificate,
            })
            .collect();
        verifier.verify_certificates(&batch).map_err(|(_, error)| TablesError::OwnCertificate(error))?;
        let (mut heads, mut secrets, mut stored) = (Vec::new(), Vec::new(), Vec::new());
        for CertifiedRuns { about, items, certificate, secrets: of_sheet } in certified {
            let mut keys = Vec::with_capacity(items.len());
            for (item, secret) in items.into_iter().zip(of_sheet) {
                let key = head_key(table, about.column, &item.columns, item.run);
                let head = Head { revision: item.revision, record: item.record }.to_bytes();
                judge_change(Some(schema), &key, None, Some(&head))?;
                secrets.push((SegmentPlace { head: key.clone(), revision: item.revision, segment: 0 }, secret));
                keys.push(key.clone());
                heads.push((key, head));
            }
            stored.push(StoredCertificate { heads: keys, certificate: certificate.to_bytes() });
        }
        self.vault.prepare(&Pending { heads: &heads }, &secrets)?;
        self.certificates.put(version + 1, &stored)?;
        let change = |(key, head): (Vec<u8>, Vec<u8>)| Change { key: Key::from(key), value: Some(Value::from(head)) };
        let changes = heads.into_iter().map(change).collect();
        let imported = self.archive.import_with(changes, &mut |step| progress(ImportStep::Archive(step)))?;
        self.vault.complete()?;
        Ok(imported.version)
    }
}

/// What all sheets of an import have in common.
struct Work<'a> {
    keeper: &'a Keeper,
    table: &'a str,
    schema: &'a Schema,
    runs: &'a [NewRun],
    rows: &'a [Row],
}

fn certify_sheet(work: &Work<'_>, sheet: &PackedSheet, seed: &[u8; 32]) -> Result<CertifiedRuns, TablesError> {
    let setup = work.keeper.setup.sheet(sheet.log)?;
    let placed: Vec<(&NewRun, usize)> =
        sheet.segments.iter().filter_map(|(place, first)| Some((work.runs.get(*place)?, *first))).collect();
    let column = placed.first().map_or(0, |(run, _)| run.column);
    let about = About::of_column(*work.keeper.archive.id(), work.table, work.schema, column)
        .ok_or(PolicyFault::Key(aardvark_aggregates::KeyError::Column(column)))?;
    let (mut items, mut segments, mut secrets) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (run, first)) in placed.into_iter().enumerate() {
        let texts = |(_, row): &(u64, usize)| work.rows.get(*row).map(|row| row.texts.clone()).unwrap_or_default();
        let secret = SegmentSecret {
            first: first as u16,
            seed: expanded(seed, i + 1),
            numbers: run.members.iter().map(|(number, _)| *number).collect(),
            texts: run.members.iter().map(texts).collect(),
        };
        let segment = secret.known(about.moments);
        let record = segment.commit(setup, secret.root().ok_or(TablesError::TextTooLong)?);
        items.push(SheetItem { columns: run.columns.clone(), run: run.run, revision: 0, segment: 0, record });
        segments.push(segment);
        secrets.push(secret);
    }
    let masks = CertificateMasks::draw(&mut MaskSource::new(expanded(seed, 0)), about.bits);
    let certificate = prove(setup, &about, &items, &segments, &masks)?;
    Ok(CertifiedRuns { about, items, certificate, secrets })
}

/// The sheets of each column's runs, which stand in the order of their columns and keys.
fn pack_columns(runs: &[NewRun], counts: &[usize], log: usize) -> Vec<PackedSheet> {
    let mut sheets = Vec::new();
    let mut start = 0;
    for part in runs.chunk_by(|one, next| one.column == next.column) {
        let of_column = counts.get(start..start + part.len()).unwrap_or_default();
        for mut sheet in pack(of_column, log) {
            sheet.segments.iter_mut().for_each(|(place, _)| *place += start);
            sheets.push(sheet);
        }
        start += part.len();
    }
    sheets
}

/// The key of a run's head.
pub(crate) fn head_key(table: &str, column: u8, columns: &[u8], run: u32) -> Vec<u8> {
    TableKey::Head { table: table.to_owned(), column, columns: columns.to_vec(), run }.to_bytes()
}

/// A seed of its own for each use of a write's.
fn expanded(seed: &[u8; 32], number: usize) -> [u8; 32] {
    tagged_hash(SEED_TAG, &[seed.as_slice(), &(number as u64).to_be_bytes()].concat())
}
