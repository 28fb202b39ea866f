//! The chores, so that a person types one command: `cargo xtask test` checks everything, `cargo xtask --help` lists
//! the rest.

#![forbid(unsafe_code)]

mod chore;
mod test;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the Aardvark workspace")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything: formatting, lints, documentation, unit, property and differential tests, doctests.
    Test {
        /// The slow and the exhaustive too: a million histories, long crash tests.
        #[arg(long)]
        long: bool,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Test { long } => test::run(long),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error}");
            ExitCode::FAILURE
        }
    }
}
