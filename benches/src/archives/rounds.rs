//! A dictionary on an archive's store, with a validator beside it that believes nothing.

use std::path::Path;
use std::sync::Arc;

use aardvark_archive::{Archive, ArchiveError, CreateOptions};
use aardvark_commitment::{BatchClaim, Ceremony, Kzg, Opening, Scheme, VectorCommitment};
use aardvark_dictionary::{Change, Claim, Genesis, Key, Parameters, Transaction, Validator, Value};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::archives::Options;
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::workload::plan::{Kind, Shape, Step, plan};
use crate::workload::random::{Random, key};

/// What one round took.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Making all claims.
    pub prove: Taken,
    /// Applying the block.
    pub apply: Taken,
}

/// An archive, and a validator that follows it by itself.
pub struct Dictionary {
    archive: Archive,
    validator: Validator,
    random: Random,
    keys: u64,
    /// Plans so far: each inserts other keys than those before.
    plans: u64,
}

impl Dictionary {
    /// A dictionary with random keys on the Ethereum ceremony; the validator computes genesis for itself.
    pub fn create(directory: &Path, keys: u64, vector_size: u32) -> Result<Self, BenchError> {
        let parameters = Parameters { vector_size, ..Parameters::default() };
        let scheme = Arc::new(Scheme::from(Kzg::new(Ceremony::ethereum()?, vector_size as usize)?));
        let mut random = Random::new(3);
        let mut entries: Vec<(Key, Value)> = (0..keys).map(|number| (key(number), random.value())).collect();
        entries.par_sort_unstable();
        let genesis = Genesis::new(parameters, scheme.setup_digest(), entries)?;
        let directory = directory.join("archive");
        let archive = Archive::create_with(&directory, &genesis, &CreateOptions::default(), Arc::clone(&scheme))?;
        let validator = Validator::new(&genesis, scheme)?;
        let dictionary = Self { archive, validator, random, keys, plans: 0 };
        dictionary.compare()?;
        Ok(dictionary)
    }

    /// Blocks of one kind: rounds for every number of threads, and one each to warm up. Their claims are for the newest version.
    pub fn plan(&mut self, kind: Kind, options: &Options) -> Result<Vec<Vec<Step>>, BenchError> {
        let blocks = (options.rounds as u64 + 1) * options.threads.len() as u64;
        let shape = Shape { keys: self.keys, window: 0, history: 0, blocks, transactions: options.operations };
        self.plans += 1;
        plan(kind, &shape, self.plans)
    }

    /// One round on so many threads.
    pub fn round(&mut self, steps: &[Step], threads: usize) -> Result<Round, BenchError> {
        let pool = pool(threads)?;
        let version = self.archive.version();
        let window = self.archive.parameters().window;
        let stamp = self.random.next().to_be_bytes();
        let transactions = steps.iter().map(|step| {
            let mut transaction = Step { claimed_at: version, ..step.clone() }.transaction(window);
            transaction.nonce[8..].copy_from_slice(&stamp);
            transaction
        });
        let mut transactions: Vec<Transaction> = transactions.collect();
        let (claims, prove) = timed(|| pool.install(|| self.claims(&transactions, version)));
        let claims = claims?;
        claims.iter().try_for_each(|claims| self.check(claims, version))?;
        for (transaction, claims) in transactions.iter_mut().zip(claims) {
            transaction.claims = claims;
        }
        let count = transactions.len();
        let proposal = self.archive.propose(transactions)?;
        let all = proposal.included.len() == count;
        require(all, || {
            format!("of {count} honest transactions {}: {:?}", proposal.included.len(), proposal.dropped.first())
        })?;
        let (applied, apply) = timed(|| pool.install(|| self.archive.apply(&proposal.block)));
        let applied = applied?;
        let expected = self.validator.apply(&proposal.block)?;
        require(applied == expected, || "archive and validator disagree about a block".to_owned())?;
        self.compare()?;
        Ok(Round { prove, apply })
    }

    /// Changes the values of so many random keys without transactions; the validator starts anew from the archive's state.
    pub fn import(&mut self, updates: u64) -> Result<(), BenchError> {
        if updates == 0 {
            return Ok(());
        }
        let change = |_| Change { key: key(self.random.below(self.keys)), value: Some(self.random.value()) };
        let changes = (0..updates).map(change).collect();
        self.archive.import(changes)?;
        self.validator = self.archive.validator()?;
        Ok(())
    }

    /// Proves random keys at the newest version.
    pub fn prove_random(&mut self, count: u64, threads: usize) -> Result<Taken, BenchError> {
        let keys: Vec<Key> = (0..count).map(|_| key(self.random.below(self.keys))).collect();
        let version = self.archive.version();
        let pool = pool(threads)?;
        let (claims, taken) = timed(|| pool.install(|| self.archive.prove_many(&keys, version)));
        let claims = claims?;
        let answer = keys.len() == claims.len() && keys.iter().zip(&claims).all(|(key, claim)| claim.slot.covers(key));
        require(answer, || "a claim does not answer for its key".to_owned())?;
        self.check(&claims, version)?;
        Ok(taken)
    }

    /// The claims of every transaction, in the order of the transactions.
    fn claims(&self, transactions: &[Transaction], version: u64) -> Result<Vec<Vec<Claim>>, ArchiveError> {
        let operations = || transactions.iter().flat_map(|transaction| &transaction.operations);
        let deletes = operations().all(|operation| operation.deletes(operation.key()));
        let keys: Vec<Key> = operations().map(|operation| operation.key().clone()).collect();
        match deletes {
            true => keys.par_iter().map(|key| self.archive.prove_delete(key, version)).collect(),
            false => Ok(self.archive.prove_many(&keys, version)?.into_iter().map(|claim| vec![claim]).collect()),
        }
    }

    /// All claims hold against the validator's commitments.
    fn check(&self, claims: &[Claim], version: u64) -> Result<(), BenchError> {
        let vector_size = self.validator.parameters().positions_per_vector();
        let prepare = |claim: &Claim| {
            let commitment = self.validator.commitment_at(version, claim.position / vector_size)?;
            let opening = Opening::from_bytes(&claim.opening).ok()?;
            let index = (claim.position % vector_size) as usize;
            Some(BatchClaim { version, commitment, index, scalar: claim.slot.scalar(), opening })
        };
        let prepared: Option<Vec<BatchClaim>> = claims.iter().map(prepare).collect();
        let hold = prepared.is_some_and(|claims| self.validator.scheme().verify_batch(&self.validator.id().0, &claims));
        require(hold, || format!("a claim at version {version} is false"))
    }

    /// The archive's commitments are the validator's.
    fn compare(&self) -> Result<(), BenchError> {
        let version = self.archive.version();
        let same = self.archive.commitments(version)? == self.validator.commitments();
        require(same && version == self.validator.version(), || format!("the commitments of version {version} differ"))
    }
}

fn pool(threads: usize) -> Result<ThreadPool, BenchError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}
