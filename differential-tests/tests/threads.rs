//! Which fault of a long block is named does not depend on threads: of many in one phase it is the
//! lowest, on any number of threads, every time. Random histories are too short for a thread to
//! overtake another.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Block, Operation, Slot, Transaction};
use differential_tests::convert::{Refusal, block_to_spec};
use differential_tests::scene::{Scene, add, delete, put, require};
use differential_tests::setting::Setting;
use rayon::ThreadPoolBuilder;

/// Transactions in a block.
const LENGTH: usize = 800;
/// Faults stand at the end of the first half, where one thread arrives late, and all through the
/// second, where another that overtakes it finds one at once.
const FIRST_FAULT: usize = LENGTH / 2 - 1;

fn scene() -> Scene {
    // N = 8: the tail begins at 0 and shows everything, so that claims are only where a test puts
    // them.
    let setting = Setting::new(SchemeKind::Kzg, 8, 2);
    Scene::of_setting(setting, ["a", "b", "c"].map(|key| (key.into(), "v".into())).to_vec())
}

/// A block of valid transactions, of which those from [`FIRST_FAULT`] on are spoilt.
fn block(scene: &Scene, spoil: impl Fn(&mut Transaction)) -> Block {
    let transactions = (0..LENGTH).map(|number| {
        let mut transaction = scene.bare([put("a", "1")]);
        if number >= FIRST_FAULT {
            spoil(&mut transaction);
        }
        transaction
    });
    Block { version: 1, transactions: transactions.collect(), tail_vectors: Vec::new() }
}

/// The specification names the fault once, the implementation on 1, 2, 4 and 8 threads, again and
/// again.
fn named_alike(scene: &Scene, block: &Block, reason: &str, place: (Option<usize>, Option<usize>)) {
    let spec_block = block_to_spec(block, &scene.pair.archive.points);
    let setup = &scene.pair.archive.setting().setup;
    let specified = aardvark_spec::block::validator::apply_block(setup, &scene.pair.state, &spec_block);
    let specified = Refusal::from(specified.map(|_| ()).unwrap_err());
    let (transaction, item) = place;
    assert_eq!(specified, Refusal { reason: reason.to_owned(), transaction, item });
    let validator = &scene.pair.validator;
    for threads in [1, 2, 4, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for _ in 0..10 {
            let implemented = pool.install(|| validator.clone().apply(block)).unwrap_err();
            assert_eq!(Refusal::from(&implemented), specified, "on {threads} threads");
        }
    }
}

#[test]
fn the_first_of_many_that_are_too_large_is_named() {
    let scene = scene();
    let block = block(&scene, |transaction| transaction.operations = vec![put("a", "1"); 257]);
    named_alike(&scene, &block, "TooManyOperations", (Some(FIRST_FAULT), None));
}

#[test]
fn the_first_of_many_that_are_not_valid_yet_is_named() {
    let scene = scene();
    let block = block(&scene, |transaction| (transaction.first_valid, transaction.last_valid) = (2, 3));
    named_alike(&scene, &block, "NotYetValid", (Some(FIRST_FAULT), None));
}

#[test]
fn the_first_of_many_that_are_misshapen_is_named() {
    let scene = scene();
    let block = block(&scene, |transaction| transaction.operations = vec![add("n", 1), add("n", 0)]);
    named_alike(&scene, &block, "ZeroAmount", (Some(FIRST_FAULT), Some(1)));
}

#[test]
fn the_first_of_many_with_a_position_out_of_range_is_named() {
    let scene = scene();
    let mut claim = scene.covering(0, "a");
    claim.position = 4;
    let block = block(&scene, |transaction| transaction.claims = vec![claim.clone()]);
    named_alike(&scene, &block, "PositionOutOfRange", (Some(FIRST_FAULT), Some(0)));
}

#[test]
fn the_first_of_many_false_and_malformed_openings_is_named() {
    let scene = scene();
    let honest = scene.covering(0, "a");
    let mut lie = honest.clone();
    lie.slot.value = "w".into();
    let mut malformed = honest.clone();
    malformed.opening = [0; 48];
    let mut false_first = block(&scene, |transaction| transaction.claims = vec![malformed.clone()]);
    false_first.transactions[FIRST_FAULT].claims = vec![lie.clone()];
    named_alike(&scene, &false_first, "OpeningFalse", (Some(FIRST_FAULT), None));
    let mut malformed_first = block(&scene, |transaction| transaction.claims = vec![lie.clone()]);
    malformed_first.transactions[FIRST_FAULT].claims = vec![malformed.clone()];
    malformed_first.transactions.truncate(FIRST_FAULT + 8);
    named_alike(&scene, &malformed_first, "OpeningMalformed", (Some(FIRST_FAULT), None));
}

#[test]
fn the_first_of_many_whose_operations_fail_is_named() {
    let scene = scene();
    let block = block(&scene, |transaction| transaction.operations = vec![require("a", "w")]);
    named_alike(&scene, &block, "RequireFailed", (Some(FIRST_FAULT), Some(0)));
}

#[test]
fn the_first_of_many_that_do_not_resolve_is_named() {
    // N = 1: the tail shows the last two slots only.
    let setting = Setting::new(SchemeKind::Kzg, 1, 2);
    let scene = Scene::of_setting(setting, ["a", "b", "c", "d"].map(|key| (key.into(), "v".into())).to_vec());
    let operations: Vec<Operation> = vec![delete("a")];
    let transactions = (0..LENGTH).map(|number| {
        let mut transaction = scene.bare([put("d", "1")]);
        if number >= FIRST_FAULT {
            transaction.operations.clone_from(&operations);
        }
        transaction
    });
    let block = Block { version: 1, transactions: transactions.collect(), tail_vectors: Vec::new() };
    named_alike(&scene, &block, "UnresolvedCovering", (Some(FIRST_FAULT), Some(0)));
}

#[test]
fn the_first_of_many_false_tail_vectors_is_named() {
    let setting = Setting::new(SchemeKind::Kzg, 1, 2);
    let entries = (0..200u8).map(|index| ([b'k', index].as_slice().into(), "v".into()));
    let scene = Scene::of_setting(setting, entries.collect());
    let mut vectors = scene.pair.archive.tail_vectors(0, scene.pair.validator.tail().start());
    let first = vectors.len() / 2 - 1;
    vectors[first..].iter_mut().for_each(|vector| *vector = vec![Slot::lone_sentinel()]);
    // As many deletes as could make all of them necessary, or their number would be refused first.
    let transactions =
        vectors.iter().map(|_| scene.bare([delete("k")])).chain([scene.bare([delete("k"), delete("l")])]);
    let block = Block { version: 1, transactions: transactions.collect(), tail_vectors: vectors };
    named_alike(&scene, &block, "TailFalse", (None, Some(first)));
}
