//! The parts of posts in `vectors/mixnet.json`: the implementation, and beside it the slow twins of
//! its proofs, judge each as the file says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use differential_tests::vectors::file::{File, Outcome};
use differential_tests::vectors::mixnet::{MixnetCase, by_implementation};

#[test]
fn the_implementation_judges_every_part_as_the_file_says() {
    for test in File::<MixnetCase>::read("mixnet.json").tests {
        assert_eq!(by_implementation(&test.case), test.case.expected, "{}", test.comment);
    }
}

#[test]
fn every_part_is_once_valid_and_every_refused_one_has_a_flag() {
    let (mut comments, mut valid, mut faults) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for test in File::<MixnetCase>::read("mixnet.json").tests {
        assert!(comments.insert(test.comment.clone()), "{} twice", test.comment);
        match test.case.expected.outcome {
            Outcome::Valid => drop(valid.insert(test.case.part)),
            _ => {
                assert!(!test.flags.is_empty(), "{}", test.comment);
                faults.insert(test.case.expected.fault.unwrap());
            }
        }
    }
    assert_eq!(valid.len(), 9);
    let expected = [
        "ColumnProofFalse",
        "DecryptionProofFalse",
        "IdentityComponent",
        "InputProofFalse",
        "Malformed",
        "NotInSubgroup",
        "PermutationProofFalse",
        "QueryOutOfRange",
        "WrongLength",
        "ZeroTestFalse",
    ];
    assert_eq!(faults, expected.map(str::to_owned).into());
}
