//! Commitments over time: what a change of the code does to the operations that everything rests
//! on.
//!
//! For comparisons with other libraries, and for results that are checked in every run, see the
//! program `benches`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros; a benchmark that cannot set its scene has failed"
)]

use std::hint::black_box;

use aardvark_algebra::{Scalar, hash_to_scalar};
use aardvark_commitment::{BatchClaim, Ceremony, Commitment, Kzg, Opening, VectorCommitment};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZE: usize = 1024;
const DICTIONARY: [u8; 32] = [0xaa; 32];

fn scalar(number: u64) -> Scalar {
    hash_to_scalar(&number.to_be_bytes(), b"AARDVARK-BENCH-SCALAR")
}

/// True claims about different vectors, each zero but at one index.
fn claims(kzg: &Kzg, count: usize) -> Vec<BatchClaim> {
    let claim = |number: usize| {
        let (index, scalar) = (number * 389 % SIZE, scalar(number as u64));
        let commitment = kzg.update_commitment(&Commitment::identity(), index, &scalar).unwrap();
        let opening = kzg.update_opening(&Opening::identity(), index, index, &scalar).unwrap();
        BatchClaim { label: 0, commitment, index, scalar, opening }
    };
    (0..count).map(claim).collect()
}

fn single(criterion: &mut Criterion) {
    let kzg = Kzg::new(Ceremony::ethereum().unwrap(), SIZE).unwrap();
    let vector: Vec<Scalar> = (0..SIZE as u64).map(scalar).collect();
    let commitment = kzg.commit(&vector).unwrap();
    let opening = kzg.open(&vector, 7).unwrap();
    assert!(kzg.verify(&commitment, 7, &vector[7], &opening));
    let delta = scalar(99);
    let mut group = criterion.benchmark_group("kzg");
    group.bench_function("commit", |b| b.iter(|| kzg.commit(black_box(&vector)).unwrap()));
    group.bench_function("open", |b| b.iter(|| kzg.open(black_box(&vector), 7).unwrap()));
    group.bench_function("verify", |b| b.iter(|| kzg.verify(black_box(&commitment), 7, &vector[7], &opening)));
    group.bench_function("update_commitment", |b| {
        b.iter(|| kzg.update_commitment(black_box(&commitment), 7, &delta).unwrap());
    });
    group.bench_function("update_opening", |b| {
        b.iter(|| kzg.update_opening(black_box(&opening), 7, 8, &delta).unwrap());
    });
    group.finish();
}

fn batches(criterion: &mut Criterion) {
    let kzg = Kzg::new(Ceremony::ethereum().unwrap(), SIZE).unwrap();
    let claims = claims(&kzg, 1000);
    let mut group = criterion.benchmark_group("kzg verify_batch");
    group.sample_size(10);
    for length in [10, 100, 1000] {
        let part = &claims[..length];
        assert!(kzg.verify_batch(&DICTIONARY, part));
        group.throughput(Throughput::Elements(length as u64));
        group.bench_with_input(BenchmarkId::from_parameter(length), part, |b, part| {
            b.iter(|| kzg.verify_batch(&DICTIONARY, black_box(part)));
        });
    }
    group.finish();
}

criterion_group!(benches, single, batches);
criterion_main!(benches);
