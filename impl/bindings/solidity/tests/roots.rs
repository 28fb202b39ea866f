//! The contract under a state root: true answers, lies, bytes of any kind, gas.

use harness::abi::{answer, call};
use harness::chain::{Called, Chain, Outcome};
use harness::proofs::{Hex, Proof, enter, under_root, under_root_by};
use harness::samples::Sample;
use revm::primitives::Address;
use sha2::{Digest, Sha256};

fn deployed() -> (Chain, Address) {
    let mut chain = Chain::new();
    let verifier = chain.deploy("AardvarkVerifier", &[]);
    (chain, verifier)
}

fn returned(called: Called) -> Option<Vec<u8>> {
    match called.outcome {
        Outcome::Returned(output) => answer(&output),
        other => panic!("{other:?}"),
    }
}

fn reverted(error: &str) -> Outcome {
    Outcome::Reverted(error.to_owned())
}

#[test]
fn members_are_found_strangers_are_not_and_both_cost_little() {
    let (mut chain, verifier) = deployed();
    for (name, sample) in [("10^3", Sample::thousand()), ("10^6", Sample::million())] {
        for (who, proof, value) in
            [("a member", &sample.member, Some(b"member 42".to_vec())), ("a stranger", &sample.stranger, None)]
        {
            let called = chain.call(verifier, &sample.ask(proof));
            let Called { executed, calldata, .. } = called;
            println!("{name} keys, {who}: {executed} gas executing, {calldata} for calldata");
            assert!(executed < 75_000 && calldata < 16_000, "{executed} {calldata}");
            assert_eq!(returned(called), value);
        }
    }
}

#[test]
fn every_lie_reverts_with_its_reason() {
    let (mut chain, verifier) = deployed();
    let sample = Sample::million();
    let mut lie = |change: fn(&mut Sample)| {
        let mut lying = sample.clone();
        change(&mut lying);
        let data = lying.ask(&lying.member);
        chain.call(verifier, &data).outcome
    };
    fn tie(sample: &mut Sample) -> &mut harness::proofs::RootTie {
        sample.member.root.as_mut().unwrap()
    }
    let lies: [(&str, fn(&mut Sample)); 23] = [
        ("VectorSizeIllegal", |lying| lying.known.vector_size = 0),
        ("VectorSizeIllegal", |lying| lying.known.vector_size = 1023),
        ("VectorSizeIllegal", |lying| lying.known.vector_size = 8192),
        ("TiedVectorsMismatched", |lying| lying.known.vector_size = 512),
        ("TiedVectorsMismatched", |lying| lying.member.claims[0].position += 1024),
        ("TiedVectorsMismatched", |lying| tie(lying).vectors[0].number += 1),
        ("TiedVectorsMismatched", |lying| tie(lying).vectors.clear()),
        ("TiedVectorsMismatched", |lying| {
            let vector = tie(lying).vectors[0].clone();
            tie(lying).vectors.push(vector);
        }),
        ("CommitmentMalformed", |lying| tie(lying).vectors[0].commitment.0.push(0)),
        ("RootFalse", |lying| lying.known.root.0[31] ^= 1),
        ("RootFalse", |lying| lying.known.dictionary.0[0] ^= 1),
        ("RootFalse", |lying| lying.member.version += 1),
        ("RootFalse", |lying| tie(lying).size += 1),
        ("RootFalse", |lying| tie(lying).tail_start += 1),
        ("RootFalse", |lying| tie(lying).window_digest.0[0] ^= 1),
        ("PathFalse", |lying| tie(lying).vectors[0].commitment.0[47] ^= 1),
        ("PathFalse", |lying| drop(tie(lying).vectors[0].path.pop())),
        ("PathFalse", |lying| tie(lying).vectors[0].path.push(Hex(vec![0; 32]))),
        ("PathFalse", |lying| tie(lying).vectors[0].path.swap(0, 1)),
        ("AnswerOpeningFalse", |lying| lying.member.claims[0].slot.value.0.push(b'0')),
        ("AnswerOpeningFalse", |lying| lying.member.claims[0].position ^= 1),
        ("AnswerOpeningFalse", |lying| lying.member.claims[0].opening.0[47] ^= 1),
        ("ChainNotCovering", |lying| lying.member.question.keys = lying.stranger.question.keys.clone()),
    ];
    for (i, (error, change)) in lies.into_iter().enumerate() {
        assert_eq!(lie(change), reverted(error), "lie {i}");
    }
}

/// Positions of the last vector that no slot has are not in use, whatever opens there.
#[test]
fn a_position_behind_the_last_slot_is_not_in_use() {
    let (mut chain, verifier) = deployed();
    let sample = Sample::thousand();
    let mut lying = sample.member.clone();
    lying.claims[0].position = lying.tie().size;
    let data = under_root(&sample.known, &lying.key(), lying.version, lying.claim(), lying.tie());
    assert_eq!(chain.call(verifier, &data).outcome, reverted("AnswerPositionOutOfRange"));
}

/// Calldata with one byte changed, or cut, gives the answer that is true, or none; and what it
/// costs is bounded: an answer's cost, and what the point evaluation burns at most.
#[test]
fn calldata_of_any_kind_gives_no_other_answer_and_burns_no_more() {
    let (mut chain, verifier) = deployed();
    let sample = Sample::million();
    let (honest, truth) = (sample.ask(&sample.member), Some(b"member 42".to_vec()));
    let mut taken = 0;
    for i in 0..1_500_usize {
        let digest = Sha256::digest(i.to_be_bytes());
        let place = usize::from(u16::from_be_bytes([digest[0], digest[1]])) % (honest.len() - 4) + 4;
        let mut data = honest.clone();
        match digest[2] % 8 {
            0 => data.truncate(place),
            1 => data[place] = 0xff,
            _ => data[place] ^= 1 << (digest[3] % 8),
        }
        if data == honest {
            continue;
        }
        let Called { outcome, executed, .. } = chain.call(verifier, &data);
        assert!(executed < 90_000, "{executed} gas at byte {place}: {outcome:?}");
        match outcome {
            Outcome::Returned(output) => {
                // A byte behind an end, or of the asked key within the slot's gap.
                let found = answer(&output);
                let asks_another = data[..] != honest[..] && found.is_none();
                assert!(found == truth || asks_another, "byte {place}: {found:?}");
                taken += 1;
            }
            Outcome::Reverted(_) => (),
            Outcome::Halted(reason) => panic!("byte {place}: {reason:?}"),
        }
    }
    assert!(taken < 200, "{taken} of the changes went unnoticed");
}

/// A true proof is never called false for want of gas.
#[test]
fn too_little_gas_is_said_or_stops_and_is_never_taken_for_a_false_opening() {
    let (mut chain, verifier) = deployed();
    let sample = Sample::million();
    let data = sample.ask(&sample.member);
    let plenty = chain.call(verifier, &data);
    let before = 21_000 + plenty.calldata;
    let (mut said, mut answered) = (0, 0);
    // A transaction with so much data has to bring more than half of the answer's cost (EIP-7623).
    for gas in (before + plenty.executed / 3..before + plenty.executed + 5_000).step_by(250) {
        match chain.call_from(Address::ZERO, verifier, &data, gas).outcome {
            Outcome::Returned(_) => answered += 1,
            Outcome::Reverted(error) if error == "GasTooLow" => said += 1,
            Outcome::Halted(_) => (),
            Outcome::Reverted(error) => panic!("with {gas} gas: {error}"),
        }
    }
    assert!(said > 10 && answered > 10, "{said} {answered}");
}

#[test]
fn a_chain_without_the_point_evaluation_takes_no_opening() {
    let mut chain = Chain::new();
    let elsewhere = chain.deploy("Elsewhere", &[]);
    let sample = Sample::thousand();
    assert_eq!(chain.call(elsewhere, &sample.ask(&sample.member)).outcome, reverted("PrecompileMissing"));
}

#[test]
fn the_contract_of_the_readme_lets_members_in_and_nobody_else() {
    let mut chain = Chain::new();
    let sample = Sample::thousand();
    let constructor = call("constructor", vec![sample.known.value()]);
    let members = chain.deploy("Members", &constructor[4..]);
    let mut enters = |caller: &Proof, proof: &Proof| {
        let data = enter(proof.version, proof.claim(), proof.tie());
        chain.call_from(Address::from_slice(&caller.key()), members, &data, 1_000_000).outcome
    };
    let role = [&[0; 31][..], &[32], &[0; 31], &[9], b"member 42", &[0; 23]].concat();
    assert_eq!(enters(&sample.member, &sample.member), Outcome::Returned(role));
    assert_eq!(enters(&sample.stranger, &sample.stranger), reverted("not a member"));
    assert_eq!(enters(&sample.stranger, &sample.member), reverted("ChainNotCovering"));
}

#[test]
fn the_contract_of_the_front_page_reads_what_a_root_says() {
    let mut chain = Chain::new();
    let reader = chain.deploy("Reader", &[]);
    let sample = Sample::thousand();
    let mut read = |key: &[u8], proof: &Proof| {
        let data = under_root_by("read", &sample.known, key, proof.version, proof.claim(), proof.tie());
        chain.call(reader, &data)
    };
    let (member, stranger) = (&sample.member, &sample.stranger);
    assert_eq!(returned(read(&member.key(), member)), Some(b"member 42".to_vec()));
    assert_eq!(returned(read(&stranger.key(), stranger)), None);
    assert_eq!(read(&stranger.key(), member).outcome, reverted("ChainNotCovering"));
}
