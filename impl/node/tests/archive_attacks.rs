//! Clients that want the archive to stop answering: slow ones, many, oversized and twisted
//! requests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_node::archive::Limits;
use common::{Answer, PATIENCE, Server, archive, busy_archive, patient, post_request, read_answer};
use serde_json::json;
use tokio::net::TcpSocket;

/// Whether the other side closes the connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

/// A server all whose connections are taken by the beginnings of heads, and what the next client is
/// told. A machine that needs longer for this than a head may take begins again with more time.
fn full_server() -> (Server, Vec<TcpStream>, Option<Answer>) {
    for seconds in [2, 8, 32, 128] {
        let head = Duration::from_secs(seconds);
        let server = Server::new(busy_archive(), Limits { connections: 20, head, ..patient() });
        let begun = Instant::now();
        let begin = |_| {
            let mut stream = server.connect();
            let _closed = stream.write_all(b"GET /v1/sta");
            stream
        };
        let slow = (0..20).map(begin).collect();
        let said = server.send(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        if begun.elapsed() < head {
            return (server, slow, said);
        }
    }
    panic!("twenty connections take longer than two minutes");
}

#[test]
fn heads_that_never_end_are_cut_off_and_make_room() {
    let (server, mut slow, said) = full_server();
    assert!(said.as_ref().is_none_or(|answer| answer.status == 503), "there is no room: {said:?}");
    // A byte now and then does not help: the time is that of the whole head.
    let dripping = slow.iter().map(|stream| stream.try_clone().unwrap()).collect::<Vec<_>>();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for mut stream in &dripping {
                    let _closed = stream.write_all(b"t");
                }
                sleep(Duration::from_millis(100));
            }
        });
        let closed: Vec<bool> = slow.iter_mut().map(is_closed).collect();
        over.store(true, Ordering::Relaxed);
        assert!(closed.iter().all(|closed| *closed), "{closed:?}");
    });
    server.ask_until_answered();
}

#[test]
fn one_client_does_not_take_the_rooms_of_others() {
    let limits = Limits { connections: 20, connections_per_address: 5, ..patient() };
    let server = Server::new(busy_archive(), limits);
    let request = b"GET /v1/status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    // From 127.0.0.1; each is answered once, so that it is known to have its room.
    let greedy: Vec<TcpStream> = (0..5).map(|_| server.asked("/v1/status")).collect();
    for _ in 0..3 {
        let refused = server.send(request);
        assert!(
            refused.as_ref().is_none_or(|answer| answer.status == 429),
            "it has as many as one may have: {refused:?}"
        );
    }
    let said = send_from(Ipv4Addr::new(127, 0, 0, 2), &server, request);
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let told = server.metrics();
    for line in ["aardvark_connections_refused_by_address_total 3", "aardvark_connections_refused_total 0"] {
        assert!(told.lines().any(|found| found == line), "{line} in\n{told}");
    }
    drop(greedy);
    server.ask_until_answered();
}

/// What the server answers to a client of another address.
fn send_from(address: Ipv4Addr, server: &Server, request: &[u8]) -> String {
    let connected = async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        socket.connect(server.address).await.unwrap().into_std().unwrap()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut stream = runtime.block_on(connected);
    stream.set_nonblocking(false).unwrap();
    stream.write_all(request).unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    said
}

#[test]
fn a_connection_that_asks_nothing_more_is_closed() {
    let limits = Limits { head: Duration::from_millis(300), ..patient() };
    let server = Server::new(busy_archive(), limits);
    let mut idle = server.connect();
    idle.write_all(b"GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    assert!(is_closed(&mut idle));
}

#[test]
fn a_connection_that_asks_again_and_again_and_never_reads_comes_to_its_end() {
    let (connection, request) = (Duration::from_millis(500), Duration::from_millis(500));
    let limits = Limits { connection, request, ..patient() };
    let server = Server::new(busy_archive(), limits);
    let mut busy = server.connect();
    let begun = Instant::now();
    while busy.write_all(b"GET /v1/commitments HTTP/1.1\r\nhost: x\r\n\r\n").is_ok() {
        assert!(begun.elapsed() < PATIENCE, "it goes on");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn bodies_that_are_too_long_too_slow_or_too_deep_are_refused() {
    let server = Server::of(busy_archive());
    let announced = b"POST /v1/proofs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\nconnection: close\r\n\r\n";
    server.send(announced).unwrap().assert_error(413, "too_large");
    let long = vec![b' '; (1 << 20) + 1];
    server.post("/v1/proofs", &long).assert_error(413, "too_large");
    let chunked = b"POST /v1/proofs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
    let chunk = [format!("{:x}\r\n", 1 << 16).as_bytes(), &[b' '; 1 << 16], b"\r\n"].concat();
    server.send(&[&chunked[..], &chunk.repeat(17)].concat()).unwrap().assert_error(413, "too_large");
    let slow = b"POST /v1/proofs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\nconnection: close\r\n\r\n{";
    let limits = Limits { request: Duration::from_millis(500), ..patient() };
    Server::new(busy_archive(), limits).send(slow).unwrap().assert_error(408, "timeout");
    for deep in ["[".repeat(500_000), format!("{{\"keys\":{}", "[".repeat(500_000)), "{\"a\":".repeat(200_000)] {
        server.post("/v1/proofs", deep.as_bytes()).assert_error(400, "bad_request");
    }
    let repeated = json!({ "keys": [] }).to_string().replace("[]", "[],\"keys\":[]");
    server.post("/v1/proofs", repeated.as_bytes()).assert_error(400, "bad_request");
    assert_eq!(server.get("/v1/status").status, 200);
}

#[test]
fn requests_that_are_no_http_or_too_long_are_refused() {
    let server = Server::of(busy_archive());
    let long_path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(100_000));
    let many_heads = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1000));
    let requests: [&[u8]; 6] = [
        long_path.as_bytes(),
        many_heads.as_bytes(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /v1/proofs HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/proofs HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
    ];
    for request in requests {
        // Some are answered, some closed; none has an effect.
        let answer = server.send(request);
        assert!(answer.as_ref().is_none_or(|answer| (400..500).contains(&answer.status)), "{answer:?}");
    }
    assert_eq!(server.get("/v1/status").status, 200);
}

#[test]
fn weird_keys_are_answered_or_refused() {
    let server = Server::of(busy_archive());
    for key in
        ["%00", "..", "%2e%2e%2f", "%E2%80%AE", "0xZ", "0x0", "%", "%zz", "%C3%28", "a%0d%0ab", "*", "'\"<>", "{key}"]
    {
        let answer =
            server.send(format!("GET /v1/proof/{key} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes());
        assert!(answer.as_ref().is_none_or(|answer| [200, 400, 404].contains(&answer.status)), "{key}: {answer:?}");
    }
    assert_eq!(server.get("/v1/status").status, 200);
}

#[test]
fn weird_ranges_are_answered_or_refused() {
    let server = Server::of(busy_archive());
    let long = "%ff".repeat(5000);
    for query in [
        "from=%00",
        "from=%ff",
        "from=%E2%80%AE&to=%f0%9f%98%80",
        "from=..&to=/../..",
        "from=0x&to=0x",
        "from=a%0d%0ab&limit=1",
        "from=&to=&limit=&version=",
        "from=a&from=b",
        "limit=1&limit=2",
        "limit=1e3",
        "limit=0x10",
        "limit=+1",
        "root=maybe",
        "version=18446744073709551615",
        "%",
        "=",
        "&&&",
        "from",
        "from[]=a",
        &long,
    ] {
        let answer =
            server.send(format!("GET /v1/range?{query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes());
        assert!(
            answer.as_ref().is_none_or(|answer| [200, 400, 404, 431].contains(&answer.status)),
            "{query}: {answer:?}"
        );
        // Whatever was asked for, what stands in the header is ours.
        let link = answer.map(|answer| answer.head.lines().filter(|line| line.starts_with("link:")).count());
        assert!(link.is_none_or(|links| links <= 1), "{query}");
    }
    for deep in ["[".repeat(100_000), format!("{{\"question\":{}", "{\"range\":".repeat(50_000))] {
        server.post("/v1/answer", deep.as_bytes()).assert_error(400, "bad_request");
    }
    assert_eq!(server.get("/v1/status").status, 200);
}

/// What a server with one worker and one place in its queue says to twelve at once.
fn said_to_twelve() -> Vec<Answer> {
    let limits = Limits { workers: 1, waiting: 1, ..patient() };
    let server = Server::new(archive(900, 2), limits);
    let keys: Vec<String> = (0..900).map(|key| format!("0x{}", hex::encode(format!("k{key:03}")))).collect();
    let request = post_request("/v1/proofs", "application/json", json!({ "keys": keys }).to_string().as_bytes());
    let asked: Vec<TcpStream> = (0..12)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(&request).unwrap();
            stream
        })
        .collect();
    let answers = asked.into_iter().map(|mut stream| read_answer(&mut stream).unwrap()).collect();
    assert_eq!(server.get("/v1/status").status, 200);
    answers
}

#[test]
fn who_finds_the_queue_full_is_told_and_the_others_are_answered() {
    let begun = Instant::now();
    loop {
        let answers = said_to_twelve();
        let (answered, told): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        for answer in &told {
            answer.assert_error(429, "busy");
            assert!(answer.head.contains("retry-after: 1"), "{}", answer.head);
        }
        assert!(answered.iter().all(|answer| answer.json()["proofs"].as_array().unwrap().len() == 900));
        assert!(!answered.is_empty(), "nobody is answered");
        // On a machine where one request is answered before the next one comes, once more.
        if !told.is_empty() {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody is told");
    }
}
