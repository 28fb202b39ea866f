//! Rows to drafts: sorted by key and number, packed into sheets that a transaction has room for,
//! certified, and written into the vault, all of them before the first is sent.

use aardvark_aggregates::sheet::capacity;
use aardvark_aggregates::{PolicyFault, Schema, TableVerifier};
use aardvark_algebra::hash::TaggedHash;
use aardvark_archive::sorting::Sorter;
use aardvark_dictionary::Parameters;

use super::draft::Draft;
use super::ledger::Ledger;
use super::renewal::OnChain;
use super::room::Room;
use super::{ChainKeeper, ChainStep, REQUEST_TAG, Written};
use crate::error::TablesError;
use crate::import::runs::{Runs, push_row};
use crate::import::sheets::{Batch, Filler, Sheet, Work, certified};
use crate::import::{Cells, ImportOptions, write_index};
use crate::numbers::unused_run;
use crate::place::head_key;
use crate::renew::{Renewal, renewed};
use crate::source::{Row, RowSource, SourceError};
use crate::vault::{Counts, Done, Pending, index_keys};

/// Rows between two reports of how many were read.
const READ_STEP: u64 = 4096;

impl ChainKeeper {
    /// Imports all rows of a source into a table: into the vault first, and from there, sheet by
    /// sheet, to the chain. The same rows for the same table are put once, however often that is
    /// asked, unless `again`. A key that has runs already gets another.
    ///
    /// # Errors
    /// [`TablesError`]; where a row is refused nothing is written or sent. What the ledger says:
    /// the next write goes on then.
    pub fn import<L: Ledger>(
        &mut self,
        ledger: &mut L,
        table: (&str, &Schema),
        source: &mut dyn RowSource,
        options: &ImportOptions,
        again: bool,
        progress: &mut dyn FnMut(ChainStep),
    ) -> Result<Written, L::Error> {
        self.put_rows(ledger, table, source, (None, options), again, progress)
    }

    /// The same, but the runs of the rows' keys grow or are replaced, segment by segment. What does
    /// not fit into one transaction is put by several, one after the other.
    ///
    /// # Errors
    /// As [`ChainKeeper::import`]; [`TablesError::Policy`] where the table does not allow it,
    /// [`TablesError::TooFewRows`].
    pub fn renew<L: Ledger>(
        &mut self,
        ledger: &mut L,
        table: (&str, &Schema),
        source: &mut dyn RowSource,
        (renewal, options): (Renewal, &ImportOptions),
        again: bool,
        progress: &mut dyn FnMut(ChainStep),
    ) -> Result<Written, L::Error> {
        if renewal == Renewal::Amend && table.1.append_only {
            return Err(TablesError::from(PolicyFault::Immutable).into());
        }
        self.put_rows(ledger, table, source, (Some(renewal), options), again, progress)
    }

    fn put_rows<L: Ledger>(
        &mut self,
        ledger: &mut L,
        (table, schema): (&str, &Schema),
        source: &mut dyn RowSource,
        (renewal, options): (Option<Renewal>, &ImportOptions),
        again: bool,
        progress: &mut dyn FnMut(ChainStep),
    ) -> Result<Written, L::Error> {
        let log = options.log(schema)?;
        let most_runs = most_runs(&self.parameters, table, schema)?;
        let mut sorter = Sorter::new(options.memory, self.vault.temporary_files());
        let mut asked = TaggedHash::new(REQUEST_TAG);
        let what: &[u8] = match renewal {
            None => b"import",
            Some(Renewal::Extend) => b"extend",
            Some(Renewal::Amend) => b"amend",
        };
        asked.update(what);
        asked.update([table.len() as u8]);
        asked.update(table.as_bytes());
        let mut rows = 0;
        while let Some(row) = source.next_row().map_err(TablesError::from)? {
            ask_row(&mut asked, &row);
            push_row(&mut sorter, rows, &row).map_err(sorting)?;
            rows += 1;
            if rows % READ_STEP == 0 {
                progress(ChainStep::Read(rows));
            }
        }
        progress(ChainStep::Read(rows));
        let request = asked.finalize();
        if let Some(written) = self.before(ledger, &request, progress)? {
            return Ok(written);
        }
        if let Some(done) = self.vault.done(&request).map_err(TablesError::from)?.filter(|_| !again) {
            return Ok(Written { done, repeated: true });
        }
        let numbers = sorter.count();
        if numbers == 0 {
            let done = Done { version: 0, counts: Counts { rows, ..Counts::default() } };
            return Ok(Written { done, repeated: false });
        }
        let mut job = self.begin(request, table)?;
        let cells = (Cells::new(sorter, schema)?, numbers);
        let prepared = match renewal {
            None => {
                let filler = Filler::new(log).with_most_runs(most_runs);
                self.prepare((table, schema), options, filler, cells, progress).map_err(L::Error::from)
            }
            Some(renewal) => {
                let target = OnChain::new(self, ledger);
                let mut certified = |done, all| progress(ChainStep::Certified(done, all));
                let sizes = (log, options.memory);
                renewed(target, (table, schema), renewal, sizes, cells, &mut certified)
                    .and_then(|(target, counts)| Ok(target.finish().map(|()| counts)?))
            }
        };
        let counts = match prepared {
            Ok(counts) => counts,
            Err(error) => {
                // Where this fails too, the next opening does it.
                let _ = self.settle();
                return Err(error);
            }
        };
        job.counts = Counts { rows, ..counts };
        job.is_ready = true;
        self.vault.put_job(&job).map_err(TablesError::from)?;
        let done = self.carry_on(ledger, progress)?.unwrap_or(Done { version: job.version, counts: job.counts });
        Ok(Written { done, repeated: false })
    }

    /// Certifies rows that are sorted, with the number of their numbers, and writes them into the
    /// vault with a draft for each sheet.
    fn prepare(
        &mut self,
        (table, schema): (&str, &Schema),
        options: &ImportOptions,
        mut filler: Filler,
        (cells, numbers): (Cells, u64),
        progress: &mut dyn FnMut(ChainStep),
    ) -> Result<Counts, TablesError> {
        let mut runs = Runs::new(cells, capacity(options.log(schema)?));
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let index = Sorter::new(options.memory, self.vault.temporary_files());
        let verifier = TableVerifier::new(self.setup.tau_g2());
        let mut preparing =
            Preparing { keeper: self, table, schema, seed, index, verifier, counts: Counts::default(), written: 0 };
        let mut sheets = Batch::default();
        progress(ChainStep::Certified(0, numbers));
        let mut last: Option<(u8, Vec<u8>, u32)> = None;
        while let Some((column, columns)) = runs.ahead() {
            let before = last.take().filter(|last| (last.0, last.1.as_slice()) == (column, columns));
            // Where another keeper's run has it, it gets another one when it is sent.
            let run = unused_run(&preparing.keeper.vault, (table, column, columns), before.map(|last| last.2))?;
            last = Some((column, columns.to_vec(), run));
            let Some(run) = runs.next(run)? else { break };
            if let Some(full) = filler.place(run)? {
                sheets.push(full);
            }
            if sheets.is_full() {
                progress(ChainStep::Certified(preparing.write(sheets.take())?, numbers));
            }
        }
        if let Some(rest) = filler.finish() {
            sheets.push(rest);
        }
        progress(ChainStep::Certified(preparing.write(sheets.take())?, numbers));
        let Preparing { keeper, index, counts, .. } = preparing;
        write_index(&mut keeper.vault, index)?;
        Ok(counts)
    }
}

/// A write on its way into the vault.
struct Preparing<'a> {
    keeper: &'a mut ChainKeeper,
    table: &'a str,
    schema: &'a Schema,
    /// What all masks and salts are expanded from.
    seed: [u8; 32],
    /// The keys of the index of rows.
    index: Sorter,
    verifier: TableVerifier,
    counts: Counts,
    /// Numbers that are in the vault.
    written: u64,
}

impl Preparing<'_> {
    /// Certifies sheets and writes their secrets and drafts; how many numbers are written by then.
    fn write(&mut self, sheets: Vec<Sheet>) -> Result<u64, TablesError> {
        if sheets.is_empty() {
            return Ok(self.written);
        }
        let rows: usize = sheets.iter().map(Sheet::rows).sum();
        let Self { keeper, table, schema, seed, verifier, counts, .. } = self;
        let work = Work { setup: &keeper.setup, dictionary: keeper.dictionary, table, schema, seed: *seed };
        let (mut heads, mut secrets, mut drafts) = (Vec::new(), Vec::new(), Vec::new());
        for sheet in certified(&work, verifier, sheets)? {
            sheet.judge(table, schema)?;
            let sheet = sheet.into_written(table);
            drafts.push(Draft::append(sheet.heads.clone(), sheet.certificate.certificate).to_bytes());
            heads.extend(sheet.heads);
            secrets.extend(sheet.secrets);
        }
        keeper.vault.prepare_segments(&Pending { heads: &heads }, &secrets)?;
        keeper.vault.put_drafts(counts.sheets as u32, &drafts)?;
        for (place, secret) in &secrets {
            index_keys(place, secret).iter().try_for_each(|key| self.index.push(key)).map_err(sorting)?;
        }
        counts.runs += heads.len() as u64;
        counts.sheets += drafts.len() as u64;
        self.written += rows as u64;
        Ok(self.written)
    }
}

fn sorting(error: std::io::Error) -> TablesError {
    SourceError::Sorting(error).into()
}

/// A row as a part of what is asked.
fn ask_row(asked: &mut TaggedHash, row: &Row) {
    let mut bytes = row.columns.clone();
    for number in &row.numbers {
        match number {
            Some(number) => {
                bytes.push(1);
                bytes.extend(number.to_be_bytes());
            }
            None => bytes.push(0),
        }
    }
    for text in &row.texts {
        bytes.extend((text.len() as u64).to_be_bytes());
        bytes.extend(text.as_bytes());
    }
    asked.update(&bytes);
}

/// Most runs of a sheet whose transaction keeps within a chain's limits, whatever stands beside its
/// keys.
///
/// # Errors
/// [`TablesError::Limits`] where it takes not even one run, [`TablesError::Policy`] where the table
/// has no column.
fn most_runs(parameters: &Parameters, table: &str, schema: &Schema) -> Result<usize, TablesError> {
    let key = head_key(table, 0, &vec![0; schema.key_width()], 0).len();
    let widest = schema.values.iter().max_by_key(|column| (column.moments, column.bits));
    let widest = widest.ok_or(PolicyFault::NoTable)?;
    let bits = schema.values.iter().map(|column| usize::from(column.bits)).max().unwrap_or_default();
    let head = 1 + 4 + 4 + 8 + 5 + 48 + 32 + 48 * usize::from(widest.moments);
    let certificate = Room::of_certificate((bits + 5) * 48 + (bits + 2) * 32 + 1);
    let run = Room::of_claim(parameters).and(Room::of_operation(key, 0)).and(Room::of_operation(key, head));
    let most = Room::beside_schema(parameters).less(certificate).times(run);
    if most == 0 { Err(TablesError::Limits) } else { Ok(most) }
}
