//! Opening servers and a front as processes, on an archive that nobody writes.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::Sandbox;
use serde_json::Value;

/// How long a test waits for what has to come, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(120);
const PATHS: [&str; 3] = ["/v1/proof/curl?root=true", "/v1/proof/zsh?delete=true", "/v1/range?from=a&limit=9"];

/// A process that listens, and ends with its owner.
struct Process {
    child: Child,
    public: String,
    operations: String,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _gone_is_as_well = self.child.kill();
        let _status = self.child.wait();
    }
}

impl Process {
    fn start(sandbox: &Sandbox, words: &str) -> Self {
        let words = format!("--json node {words} --dir d --listen 127.0.0.1:0 --operations 127.0.0.1:0");
        let words: Vec<&str> = words.split(' ').collect();
        let mut child = sandbox.command(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?} of {words:?}"));
        let text = |name: &str| said[name].as_str().unwrap().to_owned();
        Self { child, public: text("listening"), operations: text("operations") }
    }

    /// An opening server of those in the list.
    fn server(sandbox: &Sandbox, name: &str) -> Self {
        Self::start(sandbox, &format!("openings --server {name} --servers servers --warm"))
    }

    fn get(&self, path: &str) -> (u16, String) {
        get(&self.public, path)
    }

    /// A counter or gauge of the operator's.
    fn metric(&self, name: &str) -> u64 {
        let (_, text) = get(&self.operations, "/metrics");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} in\n{text}")).parse().unwrap()
    }

    /// Tells it to read its list again.
    fn reload(&self) {
        assert!(Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status().unwrap().success());
    }
}

/// Status and body.
fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
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
    let (a, b) = (Process::server(&sandbox, "a"), Process::server(&sandbox, "b"));
    list(&[("a", &a.public), ("b", &b.public)]);
    let alone = Process::start(&sandbox, "archive");
    let front = Process::start(&sandbox, "archive --opening-servers servers");
    let truth = PATHS.map(|path| alone.get(path));
    let proves = || PATHS.map(|path| front.get(path)) == truth;
    assert!(truth.iter().all(|(status, _)| *status == 200) && proves());
    for server in [&a, &b] {
        assert_eq!(get(&server.operations, "/readyz"), (200, "ready\n".to_owned()));
        assert_eq!(server.get("/v1/proof/curl").0, 404, "it answers of openings alone");
        eventually("openings are prepared", || server.metric("aardvark_openings_vectors") == 2);
    }
    drop(a);
    assert!(proves());
    drop(b);
    assert_eq!(front.get(PATHS[0]).0, 503);
    // Another server takes all vectors over, once it and the front have read the list again.
    list(&[("c", "127.0.0.1:1"), ("d", "127.0.0.1:1"), ("e", "127.0.0.1:1")]);
    let c = Process::server(&sandbox, "c");
    list(&[("c", &c.public)]);
    front.reload();
    c.reload();
    eventually("the new server is asked", proves);
    eventually("what it owns now is prepared", || c.metric("aardvark_openings_vectors") == 2);
    assert!(front.metric("aardvark_replica_openings_given_total") > 0);
    assert!(front.metric("aardvark_replica_openings_requests_failed_total") > 0);
    assert_eq!(front.metric("aardvark_replica_openings_false_total"), 0);
    assert_eq!(front.metric("aardvark_replica_openings_computed_total"), 0);
}
