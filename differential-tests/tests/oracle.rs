//! The third judge is listened to: what it says otherwise is a mismatch, and it stays in step.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::Block;
use aardvark_oracle::Safety;
use aardvark_spec::block::rejection::{Reason, reject_block};
use aardvark_spec::block::validator::apply_block;
use aardvark_spec::dictionary::changes::apply_changes;
use differential_tests::convert::block_to_spec;
use differential_tests::oracle::{Questions, is_built};
use differential_tests::ordinary_map::OrdinaryMap;
use differential_tests::pair::spec_array;
use differential_tests::scene::{Scene, put};
use differential_tests::setting::Setting;
use differential_tests::whole_arrays::changes_between;

fn scene() -> Scene {
    let setting = Setting::new(SchemeKind::Kzg, 2, 1);
    Scene::of_setting(setting, ["a", "b", "c"].map(|key| (key.into(), "v".into())).to_vec())
}

fn block(scene: &Scene) -> Block {
    scene.block([scene.now([put("b", "1"), put("d", "2")])])
}

#[test]
fn a_judgement_that_is_not_the_oracles_is_a_mismatch_and_the_next_one_is_in_step() {
    if !is_built() {
        return;
    }
    let scene = scene();
    let pair = &scene.pair;
    let block = block_to_spec(&block(&scene), &pair.archive.points);
    let specified = apply_block(&pair.archive.setting().setup, &pair.state, &block);
    let third = pair.third.as_ref().unwrap();
    let mismatch = third.judge(&block, &Err(reject_block(Reason::WrongVersion))).unwrap_err();
    assert!(mismatch.contains("judgement") && mismatch.contains("token 0"), "{mismatch}");
    let (mut state, effects) = specified.clone().unwrap();
    state.size += 1;
    assert!(third.judge(&block, &Ok((state, effects))).is_err(), "every field is compared");
    third.judge(&block, &specified).unwrap();
    assert_eq!(third.tally().judgements, 1);
}

#[test]
fn histories_that_take_turns_on_a_thread_are_each_judged_in_their_own_state() {
    let (mut one, mut other) = (scene(), scene());
    for round in 0..3 {
        let key = format!("k{round}");
        one.accept([one.now([put(&key, "1")])]);
        if round > 0 {
            other.accept([other.now([put(&key, "2")])]);
        }
        one.pass();
    }
    if is_built() {
        let judgements = |scene: &Scene| scene.pair.third.as_ref().unwrap().tally().judgements;
        assert_eq!((judgements(&one), judgements(&other)), (6, 2));
    }
}

#[test]
fn collected_questions_are_answered_in_order_however_many() {
    if !is_built() {
        return;
    }
    let scene = scene();
    let array = spec_array(scene.pair.archive.now());
    let mut questions = Questions::new(Safety::Ask);
    // More than a pipe holds.
    for number in 0..1000u32 {
        let mut after = OrdinaryMap(scene.pair.archive.map());
        after.0.insert("b".into(), number.to_be_bytes().as_slice().into());
        let (_, changes) = changes_between(&OrdinaryMap(scene.pair.archive.map()), &after);
        questions.changes(&array, &changes, apply_changes(&array, &changes).as_ref());
    }
    let tally = questions.ask().unwrap();
    assert_eq!((tally.changes, tally.twins), (1000, 1000));
    let (_, none) = changes_between(&OrdinaryMap::default(), &OrdinaryMap::default());
    questions.changes(&array, &none, None);
    questions.changes(&array, &none, Some(&array));
    assert!(questions.ask().unwrap_err().contains("net changes"), "the first of the two is wrong");
    questions.changes(&array, &none, Some(&array));
    assert_eq!(questions.ask().unwrap().changes, 1, "and nothing of them is left");
}
