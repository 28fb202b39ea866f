//! Experiments 1 and 2: what inserting an epoch's rows costs, as epochs come.
//!
//! An initial epoch, of which one reading in twenty is missing, and then one version an epoch.
//! `insert` is the whole import: commitments, certificates and their verification, the vault, the
//! certificates' store, the dictionary. `storage` is what is public: keys, values, certificates;
//! `disk` all files. In the file `timecost` is the mean so far, in seconds; `storagecost` is
//! `storage`.

use super::csv;
use super::measured::{OfExperiment, World, mean, timed_row};
use super::setting::Setting;
use crate::aggregates::meters::Meters;
use crate::aggregates::options::TABLE;
use crate::error::BenchError;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;

/// The greatest reading of a household.
const MOST: u64 = 2000;
/// One user in so many is an industry.
const INDUSTRIES: u64 = 5;

/// Runs an experiment.
pub fn run(setting: &Setting<'_>, paper_epochs: u64, report: &mut Report) -> Result<(), BenchError> {
    let (users, epochs) = (setting.users(), setting.epochs(paper_epochs));
    let mut meters = Meters::new(users, setting.districts(), INDUSTRIES, setting.experiment.spread(), 1);
    let mut world = World::new(setting.shared)?;
    let (first, _) = world.insert(&meters.read(0, 20, MOST))?;
    let line = |epoch, time: f64, (slots, certificates)| format!("{epoch},{time:.6},{}", slots + certificates);
    let mut lines = vec![line(0, first.cpu, world.scene.stored())];
    let (mut ours, mut sqlite) = (Samples::default(), Samples::default());
    for epoch in 1..=epochs {
        let (taken, bound) = world.insert(&meters.read(epoch, 0, MOST))?;
        ours.push(taken);
        sqlite.push(bound);
        if (epoch - 1) % (epochs / 100).max(1) == 0 {
            lines.push(line(epoch, mean(&ours), world.scene.stored()));
        }
    }
    csv::write(setting, "epoch,timecost,storagecost", &lines)?;
    let groups = world.groups_of_last_epoch();
    let bound = timed_row("sqlite", "insert", &sqlite)?.of(setting, users).groups(groups);
    let row = timed_row("kzg", "insert", &ours)?.of(setting, users).groups(groups);
    let ratio = row.cpu_median.unwrap_or(f64::NAN) / bound.cpu_median.unwrap_or(f64::NAN);
    report.add(row.compared("sqlite insert", ratio))?;
    report.add(bound)?;
    let (slots, certificates) = world.scene.stored();
    let disk = world.scene.on_disk()?;
    let counted = [("storage", slots + certificates), ("storage_certificates", certificates), ("disk", disk)];
    for (operation, bytes) in counted {
        let row = Row::counted(TABLE, "kzg", operation, "bytes", bytes as f64);
        report.add(row.of(setting, world.rows()).bytes(bytes))?;
    }
    Ok(())
}
