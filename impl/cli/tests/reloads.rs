//! Nodes that are told to read their configuration again (SIGHUP).

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;
#[path = "common/node.rs"]
mod node;

use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use aardvark_client::testing::genesis_validators_json;
use common::Sandbox;
use node::{eventually, get, hang_up};
use serde_json::{Value, json};

const KEY: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";

/// A node whose log goes to a file, and which ends with its owner.
struct Running {
    child: Child,
    log: String,
}

impl Running {
    fn start(sandbox: &Sandbox, name: &str, line: &str) -> Self {
        let log = format!("{name}.log");
        let file = std::fs::File::create(sandbox.path(&log)).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        Self { child: sandbox.command(&words).stdout(Stdio::piped()).stderr(file).spawn().unwrap(), log }
    }

    /// Where it says that it listens: for everybody, and for its operator.
    fn addresses(&mut self) -> [String; 2] {
        let mut line = String::new();
        BufReader::new(self.child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        ["listening", "operations"].map(|name| said[name].as_str().unwrap().to_owned())
    }

    /// Whether it catches SIGHUP, by what the system says of it.
    fn catches(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).map(str::trim);
        caught.and_then(|mask| u64::from_str_radix(mask, 16).ok()).is_some_and(|mask| mask & 1 == 1)
    }

    fn hang_up(&self) {
        hang_up(&self.child);
    }

    /// Waits until its log says something so often.
    fn says(&self, sandbox: &Sandbox, what: &str, times: usize) {
        eventually(what, || sandbox.read(&self.log).matches(what).count() >= times);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _gone_is_as_well = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Whether a server has no room for another connection: it says so before it is asked.
fn is_turned_away(address: &str) -> bool {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let mut said = [0; 12];
    stream.read_exact(&mut said).is_ok() && said == *b"HTTP/1.1 503"
}

/// A named pipe: whoever reads it waits until somebody writes into it.
fn pipe(sandbox: &Sandbox, name: &str) {
    assert!(Command::new("mkfifo").arg(sandbox.path(name)).status().unwrap().success());
}

#[test]
fn a_hangup_while_a_node_starts_does_not_end_it_and_is_done_once_it_logs() {
    let sandbox = Sandbox::with_five_keys();
    let genesis = json!({ "chain_id": "test", "validators": genesis_validators_json(&[1]) }).to_string();
    sandbox.write("genesis.json", genesis);
    sandbox.ok(&format!("node genesis genesis.json --salt {KEY} --publisher {KEY} --content five.csv"));
    // What each of them waits for as it starts.
    for name in ["list", "config", "for-archive", "for-validator", "for-keeper"] {
        pipe(&sandbox, name);
    }
    let chain = "--rpc http://127.0.0.1:9 --listen 127.0.0.1:0 --genesis";
    let mut nodes = [
        ("archive", format!("node archive --dir a {chain} for-archive"), true),
        ("keeper", format!("node keeper --dir k {chain} for-keeper"), true),
        ("validator", "node validator --home v --listen unix://abci.sock --genesis for-validator".to_owned(), true),
        ("openings", "node openings --dir d --server a --servers list --listen 127.0.0.1:0".to_owned(), false),
        ("configured", "node archive --config config".to_owned(), false),
    ]
    .map(|(name, line, logs)| (Running::start(&sandbox, name, &line), logs));
    for (node, _) in &nodes {
        eventually("it catches the signal", || node.catches());
        node.hang_up();
    }
    for (node, logs) in &nodes {
        if *logs {
            node.says(&sandbox, "SIGHUP: what is logged", 1);
        }
    }
    sleep(Duration::from_millis(300));
    for (node, _) in &mut nodes {
        assert!(node.child.try_wait().unwrap().is_none(), "{}", sandbox.read(&node.log));
    }
    // It begins as if nothing had been.
    std::fs::copy(sandbox.path("genesis.json"), sandbox.path("for-validator")).unwrap();
    nodes[2].0.says(&sandbox, "waiting for CometBFT", 1);
    nodes[2].0.hang_up();
    nodes[2].0.says(&sandbox, "SIGHUP: what is logged", 2);
}

#[test]
fn what_can_change_is_taken_at_a_hangup_and_a_file_that_is_none_changes_nothing() {
    let sandbox = Sandbox::with_five_keys();
    let configure = |more: &str| {
        let common = "[archive]\ndir = \"d\"\nlisten = \"127.0.0.1:0\"\noperations = \"127.0.0.1:0\"\n";
        sandbox.write("a.toml", format!("{common}{more}\n"));
    };
    configure("log = \"error\"");
    let mut archive = Running::start(&sandbox, "archive", "--json node archive --config a.toml");
    let [public, operations] = archive.addresses();
    let status = || get(&public, "/v1/status").0;
    assert_eq!(status(), 200);
    assert_eq!(sandbox.read("archive.log"), "");

    configure("log = \"info\"\naccess-log = true\nwarm = true\nopenings = 9");
    archive.hang_up();
    archive.says(&sandbox, "these changed, and are taken at the next start only options=\"openings, warm\"", 1);
    assert_eq!(status(), 200);
    archive.says(&sandbox, "route=\"/v1/status\"", 1);

    for (number, (file, why)) in [
        ("[archive\n", "line 1"),
        ("[archive]\nlog = \"a=b=c\"\ndir = \"d\"", "--log a=b=c"),
        ("[archive]\nconnections = 0\ndir = \"d\"", "connections"),
    ]
    .into_iter()
    .enumerate()
    {
        sandbox.write("a.toml", file);
        archive.hang_up();
        archive.says(&sandbox, "SIGHUP: everything stays as it was", number + 1);
        assert!(sandbox.read("archive.log").lines().last().unwrap().contains(why), "{}", sandbox.read("archive.log"));
        assert_eq!(status(), 200);
        archive.says(&sandbox, "route=\"/v1/status\"", number + 2);
    }

    // One connection, which one client has.
    configure("log = \"info\"\nconnections = 1");
    archive.hang_up();
    archive.says(&sandbox, "SIGHUP: what is logged", 2);
    let idle = TcpStream::connect(&public).unwrap();
    eventually("there is no room for a second", || is_turned_away(&public));
    drop(idle);
    eventually("there is room again", || !is_turned_away(&public));

    let metrics = get(&operations, "/metrics").1;
    for line in ["aardvark_reloads_total{outcome=\"taken\"} 2", "aardvark_reloads_total{outcome=\"refused\"} 3"] {
        assert!(metrics.lines().any(|found| found == line), "{line} in\n{metrics}");
    }
}

#[test]
fn a_list_of_opening_servers_that_is_none_changes_nothing() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("servers", "a=http://127.0.0.1:1");
    let openings =
        "--json node openings --dir d --server a --servers servers --listen 127.0.0.1:0 --operations 127.0.0.1:0";
    let front = "--json node archive --dir d --opening-servers servers --listen 127.0.0.1:0 --operations 127.0.0.1:0";
    let mut nodes = [Running::start(&sandbox, "openings", openings), Running::start(&sandbox, "front", front)];
    let addresses = nodes.each_mut().map(Running::addresses);
    for (list, why) in [("a=http://h:1,a=http://h:2", "stands twice"), ("b c", "b c is not NAME=URL")] {
        sandbox.write("servers", list);
        for node in &nodes {
            node.hang_up();
            node.says(&sandbox, why, 1);
        }
    }
    sandbox.write("servers", "b=http://127.0.0.1:1");
    nodes[0].hang_up();
    nodes[0].says(&sandbox, "no server of the name a", 1);
    for [_, operations] in &addresses {
        assert_eq!(get(operations, "/healthz").0, 200);
    }
    sandbox.write("servers", "a=http://127.0.0.1:1,b=http://127.0.0.1:2");
    for node in &nodes {
        node.hang_up();
        node.says(&sandbox, "servers was read again", 1);
    }
}
