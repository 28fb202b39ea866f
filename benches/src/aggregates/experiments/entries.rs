//! Experiment 5: what a table of some epochs stores, and what each role does when one more comes.
//!
//! Each time an epoch is inserted, a row looked up, everything audited, and sum, minimum and median
//! of the first ten epochs asked. The paper's auditor looks at the new epoch only; ours at all. In
//! the file `storage` counts bytes as in experiment 1, before the inserts; times are means in
//! seconds.

use super::csv;
use super::measured::{Measured, OfExperiment, World, mean, timed_row};
use super::question::Question;
use super::setting::Setting;
use crate::aggregates::meters::{Meters, Reading};
use crate::aggregates::options::TABLE;
use crate::aggregates::statistics::{Statistic, Window};
use crate::error::BenchError;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;
use crate::report::Report;

/// The paper's numbers of epochs.
const EPOCHS: [u64; 7] = [1, 2, 5, 10, 20, 50, 100];
/// Times that each is done, after once to warm up.
const REPEATS: u64 = 5;

/// Runs the experiment.
pub fn run(setting: &Setting<'_>, report: &mut Report) -> Result<(), BenchError> {
    let most = setting.epochs(100);
    let of_epochs = |epochs| one(setting, epochs, report);
    let lines: Vec<String> =
        EPOCHS.into_iter().filter(|epochs| *epochs <= most).map(of_epochs).collect::<Result<_, _>>()?;
    csv::write(setting, "storage,insert,lookup,auditor,sum,min,quantile", &lines)
}

/// A table of so many epochs.
fn one(setting: &Setting<'_>, epochs: u64, report: &mut Report) -> Result<String, BenchError> {
    let users = setting.users();
    let mut meters = Meters::new(users, setting.districts(), 5, setting.experiment.spread(), 5);
    let readings: Vec<Reading> = (0..epochs).flat_map(|epoch| meters.read(epoch, 20, 2000)).collect();
    let mut world = World::new(setting.shared)?;
    world.insert(&readings)?;
    let (slots, certificates) = world.scene.stored();
    for (operation, bytes) in [("storage", slots + certificates), ("storage_certificates", certificates)] {
        let row = Row::counted(TABLE, "kzg", operation, "bytes", bytes as f64);
        report.add(row.of(setting, users * epochs).bytes(bytes))?;
    }
    let window = Window { from: 0, to: 9, districts: None, households: true };
    let statistics = [Statistic::Sum, Statistic::Min, Statistic::Median];
    let mut questions = vec![None];
    questions.extend(statistics.map(|statistic| Some(Question::Statistic(statistic, window))));
    let mut measured: Vec<Measured> = questions.iter().map(|_| Measured::default()).collect();
    let (mut inserts, mut audits) = (Samples::default(), Samples::default());
    for repeat in 0..=REPEATS {
        let readings = meters.read(epochs + repeat, 0, 2000);
        let (insert, _) = world.insert(&readings)?;
        for (question, measured) in questions.iter().zip(&mut measured) {
            let row = readings.get((repeat % users) as usize).map(|reading| Question::Row(*reading));
            let Some(question) = question.or(row) else { continue };
            let mut warming = Measured::default();
            if repeat == 0 { &mut warming } else { measured }.ask(&world, &question)?;
        }
        let audit = world.scene.audit(world.rows())?;
        if repeat > 0 {
            inserts.push(insert);
            audits.push(audit);
        }
    }
    report.add(timed_row("kzg", "insert", &inserts)?.of(setting, users * epochs))?;
    report.add(timed_row("kzg", "audit", &audits)?.of(setting, users * epochs).bytes(certificates))?;
    measured.iter().try_for_each(|measured| measured.report(setting, users * epochs, report))?;
    let mut times = measured.iter().map(|measured| measured.means()[0]);
    let look_up = times.next().unwrap_or_default();
    let rest: String = times.map(|time| format!(",{time:.6}")).collect();
    let (insert, audit) = (mean(&inserts), mean(&audits));
    Ok(format!("{},{insert:.6},{look_up:.6},{audit:.6}{rest}", slots + certificates))
}
