//! A dictionary on an archive's store, with the whole array beside it in memory, which knows what
//! every answer must be.

use std::path::Path;
use std::sync::Arc;

use aardvark_archive::{Archive, OpeningOptions, OpeningStatistics};
use aardvark_commitment::{BatchClaim, Opening, VectorCommitment};
use aardvark_dictionary::{Claim, Key, Transaction};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::archives::options::Options;
use crate::archives::sample::Sample;
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::workload::claims::Claimed;
use crate::workload::history::{Course, Origin};
use crate::workload::plan::{Kind, Shape, Step, plan};
use crate::workload::prover::{Prover, Setup};
use crate::workload::random::Random;

/// Bytes of snapshots and logs for each sampled vector: half more than a snapshot alone.
const BYTES_PER_OPENING: usize = 150;

/// What one round took.
#[derive(Clone, Debug)]
pub struct Round {
    /// For every sample in order: proofs asked for, and making them.
    pub prove: Vec<(usize, Taken)>,
    /// Claims that the block's transactions have together.
    pub claims: usize,
    /// Applying the block.
    pub apply: Taken,
}

/// An archive, and the whole array beside it.
pub struct Dictionary {
    archive: Archive,
    course: Course,
    prover: Prover,
    random: Random,
    keys: u64,
    /// Plans so far: each makes other choices than those before.
    plans: u64,
}

impl Dictionary {
    /// A dictionary with random keys. The archive does not know that the setup's secret is known.
    pub fn create(directory: &Path, options: &Options) -> Result<Self, BenchError> {
        let scheme = Arc::new(Setup::KnownTau.scheme(options.vector_size, options.tables)?);
        let prover = Prover::new(Setup::KnownTau, Arc::clone(&scheme))?;
        let origin = Origin::new(options.keys, options.window, Arc::clone(&scheme))?;
        let directory = directory.join("archive");
        let archive = Archive::builder().scheme(scheme).create(&directory, &origin.genesis)?;
        let course = origin.course();
        let dictionary = Self { archive, course, prover, random: Random::new(3), keys: options.keys, plans: 0 };
        dictionary.compare()?;
        Ok(dictionary)
    }

    /// Makes snapshots of the first `vectors` vectors, and of half as many beyond them, whose bytes
    /// the logs will need. Gives their number, and what that took.
    pub fn warm(&mut self, vectors: usize) -> Result<(u64, Taken), BenchError> {
        let budget = vectors * self.prover.vector_size() * BYTES_PER_OPENING;
        self.archive.set_opening_options(&OpeningOptions { budget, ..OpeningOptions::default() });
        // On one thread they are made in ascending order; on several, each starts elsewhere.
        let pool = pool(1)?;
        let (made, taken) = timed(|| pool.install(|| self.archive.warm_openings()));
        let made = made?;
        let size = self.prover.vector_size();
        let first = self.course.archive.scalars().chunks(size).take(vectors).enumerate();
        let slots =
            first.filter_map(|(vector, scalars)| self.course.archive.slot((vector * size + scalars.len() - 1) as u64));
        let keys: Vec<Key> = slots.map(|slot| slot.key.clone()).collect();
        self.prove(&keys, &pool)?;
        let fresh = self.statistics().fresh;
        require(fresh == 0, || format!("{fresh} of {vectors} vectors have no snapshot"))?;
        Ok((made, taken))
    }

    /// What the archive holds, and how it answered.
    pub fn statistics(&self) -> OpeningStatistics {
        self.archive.opening_statistics()
    }

    /// So many blocks of one kind.
    pub fn plan(&mut self, kind: Kind, blocks: usize, operations: u64) -> Result<Vec<Vec<Step>>, BenchError> {
        let blocks = blocks as u64;
        let shape = Shape { keys: self.keys, window: 0, history: 0, blocks, transactions: operations };
        self.plans += 1;
        plan(kind, &shape, self.plans)
    }

    /// One round on so many threads: every sample's proofs at the newest version, then a block.
    pub fn round(&mut self, steps: &[Step], samples: &[Sample], threads: usize) -> Result<Round, BenchError> {
        let pool = pool(threads)?;
        let transactions = self.transactions(steps)?;
        let mut prove = Vec::new();
        for sample in samples {
            let keys = sample.keys(&transactions, &self.course.archive, &mut self.random);
            let taken = self.prove(&keys, &pool)?;
            prove.push((keys.len(), taken));
        }
        let claims = transactions.iter().map(|transaction| transaction.claims.len()).sum();
        let apply = self.apply(transactions, &pool)?;
        Ok(Round { prove, claims, apply })
    }

    /// The transactions of a block, with claims of the newest version that the archive had no part
    /// in.
    fn transactions(&mut self, steps: &[Step]) -> Result<Vec<Transaction>, BenchError> {
        let version = self.course.version();
        let stamp = self.random.next().to_be_bytes();
        let steps = steps.iter().map(|step| {
            let mut nonce = step.nonce;
            nonce[8..].copy_from_slice(&stamp);
            Step { claimed_at: version, nonce, ..step.clone() }
        });
        let mut claimed = Claimed::new(&[steps.collect()], self.archive.parameters().window);
        claimed.add_claims(&self.course.archive, version, 0, &self.prover)?;
        Ok(claimed.take(0))
    }

    /// Proves keys at the newest version, and checks every answer.
    pub fn prove(&self, keys: &[Key], pool: &ThreadPool) -> Result<Taken, BenchError> {
        let version = self.archive.version();
        let (claims, taken) = timed(|| pool.install(|| self.archive.prove_many(keys, version)));
        self.check(keys, &claims?, version)?;
        Ok(taken)
    }

    /// One answer for each key: the slot that the whole array has there, with an opening that holds
    /// against the commitment that was computed without the archive.
    fn check(&self, keys: &[Key], claims: &[Claim], version: u64) -> Result<(), BenchError> {
        let answers = keys.iter().zip(claims);
        let right = |(key, claim): (&Key, &Claim)| {
            claim.slot.key == *key && self.course.archive.slot(claim.position) == Some(&claim.slot)
        };
        let all = keys.len() == claims.len() && answers.into_iter().all(right);
        require(all, || format!("an answer at version {version} is not what the array has"))?;
        let vector_size = self.prover.vector_size() as u64;
        let prepare = |claim: &Claim| {
            let commitment = *self.course.commitments().get((claim.position / vector_size) as usize)?;
            let opening = Opening::from_bytes(&claim.opening).ok()?;
            let index = (claim.position % vector_size) as usize;
            Some(BatchClaim { label: version, commitment, index, scalar: claim.slot.scalar(), opening })
        };
        let prepared: Option<Vec<BatchClaim>> = claims.iter().map(prepare).collect();
        let scheme = self.archive.scheme()?;
        let hold = prepared.is_some_and(|claims| scheme.verify_batch(&self.archive.id().0, &claims));
        require(hold, || format!("an opening at version {version} is false"))
    }

    /// Gives the archive a block of these transactions; the array follows by itself, and the two
    /// are compared.
    fn apply(&mut self, transactions: Vec<Transaction>, pool: &ThreadPool) -> Result<Taken, BenchError> {
        let count = transactions.len();
        let proposal = self.archive.propose(transactions)?;
        let all = proposal.included.len() == count;
        require(all, || {
            format!("of {count} honest transactions {}: {:?}", proposal.included.len(), proposal.dropped.first())
        })?;
        let (applied, apply) = timed(|| pool.install(|| self.archive.apply(&proposal.block)));
        let writes = self.course.advance(&proposal.block.transactions)?;
        require(applied?.writes == writes, || "the archive wrote something else than the array".to_owned())?;
        self.compare()?;
        Ok(apply)
    }

    /// The archive's commitments are those that were computed without it.
    fn compare(&self) -> Result<(), BenchError> {
        let version = self.archive.version();
        let same = self.archive.commitments(version)? == self.course.commitments();
        require(same && version == self.course.version(), || format!("the commitments of version {version} differ"))
    }

    /// Compares every commitment with a recomputation from the whole array.
    pub fn recompute(&self) -> Result<(), BenchError> {
        self.course.recompute_all()
    }

    /// Keys of so many random positions in a sample's vectors.
    pub fn random_keys(&mut self, sample: &Sample, count: usize) -> Vec<Key> {
        sample.random_keys(&self.course.archive, &mut self.random, count)
    }
}

/// So many threads.
pub fn pool(threads: usize) -> Result<ThreadPool, BenchError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}
