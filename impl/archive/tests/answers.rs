//! Proofs of answers, at every version: they hold under that version's commitments, and answer as a
//! plain map does.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use std::ops::Bound;

use aardvark_archive::{AnswerForm, Archive, ArchiveError, RedbStore};
use aardvark_commitment::VectorCommitment;
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{Change, Genesis, Identity, Key, Parameters};
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
    assert_eq!(archive.answer(question, version).unwrap(), expected(map, question));
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
fn proofs_together_and_under_a_root_alone_hold_at_every_version() {
    let mut archive = in_memory(&small(), 9);
    let scheme = archive.scheme().unwrap().clone();
    let (mut map, mut maps) = (Map::new(), vec![Map::new()]);
    let mut roots = vec![archive.validator().unwrap().root_parts()];
    for changes in history() {
        archive.import(changes.clone()).unwrap();
        apply_changes(&mut map, &changes);
        maps.push(map.clone());
        roots.push(archive.validator().unwrap().root_parts());
    }
    for ((version, map), parts) in (0..).zip(&maps).zip(roots) {
        for question in questions().iter().step_by(3) {
            let root = Some(parts.clone());
            let plain = archive.prove_answer(question, version).unwrap();
            for together in [false, true] {
                let form = AnswerForm { together, root: root.clone() };
                let proof = archive.prove_answer_as(question, version, &form).unwrap();
                assert_eq!(proof.folded_opening.is_some(), together);
                assert_eq!(archive.in_form(plain.clone(), &form).unwrap(), proof);
                let trusted = Trusted::root_alone(parts.root(), &scheme);
                assert_eq!(verify(&trusted, question, &proof), Ok(expected(map, question)));
            }
            let commitments = archive.commitments(version).unwrap();
            let (dictionary, size) = (*archive.id(), parts.size);
            let known = KnownCommitments { dictionary, scheme: &scheme, version, size, commitments: &commitments };
            let proof = archive.in_form(plain, &AnswerForm { together: true, root: None }).unwrap();
            assert_eq!(verify(&Trusted::Commitments(known), question, &proof), Ok(expected(map, question)));
        }
    }
}

#[test]
fn an_identity_is_what_genesis_has_and_a_root_of_another_version_is_refused() {
    let entries = vec![("a".into(), "1".into()), ("b".into(), "".into())];
    let parameters = Parameters { vector_size: 4, window: 3, ..Parameters::default() };
    let scheme = small();
    let identity = Identity::new("named", [7; 32]).unwrap().with_binding(vec![1]);
    let genesis = Genesis::new(identity, parameters, scheme.setup_digest(), entries).unwrap();
    let store = Box::new(RedbStore::in_memory().unwrap());
    let mut archive = Archive::builder().scheme(scheme).create_on(store, &genesis).unwrap();
    let identity = archive.dictionary_identity().unwrap();
    assert_eq!((identity.id(), identity.name.as_slice()), (genesis.dictionary_id(), b"named".as_slice()));
    assert_eq!(archive.dictionary_identity().unwrap(), identity);

    let before = archive.validator().unwrap().root_parts();
    archive.import(history().remove(0)).unwrap();
    let now = archive.validator().unwrap().root_parts();
    let refused = |parts: &RootParts, version: u64| {
        let form = AnswerForm { together: true, root: Some(parts.clone()) };
        let verdict = archive.prove_answer_as(&Question::key("a"), version, &form);
        matches!(verdict, Err(ArchiveError::OtherRoot { version: at }) if at == version)
    };
    assert!(refused(&before, 1) && refused(&now, 0) && !refused(&now, 1) && !refused(&before, 0));
    assert!(refused(&RootParts { dictionary: [0; 32], ..now.clone() }, 1));
    assert!(refused(&RootParts { size: 2, ..now.clone() }, 1));
    assert!(refused(&RootParts { commitment_root: [0; 32], ..now }, 1));
}

#[test]
fn questions_that_nobody_can_ask_and_versions_that_are_not_there_are_refused() {
    let archive = in_memory(&small(), 9);
    let refused = |question: Question, version| archive.prove_answer(&question, version).unwrap_err();
    let unordered = Question::Region(Region::Keys(["b", "a"].map(Key::from).to_vec()));
    for question in [unordered, Question::range("b", "a", None), Question::range("a", "", Some(0))] {
        assert!(matches!(archive.answer(&question, 0), Err(ArchiveError::IllegalQuestion)));
        assert!(matches!(refused(question, 0), ArchiveError::IllegalQuestion));
    }
    assert!(matches!(refused(Question::key(Key::empty()), 0), ArchiveError::EmptyKey));
    let long = Key::from(vec![b'k'; 256]);
    assert!(matches!(refused(Question::Successor(long), 0), ArchiveError::KeyTooLong { .. }));
    assert!(matches!(refused(Question::key("a"), 1), ArchiveError::VersionOutOfRange { .. }));
}
