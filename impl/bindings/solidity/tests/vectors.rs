//! The vectors that every implementation is tested with: those that ask for one key, by one claim
//! with its own opening, under commitments or under a root with its dictionary.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use harness::abi::answer;
use harness::chain::{Chain, Outcome};
use harness::proofs::{Hex, KnownCommitments, KnownRoot, Proof, under_commitment, under_root};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    trusted: BTreeMap<String, Trusted>,
    tests: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Trusted {
    Commitments(KnownCommitments),
    Root(KnownRoot),
    RootAlone(#[allow(dead_code)] Hex),
}

#[derive(Deserialize)]
struct Vector {
    id: u64,
    comment: String,
    trusted: String,
    question: serde_json::Value,
    proof: Option<String>,
    expected: Expected,
    strict: Option<Expected>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Answer(serde_json::Value),
    Refused(Refused),
}

#[derive(Deserialize)]
struct Refused {
    reason: String,
}

/// What a contract cannot be asked: it is never shown what a proof says of itself, and its caller
/// reads the text.
const NOT_SHOWN: [&str; 6] =
    ["Unreadable", "OtherDictionary", "OtherScheme", "OtherVectorSize", "OtherVersion", "OtherQuestion"];

#[test]
fn the_contract_answers_and_refuses_as_the_vectors_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../differential-tests/vectors/proofs.json");
    let (answered, reached) = judge(&path, true);
    assert!(answered >= 10, "{answered}");
    for reason in ["AnswerOpeningFalse", "ChainNotCovering", "PathFalse", "RootFalse", "AnswerPositionOutOfRange"] {
        assert!(reached.contains(reason), "{reason}");
    }
}

/// Proofs of random dictionaries that `cargo xtask bindings` made just now. They have several
/// faults at once, of which the contract, which looks at points last, may name another one.
#[test]
fn the_contract_answers_and_refuses_fresh_proofs() {
    let Some(path) = std::env::var_os("AARDVARK_FRESH_PROOFS") else {
        println!("skipped: cargo xtask bindings makes fresh proofs");
        return;
    };
    let (answered, reached) = judge(Path::new(&path), false);
    assert!(answered >= 1 && !reached.is_empty(), "{answered} answers; refused for {reached:?}");
}

/// Gives all proofs of one key in a file to the contract: how many it answered, and for which
/// reasons it refused the others. Reasons are compared where that is asked for.
fn judge(path: &Path, reasons: bool) -> (u32, BTreeSet<String>) {
    let vectors: Vectors = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut chain = Chain::new();
    let verifier = chain.deploy("AardvarkVerifier", &[]);
    let (mut answered, mut reached) = (0, BTreeSet::new());
    for Vector { id, comment, trusted, question, proof, expected, strict } in &vectors.tests {
        let proof = proof.as_ref().and_then(|proof| serde_json::from_str::<Proof>(proof).ok());
        let (Some(proof), Some([key])) = (proof, question["keys"].as_array().map(Vec::as_slice)) else { continue };
        let key: Hex = serde_json::from_value(key.clone()).unwrap();
        let [claim] = proof.claims.as_slice() else { continue };
        let data = match (&vectors.trusted[trusted], &proof.root) {
            (Trusted::Root(known), Some(tie)) => under_root(known, &key.0, proof.version, claim, tie),
            (Trusted::Commitments(known), None) => {
                let vector = claim.position / known.vector_size;
                let Some(commitment) = known.commitments.get(usize::try_from(vector).unwrap_or(usize::MAX)) else {
                    continue;
                };
                under_commitment(known, vector, &key.0, claim, commitment)
            }
            _ => continue,
        };
        let outcome = chain.call(verifier, &data).outcome;
        match strict.as_ref().unwrap_or(expected) {
            Expected::Answer(wanted) => {
                let Outcome::Returned(output) = &outcome else { panic!("{id}, {comment}: {outcome:?}") };
                let wanted: Option<Hex> = serde_json::from_value(wanted["keys"][0]["value"].clone()).unwrap();
                assert_eq!(answer(output), wanted.map(|wanted| wanted.0), "{id}, {comment}");
                answered += 1;
            }
            Expected::Refused(Refused { reason }) if NOT_SHOWN.contains(&reason.as_str()) => (),
            Expected::Refused(Refused { reason }) => {
                let Outcome::Reverted(error) = &outcome else { panic!("{id}, {comment}: {outcome:?}") };
                // Points are looked at last, and what the precompile says of one is no more than
                // that it proves nothing.
                let told: &[&str] = match reason.as_str() {
                    "AnswerOpeningMalformed" => &["AnswerOpeningFalse"],
                    "CommitmentMalformed" => &["RootFalse", "PathFalse", "AnswerOpeningFalse"],
                    reason => &[reason],
                };
                assert!(!reasons || told.contains(&error.as_str()), "{id}, {comment}: {error} for {reason}");
                reached.insert(error.clone());
            }
        }
    }
    println!("{answered} answers; refused for {reached:?}");
    (answered, reached)
}
