use std::time::Duration;

use serde_json::json;

use super::*;
use crate::testing::{TestChain, sign, validators};

const DAY: u64 = 24 * 3600;

fn now() -> Time {
    Time::from_unix_timestamp(1_800_000_000, 0).unwrap()
}

fn roots(count: usize) -> Vec<Digest> {
    (0..count).map(|index| [u8::try_from(index).unwrap(); 32]).collect()
}

/// Four validators that never change.
fn steady(count: usize) -> TestChain {
    TestChain::new("test", &roots(count), now(), |_| vec![1, 2, 3, 4])
}

fn advance(chain: &TestChain, node: &RpcClient, from: u64) -> Result<VerifiedHeader, HeaderFault> {
    let (_server, honest) = chain.serve();
    let trusted = VerifiedHeader::trusted(&honest, from, &chain.hash(from)).unwrap();
    trusted.advance(node, None, &LightOptions::default(), now())
}

/// What the verifier says of a header that a hostile node shows in the place of the newest.
fn reason(shown: &TestChain, trusted: &TestChain) -> String {
    let (_server, node) = shown.serve();
    match advance(trusted, &node, 1).unwrap_err() {
        HeaderFault::Invalid { reason, .. } => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn the_newest_header_follows_from_a_trusted_one_and_certifies_the_version_before() {
    let chain = steady(9);
    let (server, node) = chain.serve();
    let newest = advance(&chain, &node, 2).unwrap();
    assert_eq!((newest.height(), newest.version(), newest.root().unwrap()), (9, 8, [8; 32]));
    assert_eq!((newest.hash(), newest.chain_id()), (chain.hash(9), "test"));
    assert_eq!(server.requests(), 3, "one header and two sets, whatever lies between");
    let (_server, node) = chain.serve();
    assert_eq!(advance(&chain, &node, 9).unwrap(), newest);
    assert_eq!(advance(&chain, &node, 8).unwrap(), newest);
}

#[test]
fn where_the_validators_changed_too_much_the_way_is_bisected() {
    // Height H has the keys H, H + 1, H + 2: after three heights nobody is left.
    let chain = TestChain::new("test", &roots(17), now(), |height| {
        let first = u8::try_from(height).unwrap();
        vec![first, first + 1, first + 2]
    });
    let (server, node) = chain.serve();
    assert_eq!(advance(&chain, &node, 1).unwrap().hash(), chain.hash(17));
    assert!((10..60).contains(&server.requests()), "{}", server.requests());
}

#[test]
fn a_trusted_hash_is_that_of_the_header_or_nothing_begins() {
    let chain = steady(3);
    let (_server, node) = chain.serve();
    let fault = VerifiedHeader::trusted(&node, 2, &chain.hash(3)).unwrap_err();
    assert!(matches!(&fault, HeaderFault::NotTheTrusted { height: 2, .. }) && fault.is_lie());
    let (_server, node) = chain.serve_with(Vec::new(), |asked, mut answer| {
        if asked["method"] == "validators" {
            answer["result"]["validators"].as_array_mut().unwrap().pop();
            answer["result"]["total"] = json!("3");
        }
        answer
    });
    let fault = VerifiedHeader::trusted(&node, 2, &chain.hash(2)).unwrap_err();
    assert!(matches!(fault, HeaderFault::Invalid { height: 2, .. }), "{fault}");
}

#[test]
fn a_header_that_its_validators_did_not_sign_is_refused() {
    let chain = steady(5);
    let mut forged = chain.clone();
    // The header says something else, the commit is that of the real one.
    forged.headers[4].header.app_hash = tendermint::AppHash::try_from(vec![7; 32]).unwrap();
    assert!(reason(&forged, &chain).contains("invalid commit value"));
    // The commit is for the forged header, its signatures are not.
    let mut forged = chain.clone();
    forged.forge(5, &[1, 2, 3, 4], |header| header.app_hash = tendermint::AppHash::try_from(vec![7; 32]).unwrap());
    forged.headers[4].commit.signatures = chain.headers[4].commit.signatures.clone();
    assert!(reason(&forged, &chain).contains("false signature"));
}

#[test]
fn two_thirds_of_the_power_are_too_little_and_more_are_enough() {
    let chain = steady(5);
    for (signers, good) in [(vec![1, 2, 3], true), (vec![1, 2], false), (vec![4], false)] {
        let mut partly = chain.clone();
        partly.forge(5, &signers, |header| header.app_hash = tendermint::AppHash::try_from(vec![7; 32]).unwrap());
        let (_server, node) = partly.serve();
        match advance(&chain, &node, 1) {
            Ok(header) => assert!(good && header.root().unwrap() == [7; 32]),
            Err(fault) => assert!(!good && fault.is_lie(), "{signers:?}: {fault}"),
        }
    }
}

#[test]
fn validators_whom_nobody_announced_are_refused() {
    let chain = steady(5);
    // All of it is signed, by keys that have no power on the chain.
    let fork = TestChain::new("test", &roots(5), now(), |_| vec![11, 12, 13, 14]);
    assert!(reason(&fork, &chain).contains("not enough trust") || reason(&fork, &chain).contains("next validator set"));
    // A third of the real ones signs too: exactly a third is not more than a third, and bisection
    // ends at what was announced.
    let three = TestChain::new("test", &roots(5), now(), |_| vec![1, 2, 3]);
    let with = |set: &[u8]| {
        let mut forged = three.clone();
        forged.seeds[4] = set.to_vec();
        forged.forge(5, set, |header| header.validators_hash = validators(set).hash());
        let (_server, node) = forged.serve();
        advance(&three, &node, 1)
    };
    let fault = with(&[1, 12, 13]).unwrap_err();
    assert!(matches!(&fault, HeaderFault::Invalid { reason, .. } if reason.contains("next validator set")), "{fault}");
    // More than a third is what the rules take for honest: that only the witness shows.
    assert!(with(&[1, 2, 13]).is_ok());
    // A set that is not the header's.
    let (_server, node) =
        chain.serve_with(
            Vec::new(),
            move |asked, answer| {
                if asked["method"] == "validators" { fork.answer(asked, &[]) } else { answer }
            },
        );
    let fault = advance(&chain, &node, 1).unwrap_err();
    assert!(matches!(&fault, HeaderFault::Invalid { reason, .. } if reason.contains("validator set")), "{fault}");
}

#[test]
fn one_validator_is_not_counted_twice() {
    let chain = steady(5);
    let mut doubled = chain.clone();
    doubled.forge(5, &[1, 2], |header| header.app_hash = tendermint::AppHash::try_from(vec![7; 32]).unwrap());
    let signatures = &mut doubled.headers[4].commit.signatures;
    let present: Vec<_> = signatures.iter().filter(|vote| !vote.is_absent()).cloned().collect();
    for (absent, vote) in signatures.iter_mut().filter(|vote| vote.is_absent()).zip(present) {
        *absent = vote;
    }
    assert!(reason(&doubled, &chain).contains("duplicate"));
}

#[test]
fn another_chain_s_headers_are_refused_though_the_same_keys_signed_them() {
    let (chain, other) = (steady(5), TestChain::new("other", &roots(5), now(), |_| vec![1, 2, 3, 4]));
    assert!(reason(&other, &chain).contains("chain-id"));
}

#[test]
fn headers_from_the_future_and_headers_without_progress_in_time_are_refused() {
    let chain = steady(5);
    let all = [1, 2, 3, 4];
    let mut future = chain.clone();
    future.forge(5, &all, |header| header.time = (now() + Duration::from_secs(11)).unwrap());
    assert!(reason(&future, &chain).contains("from the future"));
    let mut drifted = chain.clone();
    drifted.forge(5, &all, |header| header.time = (now() + Duration::from_secs(9)).unwrap());
    let (_server, node) = drifted.serve();
    let header = advance(&chain, &node, 1).unwrap();
    assert_eq!(header.age(now()), Duration::ZERO);
    let mut past = chain.clone();
    past.forge(5, &all, |header| header.time = (now() - Duration::from_secs(10)).unwrap());
    assert!(reason(&past, &chain).contains("monotonic"));
}

#[test]
fn an_expired_header_is_trusted_no_longer() {
    let chain = steady(5);
    let (_server, node) = chain.serve();
    let trusted = VerifiedHeader::trusted(&node, 1, &chain.hash(1)).unwrap();
    let options = LightOptions { trusting_period: Duration::from_secs(DAY), ..LightOptions::default() };
    let later = |seconds| (now() + Duration::from_secs(seconds)).unwrap();
    assert!(trusted.advance(&node, None, &options, later(DAY - 5)).is_ok());
    let fault = trusted.advance(&node, None, &options, later(DAY)).unwrap_err();
    assert!(matches!(&fault, HeaderFault::Invalid { reason, .. } if reason.contains("trusting period")), "{fault}");
}

#[test]
fn a_node_that_is_behind_is_named_so_and_one_with_another_header_of_the_trusted_height_lies() {
    let chain = steady(5);
    let mut behind = chain.clone();
    behind.headers.truncate(3);
    behind.seeds.truncate(4);
    let (_server, node) = behind.serve();
    let fault = advance(&chain, &node, 5).unwrap_err();
    assert!(fault == HeaderFault::Behind { newest: 3, trusted: 5 } && !fault.is_lie());
    let mut forged = chain.clone();
    forged.forge(5, &[1, 2, 3, 4], |header| header.app_hash = tendermint::AppHash::try_from(vec![7; 32]).unwrap());
    let (_server, node) = forged.serve();
    assert!(matches!(advance(&chain, &node, 5), Err(HeaderFault::NotTheTrusted { height: 5, .. })));
}

#[test]
fn a_commit_of_another_height_is_malformed() {
    let chain = steady(5);
    let (_server, node) = chain.serve_with(Vec::new(), |asked, mut answer| {
        if asked["method"] == "commit" {
            answer["result"]["signed_header"]["commit"]["height"] = json!("4");
        }
        answer
    });
    assert!(matches!(advance(&chain, &node, 1), Err(HeaderFault::Rpc(_))));
}

#[test]
fn a_chain_whose_app_hash_is_no_root_gives_none() {
    let mut chain = steady(2);
    chain.forge(2, &[1, 2, 3, 4], |header| header.app_hash = tendermint::AppHash::try_from(vec![7; 8]).unwrap());
    let (_server, node) = chain.serve();
    let header = VerifiedHeader::trusted(&node, 2, &chain.hash(2)).unwrap();
    assert_eq!(header.root(), Err(HeaderFault::NoRoot(2)));
}

#[test]
fn recorded_headers_of_a_real_chain_hold() {
    let signed = |text: &str| -> SignedHeader {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        serde_json::from_value(json["result"]["signed_header"].clone()).unwrap()
    };
    let validators: serde_json::Value =
        serde_json::from_str(include_str!("../../rpc/recorded/validators.json")).unwrap();
    let set = Set::new(serde_json::from_value(validators["result"]["validators"].clone()).unwrap(), None);
    let trusted =
        VerifiedHeader { signed: signed(include_str!("../../rpc/recorded/commit.json")), next_validators: set.clone() };
    let signed = signed(include_str!("../../rpc/recorded/commit_next.json"));
    let now = (signed.header.time + Duration::from_secs(1)).unwrap();
    let block = |signed: SignedHeader| LightBlock { signed, validators: set.clone(), next_validators: set.clone() };
    let verdict = |signed| trusted.verdict(&block(signed), &LightOptions::default(), now);
    assert_eq!(verdict(signed.clone()), Verdict::Success);
    // Whoever signs it: not the validator's key.
    let forged = sign(signed.header.clone(), &[5], &[5]);
    assert!(matches!(verdict(forged), Verdict::Invalid(_)));
    let mut forged = signed;
    forged.header.app_hash = tendermint::AppHash::try_from(vec![3; 8]).unwrap();
    assert!(matches!(verdict(forged), Verdict::Invalid(_)));
}
