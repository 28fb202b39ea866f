//! Opening servers and a front as processes, on an archive that nobody writes.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;
#[path = "common/node.rs"]
mod node;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::Sandbox;
use node::{Node, PATIENCE, eventually, get};
use serde_json::Value;

const PATHS: [&str; 3] = ["/v1/proof/curl?root=true", "/v1/proof/zsh?delete=true", "/v1/range?from=a&limit=9"];

/// Runs `aardvark node ..` on the sandbox's archive.
fn start(sandbox: &Sandbox, words: &str) -> Node {
    logging(sandbox, words, Stdio::null())
}

/// The same with its log in a file.
fn logging(sandbox: &Sandbox, words: &str, log: impl Into<Stdio>) -> Node {
    Node::logging(sandbox, &format!("{words} --dir d"), log)
}

/// An opening server of those in the list.
fn server(sandbox: &Sandbox, name: &str) -> Node {
    start(sandbox, &format!("openings --server {name} --servers servers --warm"))
}

#[test]
fn a_front_proves_with_its_servers_openings_and_goes_on_where_one_is_killed_or_the_list_changes() {
    let sandbox = Sandbox::with_five_keys();
    // Of their own list servers take the names only.
    let list = |servers: &[(&str, &str)]| {
        let lines: Vec<String> = servers.iter().map(|(name, address)| format!("{name}=http://{address}")).collect();
        sandbox.write("servers", lines.join("\n"));
    };
    list(&[("a", "127.0.0.1:1"), ("b", "127.0.0.1:1")]);
    sandbox.refused(
        "node openings --dir d --listen 127.0.0.1:0 --server c --servers servers",
        2,
        "no server of the name c",
    );
    let (a, b) = (server(&sandbox, "a"), server(&sandbox, "b"));
    list(&[("a", &a.public), ("b", &b.public)]);
    let alone = start(&sandbox, "archive");
    let front = start(&sandbox, "archive --opening-servers servers");
    let truth = PATHS.map(|path| alone.get(path));
    let proves = || PATHS.map(|path| front.get(path)) == truth;
    assert!(truth.iter().all(|(status, _)| *status == 200) && proves());
    for server in [&a, &b] {
        assert_eq!(get(&server.operations, "/readyz"), (200, "ready\n".to_owned()));
        assert_eq!(server.get("/v1/proof/curl").0, 404, "it answers of openings alone");
        eventually("openings are prepared", || server.count("aardvark_openings_vectors") == 2);
    }
    let readiness = || get(&front.operations, "/readyz");
    eventually("the front is ready", || readiness() == (200, "ready\n".to_owned()));
    drop(a);
    assert!(proves());
    eventually("one is missed", || front.count("aardvark_replica_servers_answering") == 1);
    assert_eq!((front.count("aardvark_replica_servers"), readiness().0), (2, 200));
    // Also where nobody asks the front for anything.
    drop(b);
    let not_ready = (503, "not ready: none of the 2 opening servers answers\n".to_owned());
    eventually("the front says that it is of no use", || readiness() == not_ready);
    assert_eq!(front.count("aardvark_ready"), 0);
    assert_eq!(front.get(PATHS[0]).0, 503);
    let alone_ready = start(&sandbox, "archive --opening-servers servers --compute-openings");
    assert_eq!(get(&alone_ready.operations, "/readyz").0, 200, "it computes what nobody gives");
    // Another server takes all vectors over, once it and the front have read the list again.
    list(&[("c", "127.0.0.1:1"), ("d", "127.0.0.1:1"), ("e", "127.0.0.1:1")]);
    let c = server(&sandbox, "c");
    list(&[("c", &c.public)]);
    front.reload();
    c.reload();
    eventually("the new server is asked", proves);
    eventually("the front is ready again", || readiness().0 == 200);
    eventually("what it owns now is prepared", || c.count("aardvark_openings_vectors") == 2);
    assert!(front.count("aardvark_replica_openings_given_total") > 0);
    assert!(front.count("aardvark_replica_openings_requests_failed_total") > 0);
    assert_eq!(front.count("aardvark_replica_openings_false_total"), 0);
    assert_eq!(front.count("aardvark_replica_openings_computed_total"), 0);
}

#[test]
fn a_request_has_its_id_at_the_opening_servers_too() {
    let sandbox = Sandbox::with_five_keys();
    let log = |name: &str| std::fs::File::create(sandbox.path(name)).unwrap();
    sandbox.write("servers", "a=http://127.0.0.1:1");
    let logged = "--access-log --log-format json";
    let server = logging(&sandbox, &format!("openings --server a --servers servers {logged}"), log("a.log"));
    sandbox.write("servers", format!("a=http://{}", server.public));
    let front = logging(&sandbox, &format!("archive --opening-servers servers {logged}"), log("front.log"));
    let asked = |path: &str, id: &str| {
        let mut stream = TcpStream::connect(&front.public).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nx-request-id: {id}\r\nconnection: close\r\n\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    };
    asked(PATHS[0], "trouble-7");
    asked(PATHS[2], "trouble-8");
    for (name, route) in [("front.log", "/v1/proof/{key}"), ("front.log", "/v1/range"), ("a.log", "/v1/openings")] {
        for id in ["trouble-7", "trouble-8"] {
            let is_there = |event: Value| event["target"] == "access" && event["id"] == id;
            let lines = || {
                sandbox
                    .read(name)
                    .split_inclusive('\n')
                    .filter(|line| line.ends_with('\n'))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            eventually(id, || lines().iter().any(|line| is_there(serde_json::from_str(line).unwrap())));
        }
        assert!(sandbox.read(name).contains(route));
    }
}

/// Vectors of 1,024 keys of the archive that is measured.
const VECTORS: usize = 16;
/// Keys of a request, and requests.
const BATCHES: [(usize, usize); 3] = [(1, 400), (32, 100), (512, 20)];

/// The keys of a request: spread evenly, other ones each time.
fn batch((count, rounds): (usize, usize), round: usize) -> String {
    let number = |key: usize| (round * 7 + key * 48_271 / count + key * rounds * 31) % (VECTORS * 1024 - 1);
    let keys: Vec<String> =
        (0..count).map(|key| format!("\"0x{}\"", hex(&format!("key-{:06}", number(key))))).collect();
    format!("{{\"keys\":[{}]}}", keys.join(","))
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Asks a front for all batches over one connection.
fn ask_batches(address: &str, batches: (usize, usize)) {
    let mut stream = TcpStream::connect(address).unwrap();
    for round in 0..batches.1 {
        let body = batch(batches, round);
        let head = "POST /v1/proofs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
        // As one piece, or the second one waits for the acknowledgement of the first.
        stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).unwrap();
        let mut reader = BufReader::new(&mut stream);
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).unwrap();
    }
}

/// The archive that is measured.
fn measured_archive() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 1024");
    let keys: Vec<String> = (0..VECTORS * 1024 - 1).map(|key| format!("key-{key:06},value-{key}")).collect();
    sandbox.write("keys.csv", keys.join("\n"));
    sandbox.ok("import d keys.csv");
    sandbox
}

/// Prints what `docs/opening-servers.md` quotes: processor time, since other work runs beside.
#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn servers_share_the_work_and_what_each_proof_costs_is_printed() {
    let sandbox = measured_archive();
    for count in 1..=3 {
        let names: Vec<String> = (0..count).map(|number| format!("s{number}")).collect();
        let list = |address: &dyn Fn(usize) -> String| {
            let lines = names.iter().enumerate().map(|(place, name)| format!("{name}=http://{}", address(place)));
            sandbox.write("servers", lines.collect::<Vec<_>>().join("\n"));
        };
        list(&|_| "127.0.0.1:1".to_owned());
        let servers: Vec<Node> = names.iter().map(|name| server(&sandbox, name)).collect();
        list(&|place| servers[place].public.clone());
        let held = || servers.iter().map(|server| server.count("aardvark_openings_vectors")).sum::<u64>();
        let copies = count.min(2) * VECTORS;
        eventually("openings are prepared", || held() == u64::try_from(copies).unwrap());
        let cpu = |processes: &[Node]| processes.iter().map(Node::cpu).collect::<Vec<f64>>();
        let warmed = cpu(&servers);
        let front = start(&sandbox, "archive --opening-servers servers");
        println!("{count} servers: {:.2} s a vector to prepare it", warmed.iter().sum::<f64>() / copies as f64);
        for batches in BATCHES {
            ask_batches(&front.public, batches);
            let (before, front_before) = (cpu(&servers), front.cpu());
            let bytes_before = front.count("aardvark_replica_openings_bytes_total");
            let begun = Instant::now();
            ask_batches(&front.public, batches);
            let elapsed = begun.elapsed().as_secs_f64();
            let after = cpu(&servers);
            let spent: Vec<f64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
            let bytes = front.count("aardvark_replica_openings_bytes_total") - bytes_before;
            let of_servers: f64 = spent.iter().sum();
            let proofs = (batches.0 * batches.1) as f64;
            println!(
                "{count} servers, {} keys a request: {proofs} proofs in {elapsed:.1} s; processor time a proof: \
                 front {:.0} us, servers {:.1} us ({}); {:.1} bytes a proof between them",
                batches.0,
                (front.cpu() - front_before) / proofs * 1e6,
                of_servers / proofs * 1e6,
                spent.iter().map(|spent| format!("{:.0} %", 100.0 * spent / of_servers)).collect::<Vec<_>>().join(", "),
                bytes as f64 / proofs,
            );
        }
        let given = front.count("aardvark_replica_openings_given_total");
        assert!(given > 0 && front.count("aardvark_replica_openings_computed_total") == 0);
        for server in &servers {
            assert!(server.count("aardvark_openings_held_total") > 0, "a server that nobody asks");
        }
    }
}

/// Prints what `docs/opening-servers.md` quotes: from the signal until each server has prepared
/// what it owns, and how long one who asks meanwhile waits.
#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn how_long_a_move_takes_is_printed_and_every_answer_meanwhile_is_right() {
    let sandbox = measured_archive();
    let names = ["s0", "s1", "s2"];
    let list = |addresses: &[String]| {
        let lines: Vec<String> =
            names.iter().zip(addresses).map(|(name, address)| format!("{name}=http://{address}")).collect();
        sandbox.write("servers", lines.join("\n"));
    };
    list(&["127.0.0.1:1"; 3].map(str::to_owned));
    let mut servers = names.map(|name| server(&sandbox, name));
    let addresses = |servers: &[Node]| servers.iter().map(|server| server.public.clone()).collect::<Vec<_>>();
    let held = |servers: &[Node]| {
        servers.iter().map(|server| server.metric("aardvark_openings_vectors")).collect::<Vec<usize>>()
    };
    list(&addresses(&servers));
    let front = start(&sandbox, "archive --opening-servers servers");
    let alone = start(&sandbox, "archive");
    eventually("openings are prepared", || held(&servers).iter().sum::<usize>() == 2 * VECTORS);
    let of_three = held(&servers);
    let paths: Vec<String> = (0..VECTORS).map(|vector| format!("/v1/proof/key-{:06}", vector * 1024)).collect();
    let truth: Vec<_> = paths.iter().map(|path| alone.get(path)).collect();
    let moved = |what: &str, begun: Instant, servers: &[Node], shares: &[usize]| {
        let (mut slowest, mut asked) = (Duration::ZERO, 0);
        while held(servers) != shares {
            assert!(begun.elapsed() < PATIENCE, "{what}: openings are not prepared");
            let before = Instant::now();
            assert_eq!(front.get(&paths[asked % VECTORS]), truth[asked % VECTORS], "{what}");
            slowest = slowest.max(before.elapsed());
            asked += 1;
        }
        let seconds = begun.elapsed().as_secs_f64();
        println!("{what}: {shares:?} vectors after {seconds:.1} s; {asked} answers meanwhile, slowest {slowest:?}");
    };

    // The one that leaves is not in the list, and goes on with the list that it had.
    list(&addresses(&servers[..2]));
    let begun = Instant::now();
    servers[..2].iter().chain([&front]).for_each(Node::reload);
    moved("a server leaves", begun, &servers[..2], &[VECTORS, VECTORS]);

    list(&["127.0.0.1:1"; 3].map(str::to_owned));
    let begun = Instant::now();
    servers[2] = server(&sandbox, names[2]);
    list(&addresses(&servers));
    servers[..2].iter().chain([&front]).for_each(Node::reload);
    moved("a server joins", begun, &servers, &of_three);
    assert_eq!(front.count("aardvark_replica_openings_false_total"), 0);
}
