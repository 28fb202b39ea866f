//! Figures at scale, each as a process of its own:
//!
//! ```text
//! cargo run --release -p benches --bin scale -- import DIR 1000000
//! cargo run --release -p benches --bin scale -- prove DIR 4711
//! cargo run --release -p benches --bin scale -- block DIR 10000
//! cargo run --release -p benches --bin scale -- audit DIR
//! cargo run --release -p benches --bin scale -- serve DIR ROUNDS UPDATES ASKS [BUDGET]
//! cargo run --release -p benches --bin scale -- costs [TABLES]
//! ```
//!
//! `serve` makes a snapshot of every vector, as far as the budget (bytes) goes, and then, round by
//! round, changes the values of so many random keys and proves so many. `costs` measures the
//! constants of `OpeningCosts` at N = 1,024, without tables, or with so many bytes of them.
//!
//! Keys are SHA-256 hashes of 0, 1, .. (32 bytes), values 8 bytes.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use aardvark_algebra::{Scalar, tagged_hash};
use aardvark_archive::changes::ChangeSorter;
use aardvark_archive::import_blocks::{BLOCK_CHANGES, ImportBlocks};
use aardvark_archive::{Archive, OpeningCosts, OpeningOptions, Phase, RedbStore};
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{Ceremony, Kzg, Scheme, VectorCommitment, setups};
use aardvark_dictionary::{Change, Genesis, Identity, Key, Operation, Parameters, Transaction, Value};

type Outcome = Result<(), Box<dyn Error>>;

/// Bytes of changes that are sorted in memory.
const SORTED_IN_MEMORY: usize = 256 << 20;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let started = Instant::now();
    match arguments.as_slice() {
        ["import", directory, count] => import(Path::new(directory), count.parse()?)?,
        ["prove", directory, number] => prove(Path::new(directory), number.parse()?)?,
        ["block", directory, count] => block(Path::new(directory), count.parse()?)?,
        ["audit", directory] => audit(Path::new(directory))?,
        ["serve", directory, numbers @ ..] => {
            let numbers: Vec<u64> = numbers.iter().map(|number| number.parse()).collect::<Result<_, _>>()?;
            serve(Path::new(directory), &numbers)?;
        }
        ["costs"] => costs(0)?,
        ["costs", tables] => costs(tables.parse()?)?,
        _ => return Err("import | prove | block | audit | serve | costs: see the first lines of the source".into()),
    }
    println!("whole process: {}", usage(started));
    Ok(())
}

fn key(number: u64) -> Key {
    Key::from(tagged_hash("AARDVARK-EXAMPLE-KEY", &number.to_be_bytes()).as_slice())
}

fn value(number: u64) -> Value {
    Value::from(number.to_be_bytes().as_slice())
}

fn import(directory: &Path, count: u64) -> Outcome {
    let parameters = Parameters::default();
    let digest = setups::published_digest(parameters.scheme, parameters.vector_size)?;
    let genesis = Genesis::new(Identity::new("scale", [0; 32])?, parameters, digest, Vec::new())?;
    let mut archive = Archive::builder().create(directory, &genesis)?;
    let started = Instant::now();
    let mut sorter = ChangeSorter::new(SORTED_IN_MEMORY, archive.temporary_files());
    for number in 0..count {
        sorter.push(&Change { key: key(number), value: Some(value(number)) })?;
    }
    println!("input ready: {}", usage(started));
    for block in ImportBlocks::new(sorter.sorted()?, BLOCK_CHANGES) {
        archive.import(block?)?;
    }
    println!("import of {count} keys: {}", usage(started));
    println!("{} slots, {} bytes on disk", archive.size(), archive.bytes_on_disk()?);
    Ok(())
}

fn prove(directory: &Path, number: u64) -> Outcome {
    let archive = Archive::builder().open_read_only(directory)?;
    let claim = archive.prove(&key(number), archive.version())?;
    println!("position {}, opening {:02x?}", claim.position, &claim.opening[..4]);
    Ok(())
}

/// A block that puts existing keys, with claims as stale as the window allows: after the proofs
/// come W imports, some of which write what was proved.
fn block(directory: &Path, count: u64) -> Outcome {
    let mut archive = Archive::builder().open(directory)?;
    let version = archive.version();
    let numbers: Vec<u64> = (0..count).map(|index| index * archive.size() / count).collect();
    let keys: Vec<Key> = numbers.iter().map(|number| key(*number)).collect();
    let started = Instant::now();
    let claims = archive.prove_many(&keys, version)?;
    println!("{count} claims: {}", usage(started));
    let transactions: Vec<Transaction> = (0u128..)
        .zip(keys.iter().cloned().zip(claims))
        .map(|(nonce, (key, claim))| Transaction {
            first_valid: version + 1,
            last_valid: version + 1 + u64::from(archive.parameters().window),
            nonce: nonce.to_be_bytes(),
            operations: vec![Operation::Put(key, value(7))],
            claims: vec![claim],
        })
        .collect();
    let started = Instant::now();
    let window = u64::from(archive.parameters().window);
    for _ in 0..window {
        let rewritten = keys.iter().step_by(100).map(|key| Change { key: key.clone(), value: Some(value(3)) });
        archive.import(rewritten.collect())?;
    }
    println!("{window} imports: {}", usage(started));
    let started = Instant::now();
    drop(archive.validator()?);
    println!("validator from the store: {}", usage(started));
    let started = Instant::now();
    let proposal = archive.propose(transactions)?;
    println!("propose: {}, {} dropped", usage(started), proposal.dropped.len());
    let started = Instant::now();
    let applied = archive.apply(&proposal.block)?;
    println!("apply: {}, {} writes", usage(started), applied.writes.len());
    Ok(())
}

fn audit(directory: &Path) -> Outcome {
    let archive = Archive::builder().open_read_only(directory)?;
    let started = Instant::now();
    let mut phase = Phase::Array;
    let report = archive.audit(&mut |progress| {
        if progress.phase != phase {
            phase = progress.phase;
            println!("{phase:?} begins at {}", usage(started));
        }
    })?;
    println!("{report:?}: {}", usage(started));
    Ok(())
}

/// The ceremony's scheme, with tables of at most so many bytes, as a process has it that runs for
/// long.
fn scheme(tables: usize) -> Result<Arc<Scheme>, Box<dyn Error>> {
    let kzg = Kzg::new(Ceremony::ethereum()?, 1024)?;
    Ok(Arc::new(if tables > 0 { kzg.with_tables(tables)? } else { kzg }.into()))
}

/// Rounds of random updates and random questions on warm snapshots.
fn serve(directory: &Path, numbers: &[u64]) -> Outcome {
    let (rounds, updates, asks, budget) = match *numbers {
        [rounds, updates, asks] => (rounds, updates, asks, OpeningOptions::DEFAULT_BUDGET),
        [rounds, updates, asks, budget] => (rounds, updates, asks, usize::try_from(budget)?),
        _ => return Err("serve DIR ROUNDS UPDATES ASKS [BUDGET]".into()),
    };
    let mut archive = Archive::builder().scheme(scheme(DEFAULT_TABLE_BYTES)?).open(directory)?;
    archive.set_opening_options(&OpeningOptions { budget, ..OpeningOptions::default() });
    let keys = archive.size() - 1;
    let random = |number: u64| {
        let bytes = tagged_hash("AARDVARK-EXAMPLE-RANDOM", &number.to_be_bytes());
        key(bytes.iter().take(7).fold(0, |sum, byte| sum << 8 | u64::from(*byte)) % keys)
    };
    let (started, busy) = (Instant::now(), processor_seconds());
    let warmed = archive.warm_openings()?;
    let warming = processor_seconds() - busy;
    println!("{warmed} snapshots: {:.2} s of processor each, {}", warming / warmed.max(1) as f64, usage(started));
    let mut spent = 0.0;
    for round in 0..rounds {
        let first = archive.version() << 32;
        let changes = (first..first + updates).map(|number| Change { key: random(number), value: Some(value(number)) });
        archive.import(changes.collect())?;
        let asked: Vec<Key> = (0..asks).map(|number| random(first + updates + number)).collect();
        let busy = processor_seconds();
        archive.prove_many(&asked, archive.version())?;
        let proving = processor_seconds() - busy;
        spent += proving;
        let rate = |count: u64, seconds: f64| count as f64 / seconds.max(0.01);
        println!(
            "round {round}: {:.0} proofs a second of processor, {:.0} in all rounds so far, {:?}",
            rate(asks, proving),
            rate(asks * (round + 1), spent),
            archive.opening_statistics()
        );
    }
    Ok(())
}

/// Prices of the decision when to make a snapshot: the least of some runs, in microseconds of
/// processor.
fn costs(tables: usize) -> Outcome {
    const RUNS: u32 = 5;
    const CHANGES: usize = 64;
    let scheme = scheme(tables)?;
    let genesis =
        Genesis::new(Identity::new("scale", [0; 32])?, Parameters::default(), scheme.setup_digest(), Vec::new())?;
    let mut archive =
        Archive::builder().scheme(scheme.clone()).create_on(Box::new(RedbStore::in_memory()?), &genesis)?;
    let changes = (0..1023).map(|number| Change { key: key(number), value: Some(value(number)) }).collect();
    archive.import(changes)?;
    let least = |repeat: u32, work: &dyn Fn(u64) -> Outcome| -> Result<f64, Box<dyn Error>> {
        let mut least = f64::INFINITY;
        for run in 0..=RUNS {
            let busy = processor_seconds();
            (0..repeat).try_for_each(|turn| work(u64::from(run * repeat + turn)))?;
            let spent = (processor_seconds() - busy) * 1e6 / f64::from(repeat);
            // The first run derives what the others find.
            least = if run == 0 { least } else { least.min(spent) };
        }
        Ok(least)
    };
    archive.set_opening_options(&OpeningOptions { budget: 0, costs: None });
    let version = archive.version();
    let open = least(8, &|number| archive.prove(&key(number % 1023), version).map(drop).map_err(Into::into))?;
    let scalars: Vec<Scalar> = (1..=1024).map(Scalar::from).collect();
    let open_all = least(1, &|_| scheme.open_all(&scalars).map(drop).map_err(Into::into))?;
    let opening = scheme.open(&scalars, 0)?;
    let deltas: Vec<(usize, Scalar)> = (1..=CHANGES).map(|index| (index, -Scalar::from(index as u64))).collect();
    let updates: Vec<_> = (0..10).map(|index| (opening, 100 + index, deltas.as_slice())).collect();
    let follow = least(4, &|_| scheme.update_openings_many(&updates).map(drop).map_err(Into::into))?;
    let delta = follow / (updates.len() * (CHANGES + 1)) as f64;
    println!("open {open:.0} us, open_all {open_all:.0} us, delta {delta:.1} us");
    println!("assumed: {:?}", OpeningCosts::measured(&scheme));
    Ok(())
}

/// Seconds of processor that the process has used, on all cores, in hundredths.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Seconds since a start, the process's seconds on all cores so far, and the most memory that was
/// resident, the latter two as the kernel counts them: beside other load, the second figure is the
/// one to compare.
fn usage(started: Instant) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    let (seconds, busy) = (started.elapsed().as_secs_f64(), processor_seconds());
    format!("{seconds:.3} s, {busy:.2} s of processor, {peak} at most")
}
