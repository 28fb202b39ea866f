//! Renewals on a chain: steps of runs become drafts, as many in each as a transaction has room for.
//!
//! A run that gets more than that is put by several transactions, each of which makes it a whole
//! run again; they are sent in turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use aardvark_aggregates::ProverSetup;
use aardvark_dictionary::{DictionaryId, Key, Value};

use super::draft::Draft;
use super::grown_run::GrownRun;
use super::ledger::Ledger;
use super::room::Room;
use super::{ChainKeeper, contents};
use crate::error::TablesError;
use crate::renew::{RunStep, RunsOf, Target};
use crate::vault::Vault;

/// Bytes of the totals that a head gets with its second segment, at most.
const TOTALS: usize = 3 * 48;

/// A chain whose tables are renewed, and drafts of what is put.
pub(super) struct OnChain<'a, L> {
    keeper: &'a mut ChainKeeper,
    ledger: &'a mut L,
    /// Runs of the next draft, and what room it has left.
    runs: Vec<GrownRun>,
    left: Room,
    /// The head of the last run of the last draft.
    last: Option<Key>,
    /// How many drafts there are.
    drafts: u32,
}

impl<'a, L: Ledger> OnChain<'a, L> {
    pub(super) fn new(keeper: &'a mut ChainKeeper, ledger: &'a mut L) -> Self {
        let left = Room::beside_schema(&keeper.parameters);
        Self { keeper, ledger, runs: Vec::new(), left, last: None, drafts: 0 }
    }

    /// Writes the last draft.
    pub(super) fn finish(mut self) -> Result<(), TablesError> {
        self.end_draft()
    }

    /// Puts a step into the next draft, where that has room, else into the one behind it.
    fn put_step(&mut self, step: RunStep) -> Result<(), TablesError> {
        let grows = self.runs.last().is_some_and(|last| *last.head == *step.head);
        let (of_segment, of_run) = (self.of_segment(&step), self.of_run(&step));
        if grows && self.left.has(of_segment) {
            self.left = self.left.less(of_segment);
            let last = self.runs.pop();
            self.runs.extend(last.map(|run| run.grown(step)));
            return Ok(());
        }
        let needed = of_run.and(of_segment);
        if grows || !self.left.has(needed) {
            self.end_draft()?;
        }
        if !self.left.has(needed) {
            return Err(TablesError::Limits);
        }
        self.left = self.left.less(needed);
        self.runs.push(GrownRun::of(step));
        Ok(())
    }

    /// What a step's segment takes.
    fn of_segment(&self, step: &RunStep) -> Room {
        let certificate = Room::of_certificate(step.certificate.len());
        let Some((key, value)) = &step.segment else { return certificate };
        let claim = Room::of_claim(&self.keeper.parameters);
        let put = Room::of_operation(key.len(), 0).and(Room::of_operation(key.len(), value.len()));
        claim.and(put).and(certificate)
    }

    /// What a run takes that begins with a step in a draft, besides its segments.
    fn of_run(&self, step: &RunStep) -> Room {
        let claim = Room::of_claim(&self.keeper.parameters);
        let (key, before) = (step.head.len(), step.before.as_ref().map_or(0, Vec::len));
        let head = Room::of_operation(key, before).and(Room::of_operation(key, step.after.len() + TOTALS));
        match &step.previous {
            Some((key, value)) => claim.and(head).and(claim).and(Room::of_operation(key.len(), value.len())),
            None => claim.and(head),
        }
    }

    /// Writes the next draft, where there is something in it.
    fn end_draft(&mut self) -> Result<(), TablesError> {
        let runs = std::mem::take(&mut self.runs);
        self.left = Room::beside_schema(&self.keeper.parameters);
        let Some(last) = runs.last().map(|run| run.head.clone()) else { return Ok(()) };
        let in_turn = runs.first().map(|run| &run.head) == self.last.as_ref();
        self.last = Some(last);
        self.put_draft(&Draft::grow(runs, in_turn))
    }

    fn put_draft(&mut self, draft: &Draft) -> Result<(), TablesError> {
        self.keeper.vault.put_drafts(self.drafts, &[draft.to_bytes()])?;
        self.drafts = self.drafts.saturating_add(1);
        Ok(())
    }
}

impl<L: Ledger> Target for OnChain<'_, L> {
    type Error = L::Error;

    const HAS_ALL_ROWS: bool = false;

    fn vault(&mut self) -> &mut Vault {
        &mut self.keeper.vault
    }

    fn setup(&self) -> &Arc<ProverSetup> {
        &self.keeper.setup
    }

    fn dictionary(&self) -> DictionaryId {
        self.keeper.dictionary
    }

    fn runs(&mut self, of: RunsOf<'_>) -> Result<Vec<(Key, Value)>, L::Error> {
        self.keeper.standing_runs(self.ledger, of.table, of.column, of.columns)
    }

    fn value(&mut self, key: &Key) -> Result<Option<Value>, L::Error> {
        let (_, claims) = self.ledger.claims(&BTreeMap::from([(key.clone(), false)]))?;
        Ok(contents([key], &claims)?.remove(key).flatten())
    }

    fn put(&mut self, steps: Vec<RunStep>) -> Result<(), TablesError> {
        steps.into_iter().try_for_each(|step| self.put_step(step))
    }

    fn delete(&mut self, head: Key, value: Value) -> Result<(), TablesError> {
        self.put_draft(&Draft::delete(head, value, &[]))
    }
}
