//! The oracle says what the specification says where blocks delete so much that slots which no
//! claim shows must come from tail vectors: arrays of every small size, vectors of 1, 2 and 4
//! slots, deletes from either end.

// A broken premise must stop a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use aardvark_oracle::{Oracle, Safety};
use aardvark_spec::base::scalar::scalar_of_number;
use aardvark_spec::block::operation::{Action, Operation};
use aardvark_spec::block::transaction::Transaction;
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::genesis::Parameters;
use aardvark_spec::dictionary::key_map::KeyEntry;

use common::scene::Scene;
use common::{Dice, seq, start};

const KEYS: [&[u8]; 8] = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"];

/// The first keys, each with a value of its own, in vectors of `n` slots.
fn scene(n: usize, keys: usize, oracle: &mut Oracle) -> Scene {
    let trapdoor = scalar_of_number(1_234_567);
    let mut genesis = Scene::new(0, oracle).genesis;
    // Not the vectors' size: one number for another must show.
    let sizes = Parameters { scheme: 1, vector_size: n, window_length: 3, ..genesis.genesis_parameters };
    genesis.genesis_parameters = sizes;
    let entry = |key: &&[u8]| KeyEntry { entry_key: byte_string(key), entry_value: byte_string(&[key, *key].concat()) };
    genesis.genesis_entries = seq(KEYS[..keys].iter().map(entry).collect());
    Scene::of(Dice(0), Setup::Kzg(kzg_setup(n, trapdoor)), trapdoor, genesis, oracle)
}

#[test]
fn slots_that_only_tail_vectors_show_move_to_the_same_places() {
    let Some(mut oracle) = start() else { return };
    let mut most = 0;
    for n in [1, 2, 4] {
        for keys in 1..=KEYS.len() {
            for deleted in 1..=keys {
                for from in [0, keys - deleted] {
                    let mut scene = scene(n, keys, &mut oracle);
                    let deletes = KEYS[from..from + deleted]
                        .iter()
                        .map(|key| Operation { operation_key: byte_string(key), action: Action::Delete });
                    let deletes: Vec<Operation> = deletes.collect();
                    let transactions: Vec<Transaction> =
                        deletes.chunks(4).map(|some| scene.transaction_of(some.to_vec())).collect();
                    let block = scene.block(transactions);
                    most = most.max(block.tail_vectors.len());
                    assert!(scene.step(&mut oracle, &block, Safety::Skip), "{n} {keys} {deleted} {from}");
                    // What the block left is what the next one builds on.
                    let transactions = vec![scene.transaction(), scene.transaction()];
                    let block = scene.block(transactions);
                    scene.step(&mut oracle, &block, Safety::Skip);
                }
            }
        }
    }
    assert!(most > 3, "{most}");
}
