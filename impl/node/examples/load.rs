//! Load on an archive's server from a process of its own: proofs a second, and how long they take.
//!
//! ```text
//! seq -f '{"key":"key-%07.0f","value":"some value"}' 0 999999 > keys.jsonl
//! aardvark init DIR && aardvark import DIR keys.jsonl && aardvark node archive --dir DIR --warm
//! cargo run --release -p aardvark-node --example load -- 127.0.0.1:8080 --keys 1000000 --seconds 20 --connections 32
//! ```
//!
//! Each connection asks for a proof, waits for it, and asks for the next (with `--batch B`: for B proofs at a time). Keys are drawn
//! evenly, one in ten of them absent. Each answer's status, key and length are looked at; after the time is over, one proof of each connection is verified against the
//! archive's commitments, and where one is false there are no figures.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a program for measuring ends where something fails"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread::spawn;
use std::time::{Duration, Instant};

use aardvark_archive::published_scheme;
use aardvark_commitment::{Commitment, Opening, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::Parameters;
use aardvark_node::formats::{commitments_json, hex_text, proof_json};

/// What to ask.
#[derive(Clone, Debug)]
struct Options {
    address: String,
    keys: u64,
    seconds: u64,
    connections: u64,
    batch: u64,
    root: bool,
}

fn options() -> Options {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().expect("the server's address, host:port");
    let mut options = Options { address, keys: 1_000_000, seconds: 20, connections: 32, batch: 1, root: false };
    while let Some(name) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
        match name.as_str() {
            "--keys" => options.keys = number(),
            "--seconds" => options.seconds = number(),
            "--connections" => options.connections = number(),
            "--batch" => options.batch = number(),
            "--root" => options.root = true,
            other => panic!("unknown: {other}"),
        }
    }
    options
}

/// Numbers without a pattern (splitmix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn key(&mut self, keys: u64) -> String {
        let number = self.next() % keys;
        let absent = if self.next().is_multiple_of(10) { "-absent" } else { "" };
        format!("key-{number:07}{absent}")
    }
}

/// A connection that stays.
struct Connection {
    reader: BufReader<TcpStream>,
}

impl Connection {
    fn new(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the server answers");
        stream.set_nodelay(true).unwrap();
        Self { reader: BufReader::new(stream) }
    }

    /// Sends a request and reads its answer, whose status must be 200.
    fn ask(&mut self, request: &[u8]) -> Vec<u8> {
        self.reader.get_mut().write_all(request).unwrap();
        let (mut line, mut length, mut status) = (String::new(), 0, String::new());
        loop {
            line.clear();
            assert!(self.reader.read_line(&mut line).unwrap() > 0, "the server closed the connection");
            if status.is_empty() {
                status.clone_from(&line);
            }
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).unwrap();
        assert!(status.starts_with("HTTP/1.1 200"), "{status}{}", String::from_utf8_lossy(&body));
        body
    }

    fn get(&mut self, path: &str) -> Vec<u8> {
        self.ask(format!("GET {path} HTTP/1.1\r\nhost: archive\r\n\r\n").as_bytes())
    }

    fn post(&mut self, path: &str, body: &str) -> Vec<u8> {
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: archive\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        self.ask(format!("{head}{body}").as_bytes())
    }
}

/// One connection's requests: how long each took, and the last answer.
fn run(options: &Options, seed: u64, until: Instant) -> (Vec<Duration>, Vec<u8>) {
    let mut connection = Connection::new(&options.address);
    let mut draw = Draw(seed << 40);
    let (mut took, mut answer) = (Vec::new(), Vec::new());
    while Instant::now() < until {
        let keys: Vec<String> = (0..options.batch).map(|_| draw.key(options.keys)).collect();
        let hex: Vec<String> = keys.iter().map(|key| hex_text::encode(key.as_bytes())).collect();
        let begun = Instant::now();
        answer = match options.batch {
            1 => connection.get(&format!("/v1/proof/{}{}", keys[0], if options.root { "?root=true" } else { "" })),
            _ => {
                let body = serde_json::json!({ "keys": hex, "root": options.root }).to_string();
                connection.post("/v1/proofs", &body)
            }
        };
        took.push(begun.elapsed());
        let text = std::str::from_utf8(&answer).unwrap();
        assert!(hex.iter().all(|key| text.contains(&format!("\"key\":\"{key}\""))), "{text}");
    }
    (took, answer)
}

/// Verifies an answer's first proof against the archive's commitments.
fn verify(answer: &[u8], options: &Options, known: &[u8], scheme: &Scheme) {
    let first = match options.batch {
        1 => answer.to_vec(),
        _ => serde_json::from_slice::<serde_json::Value>(answer).unwrap()["proofs"][0].to_string().into_bytes(),
    };
    let proof = proof_json::read(&first).unwrap();
    let known = commitments_json::read(known).unwrap();
    assert_eq!(
        (proof.version, proof.dictionary),
        (known.version, known.dictionary),
        "the archive moved on while measured"
    );
    let claim = &proof.claims[0];
    let commitment = Commitment::from_bytes(&known.of_position(claim.position).unwrap().unwrap()).unwrap();
    let index = usize::try_from(claim.position).unwrap() % scheme.vector_size();
    let opening = Opening::from_bytes(&claim.opening).unwrap();
    assert!(scheme.verify(&commitment, index, &claim.slot.scalar(), &opening), "a false proof");
    assert!(claim.slot.covers(&proof.key));
}

fn main() {
    let options = options();
    let until = Instant::now() + Duration::from_secs(options.seconds);
    let begun = Instant::now();
    let threads: Vec<_> = (0..options.connections)
        .map(|seed| {
            let options = options.clone();
            spawn(move || run(&options, seed + 1, until))
        })
        .collect();
    let results: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let seconds = begun.elapsed().as_secs_f64();
    let mut connection = Connection::new(&options.address);
    let known = connection.get("/v1/commitments");
    let vector_size = commitments_json::read(&known).unwrap().vector_size;
    let parameters = Parameters { scheme: SchemeKind::Kzg, vector_size, ..Parameters::default() };
    let digest = aardvark_archive::published_setup_digest(SchemeKind::Kzg, vector_size).unwrap();
    let scheme = Arc::new(published_scheme(&parameters, &digest, None).unwrap());
    results.iter().for_each(|(_, answer)| verify(answer, &options, &known, &scheme));
    let mut took: Vec<Duration> = results.iter().flat_map(|(took, _)| took.iter().copied()).collect();
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    let rate = (took.len() as u64 * options.batch) as f64 / seconds;
    let Options { connections, batch, root, .. } = options;
    println!("{connections} connections, {batch} proofs a request, roots: {root}, {seconds:.1} s");
    println!(
        "{rate:.0} proofs/s; a request takes p50 {:.2} ms, p90 {:.2}, p99 {:.2}, most {:.2}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    println!("{} proofs verified", results.len());
}
