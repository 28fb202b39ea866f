//! What nodes log: requests with their ids, and nothing secret.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_client::testing::genesis_validators_json;
use common::Sandbox;
use serde_json::{Value, json};

const KEY: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";
/// The password in the addresses of servers.
const SECRET: &str = "geheimnis";

/// A process whose log goes to a file, and which ends with its owner.
struct Logging(Child);

impl Logging {
    fn begin(sandbox: &Sandbox, words: &[&str]) -> Self {
        let log = std::fs::File::create(sandbox.path("log")).unwrap();
        Self(sandbox.command(words).stdout(Stdio::piped()).stderr(log).spawn().unwrap())
    }

    /// The address that it says it listens on.
    fn address(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["listening"].as_str().unwrap().to_owned()
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        let _gone_is_as_well = self.0.kill();
        let _status = self.0.wait();
    }
}

/// The answer's head.
fn get(address: &str, path: &str, id: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nx-request-id: {id}\r\nconnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    said.split_once("\r\n\r\n").unwrap().0.to_ascii_lowercase()
}

/// The events of the log of accesses, once there are so many.
fn accesses(sandbox: &Sandbox, most: usize) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        let log = sandbox.read("log");
        // The last line may be in the making.
        let lines = log.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let events = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
        let found: Vec<Value> = events.filter(|event| event["target"] == "access").collect();
        if found.len() >= most {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{log}");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn requests_have_ids_and_stand_in_the_log_of_accesses_without_their_keys() {
    let sandbox = Sandbox::with_five_keys();
    let words = ["--json", "node", "archive", "--dir", "d", "--listen", "127.0.0.1:0", "--log-format", "json"];
    let mut archive = Logging::begin(&sandbox, &[&words[..], &["--access-log"]].concat());
    let address = archive.address();
    let head = get(&address, "/v1/proof/curl?root=true", "trouble-7");
    assert!(head.starts_with("http/1.1 200") && head.contains("\r\nx-request-id: trouble-7"), "{head}");
    let head = get(&address, "/v1/proof/curl?version=99", "a\"b {}");
    let id = head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
    assert!(head.starts_with("http/1.1 404") && !id.contains('"'), "{head}");
    let found = accesses(&sandbox, 2);
    assert_eq!((&found[0]["id"], &found[1]["id"]), (&json!("trouble-7"), &json!(id)));
    for (event, status) in found.iter().zip([200, 404]) {
        assert_eq!((&event["route"], &event["status"]), (&json!("/v1/proof/{key}"), &json!(status)), "{event}");
        assert_eq!((&event["client"], &event["method"]), (&json!("127.0.0.1"), &json!("GET")), "{event}");
        assert!(event["milliseconds"].as_f64().unwrap() > 0.0, "{event}");
    }
    assert!(!sandbox.read("log").contains("curl"), "what is asked for is nobody else's business");
    drop(archive);

    let mut quiet = Logging::begin(&sandbox, &words);
    let address = quiet.address();
    assert!(get(&address, "/v1/status", "x").starts_with("http/1.1 200"));
    drop(quiet);
    assert!(!sandbox.read("log").contains("\"access\""), "{}", sandbox.read("log"));
}

#[test]
fn a_log_that_nobody_reads_any_more_ends_no_node() {
    let sandbox = Sandbox::with_five_keys();
    let words = ["--json", "node", "archive", "--dir", "d", "--listen", "127.0.0.1:0", "--access-log"];
    let child = sandbox.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut archive = Logging(child);
    drop(archive.0.stderr.take());
    let address = archive.address();
    for _ in 0..2 {
        assert!(get(&address, "/v1/status", "x").starts_with("http/1.1 200"));
    }
}

#[test]
fn no_log_has_the_passwords_of_servers_whatever_is_logged() {
    let sandbox = Sandbox::with_five_keys();
    let validators = genesis_validators_json(&[1]);
    sandbox.write("genesis.json", json!({ "chain_id": "test", "validators": validators }).to_string());
    sandbox.ok(&format!("node genesis genesis.json --salt {KEY} --publisher {KEY} --content five.csv"));
    let server = format!("http://somebody:{SECRET}@127.0.0.1:9");
    let archive = ["node", "archive", "--dir", "a", "--genesis", "genesis.json", "--listen", "127.0.0.1:0"];
    let validator = ["node", "validator", "--home", "v", "--genesis", "genesis.json", "--listen", "unix://abci.sock"];
    for (words, option, said) in
        [(&archive[..], "--rpc", "***@127.0.0.1:9"), (&validator[..], "--archive", "waiting for CometBFT")]
    {
        logs_no_password(&sandbox, &[words, &[option, &server]].concat(), said, |_| ());
    }
    // Asked once the nodes do not have a block any more: before it fails, a node has to be there.
    let rpc = ["--rpc", &server, "--from", &server];
    logs_no_password(&sandbox, &[&archive[..], &rpc].concat(), "***@127.0.0.1:9", |_| ());
    let list = format!("a={server},b={server}");
    sandbox.write("list", list.replace(',', "\n"));
    let front = ["--json", "node", "archive", "--dir", "d", "--listen", "127.0.0.1:0", "--opening-servers"];
    let ask = |address: &str| assert!(get(address, "/v1/proof/curl", "x").starts_with("http/1.1 503"));
    for servers in [list.as_str(), "list"] {
        logs_no_password(&sandbox, &[&front[..], &[servers]].concat(), "an opening server does not answer", ask);
    }
    let openings =
        ["--json", "node", "openings", "--dir", "d", "--server", "a", "--listen", "127.0.0.1:0", "--servers"];
    logs_no_password(&sandbox, &[&openings[..], &[list.as_str(), "--warm"]].concat(), "", |_| ());
    for (place, said) in [
        ("s3://somebody:geheimnis@bucket/prefix", "s3://***@bucket/prefix"),
        ("ftp://somebody:geheimnis@h/x", "ftp://***@h/x"),
    ] {
        let store = ["node", "archive", "--log", "trace", "--store", place];
        let refused = sandbox.run_list(&store);
        assert!(refused.code == Some(2) && refused.err.contains(said), "{refused:?}");
        assert!(!refused.err.contains(SECRET) && !refused.err.contains("somebody"), "{refused:?}");
    }
}

/// Demands that a node's log of level trace has no password by when it says something, or by when
/// it listens.
fn logs_no_password(sandbox: &Sandbox, words: &[&str], said: &str, ask: impl Fn(&str)) {
    let mut process = Logging::begin(sandbox, &[words, &["--log", "trace", "--log-format", "json"]].concat());
    if words.contains(&"--json") {
        ask(&process.address());
    }
    let has_said = (0..1200).any(|_| {
        sleep(Duration::from_millis(100));
        sandbox.read("log").contains(said)
    });
    let log = sandbox.read("log");
    drop(process);
    assert!(has_said, "no {said:?} in {log}");
    assert!(!log.contains(SECRET) && !log.contains("somebody"), "{log}");
}
