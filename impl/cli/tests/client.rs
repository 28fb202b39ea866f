//! The light client's commands, against an archive that the command serves and nodes whose headers
//! are really signed: no CometBFT is needed.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use aardvark_archive::Archive;
use aardvark_client::light::{DictionaryFacts, TrustPoint, TrustState, clock};
use aardvark_client::testing::{TestChain, TestServer};
use common::Sandbox;
use serde_json::{Value, json};

const CHAIN: &str = "aardvark-test";

/// A dictionary of twelve keys at version 1, its archive, and two nodes whose header of height 2
/// certifies it.
struct Scene {
    sandbox: Sandbox,
    archive: Child,
    servers: Vec<TestServer>,
    chain: TestChain,
    /// Whom to ask, and the state file.
    options: String,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.ok("init d --vector-size 4");
        let line =
            |number: u32| format!("{}\n", json!({ "key": format!("key-{number:02}"), "value": format!("{number}") }));
        sandbox.write("keys.jsonl", (0..12).map(line).collect::<String>());
        sandbox.ok("import d keys.jsonl");
        let (facts, root) = {
            let archive = Archive::builder().open_read_only(&sandbox.path("d")).unwrap();
            let parameters = archive.parameters();
            let facts = DictionaryFacts {
                id: *archive.id(),
                scheme: parameters.scheme,
                vector_size: parameters.vector_size,
                window: parameters.window,
            };
            (facts, archive.validator().unwrap().root())
        };
        let chain = TestChain::new(CHAIN, &[[1; 32], root], clock(), |_| vec![1, 2, 3, 4]);
        let ((one, node), (two, witness)) = (chain.serve(), chain.serve());
        let point = TrustPoint { height: 1, hash: chain.hash(1) };
        let state = TrustState { chain_id: CHAIN.to_owned(), point, facts: Some(facts) };
        state.save(&sandbox.path("trust.json")).unwrap();
        let mut archive = sandbox.command(&["node", "archive", "--dir", "d", "--listen", "127.0.0.1:0", "--json"]);
        let mut archive = archive.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(archive.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        let said: Value = serde_json::from_str(&said).unwrap();
        let options = format!(
            "--rpc {} --witness {} --archive http://{} --state trust.json --max-age 3600",
            node.url(),
            witness.url(),
            said["listening"].as_str().unwrap()
        );
        Self { sandbox, archive, servers: vec![one, two], chain, options }
    }

    /// What a command prints that ends well: standard output's lines, and standard error.
    fn lines(&self, command: &str) -> (Vec<String>, String) {
        let outcome = self.sandbox.run(&format!("{command} {}", self.options));
        outcome.demand(0, "");
        (outcome.out.lines().map(str::to_owned).collect(), outcome.err)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.archive.kill().unwrap();
        self.archive.wait().unwrap();
    }
}

fn hex(text: &str) -> String {
    format!("0x{}", hex::encode(text))
}

#[test]
fn get_shows_one_key_or_several_with_what_proves_them() {
    let scene = Scene::new();
    let (lines, _) = scene.lines("client get key-03");
    for line in ["proof      holds", "key        key-03", "answer     present", "value      3", "version    1"] {
        assert!(lines.iter().any(|found| found == line), "{line} in {lines:?}");
    }
    let one = scene.sandbox.ok_json(&format!("client get nothing {}", scene.options));
    assert_eq!([&one["result"], &one["answer"], &one["value"]], [&json!("holds"), &json!("absent"), &json!(null)]);
    let several = scene.sandbox.ok_json(&format!("client get key-11 nothing key-00 {}", scene.options));
    assert_eq!([&several["result"], &several["version"], &several["height"]], [&json!("holds"), &json!(1), &json!(2)]);
    let answers: Vec<_> = several["answers"].as_array().unwrap().iter().map(|a| [&a["key"], &a["value"]]).collect();
    let expected = [[hex("key-00"), hex("0")], [hex("key-11"), hex("11")]].map(|pair| pair.map(Value::from));
    assert_eq!(
        answers,
        [
            [&expected[0][0], &expected[0][1]],
            [&expected[1][0], &expected[1][1]],
            [&json!(hex("nothing")), &json!(null)]
        ]
    );
    assert_eq!(scene.servers.len(), 2);
}

#[test]
fn list_shows_a_range_and_that_it_is_all_or_where_to_go_on() {
    let scene = Scene::new();
    let (lines, said) = scene.lines("client list --prefix key-0");
    assert_eq!(lines, (0..10).map(|number| format!("key-{number:02}  {number}")).collect::<Vec<_>>());
    assert!(said.contains("10 entries of version 1, all there are"), "{said}");
    let (lines, said) = scene.lines("client list --from key-04 --to key-09 --limit 2");
    assert_eq!(
        (lines, said.contains("more from key-06 on")),
        (vec!["key-04  4".to_owned(), "key-05  5".to_owned()], true)
    );
    let (together, _) = scene.lines("client list --prefix key-0 --together");
    assert_eq!(together.len(), 10);
    let (lines, _) = scene.lines("--json client list --from key-11");
    let parsed: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(parsed[0], json!({ "key": hex("key-11"), "value": hex("11") }));
    let end = &parsed[1];
    assert_eq!([&end["result"], &end["entries"], &end["next"]], [&json!("holds"), &json!(1), &json!(null)]);
    let (lines, _) = scene.lines("--json client list --from x");
    assert_eq!(lines.len(), 1);
    for (line, reason) in [
        ("client list --from b --to a", "no key is from b on and below a"),
        ("client list --from a --prefix b", "cannot be used with"),
        ("client list --limit 0", "0 is not in"),
    ] {
        scene.sandbox.refused(&format!("{line} {}", scene.options), 2, reason);
    }
}

#[test]
fn an_archive_that_has_another_dictionary_is_named_and_nothing_is_listed() {
    let (scene, other) = (Scene::new(), Scene::new());
    let archive = |scene: &Scene| {
        let behind = scene.options.split("--archive ").nth(1).unwrap();
        behind.split(' ').next().unwrap().to_owned()
    };
    let (ours, theirs) = (archive(&scene), archive(&other));
    for command in ["client list", "client get key-01 key-02"] {
        let foreign = format!("{command} {}", scene.options.replace(&ours, &theirs));
        let outcome = scene.sandbox.refused(&foreign, 1, "another dictionary");
        assert_eq!(outcome.out, "");
    }
}

#[test]
fn two_signed_headers_of_one_height_are_a_fork_that_names_both_nodes() {
    let scene = Scene::new();
    let mut other = scene.chain.clone();
    other.forge(2, &[1, 2, 3, 4], |header| header.consensus_hash = header.validators_hash);
    let (_server, other) = other.serve();
    let node = scene.options.split(' ').nth(1).unwrap();
    let outcome = scene.sandbox.run(&format!("client get key-03 {} --witness {}", scene.options, other.url()));
    outcome.demand(1, "a fork");
    assert!(outcome.err.contains(node) && outcome.err.contains(other.url()), "{}", outcome.err);
    // Nothing was believed: the point of trust is where it was.
    assert!(scene.sandbox.read("trust.json").contains(&hex::encode(scene.chain.hash(1))));
}

#[test]
fn trust_prints_a_header_as_trust_takes_it() {
    let scene = Scene::new();
    let nodes: Vec<String> = scene.servers.iter().map(|server| format!("--rpc {}", server.url)).collect();
    let nodes = nodes.join(" ");
    let expected = TrustPoint { height: 1, hash: scene.chain.hash(1) }.to_string();
    let outcome = scene.sandbox.run(&format!("client trust --height 1 {nodes}"));
    outcome.demand(0, "");
    assert_eq!(outcome.out.lines().collect::<Vec<_>>(), [expected.as_str()]);
    assert!(outcome.err.contains("compare it with somebody whom you trust"), "{}", outcome.err);
    let newest = scene.sandbox.ok_json(&format!("client trust {nodes}"));
    assert_eq!([&newest["height"], &newest["signed"], &newest["chain_id"]], [&json!(2), &json!(false), &json!(CHAIN)]);
    // What it prints is taken.
    let options = scene.options.replace("--state trust.json", &format!("--state fresh.json --trust {expected}"));
    std::fs::copy(scene.sandbox.path("trust.json"), scene.sandbox.path("fresh.json")).unwrap();
    scene.sandbox.ok(&format!("client get key-01 {options}"));
    let mut other = scene.chain.clone();
    other.forge(2, &[1, 2, 3, 4], |header| header.consensus_hash = header.validators_hash);
    let (liar, _) = other.serve();
    scene.sandbox.refused(&format!("client trust {nodes} --rpc {}", liar.url), 1, "two headers of height 2");
    scene.sandbox.refused("client trust --rpc http://127.0.0.1:1", 2, "127.0.0.1:1");
}
