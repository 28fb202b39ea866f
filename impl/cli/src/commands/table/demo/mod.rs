//! `aardvark table demo`: generated meters, every query, an owner's row, and a keeper that lies.
//!
//! Each scene prints what it shows and checks it against plain arithmetic on the rows, or against
//! what a liar must be told: where something does not come true the demonstration ends with exit
//! code 1. The scenes are in the order of the story: meters, queries, row, lies, audit.

mod asker;
mod lies;
mod meters;
mod queries;

use std::path::PathBuf;
use std::time::Instant;

use aardvark_tables::{AuditOptions, Keeper, audit_tables};
use clap::Args;

use self::asker::Asker;
use self::meters::Meters;
use crate::demo::{Home, Narrator};
use crate::failure::Failure;
use crate::print::Lines;
use crate::report::{Report, count, duration};

/// `aardvark table demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the dictionary in this folder, which must not exist yet, instead of a temporary one.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// How many homes have a meter, each read ten times.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(8..=10_000))]
    pub homes: u32,
}

/// Runs the demonstration, which prints as it goes.
///
/// # Errors
/// A folder that cannot be written; and exit code 1 where something that the demonstration shows
/// does not come true.
pub fn run(arguments: &Demo, as_json: bool) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut tell = Narrator::new(as_json);
    let home = Home::new(arguments.dir.clone())?;
    tell.say("Aardvark tables: statistics of homes' meters that anybody checks, and whose rows nobody sees")?;
    let meters = Meters::generate(arguments.homes);
    let keeper = meters::scene(&home.path(), &meters, &mut tell)?;
    let asker = Asker::of_keeper(&keeper)?;
    queries::scene(&keeper, &asker, &meters, &mut tell)?;
    queries::row(&keeper, &asker, &meters, &mut tell)?;
    let keeper = lies::scene(keeper, &home.path(), &asker, &meters, &mut tell)?;
    audit(&keeper, &mut tell)?;
    tell.fact("seconds", start.elapsed().as_secs_f64());
    tell.gap()?;
    tell.say(&format!("Done in {}; {}.", duration(start.elapsed()), home.farewell()))?;
    Ok(Report::done(Lines::default(), tell.into_facts()))
}

/// An auditor, who sees no row, finds the run that the keeper slipped in.
fn audit(keeper: &Keeper, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("An audit by anybody: no rows, no trust")?;
    let start = Instant::now();
    let (archive, certificates) = (keeper.archive(), keeper.certificates());
    let audited = audit_tables(archive, certificates, None, &AuditOptions::default(), &mut |_, _| {})?;
    let (runs, sheets) = (count(audited.runs), count(audited.certificates));
    tell.line("runs", &format!("{runs}, {sheets} certificates verified in {}", duration(start.elapsed())))?;
    let [finding] = audited.findings.as_slice() else {
        return Err(Failure::broken(format!("the audit has {} findings, not one", audited.findings.len())));
    };
    tell.line("found", &finding.to_string())?;
    tell.fact("audit", finding.to_string());
    Ok(())
}
