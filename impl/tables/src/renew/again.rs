//! A run that is written once more under another number, because another keeper's run has its own.
//!
//! A run's number is in the statements of its certificates, and masks are fresh in each write: so
//! all its segments are committed to and certified anew.

use aardvark_aggregates::sheet::max_log;
use aardvark_aggregates::{About, KeyError, PolicyFault, ProverSetup, Schema, TableVerifier};
use aardvark_dictionary::DictionaryId;

use super::batch::{Draft, certify};
use super::run::{Run, RunStep, Taken};
use super::seeds::Seeds;
use crate::error::TablesError;
use crate::import::SHEETS;
use crate::place::SegmentPlace;
use crate::vault::SegmentSecret;

/// A run that begins, by its number among those of its key.
pub(crate) struct BegunRun<'a> {
    pub(crate) dictionary: DictionaryId,
    pub(crate) table: &'a str,
    pub(crate) schema: &'a Schema,
    pub(crate) column: u8,
    /// The encoded key columns.
    pub(crate) columns: Vec<u8>,
    pub(crate) run: u32,
}

/// The steps of a run, one a segment, and what is secret of them.
pub(crate) struct Rewritten {
    pub(crate) steps: Vec<RunStep>,
    pub(crate) secrets: Vec<(SegmentPlace, SegmentSecret)>,
}

impl BegunRun<'_> {
    /// Certifies the run with the rows of these segments, on sheets of their own.
    ///
    /// # Errors
    /// [`TablesError`].
    pub(crate) fn write(self, setup: &ProverSetup, rows: Vec<SegmentSecret>) -> Result<Rewritten, TablesError> {
        let Self { dictionary, table, schema, column, columns, run } = self;
        let about = About::of_column(dictionary, table, schema, column);
        let about = about.ok_or(PolicyFault::Key(KeyError::Column(column)))?;
        let (verifier, mut seeds) = (TableVerifier::new(setup.tau_g2()), Seeds::draw()?);
        let most = max_log(about.moments);
        let mut runs = [Run::new(about, columns, (run, 0))];
        let mut rewritten = Rewritten { steps: Vec::new(), secrets: Vec::new() };
        let mut segments = (0u32..).zip(rows).peekable();
        while segments.peek().is_some() {
            let some = segments.by_ref().take(SHEETS * rayon::current_num_threads());
            let draft = |(number, secret): (u32, SegmentSecret)| {
                let (seed, of_rows) = (seeds.next(), seeds.next());
                Draft { run: 0, number, seed, secret: SegmentSecret { first: 1, seed: of_rows, ..secret } }
            };
            let drafts = some.map(draft).collect();
            let certified = certify(setup, &verifier, &runs, drafts, most)?;
            let [run] = &mut runs;
            for segment in certified {
                let Taken { step, place, secret } = run.take(table, schema, segment)?;
                rewritten.steps.push(step);
                rewritten.secrets.push((place, secret));
            }
        }
        Ok(rewritten)
    }
}
