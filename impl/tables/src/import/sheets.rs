//! Sheets of an import: filled with runs as these come, and certified.

use std::mem;

use aardvark_aggregates::{
    About, Certificate, CertificateMasks, CertifiedSheet, Head, KeyError, MaskSource, PolicyFault, ProverSetup, Schema,
    SheetItem, TableVerifier, commit_each, judge_begin, prove,
};
use aardvark_algebra::tagged_hash;
use aardvark_dictionary::DictionaryId;
use rayon::prelude::*;

use super::runs::NewRun;
use crate::certificates::StoredCertificate;
use crate::error::TablesError;
use crate::packing::Packer;
use crate::place::{SegmentPlace, head_key};
use crate::vault::SegmentSecret;

/// Domain separation tag of the seeds that an import's seed is expanded to.
const SEED_TAG: &str = "AARDVARK-V1-TABLE-SEED";
/// A sheet with more bytes of texts than these is ended.
const MOST_TEXT: usize = 16 << 20;
/// Sheets that a core certifies before they are written.
pub(crate) const SHEETS: usize = 8;
/// Bytes of texts after which sheets are written, however few they are.
pub(crate) const MOST_BATCH_TEXT: usize = 64 << 20;

/// Runs that are certified together.
pub(crate) struct Sheet {
    /// Which of the import's sheets it is.
    number: u64,
    /// The logarithm of its domain's size.
    log: usize,
    /// The runs, all of one column, and their first positions.
    runs: Vec<(NewRun, usize)>,
    text_bytes: usize,
}

impl Sheet {
    /// The runs of a sheet that is certified once more, from a seed of its own, at their positions
    /// on a domain of 2^log.
    pub(crate) fn again(log: usize, runs: Vec<(NewRun, usize)>) -> Self {
        let text_bytes = runs.iter().map(|(run, _)| run.text_bytes).sum();
        Self { number: 0, log, runs, text_bytes }
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        self.runs.iter().map(|(run, _)| run.numbers.len()).sum()
    }
}

/// Sheets that are certified and written together.
#[derive(Default)]
pub(crate) struct Batch {
    sheets: Vec<Sheet>,
    text_bytes: usize,
}

impl Batch {
    pub(crate) fn push(&mut self, sheet: Sheet) {
        self.text_bytes += sheet.text_bytes;
        self.sheets.push(sheet);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.sheets.len() >= SHEETS * rayon::current_num_threads() || self.text_bytes >= MOST_BATCH_TEXT
    }

    pub(crate) fn take(&mut self) -> Vec<Sheet> {
        self.text_bytes = 0;
        mem::take(&mut self.sheets)
    }
}

/// Fills sheets, one after the other.
pub(crate) struct Filler {
    /// The logarithm of the most positions.
    most: usize,
    /// The most runs of a sheet.
    most_runs: usize,
    packer: Packer,
    open: Vec<(NewRun, usize)>,
    text_bytes: usize,
    sheets: u64,
}

impl Filler {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, most_runs: usize::MAX, packer: Packer::new(most), open: Vec::new(), text_bytes: 0, sheets: 0 }
    }

    /// The same, with at most so many runs, from 1, on a sheet.
    pub(crate) fn with_most_runs(self, most_runs: usize) -> Self {
        Self { most_runs, ..self }
    }

    /// Places a run; the sheet that was full before, where it was.
    ///
    /// # Errors
    /// [`TablesError::SheetSize`] where it is longer than a sheet.
    pub(crate) fn place(&mut self, run: NewRun) -> Result<Option<Sheet>, TablesError> {
        let (rows, text) = (run.numbers.len(), run.text_bytes);
        let other_column = self.open.last().is_some_and(|(last, _)| last.column != run.column);
        let too_large = !self.open.is_empty() && self.text_bytes + text > MOST_TEXT;
        let too_many = self.open.len() >= self.most_runs;
        let mut first = if other_column || too_large || too_many { None } else { self.packer.place(rows) };
        let mut full = None;
        if first.is_none() {
            full = self.finish();
            first = self.packer.place(rows);
        }
        let first = first.ok_or(TablesError::SheetSize(rows, 1 << self.most))?;
        self.open.push((run, first));
        self.text_bytes += text;
        Ok(full)
    }

    /// Ends the sheet, where there is something on it.
    pub(crate) fn finish(&mut self) -> Option<Sheet> {
        let log = self.packer.log();
        self.packer = Packer::new(self.most);
        let (runs, text_bytes) = (mem::take(&mut self.open), mem::take(&mut self.text_bytes));
        if runs.is_empty() {
            return None;
        }
        self.sheets += 1;
        Some(Sheet { number: self.sheets - 1, log, runs, text_bytes })
    }
}

/// A sheet that is certified.
pub(crate) struct CertifiedRuns {
    pub(crate) about: About,
    pub(crate) items: Vec<SheetItem>,
    pub(crate) certificate: Certificate,
    pub(crate) secrets: Vec<SegmentSecret>,
}

/// What is to be written of a certified sheet.
pub(crate) struct ToWrite {
    /// The keys and values of heads.
    pub(crate) heads: Vec<(Vec<u8>, Vec<u8>)>,
    pub(crate) secrets: Vec<(SegmentPlace, SegmentSecret)>,
    pub(crate) certificate: StoredCertificate,
}

impl CertifiedRuns {
    /// Whether its runs may begin so.
    ///
    /// # Errors
    /// [`PolicyFault`].
    pub(crate) fn judge(&self, table: &str, schema: &Schema) -> Result<(), PolicyFault> {
        self.items.iter().try_for_each(|item| {
            let head = Head::single(item.revision, item.record.clone());
            judge_begin(schema, &head_key(table, self.about.column, &item.columns, item.run), &head)
        })
    }

    /// What is to be written of it.
    pub(crate) fn into_written(self, table: &str) -> ToWrite {
        let Self { about, items, certificate, secrets: of_sheet } = self;
        let (mut heads, mut secrets, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for (item, secret) in items.into_iter().zip(of_sheet) {
            let key = head_key(table, about.column, &item.columns, item.run);
            let head = Head::single(item.revision, item.record).to_bytes();
            secrets.push((SegmentPlace { head: key.clone(), revision: item.revision, segment: 0 }, secret));
            keys.push(key.clone());
            heads.push((key, head));
        }
        let certificate = StoredCertificate { heads: keys, certificate: certificate.to_bytes() };
        ToWrite { heads, secrets, certificate }
    }
}

/// What all sheets of an import have in common.
pub(crate) struct Work<'a> {
    pub(crate) setup: &'a ProverSetup,
    pub(crate) dictionary: DictionaryId,
    pub(crate) table: &'a str,
    pub(crate) schema: &'a Schema,
    /// The import's seed.
    pub(crate) seed: [u8; 32],
}

impl Work<'_> {
    /// Commits to the runs of a sheet and certifies them.
    pub(crate) fn certify(&self, sheet: Sheet) -> Result<CertifiedRuns, TablesError> {
        let setup = self.setup.sheet(sheet.log)?;
        let seed = expanded(&self.seed, sheet.number);
        let column = sheet.runs.first().map_or(0, |(run, _)| run.column);
        let about = About::of_column(self.dictionary, self.table, self.schema, column)
            .ok_or(PolicyFault::Key(KeyError::Column(column)))?;
        let (mut places, mut roots, mut segments, mut secrets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, (run, first)) in (1..).zip(sheet.runs) {
            let NewRun { columns, run, numbers, texts, .. } = run;
            let secret = SegmentSecret { first: first as u16, seed: expanded(&seed, i), numbers, texts };
            segments.push(secret.known(about.moments));
            roots.push(secret.root().ok_or(TablesError::TextTooLong)?);
            places.push((columns, run));
            secrets.push(secret);
        }
        let records = commit_each(setup, &segments.iter().zip(roots).collect::<Vec<_>>());
        let item = |((columns, run), record)| SheetItem { columns, run, revision: 0, segment: 0, record };
        let items: Vec<SheetItem> = places.into_iter().zip(records).map(item).collect();
        let masks = CertificateMasks::draw(&mut MaskSource::new(expanded(&seed, 0)), about.bits);
        let certificate = prove(setup, &about, &items, &segments, &masks)?;
        Ok(CertifiedRuns { about, items, certificate, secrets })
    }
}

/// Certifies sheets, each on a core of its own, and finds what is wrong with a certificate before
/// anything is written.
pub(crate) fn certified(
    work: &Work<'_>,
    verifier: &TableVerifier,
    sheets: Vec<Sheet>,
) -> Result<Vec<CertifiedRuns>, TablesError> {
    let certified: Result<Vec<_>, TablesError> = sheets.into_par_iter().map(|sheet| work.certify(sheet)).collect();
    let certified = certified?;
    let one = |runs| {
        let CertifiedRuns { about, items, certificate, .. }: &'_ CertifiedRuns = runs;
        CertifiedSheet { about, link: None, items, certificate }
    };
    let batch: Vec<CertifiedSheet<'_>> = certified.iter().map(one).collect();
    verifier.verify_certificates(&batch).map_err(|(_, error)| TablesError::OwnCertificate(error))?;
    Ok(certified)
}

/// A seed of its own for each use of a write's.
fn expanded(seed: &[u8; 32], number: u64) -> [u8; 32] {
    tagged_hash(SEED_TAG, &[seed.as_slice(), &number.to_be_bytes()].concat())
}
