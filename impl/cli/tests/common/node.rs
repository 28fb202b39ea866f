//! Processes of `aardvark node ..` with their operator's address, plain requests to them, and
//! waiting for what has to come.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::fmt::Debug;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::common::Sandbox;

/// How long a test waits for what has to come, on however busy a machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A process that listens, and ends with its owner.
pub struct Node {
    child: Child,
    /// Where it listens.
    pub public: String,
    /// Where its operator asks.
    pub operations: String,
}

impl Drop for Node {
    fn drop(&mut self) {
        let _gone_is_as_well = self.child.kill();
        let _status = self.child.wait();
    }
}

impl Node {
    /// Runs `aardvark node ..` with these words, on free ports.
    pub fn start(sandbox: &Sandbox, words: &str) -> Self {
        Self::logging(sandbox, words, Stdio::null())
    }

    /// The same with its log in a file.
    pub fn logging(sandbox: &Sandbox, words: &str, log: impl Into<Stdio>) -> Self {
        let words = format!("--json node {words} --listen 127.0.0.1:0 --operations 127.0.0.1:0");
        let words: Vec<&str> = words.split(' ').collect();
        let mut child = sandbox.command(&words).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?} of {words:?}"));
        let text = |name: &str| said[name].as_str().unwrap().to_owned();
        Self { child, public: text("listening"), operations: text("operations") }
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        get(&self.public, path)
    }

    /// A counter or gauge of the operator's.
    pub fn metric<T: FromStr<Err: Debug>>(&self, name: &str) -> T {
        let (_, text) = get(&self.operations, "/metrics");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} in\n{text}")).parse().unwrap()
    }

    pub fn count(&self, name: &str) -> u64 {
        self.metric(name)
    }

    /// Seconds of processor time that it took until now.
    pub fn cpu(&self) -> f64 {
        self.metric("process_cpu_seconds_total")
    }

    /// Tells it to read its configuration again.
    pub fn reload(&self) {
        hang_up(&self.child);
    }
}

/// Sends a process SIGHUP.
pub fn hang_up(process: &Child) {
    assert!(Command::new("kill").args(["-HUP", &process.id().to_string()]).status().unwrap().success());
}

/// Status and body, which need not be text.
pub fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).unwrap();
    let said = String::from_utf8_lossy(&said).into_owned();
    let (head, body) = said.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Waits until something is so.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
