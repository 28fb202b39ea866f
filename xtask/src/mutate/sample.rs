//! Whether the proofs say of a few mutants what is recorded.

use std::time::{Duration, Instant};

use crate::chore::{ChoreError, root};
use crate::mutate::proofs::Proofs;
use crate::mutate::results::Results;
use crate::mutate::sites::{Mutant, mutants_of};
use crate::mutate::specification::Specification;

/// Mutants that the proofs notice soon.
const SAMPLE: [&str; 2] = ["keys_are_accounts.bound.1", "run_operations.bound.1"];

/// The most that the proofs may spend on one of them.
const LIMIT: Duration = Duration::from_secs(900);

/// Has the proofs, which must be compiled, judge the sample; fails where they no longer say what
/// is recorded.
pub fn check() -> Result<(), ChoreError> {
    let begun = Instant::now();
    let specification = Specification::read(&root().join("spec/src"))?;
    let results = Results::read()?;
    let proofs = Proofs::new(&root().join("target/mutate/sample"))?;
    let all: Vec<Mutant> = specification.files.iter().flat_map(|file| mutants_of(&specification, file)).collect();
    for id in SAMPLE {
        let found = all.iter().find(|mutant| mutant.id == id).zip(results.rows.get(id));
        let (mutant, recorded) =
            found.ok_or_else(|| ChoreError::Mutation(format!("{id}: no mutant, or not recorded")))?;
        let text = specification.files.iter().find(|file| file.name == mutant.file).map_or("", |file| &file.text);
        let mut row = recorded.clone();
        row.set_proofs(&proofs.judge(mutant, text, LIMIT)?, 0.0);
        if row.proofs != recorded.proofs {
            return Err(ChoreError::Mutation(format!(
                "{id}: recorded is {} {}, and the proofs say {} {}",
                recorded.proofs, recorded.lemma, row.proofs, row.lemma
            )));
        }
    }
    println!("{} mutants are noticed as recorded, in {:.0} s", SAMPLE.len(), begun.elapsed().as_secs_f64());
    Ok(())
}
