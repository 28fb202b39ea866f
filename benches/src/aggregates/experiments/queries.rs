//! Experiment 3: what a query costs, server and client together, right after an epoch's insert.
//!
//! Each epoch is asked once about its households, one run a district; a look-up is of one row of
//! the epoch. So every query finds slots of the dictionary that were never opened, and vectors that
//! have changed since they were: the archive keeps their scalars, and the opening of the schema,
//! and brings both up to date. In the file `timecost` is the mean so far, in seconds,
//! `bandwidthcost` of the answers' content, in megabytes. `percentile_95`, which the artifact
//! refuses, is ours.

use super::csv;
use super::measured::{Measured, World};
use super::question::Question;
use super::setting::Setting;
use crate::aggregates::meters::Meters;
use crate::aggregates::options::Experiment;
use crate::aggregates::statistics::{Statistic, Window};
use crate::error::{BenchError, require};
use crate::report::Report;

/// The greatest reading of a household.
const MOST: u64 = 200;
/// One user in so many is an industry.
const INDUSTRIES: u64 = 5;
/// The fewest epochs that give a number.
const FEWEST: u64 = 5;

/// Runs an experiment.
pub fn run(setting: &Setting<'_>, report: &mut Report) -> Result<(), BenchError> {
    let statistics: &[Option<Statistic>] = match setting.experiment {
        Experiment::E3a => &[None],
        Experiment::E3b => &[Some(Statistic::Sum)],
        Experiment::E3c => &[Some(Statistic::Average)],
        Experiment::E3d => &[Some(Statistic::Count)],
        Experiment::E3e => &[Some(Statistic::Min)],
        Experiment::E3f => &[Some(Statistic::Max)],
        Experiment::E3g => &[Some(Statistic::Median)],
        _ => &[Some(Statistic::Percentile(95)), Some(Statistic::Percentile(5))],
    };
    statistics.iter().try_for_each(|statistic| one(setting, *statistic, report))
}

/// One statistic, or the look-up.
fn one(setting: &Setting<'_>, statistic: Option<Statistic>, report: &mut Report) -> Result<(), BenchError> {
    let (users, epochs) = (setting.users(), setting.epochs(100));
    require(epochs >= FEWEST, || format!("--epochs must be at least {FEWEST}"))?;
    let mut meters = Meters::new(users, setting.districts(), INDUSTRIES, setting.experiment.spread(), 3);
    let mut world = World::new(setting.shared)?;
    let (mut measured, mut lines) = (Measured::default(), Vec::new());
    for epoch in 0..=epochs {
        let readings = meters.read(epoch, 0, MOST);
        world.insert(&readings)?;
        let window = Window { from: epoch, to: epoch, districts: None, households: true };
        let place = (epoch % users) as usize;
        let question = match (statistic, readings.get(place)) {
            (Some(statistic), _) => Question::Statistic(statistic, window),
            (None, Some(reading)) => Question::Row(*reading),
            (None, None) => continue,
        };
        // The first warms up.
        let mut warming = Measured::default();
        if epoch == 0 { &mut warming } else { &mut measured }.ask(&world, &question)?;
        if epoch > 0 && (epoch - 1) % (epochs / 100).max(1) == 0 {
            let [time, ..] = measured.means();
            lines.push(format!("{},{time:.6},{:.6}", epoch - 1, measured.mean_bytes() / 1e6));
        }
    }
    csv::write(setting, "epoch,timecost,bandwidthcost", &lines)?;
    measured.report(setting, users, report)
}
