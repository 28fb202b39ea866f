//! Every state in which a kill can leave a creation, and folders that are somebody else's.

use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_commitment::insecure::kzg_with_known_tau;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{Change, Genesis, Identity, Parameters};

use super::*;
use crate::archive::Archive;

fn scheme() -> Arc<Scheme> {
    Arc::new(kzg_with_known_tau(4, Scalar::from(9)).unwrap().into())
}

fn create(path: &Path) -> Result<Archive, ArchiveError> {
    let parameters = Parameters { vector_size: 4, ..Parameters::default() };
    let genesis =
        Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme().setup_digest(), Vec::new()).unwrap();
    Archive::builder().scheme(scheme()).create(path, &genesis)
}

/// What stands in a folder: names and bytes.
fn contents(path: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

/// The files of a creation after each of its steps, the last but one being the one before the
/// archive is there.
fn states(whole: &Path) -> Vec<Vec<(&'static str, Vec<u8>)>> {
    let store = fs::read(whole.join(STORE)).unwrap();
    let marker = marker_text().into_bytes();
    let mut states = vec![
        Vec::new(),
        vec![(CREATING, Vec::new())],
        vec![(CREATING, marker[..5].to_vec())],
        vec![(CREATING, marker.clone())],
        vec![(CREATING, marker.clone()), ("lagrange.17.0.draft", b"half".to_vec())],
        vec![(CREATING, marker.clone()), (LAGRANGE, b"whole".to_vec())],
    ];
    for length in [0, 100, 4096, store.len() - 1, store.len()] {
        let lagrange = (LAGRANGE, b"whole".to_vec());
        states.push(vec![(CREATING, marker.clone()), lagrange, (STORE, store[..length].to_vec())]);
    }
    // The claim of creations before there was `format.creating`.
    states.push(vec![(STORE, Vec::new())]);
    states
}

#[test]
fn a_folder_that_a_killed_creation_has_left_is_named_by_open_and_taken_by_the_next_creation() {
    let parent = tempfile::tempdir().unwrap();
    let whole = parent.path().join("whole");
    drop(create(&whole).unwrap());
    for (number, state) in states(&whole).into_iter().enumerate() {
        let path = parent.path().join(number.to_string());
        fs::create_dir(&path).unwrap();
        state.iter().for_each(|(name, bytes)| fs::write(path.join(name), bytes).unwrap());
        let refusal = Archive::builder().scheme(scheme()).open(&path).err().unwrap();
        assert!(matches!(refusal, ArchiveError::NotAnArchive { .. }), "state {number}: {refusal}");
        assert_eq!(refusal.to_string().contains("interrupted"), !state.is_empty(), "state {number}: {refusal}");
        let mut archive = create(&path).unwrap_or_else(|error| panic!("state {number}: {error}"));
        archive.import(vec![Change { key: "a".into(), value: Some("1".into()) }]).unwrap();
        assert!(archive.audit(&mut |_| {}).unwrap().is_clean());
        drop(archive);
        Archive::builder().scheme(scheme()).open(&path).unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 2, "state {number}: the store, the marker, nothing else");
    }
}

#[test]
fn nothing_is_removed_from_a_folder_that_holds_anything_else() {
    let parent = tempfile::tempdir().unwrap();
    let whole = parent.path().join("whole");
    drop(create(&whole).unwrap());
    let store = fs::read(whole.join(STORE)).unwrap();
    let marker = marker_text().into_bytes();
    let letter = ("letter.txt", b"dear".to_vec());
    let strangers = [
        vec![letter.clone()],
        vec![(CREATING, marker.clone()), letter.clone()],
        vec![(CREATING, marker.clone()), (STORE, store.clone()), letter],
        vec![(CREATING, b"my own notes".to_vec()), (STORE, store.clone())],
        vec![(CREATING, [marker.clone(), b"and more".to_vec()].concat())],
        vec![("lagrange.txt", b"Joseph-Louis".to_vec()), (CREATING, marker.clone())],
        // An archive whose marker is lost: it may hold everything.
        vec![(STORE, store.clone()), (LAGRANGE, b"whole".to_vec())],
        vec![(LAGRANGE, b"whole".to_vec())],
        // A whole one.
        vec![("format", marker), (STORE, store)],
    ];
    for (number, state) in strangers.into_iter().enumerate() {
        let path = parent.path().join(number.to_string());
        fs::create_dir(&path).unwrap();
        state.iter().for_each(|(name, bytes)| fs::write(path.join(name), bytes).unwrap());
        let before = contents(&path);
        let refusal = create(&path).err().unwrap_or_else(|| panic!("folder {number} was taken"));
        assert!(matches!(refusal, ArchiveError::NotEmpty { .. }), "folder {number}: {refusal}");
        assert_eq!(contents(&path), before, "folder {number}");
    }
    // Not a file, whatever its name.
    let path = parent.path().join("folders");
    fs::create_dir_all(path.join(STORE)).unwrap();
    assert!(matches!(create(&path).err(), Some(ArchiveError::NotEmpty { .. })));
    assert!(path.join(STORE).is_dir());
}

#[test]
fn of_two_creations_in_one_folder_the_second_is_refused_and_the_first_goes_on() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("archive");
    let first = Creation::begin(&path).unwrap();
    fs::write(first.directory().store(), b"at work").unwrap();
    assert!(matches!(Creation::begin(&path).err(), Some(ArchiveError::NotEmpty { .. })));
    assert_eq!(fs::read(first.directory().store()).unwrap(), b"at work");
    first.abandon();
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    create(&path).unwrap();
}
