//! Other numbers for runs whose own another keeper's runs have taken.
//!
//! A run's number is in its certificate's statement, and masks are fresh in each write: so the rows
//! of the sheet come from the vault and are committed to and certified anew.

use std::collections::BTreeMap;

use aardvark_aggregates::{Head, PolicyFault, Schema, TableKey, TableVerifier};
use aardvark_dictionary::{Key, Value};

use super::ChainKeeper;
use super::draft::{Contents, Draft};
use super::ledger::Ledger;
use crate::error::TablesError;
use crate::import::runs::NewRun;
use crate::import::sheets::{Sheet, Work, certified};
use crate::numbers::unused_run;
use crate::place::SegmentPlace;
use crate::vault::{Job, Pending};

impl ChainKeeper {
    /// Gives the runs of a draft that begins some other numbers, where these keys of theirs are
    /// taken in the version that was read; says so.
    ///
    /// Nothing that was sent of the draft may be applied any more, or its rows could be put twice.
    /// It cannot where what is taken stays so, in a table that is not deletable. Nor may it be
    /// applied already: a run that was replaced since may have been the draft's.
    ///
    /// # Errors
    /// [`TablesError::Taken`] where it does something else,
    /// [`TablesError::TakenAfterSending`]; what the ledger says.
    pub(super) fn renumber<L: Ledger>(
        &mut self,
        ledger: &mut L,
        job: &Job,
        (number, draft): (u32, &Draft),
        (read, taken): (u64, &Contents),
    ) -> Result<String, L::Error> {
        let shown = taken.keys().next().map_or_else(String::new, |key| shown(key));
        let Some(begun) = draft.begun_runs() else { return Err(TablesError::Taken(shown).into()) };
        let schema = self.schema(ledger, &job.table)?;
        if let Some(version) = self.vault.sent(number).map_err(TablesError::from)? {
            if taken.iter().any(|(key, value)| is_replaced(key, value.as_deref())) {
                return Err(TablesError::Taken(shown).into());
            }
            // Who reads a version before that one does not know yet what came last.
            if schema.deletable && (read < version || !ledger.is_past(version)?) {
                return Err(TablesError::TakenAfterSending { key: shown, version }.into());
            }
        }
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut renamed = BTreeMap::new();
        for key in taken.keys() {
            let TableKey::Head { column, columns, .. } = head_place(&schema, key)? else { continue };
            let last = match numbers.get(&of_key(key)) {
                Some(last) => Some(*last),
                None => self.last_standing(ledger, &job.table, column, &columns)?,
            };
            let run = unused_run(&self.vault, (&job.table, column, &columns), last)?;
            numbers.insert(of_key(key), run);
            renamed.insert(key.clone(), run);
        }
        self.write_again(job, &schema, (number, &begun), &renamed)?;
        Ok(format!("another keeper has put a run under the key 0x{shown}"))
    }

    /// Certifies the runs of a draft once more, some of them under other numbers, and puts them in
    /// the draft's place.
    fn write_again(
        &mut self,
        job: &Job,
        schema: &Schema,
        (number, begun): (u32, &[(&Key, &Value)]),
        renamed: &BTreeMap<Key, u32>,
    ) -> Result<(), TablesError> {
        let (mut runs, mut stale, mut log) = (Vec::new(), Vec::new(), 0);
        for (key, value) in begun {
            let TableKey::Head { column, columns, run, .. } = head_place(schema, key)? else { continue };
            let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
            log = usize::from(Head::from_bytes(value, moments).map_err(PolicyFault::Head)?.record.log);
            let place = SegmentPlace { head: key.to_vec(), revision: 0, segment: 0 };
            let secret = self.vault.segment(&place)?.ok_or(TablesError::NoRows)?;
            let run = renamed.get(*key).copied().unwrap_or(run);
            let text_bytes = secret.texts.iter().flatten().map(String::len).sum();
            let (numbers, texts) = (secret.numbers, secret.texts);
            runs.push((NewRun { column, columns, run, numbers, texts, text_bytes }, usize::from(secret.first)));
            stale.push(place);
        }
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let work = Work { setup: &self.setup, dictionary: self.dictionary, table: &job.table, schema, seed };
        let sheet = certified(&work, &TableVerifier::new(self.setup.tau_g2()), vec![Sheet::again(log, runs)])?;
        let Some(sheet) = sheet.into_iter().next() else { return Ok(()) };
        let sheet = sheet.into_written(&job.table);
        let draft = Draft::append(sheet.heads.clone(), sheet.certificate.certificate).to_bytes();
        Ok(self.vault.replace(&stale, &Pending { heads: &sheet.heads }, &sheet.secrets, (number, &draft))?)
    }

    /// The greatest number of a run of a key that stands.
    fn last_standing<L: Ledger>(
        &self,
        ledger: &mut L,
        table: &str,
        column: u8,
        columns: &[u8],
    ) -> Result<Option<u32>, L::Error> {
        let standing = self.standing_runs(ledger, table, column, columns)?;
        Ok(standing.last().and_then(|(key, _)| key.last_chunk()).map(|number| u32::from_be_bytes(*number)))
    }
}

/// What the key of a head says.
fn head_place(schema: &Schema, key: &[u8]) -> Result<TableKey, TablesError> {
    Ok(TableKey::from_bytes(key, schema).map_err(PolicyFault::Key)?)
}

/// Whether what stands under a head's key is not a run's first revision.
fn is_replaced(key: &[u8], value: Option<&[u8]>) -> bool {
    value.and_then(|value| SegmentPlace::of_entry(key, value)).is_none_or(|place| place.revision > 0)
}

/// A head's key without the run's number.
fn of_key(key: &[u8]) -> Vec<u8> {
    key.get(..key.len().saturating_sub(4)).unwrap_or_default().to_vec()
}

fn shown(key: &[u8]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}
