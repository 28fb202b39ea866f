//! A validator's block over time: 1,000 modifications with claims of the version before, at 16
//! vectors of 256.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros; a benchmark that cannot set its scene has failed"
)]

use std::sync::Arc;

use aardvark_algebra::{Scalar, tagged_hash};
use aardvark_commitment::{Scheme, VectorCommitment, insecure};
use aardvark_dictionary::{
    Block, Claim, Genesis, Identity, Key, Operation, Parameters, Slot, Transaction, Validator, Value,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

const SIZE: usize = 256;
const KEYS: u64 = 4095;
const OPERATIONS: usize = 1000;

fn key(number: u64) -> Key {
    Key::from(tagged_hash("AARDVARK-BENCH-KEY", &number.to_be_bytes()).as_slice())
}

fn value(number: u64) -> Value {
    Value::from(number.to_be_bytes().as_slice())
}

/// A validator at genesis, and a block for it.
fn scene() -> (Validator, Block) {
    let scheme = Arc::new(Scheme::from(insecure::kzg_with_known_tau(SIZE, Scalar::from(7919)).unwrap()));
    let parameters = Parameters { vector_size: SIZE as u32, ..Parameters::default() };
    let mut entries: Vec<(Key, Value)> = (0..KEYS).map(|number| (key(number), value(number))).collect();
    entries.sort_unstable();
    let genesis =
        Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), entries).unwrap();
    let slots: Vec<Slot> = genesis.slots().collect();
    let openings: Vec<_> = slots
        .chunks(SIZE)
        .flat_map(|vector| scheme.open_all(&vector.iter().map(Slot::scalar).collect::<Vec<_>>()).unwrap())
        .collect();
    let transaction = |number: usize| {
        let position = 1 + number * 4;
        let slot = slots[position].clone();
        let operations = vec![Operation::Put(slot.key.clone(), value(1 << 40))];
        let claims = vec![Claim { position: position as u64, slot, opening: openings[position].to_bytes() }];
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&(number as u64).to_be_bytes());
        Transaction { first_valid: 1, last_valid: 11, nonce, operations, claims }
    };
    let block =
        Block { version: 1, transactions: (0..OPERATIONS).map(transaction).collect(), tail_vectors: Vec::new() };
    (Validator::new(&genesis, scheme).unwrap(), block)
}

fn apply(criterion: &mut Criterion) {
    let (validator, block) = scene();
    assert_eq!(validator.clone().apply(&block).unwrap().writes.len(), OPERATIONS);
    let mut group = criterion.benchmark_group("validator");
    group.sample_size(10).throughput(Throughput::Elements(OPERATIONS as u64));
    group.bench_function("apply", |b| {
        b.iter_batched_ref(|| validator.clone(), |validator| validator.apply(&block).unwrap(), BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, apply);
criterion_main!(benches);
