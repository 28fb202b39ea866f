//! Proofs of answers, at every version: they hold under that version's commitments, and answer as a
//! plain map does.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use std::ops::Bound;

use aardvark_archive::{Archive, ArchiveError};
use aardvark_dictionary::{Change, Key};
use aardvark_proof::{Answer, Entry, KeyAnswer, KnownCommitments, Question, RangeAnswer, Region, Trusted, verify};
use common::{Map, apply_changes, change, in_memory, small};

/// Inserts, updates and deletes, so that slots move and positions are out of key order.
fn history() -> Vec<Vec<Change>> {
    let put = |keys: &[&str], value: &str| keys.iter().map(|key| change(key, Some(value))).collect::<Vec<_>>();
    let delete = |keys: &[&str]| keys.iter().map(|key| change(key, None)).collect::<Vec<_>>();
    vec![
        put(&["m", "q", "u"], "1"),
        put(&["a", "c", "m", "n"], "2"),
        delete(&["a", "m"]),
        [delete(&["c"]), put(&["b", "x"], "3")].concat(),
        delete(&["b", "n", "q", "u", "x"]),
    ]
}

fn expected(map: &Map, question: &Question) -> Answer {
    let entry = |(key, value): (&Key, &_)| Entry { key: key.clone(), value: Clone::clone(value) };
    match question {
        Question::Region(Region::Keys(keys)) => {
            let answer = |key: &Key| KeyAnswer { key: key.clone(), value: map.get(key).cloned() };
            Answer::Keys(keys.iter().map(answer).collect())
        }
        Question::Region(Region::Range(range)) => {
            let from = map.range::<Key, _>((Bound::Included(&range.from), Bound::Unbounded));
            let within = from.take_while(|(key, _)| range.to.is_empty() || **key < range.to);
            let mut entries: Vec<Entry> = within.map(entry).collect();
            let most = range.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap());
            let resume = entries.get(most).map(|entry| entry.key.clone());
            entries.truncate(most);
            Answer::Range(RangeAnswer { entries, resume })
        }
        Question::Predecessor(asked) => Answer::Predecessor(map.range::<Key, _>(..asked).next_back().map(entry)),
        Question::Successor(asked) => {
            let above = map.range::<Key, _>((Bound::Excluded(asked), Bound::Unbounded)).next();
            Answer::Successor(above.map(|(key, _)| key.clone()))
        }
    }
}

fn questions() -> Vec<Question> {
    let points = ["\0", "a", "b", "m", "mm", "q", "x", "z"].map(Key::from);
    let mut all = vec![Question::keys(points.clone()), Question::range("", "", None)];
    for (i, from) in points.iter().enumerate() {
        all.extend([Question::key(from.clone()), Question::Predecessor(from.clone())]);
        all.extend([Question::Successor(from.clone()), Question::range(from.clone(), "", Some(2))]);
        let ranges = points[i + 1..].iter().map(|to| Question::range(from.clone(), to.clone(), None));
        all.extend(ranges);
    }
    all
}

fn holds(archive: &Archive, map: &Map, question: &Question, version: u64) {
    let commitments = archive.commitments(version).unwrap();
    let scheme = archive.scheme().unwrap();
    let size = archive.version_info(version).unwrap().size;
    let dictionary = *archive.id();
    let known = KnownCommitments { dictionary, scheme, version, size, commitments: &commitments };
    let proof = archive.prove_answer(question, version).unwrap();
    let answer = verify(&Trusted::Commitments(known), question, &proof);
    assert_eq!(answer, Ok(expected(map, question)), "version {version}: {question:?}");
}

#[test]
fn answers_at_every_version_are_those_of_a_plain_map() {
    let mut archive = in_memory(&small(), 9);
    let (mut map, mut maps) = (Map::new(), vec![Map::new()]);
    for changes in history() {
        archive.import(changes.clone()).unwrap();
        apply_changes(&mut map, &changes);
        maps.push(map.clone());
    }
    for (version, map) in (0..).zip(&maps) {
        questions().iter().for_each(|question| holds(&archive, map, question, version));
    }
}

#[test]
fn questions_that_nobody_can_ask_and_versions_that_are_not_there_are_refused() {
    let archive = in_memory(&small(), 9);
    let refused = |question: Question, version| archive.prove_answer(&question, version).unwrap_err();
    let unordered = Question::Region(Region::Keys(["b", "a"].map(Key::from).to_vec()));
    for question in [unordered, Question::range("b", "a", None), Question::range("a", "", Some(0))] {
        assert!(matches!(refused(question, 0), ArchiveError::IllegalQuestion));
    }
    assert!(matches!(refused(Question::key(Key::empty()), 0), ArchiveError::EmptyKey));
    let long = Key::from(vec![b'k'; 256]);
    assert!(matches!(refused(Question::Successor(long), 0), ArchiveError::KeyTooLong { .. }));
    assert!(matches!(refused(Question::key("a"), 1), ArchiveError::VersionOutOfRange { .. }));
}
