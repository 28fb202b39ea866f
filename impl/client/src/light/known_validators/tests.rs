use serde_json::json;
use tendermint::{AppHash, Time};

use super::*;
use crate::testing::{TestChain, genesis_validators_json, sign, validators};

fn first(seeds: &[u8], may_change: bool) -> KnownValidators {
    let file = json!({ "validators": genesis_validators_json(seeds) }).to_string();
    KnownValidators::of_genesis(&GenesisValidators::from_genesis_file(file.as_bytes()).unwrap(), may_change)
}

fn chain(count: u8, seeds: impl Fn(u64) -> Vec<u8>) -> TestChain {
    let roots: Vec<_> = (0..count).map(|index| [index; 32]).collect();
    TestChain::new("test", &roots, Time::from_unix_timestamp(1_800_000_000, 0).unwrap(), seeds)
}

/// Height H has the keys H, H + 1, H + 2: after three heights nobody is left.
fn moving() -> TestChain {
    chain(9, |height| (0..3).map(|place| u8::try_from(height).unwrap() + place).collect())
}

#[test]
fn each_header_gives_the_validators_of_the_next() {
    let chain = moving();
    let (_server, node) = chain.serve();
    let mut known = first(&[1, 2, 3], true);
    for height in 1..=9 {
        known = known.verify(&node, chain.header(height)).unwrap();
        assert_eq!(
            (known.height(), &known.set),
            (height + 1, &validators(&chain.seeds[usize::try_from(height).unwrap()]))
        );
    }
    let stored = first(&[1, 2, 3], true).with_stored(10, &known.to_json().unwrap()).unwrap();
    assert_eq!(stored, known);
    assert!(!stored.is_same_set(&first(&[1, 2, 3], true)));
}

#[test]
fn a_later_header_is_reached_over_those_between() {
    let chain = moving();
    let (server, node) = chain.serve();
    let known = first(&[1, 2, 3], true).verify(&node, chain.header(9)).unwrap();
    assert_eq!((known.height(), known.set), (10, validators(&[10, 11, 12])));
    assert!(server.requests() < 40, "{}", server.requests());
    // Where a third of the power stays, nothing between is asked for.
    let slow = self::chain(9, |height| if height < 5 { vec![1, 2, 3] } else { vec![2, 3, 4] });
    let (server, node) = slow.serve();
    first(&[1, 2, 3], true).verify(&node, slow.header(9)).unwrap();
    assert_eq!(server.requests(), 1);
}

#[test]
fn without_a_council_nothing_changes_the_validators() {
    let chain = moving();
    let (server, node) = chain.serve();
    let refused = first(&[1, 2, 3], false).verify(&node, chain.header(1)).unwrap_err();
    assert!(
        matches!(&refused, HeaderFault::Invalid { reason, .. } if reason.contains("next validator set")),
        "{refused}"
    );
    assert_eq!(server.requests(), 0);
}

#[test]
fn a_header_of_other_validators_than_those_announced_does_not_hold() {
    let chain = moving();
    let (_server, node) = chain.serve();
    let second = first(&[1, 2, 3], true).verify(&node, chain.header(1)).unwrap();
    let refused = |signed: &SignedHeader| match second.verify(&node, signed).unwrap_err() {
        HeaderFault::Invalid { reason, .. } => reason,
        other => panic!("{other}"),
    };
    // Of strangers; of those who decided before; of too few.
    let header = |change: fn(&mut tendermint::block::Header)| {
        let mut header = chain.header(2).header.clone();
        change(&mut header);
        header
    };
    let strangers = [11, 12, 13];
    let theirs = header(|header| header.validators_hash = validators(&[11, 12, 13]).hash());
    assert!(refused(&sign(theirs, &strangers, &strangers)).contains("invalid validator set"));
    let before = header(|header| header.validators_hash = validators(&[1, 2, 3]).hash());
    assert!(refused(&sign(before, &[1, 2, 3], &[1, 2, 3])).contains("invalid validator set"));
    let forged = header(|header| header.app_hash = AppHash::try_from(vec![9; 32]).unwrap());
    assert!(refused(&sign(forged, &[2, 3, 4], &[2, 3])).contains("insufficient"));
}

#[test]
fn validators_that_a_node_makes_up_are_not_those_of_the_header() {
    let chain = moving();
    let (_server, node) = chain.serve_with(Vec::new(), |asked, mut answer| {
        if asked["method"] == "validators" {
            answer["result"]["validators"] = genesis_validators_json(&[11, 12, 13]);
        }
        answer
    });
    let refused = first(&[1, 2, 3], true).verify(&node, chain.header(1)).unwrap_err();
    assert!(
        matches!(&refused, HeaderFault::Invalid { reason, .. } if reason.contains("next validator set")),
        "{refused}"
    );
    // A later header, signed by strangers whom the node calls its validators.
    let strangers = [11, 12, 13];
    let mut theirs = chain.header(9).header.clone();
    theirs.validators_hash = validators(&strangers).hash();
    theirs.next_validators_hash = theirs.validators_hash;
    first(&[1, 2, 3], true).verify(&node, &sign(theirs, &strangers, &strangers)).unwrap_err();
}
