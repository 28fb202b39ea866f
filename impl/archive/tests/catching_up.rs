//! An archive that reads what another one writes to the same store.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use std::sync::Arc;

use aardvark_archive::store::Store;
use aardvark_archive::{Archive, OpeningCosts, OpeningOptions, RedbStore};
use aardvark_dictionary::Key;
use common::{Map, change, genesis, small};
use proptest::prelude::*;

const KEYS: [&str; 12] = ["a", "aa", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
/// Snapshots at the first ask, changes followed at any distance.
const EAGER: OpeningCosts = OpeningCosts { open: 1.0, open_all: 1.0, delta: 0.0, stored: 0.0 };

/// A writer, and a reader of the same store.
fn writer_and_reader(retention: u64, budget: usize) -> (Archive, Archive) {
    let scheme = small();
    let store: Arc<dyn Store> = Arc::new(RedbStore::in_memory().unwrap());
    let builder = Archive::builder().retention(retention).scheme(scheme.clone());
    let writer = builder.create_on(Box::new(Arc::clone(&store)), &genesis(&scheme, 0, &Map::new())).unwrap();
    let mut reader = builder.open_on(Box::new(store)).unwrap();
    reader.set_opening_options(&OpeningOptions { budget, costs: Some(EAGER) });
    (writer, reader)
}

fn keys() -> Vec<Key> {
    KEYS.iter().map(|key| Key::from(*key)).collect()
}

/// The reader says of every version that can be read what the writer says.
fn assert_agree(writer: &Archive, reader: &Archive) {
    assert_eq!((reader.version(), reader.size()), (writer.version(), writer.size()));
    for version in writer.oldest_version()..=writer.version() {
        let claims = reader.prove_many(&keys(), version).unwrap();
        assert_eq!(claims, writer.prove_many(&keys(), version).unwrap());
        assert!(claims.iter().all(|claim| common::holds(writer, claim, version)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_reader_that_catches_up_proves_what_the_writer_proves(
        retention in 0..6u64,
        budget in prop_oneof![Just(0usize), Just(2_000), Just(1 << 20)],
        rounds in prop::collection::vec(
            prop::collection::vec(prop::collection::vec((0..KEYS.len(), prop::option::of(0..9u8)), 0..9), 0..4),
            1..6,
        ),
    ) {
        let (mut writer, mut reader) = writer_and_reader(retention, budget);
        for round in rounds {
            reader.warm_openings().unwrap();
            for changes in round {
                let text = |value: u8| value.to_string();
                let changes = changes.iter().map(|(key, value)| change(KEYS[*key], value.map(text).as_deref()));
                writer.import(changes.collect()).unwrap();
            }
            prop_assert_eq!(reader.catch_up().unwrap(), writer.version());
            assert_agree(&writer, &reader);
        }
    }
}

#[test]
fn what_a_reader_holds_follows_the_writer_and_nothing_is_computed_anew() {
    let (mut writer, mut reader) = writer_and_reader(3, 1 << 20);
    writer.import(KEYS.iter().map(|key| change(key, Some("0"))).collect()).unwrap();
    assert_eq!(reader.catch_up().unwrap(), 1);
    reader.warm_openings().unwrap();
    let before = reader.snapshot();
    for version in 2..=4 {
        writer.import(vec![change("c", Some(&version.to_string())), change("h", None)]).unwrap();
    }
    assert_eq!((reader.version(), reader.catch_up().unwrap(), reader.catch_up().unwrap()), (1, 4, 4));
    assert_agree(&writer, &reader);
    let statistics = reader.opening_statistics();
    assert_eq!(statistics.fresh, 0, "{statistics:?}");
    assert!(statistics.held > 0 && statistics.deltas > 0, "{statistics:?}");
    // Who has the version before goes on with it.
    assert_eq!(before.prove(&"h".into(), 1).unwrap(), writer.prove(&"h".into(), 1).unwrap());
    // Beyond retention what changed is not known any more, and nothing is held.
    for version in 5..=8 {
        writer.import(vec![change("c", Some(&version.to_string()))]).unwrap();
    }
    assert_eq!(reader.catch_up().unwrap(), 8);
    assert_eq!(reader.opening_statistics().vectors, 0);
    assert_agree(&writer, &reader);
}
