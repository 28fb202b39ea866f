//! Figures at scale, each as a process of its own:
//!
//! ```text
//! cargo run --release -p aardvark-archive --example scale -- import DIR 1000000
//! cargo run --release -p aardvark-archive --example scale -- prove DIR 4711
//! cargo run --release -p aardvark-archive --example scale -- block DIR 10000
//! cargo run --release -p aardvark-archive --example scale -- audit DIR
//! ```
//!
//! Keys are SHA-256 hashes of 0, 1, .. (32 bytes), values 8 bytes.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use aardvark_algebra::tagged_hash;
use aardvark_archive::{Archive, CreateOptions, Phase, published_setup_digest};
use aardvark_dictionary::{Change, Genesis, Key, Operation, Parameters, Transaction, Value};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let started = Instant::now();
    match arguments.as_slice() {
        ["import", directory, count] => import(Path::new(directory), count.parse()?)?,
        ["prove", directory, number] => prove(Path::new(directory), number.parse()?)?,
        ["block", directory, count] => block(Path::new(directory), count.parse()?)?,
        ["audit", directory] => audit(Path::new(directory))?,
        _ => return Err("import DIR KEYS | prove DIR NUMBER | block DIR TRANSACTIONS | audit DIR".into()),
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
    let digest = published_setup_digest(parameters.scheme, parameters.vector_size)?;
    let genesis = Genesis::new(parameters, digest, Vec::new())?;
    let mut archive = Archive::create(directory, &genesis, &CreateOptions::default())?;
    let changes = (0..count).map(|number| Change { key: key(number), value: Some(value(number)) }).collect();
    let started = Instant::now();
    println!("input ready: {}", usage(started));
    let mut phase = Phase::Array;
    archive.import_with(changes, &mut |progress| {
        if progress.phase != phase {
            phase = progress.phase;
            println!("{phase:?} begins at {}", usage(started));
        }
    })?;
    println!("import of {count} keys: {}", usage(started));
    println!("{} slots, {} bytes on disk", archive.size(), archive.bytes_on_disk()?);
    Ok(())
}

fn prove(directory: &Path, number: u64) -> Outcome {
    let archive = Archive::open_read_only(directory)?;
    let claim = archive.prove(&key(number), archive.version())?;
    println!("position {}, opening {:02x?}", claim.position, &claim.opening[..4]);
    Ok(())
}

/// A block that puts existing keys, with claims as stale as the window allows: after the proofs come W imports, some of
/// which write what was proved.
fn block(directory: &Path, count: u64) -> Outcome {
    let mut archive = Archive::open(directory)?;
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
    let archive = Archive::open_read_only(directory)?;
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

/// Seconds since a start, the process's seconds on all cores so far, and the most memory that was resident, the latter
/// two as the kernel counts them: beside other load, the second figure is the one to compare.
fn usage(started: Instant) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim();
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let ticks: f64 = ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    format!("{:.3} s, {:.2} s of processor, {peak} at most", started.elapsed().as_secs_f64(), ticks / 100.0)
}
