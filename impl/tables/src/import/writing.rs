//! The writing of an import: vault, certificates, index and, last, the archive.

use std::mem;
use std::sync::Arc;

use aardvark_aggregates::{ProverSetup, Schema, TableVerifier};
use aardvark_archive::sorting::Sorter;
use aardvark_dictionary::{Change, Key, Value};

use super::report::{ImportReport, ImportStep};
use super::sheets::{Sheet, Work, certified};
use crate::error::TablesError;
use crate::keeper::Keeper;
use crate::numbers::unused_run;
use crate::place::head_key;
use crate::source::SourceError;
use crate::vault::{Pending, Vault, index_keys};

/// Bytes of the index that are written in one transaction.
const MOST_INDEX: usize = 16 << 20;

/// An import that is being written.
pub(super) struct Writing<'a> {
    keeper: &'a mut Keeper,
    setup: Arc<ProverSetup>,
    table: &'a str,
    schema: &'a Schema,
    verifier: TableVerifier,
    /// What all masks and salts are expanded from.
    seed: [u8; 32],
    /// The keys of the index of rows.
    index: Sorter,
    /// What the archive puts.
    changes: Vec<Change>,
    /// Numbers that are certified and in the vault.
    numbers: u64,
    report: ImportReport,
}

impl<'a> Writing<'a> {
    /// A write that sorts its index in so many bytes of memory.
    pub(super) fn new(
        keeper: &'a mut Keeper,
        table: &'a str,
        schema: &'a Schema,
        memory: usize,
    ) -> Result<Self, TablesError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let setup = Arc::clone(&keeper.setup);
        let verifier = TableVerifier::new(setup.tau_g2());
        let index = Sorter::new(memory, keeper.vault.temporary_files());
        // What an earlier write has left that failed in this process.
        keeper.settle()?;
        let report = ImportReport { version: keeper.archive.version(), ..ImportReport::default() };
        Ok(Self { keeper, setup, table, schema, verifier, seed, index, changes: Vec::new(), numbers: 0, report })
    }

    /// The least number above `last` that no run of a key has, nor ever had in the vault.
    pub(super) fn free_run(&self, column: u8, columns: &[u8], last: Option<u32>) -> Result<u32, TablesError> {
        let Keeper { archive, vault, .. } = &*self.keeper;
        let mut last = last;
        loop {
            let run = unused_run(vault, (self.table, column, columns), last)?;
            let head = head_key(self.table, column, columns, run);
            if archive.get(&Key::from(head), archive.version())?.is_none() {
                return Ok(run);
            }
            last = Some(run);
        }
    }

    /// Certifies sheets, each on a core of its own, and writes their secrets and certificates. How
    /// many numbers are written by then.
    pub(super) fn write(&mut self, sheets: Vec<Sheet>) -> Result<u64, TablesError> {
        if sheets.is_empty() {
            return Ok(self.numbers);
        }
        let rows: usize = sheets.iter().map(Sheet::rows).sum();
        let Self { keeper, setup, table, schema, seed, .. } = self;
        let work = Work { setup, dictionary: *keeper.archive.id(), table, schema, seed: *seed };
        let certified = certified(&work, &self.verifier, sheets)?;
        let (mut heads, mut secrets, mut certificates) = (Vec::new(), Vec::new(), Vec::new());
        for sheet in certified {
            sheet.judge(self.table, self.schema)?;
            let sheet = sheet.into_written(self.table);
            heads.extend(sheet.heads);
            secrets.extend(sheet.secrets);
            certificates.push(sheet.certificate);
        }
        self.keeper.vault.prepare_segments(&Pending { heads: &heads }, &secrets)?;
        let version = self.keeper.archive.version() + 1;
        self.keeper.certificates.append(version, self.report.sheets as usize, &certificates)?;
        for (place, secret) in &secrets {
            index_keys(place, secret).iter().try_for_each(|key| self.index.push(key)).map_err(SourceError::Sorting)?;
        }
        self.report.runs += heads.len() as u64;
        self.report.sheets += certificates.len() as u64;
        self.numbers += rows as u64;
        let change = |(key, head): (Vec<u8>, Vec<u8>)| Change { key: Key::from(key), value: Some(Value::from(head)) };
        self.changes.extend(heads.into_iter().map(change));
        Ok(self.numbers)
    }

    /// Writes the index, and has the archive put all heads.
    pub(super) fn finish(self, progress: &mut dyn FnMut(ImportStep)) -> Result<ImportReport, TablesError> {
        let Self { keeper, index, changes, mut report, .. } = self;
        write_index(&mut keeper.vault, index)?;
        let imported = keeper.archive.import_with(changes, &mut |step| progress(ImportStep::Archive(step)))?;
        keeper.vault.complete()?;
        report.version = imported.version;
        Ok(report)
    }
}

/// Writes the keys of the index of rows into a vault, sorted and some at a time.
pub(crate) fn write_index(vault: &mut Vault, index: Sorter) -> Result<(), TablesError> {
    let mut sorted = index.sorted().map_err(SourceError::Sorting)?;
    let (mut keys, mut bytes) = (Vec::new(), 0);
    while let Some(key) = sorted.next().transpose().map_err(SourceError::Sorting)? {
        bytes += key.len() + size_of::<Vec<u8>>();
        keys.push(key);
        if bytes >= MOST_INDEX {
            vault.index(&mem::take(&mut keys))?;
            bytes = 0;
        }
    }
    Ok(vault.index(&keys)?)
}
