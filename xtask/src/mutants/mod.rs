//! `cargo xtask mutants`: changes each function of `proofs/generated` in a meaningful way, and
//! records who notices.
//!
//! The functions are the definitions with parameters in `generated/*.v`. Left out: Prelude.v, which
//! is not translated but written by hand and trusted; and the twins of `*Safe.v`, which the
//! translator derives from the same text, and which its own tests compare with what Rust does: a
//! theorem that a twin holds cannot notice that it asks for too little.
//!
//! For each function: choose a change that type-checks (choose.rs), run the oracle's test with it
//! (oracle.rs), and compile the theories that name the function until one fails (recompile.rs).
//! With `--thorough` a mutant that nobody noticed is also compiled with all other theories, which
//! takes minutes for each. Results go to `proofs/mutation/results.tsv` after each step (table.rs):
//! first what the oracle says of mutants that the proofs have not noticed, then what the proofs say
//! of those that the oracle lets pass.

mod changes;
mod choose;
mod definitions;
mod oracle;
mod table;
mod tokens;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::chore::{ChoreError, program, root};
use crate::recompile::{Change, Copy};
use choose::Mutant;
use definitions::{Function, Library};
use table::Table;

/// The most that the proofs may spend on one mutant.
const LIMIT: Duration = Duration::from_secs(420);

/// What to study.
pub struct Study {
    /// These functions, and the functions of these files, only; all, if there are none.
    pub only: Vec<String>,
    /// Keeps results of earlier runs, where the change is the same.
    pub resume: bool,
    /// Another number, another choice of changes.
    pub round: u32,
    /// Compiles all theories with what nobody noticed, not only those that name the function.
    pub thorough: bool,
}

/// Runs the study, prints the summary, and fails where a mutant is noticed by none and not
/// explained.
pub fn run(study: &Study) -> Result<(), ChoreError> {
    let folder = results_folder(study.round);
    program("Proofs", "make", &["--no-print-directory", "-C", "proofs"])?;
    let target = root().join("target/mutants");
    let copy = Copy::new(&root().join("proofs"), &target)?;
    let library = definitions::read_library(&copy.folder().join("generated"))?;
    let mutants = choose_all(&copy, &library, study)?;
    let mut table = Table::read(&folder)?;
    table.keep(&library.functions.iter().map(|function| function.name.clone()).collect());
    if !study.resume {
        for mutant in &mutants {
            table.put(table::Row::new(mutant))?;
        }
    }
    run_oracle(&copy, &target, &mutants, &mut table)?;
    run_proofs(&copy, &mutants, &mut table, study.thorough)?;
    println!("\n{}", table.summary());
    verdict(&table)
}

/// Where the results of a round are kept.
fn results_folder(round: u32) -> PathBuf {
    let folder = root().join("proofs/mutation");
    if round == 0 { folder } else { folder.join(format!("round-{round}")) }
}

fn choose_all(copy: &Copy, library: &Library, study: &Study) -> Result<Vec<Mutant>, ChoreError> {
    let wanted = |function: &&Function| {
        let named = study.only.iter().any(|only| *only == function.name || *only == function.file);
        (named || study.only.is_empty()) && !function.is_twin()
    };
    let functions: Vec<Function> = library.functions.iter().filter(wanted).cloned().collect();
    let files: BTreeSet<&String> = functions.iter().map(|function| &function.file).collect();
    let mut mutants = Vec::new();
    for file in files {
        let of_file: Vec<Function> = functions.iter().filter(|function| function.file == *file).cloned().collect();
        for (function, chosen) in of_file.iter().zip(choose::choose(copy.folder(), library, &of_file, study.round)?) {
            match chosen {
                Some(mutant) => mutants.push(mutant),
                None => println!("{file} {}: no change type-checks", function.name),
            }
        }
    }
    println!("{} functions, {} mutants", functions.len(), mutants.len());
    Ok(mutants)
}

fn run_oracle(copy: &Copy, target: &std::path::Path, mutants: &[Mutant], table: &mut Table) -> Result<(), ChoreError> {
    if mutants.iter().all(|mutant| table.row_of(mutant).oracle_done()) {
        return Ok(());
    }
    println!("\n== Oracle: building one program with {} switches", mutants.len());
    let switched = oracle::Switched::build(&root().join("proofs"), copy.folder(), target, mutants)?;
    // Those that the proofs have not noticed first.
    for noticed in [false, true] {
        for mutant in mutants {
            let mut row = table.row_of(mutant);
            if row.proofs_notice() == noticed && !row.oracle_done() {
                row.set_oracle(&switched.judge(&mutant.function.name)?);
                println!("oracle  {} {}: {}", row.file, row.function, row.oracle);
                table.put(row)?;
            }
        }
    }
    Ok(())
}

/// First what the oracle lets pass, so that what nobody notices is known early; at the end, where
/// it is asked for, all theories.
fn run_proofs(copy: &Copy, mutants: &[Mutant], table: &mut Table, thorough: bool) -> Result<(), ChoreError> {
    for noticed in [false, true] {
        for mutant in mutants {
            let row = table.row_of(mutant);
            if row.oracle_notices() == noticed && !row.proofs_done() {
                judge(copy, mutant, table, false)?;
            }
        }
    }
    for mutant in mutants {
        if thorough && table.row_of(mutant).needs_all_theories() {
            judge(copy, mutant, table, true)?;
        }
    }
    Ok(())
}

fn judge(copy: &Copy, mutant: &Mutant, table: &mut Table, all: bool) -> Result<(), ChoreError> {
    let started = Instant::now();
    let mut row = table.row_of(mutant);
    let function = &mutant.function;
    let change = Change { file: &function.file, from: &function.text, to: &mutant.change.text };
    let (mut goals, others) = copy.theories_of(&function.file, &function.name);
    if all {
        goals.extend(others);
    }
    row.set_proofs(&copy.judge(&change, &goals, LIMIT, |_, _| true)?, all);
    let seconds = started.elapsed().as_secs_f64();
    println!("proofs  {} {} ({}): {} ({seconds:.0} s)", row.file, row.function, row.change, row.proofs);
    table.put(row)
}

fn verdict(table: &Table) -> Result<(), ChoreError> {
    let unexplained = table.unexplained()?;
    for row in &unexplained {
        println!("not noticed and not explained: {} {}: {}", row.file, row.function, row.change);
    }
    if unexplained.is_empty() {
        return Ok(());
    }
    Err(ChoreError::Proofs(format!("{} mutants are not noticed and not explained", unexplained.len())))
}
