//! Imports into a store on object storage: killed between blocks, given again, read by fronts while
//! they run, and with stored openings beside the store.
#![cfg(feature = "object-storage")]
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod common;
#[path = "common/node.rs"]
mod node;

use std::io::Write;
use std::process::Stdio;

use common::Sandbox;
use node::{Node, eventually};
use serde_json::Value;

const KEYS: u64 = 1_000;
const INIT: &str =
    "--vector-size 16 --name packages --salt 0x0707070707070707070707070707070707070707070707070707070707070707";
const PATHS: [&str; 5] = [
    "/v1/proof/key-0500?root=true",
    "/v1/proof/absent?root=true",
    "/v1/proof/key-0999?delete=true",
    "/v1/range?from=key-0490&limit=40",
    "/v1/blocks/7/raw",
];

/// The newest version that a process serves.
fn version(node: &Node) -> u64 {
    serde_json::from_str::<Value>(&node.get("/v1/status").1).unwrap()["version"].as_u64().unwrap()
}

/// Lines of a CSV file, keys ascending.
fn lines(keys: std::ops::Range<u64>) -> String {
    keys.map(|number| format!("key-{number:04},value {number}\n")).collect()
}

/// The URL of a store in the sandbox.
fn store(sandbox: &Sandbox) -> String {
    format!("file://{}", sandbox.path("objects").display())
}

#[test]
fn an_import_into_a_store_goes_on_after_a_kill_and_gives_the_archive_that_redb_has() {
    let (sandbox, blocks) = (Sandbox::new(), "--sorted --block-size 100");
    let store = store(&sandbox);
    sandbox.write("all.csv", lines(0..KEYS));
    sandbox.refused(&format!("import w all.csv --store {store}"), 2, "");
    sandbox.ok(&format!("init w {INIT} --store {store}"));
    sandbox.refused(&format!("init w {INIT} --store {store}"), 2, "is not empty");
    sandbox.ok(&format!("init d {INIT}"));
    sandbox.ok(&format!("import d all.csv {blocks}"));
    // Killed while it waits for the rest of its sixth block.
    let front = Node::start(&sandbox, &format!("archive --store {store}"));
    assert_eq!(version(&front), 0);
    let words = format!("import w - --format csv --store {store} {blocks}");
    let words: Vec<&str> = words.split(' ').collect();
    let mut importing = sandbox.command(&words).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    importing.stdin.as_mut().unwrap().write_all(lines(0..550).as_bytes()).unwrap();
    eventually("five blocks are durable", || version(&front) == 5);
    importing.kill().unwrap();
    importing.wait().unwrap();
    // Given again, it makes the blocks that are missing.
    let rest = sandbox.ok_json(&format!("import w all.csv --store {store} {blocks}"));
    assert_eq!((&rest["blocks"], &rest["version"], &rest["keys"]), (&5.into(), &10.into(), &KEYS.into()), "{rest}");
    assert_eq!((&rest["unchanged"], &rest["inserted"]), (&500.into(), &500.into()), "{rest}");
    eventually("the front is there", || version(&front) == 10);
    let redb = Node::start(&sandbox, "archive --dir d");
    for path in PATHS {
        let answer = front.get(path);
        assert_eq!((answer.0, &answer), (200, &redb.get(path)), "{path}");
    }
    let root = sandbox.ok("root d");
    let audit = sandbox.ok_json(&format!("archive jobs start w audit --store {store} --root {root}"));
    assert_eq!(audit["result"], "holds", "{audit}");
    // In one go, without a kill, sorted by the import: the same once more.
    let other = format!("file://{}", sandbox.path("others").display());
    sandbox.ok(&format!("init v {INIT} --store {other}"));
    let whole = sandbox.ok_json(&format!("import v all.csv --store {other}"));
    assert_eq!((&whole["version"], &whole["keys"]), (&1.into(), &KEYS.into()), "{whole}");
    let again = sandbox.ok_json(&format!("import v all.csv --store {other}"));
    assert_eq!((&again["blocks"], &again["version"]), (&0.into(), &1.into()), "{again}");
}

#[test]
fn an_import_is_a_job_of_a_store_with_a_record_that_is_resumed_and_removed() {
    let sandbox = Sandbox::new();
    let store = store(&sandbox);
    sandbox.write("all.csv", lines(0..KEYS));
    sandbox.write("other.csv", lines(1..KEYS + 1));
    sandbox.ok(&format!("init w {INIT} --store {store}"));
    sandbox.ok(&format!("init d {INIT}"));
    sandbox.ok("import d all.csv --sorted --block-size 10");
    let root = sandbox.ok("root d");
    sandbox.refused(&format!("archive jobs start w import --store {store}"), 2, "FILE");
    sandbox.refused(&format!("archive jobs start w audit all.csv --store {store}"), 2, "a file is for the job import");
    sandbox.refused(&format!("archive jobs start w import all.csv --root {root}"), 2, "--root is for the job audit");
    let words = format!("archive jobs start w import all.csv --partition-size 10 --store {store}");
    let words: Vec<&str> = words.split(' ').collect();
    let mut importing = sandbox.command(&words).stdout(Stdio::null()).spawn().unwrap();
    let status = || {
        let asked = sandbox.run("--json archive jobs status w");
        (asked.code, serde_json::from_str::<Value>(&asked.out).unwrap_or_default()["jobs"][0].clone())
    };
    eventually("a block is recorded", || status().1["done"].as_u64() > Some(0));
    importing.kill().unwrap();
    importing.wait().unwrap();
    let (code, killed) = status();
    assert_eq!(
        (code, &killed["result"], &killed["changes"]),
        (Some(3), &"unfinished".into(), &KEYS.into()),
        "{killed}"
    );
    assert!(killed["done"].as_u64() < Some(100), "{killed}");
    let resume = |file: &str| format!("archive jobs resume w import {file} --store {store}");
    sandbox.refused(&resume("other.csv"), 2, "block 0 was another one");
    let done = sandbox.ok_json(&resume("all.csv"));
    assert_eq!((&done["result"], &done["root"]), (&"holds".into(), &root.trim().into()), "{done}");
    let (code, done) = status();
    assert_eq!((code, &done["done"], &done["root"]), (Some(0), &100.into(), &root.trim().into()), "{done}");
    let shown = sandbox.ok("archive jobs status w");
    assert!(shown.contains("import from version 0") && shown.contains("100 of 100"), "{shown}");
    // The same as a job of a file, in one block, and its record removed.
    sandbox.ok(&format!("init e {INIT}"));
    assert_eq!(sandbox.ok_json("archive jobs start e import all.csv")["partitions"], 1);
    assert_eq!(sandbox.ok_json("archive jobs cancel e import"), serde_json::json!({ "removed": true }));
}

#[test]
fn openings_that_a_job_stored_beside_a_store_are_those_that_servers_and_fronts_give() {
    let sandbox = Sandbox::new();
    let store = store(&sandbox);
    sandbox.write("all.csv", lines(0..100));
    sandbox.ok(&format!("init w {INIT} --store {store}"));
    sandbox.ok(&format!("import w all.csv --store {store}"));
    assert_eq!(sandbox.ok_json(&format!("archive jobs start w openings --store {store}"))["result"], "holds");
    sandbox.refused(&format!("node archive --store {store} --dir nowhere --listen 127.0.0.1:0"), 2, "nowhere");
    sandbox.write("servers", "a=http://127.0.0.1:1");
    let server = |dir: &str| {
        let process = Node::start(&sandbox, &format!("openings --store {store}{dir} --server a --servers servers"));
        sandbox.write("servers", format!("a=http://{}", process.public));
        let front = Node::start(&sandbox, &format!("archive --store {store} --opening-servers servers"));
        let paths = (0..100).step_by(3).map(|number| format!("/v1/proof/key-{number:04}"));
        let answers: Vec<_> = paths.map(|path| front.get(&path)).collect();
        (process, answers)
    };
    let (computes, computed) = server("");
    assert_eq!(computes.count("aardvark_openings_stored_total"), 0);
    let (reads, read) = server(" --dir w");
    assert!(read.iter().all(|(status, _)| *status == 200) && read == computed);
    assert_eq!(reads.count("aardvark_openings_fresh_total"), 0);
    assert_eq!(reads.count("aardvark_openings_stored_total"), 34);
    // A front that asks no servers.
    let alone = Node::start(&sandbox, &format!("archive --store {store} --dir w"));
    assert_eq!(alone.get("/v1/proof/key-0003"), read[1]);
    assert_eq!((alone.count("aardvark_openings_stored_total"), alone.count("aardvark_openings_fresh_total")), (1, 0));
}
