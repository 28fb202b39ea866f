//! The proofs in `vectors/proofs.json`: the implementation judges each as the file says, from its
//! text and from its bytes; c-kzg, which knows nothing of us, judges the openings.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use aardvark_proof::{Reason, Strictness, answer_bytes};
use differential_tests::vectors::file::File;
use differential_tests::vectors::flags::Flag;
use differential_tests::vectors::proofs::replay::{PointClaim, by_implementation, point_claims, read};
use differential_tests::vectors::proofs::{Expected, ProofCase, RefusedJson};

fn file() -> File<ProofCase> {
    File::read("proofs.json")
}

#[test]
fn the_implementation_judges_every_proof_as_the_file_says() {
    let File { trusted, tests, .. } = file();
    for test in tests {
        let (case, comment) = (&test.case, &test.comment);
        assert_eq!(by_implementation(&trusted, case, Strictness::Format), case.expected, "{comment}");
        let strict = case.strict.as_ref().unwrap_or(&case.expected);
        assert_eq!(by_implementation(&trusted, case, Strictness::Subgroup), *strict, "{comment}");
    }
}

#[test]
fn text_and_bytes_are_one_proof() {
    let mut both = 0;
    for test in file().tests {
        let Some(proof) = read(&test.case) else { continue };
        let encoded = answer_bytes::encode(&proof).ok();
        assert_eq!(encoded.as_ref(), test.case.bytes.as_ref().map(|bytes| &bytes.0), "{}", test.comment);
        if let Some(bytes) = encoded {
            assert_eq!(answer_bytes::decode(&bytes).unwrap(), proof, "{}", test.comment);
            both += 1;
        }
    }
    assert!(both > 100, "only {both} proofs have bytes");
}

/// What c-kzg says: `None` where it decodes no point.
fn c_kzg_accepts(claim: &PointClaim) -> Option<bool> {
    let settings = c_kzg::ethereum_kzg_settings(0);
    let (commitment, opening) = (c_kzg::Bytes48::new(claim.commitment), c_kzg::Bytes48::new(claim.opening));
    let (point, value) = (c_kzg::Bytes32::new(claim.point), c_kzg::Bytes32::new(claim.value));
    settings.verify_kzg_proof(&commitment, &point, &value, &opening).ok()
}

#[test]
fn c_kzg_alone_accepts_each_opening_of_the_true_proofs_and_names_the_first_false_one() {
    let File { trusted, tests, .. } = file();
    let (mut accepted, mut refused) = (0, 0);
    for test in tests {
        let case = &test.case;
        let Some(proof) = read(case) else { continue };
        let claims = point_claims(&trusted[&case.trusted], &proof);
        let verdicts = || claims.iter().map(|claim| claim.as_ref().and_then(c_kzg_accepts));
        match case.strict.as_ref().unwrap_or(&case.expected) {
            Expected::Answer(_) => {
                assert!(verdicts().all(|verdict| verdict == Some(true)), "{}", test.comment);
                accepted += claims.len();
            }
            Expected::Refused(RefusedJson { reason, item: Some(item), .. }) if reason == "AnswerOpeningFalse" => {
                assert!(verdicts().take(*item).all(|verdict| verdict == Some(true)), "{}", test.comment);
                assert_eq!(verdicts().nth(*item), Some(Some(false)), "{}", test.comment);
                refused += 1;
            }
            Expected::Refused(RefusedJson { reason, item: Some(item), .. }) if reason == "AnswerOpeningMalformed" => {
                assert_eq!(verdicts().nth(*item), Some(None), "{}", test.comment);
                refused += 1;
            }
            // The openings are honest, and something else is wrong.
            Expected::Refused(RefusedJson { reason, .. }) if reason.starts_with("Chain") => {
                assert!(verdicts().all(|verdict| verdict == Some(true)), "{}", test.comment);
                accepted += claims.len();
            }
            Expected::Refused(_) => {}
        }
    }
    assert!(accepted > 150 && refused > 30, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_reason_is_met_and_every_lie_has_a_flag() {
    let mut reasons = BTreeSet::new();
    for test in file().tests {
        if let Expected::Refused(refused) = &test.case.expected {
            assert!(!test.flags.is_empty(), "{}", test.comment);
            reasons.insert(refused.reason.clone());
        }
    }
    // Slots beyond the format's lengths cannot be written: text with one is unreadable.
    let missing = ["AnswerSlotTooLong"];
    let all = Reason::ALL.iter().map(|reason| reason.name()).filter(|name| !missing.contains(name));
    let all: BTreeSet<String> = all.chain(["Unreadable"]).map(str::to_owned).collect();
    assert_eq!(reasons, all);
}

#[test]
fn an_unused_anchor_is_not_kept_and_comments_differ() {
    let File { trusted, tests, notes, .. } = file();
    let used: BTreeSet<&String> = tests.iter().map(|test| &test.case.trusted).collect();
    assert_eq!(used, trusted.keys().collect());
    let comments: BTreeSet<&String> = tests.iter().map(|test| &test.comment).collect();
    assert_eq!(comments.len(), tests.len());
    assert!(notes.contains_key(&Flag::NeighbourGap));
}
