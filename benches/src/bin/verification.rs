//! What verification costs beside c-kzg's `verify_kzg_proof` in the same run: microseconds of one
//! thread's CPU time, the least of several rounds taken in turn, and the ratio.
//!
//! ```text
//! cargo run --release -p benches --bin verification
//! ```
//!
//! Claims are about distinct vectors, N = 1,024. Every verdict is checked, the false ones as well.

use std::hint::black_box;
use std::time::{Duration, Instant};

use aardvark_algebra::{Scalar, hash_to_scalar, scalar_to_bytes};
use aardvark_commitment::{
    Aggregate, Aggregation, BatchClaim, Ceremony, Commitment, Kzg, Opening, UnopenedClaim, VectorCommitment,
};
use c_kzg::{Bytes32, Bytes48};

const VECTOR_SIZE: usize = 1024;
const DICTIONARY: [u8; 32] = [1; 32];
const MOST: usize = 10_000;
const ROUNDS: usize = 3;

type Failure = Box<dyn std::error::Error>;

/// CPU time of this thread so far, from Linux's scheduler statistics, or the wall time since
/// `start`.
fn time_spent(start: Instant) -> Duration {
    // The statistics are brought up to date when the thread is scheduled.
    std::thread::yield_now();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = statistics.and_then(|line| line.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// A call and how often it runs in one round.
struct Row<'a> {
    name: String,
    repeat: u32,
    /// What one call does, counted in claims.
    claims: usize,
    call: Box<dyn Fn() -> bool + 'a>,
    least: Duration,
}

fn row<'a>(name: impl Into<String>, repeat: u32, claims: usize, call: impl Fn() -> bool + 'a) -> Row<'a> {
    Row { name: name.into(), repeat, claims, call: Box::new(call), least: Duration::MAX }
}

/// Runs all rows in turn, several rounds, and prints them against the first.
fn print(mut rows: Vec<Row>) {
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let start = Instant::now();
            let before = time_spent(start);
            for _ in 0..row.repeat {
                assert!(black_box((row.call)()), "{}", row.name);
            }
            row.least = row.least.min(time_spent(start).saturating_sub(before) / row.repeat);
        }
    }
    let judge = rows.first().map_or(1.0, |row| row.least.as_secs_f64());
    for row in &rows {
        let each = row.least.as_secs_f64() / row.claims as f64;
        println!("{:<64}{:>12.2} us{:>12.4}   1/{:.1}", row.name, each * 1e6, each / judge, judge / each);
    }
}

fn scalar(seed: usize) -> Scalar {
    hash_to_scalar(&seed.to_be_bytes(), b"verification")
}

/// True claims about so many distinct vectors: multiples of one, whose commitment and openings are
/// multiples too.
fn claims(kzg: &Kzg, count: usize) -> Result<Vec<BatchClaim>, Failure> {
    let vector: Vec<Scalar> = (0..VECTOR_SIZE).map(scalar).collect();
    let commitment = kzg.commit(&vector)?;
    let openings = kzg.open_all(&vector)?;
    let claim = |j: usize| {
        let (factor, index) = (scalar(VECTOR_SIZE + j), 389 * j % VECTOR_SIZE);
        BatchClaim {
            label: 0,
            commitment: Commitment::from_point_unchecked(commitment.point() * factor),
            index,
            scalar: vector[index] * factor,
            opening: Opening::from_point_unchecked(openings[index].point() * factor),
        }
    };
    Ok((0..count).map(claim).collect())
}

fn unopened(claims: &[BatchClaim]) -> Vec<UnopenedClaim> {
    let claim = |(vector, claim): (usize, &BatchClaim)| UnopenedClaim {
        label: claim.label,
        position: (vector * VECTOR_SIZE + claim.index) as u64,
        commitment: claim.commitment,
        scalar: claim.scalar,
    };
    claims.iter().enumerate().map(claim).collect()
}

/// The batch with every so-many-th claim false.
fn falsified(claims: &[BatchClaim], every: usize) -> Vec<BatchClaim> {
    let mut claims = claims.to_vec();
    claims.iter_mut().skip(every / 2).step_by(every).for_each(|claim| claim.scalar += Scalar::from(1));
    claims
}

fn decode(openings: &[[u8; 48]], claims: &[BatchClaim]) -> Option<Vec<BatchClaim>> {
    let decoded = openings.iter().zip(claims).map(|(bytes, claim)| {
        let opening = Opening::from_bytes(bytes).ok()?;
        Some(BatchClaim { opening, ..*claim })
    });
    decoded.collect()
}

fn figures() -> Result<(), Failure> {
    let kzg = Kzg::new(Ceremony::ethereum()?, VECTOR_SIZE)?;
    let indexed = Kzg::verifier(VECTOR_SIZE)?.with_index_lines();
    let judge = c_kzg::ethereum_kzg_settings(0);
    let claims = claims(&kzg, MOST)?;
    let openings: Vec<[u8; 48]> = claims.iter().map(|claim| claim.opening.to_bytes()).collect();
    let first = claims[0];
    let (c, o) = (first.commitment.to_bytes(), first.opening.to_bytes());
    let (z, y) = (scalar_to_bytes(&kzg.domain().element(first.index)), scalar_to_bytes(&first.scalar));
    let judged = || {
        let (c, z, y, o) = (Bytes48::from(c), Bytes32::from(z), Bytes32::from(y), Bytes48::from(o));
        judge.verify_kzg_proof(&c, &z, &y, &o).unwrap_or(false)
    };
    let strict = |kzg: &Kzg| match (Commitment::from_bytes(&c), Opening::from_bytes_strict(&o)) {
        (Ok(commitment), Ok(opening)) => kzg.verify(&commitment, first.index, &first.scalar, &opening),
        _ => false,
    };
    let bare = unopened(&claims);
    let opened: Vec<(UnopenedClaim, Opening)> = bare.iter().copied().zip(claims.iter().map(|c| c.opening)).collect();
    let aggregate = kzg.aggregate(&DICTIONARY, &opened);
    let points: Vec<[u8; 48]> = aggregate.points.iter().map(|(_, point)| point.to_bytes()).collect();
    let (one, hundred) = (falsified(&claims, MOST), falsified(&claims, MOST / 100));
    let mut rows = vec![
        row("c-kzg verify_kzg_proof, from bytes", 8, 1, judged),
        row("verify, from bytes, both subgroup checks", 8, 1, || strict(&kzg)),
        row("the same with index lines", 8, 1, || strict(&indexed)),
        row("verify, decoded", 8, 1, || kzg.verify(&first.commitment, first.index, &first.scalar, &first.opening)),
    ];
    rows.push(row("decode an opening, format's rule", 100, 1, || Opening::from_bytes(&o).is_ok()));
    for (count, repeat) in [(1, 8), (10, 8), (100, 4), (1_000, 2), (10_000, 1)] {
        let claims = &claims[..count];
        let name = format!("verify_batch of {count}, decoded, per claim");
        rows.push(row(name, repeat, count, {
            let kzg = &kzg;
            move || kzg.verify_batch(&DICTIONARY, claims)
        }));
    }
    rows.push(row(format!("verify_batch of {MOST} with decoding, per claim"), 1, MOST, || {
        decode(&openings, &claims).is_some_and(|claims| kzg.verify_batch(&DICTIONARY, &claims))
    }));
    rows.push(row(format!("aggregate {MOST} openings, per claim"), 1, MOST, || {
        kzg.aggregate(&DICTIONARY, &opened) == aggregate
    }));
    rows.push(row(format!("verify an aggregate of {MOST} with decoding, per claim"), 1, MOST, || {
        let points: Option<Vec<Opening>> = points.iter().map(|bytes| Opening::from_bytes(bytes).ok()).collect();
        let aggregate = points.and_then(|points| Aggregate::of_points(VECTOR_SIZE, &bare, &points));
        aggregate.is_some_and(|aggregate| kzg.verify_aggregated(&DICTIONARY, &bare, &aggregate))
    }));
    rows.push(row(format!("first false claim, 1 among {MOST}, per claim"), 1, MOST, || {
        kzg.first_false(&DICTIONARY, &one) == Some(MOST / 2)
    }));
    rows.push(row(format!("first false claim, 100 among {MOST}, per claim"), 1, MOST, || {
        kzg.first_false(&DICTIONARY, &hundred) == Some(MOST / 200)
    }));
    rows.push(row(format!("all false claims, 100 among {MOST}, per claim"), 1, MOST, || {
        kzg.find_false(&DICTIONARY, &hundred).len() == 100
    }));
    print(rows);
    println!("bytes of an aggregate's points, per claim: {:.2}", (48 * points.len()) as f64 / MOST as f64);
    Ok(())
}

fn main() -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| figures().map_err(|failure| failure.to_string())).map_err(Into::into)
}
