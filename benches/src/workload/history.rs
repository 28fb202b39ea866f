//! A history from genesis to the blocks of interest, made by an honest archive.
//!
//! The blocks before those of interest fill the window. Nobody verifies them here, so they need no
//! claims: what a validator would know after them follows from the whole array ([`Course`]), and a
//! test compares it with a validator that was given every claim.

use std::collections::BTreeMap;
use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_commitment::{Commitment, CommitmentError, Scheme, VectorCommitment};
use aardvark_dictionary::array::Write;
use aardvark_dictionary::tail::tail_start_after;
use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{
    DictionaryId, Genesis, GenesisError, Identity, Key, Parameters, Transaction, TransactionId, Validator,
    ValidatorState, Value,
};
use rayon::prelude::*;

use crate::error::{BenchError, require};
use crate::workload::archive::MemoryArchive;
use crate::workload::random::{Random, key};

/// Version 0 of a workload, which all kinds of history start from.
#[derive(Debug)]
pub struct Origin {
    /// Parameters of the dictionary.
    pub parameters: Parameters,
    /// Its id.
    pub id: DictionaryId,
    /// The scheme on its setup.
    pub scheme: Arc<Scheme>,
    /// Its genesis.
    pub genesis: Genesis,
    /// The whole array.
    pub archive: MemoryArchive,
    /// A validator that computed its commitments itself.
    pub validator: Validator,
}

/// Name and salt of what is measured, always the same, so that runs can be compared.
pub fn identity() -> Result<Identity, BenchError> {
    Ok(Identity::new("bench", [0; 32]).map_err(GenesisError::from)?)
}

impl Origin {
    /// `keys` random keys with random values, under the default limits.
    pub fn new(keys: u64, window: u32, scheme: Arc<Scheme>) -> Result<Self, BenchError> {
        let vector_size = u32::try_from(scheme.vector_size()).unwrap_or(u32::MAX);
        let parameters = Parameters { scheme: scheme.kind(), vector_size, window, ..Parameters::default() };
        let mut random = Random::new(0);
        let mut entries: Vec<(Key, Value)> = (0..keys).map(|number| (key(number), random.value())).collect();
        entries.par_sort_unstable();
        let genesis = Genesis::new(identity()?, parameters.clone(), scheme.setup_digest(), entries)?;
        let archive = MemoryArchive::new(&genesis);
        let validator = Validator::new(&genesis, Arc::clone(&scheme))?;
        Ok(Self { parameters, id: *validator.id(), scheme, genesis, archive, validator })
    }

    /// The start of a history.
    pub fn course(&self) -> Course {
        Course {
            archive: self.archive.clone(),
            state: self.validator.state(),
            id: self.id,
            parameters: self.parameters.clone(),
            scheme: Arc::clone(&self.scheme),
        }
    }
}

/// The whole array at a version, and beside it what a validator knows there.
#[derive(Debug)]
pub struct Course {
    /// The whole array.
    pub archive: MemoryArchive,
    /// What a validator knows; its tail is filled in by [`Course::validator_state`] only.
    state: ValidatorState,
    id: DictionaryId,
    parameters: Parameters,
    scheme: Arc<Scheme>,
}

impl Course {
    /// The version.
    pub fn version(&self) -> u64 {
        self.state.version
    }

    /// Where a validator's plaintext tail starts.
    pub fn tail_start(&self) -> u64 {
        self.state.tail_start
    }

    /// Commitments of all vectors.
    pub fn commitments(&self) -> &[Commitment] {
        &self.state.commitments
    }

    /// Moves on by a block of these transactions, whose claims do not matter; gives the writes.
    pub fn advance(&mut self, transactions: &[Transaction]) -> Result<Vec<Write>, BenchError> {
        let operations = transactions.iter().flat_map(|transaction| &transaction.operations);
        let changes = self.archive.net_changes(operations)?;
        let writes = self.archive.writes(&changes)?;
        let previous_size = self.state.size;
        let size = changes.size_after(previous_size);
        let deltas = self.archive.take(&writes, size);
        self.state.size = size;
        self.state.version += 1;
        let previous_commitments = self.advance_commitments(&writes, &deltas)?;
        let window_writes = writes.iter().map(|write| (write.position, write.after.clone())).collect();
        let version = self.state.version;
        self.state.window.push(VersionRecord { version, previous_size, writes: window_writes, previous_commitments });
        let surplus = self.state.window.len().saturating_sub(self.parameters.window as usize);
        self.state.window.drain(..surplus);
        self.state.tail_start = tail_start_after(self.state.tail_start, size, self.parameters.positions_per_vector());
        let applied = transactions.par_iter().map(|transaction| (transaction.id(&self.id), transaction.last_valid));
        let applied: Vec<(TransactionId, u64)> = applied.collect();
        self.state.replay.extend(applied);
        self.state.replay.retain(|(_, last_valid)| *last_valid >= version);
        Ok(writes)
    }

    /// What a validator knows now.
    pub fn validator_state(&self) -> ValidatorState {
        let mut state = self.state.clone();
        state.tail = self.archive.slots_from(state.tail_start).to_vec();
        state.replay.sort_unstable_by_key(|(id, last_valid)| (*last_valid, *id));
        state
    }

    /// A validator that knows it.
    pub fn validator(&self) -> Result<Validator, BenchError> {
        let scheme = Arc::clone(&self.scheme);
        Ok(Validator::from_state(self.parameters.clone(), self.id, scheme, self.validator_state())?)
    }

    /// Compares some commitments with a recomputation from the whole vector: every `step`-th of the
    /// written ones.
    pub fn recompute_sample(&self, writes: &[Write], step: usize) -> Result<(), BenchError> {
        let vector_size = self.parameters.positions_per_vector();
        let mut vectors: Vec<u64> = writes.iter().map(|write| write.position / vector_size).collect();
        vectors.dedup();
        let vectors: Vec<usize> = vectors.into_iter().step_by(step.max(1)).map(|vector| vector as usize).collect();
        self.recompute(vectors)
    }

    /// Compares all commitments with a recomputation from the whole array.
    pub fn recompute_all(&self) -> Result<(), BenchError> {
        self.recompute((0..self.state.commitments.len()).collect())
    }

    /// Vectors that the dictionary has shrunk below are left out.
    fn recompute(&self, vectors: Vec<usize>) -> Result<(), BenchError> {
        let vector_size = self.scheme.vector_size();
        vectors.into_par_iter().filter(|vector| *vector < self.state.commitments.len()).try_for_each(|vector| {
            let scalars = self.archive.scalars().chunks(vector_size).nth(vector).unwrap_or_default();
            let recomputed = self.scheme.commit(scalars)?;
            let right = self.state.commitments.get(vector) == Some(&recomputed);
            require(right, || format!("vector {vector}: the updated commitment is not the recomputed one"))
        })
    }

    /// Updates the commitments of written vectors; gives those they had.
    fn advance_commitments(
        &mut self,
        writes: &[Write],
        deltas: &[Scalar],
    ) -> Result<BTreeMap<u64, Option<Commitment>>, BenchError> {
        let vector_size = self.parameters.positions_per_vector();
        let mut by_vector: BTreeMap<u64, Vec<(usize, Scalar)>> = BTreeMap::new();
        for (write, delta) in writes.iter().zip(deltas) {
            let index = (write.position % vector_size) as usize;
            by_vector.entry(write.position / vector_size).or_default().push((index, *delta));
        }
        let old = &self.state.commitments;
        let updated: Vec<_> = by_vector
            .par_iter()
            .map(|(vector, deltas)| {
                let before = old.get(*vector as usize).copied();
                let after = self.scheme.update_commitment_many(&before.unwrap_or_else(Commitment::identity), deltas)?;
                Ok((*vector, before, after))
            })
            .collect::<Result<_, CommitmentError>>()?;
        let vectors = self.state.size.div_ceil(vector_size) as usize;
        let commitments = &mut self.state.commitments;
        commitments.resize(vectors.max(commitments.len()), Commitment::identity());
        let mut previous = BTreeMap::new();
        for (vector, before, after) in updated {
            if let Some(commitment) = commitments.get_mut(vector as usize) {
                *commitment = after;
            }
            previous.insert(vector, before);
        }
        commitments.truncate(vectors);
        Ok(previous)
    }
}
