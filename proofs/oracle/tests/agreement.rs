//! The oracle says what the specification says: on small random histories, honest and spoiled, of
//! both schemes, and nowhere does the specification panic.

// A broken premise must stop a test.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use aardvark_oracle::{Oracle, OracleError, Safety, specified_check};
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::transaction::Transaction;
use aardvark_spec::block::validator::check_transaction;

use common::scene::Scene;
use common::{seq, start};

#[test]
fn the_oracle_says_what_the_specification_says() {
    let Some(mut oracle) = start() else { return };
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..40 {
        let mut scene = Scene::new(seed, &mut oracle);
        for number in 0..6 {
            let transactions: Vec<Transaction> = (0..=scene.dice.below(2)).map(|_| scene.transaction()).collect();
            for tx in &transactions {
                let specified = check_transaction(&scene.setup, &scene.state, tx);
                assert_eq!(oracle.check(Safety::Skip, tx).unwrap().text, specified_check(&specified));
            }
            scene.import(&mut oracle);
            let spoiled = scene.spoiled(&transactions[0]);
            let spoiled = scene.block(vec![spoiled]);
            let safety = if number == 1 { Safety::Ask } else { Safety::Skip };
            for block in [spoiled, scene.block(transactions)] {
                if scene.step(&mut oracle, &block, safety) {
                    accepted += 1;
                    break;
                }
                refused += 1;
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} blocks accepted, {refused} refused");
}

#[test]
fn what_is_no_request_is_an_error_and_no_more() {
    let Some(mut oracle) = start() else { return };
    assert!(matches!(oracle.advance(), Err(OracleError::Refused(_))));
    let block = Block { block_version: 1, transactions: seq(Vec::new()), tail_vectors: seq(Vec::new()) };
    assert!(matches!(oracle.judge(Safety::Skip, &block), Err(OracleError::Refused(_))));
    Scene::new(1, &mut oracle);
    assert!(oracle.judge(Safety::Skip, &block).is_ok());
}

#[test]
fn an_oracle_that_has_died_is_an_error_and_no_hang() {
    let block = Block { block_version: 1, transactions: seq(Vec::new()), tail_vectors: seq(Vec::new()) };
    // A program that ends at once.
    let mut dead = Oracle::start_at("/bin/false".into()).unwrap();
    let error = dead.judge(Safety::Skip, &block).unwrap_err();
    assert!(matches!(error, OracleError::Ended | OracleError::Pipe(_)), "{error}");
    let missing = Oracle::start_at("/bin/there is no such program".into()).unwrap_err();
    assert!(missing.to_string().contains("make -C proofs oracle"), "{missing}");
}
