//! Experiments 6 and 7: building, asking and auditing, as one epoch's rows grow at fixed numbers of
//! districts.
//!
//! Each district has one run, of several segments where it has more rows than a sheet has room for.
//! `build` is the whole import, order proofs included, in microseconds a row. Asked are the first
//! row, and sum, minimum and median of all rows (`.._all`) and of the ten least districts
//! (`.._limited`); each once to warm up, then five times. In the files times are seconds: `file` is
//! 0, since rows are made in memory, `sql` is SQLite's insert, `tree` ours. `audit_prefix_tree` is
//! the dictionary's audit, `audit_sum_trees` that of runs and certificates.
//!
//! `exponent` is the slope of the logarithm of CPU time over that of the rows, at one number of
//! districts.

use super::csv;
use super::measured::{Measured, OfExperiment, World, mean, timed_row};
use super::question::Question;
use super::setting::Setting;
use crate::aggregates::meters::Meters;
use crate::aggregates::options::TABLE;
use crate::aggregates::statistics::{Statistic, Window};
use crate::error::BenchError;
use crate::growth::slope;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;

/// The paper's users and districts of experiment 6.
const QUERIED: ([u64; 12], [u64; 3]) =
    ([100, 267, 715, 1_912, 5_113, 13_673, 36_565, 97_780, 261_476, 699_216, 1_869_781, 5_000_000], [10, 100, 1000]);
/// The paper's users and districts of experiment 7.
const AUDITED: ([u64; 12], [u64; 2]) =
    ([100, 187, 351, 657, 1_232, 2_310, 4_328, 8_111, 15_199, 28_480, 53_366, 100_000], [10, 100]);
/// Up to so many users tables are built several times.
const SMALL: u64 = 2000;
/// From so many users a district on, more than a sheet has room for may come to be in one: there
/// runs grow by segments.
const GROWING: u64 = 512;
/// Times that small tables are built, and that each question is asked.
const REPEATS: usize = 5;
/// The columns of the artifact.
const QUERY_COLUMNS: &str = "n_users, n_trees, file, sql, tree, lookup_total, lookup_client, sum_all_total, sum_all_client, min_all_total, min_all_client, quantile_all_total, quantile_all_client, sum_limited_total, sum_limited_client, min_limited_total, min_limited_client, quantile_limited_total, quantile_limited_client";
/// The columns of the artifact.
const AUDIT_COLUMNS: &str = "n_users, n_trees, file, sql, tree, audit_prefix_tree, audit_sum_trees";
/// The names of all of a query, of the server's share, of the client's: of all rows, and of ten
/// districts.
const NAMES: [[&str; 3]; 6] = [
    ["sum_all", "sum_all_server", "sum_all_client"],
    ["min_all", "min_all_server", "min_all_client"],
    ["median_all", "median_all_server", "median_all_client"],
    ["sum_limited", "sum_limited_server", "sum_limited_client"],
    ["min_limited", "min_limited_server", "min_limited_client"],
    ["median_limited", "median_limited_server", "median_limited_client"],
];

/// Experiment 6.
pub fn queries(setting: &Setting<'_>, report: &mut Report) -> Result<(), BenchError> {
    let (users, districts) = QUERIED;
    let mut lines = Vec::new();
    for districts in chosen(setting.options.districts, &districts) {
        let mut points = Vec::new();
        for users in series(setting, &users) {
            eprintln!("{users} users in {districts} districts");
            let (world, times) = built(setting, users, districts, report)?;
            let mut line = format!("{users},{districts},0,{:.6},{:.6}", times.sqlite, times.ours);
            for (number, mut measured) in asked(&world)?.into_iter().enumerate() {
                if let Some(names) = number.checked_sub(1).and_then(|number| NAMES.get(number)) {
                    measured.named(*names);
                }
                let [both, _, client] = measured.means();
                line += &format!(",{both:.6},{client:.6}");
                measured.report(setting, users, report)?;
                if number == 3 {
                    points.push((users as f64, measured.median()));
                }
            }
            lines.push(line);
        }
        exponent(setting, "median_all", districts, &points, report)?;
    }
    csv::write(setting, QUERY_COLUMNS, &lines)
}

/// Experiment 7.
pub fn audits(setting: &Setting<'_>, report: &mut Report) -> Result<(), BenchError> {
    let (users, districts) = AUDITED;
    let mut lines = Vec::new();
    for districts in chosen(setting.options.districts, &districts) {
        let mut points = Vec::new();
        for users in series(setting, &users) {
            eprintln!("{users} users in {districts} districts");
            let (world, times) = built(setting, users, districts, report)?;
            let (mut dictionary, mut tables) = (Samples::default(), Samples::default());
            for repeat in 0..=REPEATS {
                let (first, second) = (world.scene.audit_dictionary()?, world.scene.audit(world.rows())?);
                if repeat > 0 {
                    dictionary.push(first);
                    tables.push(second);
                }
            }
            let row = |operation, samples: &Samples| {
                let row = timed_row("kzg", operation, samples)?.of(setting, users).groups(districts);
                Ok::<Row, BenchError>(row.threads(setting.options.threads))
            };
            let (_, certificates) = world.scene.stored();
            report.add(row("audit", &tables)?.bytes(certificates))?;
            report.add(row("audit_dictionary", &dictionary)?)?;
            points.push((users as f64, mean(&tables)));
            let [dictionary, tables] = [dictionary, tables].map(|samples| mean(&samples));
            lines.push(format!(
                "{users},{districts},0,{:.6},{:.6},{dictionary:.6},{tables:.6}",
                times.sqlite, times.ours
            ));
        }
        exponent(setting, "audit", districts, &points, report)?;
    }
    csv::write(setting, AUDIT_COLUMNS, &lines)
}

/// What was asked for, or the paper's.
fn chosen(option: Option<u64>, paper: &[u64]) -> Vec<u64> {
    option.map_or_else(|| paper.to_vec(), |one| vec![one])
}

/// The numbers of users.
fn series(setting: &Setting<'_>, paper: &[u64]) -> Vec<u64> {
    let mut users = chosen(setting.options.users, paper);
    users.retain(|users| *users <= setting.options.most_users);
    users
}

/// Seconds of CPU time.
struct Times {
    ours: f64,
    sqlite: f64,
}

/// The rows of one epoch, in a table that is built several times where they are few.
fn built<'a>(
    setting: &Setting<'a>,
    users: u64,
    districts: u64,
    report: &mut Report,
) -> Result<(World<'a>, Times), BenchError> {
    let repeats = if users <= SMALL { 1 + REPEATS } else { 1 };
    let (mut ours, mut sqlite, mut last) = (Samples::default(), Samples::default(), None);
    for repeat in 0..repeats {
        drop(last.take());
        let mut meters = Meters::new(users, districts, 0, setting.experiment.spread(), 6 + repeat as u64);
        let mut world = World::new(setting.shared)?;
        let readings = meters.read(0, 0, 200);
        let (taken, bound) =
            if users / districts < GROWING { world.insert(&readings)? } else { world.extend(&readings)? };
        // Where there are several, the first warms up.
        if repeat > 0 || repeats == 1 {
            ours.push(taken);
            sqlite.push(bound);
        }
        last = Some(world);
    }
    let world = last.ok_or_else(|| BenchError::Wrong("nothing was built".to_owned()))?;
    let row = |scheme, samples: &Samples| {
        let row = Row::timed(TABLE, scheme, "build", ("us/row", 1e6 / users as f64), samples);
        let row = row.ok_or_else(|| BenchError::Wrong("nothing was built".to_owned()))?;
        Ok::<Row, BenchError>(row.of(setting, users).groups(districts))
    };
    let (slots, certificates) = world.scene.stored();
    report.add(row("kzg", &ours)?.bytes(slots + certificates).threads(setting.options.threads))?;
    report.add(row("sqlite", &sqlite)?)?;
    let times = Times { ours: mean(&ours), sqlite: mean(&sqlite) };
    Ok((world, times))
}

/// A look-up, and then the questions in the order of their names.
fn asked(world: &World<'_>) -> Result<Vec<Measured>, BenchError> {
    let all = Window { from: 0, to: 0, districts: None, households: false };
    let limited = Window { districts: Some(10), ..all };
    let statistics = [Statistic::Sum, Statistic::Min, Statistic::Median];
    let of_window = |window| statistics.map(|statistic| Question::Statistic(statistic, window));
    let row = world.first_row().map(Question::Row);
    let questions = row.into_iter().chain(of_window(all)).chain(of_window(limited));
    let measured = questions.map(|question| {
        Measured::default().ask(world, &question)?;
        let mut measured = Measured::default();
        (0..REPEATS).try_for_each(|_| measured.ask(world, &question))?;
        Ok(measured)
    });
    measured.collect()
}

fn exponent(
    setting: &Setting<'_>,
    operation: &'static str,
    districts: u64,
    points: &[(f64, f64)],
    report: &mut Report,
) -> Result<(), BenchError> {
    let (Some(slope), Some((largest, _))) = (slope(points), points.last()) else { return Ok(()) };
    let row = Row::counted(TABLE, "kzg", operation, "exponent", slope);
    report.add(row.of(setting, *largest as u64).groups(districts).iterations(points.len() as u64))
}
