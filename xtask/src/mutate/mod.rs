//! `cargo xtask mutate`: changes one expression of the specification at a time, and asks whether
//! the proofs alone notice, and whether the differential tests alone do.
//!
//! - A mutant is `spec/` with one expression replaced (sites.rs, operators.rs), such that it still
//!   type-checks: all are put into one copy of the specification, behind switches (switches.rs,
//!   tree.rs), and those that the compiler refuses are left out. Functions that are not translated
//!   have no mutants.
//! - The proofs: the mutant is translated, and all theories that depend on what changes are
//!   compiled, until a lemma fails that a theorem of `proofs/theorems.txt` stands on (proofs.rs).
//! - The histories: the differential tests compare the mutant with the unmodified implementation,
//!   without the proofs' oracle (histories.rs). One program holds all mutants.
//!
//! Mutants are taken in an order that mixes files and functions, the same on every machine: first
//! one of each function, then a second one. Results are written as they come (results.rs), so that
//! a run goes on where the one before stopped; the tables of `proofs/mutation/README.md` are made
//! of them (summary.rs).

mod finder;
mod histories;
mod judge;
mod operators;
mod proofs;
mod results;
pub mod sample;
mod side;
mod sites;
mod specification;
mod spoken;
mod study;
mod summary;
mod switches;
mod translation;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::assumptions::listed;
use crate::chore::{ChoreError, program, root};
use histories::Tests;
use judge::Work;
use proofs::Proofs;
use results::Results;
use side::Side;
use sites::{Mutant, mutants_of};
use specification::Specification;
use spoken::Statements;
pub use study::Study;
use translation::Translation;
use tree::Tree;

/// Runs the study; fails where neither the proofs nor the histories notice a mutant, and nobody
/// explains it.
pub fn run(study: &Study) -> Result<(), ChoreError> {
    let specification = Specification::read(&root().join("spec/src"))?;
    let candidates: Vec<Mutant> =
        specification.files.iter().flat_map(|file| mutants_of(&specification, file)).collect();
    let mut results = {
        let _locked = results::locked()?;
        let mut results = Results::read()?;
        results.keep(&changes(&specification, &candidates));
        results.write()?;
        results
    };
    if !study.summary {
        program("Proofs", "make", &["--no-print-directory", "-C", "proofs"])?;
        judge_all(study, &specification, candidates, &mut results)?;
    }
    let results = results.refreshed()?;
    summary::write(&results)?;
    println!("\n{}", summary::text(&results));
    let waiting = results.waiting();
    if !waiting.is_empty() {
        println!(
            "{} that one judge does not notice wait for the other: `cargo xtask mutate --surviving`",
            waiting.len()
        );
    }
    let unexplained = results.unexplained();
    if unexplained.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = unexplained.iter().map(|row| row.id.as_str()).collect();
    Err(ChoreError::Mutation(format!("noticed by neither proofs nor histories, and not explained: {}", ids.join(", "))))
}

/// `from → to` of each mutant, by id.
fn changes(specification: &Specification, mutants: &[Mutant]) -> BTreeMap<String, String> {
    mutants.iter().map(|mutant| (mutant.id.clone(), mutant.change(text_of(specification, mutant)))).collect()
}

fn text_of<'a>(specification: &'a Specification, mutant: &Mutant) -> &'a str {
    specification.files.iter().find(|file| file.name == mutant.file).map_or("", |file| file.text.as_str())
}

fn judge_all(
    study: &Study,
    specification: &Specification,
    mut candidates: Vec<Mutant>,
    results: &mut Results,
) -> Result<(), ChoreError> {
    let target = root().join("target/mutate");
    let translation = Translation::new(&target)?;
    candidates.retain(|mutant| translation.has(&mutant.function));
    let tree = Tree::new(&target)?;
    let kept = tree.type_check(specification, &candidates)?;
    let spoken = spoken()?;
    let numbered: Vec<(usize, &Mutant)> =
        kept.iter().filter_map(|number| Some((*number, candidates.get(*number)?))).collect();
    let mutants: Vec<Mutant> = numbered.iter().map(|(_, mutant)| (*mutant).clone()).collect();
    results.count(&mutants, &spoken);
    let asked = |side: Side| study.side.is_none_or(|only| only == side);
    let tests = if asked(Side::Histories) { Tests::build(&tree, &target.join("reached"))? } else { Tests::default() };
    let chosen = chosen(study, &numbered, results)?;
    println!("{} mutants, {} to judge", numbered.len(), chosen.len());

    let work = Work::new(study, specification, &spoken, &tests, &chosen);
    let end = study.minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let shared = Mutex::new(results);
    let proofs = |job: usize| Proofs::new(&target.join(format!("job-{job}")));
    let jobs = (0..study.jobs.max(1)).map(|job| asked(Side::Proofs).then(|| proofs(job)).transpose());
    let jobs: Vec<Option<Proofs>> = jobs.collect::<Result<_, _>>()?;
    std::thread::scope(|scope| {
        let (work, shared) = (&work, &shared);
        let threads: Vec<_> =
            jobs.into_iter().map(|proofs| scope.spawn(move || work.run(proofs.as_ref(), end, shared))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// The functions that the theorems speak about.
fn spoken() -> Result<BTreeSet<String>, ChoreError> {
    let mut statements = Statements::default();
    for folder in ["proofs/generated", "proofs/theories"] {
        statements.add_folder(&root().join(folder))?;
    }
    Ok(statements.spoken(&listed()?))
}

/// The mutants to judge, in the order of the study.
fn chosen<'a>(
    study: &Study,
    mutants: &[(usize, &'a Mutant)],
    results: &Results,
) -> Result<Vec<(usize, &'a Mutant)>, ChoreError> {
    if let Some(unknown) = study.only.iter().find(|id| mutants.iter().all(|(_, mutant)| mutant.id != **id)) {
        return Err(ChoreError::Mutation(format!("no mutant that type-checks has the id {unknown}")));
    }
    let mut of_function: BTreeMap<&str, Vec<(u64, usize, &'a Mutant)>> = BTreeMap::new();
    for (number, mutant) in mutants {
        of_function.entry(&mutant.function).or_default().push((mixed(&mutant.id), *number, mutant));
    }
    let mut order = Vec::new();
    for (function, own) in &mut of_function {
        own.sort_by_key(|(place, ..)| *place);
        let turns =
            own.iter().enumerate().map(|(turn, (_, number, mutant))| ((turn, mixed(function)), *number, *mutant));
        order.extend(turns);
    }
    order.sort_by_key(|(place, ..)| *place);
    let stepped = order.into_iter().step_by(study.every.max(1)).map(|(_, number, mutant)| (number, mutant));
    if !study.only.is_empty() {
        return Ok(mutants.iter().filter(|(_, mutant)| study.only.contains(&mutant.id)).copied().collect());
    }
    let is_open = |mutant: &Mutant| {
        let known = results.rows.get(&mutant.id);
        [Side::Proofs, Side::Histories].iter().any(|side| study.asks(*side, known))
    };
    let is_asked_for = |mutant: &Mutant| study.is_of(&mutant.file) && study.wants(results.rows.get(&mutant.id));
    Ok(stepped.filter(|(_, mutant)| is_asked_for(mutant) && is_open(mutant)).collect())
}

/// A number that mixes a text's bytes: FNV-1a, folded once more, since ids that differ in their end
/// only must not stay neighbours.
fn mixed(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use results::Row;

    #[test]
    fn the_results_are_of_functions_that_are() {
        let specification = Specification::read(&root().join("spec/src")).unwrap();
        let results = Results::read().unwrap();
        let gone = |row: &&Row| !specification.functions.contains_key(row.function());
        let gone: Vec<&str> = results.rows.values().filter(gone).map(|row| row.id.as_str()).collect();
        assert!(gone.is_empty(), "run `cargo xtask mutate --summary`: {gone:?}");
    }

    #[test]
    fn nothing_is_noticed_by_neither_and_not_explained() {
        let results = Results::read().unwrap();
        let ids: Vec<&str> = results.unexplained().iter().map(|row| row.id.as_str()).collect();
        assert!(ids.is_empty(), "{ids:?}");
        assert!(results.needless().is_empty(), "explained, and no survivor: {:?}", results.needless());
    }

    #[test]
    fn what_one_judge_does_not_notice_is_shown_to_the_other() {
        let results = Results::read().unwrap();
        let ids: Vec<&str> = results.waiting().iter().map(|row| row.id.as_str()).collect();
        assert!(ids.is_empty(), "run `cargo xtask mutate --surviving`: {ids:?}");
    }

    #[test]
    fn each_function_has_its_first_turn_before_any_has_its_second() {
        let mutant = |id: &str| Mutant {
            id: id.to_owned(),
            file: "a.rs".to_owned(),
            function: id.split('.').next().unwrap().to_owned(),
            operator: "compare",
            range: 0..1,
            to: String::new(),
            block: false,
        };
        let mutants = ["f.a.1", "f.a.2", "g.a.1", "g.a.2", "h.a.1"].map(mutant);
        let numbered: Vec<(usize, &Mutant)> = mutants.iter().enumerate().collect();
        let study = Study {
            every: 1,
            file: Vec::new(),
            only: Vec::new(),
            jobs: 1,
            minutes: None,
            limit: 900,
            side: None,
            surviving: false,
            summary: false,
        };
        let order = chosen(&study, &numbered, &Results::default()).unwrap();
        let functions: BTreeSet<&str> = order.iter().take(3).map(|(_, mutant)| mutant.function.as_str()).collect();
        assert_eq!((functions.len(), order.len()), (3, 5));
    }
}
