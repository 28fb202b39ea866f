//! Many random histories, in parallel, by seed: chunk k of a campaign is the same histories on every machine and with
//! any number of workers, so a campaign can stop and resume, and a failure names where it arose.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::coverage::Coverage;
use crate::plan::{HistoryPlan, SchemePlan};
use crate::run::run;
use crate::strategies::histories;

/// Histories in a chunk.
pub const CHUNK: u64 = 100;

/// Which histories to run.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// What all randomness comes from.
    pub seed: u64,
    /// The first chunk.
    pub first_chunk: u64,
    /// How many chunks.
    pub chunks: u64,
    /// Whether to print how far it is every ten seconds.
    pub progress: bool,
}

/// A history on which the sides differ, as small as shrinking made it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The chunk it was drawn in.
    pub chunk: u64,
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
        let (next, stop) = (AtomicU64::new(self.first_chunk), AtomicBool::new(false));
        let (coverage, failure) = (Mutex::new(Coverage::default()), Mutex::new(None));
        let reporter = Mutex::new((Instant::now(), Instant::now()));
        let end = self.first_chunk + self.chunks;
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= end {
                    return;
                }
                let mut met = Coverage::default();
                if let Err(found) = self.run_chunk(chunk, &mut met) {
                    stop.store(true, Ordering::Relaxed);
                    failure.lock().expect("no worker panics here").get_or_insert(found);
                }
                coverage.lock().expect("no worker panics here").add(met);
                self.report(chunk, &mut reporter.lock().expect("no worker panics here"));
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
        let config = Config { failure_persistence: None, max_shrink_iters: 5000, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        for number in 0..CHUNK {
            let scheme = if number % 3 == 2 { SchemePlan::LibertYung } else { SchemePlan::Kzg };
            let tree = histories(scheme).new_tree(&mut runner).expect("no strategy rejects");
            let met = std::cell::RefCell::new(Coverage::default());
            let verdict = runner.run_one(tree, |plan| {
                let mut once = Coverage::default();
                let outcome = run(&plan, &mut once);
                met.replace(once);
                outcome.map_err(TestCaseError::fail)
            });
            coverage.add(met.into_inner());
            match verdict {
                Ok(_) => {}
                Err(TestError::Fail(reason, plan)) => {
                    return Err(Box::new(Failure { chunk, mismatch: reason.message().to_owned(), plan }));
                }
                Err(TestError::Abort(reason)) => panic!("proptest gave up: {reason}"),
            }
        }
        Ok(())
    }

    fn report(&self, chunk: u64, times: &mut (Instant, Instant)) {
        let (start, last) = *times;
        if self.progress && last.elapsed() > Duration::from_secs(10) {
            times.1 = Instant::now();
            let done = (chunk + 1 - self.first_chunk) * CHUNK;
            let total = self.chunks * CHUNK;
            let seconds = start.elapsed().as_secs();
            println!(
                "chunk {chunk}: about {done} of {total} histories in {seconds} s; to resume, HISTORIES_FIRST_CHUNK={chunk}"
            );
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let json = serde_json::to_string_pretty(&self.plan).map_err(|_| std::fmt::Error)?;
        write!(f, "chunk {}: {}\nkeep this as a file in histories/:\n{json}", self.chunk, self.mismatch)
    }
}
