//! What connections cost that ask nothing more: alone in this process, whose memory is looked at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use aardvark_node::archive::Limits;
use common::{Server, busy_archive, patient};

/// Bytes of memory that the process has.
fn resident() -> u64 {
    let pages: u64 = fs::read_to_string("/proc/self/statm").unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

/// Lets the process have so many descriptors and some, beyond its hard limit where it may: how many
/// of these it has.
fn descriptors_for(descriptors: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    const OTHERS: u64 = 200;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = descriptors as u64 + OTHERS;
    let raised =
        |to: u64| setrlimit(Resource::Nofile, Rlimit { current: Some(to), maximum: maximum.map(|most| most.max(to)) });
    let has = match current {
        Some(current) if current < wanted => match (raised(wanted), maximum) {
            (Err(_), Some(maximum)) => raised(maximum).map_or(current, |()| maximum),
            _ => wanted,
        },
        _ => wanted,
    };
    usize::try_from(has - OTHERS).unwrap()
}

const ADDRESS: &str = "AARDVARK_TEST_ADDRESS";
const CONNECTIONS: &str = "AARDVARK_TEST_CONNECTIONS";

/// Connections that send half a head and stay, opened by a process of their own: one has not
/// descriptors enough for both ends of all.
struct HalfHeads(Child);

impl HalfHeads {
    fn new(server: &Server, connections: usize) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "half_heads", "--ignored", "--nocapture"]);
        command.env(ADDRESS, server.address.to_string()).env(CONNECTIONS, connections.to_string());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stdout.as_mut().unwrap()).lines().map(Result::unwrap);
        assert!(said.into_iter().any(|line| line.contains("opened")));
        Self(child)
    }
}

impl Drop for HalfHeads {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().unwrap();
    }
}

#[test]
#[ignore = "the process of HalfHeads"]
fn half_heads() {
    let (Ok(address), Ok(connections)) = (std::env::var(ADDRESS), std::env::var(CONNECTIONS)) else {
        return;
    };
    let connections = connections.parse().unwrap();
    descriptors_for(connections);
    let open = |_| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.write_all(b"GET /v1/proof/k007 HTTP/1.1\r\nhos").unwrap();
        stream
    };
    let _crowd: Vec<TcpStream> = (0..connections).map(open).collect();
    println!("opened");
    let _end = std::io::stdin().read_to_end(&mut Vec::new());
}

/// Half of the connections ask once and stay, the others send half a head: how many the process has
/// descriptors for, each of which costs no more than so many bytes.
fn crowd(connections: usize, bytes_each: u64) -> usize {
    let connections = connections.min(descriptors_for(connections + connections / 2) * 2 / 3);
    let half = connections / 2;
    let limits = Limits { connections, connections_per_address: connections, ..patient() };
    let server = Server::new(busy_archive(), limits);
    server.get("/v1/proof/k007");
    let before = resident();
    let mut asked = Vec::with_capacity(half);
    for _ in 0..half {
        asked.push(server.asked("/v1/proof/k007?root=true"));
    }
    let half_heads = HalfHeads::new(&server, connections - half);
    let said = server.send(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    assert!(said.as_ref().is_none_or(|answer| answer.status == 503), "there is no room: {said:?}");
    let each = resident().saturating_sub(before) / connections as u64;
    println!("{connections} connections: {each} bytes of memory each, {} MiB in all", resident() >> 20);
    assert!(each <= bytes_each, "{each} bytes a connection");
    drop(half_heads);
    server.ask_until_answered();
    connections
}

#[test]
fn a_thousand_connections_cost_what_their_buffers_cost() {
    // A process with no more than 1,024 descriptors serves fewer.
    assert!(crowd(1000, 64 << 10) > 400);
}

#[test]
#[ignore = "needs 15,200 open files"]
fn ten_thousand_connections_cost_what_their_buffers_cost() {
    assert_eq!(crowd(10_000, 64 << 10), 10_000);
}
