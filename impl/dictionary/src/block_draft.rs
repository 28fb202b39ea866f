//! A block in the making: which transactions go together, and how many bytes the block has with
//! each of them.
//!
//! The length is that of the form in which the block will be judged, known exactly after every
//! transaction. Nothing is counted twice: a transaction costs the work of its own operations and
//! claims, however many are in the block already.

use std::collections::HashSet;

use aardvark_algebra::integers::usize_or_max;

use crate::data::aggregated_block::POINTS_OVERHEAD;
use crate::data::block::{BLOCK_OVERHEAD, TailVector};
use crate::data::claim::OPENING_BYTES;
use crate::data::codec::slot_length;
use crate::data::rejection::{Fault, Reason};
use crate::data::transaction::{Transaction, TransactionId};
use crate::phases::changes::ChangeMap;
use crate::phases::execution::run_operations;
use crate::phases::resolution::resolve_transaction;
use crate::state::State;
use crate::state::tail::tail_needed;
use crate::state::vectors::place_of;

/// How long a block may be where it travels, and what it has beside it there.
#[derive(Clone, Copy, Debug)]
pub struct Carriage<'a> {
    /// Most bytes of block and what is beside it.
    pub limit: usize,
    /// Bytes beside the block, whatever it holds.
    pub beside_block: usize,
    /// Bytes beside each transaction, in the order of the list proposed from; none where the list
    /// is shorter.
    pub beside_transactions: &'a [usize],
}

impl Carriage<'_> {
    /// A block that travels alone.
    pub fn of_limit(limit: usize) -> Self {
        Self { limit, beside_block: 0, beside_transactions: &[] }
    }
}

/// The form in which a block is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Every claim carries its opening.
    Plain,
    /// One point for each claimed index.
    Aggregated,
}

/// Why a transaction must wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostponedCause {
    /// The block has no room left.
    #[error("the block is full")]
    BlockFull,
    /// Its deletes need tail vectors that were not given.
    #[error("its deletes need tail vectors that are not at hand")]
    TailNeeded,
}

/// Why a transaction is not in the block.
#[derive(Debug)]
pub(crate) enum Outcome {
    Drop(Fault),
    Postpone(PostponedCause),
}

/// A block in the making, with its running totals.
pub(crate) struct BlockDraft<'a> {
    state: &'a State,
    form: Form,
    carriage: Carriage<'a>,
    most_transactions: usize,
    /// Bytes of the first so many tail vectors, from none to all that are at hand.
    tail_bytes: Vec<usize>,
    changes: ChangeMap,
    ids: HashSet<TransactionId>,
    /// Indices within a vector that some claim of the block speaks of.
    claimed: HashSet<usize>,
    operations: usize,
    claims: usize,
    /// Bytes of the block without its tail vectors.
    bytes: usize,
    /// Bytes beside the block, where it travels.
    beside: usize,
}

/// What a transaction adds to a block's totals.
struct Addition {
    bytes: usize,
    beside: usize,
    indices: Vec<usize>,
}

impl<'a> BlockDraft<'a> {
    /// A block without transactions. The tail vectors are true, the highest first.
    pub(crate) fn new(
        state: &'a State,
        form: Form,
        tail_vectors: &[TailVector],
        carriage: Carriage<'a>,
        most_transactions: usize,
    ) -> Self {
        let lengths = tail_vectors.iter().map(|vector| vector.iter().map(slot_length).sum::<usize>());
        let sums = lengths.scan(0, |sum, length| {
            *sum += length;
            Some(*sum)
        });
        let limit = usize_or_max(state.parameters.limits.block_transactions);
        Self {
            state,
            form,
            carriage,
            most_transactions: most_transactions.min(limit),
            tail_bytes: std::iter::once(0).chain(sums).collect(),
            changes: ChangeMap::default(),
            ids: HashSet::new(),
            claimed: HashSet::new(),
            operations: 0,
            claims: 0,
            bytes: BLOCK_OVERHEAD + if form == Form::Aggregated { POINTS_OVERHEAD } else { 0 },
            beside: carriage.beside_block,
        }
    }

    /// Adds the transaction at this index of the list proposed from, whose openings hold, or says
    /// why not and stays as it was.
    pub(crate) fn add(&mut self, index: usize, transaction: &Transaction) -> Result<(), Outcome> {
        let id = transaction.id(&self.state.dictionary_id);
        if self.ids.contains(&id) {
            return Err(Outcome::Drop(Fault::whole(Reason::RepeatedInBlock)));
        }
        let contents = resolve_transaction(&self.state.known_slots(), transaction).map_err(Outcome::Drop)?;
        let undo = run_operations(&mut self.changes, &transaction.operations, &contents).map_err(Outcome::Drop)?;
        let addition = self.addition(index, transaction);
        if let Err(cause) = self.room_for(transaction, &addition) {
            undo.take_back(&mut self.changes);
            return Err(Outcome::Postpone(cause));
        }
        self.ids.insert(id);
        self.claimed.extend(addition.indices);
        self.operations += transaction.operations.len();
        self.claims += transaction.claims.len();
        self.bytes += addition.bytes;
        self.beside += addition.beside;
        Ok(())
    }

    /// How many tail vectors the block needs as it is.
    pub(crate) fn tail_needed(&self) -> usize {
        let size = self.changes.size_after(self.state.size);
        let vector_size = self.state.parameters.positions_per_vector();
        usize_or_max(tail_needed(self.state.tail.start(), size, vector_size))
    }

    fn addition(&self, index: usize, transaction: &Transaction) -> Addition {
        let beside = self.carriage.beside_transactions.get(index).copied().unwrap_or(0);
        match self.form {
            Form::Plain => Addition { bytes: 4 + transaction.encoded_length(), beside, indices: Vec::new() },
            Form::Aggregated => {
                let vector_size = self.state.parameters.positions_per_vector();
                let indices = transaction.claims.iter().map(|claim| place_of(claim.position, vector_size).1);
                let mut indices: Vec<_> = indices.filter(|index| !self.claimed.contains(index)).collect();
                indices.sort_unstable();
                indices.dedup();
                let bytes = 4 + transaction.bare_length() + OPENING_BYTES * indices.len();
                Addition { bytes, beside, indices }
            }
        }
    }

    /// Whether the block holds the transaction that has just run, with the tail vectors it then
    /// needs.
    fn room_for(&self, transaction: &Transaction, addition: &Addition) -> Result<(), PostponedCause> {
        let needed = self.tail_needed();
        let tail = self.tail_bytes.get(needed).ok_or(PostponedCause::TailNeeded)?;
        let bytes = self.bytes + addition.bytes + tail;
        let limits = &self.state.parameters.limits;
        let within = |count: usize, limit: u32| u64::try_from(count).is_ok_and(|count| count <= u64::from(limit));
        let fits = self.ids.len() < self.most_transactions
            && within(bytes, limits.block_bytes)
            && bytes.saturating_add(self.beside + addition.beside) <= self.carriage.limit
            && within(self.operations + transaction.operations.len(), limits.block_operations)
            && within(self.claims + transaction.claims.len(), limits.block_claims);
        if fits { Ok(()) } else { Err(PostponedCause::BlockFull) }
    }
}

#[cfg(test)]
mod tests {
    use aardvark_commitment::{Commitment, Scheme, insecure};

    use super::*;
    use crate::data::identity::DictionaryId;
    use crate::data::operation::Operation;
    use crate::data::parameters::Parameters;
    use crate::data::slot::Slot;
    use crate::state::plain::ValidatorState;
    use crate::state::window::VersionRecord;

    /// N.
    const VECTOR_SIZE: u32 = 4;

    /// Processor time of this thread, in nanoseconds.
    fn thread_time() -> u64 {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        u64::try_from(time.tv_sec).unwrap() * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap()
    }

    /// The sentinel and so many keys.
    fn slots(count: u32) -> Vec<Slot> {
        let key = |number: u32| if number == 0 { "".into() } else { format!("{number:08}").as_str().into() };
        let slot = |number| Slot { key: key(number), value: "".into(), next: key((number + 1) % (count + 1)) };
        (0..=count).map(slot).collect()
    }

    /// A state whose window resolves all keys without claims. Its commitments are of no meaning:
    /// nothing here looks at them.
    fn state(slots: &[Slot]) -> State {
        let tau = aardvark_algebra::Scalar::from(7u64);
        let scheme = Scheme::Kzg(insecure::kzg_with_known_tau(VECTOR_SIZE as usize, tau).unwrap());
        let size = slots.len() as u64;
        let writes = (0u64..).zip(slots.iter().cloned().map(Some)).collect();
        let entry = VersionRecord { version: 1, previous_size: 1, writes, previous_commitments: Default::default() };
        let vector_size = u64::from(VECTOR_SIZE);
        let tail_start = crate::state::tail::tail_floor(size, vector_size);
        let plain = ValidatorState {
            version: 1,
            size,
            commitments: vec![Commitment::identity(); usize::try_from(size.div_ceil(vector_size)).unwrap()],
            window: vec![entry],
            tail_start,
            tail: slots[usize::try_from(tail_start).unwrap()..].to_vec(),
            replay: Vec::new(),
        };
        let parameters = Parameters { vector_size: VECTOR_SIZE, ..Parameters::default() };
        State::from_plain(parameters, DictionaryId([0; 32]), &scheme, plain).unwrap()
    }

    /// What it costs this thread to fill a block with so many transactions of four deletes, at best
    /// of three.
    fn cost_of_deletes(count: u32) -> u64 {
        let slots = slots(4 * count);
        let state = state(&slots);
        let delete = |slot: &Slot| Operation::Delete(slot.key.clone());
        let transaction = |(number, four): (u32, &[Slot])| Transaction {
            first_valid: 2,
            last_valid: 2,
            nonce: [number.to_be_bytes(); 4].concat().try_into().unwrap(),
            operations: four.iter().map(delete).collect(),
            claims: Vec::new(),
        };
        let transactions: Vec<_> = (0..).zip(slots[1..].chunks(4)).map(transaction).collect();
        let below = &slots[..usize::try_from(state.tail.start()).unwrap()];
        let tail_vectors: Vec<_> = below.rchunks(VECTOR_SIZE as usize).map(<[Slot]>::to_vec).collect();
        let once = || {
            let started = thread_time();
            let carriage = Carriage::of_limit(usize::MAX);
            let mut draft = BlockDraft::new(&state, Form::Aggregated, &tail_vectors, carriage, usize::MAX);
            for (index, transaction) in transactions.iter().enumerate() {
                draft.add(index, transaction).unwrap();
            }
            assert_eq!(draft.tail_needed(), tail_vectors.len());
            thread_time() - started
        };
        (0..3).map(|_| once()).min().unwrap()
    }

    #[test]
    fn the_cost_of_proposing_deletes_grows_with_their_number_and_not_with_its_square() {
        let (few, many) = (cost_of_deletes(1_000), cost_of_deletes(16_000));
        // Sixteen times as many; summing the tail's lengths for each made it above a hundred times
        // as dear.
        assert!(many < 40 * few, "sixteen times as many transactions: {few} ns, then {many} ns");
    }
}
