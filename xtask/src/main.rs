//! The chores, so that a person types one command: `cargo xtask test` checks everything, `cargo
//! xtask --help` lists the rest.

#![forbid(unsafe_code)]

mod assumptions;
mod before;
mod bindings;
mod chore;
mod circles;
mod cometbft;
mod comments;
mod dist;
mod localnet;
mod mutate;
mod operations;
mod page;
mod peers;
mod prove;
mod recompile;
mod reproduce;
mod test;
mod translate;
mod uses;
mod versitygw;
mod weaken;

use std::path::PathBuf;
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
    /// Everything: formatting, lints, documentation, translation, proofs, and all tests.
    Test {
        /// The slow and the exhaustive too: a million histories, long crash tests, coqchk, weakened
        /// definitions.
        #[arg(long)]
        long: bool,
    },
    /// Looks for files of one crate that import each other, directly or through others.
    Circles,
    /// Looks for comment lines that are too wide.
    Comments {
        /// Fills the paragraphs under this folder that are.
        #[arg(long, value_name = "FOLDER")]
        fill: Option<PathBuf>,
    },
    /// Writes proofs/generated from spec/.
    Translate {
        /// Writes nothing; fails where proofs/generated differs from what spec/ translates to.
        #[arg(long)]
        check: bool,
    },
    /// Compiles the proofs and compares their assumptions with the committed list; installs Coq
    /// where it may.
    Prove {
        /// Has coqchk check the compiled proofs again.
        #[arg(long)]
        long: bool,
    },
    /// Bundles the archive's page, and tests it in Chromium; installs npm and Chromium where it
    /// may.
    Page,
    /// Has promtool check the alerts of docs/operations; gets it from Debian where it may.
    Operations,
    /// Makes what is handed out, into target/dist: a stripped binary, a Debian package with units
    /// for systemd, a tarball; man pages and completions are in both.
    Dist {
        /// Takes this binary instead of building one.
        #[arg(long, value_name = "FILE")]
        binary: Option<PathBuf>,
        /// Makes nothing that stays: installs a package of the binary below an empty folder, runs
        /// an archive from it and removes it, as `cargo xtask test` does.
        #[arg(long, requires = "binary")]
        check: bool,
    },
    /// Tests the verifiers in other languages (impl/bindings); installs what they need where it
    /// may.
    Bindings,
    /// Measures the paper's tables and figures on this machine, into benches/results: 20 minutes on
    /// two quiet cores.
    Reproduce {
        /// A smoke run of two minutes at tiny sizes, into target/reproduce-quick.
        #[arg(long)]
        quick: bool,
    },
    /// Runs a network of validators and archives on this machine, until Ctrl-C.
    Localnet(localnet::Localnet),
    /// Runs a chain whose archive has its store in a folder, with opening servers and fronts that
    /// read it, until Ctrl-C.
    Cluster(localnet::ClusterNet),
    /// Changes one expression of spec/ at a time, and records in proofs/mutation whether the proofs
    /// alone notice, and the differential tests alone: a minute for each mutant; goes on where an
    /// earlier run stopped.
    Mutate(mutate::Study),
    /// Makes definitions of proofs/generated weaker, one at a time, demands that each breaks its
    /// theorem, and writes what was seen to proofs/weakened/README.md: a minute or more for each.
    Weaken {
        /// The definition with this name only; may stand several times.
        #[arg(long, value_name = "NAME")]
        only: Vec<String>,
    },
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Test { long } => test::run(long),
        Command::Circles => circles::run(),
        Command::Comments { fill: Some(folder) } => comments::fill_all(&folder),
        Command::Comments { fill: None } => comments::check(),
        Command::Translate { check: true } => translate::check(),
        Command::Translate { check: false } => translate::write(),
        Command::Prove { long } => prove::run(long),
        Command::Page => page::run(),
        Command::Operations => operations::run(),
        Command::Dist { binary: Some(binary), check: true } => dist::check(&binary),
        Command::Dist { binary, .. } => dist::run(binary.as_deref()),
        Command::Bindings => bindings::run(),
        Command::Reproduce { quick } => reproduce::run(quick),
        Command::Localnet(localnet) => localnet::run(&localnet),
        Command::Cluster(cluster) => localnet::run(&cluster.into()),
        Command::Mutate(study) => mutate::run(&study),
        Command::Weaken { only } => weaken::run(&only),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error}");
            ExitCode::FAILURE
        }
    }
}
