//! What an operator is told: health, readiness, metrics; and that every metric that the alerts and
//! the dashboard of `docs/operations` name is one that the programs have.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;
#[path = "common/node.rs"]
mod node;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::Sandbox;
use node::get;
use serde_json::{Value, json};

const KEY: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";

/// A process that ends with its owner.
struct Running {
    child: Child,
    /// Its operator's address.
    operations: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _gone_is_as_well = self.child.kill();
        let _status = self.child.wait();
    }
}

/// The first line that says something, as JSON.
fn first<T>(from: impl Read, pick: impl Fn(&Value) -> Option<T>) -> T {
    let lines = BufReader::new(from).lines().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    lines.into_iter().find_map(|said| pick(&said)).unwrap()
}

/// An archive of five keys, served, with one request answered.
fn archive(sandbox: &Sandbox) -> Running {
    let (archive, public) = served(sandbox, "archive --dir d");
    assert_eq!(get(&public, "/v1/proof/curl").0, 200);
    for path in ["/metrics", "/healthz", "/readyz"] {
        assert_eq!(get(&public, path).0, 404, "{path} is not for everybody");
    }
    archive
}

/// A process that is served, and where.
fn served(sandbox: &Sandbox, words: &str) -> (Running, String) {
    let words = format!("--json node {words} --listen 127.0.0.1:0 --operations 127.0.0.1:0");
    let words: Vec<&str> = words.split(' ').collect();
    let mut child = sandbox.command(&words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (public, operations) = first(child.stdout.take().unwrap(), |said| {
        let text = |name: &str| said[name].as_str().map(str::to_owned);
        Some((text("listening")?, text("operations")?))
    });
    (Running { child, operations }, public)
}

/// A validator of a chain with five keys, whose CometBFT does not come.
fn validator(sandbox: &Sandbox) -> Running {
    sandbox.write("genesis.json", json!({ "chain_id": "test" }).to_string());
    sandbox.ok(&format!("node genesis genesis.json --salt {KEY} --publisher {KEY} --content five.csv"));
    let words = ["node", "validator", "--home", "v", "--genesis", "genesis.json", "--listen", "unix://abci.sock"];
    let mut command: Command = sandbox.command(&words);
    command.args(["--operations", "127.0.0.1:0", "--log-format", "json"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let operations = first(child.stderr.take().unwrap(), |said| said["operations"].as_str().map(str::to_owned));
    Running { child, operations }
}

/// The names of the samples of a text, and of those that have no samples yet.
fn names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["#", "TYPE", name, "counter"] => names.insert(format!("{name}_total")),
            ["#", "TYPE", name, "histogram"] => {
                names.extend(["_bucket", "_sum", "_count"].map(|part| format!("{name}{part}")));
                true
            }
            ["#", "TYPE", name, "info"] => names.insert(format!("{name}_info")),
            ["#", "TYPE", name, _] => names.insert(name.to_owned()),
            _ => false,
        };
    }
    names
}

fn operations_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations")
}

/// The expressions of the alerts: one a line.
fn of_alerts(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).map(str::to_owned).collect()
}

/// The expressions of the dashboard.
fn of_dashboard(dashboard: &Value) -> Vec<String> {
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

/// The metrics that an expression names, and the job that it asks, where it asks one.
fn asked(expression: &str) -> Vec<(String, Option<&'static str>)> {
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == ':';
    let mut found = Vec::new();
    let mut rest = expression;
    while let Some(start) = rest.find(is_of_name) {
        let tail = &rest[start..];
        let end = tail.find(|character| !is_of_name(character)).unwrap_or(tail.len());
        let (word, behind) = tail.split_at(end);
        if ["aardvark_", "process_"].iter().any(|prefix| word.starts_with(prefix)) {
            let jobs = [
                ("aardvark-archive", "{job=\"aardvark-archive\""),
                ("aardvark-validator", "{job=\"aardvark-validator\""),
            ];
            let job = jobs.iter().find(|(_, selector)| behind.starts_with(selector)).map(|(job, _)| *job);
            found.push((word.to_owned(), job));
        }
        rest = behind;
    }
    found
}

#[test]
fn an_operator_is_told_and_what_alerts_and_dashboard_name_is_there() {
    let sandbox = Sandbox::with_five_keys();
    let (archive, validator) = (archive(&sandbox), validator(&sandbox));
    for process in [&archive, &validator] {
        assert_eq!(get(&process.operations, "/healthz"), (200, "ok\n".to_owned()));
    }
    assert_eq!(get(&archive.operations, "/readyz"), (200, "ready\n".to_owned()));
    let not_yet = (503, "not ready: CometBFT is not connected\n".to_owned());
    assert_eq!(get(&validator.operations, "/readyz"), not_yet);

    let [of_archive, of_validator] = [&archive, &validator].map(|process| get(&process.operations, "/metrics").1);
    for line in ["aardvark_slots 6", "aardvark_ready 1", "aardvark_proofs_total 1"] {
        assert!(of_archive.lines().any(|found| found == line), "{line} in\n{of_archive}");
    }
    for line in ["aardvark_slots 6", "aardvark_ready 0", "aardvark_cometbft_connections 0"] {
        assert!(of_validator.lines().any(|found| found == line), "{line} in\n{of_validator}");
    }

    // A front has those of its opening servers besides; every process has what all are asked for.
    let (front, _) = served(&sandbox, "archive --dir d --opening-servers a=http://127.0.0.1:1");
    let (openings, _) = served(&sandbox, "openings --dir d --server a --servers a=http://127.0.0.1:1");
    let [of_front, of_openings] = [&front, &openings].map(|process| names(&get(&process.operations, "/metrics").1));
    let (mut of_archive, of_validator) = (names(&of_archive), names(&of_validator));
    of_archive.extend(of_front);
    let folder = operations_folder();
    let alerts = of_alerts(&std::fs::read_to_string(folder.join("alerts.yml")).unwrap());
    let dashboard: Value = serde_json::from_slice(&std::fs::read(folder.join("dashboard.json")).unwrap()).unwrap();
    let dashboard = of_dashboard(&dashboard);
    assert!(alerts.len() >= 14 && dashboard.len() >= 25, "{} and {}", alerts.len(), dashboard.len());
    for expression in alerts.iter().chain(&dashboard) {
        let asked = asked(expression);
        assert!(!asked.is_empty() || expression.starts_with("up{"), "{expression} asks for nothing");
        for (name, job) in asked {
            let there = match job {
                // A chain's height is there once there is a chain.
                Some("aardvark-archive") => of_archive.contains(&name) || name == "aardvark_chain_height",
                Some("aardvark-validator") => of_validator.contains(&name),
                _ => [&of_archive, &of_validator, &of_openings].iter().all(|names| names.contains(&name)),
            };
            assert!(there, "no program says {name}, of {expression}");
        }
    }
}

#[test]
fn an_operators_address_that_is_taken_is_an_error_before_anything_is_served() {
    let sandbox = Sandbox::with_five_keys();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused =
        sandbox.refused(&format!("node archive --dir d --listen 127.0.0.1:0 --operations {address}"), 1, "in use");
    assert!(refused.out.is_empty(), "{refused:?}");
}
