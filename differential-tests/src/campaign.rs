//! Many random histories, in parallel, by seed: chunk k of a campaign is the same histories on
//! every machine and with any number of workers, so a campaign can stop and resume, and a failure
//! names where it arose.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::compare::Mismatch;
use crate::coverage::Coverage;
use crate::plan::{HistoryPlan, SchemePlan};
use crate::strategies::{dictionary_histories, histories};
use crate::{dictionary_layer, run};

/// Histories in a chunk.
pub const CHUNK: u64 = 100;

/// How much of the system a history goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// All of it: validators, commitments, openings.
    Whole,
    /// The dictionary alone ([`crate::dictionary_layer`]).
    Dictionary,
}

impl Layer {
    /// Histories; every third of the whole system is under Libert–Yung.
    fn histories(self, number: u64) -> BoxedStrategy<HistoryPlan> {
        match self {
            Self::Whole if number % 3 == 2 => histories(SchemePlan::LibertYung).boxed(),
            Self::Whole => histories(SchemePlan::Kzg).boxed(),
            Self::Dictionary => dictionary_histories().boxed(),
        }
    }

    /// Runs one history.
    ///
    /// # Errors
    /// The first thing that the sides do not agree on.
    pub fn run(self, plan: &HistoryPlan, coverage: &mut Coverage) -> Result<(), Mismatch> {
        match self {
            Self::Whole => run::run(plan, coverage),
            Self::Dictionary => dictionary_layer::run(plan, coverage),
        }
    }
}

/// Which histories to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// Through what.
    pub layer: Layer,
    /// What all randomness comes from.
    pub seed: u64,
    /// The first chunk.
    pub first_chunk: u64,
    /// The chunk after the last.
    pub end: u64,
    /// At most so many steps towards a smaller history where one fails.
    pub shrinks: u32,
    /// Whether to print how far it is every ten seconds.
    pub progress: bool,
}

/// How far a campaign is.
#[derive(Debug)]
struct Progress {
    next: u64,
    under_way: BTreeSet<u64>,
    started: Instant,
    told: Instant,
}

/// A history on which the sides differ, as small as shrinking made it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The chunk it was drawn in.
    pub chunk: u64,
    /// Its number in the chunk, from 0.
    pub number: u64,
    /// What they differ on.
    pub mismatch: String,
    /// The smallest history found that shows it.
    pub plan: HistoryPlan,
}

impl Campaign {
    /// Runs all chunks on as many workers as there are processors.
    ///
    /// # Errors
    /// A failure; workers stop at the end of their chunk.
    pub fn run(&self) -> Result<Coverage, Box<Failure>> {
        let stop = AtomicBool::new(false);
        let (coverage, failure) = (Mutex::new(Coverage::default()), Mutex::new(None));
        let (started, told) = (Instant::now(), Instant::now());
        let progress = Mutex::new(Progress { next: self.first_chunk, under_way: BTreeSet::new(), started, told });
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let Some(chunk) = self.take(&mut progress.lock().expect("no worker panics here")) else { return };
                let mut met = Coverage::default();
                if let Err(found) = self.run_chunk(chunk, &mut met) {
                    stop.store(true, Ordering::Relaxed);
                    failure.lock().expect("no worker panics here").get_or_insert(found);
                }
                coverage.lock().expect("no worker panics here").add(met);
                self.finish(chunk, &mut progress.lock().expect("no worker panics here"));
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
        match failure.into_inner().expect("no worker panics here") {
            Some(failure) => Err(failure),
            None => Ok(coverage.into_inner().expect("no worker panics here")),
        }
    }

    fn run_chunk(&self, chunk: u64, coverage: &mut Coverage) -> Result<(), Box<Failure>> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_be_bytes());
        seed[8..16].copy_from_slice(&chunk.to_be_bytes());
        let config = Config { failure_persistence: None, max_shrink_iters: self.shrinks, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        for number in 0..CHUNK {
            let tree = self.layer.histories(number).new_tree(&mut runner).expect("no strategy rejects");
            let met = std::cell::RefCell::new(Coverage::default());
            let verdict = runner.run_one(tree, |plan| {
                let mut once = Coverage::default();
                let outcome = self.layer.run(&plan, &mut once);
                met.replace(once);
                outcome.map_err(TestCaseError::fail)
            });
            coverage.add(met.into_inner());
            match verdict {
                Ok(_) => {}
                Err(TestError::Fail(reason, plan)) => {
                    let mismatch = reason.message().to_owned();
                    return Err(Box::new(Failure { chunk, number, mismatch, plan }));
                }
                Err(TestError::Abort(reason)) => panic!("proptest gave up: {reason}"),
            }
        }
        Ok(())
    }

    fn take(&self, progress: &mut Progress) -> Option<u64> {
        let chunk = progress.next;
        if chunk >= self.end {
            return None;
        }
        progress.next += 1;
        progress.under_way.insert(chunk);
        Some(chunk)
    }

    fn finish(&self, chunk: u64, progress: &mut Progress) {
        progress.under_way.remove(&chunk);
        if self.progress && progress.told.elapsed() > Duration::from_secs(10) {
            progress.told = Instant::now();
            // Every chunk below is done.
            let resume = progress.under_way.first().copied().unwrap_or(progress.next);
            let (done, total) = (resume * CHUNK, self.end * CHUNK);
            let seconds = progress.started.elapsed().as_secs();
            println!("{done} of {total} histories, {seconds} s; to resume, HISTORIES_FIRST_CHUNK={resume}");
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let json = serde_json::to_string_pretty(&self.plan).map_err(|_| std::fmt::Error)?;
        write!(
            f,
            "history {} of chunk {}: {}\nkeep this as a file in histories/:\n{json}",
            self.number, self.chunk, self.mismatch
        )
    }
}
