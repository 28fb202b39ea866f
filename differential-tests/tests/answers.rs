//! Answers: the specification, the proofs' oracle and `aardvark-proof` say the same of honest
//! proofs and of lies, and accept nothing that is not so.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeMap;

use aardvark_commitment::Opening;
use aardvark_oracle::Safety;
use aardvark_proof::answer_openings::{fold_context, folded_claim};
use aardvark_proof::{AnswerProof, Question, answer_bytes, answer_json};
use differential_tests::answers::damage::{damaged, from_nothing};
use differential_tests::answers::fold::fold;
use differential_tests::answers::lies::lie;
use differential_tests::answers::world::{Believed, Draw, State, World};
use differential_tests::answers::{Verdict, judge};
use rayon::prelude::*;

/// Proofs that one world is asked for.
const PROOFS: u64 = 50;

/// What was said, and how often.
type Said = BTreeMap<String, u64>;

/// Honest proofs of a world, and what a lie makes of each.
fn ask(seed: u64) -> Said {
    let (world, mut draw, mut said) = (World::new(seed), Draw::new(!seed), Said::new());
    for number in 0..PROOFS {
        let state = &world.states[draw.below(world.states.len())];
        let believed = [Believed::Commitments, Believed::Root, Believed::RootAlone][draw.below(3)];
        let mut asked = draw.question();
        let mut proof = world.prove(state, believed, &asked);
        // The twin takes as long as the answer: a tenth is enough.
        let safety = if number % 10 == 0 { Safety::Ask } else { Safety::Skip };
        let judged = |asked: &Question, proof: &AnswerProof| {
            judge(&world, (state, believed), asked, proof, safety)
                .unwrap_or_else(|mismatch| panic!("world {seed:#x}, proof {number}: {mismatch}"))
        };
        // Honest proofs are common to many lies: a fifth is enough.
        if number % 5 == 0 {
            let honest = judged(&asked, &proof);
            assert!(matches!(honest, Verdict::Answer(_)), "world {seed:#x}, proof {number}: {honest:?}");
            written_and_read(&proof);
            let mut folded = proof.clone();
            fold(&world, state, &mut folded);
            if folded.folded_opening.is_some() {
                assert_eq!(folded.folded_opening, Some(folded_by_implementation(&world, state, &proof)));
                assert_eq!(judged(&asked, &folded), honest, "world {seed:#x}, proof {number}, folded");
                written_and_read(&folded);
                *said.entry(folded_under(believed)).or_default() += 1;
            }
            *said.entry("honest".to_owned()).or_default() += 1;
        }
        let made = draw.below(8);
        match made {
            0 => proof = from_nothing(&world, &mut draw, &proof),
            1 => {}
            _ => lie(&world, state, &mut draw, &mut asked, &mut proof),
        }
        // An eighth of the honest proofs is damaged, and an eighth of the lies besides.
        let received = if (1..3).contains(&made) { damaged(&mut draw, &proof) } else { Some(proof) };
        let name = match received.map(|proof| judged(&asked, &proof)) {
            None => "unreadable".to_owned(),
            Some(Verdict::Answer(_)) => "accepted".to_owned(),
            Some(Verdict::Refused(reason, ..)) => reason,
        };
        *said.entry(name).or_default() += 1;
    }
    said
}

/// What an honest folded proof is counted as.
fn folded_under(believed: Believed) -> String {
    format!("honest, folded, {believed:?}")
}

fn written_and_read(proof: &AnswerProof) {
    assert_eq!(answer_bytes::decode(&answer_bytes::encode(proof).unwrap()).as_ref(), Ok(proof));
    assert_eq!(&answer_json::read(answer_json::write(proof).unwrap().as_bytes()).unwrap(), proof);
}

/// The folded opening of an honest proof.
fn folded_by_implementation(world: &World, state: &State, proof: &AnswerProof) -> [u8; 96] {
    let claims = proof.claims.iter().map(|claim| {
        let commitment = state.commitments[claim.position as usize / world.vector_size()];
        (folded_claim(&world.setting.scheme, commitment, claim), Opening::from_bytes(&claim.opening).unwrap())
    });
    let context = fold_context(&proof.dictionary, proof.version, proof.vector_size);
    world.setting.scheme.fold(&context, &claims.collect::<Vec<_>>()).unwrap().to_bytes()
}

fn campaign(worlds: u64, first: u64) -> Said {
    let merge = |mut all: Said, said: Said| {
        said.into_iter().for_each(|(name, count)| *all.entry(name).or_default() += count);
        all
    };
    (first..first + worlds).into_par_iter().map(ask).reduce(Said::new, merge)
}

/// Every reason.
const REASONS: [&str; 19] = [
    "OtherScheme",
    "PartsMalformed",
    "QuestionIllegal",
    "AnswerSlotTooLong",
    "TieMismatched",
    "TiedVectorsMismatched",
    "CommitmentMalformed",
    "AnswerOpeningMalformed",
    "OtherDictionary",
    "OtherVectorSize",
    "OtherVersion",
    "OtherQuestion",
    "RootFalse",
    "PathFalse",
    "AnswerPositionOutOfRange",
    "AnswerOpeningFalse",
    "ChainNotCovering",
    "ChainSuperfluous",
    "ChainMissing",
];

fn every_reason_was_met(said: &Said) {
    println!("{said:#?}");
    for reason in REASONS {
        assert!(said.get(reason).is_some_and(|count| *count >= 50), "{reason}: {said:?}");
    }
    for believed in [Believed::Commitments, Believed::Root, Believed::RootAlone] {
        let folded = said.get(&folded_under(believed));
        assert!(folded.is_some_and(|count| *count >= 50), "{believed:?}: {said:?}");
    }
    // What a lie left true: torsion, a change that was none, and others that cancel.
    assert!(said["accepted"] > 0);
}

#[test]
fn ten_thousand_lies_are_judged_alike() {
    every_reason_was_met(&campaign(200, 0x00aa_1d7a));
}

#[test]
#[ignore = "long"]
fn a_million_lies_are_judged_alike() {
    every_reason_was_met(&campaign(20_000, 0x1000_0000));
}
