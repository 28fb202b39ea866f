//! The dictionary alone: histories without commitments and openings, so that very many can run.
//!
//! A plan is interpreted as for a whole history ([`crate::build`]), but claims carry no openings
//! and nobody computes a commitment. What is left is what the theorems on order, versions and
//! blocks are about, and four sides say what it does:
//!
//! | | transactions | changes on the whole array | changes on the view of claims, window and tail |
//! |---|---|---|---|
//! | specification | `map_transactions` | `net_changes`, `apply_changes`, `writes_between` | `resolve_transaction`, `block_view`, `apply_changes`, `slide`, `tail_start_after` |
//! | oracle | `map` | `changes` | `changes`, on the specification's view |
//! | implementation | `Program::run` | `NetChanges`, `Draft`, `WholeArray` | `View`, `Window`, `Tail`, `Draft` |
//! | ordinary map | as it is | as it is | as it is |
//!
//! Faults of a plan that leave out a claim are tried on the view, before the block as it should be;
//! other faults are of layers above. What the oracle is asked is collected and sent at the end of
//! the history, in one go.

use std::collections::BTreeMap;

use aardvark_dictionary::array::{Draft, Slots, WholeArray, Write};
use aardvark_dictionary::changes::NetChanges;
use aardvark_dictionary::execution::{Program, Values};
use aardvark_dictionary::tail::{Tail, tail_needed, tail_start_after};
use aardvark_dictionary::view::View;
use aardvark_dictionary::window::Window;
use aardvark_dictionary::{Block, Key, Operation, Reason, Slot, Transaction, Value};
use aardvark_oracle::Safety;
use aardvark_spec::block::execution::resolve_transaction;
use aardvark_spec::block::map::{map_of_array, map_transactions};
use aardvark_spec::block::state::{ValidatorState, whole_tail};
use aardvark_spec::block::view::block_view;
use aardvark_spec::convert::{byte_vec, key_map_pairs, to_vec};
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::changes::{ChangeMap, apply_changes, net_changes};
use aardvark_spec::dictionary::genesis::genesis_array;
use aardvark_spec::dictionary::window::{VersionRecord, slide};
use aardvark_spec::dictionary::writes::writes_between;
use hacspec_lib::Seq;

use crate::archive::Archive;
use crate::build::Builder;
use crate::compare::{Mismatch, same, writes_from_spec};
use crate::convert::{block_to_spec, genesis_to_spec, parameters_to_spec, slot_from_spec};
use crate::coverage::Coverage;
use crate::observe;
use crate::oracle::Questions;
use crate::ordinary_map::OrdinaryMap;
use crate::plan::{BlockPlan, FaultKind, HistoryPlan};
use crate::setting::Setting;
use crate::whole_arrays::changes_between;

/// One dictionary, as every side has it, at one version.
struct Layer {
    /// Every version of the array, from the implementation's writes.
    archive: Archive,
    /// The implementation.
    whole: WholeArray,
    window: Window,
    tail: Tail,
    /// The specification. The state holds no commitments and no replay set.
    array: Array,
    state: ValidatorState,
    /// What the oracle will be asked.
    questions: Questions,
}

/// Runs a history, block by block; counts what it meets.
///
/// # Errors
/// The first thing that the sides do not agree on.
pub fn run(plan: &HistoryPlan, coverage: &mut Coverage) -> Result<(), Mismatch> {
    let mut layer = Layer::new(plan)?;
    coverage.totals[0] += 1;
    let ran = plan.blocks.iter().enumerate().try_for_each(|(number, block)| {
        layer.block(block, coverage).map_err(|mismatch| format!("block {number} of the plan: {mismatch}"))
    });
    // The oracle is asked even about a history that failed: its answer to what came before belongs
    // to the failure.
    let asked = layer.questions.ask();
    ran?;
    coverage.oracle = coverage.oracle.plus(asked?);
    Ok(())
}

impl Layer {
    fn new(plan: &HistoryPlan) -> Result<Self, Mismatch> {
        let setting = Setting::of_plan(plan);
        let genesis = setting.genesis(&plan.genesis);
        let slots: Vec<Slot> = genesis.slots().collect();
        let array = genesis_array(&genesis_to_spec(&genesis).genesis_entries);
        let parameters = parameters_to_spec(&setting.parameters);
        let n = setting.parameters.positions_per_vector();
        let start = aardvark_dictionary::tail::tail_floor(slots.len() as u64, n);
        let spec_start = aardvark_spec::block::tail::tail_floor(array.array_size, parameters.vector_size);
        same("tail_start at genesis", spec_start as u64, start)?;
        let state = ValidatorState {
            parameters,
            size: array.array_size,
            tail_start: spec_start,
            tail: whole_tail(&array, spec_start),
            ..ValidatorState::default()
        };
        let safety = if plan.threads { Safety::Ask } else { Safety::Skip };
        let layer = Self {
            whole: slots.iter().cloned().collect(),
            window: Window::new(setting.parameters.window),
            tail: Tail::new(start, slots[start as usize..].to_vec()),
            archive: Archive::without_openings(setting, slots),
            array,
            state,
            questions: Questions::new(safety),
        };
        layer.compare_state(&OrdinaryMap(genesis.entries().iter().cloned().collect()))?;
        Ok(layer)
    }

    fn block(&mut self, plan: &BlockPlan, coverage: &mut Coverage) -> Result<(), Mismatch> {
        let block = Builder { archive: &self.archive, tail_start: self.tail.start() }.block(plan);
        let before = OrdinaryMap(self.archive.map());
        let Some(after) = self.run_transactions(&before, &block)? else {
            same("a careful block succeeds", plan.careful, false)?;
            coverage.totals[2] += 1;
            return Ok(());
        };
        let (ours, theirs) = changes_between(&before, &after);
        let net = net_changes(&theirs);
        let (writes, size) = written(&self.whole, &ours).map_err(|why| format!("a whole array lacks a slot: {why}"))?;
        let changed = apply_changes(&self.array, &net);
        self.questions.changes(&self.array, &net, changed.as_ref());
        let changed = changed.ok_or("the specification's whole array lacks a slot")?;
        same("number of slots", changed.array_size as u64, size)?;
        let spec_writes = writes_between(&self.array.array_slots, &changed.array_slots);
        same("writes on the whole array", writes_from_spec(&spec_writes), contents_after(&writes))?;

        for fault in plan.faults.iter().filter(|fault| fault.kind == FaultKind::DropClaim) {
            if let Some(poorer) = without_a_claim(&block, fault.transaction, fault.item) {
                self.compare_views(&poorer, &ours, &net)?;
            }
        }
        let viewed = self.compare_views(&block, &ours, &net)?;
        same("writes on the view", Some(contents_after(&writes)), viewed)?;

        self.advance(&block, &writes, changed, spec_writes)?;
        coverage.totals[1] += 1;
        observe::accepted(&self.archive, &block, coverage);
        self.compare_state(&after)
    }

    /// The map after the block's transactions, one after the other; `None` where one fails, by the
    /// same reason for all.
    fn run_transactions(&mut self, before: &OrdinaryMap, block: &Block) -> Result<Option<OrdinaryMap>, Mismatch> {
        let spec_block = block_to_spec(block, &self.archive.points);
        let entries = map_of_array(&self.array);
        let specified = map_transactions(&entries, &spec_block.transactions);
        self.questions.map(&entries, &spec_block.transactions, &specified);
        let (mut values, mut map) = (Running(before.0.clone()), before.clone());
        let mut failed = None;
        for (number, transaction) in block.transactions.iter().enumerate() {
            let attempt = transaction.operations.run(&mut values);
            same("the ordinary map runs the transaction", map.run(&transaction.operations), attempt.is_ok())?;
            if let Err((index, reason)) = attempt {
                failed = Some((number, index, reason));
                break;
            }
        }
        match (specified, failed) {
            (Ok(entries), None) => {
                let pairs = values.0.iter().map(|(key, value)| (key.to_vec(), value.to_vec())).collect();
                same("the map after the transactions", key_map_pairs(&entries), pairs)?;
                same("the ordinary map", &map.0, &values.0)?;
                Ok(Some(map))
            }
            (Err(rejection), Some((number, index, reason))) => {
                let specified = (rejection.transaction, rejection.item, format!("{:?}", rejection.reason));
                let ours = (Some(number), Some(index), Reason::name(reason).to_owned());
                same("why a transaction fails", specified, ours)?;
                Ok(None)
            }
            (specified, failed) => Err(format!("transactions on a map: {specified:?} and {failed:?}")),
        }
    }

    /// What claims, window and tail show of the array, and what the changes write on it; `None`
    /// where a slot is missing.
    fn compare_views(
        &mut self,
        block: &Block,
        ours: &NetChanges,
        net: &ChangeMap,
    ) -> Result<Option<Contents>, Mismatch> {
        let spec_block = block_to_spec(block, &self.archive.points);
        let mut view = View::new(self.whole.size(), &self.window, &self.tail);
        for (number, transaction) in block.transactions.iter().enumerate() {
            self.compare_resolution(transaction, &spec_block.transactions[number], number)?;
            view.add_claims(transaction.first_valid - 1, &transaction.claims);
        }
        view.add_slots(self.carried(block));
        let implemented = written(&view, ours).ok().map(|(writes, _)| contents_after(&writes));

        let known = Array { array_size: self.state.size, array_slots: block_view(&self.state, &spec_block) };
        let changed = apply_changes(&known, net);
        self.questions.changes(&known, net, changed.as_ref());
        let specified = changed.map(|after| writes_from_spec(&writes_between(&known.array_slots, &after.array_slots)));
        same("writes on the view", specified, implemented.clone())?;
        Ok(implemented)
    }

    /// What a transaction's own claims, window and tail say of its keys.
    fn compare_resolution(
        &self,
        transaction: &Transaction,
        spec_transaction: &aardvark_spec::block::transaction::Transaction,
        number: usize,
    ) -> Result<(), Mismatch> {
        let mut view = View::new(self.whole.size(), &self.window, &self.tail);
        view.add_claims(transaction.first_valid - 1, &transaction.claims);
        let specified = resolve_transaction(&self.state, spec_transaction, number)
            .map(|contents| to_vec(&contents).iter().map(|content| content.as_ref().map(byte_vec)).collect::<Vec<_>>())
            .map_err(|rejection| (rejection.item, format!("{:?}", rejection.reason)));
        same("resolved contents", specified, resolved(&view, &transaction.operations))
    }

    fn carried(&self, block: &Block) -> impl Iterator<Item = (u64, Slot)> + use<> {
        let (start, n) = (self.tail.start(), self.archive.vector_size());
        let vectors = block.tail_vectors.clone().into_iter().zip(1..);
        vectors.flat_map(move |(vector, below)| (start - below * n..).zip(vector))
    }

    fn advance(
        &mut self,
        block: &Block,
        writes: &[Write],
        changed: Array,
        spec_writes: Seq<aardvark_spec::dictionary::writes::Write>,
    ) -> Result<(), Mismatch> {
        let (n, size) = (self.archive.vector_size(), changed.array_size as u64);
        let needed = tail_needed(self.tail.start(), size, n);
        same("number of tail vectors", needed, block.tail_vectors.len() as u64)?;
        let (version, previous_size) = (self.archive.version() + 1, self.whole.size());
        let entry = aardvark_dictionary::window::VersionRecord {
            version,
            previous_size,
            writes: contents_after(writes),
            previous_commitments: BTreeMap::new(),
        };
        let carried = self.carried(block);
        let start = tail_start_after(self.tail.start(), size, n);
        self.window.push(entry);
        self.tail.advance(carried, writes, start);
        self.whole.take(writes, size);
        self.archive.take(writes, size);

        let record =
            VersionRecord { record_writes: spec_writes, record_size: self.state.size, record_commitments: Seq::new(0) };
        let (parameters, size) = (self.state.parameters.clone(), changed.array_size);
        let start = aardvark_spec::block::tail::tail_start_after(self.state.tail_start, size, parameters.vector_size);
        self.state = ValidatorState {
            version: self.state.version + 1,
            size,
            window: slide(&self.state.window, parameters.window_length, &record),
            tail_start: start,
            tail: whole_tail(&changed, start),
            parameters,
            ..ValidatorState::default()
        };
        self.array = changed;
        Ok(())
    }

    /// The arrays are the same, well-formed, and stand for the map; window and tail are the same.
    fn compare_state(&self, map: &OrdinaryMap) -> Result<(), Mismatch> {
        let array: Vec<Option<Slot>> =
            to_vec(&self.array.array_slots).iter().map(|content| content.as_ref().map(slot_from_spec)).collect();
        let ours: Vec<_> = self.whole.slots().iter().map(|(_, slot)| slot.clone()).collect();
        let used = array.iter().take(self.array.array_size).flatten().cloned().collect();
        same("the array", used, ours)?;
        same("positions are dense", self.array.array_size, self.whole.slots().len())?;
        same("nothing stands behind the array", array.iter().flatten().count(), self.array.array_size)?;
        self.archive.is_ring_of(map)?;
        let sizes = to_vec(&self.state.window).into_iter().map(|record| record.record_size as u64).collect();
        same("sizes in the window", sizes, self.window.entries().map(|entry| entry.previous_size).collect::<Vec<_>>())?;
        same("tail_start", self.state.tail_start as u64, self.tail.start())?;
        let tail: Vec<_> = to_vec(&self.state.tail).iter().map(slot_from_spec).collect();
        same("tail", tail, self.tail.slots().iter().map(|(_, slot)| slot.clone()).collect())
    }
}

/// The current values of keys, for the implementation's programs.
struct Running(BTreeMap<Key, Value>);

impl Values for Running {
    fn get(&self, key: &Key) -> Option<Value> {
        self.0.get(key).cloned()
    }

    fn set(&mut self, key: &Key, value: Option<Value>) {
        match value {
            Some(value) => drop(self.0.insert(key.clone(), value)),
            None => drop(self.0.remove(key)),
        }
    }
}

/// What the changes write on an array or a view, and the number of slots after them.
fn written<S: Slots<Error: std::fmt::Display>>(slots: &S, changes: &NetChanges) -> Result<(Vec<Write>, u64), Mismatch> {
    let mut draft = Draft::new(slots);
    draft.apply(changes).map_err(|error| error.to_string())?;
    let size = draft.size();
    Ok((draft.writes(), size))
}

/// Positions with their new contents.
type Contents = Vec<(u64, Option<Slot>)>;

fn contents_after(writes: &[Write]) -> Contents {
    writes.iter().map(|write| (write.position, write.after.clone())).collect()
}

type Resolution = Result<Vec<Option<Vec<u8>>>, (Option<usize>, String)>;

/// What a view says of the keys of operations, or why it does not.
fn resolved(view: &View<'_>, operations: &[Operation]) -> Resolution {
    let content = |(index, operation): (usize, &Operation)| {
        let key = operation.key();
        let refused = |reason: Reason| (Some(index), reason.name().to_owned());
        let (_, slot) = view.covering_slot(key).ok_or_else(|| refused(Reason::UnresolvedCovering))?;
        let present = slot.key == *key;
        if present && operation.deletes(key) && view.preceding_slot(key).is_none() {
            return Err(refused(Reason::UnresolvedPredecessor));
        }
        Ok(present.then(|| slot.value.to_vec()))
    };
    operations.iter().enumerate().map(content).collect()
}

/// The block with one claim less, if it has any there.
fn without_a_claim(block: &Block, transaction: u8, item: u8) -> Option<Block> {
    let mut poorer = block.clone();
    let count = poorer.transactions.len();
    let claims = &mut poorer.transactions.get_mut(usize::from(transaction) % count.max(1))?.claims;
    if claims.is_empty() {
        return None;
    }
    claims.remove(usize::from(item) % claims.len());
    Some(poorer)
}
