use std::time::Duration;

use serde_json::{Value as Json, json};
use tendermint::block::Header;
use tendermint::block::signed_header::SignedHeader;
use tendermint::{AppHash, Time};

use super::*;
use crate::light::headers::HeaderFault;
use crate::light::known_validators::KnownValidators;
use crate::rpc::RpcClient;
use crate::testing::{TestChain, genesis_validators_json, options, sign, validators};

const THREE: [u8; 3] = [1, 2, 3];

fn read(validators: &Json) -> Result<GenesisValidators, GenesisValidatorsError> {
    GenesisValidators::from_genesis_file(json!({ "chain_id": "test", "validators": validators }).to_string().as_bytes())
}

fn three() -> GenesisValidators {
    read(&genesis_validators_json(&THREE)).unwrap()
}

/// Whether a header is one that these decided, who never change: no node is asked.
fn verify(validators: &GenesisValidators, signed: &SignedHeader) -> Result<(), HeaderFault> {
    let nobody = RpcClient::new("http://127.0.0.1:1", options()).unwrap();
    KnownValidators::of_genesis(validators, false).verify(&nobody, signed).map(|_| ())
}

/// A header of a chain of three, changed, and signed by some of some set.
fn header(set: &[u8], signers: &[u8], change: impl FnOnce(&mut Header)) -> SignedHeader {
    let now = Time::from_unix_timestamp(1_800_000_000, 0).unwrap();
    let chain = TestChain::new("test", &[[7; 32], [8; 32]], now, |_| THREE.to_vec());
    let mut header = chain.header(2).header.clone();
    change(&mut header);
    sign(header, set, signers)
}

/// Why a header does not hold for a chain of three.
fn reason(signed: &SignedHeader) -> String {
    match verify(&three(), signed) {
        Err(HeaderFault::Invalid { height: 2, reason }) => reason,
        other => panic!("{other:?}"),
    }
}

fn recorded(text: &str) -> Json {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_header_of_a_real_chain_holds_by_its_genesis_file_and_a_forged_one_does_not() {
    let answer = recorded(include_str!("../../rpc/recorded/commit.json"));
    let signed: SignedHeader = serde_json::from_value(answer["result"]["signed_header"].clone()).unwrap();
    let validators = GenesisValidators::from_genesis_file(&recorded_genesis()).unwrap();
    assert_eq!(verify(&validators, &signed), Ok(()));
    let mut forged = signed;
    forged.header.app_hash = AppHash::try_from(vec![3; 8]).unwrap();
    assert!(verify(&validators, &forged).is_err());
}

/// The genesis file that a node of that chain gave.
fn recorded_genesis() -> Vec<u8> {
    #[derive(Deserialize)]
    struct Chunk {
        #[serde(with = "tendermint_proto::serializers::bytes::base64string")]
        data: Vec<u8>,
    }
    let answer = recorded(include_str!("../../rpc/recorded/genesis_chunked.json"));
    serde_json::from_value::<Chunk>(answer["result"].clone()).unwrap().data
}

#[test]
fn two_thirds_of_the_power_are_too_little_and_more_are_enough() {
    assert_eq!(verify(&three(), &header(&THREE, &THREE, |_| ())), Ok(()));
    assert!(reason(&header(&THREE, &[1, 3], |_| ())).contains("insufficient signers overlap"));
    assert!(reason(&header(&THREE, &[], |_| ())).contains("no signatures"));
    // With four of equal power three are more than two thirds.
    let four = read(&genesis_validators_json(&[1, 2, 3, 4])).unwrap();
    let of_four = |header: &mut Header| {
        header.validators_hash = validators(&[1, 2, 3, 4]).hash();
        header.next_validators_hash = header.validators_hash;
    };
    assert_eq!(verify(&four, &header(&[1, 2, 3, 4], &[4, 2, 1], of_four)), Ok(()));
    assert!(verify(&four, &header(&[1, 2, 3, 4], &[4, 1], of_four)).is_err());
}

#[test]
fn signatures_of_strangers_and_of_something_else_are_nobodys() {
    let strangers = [11, 12, 13];
    let hash = |set: &[u8]| validators(set).hash();
    // All of it is consistent, but these validators are not those of genesis.
    let theirs = header(&strangers, &strangers, |header| {
        header.validators_hash = hash(&strangers);
        header.next_validators_hash = hash(&strangers);
    });
    assert!(reason(&theirs).contains("invalid validator set"));
    // A header that names the validators of genesis, signed by others.
    assert!(reason(&header(&strangers, &strangers, |_| ())).contains("faulty signer"));
    // Votes of the right addresses with signatures over another header.
    let mut forged = header(&THREE, &THREE, |header| header.app_hash = AppHash::try_from(vec![9; 32]).unwrap());
    forged.commit.signatures = header(&THREE, &THREE, |_| ()).commit.signatures;
    assert!(reason(&forged).contains("false signature"));
    // A commit of another block.
    let mut swapped = header(&THREE, &THREE, |_| ());
    swapped.header.time = (swapped.header.time + Duration::from_secs(1)).unwrap();
    assert!(reason(&swapped).contains("invalid commit value"));
}

#[test]
fn a_header_that_announces_other_validators_does_not_hold_whoever_signed_it() {
    let changes = header(&THREE, &THREE, |header| header.next_validators_hash = validators(&[1, 2, 3, 4]).hash());
    assert!(reason(&changes).contains("next validator set"));
}

#[test]
fn a_key_in_base64_is_read_and_other_text_is_none() {
    let listed = genesis_validators_json(&[1]);
    let text = listed[0]["pub_key"]["value"].as_str().unwrap();
    let powers = read(&listed).unwrap().powers().unwrap();
    assert_eq!(validator_key(text).map(|key| (key, 10)), powers.first_key_value().map(|(key, power)| (*key, *power)));
    for other in ["", "AAAA", &text[1..], &format!("0x{}", "00".repeat(32))] {
        assert_eq!(validator_key(other), None, "{other}");
    }
}

#[test]
fn one_validator_is_not_counted_twice() {
    let mut doubled = header(&THREE, &[1, 2], |_| ());
    let signatures = &mut doubled.commit.signatures;
    let present = signatures.iter().find(|vote| !vote.is_absent()).unwrap().clone();
    signatures.iter_mut().filter(|vote| vote.is_absent()).for_each(|absent| *absent = present.clone());
    assert!(reason(&doubled).contains("duplicate"));
}

#[test]
fn a_genesis_file_without_usable_validators_is_refused() {
    for nobody in [json!(null), json!([])] {
        assert!(matches!(read(&nobody), Err(GenesisValidatorsError::Nobody)));
    }
    let without = GenesisValidators::from_genesis_file(b"{}");
    assert!(matches!(without, Err(GenesisValidatorsError::Nobody)));
    let changed = |change: fn(&mut Json)| {
        let mut validators = genesis_validators_json(&THREE);
        change(&mut validators[1]);
        read(&validators)
    };
    let refused = |change| changed(change).unwrap_err();
    assert!(matches!(refused(|info| info["address"] = "00".into()), GenesisValidatorsError::Address(_)));
    let foreign: fn(&mut Json) = |info| info["address"] = "00".repeat(20).into();
    assert!(matches!(refused(foreign), GenesisValidatorsError::Set(SetFault::Address(_))));
    assert!(matches!(refused(|info| info["power"] = "-1".into()), GenesisValidatorsError::Json(_)));
    let all: fn(&mut Json) = |info| info["power"] = i64::MAX.to_string().into();
    assert!(matches!(refused(all), GenesisValidatorsError::Set(SetFault::Power(_))));
    assert!(matches!(refused(|info| info["pub_key"]["type"] = "x".into()), GenesisValidatorsError::Json(_)));
    // CometBFT computes an address that is left out.
    assert_eq!(changed(|info| info["address"] = "".into()).unwrap(), three());
}
