//! Judging mutants one after the other, in several jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::chore::{ChoreError, read};
use crate::mutate::histories::{Tests, Verdict};
use crate::mutate::proofs::Proofs;
use crate::mutate::results::{Results, Row};
use crate::mutate::side::Side;
use crate::mutate::sites::Mutant;
use crate::mutate::specification::Specification;
use crate::mutate::study::Study;

/// What all jobs share.
pub struct Work<'a> {
    study: &'a Study,
    /// Of the files, by name.
    texts: BTreeMap<&'a str, &'a str>,
    spoken: &'a BTreeSet<String>,
    tests: &'a Tests,
    chosen: &'a [(usize, &'a Mutant)],
    next: AtomicUsize,
    stop: AtomicBool,
}

impl<'a> Work<'a> {
    /// The mutants to judge, numbered as their switches, and what judges them.
    pub fn new(
        study: &'a Study,
        specification: &'a Specification,
        spoken: &'a BTreeSet<String>,
        tests: &'a Tests,
        chosen: &'a [(usize, &'a Mutant)],
    ) -> Self {
        let texts = specification.files.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
        Self { study, texts, spoken, tests, chosen, next: AtomicUsize::new(0), stop: AtomicBool::new(false) }
    }

    /// Judges the next mutant that no other job has taken, until none is left or the time is over.
    pub fn run(
        &self,
        proofs: Option<&Proofs>,
        end: Option<Instant>,
        results: &Mutex<&mut Results>,
    ) -> Result<(), ChoreError> {
        while end.is_none_or(|end| Instant::now() < end) && !self.stop.load(Ordering::Relaxed) {
            let Some((number, mutant)) = self.chosen.get(self.next.fetch_add(1, Ordering::Relaxed)) else { break };
            let known = lock(results).rows.get(&mutant.id).cloned();
            let judged = self.judge(proofs, *number, mutant, known);
            let judged = judged.inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?;
            lock(results).record(judged, self.study.side)?;
        }
        Ok(())
    }

    /// Asks what is not known yet.
    fn judge(
        &self,
        proofs: Option<&Proofs>,
        number: usize,
        mutant: &Mutant,
        known: Option<Row>,
    ) -> Result<Row, ChoreError> {
        let text = self.texts.get(mutant.file.as_str()).copied().unwrap_or_default();
        let [asks_proofs, asks_histories] =
            [Side::Proofs, Side::Histories].map(|side| self.study.asks(side, known.as_ref()));
        let mut row =
            known.unwrap_or_else(|| Row::new(mutant, mutant.change(text), self.spoken.contains(&mutant.function)));
        if let Some(proofs) = proofs.filter(|_| asks_proofs) {
            let begun = processor_seconds();
            let judged = proofs.judge(mutant, text, Duration::from_secs(self.study.limit))?;
            row.set_proofs(&judged, processor_seconds() - begun);
        }
        if asks_histories && row.is_mutant() {
            let begun = processor_seconds();
            let mut judged = self.tests.judge(number)?;
            if judged == Verdict::Pass
                && row.proofs_asked()
                && !row.proofs_notice()
                && let noticed @ Verdict::Noticed(_) = self.tests.judge_longer(number)?
            {
                judged = noticed;
            }
            row.set_histories(&judged, processor_seconds() - begun);
        }
        println!(
            "{} ({}): {} {} in {} s; {} {} in {} s",
            row.id, row.change, row.proofs, row.lemma, row.seconds[0], row.histories, row.test, row.seconds[1]
        );
        Ok(row)
    }
}

/// The results, also where a thread panicked that held them.
fn lock<'a, 'b>(results: &'a Mutex<&'b mut Results>) -> MutexGuard<'a, &'b mut Results> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processor time of all programs that this one started and that have ended, in seconds; 0
/// where the system does not say. With several jobs, that of all of them.
fn processor_seconds() -> f64 {
    /// Ticks a second, on every Linux.
    const TICKS: f64 = 100.0;
    let said = read(Path::new("/proc/self/stat")).unwrap_or_default();
    let after_name = said.rsplit_once(')').map_or("", |(_, rest)| rest);
    // Of the children: user and system.
    let ticks: f64 = after_name.split_whitespace().skip(13).take(2).filter_map(|word| word.parse::<f64>().ok()).sum();
    ticks / TICKS
}
