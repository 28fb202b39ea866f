//! What the operations cost on this machine: microseconds of one thread's CPU time (wall time where
//! the system does not tell it), the least of several rounds.
//!
//! ```text
//! cargo run --release -p benches --bin figures
//! cargo run --release -p benches --bin figures -- 512 256 64   # tables of these budgets in MB
//! ```
//!
//! Every result that is timed is checked. Decoding is not part of a verification here; its own rows
//! say what it costs.

use std::hint::black_box;
use std::time::{Duration, Instant};

use aardvark_algebra::{Scalar, hash_to_scalar};
use aardvark_commitment::{
    BatchClaim, Ceremony, Commitment, CommitmentError, CommitmentUpdate, Kzg, Opening, OpeningUpdate, VectorCommitment,
};

const VECTOR_SIZE: usize = 1024;
const DICTIONARY: [u8; 32] = [1; 32];
const VECTORS: usize = 16;
const ROUNDS: usize = 5;

/// CPU time of this thread so far, from Linux's scheduler statistics, or the wall time since
/// `start`.
fn time_spent(start: Instant) -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = statistics.and_then(|line| line.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Microseconds of one call: the fastest of several rounds, each long against the statistics'
/// granularity of some milliseconds.
fn fastest<T>(mut call: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let start = Instant::now();
        black_box(call());
        start.elapsed()
    };
    let estimate = (0..3).map(once).min().unwrap_or_default().as_nanos().max(1);
    let repeat = (Duration::from_millis(100).as_nanos() / estimate).clamp(1, 10_000) as u32;
    let round = |_| {
        let start = Instant::now();
        let before = time_spent(start);
        (0..repeat).for_each(|_| drop(black_box(call())));
        time_spent(start).saturating_sub(before)
    };
    let least = (0..ROUNDS).map(round).min().unwrap_or(Duration::MAX);
    least.as_secs_f64() * 1e6 / f64::from(repeat)
}

fn row(name: &str, microseconds: f64) {
    println!("{name:<44}{microseconds:>14.1} us");
}

fn scalar(seed: usize) -> Scalar {
    hash_to_scalar(&seed.to_be_bytes(), b"figures")
}

/// `count` true claims over a few vectors; claims with equal vector and index share their opening.
fn claims(kzg: &Kzg, count: usize) -> Result<Vec<BatchClaim>, CommitmentError> {
    let vectors: Vec<Vec<Scalar>> =
        (0..VECTORS).map(|v| (0..VECTOR_SIZE).map(|i| scalar(v * VECTOR_SIZE + i)).collect()).collect();
    let commitments = vectors.iter().map(|v| kzg.commit(v)).collect::<Result<Vec<_>, _>>()?;
    let distinct = (0..count.min(256))
        .map(|j| {
            let (vector, index) = (j % VECTORS, 37 * j % VECTOR_SIZE);
            Ok(BatchClaim {
                label: 0,
                commitment: commitments[vector],
                index,
                scalar: vectors[vector][index],
                opening: kzg.open(&vectors[vector], index)?,
            })
        })
        .collect::<Result<Vec<BatchClaim>, CommitmentError>>()?;
    let repeated = distinct.iter().cycle().zip(0..);
    Ok(repeated.take(count).map(|(claim, version)| BatchClaim { label: version, ..*claim }).collect())
}

fn single(kzg: &Kzg) -> Result<(), CommitmentError> {
    let vector: Vec<Scalar> = (0..VECTOR_SIZE).map(scalar).collect();
    let commitment = kzg.commit(&vector)?;
    let opening = kzg.open(&vector, 5)?;
    assert!(kzg.verify(&commitment, 5, &vector[5], &opening));
    let delta = scalar(4711);
    let mut changed = vector.clone();
    changed[9] += delta;
    assert_eq!(kzg.update_commitment(&commitment, 9, &delta)?, kzg.commit(&changed)?);
    assert_eq!(kzg.update_opening(&opening, 5, 9, &delta)?, kzg.open(&changed, 5)?);

    let (c, o) = (commitment.to_bytes(), opening.to_bytes());
    row("decode an opening (format's rule)", fastest(|| Opening::from_bytes(&o)));
    row("decode an opening (strict)", fastest(|| Opening::from_bytes_strict(&o)));
    row("decode a commitment", fastest(|| Commitment::from_bytes(&c)));
    row("commit, N = 1024", fastest(|| kzg.commit(&vector)));
    row("open, N = 1024", fastest(|| kzg.open(&vector, 5)));
    row("verify", fastest(|| kzg.verify(&commitment, 5, &vector[5], &opening)));
    row("update a commitment", fastest(|| kzg.update_commitment(&commitment, 9, &delta)));
    row("update an opening", fastest(|| kzg.update_opening(&opening, 5, 9, &delta)));
    Ok(())
}

fn batches(kzg: &Kzg) -> Result<(), CommitmentError> {
    for count in [1, 10, 100, 1_000, 10_000] {
        let claims = claims(kzg, count)?;
        assert!(kzg.verify_batch(&DICTIONARY, &claims));
        let mut wrong = claims.clone();
        wrong[count / 3].scalar += Scalar::from(1);
        assert_eq!(kzg.first_false(&DICTIONARY, &wrong), Some(count / 3));
        let time = fastest(|| kzg.verify_batch(&DICTIONARY, &claims));
        row(&format!("verify a batch of {count}, per claim"), time / count as f64);
        let time = fastest(|| kzg.first_false(&DICTIONARY, &wrong));
        row(&format!("find the one false claim among {count}"), time);
    }
    Ok(())
}

/// What tables of some bytes give, each beside its twin without: in turn, in this run.
fn tables(ceremony: &Ceremony, plain: &Kzg, budget: usize) -> Result<(), CommitmentError> {
    let kzg = Kzg::new(ceremony, VECTOR_SIZE)?.with_tables(budget)?;
    if let Some(tables) = kzg.tables() {
        let (bytes, seconds) = (tables.bytes() as f64 / 1e6, tables.build_time().as_secs_f64());
        println!(
            "tables: budget {} MB, {bytes:.1} MB built in {seconds:.2} s, {:?}",
            budget / 1_000_000,
            tables.shape()
        );
    }
    let vector: Vec<Scalar> = (0..VECTOR_SIZE).map(scalar).collect();
    let (commitment, opening) = (kzg.commit(&vector)?, kzg.open(&vector, 5)?);
    assert_eq!((commitment, opening), (plain.commit(&vector)?, plain.open(&vector, 5)?));
    let multiplication = fastest(|| plain.lagrange_basis().map(|basis| basis[3] * vector[3]));
    row("one scalar multiplication by blst", multiplication);
    let twin = fastest(|| plain.commit(&vector));
    ratio("commit", fastest(|| kzg.commit(&vector)), twin);
    let twin = fastest(|| plain.open(&vector, 5));
    ratio("open", fastest(|| kzg.open(&vector, 5)), twin);

    let deltas: Vec<(usize, Scalar)> = (0..VECTOR_SIZE).map(|j| (37 * j % VECTOR_SIZE, scalar(j + 5000))).collect();
    let alone: Vec<CommitmentUpdate> = deltas.chunks(1).map(|deltas| (commitment, deltas)).collect();
    let updated = kzg.update_commitments_many(&alone)?;
    assert_eq!(updated, plain.update_commitments_many(&alone)?);
    let per_delta = |time: f64| time / VECTOR_SIZE as f64;
    ratio("update a commitment, alone", fastest(|| kzg.update_commitment(&commitment, 9, &vector[7])), multiplication);
    ratio("update 1024 commitments, each", per_delta(fastest(|| kzg.update_commitments_many(&alone))), multiplication);
    for count in [16, 128, VECTOR_SIZE] {
        let time = fastest(|| kzg.update_commitment_many(&commitment, &deltas[..count]));
        ratio(&format!("update one commitment by {count}, each"), time / count as f64, multiplication);
    }
    let alone: Vec<OpeningUpdate> = deltas.chunks(1).map(|deltas| (opening, 5, deltas)).collect();
    assert_eq!(kzg.update_openings_many(&alone)?, plain.update_openings_many(&alone)?);
    ratio("update an opening, alone", fastest(|| kzg.update_opening(&opening, 5, 9, &vector[7])), multiplication);
    ratio("update 1024 openings, each", per_delta(fastest(|| kzg.update_openings_many(&alone))), multiplication);
    for count in [16, 128, VECTOR_SIZE] {
        let time = fastest(|| kzg.update_opening_many(&opening, 5, &deltas[..count]));
        ratio(&format!("update one opening by {count}, each"), time / count as f64, multiplication);
    }
    let all = kzg.open_all(&vector)?;
    assert_eq!(all[5], opening);
    assert_eq!(all, plain.open_all(&vector)?);
    let time = per_delta(fastest(|| kzg.open_all(&vector)));
    ratio("open all, each, to one plain open", time, twin);
    ratio("open all, each, to one open with tables", time, fastest(|| kzg.open(&vector, 5)));
    Ok(())
}

fn ratio(name: &str, microseconds: f64, twin: f64) {
    println!("{name:<44}{microseconds:>14.1} us {:>10.3} of {twin:.1} us", microseconds / twin);
}

fn starts(ceremony: &Ceremony) -> Result<(), CommitmentError> {
    row("start a verifier (ceremony loaded)", fastest(|| Kzg::verifier(VECTOR_SIZE)));
    let path = std::env::temp_dir().join(format!("aardvark-figures-{}", std::process::id()));
    let cached = || Kzg::with_cache(ceremony, VECTOR_SIZE, &path);
    let (derived, read) = (cached()?, cached()?);
    assert_eq!(derived.lagrange_basis(), read.lagrange_basis());
    row("start a prover from its cache, N = 1024", fastest(cached));
    // The figures do not depend on it, and the system clears the directory.
    let _ = std::fs::remove_file(&path);
    Ok(())
}

/// The tables of these budgets in MB, or, if none is named, all that needs no tables.
fn figures(budgets: &[usize]) -> Result<(), CommitmentError> {
    let start = Instant::now();
    let ceremony = Ceremony::ethereum()?;
    row("load the ceremony (first call)", start.elapsed().as_secs_f64() * 1e6);
    let start = Instant::now();
    let kzg = Kzg::new(ceremony, VECTOR_SIZE)?;
    row("derive the Lagrange basis, N = 1024", start.elapsed().as_secs_f64() * 1e6);
    starts(ceremony)?;
    if !budgets.is_empty() {
        return budgets.iter().try_for_each(|megabytes| tables(ceremony, &kzg, megabytes * 1_000_000));
    }
    single(&kzg)?;
    batches(&kzg)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let budgets: Vec<usize> = std::env::args().skip(1).map(|megabytes| megabytes.parse()).collect::<Result<_, _>>()?;
    Ok(pool.install(|| figures(&budgets))?)
}
