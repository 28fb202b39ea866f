//! Proofs a second of an archive over HTTP. Verifying them all would make the load ours instead of
//! the archive's: some answers are kept, and verified when the time is up; no figure is printed
//! unless they hold.

use std::time::{Duration, Instant};

use aardvark_client::rpc::http::{Http, HttpOptions, without_credentials};
use aardvark_dictionary::Key;
use aardvark_proof::hex_text::encode;
use indicatif::HumanCount;
use serde_json::json;

use crate::args::Proofs;
use crate::error::LoadError;
use crate::figures::Figures;
use crate::kept::Sample;
use crate::latency::{Latencies, load_average};

/// What one thread saw.
#[derive(Default)]
struct Seen {
    proofs: u64,
    bytes: u64,
    refused: u64,
    failed: u64,
    latencies: Latencies,
    sample: Sample,
}

/// Asks for proofs from all threads until the time is up.
///
/// # Errors
/// An address that is none; nothing else than failures; a proof that does not hold.
pub fn run(arguments: &Proofs) -> Result<Figures, LoadError> {
    let servers: Vec<Http> = arguments
        .archives
        .iter()
        .map(|url| {
            Http::new(url, HttpOptions::default()).map_err(|error| LoadError::Address(without_credentials(url), error))
        })
        .collect::<Result<_, _>>()?;
    let before = load_average();
    let begin = Instant::now();
    let end = begin + Duration::from_secs(arguments.duration.get());
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let worker = |thread: usize| {
            let server = servers.get(thread % servers.len()).cloned();
            scope.spawn(move || server.map_or_else(Seen::default, |server| ask(&server, arguments, thread as u64, end)))
        };
        let workers: Vec<_> = (0..arguments.concurrency.get()).map(worker).collect();
        for worker in workers {
            seen.add(worker.join().unwrap_or_default());
        }
    });
    let elapsed = begin.elapsed();
    if seen.proofs == 0 {
        let what = format!("no proof at all; {} refused, {} failed", seen.refused, seen.failed);
        return Err(LoadError::Options(what));
    }
    let after = load_average();
    let verified = std::mem::take(&mut seen.sample).verify()?;
    Ok(figures(arguments, &seen, elapsed, verified, [before, after]))
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.proofs += other.proofs;
        self.bytes += other.bytes;
        self.refused += other.refused;
        self.failed += other.failed;
        self.latencies.extend(other.latencies);
        self.sample.extend(other.sample);
    }
}

fn ask(server: &Http, arguments: &Proofs, thread: u64, end: Instant) -> Seen {
    let mut seen = Seen::default();
    let mut state = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed;
    while Instant::now() < end {
        let keys: Vec<Key> = (0..arguments.batch.get()).map(|_| key(arguments, next(&mut state))).collect();
        let texts: Vec<String> = keys.iter().map(|key| encode(key)).collect();
        let begin = Instant::now();
        let answer = match texts.as_slice() {
            [key] => server.get(&format!("/v1/proof/{key}{}", if arguments.root { "?root=true" } else { "" })),
            _ => server.post("/v1/proofs", json!({ "root": arguments.root, "keys": texts }).to_string().as_bytes()),
        };
        match answer {
            Ok(answer) if answer.status == 200 => {
                seen.latencies.push(begin.elapsed());
                seen.proofs += keys.len() as u64;
                seen.bytes += answer.body.len() as u64;
                seen.sample.offer(server, keys, answer.body);
            }
            Ok(_) => seen.refused += 1,
            Err(_) => seen.failed += 1,
        }
    }
    seen
}

/// A key of the pattern.
fn key(arguments: &Proofs, random: u64) -> Key {
    let number = format!("{:0width$}", random % arguments.keys, width = arguments.digits);
    Key::from(arguments.pattern.replace("{}", &number).as_str())
}

/// SplitMix64: numbers that are spread, the same in each run.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn figures(arguments: &Proofs, seen: &Seen, elapsed: Duration, verified: u64, loads: [String; 2]) -> Figures {
    let a_second = seen.proofs as f64 / elapsed.as_secs_f64();
    let [before, after] = loads;
    let requests = HumanCount(seen.latencies.count() as u64);
    let rows = [
        ("proofs a second", format!("{a_second:.0}")),
        ("proofs", HumanCount(seen.proofs).to_string()),
        ("requests", format!("{requests} of {} keys, {} at a time", arguments.batch, arguments.concurrency)),
        ("verified", format!("{} of them, which hold", HumanCount(verified))),
        ("refused, failed", format!("{}, {}", seen.refused, seen.failed)),
        ("bytes a proof", HumanCount(seen.bytes / seen.proofs.max(1)).to_string()),
    ];
    let loads = ("load average", format!("{before} before, {after} after"));
    let json = json!({
        "result": "holds",
        "proofs_a_second": a_second,
        "proofs": seen.proofs,
        "verified": verified,
        "seconds": elapsed.as_secs_f64(),
        "batch": arguments.batch,
        "concurrency": arguments.concurrency,
        "root": arguments.root,
        "refused": seen.refused,
        "failed": seen.failed,
        "bytes_a_proof": seen.bytes / seen.proofs.max(1),
        "latency": seen.latencies.json(),
        "load_average": { "before": before, "after": after },
    });
    Figures::new(rows.into_iter().chain(seen.latencies.rows()).chain([loads]), json)
}
