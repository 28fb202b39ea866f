//! Random histories of imports and blocks of transactions, beside a plain map.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;

use aardvark_archive::{Accepted, Archive, ArchiveError, Difference, LoggedBlock, ValueSince};
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{Block, Change, Key, Operation, Transaction, ValidatorState, Value};
use common::{Map, apply_changes, assert_agrees, assert_clean};
use proptest::prelude::*;

const KEYS: [&str; 12] = ["\0", "\0\u{1}", "a", "aa", "ab", "b", "ba", "c", "d", "e\0", "f", "zz"];

/// A key of [`KEYS`], and its new value; `None` deletes it.
type Put = (usize, Option<u8>);

/// How many versions back a transaction's claims are, and what it does.
type Stale = (u64, Vec<Put>);

#[derive(Clone, Debug)]
enum Event {
    Import(Vec<Put>),
    Block(Vec<Stale>),
    Aggregated(Vec<Stale>),
    Lent(Vec<Stale>),
    Reopen,
}

fn changes(most: usize) -> impl Strategy<Value = Vec<Put>> {
    prop::collection::vec((0..KEYS.len(), prop::option::weighted(0.6, 0..4u8)), 0..=most)
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => changes(8).prop_map(Event::Import),
        3 => prop::collection::vec((0..5u64, changes(3)), 0..4).prop_map(Event::Block),
        2 => prop::collection::vec((0..5u64, changes(3)), 0..4).prop_map(Event::Aggregated),
        2 => prop::collection::vec((0..5u64, changes(3)), 0..4).prop_map(Event::Lent),
        1 => Just(Event::Reopen),
    ]
}

fn value(value: u8) -> Value {
    Value::from(vec![value; usize::from(value)])
}

/// A transaction with honest claims of a version some way back, as a client makes it.
fn transaction(archive: &Archive, nonce: u64, stale: u64, changes: &[Put]) -> Transaction {
    let window = u64::from(archive.parameters().window);
    let version = archive.version() - stale.min(window).min(archive.version());
    let mut claims = Vec::new();
    let mut operations = Vec::new();
    for (key, new) in changes {
        let key = Key::from(KEYS[*key]);
        let proved = match new {
            Some(_) => vec![archive.prove(&key, version).unwrap()],
            None => archive.prove_delete(&key, version).unwrap(),
        };
        claims.extend(proved);
        operations.push(new.map_or(Operation::Delete(key.clone()), |new| Operation::Put(key, value(new))));
    }
    claims.sort_by_key(|claim| claim.position);
    claims.dedup();
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&nonce.to_be_bytes());
    Transaction { first_valid: version + 1, last_valid: version + 1 + window, nonce: bytes, operations, claims }
}

/// One of the ways into the archive.
type Apply = fn(&mut Archive, Block);

fn plain(archive: &mut Archive, block: Block) {
    archive.apply(&block).unwrap();
}

fn aggregated(archive: &mut Archive, block: Block) {
    let block = archive.validator().unwrap().aggregate(block).unwrap();
    archive.apply_aggregated(&block).unwrap();
    let logged = archive.block(archive.version()).unwrap();
    assert_eq!(logged, LoggedBlock::Aggregated(block.clone()));
    assert_eq!(archive.block_bytes(archive.version()).unwrap(), block.encode());
}

/// The validator moves on first; the archive stores what it accepted, once.
fn lent(archive: &mut Archive, block: Block) {
    let mut validator = archive.validator().unwrap();
    let block = validator.aggregate(block).unwrap();
    let accepted = Accepted::aggregated(&mut validator, &block).unwrap();
    archive.store_accepted(&accepted).unwrap();
    assert!(matches!(archive.store_accepted(&accepted), Err(ArchiveError::OutOfOrder { .. })));
    let restored = archive.validator().unwrap();
    assert_eq!((restored.root_parts(), restored.state()), (validator.root_parts(), validator.state()));
}

/// Proposes and applies a block; the map follows what is in it.
fn apply_block(archive: &mut Archive, map: &mut Map, nonce: u64, block: &[Stale], apply: Apply) {
    let wanted: Vec<_> = block.iter().filter(|(_, changes)| !changes.is_empty()).collect();
    let transactions: Vec<Transaction> = (nonce * 1000..)
        .zip(&wanted)
        .map(|(nonce, (stale, changes))| transaction(archive, nonce, *stale, changes))
        .collect();
    let proposal = archive.propose(transactions).unwrap();
    assert_eq!(proposal.dropped, [], "honest transactions are not dropped");
    assert_eq!(proposal.postponed, [], "an archive has every tail vector");
    apply(archive, proposal.block);
    for index in proposal.included {
        let (_, changes) = wanted[index];
        for (key, new) in changes {
            let changes = [Change { key: KEYS[*key].into(), value: new.map(value) }];
            apply_changes(map, &changes);
        }
    }
}

/// What the roots of past versions are over is what it was when they were the newest: those whose
/// window can be read, and one of those that are replayed.
fn assert_roots(archive: &Archive, roots: &[RootParts]) {
    let window = u64::from(archive.parameters().window);
    for (version, parts) in (0..).zip(roots) {
        let restored = version == archive.version() || version.saturating_sub(window) >= archive.oldest_version();
        if !restored && version != archive.oldest_version() / 2 {
            continue;
        }
        let mut replayed = 0;
        assert_eq!(archive.root_parts(version, &mut |_| replayed += 1).unwrap(), *parts, "version {version}");
        assert_eq!(replayed, if restored { 0 } else { version }, "version {version}");
    }
    let beyond = archive.root_parts(archive.version() + 1, &mut |_| {});
    assert!(matches!(beyond, Err(ArchiveError::VersionOutOfRange { .. })));
}

/// Histories of keys and differences of versions are those of the maps.
fn assert_history(archive: &Archive, maps: &[Map]) {
    let readable = archive.oldest_version()..=archive.version();
    let map = |version: u64| &maps[usize::try_from(version).unwrap()];
    for key in KEYS.map(Key::from) {
        let mut expected: Vec<ValueSince> = Vec::new();
        for version in readable.clone() {
            let value = map(version).get(&key).cloned();
            if expected.last().is_none_or(|last| last.value != value) {
                expected.push(ValueSince { version, value });
            }
        }
        assert_eq!(archive.history(&key).unwrap(), expected);
    }
    for (first, second) in readable.clone().flat_map(|first| readable.clone().map(move |second| (first, second))) {
        let difference = |key: Key| {
            let (before, after) = (map(first).get(&key).cloned(), map(second).get(&key).cloned());
            (before != after).then_some(Difference { key, before, after })
        };
        let expected: Vec<Difference> = KEYS.map(Key::from).into_iter().filter_map(difference).collect();
        assert_eq!(archive.differences(first, second).unwrap(), expected, "{first} to {second}");
    }
    let beyond = archive.differences(archive.version(), archive.version() + 1);
    assert!(matches!(beyond, Err(ArchiveError::VersionOutOfRange { .. })));
}

fn run(kind: SchemeKind, vector_size: u32, window: u32, retention: u64, events: &[Event]) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("archive");
    let scheme = common::scheme(kind, vector_size);
    let mut map = Map::from([("b".into(), "genesis".into()), ("d".into(), "".into())]);
    let genesis = common::genesis(&scheme, window, &map);
    let mut archive = Archive::builder().retention(retention).scheme(scheme.clone()).create(&path, &genesis).unwrap();
    let mut maps = vec![map.clone()];
    let mut roots = vec![archive.validator().unwrap().root_parts()];
    for (number, event) in (1..).zip(events) {
        match event {
            Event::Import(changes) => {
                let changes = changes.iter().map(|(key, new)| Change { key: KEYS[*key].into(), value: new.map(value) });
                let changes: Vec<Change> = changes.collect();
                apply_changes(&mut map, &changes);
                archive.import(changes).unwrap();
                if maps.last() == Some(&map) {
                    // Where nothing changes there is no version.
                    assert_eq!(archive.version() + 1, u64::try_from(maps.len()).unwrap());
                    continue;
                }
            }
            Event::Block(block) => apply_block(&mut archive, &mut map, number, block, plain),
            Event::Aggregated(block) => apply_block(&mut archive, &mut map, number, block, aggregated),
            Event::Lent(block) => apply_block(&mut archive, &mut map, number, block, lent),
            Event::Reopen => {
                drop(archive);
                archive = Archive::builder().scheme(scheme.clone()).open(&path).unwrap();
                continue;
            }
        }
        maps.push(map.clone());
        roots.push(archive.validator().unwrap().root_parts());
        assert_eq!(archive.version() + 1, u64::try_from(maps.len()).unwrap());
    }
    assert_roots(&archive, &roots);
    assert_history(&archive, &maps);
    for version in archive.oldest_version()..=archive.version() {
        assert_agrees(&archive, version, &maps[usize::try_from(version).unwrap()], KEYS.into_iter());
    }
    let restored = Archive::builder().scheme(scheme.clone()).open(&path);
    assert!(restored.is_err(), "one writer at a time");
    let kept = archive.validator().unwrap().state();
    drop(archive);
    let archive = Archive::builder().scheme(scheme).open_read_only(&path).unwrap();
    assert_eq!(archive.validator().unwrap().state(), kept);
    assert_eq!(archive.retention(), retention.max(window.into()));
    assert_clean(&archive);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_readable_version_of_every_history_answers_as_a_map_does(
        vector_size in prop_oneof![Just(1u32), Just(2), Just(4), Just(8)],
        window in 0..4u32,
        extra in 0..4u64,
        events in prop::collection::vec(event(), 1..12),
    ) {
        run(SchemeKind::Kzg, vector_size, window, u64::from(window) + extra, &events);
    }
}

/// A transaction that makes some changes, with claims of the newest version.
fn as_transaction(archive: &Archive, changes: &[Put]) -> Transaction {
    transaction(archive, archive.version(), 0, changes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn an_import_leaves_what_a_block_with_the_same_changes_leaves(
        vector_size in prop_oneof![Just(1u32), Just(2), Just(4)],
        window in 0..3u32,
        versions in prop::collection::vec(changes(9), 1..8),
    ) {
        let scheme = common::scheme(SchemeKind::Kzg, vector_size);
        let mut importing = common::in_memory(&scheme, window);
        let mut applying = common::in_memory(&scheme, window);
        for puts in versions {
            let changes = puts.iter().map(|(key, new)| Change { key: KEYS[*key].into(), value: new.map(value) });
            let before = importing.version();
            if importing.import(changes.collect()).unwrap() == before {
                // Nothing changes, and there is no version.
                continue;
            }
            let transactions = if puts.is_empty() { Vec::new() } else { vec![as_transaction(&applying, &puts)] };
            let proposal = applying.propose(transactions).unwrap();
            prop_assert!(proposal.dropped.is_empty() && proposal.postponed.is_empty());
            applying.apply(&proposal.block).unwrap();
            let imported = importing.validator().unwrap().state();
            let applied = ValidatorState { replay: Vec::new(), ..applying.validator().unwrap().state() };
            prop_assert_eq!(imported, applied);
        }
    }
}

#[test]
fn a_history_on_libert_yung_answers_as_a_map_does() {
    let events = [
        Event::Import((0..12).map(|key| (key, Some(1))).collect()),
        Event::Block(vec![(0, vec![(3, None), (4, Some(2))]), (1, vec![(0, None)])]),
        Event::Reopen,
        Event::Import((2..11).map(|key| (key, None)).collect()),
        Event::Block(vec![(2, vec![(5, Some(3))])]),
    ];
    run(SchemeKind::LibertYung, 2, 2, 5, &events);
}
