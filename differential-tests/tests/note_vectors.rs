//! The signed notes in `vectors/notes.json`: the implementation opens and refuses each as the file
//! says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;

use differential_tests::vectors::file::File;
use differential_tests::vectors::notes::{NoteCase, NoteExpected, by_implementation};

fn file() -> File<NoteCase> {
    File::read("notes.json")
}

#[test]
fn the_implementation_judges_every_note_as_the_file_says() {
    for test in file().tests {
        assert_eq!(by_implementation(&test.case), test.case.expected, "{}", test.comment);
    }
}

#[test]
fn every_verdict_is_met_and_every_refused_note_has_a_flag() {
    let (mut met, mut comments, mut signed) = (BTreeSet::new(), BTreeSet::new(), 0);
    for test in file().tests {
        assert!(comments.insert(test.comment.clone()), "{} twice", test.comment);
        assert_ne!(test.case.note.is_some(), test.case.bytes.is_some(), "{}", test.comment);
        match test.case.expected {
            NoteExpected::Signed(_) => signed += 1,
            NoteExpected::Refused(refused) => {
                assert!(!test.flags.is_empty(), "{}", test.comment);
                met.insert((refused.reason, format!("{:?}", refused.class)));
            }
        }
    }
    let all = [("NotSigned", "Other"), ("SignatureFalse", "False"), ("Unreadable", "Malformed")];
    assert_eq!(met, all.map(|(reason, class)| (reason.to_owned(), class.to_owned())).into());
    assert!(signed >= 15 && comments.len() >= 80, "{signed} of {}", comments.len());
}
