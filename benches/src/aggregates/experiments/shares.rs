//! Experiment 4: what of a query's time is the server's, and what the client's, as epochs grow.
//!
//! All epochs are imported at once; asked are the households of the first ten. In the file times
//! are in nanoseconds of CPU time; here is one request a query and no transfer, so the columns of
//! the prefix tree and of transfers are 0.

use super::csv;
use super::measured::{Measured, World};
use super::question::Question;
use super::setting::Setting;
use crate::aggregates::meters::{Meters, Reading};
use crate::aggregates::statistics::{Statistic, Window};
use crate::error::BenchError;
use crate::report::Report;

/// The paper's multiples of its ten epochs.
const MULTIPLES: [u64; 3] = [1, 3, 10];
/// Times that each is asked, after once to warm up.
const REPEATS: u64 = 5;
/// Epochs that are asked about.
const ASKED: u64 = 10;
/// The columns of the artifact.
const COLUMNS: &str = "idx,prefix_request_transfer_time,prefix_proc_time_server,prefix_response_transfer_time,prefix_proc_time_client,query_request_transfer_time,query_proc_time_server,query_response_transfer_time,query_proc_time_client,total_time";

/// Runs the experiment.
pub fn run(setting: &Setting<'_>, report: &mut Report) -> Result<(), BenchError> {
    let users = setting.users();
    // By statistic and by epochs, in the file's order.
    let mut lines: Vec<Vec<String>> = vec![Vec::new(); 4];
    let mut verdicts = Vec::new();
    for multiple in MULTIPLES {
        let epochs = multiple * setting.epochs(10);
        let mut meters = Meters::new(users, setting.districts(), 5, setting.experiment.spread(), 4);
        let readings: Vec<Reading> = (0..epochs).flat_map(|epoch| meters.read(epoch, 20, 200)).collect();
        let mut world = World::new(setting.shared)?;
        world.insert(&readings)?;
        let window = Window { from: 0, to: ASKED - 1, districts: None, households: true };
        let statistics = [None, Some(Statistic::Sum), Some(Statistic::Min), Some(Statistic::Median)];
        for (statistic, lines) in statistics.into_iter().zip(&mut lines) {
            let mut measured = Measured::default();
            for repeat in 0..=REPEATS {
                let question = match (statistic, readings.get((repeat as usize * 2) % readings.len())) {
                    (Some(statistic), _) => Question::Statistic(statistic, window),
                    (None, Some(reading)) => Question::Row(*reading),
                    (None, None) => continue,
                };
                let mut warming = Measured::default();
                if repeat == 0 { &mut warming } else { &mut measured }.ask(&world, &question)?;
            }
            let [both, server, client] = measured.means();
            let nanoseconds = |seconds: f64| (seconds * 1e9) as u64;
            let [both_ns, server_ns, client_ns] = [both, server, client].map(nanoseconds);
            lines.push(format!("0,0,0,0,0,{server_ns},0,{client_ns},{both_ns}"));
            let name = statistic.map_or("lookup", |statistic| statistic.names()[0]);
            verdicts.push(format!("{name} at {epochs} epochs: {:.0} % the server's", 100.0 * server / both));
            measured.report(setting, users * epochs, report)?;
        }
    }
    let numbered = lines.into_iter().flatten().enumerate();
    let lines: Vec<String> = numbered.map(|(number, line)| format!("{number},{line}")).collect();
    csv::write(setting, COLUMNS, &lines)?;
    report.note(&format!(
        "experiment 4, which in the paper shows the server's share to dominate: {}.",
        verdicts.join("; ")
    ));
    Ok(())
}
