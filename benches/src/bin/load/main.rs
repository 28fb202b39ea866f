#![forbid(unsafe_code)]
//! How much a network takes: proofs a second of an archive, transactions a second of validators.
//!
//! ```text
//! arguments -> threads that ask, or sign and submit -> answers kept and verified -> figures | why none
//! ```
//! Figures are those of the machine as it is: the load average before and after stands beside them.

mod args;
mod error;
mod figures;
mod kept;
mod latency;
mod proofs;
mod transactions;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use args::{Proofs, Transactions};

/// Puts load on archives and validators, and says what they take.
#[derive(Debug, Parser)]
#[command(name = "load", version)]
struct Arguments {
    /// Which load.
    #[command(subcommand)]
    load: Load,
    /// Print JSON instead of text for people.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Load {
    /// Ask an archive for proofs as fast as it gives them.
    Proofs(Proofs),
    /// Submit signed transactions with proofs, and count those that come to stand in blocks.
    Transactions(Transactions),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let figures = match &arguments.load {
        Load::Proofs(arguments) => proofs::run(arguments),
        Load::Transactions(arguments) => transactions::run(arguments),
    };
    match figures {
        Ok(figures) => {
            println!("{}", figures.text(arguments.json));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
