//! Other numbers for runs whose own another keeper's runs have taken.
//!
//! A run's number is in its certificates' statements, and masks are fresh in each write: so the
//! rows come from the vault and are committed to and certified anew. Runs that share a certificate
//! are all written again; of runs whose segments have one each, those that get other numbers, with
//! what later drafts put of them.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_aggregates::{Head, PolicyFault, Schema, TableKey, TableVerifier};
use aardvark_dictionary::{Key, Value};

use super::ChainKeeper;
use super::draft::{Contents, Draft};
use super::grown_run::GrownRun;
use super::ledger::Ledger;
use crate::error::TablesError;
use crate::import::runs::NewRun;
use crate::import::sheets::{Sheet, Work, certified};
use crate::numbers::unused_run;
use crate::place::SegmentPlace;
use crate::renew::{BegunRun, Rewritten};
use crate::vault::{Job, Pending, SegmentSecret};

/// What is put in the place of runs whose numbers are taken.
#[derive(Default)]
struct Renumbered {
    /// Segments that are not put any more.
    stale: Vec<SegmentPlace>,
    /// The keys and values of what is put instead, with certificates.
    heads: Vec<(Vec<u8>, Vec<u8>)>,
    secrets: Vec<(SegmentPlace, SegmentSecret)>,
    /// The drafts that put it, by their numbers.
    drafts: BTreeMap<u32, Draft>,
}

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
        let grown = draft.grown_runs();
        let sheet = draft.begun_runs().filter(|_| grown.is_none());
        let of_sheet = sheet.iter().flatten().map(|(key, _)| *key);
        let begun = grown.iter().flatten().filter(|run| run.begins()).map(|run| &run.head);
        let begun: BTreeSet<&Key> = begun.chain(of_sheet).collect();
        if !taken.keys().all(|key| begun.contains(key)) {
            return Err(TablesError::Taken(shown).into());
        }
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
        let mut renumbered = Renumbered::default();
        match sheet {
            Some(begun) => self.sheet_again((&job.table, &schema), (number, &begun), &renamed, &mut renumbered)?,
            None => {
                for (key, run) in &renamed {
                    self.run_again((&job.table, &schema), (number, key), *run, &mut renumbered)?;
                }
            }
        }
        let Renumbered { stale, heads, secrets, drafts } = renumbered;
        let drafts: Vec<(u32, Vec<u8>)> =
            drafts.into_iter().map(|(number, draft)| (number, draft.to_bytes())).collect();
        self.vault.replace(&stale, &Pending { heads: &heads }, &secrets, &drafts).map_err(TablesError::from)?;
        Ok(format!("another keeper has put a run under the key 0x{shown}"))
    }

    /// Certifies the runs of a sheet once more, some of them under other numbers.
    fn sheet_again(
        &self,
        (table, schema): (&str, &Schema),
        (number, begun): (u32, &[(&Key, &Value)]),
        renamed: &BTreeMap<Key, u32>,
        renumbered: &mut Renumbered,
    ) -> Result<(), TablesError> {
        let (mut runs, mut log) = (Vec::new(), 0);
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
            renumbered.stale.push(place);
        }
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let work = Work { setup: &self.setup, dictionary: self.dictionary, table, schema, seed };
        let sheet = certified(&work, &TableVerifier::new(self.setup.tau_g2()), vec![Sheet::again(log, runs)])?;
        let Some(sheet) = sheet.into_iter().next() else { return Ok(()) };
        let sheet = sheet.into_written(table);
        let draft = Draft::append(sheet.heads.clone(), sheet.certificate.certificate);
        renumbered.drafts.insert(number, draft);
        renumbered.heads.extend(sheet.heads);
        renumbered.secrets.extend(sheet.secrets);
        Ok(())
    }

    /// Certifies the segments of a run that begins in a draft once more, under another number: in
    /// this draft, and in those behind it that let the run grow, the new ones take the place of the
    /// old.
    fn run_again(
        &self,
        (table, schema): (&str, &Schema),
        (number, head): (u32, &Key),
        run: u32,
        renumbered: &mut Renumbered,
    ) -> Result<(), TablesError> {
        let TableKey::Head { column, columns, .. } = head_place(schema, head)? else { return Ok(()) };
        let mut parts = Vec::new();
        for number in self.vault.draft_numbers()?.into_iter().filter(|of_draft| *of_draft >= number) {
            let draft = renumbered.drafts.get(&number).cloned().map_or_else(|| self.draft(number), Ok)?;
            let runs = draft.grown_runs();
            let place = runs.as_ref().and_then(|runs| runs.iter().position(|run| run.head == *head));
            let is_behind = runs.is_some() && place.is_none();
            parts.extend(runs.zip(place).map(|(runs, place)| (number, draft.in_turn, runs, place)));
            if is_behind {
                break;
            }
        }
        let steps = parts.iter().filter_map(|(.., runs, place)| runs.get(*place)).map(GrownRun::steps).sum();
        let mut rows = Vec::new();
        for segment in (0u32..).take(steps) {
            let place = SegmentPlace { head: head.to_vec(), revision: 0, segment };
            rows.push(self.vault.segment(&place)?.ok_or(TablesError::NoRows)?);
            renumbered.stale.push(place);
        }
        let begun = BegunRun { dictionary: self.dictionary, table, schema, column, columns, run };
        let Rewritten { steps, secrets } = begun.write(&self.setup, rows)?;
        renumbered.heads.extend(steps.iter().map(|step| step.certified_entry()));
        renumbered.secrets.extend(secrets);
        let mut steps = steps.into_iter();
        for (number, in_turn, mut runs, place) in parts {
            if let Some(old) = runs.get_mut(place) {
                let mut own = steps.by_ref().take(old.steps());
                if let Some(first) = own.next() {
                    *old = own.fold(GrownRun::of(first), GrownRun::grown);
                }
            }
            renumbered.drafts.insert(number, Draft::grow(runs, in_turn));
        }
        Ok(())
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
