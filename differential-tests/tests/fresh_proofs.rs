//! Fresh proofs of random dictionaries on the ceremony: written for the verifiers in other
//! languages, with what specification, oracle and implementation say of each.
//!
//! `AARDVARK_SEED` (decimal) makes the file of a seed that was printed once more.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use aardvark_proof::Strictness;
use differential_tests::fresh_proofs::{fresh_proofs, path};
use differential_tests::vectors::file::File;
use differential_tests::vectors::proofs::replay::by_implementation;
use differential_tests::vectors::proofs::{Expected, ProofCase};

fn seed() -> u64 {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64;
    std::env::var("AARDVARK_SEED").map_or_else(|_| now(), |text| text.parse().unwrap())
}

#[test]
fn fresh_proofs_are_judged_alike_and_written_for_other_languages() {
    let seed = seed();
    println!("AARDVARK_SEED={seed}");
    let file = fresh_proofs(seed).unwrap_or_else(|mismatch| panic!("seed {seed}: {mismatch}"));
    let text = file.to_json();
    // What the file says is what comes of it for whoever reads it, on the published setup.
    let File { trusted, tests, .. } = serde_json::from_str::<File<ProofCase>>(&text).unwrap();
    let mut said = BTreeMap::<String, u32>::new();
    for test in &tests {
        let (case, comment) = (&test.case, &test.comment);
        assert_eq!(by_implementation(&trusted, case, Strictness::Format), case.expected, "seed {seed}: {comment}");
        let strict = case.strict.as_ref().unwrap_or(&case.expected);
        assert_eq!(by_implementation(&trusted, case, Strictness::Subgroup), *strict, "seed {seed}: {comment}");
        let name = match &case.expected {
            Expected::Answer(_) => "answer".to_owned(),
            Expected::Refused(refused) => format!("{:?}", refused.class),
        };
        *said.entry(name).or_default() += 1;
    }
    println!("{said:?}");
    for (name, least) in [("answer", 60), ("Malformed", 10), ("Other", 5), ("False", 20)] {
        assert!(said.get(name).is_some_and(|count| *count >= least), "seed {seed}: {name}: {said:?}");
    }
    let path = path();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
