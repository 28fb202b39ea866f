//! `aardvark node genesis --content`: what a chain begins with, from a file.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test that cannot set its scene has failed"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

const KEY: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";

fn genesis(folder: &Path, words: &[&str]) -> Output {
    std::fs::write(folder.join("genesis.json"), json!({ "chain_id": "test" }).to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aardvark"));
    command.current_dir(folder).args(["node", "genesis", "genesis.json", "--json", "--salt", KEY]).args(words);
    command.output().unwrap()
}

fn made(folder: &Path, words: &[&str]) -> (Value, Value) {
    let output = genesis(folder, words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = std::fs::read(folder.join("genesis.json")).unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), serde_json::from_slice(&file).unwrap())
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let output = genesis(folder, words);
    assert!(!output.status.success());
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
}

#[test]
fn small_content_is_listed_in_genesis_whatever_its_format_and_order() {
    let folder = TempDir::new().unwrap();
    let lines = "{\"key\":\"b\",\"value\":\"2\"}\n{\"key\":\"a\",\"value\":\"1\"}\n";
    std::fs::write(folder.path().join("c.jsonl"), lines).unwrap();
    std::fs::write(folder.path().join("c.csv"), "a,1\nb,2\n").unwrap();
    let (report, file) = made(folder.path(), &["--publisher", KEY, "--content", "c.jsonl"]);
    let content = json!([{ "key": "0x61", "value": "0x31" }, { "key": "0x62", "value": "0x32" }]);
    assert_eq!((&report["keys"], &file["app_state"]["content"]), (&json!(2), &content));
    assert!(report["content"].is_null() && !folder.path().join("genesis-content.bin").exists());
    let (same, _) = made(folder.path(), &["--publisher", KEY, "--content", "c.csv"]);
    assert_eq!(same["dictionary"], report["dictionary"]);
    // The same content in a file of its own is the same dictionary.
    let (filed, file) = made(folder.path(), &["--publisher", KEY, "--content", "c.csv", "--content-file"]);
    assert_eq!(filed["dictionary"], report["dictionary"]);
    assert_eq!((&file["app_state"]["entries"], &file["app_state"]["content"]), (&json!(2), &Value::Null));
}

#[test]
fn large_content_goes_by_its_digest_into_a_file_beside_genesis() {
    let folder = TempDir::new().unwrap();
    let mut lines = String::new();
    for number in (0..50_000).rev() {
        writeln!(lines, "{{\"key\":\"key-{number:07}\",\"value\":\"some value\"}}").unwrap();
    }
    std::fs::write(folder.path().join("c.jsonl"), lines).unwrap();
    let (report, file) = made(folder.path(), &["--publisher", KEY, "--content", "c.jsonl"]);
    assert_eq!((&report["keys"], &file["app_state"]["entries"]), (&json!(50_000), &json!(50_000)));
    assert!(file.to_string().len() < 2_000, "{file}");
    let content = std::fs::read(folder.path().join("genesis-content.bin")).unwrap();
    assert_eq!(content.len(), 8 + 50_000 * (4 + 11 + 10));
    assert!(content[8..].starts_with(b"\0\x0bkey-0000000\0\x0asome value"));
}

#[test]
fn content_that_no_chain_can_begin_with_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    for (text, said) in [("a,1\na,2\n", "twice"), ("a,1\nb\n", "deletes"), (",1\n", "line 1")] {
        std::fs::write(folder.path().join("c.csv"), text).unwrap();
        let refusal = refused(folder.path(), &["--publisher", KEY, "--content", "c.csv"]);
        assert!(refusal.contains(said), "{refusal}");
    }
    std::fs::write(folder.path().join("c.csv"), "a,1\n").unwrap();
    assert!(refused(folder.path(), &["--fee-account", KEY, "--content", "c.csv"]).contains("not an account"));
}
