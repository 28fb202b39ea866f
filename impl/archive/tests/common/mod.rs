//! Small dictionaries on a scheme whose secret is known, and plain maps beside them.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_archive::{Archive, RedbStore};
use aardvark_commitment::insecure::{kzg_with_known_tau, libert_yung_with_known_alpha};
use aardvark_commitment::{Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::{Change, Claim, Genesis, Identity, Key, Parameters, Value};

/// What a dictionary means.
pub type Map = BTreeMap<Key, Value>;

/// A scheme for vectors of N slots.
pub fn scheme(kind: SchemeKind, vector_size: u32) -> Arc<Scheme> {
    let size = usize::try_from(vector_size).unwrap();
    let secret = Scalar::from(0x5ec2e7);
    Arc::new(match kind {
        SchemeKind::Kzg => kzg_with_known_tau(size, secret).unwrap().into(),
        SchemeKind::LibertYung => libert_yung_with_known_alpha(size, secret).unwrap().into(),
    })
}

/// KZG for vectors of four slots.
pub fn small() -> Arc<Scheme> {
    scheme(SchemeKind::Kzg, 4)
}

/// A genesis with some entries.
pub fn genesis(scheme: &Scheme, window: u32, entries: &Map) -> Genesis {
    let vector_size = u32::try_from(scheme.vector_size()).unwrap();
    let parameters = Parameters { scheme: scheme.kind(), vector_size, window, ..Parameters::default() };
    let entries = entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), entries).unwrap()
}

/// An archive in memory, with nothing in it.
pub fn in_memory(scheme: &Arc<Scheme>, window: u32) -> Archive {
    let store = Box::new(RedbStore::in_memory().unwrap());
    let genesis = genesis(scheme, window, &Map::new());
    Archive::builder().scheme(scheme.clone()).create_on(store, &genesis).unwrap()
}

/// A change, as an import brings it.
pub fn change(key: &str, value: Option<&str>) -> Change {
    Change { key: key.into(), value: value.map(Value::from) }
}

/// Changes a map as an import changes a dictionary.
pub fn apply_changes(map: &mut Map, changes: &[Change]) {
    for change in changes {
        match &change.value {
            Some(value) => drop(map.insert(change.key.clone(), value.clone())),
            None => drop(map.remove(&change.key)),
        }
    }
}

/// Whether a claim is true under the commitments of its version.
pub fn holds(archive: &aardvark_archive::Snapshot, claim: &Claim, version: u64) -> bool {
    let scheme = archive.scheme().unwrap();
    let vector_size = archive.parameters().positions_per_vector();
    let commitments = archive.commitments(version).unwrap();
    let vector = usize::try_from(claim.position / vector_size).unwrap();
    let index = usize::try_from(claim.position % vector_size).unwrap();
    let opening = aardvark_commitment::Opening::from_bytes(&claim.opening).unwrap();
    scheme.verify(&commitments[vector], index, &claim.slot.scalar(), &opening)
}

/// Checks that a version of an archive says of some keys what a map says, and proves it.
pub fn assert_agrees<'k>(archive: &Archive, version: u64, map: &Map, keys: impl Iterator<Item = &'k str>) {
    let keys: Vec<Key> = keys.map(Key::from).collect();
    let claims = archive.prove_many(&keys, version).unwrap();
    for (key, claim) in keys.iter().zip(claims) {
        assert_eq!(archive.get(key, version).unwrap().as_ref(), map.get(key), "{key} at version {version}");
        assert_eq!(claim, archive.prove(key, version).unwrap());
        assert!(claim.slot.covers(key), "{key} at version {version}: {claim:?}");
        assert_eq!((claim.slot.key == *key).then_some(&claim.slot.value), map.get(key));
        assert!(holds(archive, &claim, version), "{key} at version {version}: {claim:?}");
        let delete = archive.prove_delete(key, version).unwrap();
        assert_eq!(delete[0], claim);
        assert_eq!(delete.len(), 1 + usize::from(map.contains_key(key)));
        if let Some(predecessor) = delete.get(1) {
            assert_eq!(predecessor.slot.next, *key);
            assert!(holds(archive, predecessor, version));
        }
    }
    let size = archive.version_info(version).unwrap().size;
    assert_eq!(size, u64::try_from(map.len()).unwrap() + 1);
}

/// Checks that an audit has nothing to say.
pub fn assert_clean(archive: &Archive) {
    let report = archive.audit(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:#?}", report.findings);
    assert_eq!(report.versions, archive.version() + 1);
}
