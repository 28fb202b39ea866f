//! What questions took, of a keeper and of what bounds it from below, asked in turn.

use std::collections::BTreeSet;
use std::hint::black_box;

use super::question::Question;
use super::scene::{Asked, Scene, Shared};
use super::setting::Setting;
use crate::aggregates::bounds::{SortedArray, Sqlite};
use crate::aggregates::meters::Reading;
use crate::aggregates::options::TABLE;
use crate::error::{BenchError, require};
use crate::measure::clock::{Taken, timed};
use crate::measure::row::Row;
use crate::measure::statistics::{Samples, Spread};
use crate::report::Report;

/// The same rows with a keeper, in SQLite, and in an array.
pub struct World<'a> {
    /// The keeper.
    pub scene: Scene<'a>,
    sqlite: Sqlite,
    array: SortedArray,
}

impl<'a> World<'a> {
    /// Without rows.
    pub fn new(shared: &'a Shared) -> Result<Self, BenchError> {
        Ok(Self { scene: Scene::new(shared)?, sqlite: Sqlite::new()?, array: SortedArray::default() })
    }

    /// Adds rows; what that took the keeper, and SQLite.
    pub fn insert(&mut self, readings: &[Reading]) -> Result<(Taken, Taken), BenchError> {
        let ours = self.scene.insert(readings)?;
        self.insert_beside(readings, ours)
    }

    /// The same, where a key has one run, however many rows.
    pub fn extend(&mut self, readings: &[Reading]) -> Result<(Taken, Taken), BenchError> {
        let ours = self.scene.extend(readings)?;
        self.insert_beside(readings, ours)
    }

    /// Adds rows to what bounds the keeper from below.
    fn insert_beside(&mut self, readings: &[Reading], ours: Taken) -> Result<(Taken, Taken), BenchError> {
        let (inserted, sqlite) = timed(|| self.sqlite.insert(readings));
        inserted?;
        self.array.insert(readings);
        Ok((ours, sqlite))
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.array.rows().len() as u64
    }

    /// The first row.
    pub fn first_row(&self) -> Option<Reading> {
        self.array.rows().first().copied()
    }

    /// The number of districts, households and industries apart, that the last epoch has rows of.
    pub fn groups_of_last_epoch(&self) -> u64 {
        let rows = self.array.rows();
        let last = rows.iter().rev().take_while(|reading| rows.last().is_some_and(|row| row.time == reading.time));
        let groups: BTreeSet<(u64, bool)> = last.map(|reading| (reading.district, reading.industrial)).collect();
        groups.len() as u64
    }
}

/// What a question took, time after time.
#[derive(Default)]
pub struct Measured {
    names: [&'static str; 3],
    both: Samples,
    server: Samples,
    client: Samples,
    sqlite: Samples,
    array: Samples,
    bytes: Vec<f64>,
    runs: u64,
}

impl Measured {
    /// Asks a question of all three, whose answers have to be one.
    pub fn ask(&mut self, world: &World<'_>, question: &Question) -> Result<(), BenchError> {
        self.names = question.names();
        let asked = question.ask(&world.scene)?;
        let (expected, sqlite) = timed(|| question.ask_sqlite(black_box(&world.sqlite)));
        let (found, array) = timed(|| question.ask_array(black_box(&world.array)));
        let expected = expected?;
        require(expected == found, || format!("{}: SQLite and plain Rust differ", self.names[0]))?;
        require(asked.value == found, || format!("{}: {:?} instead of {found:?}", self.names[0], asked.value))?;
        let both = asked.both();
        let Asked { server, client, bytes, runs, .. } = asked;
        self.both.push(both);
        self.server.push(server);
        self.client.push(client);
        self.sqlite.push(sqlite);
        self.array.push(array);
        self.bytes.push(bytes as f64);
        self.runs = runs;
        Ok(())
    }

    /// Names all of it, the server's share and the client's.
    pub fn named(&mut self, names: [&'static str; 3]) {
        self.names = names;
    }

    /// Mean seconds of CPU time: of both, of the server, of the client.
    pub fn means(&self) -> [f64; 3] {
        [&self.both, &self.server, &self.client].map(mean)
    }

    /// Mean bytes of the answers.
    pub fn mean_bytes(&self) -> f64 {
        self.bytes.iter().sum::<f64>() / self.bytes.len().max(1) as f64
    }

    /// The median of CPU time in seconds.
    pub fn median(&self) -> f64 {
        self.both.cpu().map_or(f64::NAN, |cpu| cpu.median)
    }

    /// Adds the rows: both shares, compared with SQLite; each by itself; SQLite; the array.
    pub fn report(&self, setting: &Setting<'_>, size: u64, report: &mut Report) -> Result<(), BenchError> {
        let [both, server, client] = self.names;
        let bytes = Spread::of(&self.bytes).map_or(0, |bytes| bytes.median as u64);
        let row = |scheme, operation, samples: &Samples| {
            Ok::<Row, BenchError>(timed_row(scheme, operation, samples)?.of(setting, size).groups(self.runs))
        };
        let sqlite = row("sqlite", both, &self.sqlite)?;
        let ratio = self.median() / sqlite.cpu_median.unwrap_or(f64::NAN) * 1e6;
        let baseline = format!("sqlite {both}");
        report.add(row("kzg", both, &self.both)?.bytes(bytes).compared(baseline, ratio))?;
        report.add(row("kzg", server, &self.server)?)?;
        report.add(row("kzg", client, &self.client)?.bytes(bytes))?;
        report.add(sqlite)?;
        report.add(row("array", both, &self.array)?)
    }
}

/// Mean seconds of CPU time.
pub fn mean(samples: &Samples) -> f64 {
    samples.runs().map(|taken| taken.cpu).sum::<f64>() / samples.len().max(1) as f64
}

/// A row of microseconds.
pub fn timed_row(scheme: &'static str, operation: &'static str, samples: &Samples) -> Result<Row, BenchError> {
    let row = Row::timed(TABLE, scheme, operation, ("us", 1e6), samples);
    row.ok_or_else(|| BenchError::Wrong("nothing was measured".to_owned()))
}

/// What a row of an experiment says besides.
pub trait OfExperiment {
    /// The experiment and the number of rows.
    fn of(self, setting: &Setting<'_>, size: u64) -> Self;
}

impl OfExperiment for Row {
    fn of(self, setting: &Setting<'_>, size: u64) -> Self {
        self.size(size).experiment(setting.experiment.name())
    }
}
