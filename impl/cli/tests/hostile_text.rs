//! Text from outside that wants to write over what the command prints: names of fields, keys,
//! values, file names, words of the command line, answers of servers. None of it reaches a terminal
//! unescaped.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::ffi::OsStr;

use aardvark_client::testing::{Reply, TestServer};
use common::Sandbox;
use serde_json::json;

/// Clears the line, writes another verdict, hides the rest; C1, DEL, bidirectional overrides, a
/// line of its own.
const HOSTILE: &str =
    "x\r\u{1b}[2K proof    holds\u{1b}[8m\u{9b}2J\u{7f}\u{85}\u{202e}\u{2066}\u{200b}\u{2028}\nproof    holds\n";

/// Runs the command with standard output and standard error as bytes, demands an exit code, and
/// that neither has a character that could deceive, nor a line that says that a proof holds.
fn harmless<S: AsRef<OsStr>>(sandbox: &Sandbox, code: i32, arguments: &[S]) -> String {
    let shown: Vec<_> = arguments.iter().map(|argument| argument.as_ref().to_string_lossy().into_owned()).collect();
    let output = sandbox.command(arguments).output().unwrap();
    let mut all = String::new();
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).unwrap();
        let raw = text.chars().find(|character| {
            (character.is_control() && *character != '\n')
                || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        });
        assert_eq!(raw, None, "{shown:?}: {text:?}");
        assert!(!text.lines().any(|line| line.trim_start().starts_with("proof    holds")), "{shown:?}: {text:?}");
        all.push_str(text);
    }
    assert_eq!(output.status.code(), Some(code), "{shown:?}: {all}");
    all
}

/// The same as text and as JSON.
fn harmless_in_both(sandbox: &Sandbox, code: i32, arguments: &[&str], says: &str) {
    for form in [&[] as &[&str], &["--json"]] {
        let all = harmless(sandbox, code, &[form, arguments].concat());
        assert!(all.contains(says), "no {says:?} in {all}");
    }
}

#[test]
fn a_field_s_name_in_a_proof_cannot_print_that_the_proof_holds() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("prove d curl -o p.json");
    for name in ["p.json", "c.json"] {
        let mut text = sandbox.json(name);
        text[HOSTILE] = json!(1);
        sandbox.write("hostile.json", text.to_string());
        let files = if name == "p.json" { ["hostile.json", "c.json"] } else { ["p.json", "hostile.json"] };
        harmless_in_both(&sandbox, 2, &["verify", "curl", files[0], "--commitments", files[1]], "unknown field");
        harmless_in_both(&sandbox, 2, &["explain", files[0], "--commitments", files[1]], "unknown field");
    }
    let scheme = sandbox.json("p.json");
    let mut scheme = scheme.as_object().unwrap().clone();
    scheme.insert("scheme".to_owned(), json!(HOSTILE));
    sandbox.write("hostile.json", json!(scheme).to_string());
    harmless_in_both(&sandbox, 2, &["verify", "curl", "hostile.json", "--commitments", "c.json"], "scheme");
}

#[test]
fn keys_and_values_are_shown_harmless_by_every_command() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    let line = json!({ "key": HOSTILE, "value": HOSTILE }).to_string();
    sandbox.write("keys.jsonl", format!("{line}\n{}\n", json!({ "key": "y", "value": HOSTILE })));
    harmless(&sandbox, 0, &["import", "d", "keys.jsonl"]);
    harmless(&sandbox, 0, &["commitments", "d", "-o", "c.json"]);
    harmless(&sandbox, 0, &["prove", "d", HOSTILE, "-o", "p.json"]);
    for key in [HOSTILE, "y", "z\r"] {
        harmless_in_both(&sandbox, 0, &["get", "d", key], "");
        harmless_in_both(&sandbox, 0, &["prove", "d", key], "claims");
        harmless_in_both(&sandbox, 0, &["explain", key, "--dir", "d"], "theorem");
        harmless_in_both(&sandbox, 0, &["history", "d", key], "");
    }
    for listing in [&["list", "d"][..], &["export", "d"], &["export", "d", "--format", "csv"], &["diff", "d", "0", "1"]]
    {
        harmless_in_both(&sandbox, 0, listing, "");
    }
    let listed = harmless(&sandbox, 0, &["list", "d", "--prove"]);
    sandbox.write("range.json", listed);
    let output = sandbox.command(&["verify", "--range", "", "", "range.json", "--commitments", "c.json"]).output();
    let shown = String::from_utf8(output.unwrap().stdout).unwrap();
    assert_eq!(shown.matches("holds").count(), 1, "{shown:?}");
    harmless_in_both(&sandbox, 2, &["verify", "\u{1b}[8m", "p.json", "--commitments", "c.json"], "not for");
    let operation = json!({ "put": { "key": HOSTILE, "value": "1" } });
    let transaction = json!({ "first_valid": 1, "last_valid": 1, "nonce": format!("0x{}", "00".repeat(16)),
        "operations": [operation], "claims": [] });
    sandbox.write("t.jsonl", transaction.to_string());
    harmless_in_both(&sandbox, 1, &["apply", "d", "t.jsonl"], "left");
}

#[test]
fn lines_of_files_file_names_and_words_of_the_command_line_are_shown_harmless() {
    let sandbox = Sandbox::with_five_keys();
    let named = format!("bad{}", HOSTILE.replace('/', ""));
    for (contents, says) in [
        (json!({ "key": "a", "value": "1", HOSTILE: 1 }).to_string(), "unknown field"),
        (json!({ "key": format!("0x{HOSTILE}"), "value": "1" }).to_string(), "not hexadecimal"),
    ] {
        sandbox.write(&named, contents);
        harmless_in_both(&sandbox, 2, &["import", "d", &named], says);
    }
    harmless_in_both(&sandbox, 2, &["import", "d", &format!("missing{named}")], "No such file");
    harmless_in_both(&sandbox, 2, &["status", &format!("missing{named}")], "aardvark init");
    harmless_in_both(&sandbox, 0, &["prove", "d", "curl", "-o", &named], "present");
    for words in [
        vec!["get", "d", "curl", "--version", HOSTILE],
        vec!["import", "d", "five.csv", "--format", HOSTILE],
        vec![HOSTILE],
        vec!["get", "d", "curl", HOSTILE],
        vec!["init", "e", "--vector-size", HOSTILE],
    ] {
        harmless_in_both(&sandbox, 2, &words, "error");
    }
}

/// A server that answers every request with one body.
fn server(body: String) -> TestServer {
    TestServer::new(move |_| Reply::Body(200, body.clone().into_bytes()))
}

#[test]
fn what_servers_answer_is_shown_harmless() {
    let sandbox = Sandbox::new();
    harmless(&sandbox, 0, &["client", "keygen", "k.key"]);
    let error = json!({ "code": -32603, "message": HOSTILE, "data": HOSTILE });
    let refusal = server(json!({ "jsonrpc": "2.0", "id": 0, "error": error }).to_string());
    let chain = json!({ "genesis": { "chain_id": HOSTILE, "app_state": { HOSTILE: HOSTILE } } });
    let genesis = server(json!({ "jsonrpc": "2.0", "id": 0, "result": chain }).to_string());
    let garbage = server(HOSTILE.to_owned());
    let trust = format!("1:{}", "ab".repeat(32));
    for server in [&refusal, &genesis, &garbage] {
        let network = ["--rpc", &server.url, "--archive", &server.url, "--without-witness"];
        let get = [&["client", "get", "k"], network.as_slice(), &["--trust", &trust]].concat();
        harmless_in_both(&sandbox, 2, &get, "127.0.0.1");
        let pay = [&["client", "put", "a", "b", "--key", "k.key"], network.as_slice()].concat();
        harmless_in_both(&sandbox, 2, &pay, "127.0.0.1");
    }
}
