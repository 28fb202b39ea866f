//! The default sizes, N = 1024 and W = 10, which random histories are too small for: both sides go
//! through the same versions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Key, Operation, Value};
use differential_tests::build::nonce;
use differential_tests::ordinary_map::OrdinaryMap;
use differential_tests::pair::{Pair, Verdict};
use differential_tests::plan::{ClaimsPlan, TransactionPlan};
use differential_tests::setting::Setting;

/// The i-th of 65,536 keys that are not in order.
fn key(index: u32) -> Key {
    let scattered = index.wrapping_mul(40_503) % 65_536;
    Key::from(scattered.to_be_bytes()[2..].to_vec())
}

fn transaction(pair: &Pair, age: u8, number: usize, operations: Vec<Operation>) -> aardvark_dictionary::Transaction {
    let plan = TransactionPlan { age, claims: ClaimsPlan::All, ..TransactionPlan::default() };
    pair.builder().transaction(&plan, operations, nonce(pair.archive.version(), number))
}

#[test]
fn a_dictionary_of_the_default_sizes_goes_through_the_same_versions_on_both_sides() {
    let setting = Setting::new(SchemeKind::Kzg, 1024, 10);
    let mut entries: Vec<_> = (0..2070).map(|index| (key(index), Value::from("v"))).collect();
    entries.sort();
    let genesis = setting.genesis_of(entries);
    let mut pair = Pair::new(setting, &genesis).unwrap();
    assert_eq!((pair.archive.now().len(), pair.validator.commitments().len()), (2071, 3));
    for round in 0..12u32 {
        if round == 2 {
            // The oracle's lists make a vector of 1,024 cost seconds a block.
            pair.third = None;
        }
        let age = u8::try_from(round.min(10)).unwrap();
        // More deletes than inserts, by claims up to W versions old, until the third vector is
        // gone.
        let deletes = (0..8).map(|index| Operation::Delete(key(8 * round + index))).collect();
        let puts = (0..4).map(|index| Operation::Put(key(3000 + 4 * round + index), Value::from("w"))).collect();
        let transactions = vec![transaction(&pair, age, 0, deletes), transaction(&pair, age, 1, puts)];
        let mut map = OrdinaryMap(pair.archive.map());
        assert!(transactions.iter().all(|transaction| map.run(&transaction.operations)));
        let block = pair.builder().with_tail(transactions, &map);
        match pair.step(&block).unwrap() {
            Verdict::Accepted(_) => {}
            Verdict::Refused(refusal) => panic!("round {round}: {refusal}"),
        }
    }
    assert_eq!((pair.archive.now().len(), pair.validator.commitments().len()), (2071 - 4 * 12, 2));
}
