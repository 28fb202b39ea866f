//! The experiments of TAP's evaluation, by its numbers, on a keeper and a client in one process.
//!
//! Sizes, distributions and columns are those of the published artifact; where a number means
//! something else here, its module says what. Of each result that is timed the same is asked of
//! SQLite and of a sorted array, and all three have to agree. Times are CPU time of the process.

mod csv;
mod entries;
mod inserts;
mod measured;
mod queries;
mod question;
mod scaling;
pub mod scene;
pub mod setting;
mod shares;

use self::setting::Setting;
use super::options::Experiment;
use crate::error::BenchError;
use crate::report::Report;

/// Runs an experiment.
pub fn run(setting: &Setting<'_>, report: &mut Report) -> Result<(), BenchError> {
    use Experiment as E;
    eprintln!("experiment {}", setting.experiment.name());
    match setting.experiment {
        E::Certificates | E::Cuts | E::Peers => Ok(()),
        E::E1a | E::E1b | E::E1c => inserts::run(setting, 100, report),
        E::E2a | E::E2b | E::E2c | E::E2d => inserts::run(setting, 500, report),
        E::E3a | E::E3b | E::E3c | E::E3d | E::E3e | E::E3f | E::E3g | E::E3h => queries::run(setting, report),
        E::E4 => shares::run(setting, report),
        E::E5 => entries::run(setting, report),
        E::E6 => scaling::queries(setting, report),
        E::E7 => scaling::audits(setting, report),
    }
}
