//! Contests: several ways to do comparable things, measured in turn, each result checked.
//!
//! Every run of every contender follows the same run of all others, so that what the machine does
//! meanwhile hits all alike. Results are kept and checked outside of the time; one that is wrong
//! ends the contest without a number.

use std::hint::black_box;

use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::measure::row::Row;
use crate::measure::statistics::Samples;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Runs of every contender after the warm-up, at least 5.
    pub runs: usize,
    /// Most repetitions of an operation in all runs together.
    pub iterations: usize,
    /// Seconds after which a run is long enough.
    pub seconds: f64,
}

impl Effort {
    /// Seven runs, with at most so many repetitions in all.
    pub fn iterations(iterations: usize) -> Self {
        Self { runs: 7, iterations, seconds: 0.2 }
    }
}

/// One contender.
pub struct Contender<'a> {
    scheme: &'static str,
    operation: &'static str,
    size: u64,
    /// Operations that one call does.
    per_call: usize,
    work: Box<dyn Work + 'a>,
}

/// A call that is repeated, and whose results are checked.
trait Work {
    /// Calls `count` times; keeps the results.
    fn run(&mut self, count: usize) -> Result<(), BenchError>;
    /// Checks and forgets the results of the calls since the last check.
    fn check(&mut self) -> bool;
}

/// The call, the judge, and the results that wait for it.
struct Repeated<T, Call, Judge> {
    next: usize,
    results: Vec<(usize, T)>,
    call: Call,
    judge: Judge,
}

impl<T, Call, Judge> Work for Repeated<T, Call, Judge>
where
    Call: FnMut(usize) -> Result<T, BenchError>,
    Judge: FnMut(usize, &T) -> bool,
{
    fn run(&mut self, count: usize) -> Result<(), BenchError> {
        for number in self.next..self.next + count {
            let result = black_box((self.call)(black_box(number))?);
            self.results.push((number, result));
        }
        self.next += count;
        Ok(())
    }

    fn check(&mut self) -> bool {
        let judge = &mut self.judge;
        self.results.drain(..).all(|(number, result)| judge(number, &result))
    }
}

impl<'a> Contender<'a> {
    /// A contender whose `call` gets the number of the call, from 0, and whose results `judge`
    /// finds right or wrong.
    pub fn new<T: 'a>(
        (scheme, operation): (&'static str, &'static str),
        size: u64,
        call: impl FnMut(usize) -> Result<T, BenchError> + 'a,
        judge: impl FnMut(usize, &T) -> bool + 'a,
    ) -> Self {
        let work = Repeated { next: 0, results: Vec::new(), call, judge };
        Self { scheme, operation, size, per_call: 1, work: Box::new(work) }
    }

    /// The time is that of one of the `operations` that a call does.
    #[must_use]
    pub fn per_call(self, operations: usize) -> Self {
        Self { per_call: operations, ..self }
    }

    fn name(&self) -> String {
        format!("{} {}", self.scheme, self.operation)
    }

    /// How many calls make a run, after one that warms up.
    fn calibrate(&mut self, effort: &Effort) -> Result<usize, BenchError> {
        let (_, first) = self.run(1)?;
        let enough = (effort.seconds / first.wall.max(1e-9)).ceil();
        let allowed = effort.iterations.div_ceil(self.per_call * effort.runs).max(1);
        Ok((enough as usize).clamp(1, allowed))
    }

    fn run(&mut self, calls: usize) -> Result<(usize, Taken), BenchError> {
        let (ended, taken) = timed(|| self.work.run(calls));
        ended?;
        let name = self.name();
        require(self.work.check(), || format!("a result of {name} is wrong"))?;
        Ok((calls, taken))
    }
}

/// Measures contenders in turn, on one thread; gives their rows in microseconds an operation, each
/// compared with `baseline` where that is one of them: the ratio of the medians of CPU time.
pub fn hold(
    table: &'static str,
    mut contenders: Vec<Contender<'_>>,
    baseline: Option<(&'static str, &'static str)>,
    effort: &Effort,
) -> Result<Vec<Row>, BenchError> {
    let calls: Vec<usize> =
        contenders.iter_mut().map(|contender| contender.calibrate(effort)).collect::<Result<_, _>>()?;
    let mut samples = vec![Samples::default(); contenders.len()];
    for run in 0..=effort.runs {
        for ((contender, calls), samples) in contenders.iter_mut().zip(&calls).zip(&mut samples) {
            let (calls, taken) = contender.run(*calls)?;
            // Run 0 warms up.
            if run > 0 {
                samples.push(taken.per(calls * contender.per_call));
            }
        }
    }
    let base = baseline.and_then(|(scheme, operation)| {
        let found = contenders.iter().zip(&samples).find(|(c, _)| (c.scheme, c.operation) == (scheme, operation));
        found.and_then(|(contender, samples)| Some((contender.name(), samples.cpu()?.median)))
    });
    let finished = contenders.iter().zip(&calls).zip(&samples);
    finished.map(|((contender, calls), samples)| row(table, contender, *calls, samples, base.as_ref())).collect()
}

fn row(
    table: &'static str,
    contender: &Contender<'_>,
    calls: usize,
    samples: &Samples,
    base: Option<&(String, f64)>,
) -> Result<Row, BenchError> {
    let nothing = || BenchError::Wrong("nothing was measured".to_owned());
    let row = Row::timed(table, contender.scheme, contender.operation, ("us", 1e6), samples).ok_or_else(nothing)?;
    let repeated = samples.len() * calls * contender.per_call;
    let row = row.size(contender.size).iterations(repeated as u64);
    let cpu = samples.cpu().ok_or_else(nothing)?.median;
    Ok(match base {
        Some((name, median)) if *name != contender.name() => row.compared(name.as_str(), cpu / median),
        _ => row,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort { runs: 5, iterations: 50, seconds: 0.001 };

    fn counting(scheme: &'static str, wrong_at: usize) -> Contender<'static> {
        Contender::new(
            (scheme, "count"),
            8,
            |number| Ok(number * 2),
            move |number, result| *result == 2 * number && number != wrong_at,
        )
    }

    #[test]
    fn a_contest_gives_one_row_for_each_and_compares_with_the_baseline() {
        let contenders = vec![counting("a", usize::MAX), counting("b", usize::MAX)];
        let rows = hold("table1", contenders, Some(("b", "count")), &EFFORT).unwrap();
        assert_eq!(rows.iter().map(|row| row.scheme).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(rows[0].baseline.as_deref(), Some("b count"));
        assert_eq!((rows[1].baseline.as_deref(), rows[1].iterations), (None, 50));
    }

    #[test]
    fn one_wrong_result_ends_the_contest_without_a_number() {
        let contenders = vec![counting("a", usize::MAX), counting("b", 37)];
        let ended = hold("table1", contenders, None, &EFFORT);
        assert!(matches!(ended, Err(BenchError::Wrong(text)) if text.contains("b count")));
    }
}
