//! Changes of validators: the specification and `aardvark-chain` give the same set or the same
//! reason along random histories of changes, honest and not, and of evidence.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_chain::validator_change::{MOST_VALIDATORS, MOST_VOTING_POWER};
use aardvark_chain::{Council, SignedChange, SignerSignature, TxCode, ValidatorChange, ValidatorSet};
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::policy::validator_change as spec;
use differential_tests::answers::world::Draw;

/// Histories of the run, each of so many blocks.
const HISTORIES: u64 = 2_000;
const BLOCKS: u64 = 12;

fn key(number: usize) -> [u8; 32] {
    let mut key = [7; 32];
    key[..2].copy_from_slice(&(number as u16).to_be_bytes());
    key
}

fn listed(powers: &BTreeMap<[u8; 32], u64>) -> Vec<spec::ChainValidator> {
    let entry = |(key, power): (&[u8; 32], &u64)| spec::ChainValidator {
        validator_key: byte_string(key),
        voting_power: *power,
    };
    powers.iter().map(entry).collect()
}

fn set_to_spec(set: &ValidatorSet) -> spec::ValidatorSet {
    spec::ValidatorSet { last_change: set.last_change() as usize, chain_validators: to_seq(listed(set.powers())) }
}

/// What is compared of a set: the specification keeps the order in which validators came.
fn parts(set: &spec::ValidatorSet) -> (usize, BTreeMap<Vec<u8>, u64>) {
    let validators = to_vec(&set.chain_validators);
    let powers: BTreeMap<_, _> =
        validators.iter().map(|one| (byte_vec(&one.validator_key), one.voting_power)).collect();
    assert_eq!(powers.len(), validators.len(), "a validator stands twice");
    (set.last_change, powers)
}

fn code(reason: spec::ChangeReason) -> TxCode {
    match reason {
        spec::ChangeReason::ChangeMalformed => TxCode::Malformed,
        spec::ChangeReason::CouncilSuperfluous => TxCode::SignerSuperfluous,
        spec::ChangeReason::CouncilMissing => TxCode::SignerMissing,
        spec::ChangeReason::ChangeStale => TxCode::ChangeStale,
        spec::ChangeReason::ValidatorUnknown => TxCode::ValidatorUnknown,
        spec::ChangeReason::SetForbidden => TxCode::SetForbidden,
    }
}

/// A power: often small, seldom one at the bound of all together.
fn power(draw: &mut Draw) -> u64 {
    match draw.below(12) {
        0..=2 => 0,
        3 => MOST_VOTING_POWER - draw.below(30) as u64,
        4 => u64::MAX,
        _ => 1 + draw.below(20) as u64,
    }
}

fn change(draw: &mut Draw, set: &ValidatorSet) -> ValidatorChange {
    let follows = if draw.below(8) == 0 { draw.below(6) as u64 } else { set.last_change() };
    let many = if draw.below(20) == 0 { MOST_VALIDATORS + 2 } else { draw.below(4) };
    let mut updates: BTreeMap<_, _> = (0..many).map(|_| (key(draw.below(8)), power(draw))).collect();
    if many > MOST_VALIDATORS {
        updates = (0..MOST_VALIDATORS - 4 + draw.below(12)).map(|number| (key(number), 1)).collect();
    }
    if draw.below(10) == 0 {
        updates.extend(set.powers().keys().map(|key| (*key, 0)));
    }
    ValidatorChange { follows, updates }
}

fn signers(draw: &mut Draw, members: &[[u8; 32]]) -> Vec<[u8; 32]> {
    let mut signing: BTreeSet<_> = members.iter().filter(|_| draw.below(5) > 0).copied().collect();
    if draw.below(12) == 0 {
        signing.insert(key(500));
    }
    signing.into_iter().collect()
}

#[test]
fn the_specification_and_the_implementation_make_the_same_sets() {
    let mut met: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..HISTORIES {
        let draw = &mut Draw::new(seed);
        let members: Vec<_> = (0..1 + draw.below(4)).map(|number| key(900 + number)).collect();
        let threshold = 1 + draw.below(members.len());
        let council = Council::new(threshold as u8, members.iter().copied().collect()).unwrap();
        let spec_council = spec::Council {
            council_threshold: threshold,
            council_keys: to_seq(members.iter().map(|key| byte_string(key)).collect()),
        };
        let first = (0..1 + draw.below(4)).map(|number| (key(number), 1 + draw.below(9) as u64)).collect();
        let mut ours = ValidatorSet::first(first).unwrap();
        let mut theirs = set_to_spec(&ours);
        for height in 1..=BLOCKS {
            let guilty: Vec<_> = (0..draw.below(4) / 2).map(|_| key(draw.below(8))).collect();
            let before = ours.clone();
            ours = ours.without(|key| guilty.contains(key), height);
            let named = to_seq(guilty.iter().map(|key| byte_string(key)).collect());
            theirs = spec::without_guilty(&theirs, &named, height as usize);
            assert_eq!(parts(&theirs), parts(&set_to_spec(&ours)), "seed {seed}, height {height}");
            if ours != before {
                *met.entry("evidence".to_owned()).or_default() += 1;
            }
            let (change, signing) = (change(draw, &ours), signers(draw, &members));
            let spec_change = spec::ValidatorChange {
                follows_change: change.follows as usize,
                power_updates: to_seq(listed(&change.updates)),
            };
            let spec_keys = to_seq(signing.iter().map(|key| byte_string(key)).collect());
            let signature = |key: &[u8; 32]| SignerSignature { public_key: *key, signature: [0; 64] };
            let signed = SignedChange { change, signatures: signing.iter().map(signature).collect() };
            let found = ours.after(&council, &signed, height);
            let expected = spec::change_validators(&spec_council, &theirs, &spec_change, &spec_keys, height as usize);
            match (found, expected) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(parts(&expected), parts(&set_to_spec(&found)), "seed {seed}, height {height}");
                    // What CometBFT is told leads from one set to the other.
                    let mut told = ours.powers().clone();
                    for (key, power) in ours.updates_to(&found) {
                        assert_ne!(told.insert(key, power), Some(power));
                    }
                    told.retain(|_, power| *power > 0);
                    assert_eq!(&told, found.powers());
                    *met.entry("Applied".to_owned()).or_default() += 1;
                    (ours, theirs) = (found, expected);
                }
                (Err(found), Err(expected)) => {
                    assert_eq!(found, code(expected), "seed {seed}, height {height}");
                    *met.entry(found.name().to_owned()).or_default() += 1;
                }
                (found, expected) => panic!("seed {seed}, height {height}: {found:?}, but {expected:?}"),
            }
        }
    }
    let all = "Applied ChangeStale Malformed SetForbidden SignerMissing SignerSuperfluous ValidatorUnknown evidence";
    assert_eq!(met.keys().cloned().collect::<Vec<_>>().join(" "), all, "{met:?}");
    assert!(met.values().all(|times| *times > 100), "{met:?}");
}
