//! What an audit does not believe because it lies in the folder that is audited, and what it is
//! held against instead.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use aardvark_algebra::SplitTable;
use aardvark_archive::{Anchor, AnchoredCommitments, Archive, AuditReport, Fault, Place};
use aardvark_commitment::{Commitment, setups};
use aardvark_dictionary::{Genesis, Identity, Parameters, Validator};
use common::{change, in_memory, small};

/// Bytes of a point in the cache, and of what stands before the points and behind them.
const POINT: usize = 96;
const HEADER: usize = 18 + 4 + 32;
const CHECKSUM: usize = 4;

/// An empty archive on the ceremony, closed.
fn on_the_ceremony(directory: &Path) -> PathBuf {
    let path = directory.join("archive");
    let parameters = Parameters { vector_size: 8, ..Parameters::default() };
    let digest = setups::published_digest(parameters.scheme, parameters.vector_size).unwrap();
    let genesis = Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, digest, Vec::new()).unwrap();
    drop(Archive::builder().create(&path, &genesis).unwrap());
    path
}

/// Exchanges two points of the cached basis and puts the checksum right.
fn swap_points_of_the_cache(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let content = bytes.len() - CHECKSUM;
    assert_eq!(content, HEADER + SplitTable::ENTRIES * 8 * POINT);
    let (first, second) = bytes[HEADER + POINT..].split_at_mut(POINT);
    first.swap_with_slice(&mut second[..POINT]);
    let checksum = crc32c::crc32c(&bytes[..content]);
    bytes[content..].copy_from_slice(&checksum.to_be_bytes());
    fs::write(path, bytes).unwrap();
}

fn audit(archive: &Archive, anchor: &Anchor) -> AuditReport {
    archive.audit_against(Some(anchor), &mut |_| {}).unwrap()
}

#[test]
fn an_audit_derives_the_lagrange_basis_and_names_a_cached_one_that_differs() {
    let directory = tempfile::tempdir().unwrap();
    let path = on_the_ceremony(directory.path());
    let cache = path.join("lagrange");
    let honest = fs::read(&cache).unwrap();
    swap_points_of_the_cache(&cache);
    let mut archive = Archive::builder().open(&path).unwrap();
    archive.import(vec![change("a", Some("1")), change("b", Some("2"))]).unwrap();
    drop(archive);
    let places = |archive: &Archive| -> Vec<Place> {
        archive.audit(&mut |_| {}).unwrap().findings.into_iter().map(|finding| finding.place).collect()
    };
    let archive = Archive::builder().open_read_only(&path).unwrap();
    let found = places(&archive);
    assert!(found.contains(&Place::Cache(cache.clone())), "{found:?}");
    assert!(found.contains(&Place::Commitment(0)), "what was computed with it is wrong: {found:?}");

    // An archive whose commitments are right, with a cache that was exchanged later, or damaged.
    drop(archive);
    let other = tempfile::tempdir().unwrap();
    let path = on_the_ceremony(other.path());
    Archive::builder().open(&path).unwrap().import(vec![change("a", Some("1"))]).unwrap();
    let cache = path.join("lagrange");
    swap_points_of_the_cache(&cache);
    assert_eq!(places(&Archive::builder().open_read_only(&path).unwrap()), [Place::Cache(cache.clone())]);
    fs::write(&cache, &honest[1..]).unwrap();
    assert_eq!(places(&Archive::builder().open_read_only(&path).unwrap()), [Place::Cache(cache.clone())]);
    fs::write(&cache, &honest).unwrap();
    assert_eq!(places(&Archive::builder().open_read_only(&path).unwrap()), []);
    // A file of the format before, which nothing reads.
    fs::write(&cache, [&honest[..17], &[1], &honest[18..]].concat()).unwrap();
    assert_eq!(places(&Archive::builder().open_read_only(&path).unwrap()), []);
    // It is a cache: none at all is none too many.
    fs::remove_file(&cache).unwrap();
    assert_eq!(places(&Archive::builder().open_read_only(&path).unwrap()), []);
}

/// What somebody notes of an archive's newest version.
fn noted(archive: &Archive) -> AnchoredCommitments {
    AnchoredCommitments {
        dictionary: *archive.id(),
        version: archive.version(),
        size: archive.size(),
        commitments: archive.commitments(archive.version()).unwrap().iter().map(Commitment::to_bytes).collect(),
    }
}

#[test]
fn an_archive_is_held_against_commitments_and_roots_of_any_of_its_versions() {
    let mut archive = in_memory(&small(), 2);
    let root = |archive: &Archive| archive.validator().as_ref().map(Validator::root).unwrap();
    let mut notes = vec![(noted(&archive), root(&archive))];
    for number in 1..=6u32 {
        let keys = (0..number * 3 % 11).map(|key| (key.to_string(), (key % number != 0).then(|| number.to_string())));
        let changes: Vec<_> = keys.chain([("count".to_owned(), Some(number.to_string()))]).collect();
        archive.import(changes.iter().map(|(key, value)| change(key, value.as_deref())).collect()).unwrap();
        notes.push((noted(&archive), root(&archive)));
    }
    assert!(archive.oldest_version() > 1, "some versions are beyond retention");
    for (version, (known, root)) in (0..).zip(&notes) {
        let anchors = [
            Anchor::Commitments(known.clone()),
            Anchor::Root { version: Some(version), root: *root },
            Anchor::Root { version: (version < archive.version()).then_some(version), root: *root },
        ];
        for anchor in anchors {
            let report = audit(&archive, &anchor);
            assert!(report.is_clean(), "{:#?}", report.findings);
            assert_eq!(report.anchored, Some(version));
            assert_eq!(report.root, notes.last().map(|(_, root)| *root));
        }
    }
}

#[test]
fn an_archive_that_is_not_the_anchors_is_found_to_be_another() {
    let mut archive = in_memory(&small(), 2);
    archive.import(vec![change("a", Some("1")), change("b", Some("2")), change("c", Some("3"))]).unwrap();
    archive.import(vec![change("d", Some("4")), change("e", Some("5"))]).unwrap();
    let (known, root) = (noted(&archive), archive.validator().unwrap().root());
    let only_fault = |archive: &Archive, anchor: &Anchor| {
        let report = audit(archive, anchor);
        let [finding] = report.findings.as_slice() else {
            panic!("{report:#?}");
        };
        assert_eq!(finding.place, Place::Anchor(2), "{finding}");
        finding.fault.clone()
    };
    let commitments = |change: &dyn Fn(&mut AnchoredCommitments)| {
        let mut other = known.clone();
        change(&mut other);
        Anchor::Commitments(other)
    };
    // Another dictionary's store, which agrees with itself.
    let mut other = in_memory(&small(), 3);
    other.import(vec![change("a", Some("1")), change("b", Some("2")), change("c", Some("3"))]).unwrap();
    other.import(vec![change("d", Some("4")), change("e", Some("5"))]).unwrap();
    assert!(other.audit(&mut |_| {}).unwrap().is_clean());
    assert_eq!(only_fault(&other, &commitments(&|_| ())), Fault::OtherDictionary(other.id().0));
    let others_root = other.validator().unwrap().root();
    assert_eq!(only_fault(&other, &Anchor::Root { version: None, root }), Fault::OtherRoot(others_root));
    // The same dictionary with another history, and with the last version taken back.
    let mut other = in_memory(&small(), 2);
    other.import(vec![change("a", Some("1")), change("b", Some("2")), change("c", Some("3"))]).unwrap();
    let last_taken_back = only_fault(&other, &commitments(&|_| ()));
    assert_eq!(last_taken_back, Fault::Behind(1));
    assert_eq!(only_fault(&other, &Anchor::Root { version: Some(2), root }), Fault::Behind(1));
    other.import(vec![change("d", Some("4")), change("e", Some("other"))]).unwrap();
    assert_eq!(only_fault(&other, &commitments(&|_| ())), Fault::OtherCommitments { first: 1, number: 1 });
    // Anchors that say something else.
    let fault = only_fault(&archive, &commitments(&|known| known.size = 9));
    assert_eq!(fault, Fault::OtherSize { stored: 6, anchored: 9 });
    let fault = only_fault(&archive, &commitments(&|known| known.commitments.truncate(1)));
    assert_eq!(fault, Fault::OtherCommitments { first: 1, number: 1 });
    let fault = only_fault(&archive, &commitments(&|known| known.commitments.push([0; 48])));
    assert_eq!(fault, Fault::OtherCommitments { first: 2, number: 1 });
    let fault = only_fault(&archive, &Anchor::Root { version: Some(2), root: [0; 32] });
    assert_eq!(fault, Fault::OtherRoot(root));
    let text = audit(&archive, &Anchor::Root { version: None, root: [0; 32] }).findings[0].to_string();
    assert!(text.starts_with("version 2 against what it was to be: its state root is 0x"), "{text}");
}
