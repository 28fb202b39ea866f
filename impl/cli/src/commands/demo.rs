//! `aardvark demo`: the whole of it, on real data.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::demo::{self, Home, Narrator};
use crate::failure::Failure;
use crate::print::Lines;
use crate::report::{Report, duration};

/// `aardvark demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the dictionary in this folder, which must not exist yet, instead of a temporary one.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Use the sample that ships with the command, also where the machine has apt lists of its own.
    #[arg(long)]
    pub sample: bool,
}

/// Runs the demonstration, which prints as it goes.
///
/// # Errors
/// Data that cannot be read, a folder that cannot be written; and exit code 1 where something that
/// the demonstration shows does not come true.
pub fn run(arguments: &Demo, as_json: bool) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut tell = Narrator::new(as_json);
    let home = Home::new(arguments.dir.clone())?;
    demo::run(home.path(), arguments.sample, &mut tell)?;
    tell.fact("seconds", start.elapsed().as_secs_f64());
    tell.gap()?;
    tell.say(&format!("Done in {}; {}.", duration(start.elapsed()), home.farewell()))?;
    Ok(Report::done(Lines::default(), tell.into_facts()))
}
