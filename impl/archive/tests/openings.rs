//! Openings that are brought up to date, against openings computed from the whole vector.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use std::sync::{Arc, RwLock};

use aardvark_archive::{Archive, OpeningCosts, OpeningOptions, RedbStore};
use aardvark_commitment::{Scheme, SchemeKind};
use aardvark_dictionary::{Change, Claim, Key, Operation, Transaction, Value};
use common::{Map, assert_clean, holds};
use proptest::prelude::*;

/// More keys than the sizes of vectors, so that vectors come and go.
const KEYS: [&str; 14] = ["\0", "\0\u{1}", "a", "aa", "ab", "b", "ba", "c", "d", "e\0", "f", "g", "h", "zz"];
/// Snapshots at the first ask, changes followed at any distance.
const EAGER: OpeningCosts = OpeningCosts { open: 1.0, open_all: 1.0, delta: 0.0, stored: 0.0 };
/// A snapshot for three asks, or about as many changes; at most six are followed.
const BALANCED: OpeningCosts = OpeningCosts { open: 6.0, open_all: 18.0, delta: 1.0, stored: 0.0 };

fn options(costs: OpeningCosts, budget: usize) -> OpeningOptions {
    OpeningOptions { budget, costs: Some(costs) }
}

/// What is computed from the whole vector every time.
fn naive() -> OpeningOptions {
    OpeningOptions { budget: 0, costs: None }
}

fn archive(scheme: &Arc<Scheme>, (window, retention): (u32, u64), options: &OpeningOptions) -> Archive {
    let genesis = common::genesis(scheme, window, &Map::from([("b".into(), "genesis".into())]));
    let store = Box::new(RedbStore::in_memory().unwrap());
    let mut archive =
        Archive::builder().retention(retention).scheme(scheme.clone()).create_on(store, &genesis).unwrap();
    archive.set_opening_options(options);
    archive
}

#[derive(Clone, Debug)]
enum Event {
    /// Puts or deletes keys.
    Import(Vec<(usize, Option<u8>)>),
    /// The same by transactions.
    Block(Vec<(usize, Option<u8>)>),
    /// Asks for some keys in one call, so many versions back.
    Ask(Vec<usize>, u64),
    /// Asks for what deletions need.
    AskDelete(Vec<usize>, u64),
    Warm,
}

fn changes() -> impl Strategy<Value = Vec<(usize, Option<u8>)>> {
    prop::collection::vec((0..KEYS.len(), prop::option::weighted(0.6, 0..4u8)), 0..10)
}

fn event() -> impl Strategy<Value = Event> {
    let keys = || prop::collection::vec(0..KEYS.len(), 1..6);
    prop_oneof![
        3 => changes().prop_map(Event::Import),
        1 => changes().prop_map(Event::Block),
        5 => (keys(), 0..5u64).prop_map(|(keys, back)| Event::Ask(keys, back)),
        1 => (keys(), 0..5u64).prop_map(|(keys, back)| Event::AskDelete(keys, back)),
        1 => Just(Event::Warm),
    ]
}

fn keys(numbers: &[usize]) -> Vec<Key> {
    numbers.iter().map(|number| Key::from(KEYS[*number])).collect()
}

fn import(archive: &mut Archive, puts: &[(usize, Option<u8>)]) {
    let value = |value: u8| Value::from(vec![value; usize::from(value)]);
    let changes = puts.iter().map(|(key, new)| Change { key: KEYS[*key].into(), value: new.map(value) });
    archive.import(changes.collect()).unwrap();
}

/// One transaction a change, each with the claims of the archive itself.
fn apply(archive: &mut Archive, puts: &[(usize, Option<u8>)]) {
    let version = archive.version();
    let transactions = (0u128..).zip(puts).map(|(nonce, (key, new))| {
        let key = Key::from(KEYS[*key]);
        let value = |value: u8| Value::from(vec![value; usize::from(value)]);
        let (operation, claims) = match new {
            Some(new) => (Operation::Put(key.clone(), value(*new)), vec![archive.prove(&key, version).unwrap()]),
            None => (Operation::Delete(key.clone()), archive.prove_delete(&key, version).unwrap()),
        };
        let mut claims = claims;
        claims.sort_by_key(|claim| claim.position);
        let nonce = (nonce + (u128::from(version) << 32)).to_be_bytes();
        Transaction { first_valid: version + 1, last_valid: version + 1, nonce, operations: vec![operation], claims }
    });
    let transactions = transactions.collect();
    let proposal = archive.propose(transactions).unwrap();
    assert_eq!(proposal.dropped, []);
    archive.apply(&proposal.block).unwrap();
}

/// Runs events on an archive and on its naive twin, comparing every answer.
fn run(scheme: &Arc<Scheme>, versions: (u32, u64), options: &OpeningOptions, events: &[Event]) {
    let mut archive = archive(scheme, versions, options);
    let mut twin = self::archive(scheme, versions, &naive());
    for event in events {
        let back = |back: u64| archive.version().saturating_sub(back).max(archive.oldest_version());
        match event {
            Event::Import(puts) => {
                import(&mut archive, puts);
                import(&mut twin, puts);
            }
            Event::Block(puts) => {
                apply(&mut archive, puts);
                apply(&mut twin, puts);
            }
            Event::Ask(asked, versions) => {
                let (keys, version) = (keys(asked), back(*versions));
                let claims = archive.prove_many(&keys, version).unwrap();
                assert_eq!(claims, twin.prove_many(&keys, version).unwrap());
            }
            Event::AskDelete(asked, versions) => {
                let (keys, version) = (keys(asked), back(*versions));
                let claims = archive.prove_delete_many(&keys, version).unwrap();
                assert_eq!(claims, twin.prove_delete_many(&keys, version).unwrap());
            }
            Event::Warm => drop(archive.warm_openings().unwrap()),
        }
        let statistics = archive.opening_statistics();
        assert!(statistics.bytes <= u64::try_from(options.budget).unwrap(), "{statistics:?}");
        assert_eq!(statistics.bytes == 0, statistics.vectors == 0, "{statistics:?}");
        assert!(statistics.vectors <= statistics.room, "{statistics:?}");
    }
    let all: Vec<usize> = (0..KEYS.len()).collect();
    for version in archive.oldest_version()..=archive.version() {
        let claims = archive.prove_many(&keys(&all), version).unwrap();
        assert_eq!(claims, twin.prove_many(&keys(&all), version).unwrap());
        assert!(claims.iter().all(|claim| holds(&archive, claim, version)));
    }
    assert_eq!(twin.opening_statistics().held, 0);
    assert_clean(&archive);
}

/// Bytes of so many snapshots of vectors of N, with short logs.
fn room_for(vectors: usize, vector_size: u32) -> usize {
    vectors * (100 * usize::try_from(vector_size).unwrap() + 500)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_answer_is_that_of_an_archive_that_opens_from_scratch(
        kind in prop_oneof![7 => Just(SchemeKind::Kzg), 1 => Just(SchemeKind::LibertYung)],
        vector_size in prop_oneof![Just(1u32), Just(2), Just(4), Just(8)],
        window in 0..4u32,
        extra in 0..4u64,
        costs in prop_oneof![Just(EAGER), Just(BALANCED)],
        vectors in prop_oneof![Just(1usize), Just(2), Just(100)],
        events in prop::collection::vec(event(), 1..24),
    ) {
        let scheme = common::scheme(kind, vector_size);
        let options = options(costs, room_for(vectors, vector_size));
        run(&scheme, (window, u64::from(window) + extra), &options, &events);
    }
}

/// An archive of fourteen keys in vectors of eight, with everything held.
fn warm(window: u32) -> Archive {
    let mut archive = archive(&common::scheme(SchemeKind::Kzg, 8), (window, 0), &options(EAGER, 1 << 20));
    let all: Vec<_> = (0..KEYS.len()).map(|key| (key, Some(1))).collect();
    import(&mut archive, &all);
    assert_eq!(archive.warm_openings().unwrap(), 2);
    assert_eq!(archive.warm_openings().unwrap(), 0, "what is held is not made again");
    archive
}

#[test]
fn a_held_opening_is_followed_through_each_change_once() {
    let mut archive = warm(3);
    let costs = OpeningCosts { open: 100.0, open_all: 1e9, delta: 1.0, stored: 0.0 };
    archive.set_opening_options(&options(costs, 1 << 20));
    archive.warm_openings().unwrap();
    let asked: Key = "a".into();
    let deltas = |archive: &Archive| archive.opening_statistics().deltas;
    archive.prove(&asked, archive.version()).unwrap();
    assert_eq!(deltas(&archive), 0);
    for round in 2..5 {
        import(&mut archive, &[(0, Some(round)), (2, Some(round))]);
        let before = deltas(&archive);
        for _ in 0..2 {
            archive.prove(&asked, archive.version()).unwrap();
        }
        assert_eq!(deltas(&archive) - before, 2, "the second answer starts where the first ended");
    }
    let statistics = archive.opening_statistics();
    assert_eq!((statistics.held, statistics.fresh, statistics.refreshes), (7, 0, 0));
}

#[test]
fn an_opening_that_is_asked_for_again_is_followed_without_a_snapshot_of_its_vector() {
    let costs = OpeningCosts { open: 100.0, open_all: 1e9, delta: 1.0, stored: 1.0 };
    let mut archive = archive(&common::scheme(SchemeKind::Kzg, 8), (3, 0), &options(costs, 1 << 20));
    let ask = |archive: &Archive| {
        let claim = archive.prove(&"a".into(), archive.version()).unwrap();
        assert!(holds(archive, &claim, archive.version()));
    };
    let all: Vec<_> = (0..KEYS.len()).map(|key| (key, Some(1))).collect();
    import(&mut archive, &all);
    for round in 2..5 {
        import(&mut archive, &[(0, Some(round)), (2, Some(round))]);
        (0..2).for_each(|_| ask(&archive));
    }
    let statistics = archive.opening_statistics();
    assert_eq!((statistics.fresh, statistics.held, statistics.vectors), (1, 5, 0));
    assert!((2..=4).contains(&statistics.deltas), "{statistics:?}");
    archive.set_opening_options(&naive());
    (0..2).for_each(|_| ask(&archive));
    assert_eq!(archive.opening_statistics().fresh, 2, "without a budget nothing is kept");
}

#[test]
fn versions_before_a_snapshot_are_answered_from_it() {
    let mut archive = warm(3);
    for round in 2..5 {
        import(&mut archive, &[(0, Some(round)), (13, None)]);
    }
    archive.set_opening_options(&options(OpeningCosts { open_all: 1e9, ..EAGER }, 1 << 20));
    archive.warm_openings().unwrap();
    for version in archive.oldest_version()..=archive.version() {
        let claim = archive.prove(&"a".into(), version).unwrap();
        assert!(holds(&archive, &claim, version));
    }
    let statistics = archive.opening_statistics();
    assert_eq!((statistics.held, statistics.fresh), (4, 0));
    assert!(statistics.deltas > 0);
}

#[test]
fn a_snapshot_is_made_when_asks_have_paid_for_it_and_renewed_when_changes_have() {
    let mut archive = warm(0);
    // Room for both vectors, and too little for single openings besides.
    archive.set_opening_options(&options(BALANCED, room_for(2, 8) + 500));
    let ask = |archive: &Archive| drop(archive.prove(&"a".into(), archive.version()).unwrap());
    let counts = |archive: &Archive| {
        let statistics = archive.opening_statistics();
        (statistics.fresh, statistics.held, statistics.snapshots, statistics.refreshes)
    };
    ask(&archive);
    ask(&archive);
    assert_eq!(counts(&archive), (2, 0, 0, 0), "two asks have paid two thirds");
    ask(&archive);
    assert_eq!(counts(&archive), (2, 1, 1, 0), "the third is answered from the snapshot");
    (0..10).for_each(|_| ask(&archive));
    assert_eq!(counts(&archive), (2, 11, 1, 0), "without changes nothing is to be paid");
    // Each round changes two scalars of the vector, which is three terms.
    for round in 2..8 {
        assert_eq!(counts(&archive).3, 0);
        import(&mut archive, &[(0, Some(round)), (1, Some(round))]);
        ask(&archive);
    }
    assert_eq!(counts(&archive).3, 1, "six times three terms have paid for a new one");
}

#[test]
fn an_archive_that_nobody_asks_computes_nothing_and_drops_what_falls_behind() {
    let mut archive = warm(0);
    archive.set_opening_options(&options(BALANCED, 1 << 20));
    archive.warm_openings().unwrap();
    for round in 0..5 {
        let puts: Vec<_> = (0..8).map(|key| (key, Some(round + 2))).collect();
        import(&mut archive, &puts);
    }
    let statistics = archive.opening_statistics();
    assert_eq!((statistics.held, statistics.fresh, statistics.refreshes), (0, 0, 0));
    assert_eq!((statistics.vectors, statistics.evictions), (1, 1), "the changed vector is gone, the other stays");
}

#[test]
fn two_hundred_bytes_a_slot_hold_every_vector_right_after_an_import() {
    const VECTOR_SIZE: u32 = 64;
    let mut archive = archive(&common::scheme(SchemeKind::Kzg, VECTOR_SIZE), (3, 0), &naive());
    let changes = (0..630).map(|key| Change { key: format!("{key:03}").as_str().into(), value: Some("new".into()) });
    archive.import(changes.collect()).unwrap();
    // The log of the import is as long as the vectors; as for them, some bytes are not of slots.
    let vectors = archive.size().div_ceil(VECTOR_SIZE.into());
    let budget = usize::try_from(vectors * (200 * u64::from(VECTOR_SIZE) + 500)).unwrap();
    archive.set_opening_options(&options(EAGER, budget));
    assert_eq!((vectors, archive.warm_openings().unwrap()), (10, 10));
    let statistics = archive.opening_statistics();
    assert_eq!((statistics.vectors, statistics.evictions), (10, 0));
    archive.set_opening_options(&options(EAGER, budget / 2));
    archive.warm_openings().unwrap();
    assert!(archive.opening_statistics().vectors < 10, "the logs take room too");
}

#[test]
fn as_many_vectors_are_held_as_there_is_said_to_be_room_for() {
    const VECTOR_SIZE: u32 = 64;
    let mut archive = archive(&common::scheme(SchemeKind::Kzg, VECTOR_SIZE), (0, 0), &naive());
    assert_eq!(archive.opening_statistics().room, 0);
    let changes = (0..630).map(|key| Change { key: format!("{key:03}").as_str().into(), value: Some("new".into()) });
    archive.import(changes.collect()).unwrap();
    for vectors in [1, 3, 7] {
        archive.set_opening_options(&options(EAGER, room_for(vectors, VECTOR_SIZE)));
        assert_eq!(archive.opening_statistics().room, vectors as u64);
        archive.warm_openings().unwrap();
        assert_eq!(archive.opening_statistics().vectors, vectors as u64);
    }
}

#[test]
fn with_room_for_one_vector_the_one_that_is_asked_for_stays() {
    let mut archive = warm(0);
    archive.set_opening_options(&options(EAGER, room_for(1, 8)));
    let version = archive.version();
    let ask = |key: &str| archive.prove(&key.into(), version).unwrap();
    (0..10).for_each(|_| drop(ask("a")));
    let after_first = archive.opening_statistics();
    assert_eq!((after_first.snapshots, after_first.vectors), (1, 1));
    (0..10).for_each(|_| drop(ask("zz")));
    assert_eq!(archive.opening_statistics().snapshots, 1, "as often is not often enough");
    (0..20).for_each(|_| drop(ask("zz")));
    let after_second = archive.opening_statistics();
    assert_eq!((after_second.snapshots, after_second.evictions, after_second.vectors), (2, 1, 1));
}

#[test]
fn readers_are_answered_right_while_blocks_are_applied() {
    const BLOCKS: u8 = 24;
    let archive = RwLock::new(archive(&common::scheme(SchemeKind::Kzg, 4), (2, 2), &options(BALANCED, room_for(3, 4))));
    let reader = |start: usize| {
        let mut claims: Vec<(u64, Claim)> = Vec::new();
        for turn in start.. {
            let archive = archive.read().unwrap();
            let version = archive.oldest_version() + turn as u64 % 3;
            let version = version.min(archive.version());
            let asked = keys(&[turn % KEYS.len(), (turn * 5 + 3) % KEYS.len()]);
            let proved = archive.prove_many(&asked, version).unwrap();
            assert!(proved.iter().all(|claim| holds(&archive, claim, version)));
            claims.extend(proved.into_iter().map(|claim| (version, claim)));
            if archive.version() == u64::from(BLOCKS) {
                return claims.len();
            }
        }
        0
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3).map(|start| scope.spawn(move || reader(start))).collect();
        for round in 0..BLOCKS {
            let puts: Vec<_> = (0..6).map(|key| ((usize::from(round) + key * 3) % KEYS.len(), Some(round))).collect();
            import(&mut archive.write().unwrap(), &puts);
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        for reader in readers {
            assert!(reader.join().unwrap() > 0);
        }
    });
    assert!(archive.read().unwrap().opening_statistics().held > 0);
}
