//! `aardvark import`, and what `get`, `status` and `init` say before and after.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Sandbox, sample};
use serde_json::json;

/// The answer for a key: its value as text, or `None` where it is absent.
fn get(sandbox: &Sandbox, key: &str) -> Option<String> {
    let answer = sandbox.ok_json(&format!("get d {key}"));
    let value = answer["value"].as_str()?;
    let digits = value.strip_prefix("0x").unwrap();
    let bytes = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap());
    Some(String::from_utf8(bytes.collect()).unwrap())
}

#[test]
fn a_new_dictionary_is_empty_and_says_what_it_is() {
    let sandbox = Sandbox::new();
    let made = sandbox.ok_json("init d --vector-size 8 --window 3 --retention 5");
    assert_eq!(made["scheme"], "kzg");
    assert_eq!((&made["vector_size"], &made["window"], &made["retention"]), (&json!(8), &json!(3), &json!(5)));
    let status = sandbox.ok_json("status d");
    assert_eq!(status["dictionary"], made["dictionary"]);
    assert_eq!((&status["keys"], &status["slots"], &status["vectors"]), (&json!(0), &json!(1), &json!(1)));
    assert_eq!(status["validator"]["commitments"], 48);
    assert_eq!(get(&sandbox, "curl"), None);
}

#[test]
fn json_lines_put_update_and_delete_in_blocks_of_the_size_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    sandbox.write(
        "changes.jsonl",
        concat!(
            "{\"key\":\"a\",\"value\":\"1\"}\n{\"key\":\"b\",\"value\":\"1\"}\n",
            "{\"key\":\"a\",\"value\":\"2\"}\n{\"key\":\"b\",\"value\":null}\n{\"key\":\"0x63\",\"value\":\"0x33\"}\n",
        ),
    );
    let imported = sandbox.ok_json("import d changes.jsonl --block-size 2");
    assert_eq!((&imported["changes"], &imported["blocks"], &imported["version"]), (&json!(5), &json!(3), &json!(3)));
    assert_eq!(imported["keys"], 2);
    assert_eq!(["a", "b", "c"].map(|key| get(&sandbox, key)), [Some("2".into()), None, Some("3".into())]);
    assert_eq!(sandbox.ok_json("get d b --version 1")["present"], true);
}

#[test]
fn without_a_block_size_a_file_is_one_block_and_the_last_change_of_a_key_counts() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    let outcome = sandbox.run_with_input("--json import d - --format csv", "a,1\nb,1\na,2\nb\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(sandbox.ok_json("status d")["version"], 1);
    assert_eq!(["a", "b"].map(|key| get(&sandbox, key)), [Some("2".into()), None]);
}

#[test]
fn a_file_in_any_order_makes_the_dictionary_of_the_sorted_one_which_is_read_as_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write("sorted.csv", "a,1\nb,2\nba,3\nc,4\n");
    sandbox.write("mixed.csv", "c,9\nba,3\na,1\nc,4\nb,2\n");
    let salt = format!("0x{}", "5a".repeat(32));
    let roots = [("x", "sorted.csv --sorted"), ("y", "mixed.csv"), ("z", "sorted.csv")].map(|(name, file)| {
        sandbox.ok(&format!("init {name} --name d --salt {salt} --vector-size 4"));
        sandbox.ok(&format!("import {name} {file}"));
        sandbox.ok_json(&format!("root {name}"))["root"].clone()
    });
    assert!(roots[0].is_string() && roots[1..] == [roots[0].clone(), roots[0].clone()], "{roots:?}");
    sandbox.refused("import z mixed.csv --sorted", 2, "the key \"ba\" is out of order or stands twice");
    assert_eq!(sandbox.ok_json("status z")["version"], 1);
    let outcome = sandbox.refused("import z mixed.csv --sorted --block-size 1", 2, "the key \"ba\" is out of order");
    assert!(outcome.err.contains("(1 changes) is imported, up to version 2"), "{outcome:?}");
}

#[test]
fn an_empty_file_makes_no_version() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    sandbox.write("empty.jsonl", "\n\n");
    assert_eq!(sandbox.ok_json("import d empty.jsonl")["version"], 0);
}

#[test]
fn text_that_begins_with_0x_is_hexadecimal_unless_text_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    sandbox.write("keys.csv", "0x61,0x62\n");
    sandbox.ok("import d keys.csv");
    assert_eq!(get(&sandbox, "a"), Some("b".into()));
    sandbox.ok("import d keys.csv --text");
    assert_eq!(get(&sandbox, "0x61 --text"), Some("0x62".into()));
    assert_eq!(get(&sandbox, "0x30783631"), Some("0x62".into()));
    assert!(
        sandbox.ok("get d 0x61 --text").starts_with("key      0x30783631\nanswer   present\nvalue    0x30783632\n")
    );
}

#[test]
fn the_package_index_is_imported_as_it_is_and_unpacked_from_standard_input() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 64");
    let packages = sample("debian-bookworm-2026-07-11.packages.lz4");
    let imported = sandbox.ok_json(&format!("import d {}", packages.display()));
    assert_eq!(imported["keys"], 3518);
    assert!(get(&sandbox, "nmap").unwrap().starts_with("7.93+dfsg1-1 1ac65a0a"));

    let stanzas = format!("Package: nmap\nVersion: 9.0\nSHA256: {}\n\n", "ab".repeat(32));
    let outcome = sandbox.run_with_input("import d - --format debian-packages", stanzas);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(get(&sandbox, "nmap").unwrap(), format!("9.0 {}", "ab".repeat(32)));
}

#[test]
fn a_malformed_line_names_the_file_and_the_line_and_nothing_of_its_block_is_imported() {
    let sandbox = Sandbox::with_five_keys();
    for (name, contents, reason) in [
        ("a.jsonl", "{\"key\":\"x\",\"value\":\"1\"}\n{\"key\":\"y\"}\n", "a.jsonl, line 2: missing field `value`"),
        ("b.jsonl", "{\"key\":\"x\",\"key\":\"y\",\"value\":\"1\"}\n", "b.jsonl, line 1: duplicate field `key`"),
        ("c.jsonl", "{\"key\":\"x\",\"value\":\"1\",\"ttl\":1}\n", "c.jsonl, line 1: unknown field `ttl`"),
        (
            "d.jsonl",
            "{\"key\":\"x\",\"value\":\"1\"}\n{\"key\":\"\",\"value\":\"1\"}\n",
            "d.jsonl, line 2: the empty key",
        ),
        ("e.jsonl", "{\"key\":\"0xq\",\"value\":\"1\"}\n", "e.jsonl, line 1: \"0xq\" is not hex"),
        ("f.jsonl", "{\"key\":\"x\",\"value\":\"1\"", "f.jsonl, line 1: EOF"),
        ("g.csv", "x,1\nx,1,2\n", "g.csv, line 2: 3 fields"),
        ("h.csv", "x,1\n,2\n", "h.csv, line 2: the empty key"),
        ("i.csv", "x,0xABCD\n", "i.csv, line 1: \"0xABCD\" is not hex"),
        ("j.packages", "Package: x\nVersion: 1\n\n", "j.packages, line 3"),
        ("k.packages", "\u{1f}\u{8b}", "k.packages, line 1: neither a field"),
        ("l.jsonl", "[{\"key\":\"x\",\"value\":\"1\"}]", "l.jsonl, line 1: a JSON array"),
        ("m.jsonl", "[\n", "jq -c '.[]' FILE | aardvark import DIR -"),
    ] {
        sandbox.write(name, contents);
        sandbox.refused(&format!("import d {name}"), 2, reason);
    }
    for (name, contents, reason) in [
        ("l.csv", format!("x,1\n{},1\n", "k".repeat(256)), "l.csv, line 2: the key kkkk"),
        ("m.csv", format!("x,{}\n", "v".repeat(1025)), "m.csv, line 1: the value vvvv"),
        ("n.csv", format!("\"x,{}", "1\n".repeat(50_000)), "n.csv, line 1"),
        ("o.jsonl", format!("{{\"key\":{}", "[".repeat(50_000)), "o.jsonl, line 1"),
    ] {
        sandbox.write(name, contents);
        sandbox.refused(&format!("import d {name}"), 2, reason);
    }
    let status = sandbox.ok_json("status d");
    assert_eq!((&status["version"], &status["keys"]), (&json!(1), &json!(5)));
}

#[test]
fn an_import_that_stops_says_up_to_which_version_it_came() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("changes.csv", "x,1\ny,1\nz,1\n,1\n");
    let outcome = sandbox.refused("import d changes.csv --block-size 1", 2, "changes.csv, line 4");
    assert!(outcome.err.contains("(3 changes) is imported, up to version 4"), "{outcome:?}");
    assert_eq!(sandbox.ok_json("status d")["keys"], 8);
}

#[test]
fn truncated_and_foreign_compressions_are_refused() {
    let sandbox = Sandbox::with_five_keys();
    let whole = std::fs::read(sample("debian-bookworm-2026-07-11.packages.lz4")).unwrap();
    for length in [5, 100, whole.len() / 2, whole.len() - 1] {
        sandbox.write("cut.lz4", &whole[..length]);
        sandbox.refused("import d cut.lz4 --format debian-packages", 2, "cut.lz4");
    }
    sandbox.write("Packages.gz", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
    sandbox.refused("import d Packages.gz", 2, "the gzip data");
    sandbox.write("a.jsonl.xz", b"\xfd7zXZ\0\0");
    sandbox.refused("import d a.jsonl.xz", 2, "xz -dc FILE | aardvark import DIR -");
    assert_eq!(sandbox.ok_json("status d")["version"], 1);
}

#[test]
fn a_csv_file_that_other_readers_take_otherwise_is_refused_by_line_and_column_and_deletes_nothing() {
    let sandbox = Sandbox::with_five_keys();
    for (contents, reason) in [
        ("apt,9\ncurl\rsmith,5\n", "c.csv, line 2: column 5: a carriage return"),
        ("apt,9\ncurl\r", "c.csv, line 2: column 5: a carriage return"),
        ("zsh,\"1\nbash\ncurl\n", "c.csv, line 1: column 5: the quote that opens here never closes"),
        ("apt,9\ncurl;5\n", "c.csv, line 2: column 5: a semicolon where a comma separates"),
        ("curl\t5\n", "c.csv, line 1: column 5: a tab where a comma separates"),
        ("\"curl\"x,5\n", "c.csv, line 1: column 7: text behind a closing quote"),
        ("key,value\ncurl,5\n", "c.csv, line 1: \"key,value\" looks like a header; --header skips it"),
    ] {
        sandbox.write("c.csv", contents);
        sandbox.refused("import d c.csv", 2, reason);
    }
    sandbox.write("k.jsonl", b"{\"key\":\"\xff\",\"value\":\"1\"}\n");
    sandbox.refused("import d k.jsonl", 2, "k.jsonl, line 1: not UTF-8; give such bytes in hexadecimal, after 0x");
    let status = sandbox.ok_json("status d");
    assert_eq!((&status["version"], &status["keys"]), (&json!(1), &json!(5)));
}

#[test]
fn a_header_is_skipped_or_taken_as_the_option_says() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("h.csv", "name,version\ncurl,8\n");
    sandbox.refused("import d h.csv", 2, "--no-header takes it for a key");
    sandbox.refused("prove d --keys h.csv", 2, "looks like a header");
    sandbox.refused("import d h.csv --header --no-header", 2, "cannot be used with");
    sandbox.ok("import d h.csv --header");
    assert_eq!([get(&sandbox, "curl"), get(&sandbox, "name")], [Some("8".into()), None]);
    assert_eq!(sandbox.ok("prove d --keys h.csv --header").lines().count(), 1);
    sandbox.ok("import d h.csv --no-header");
    assert_eq!(get(&sandbox, "name"), Some("version".into()));
    sandbox.write("k.csv", "key,7\n");
    sandbox.ok("import d k.csv");
    sandbox.write("h.jsonl", "");
    sandbox.refused("import d h.jsonl --header", 2, "are for CSV");
}

#[test]
fn gzip_and_zstd_are_read_by_their_first_bytes() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    for (program, name) in [("gzip", "a.csv.gz"), ("zstd", "b.csv.zst")] {
        let plain = sandbox.write("plain.csv", format!("{program},1\n"));
        match std::process::Command::new(program).arg("-c").arg(plain).output() {
            Ok(output) => sandbox.write(name, output.stdout),
            // The unit tests have frames of their own.
            Err(error) => {
                eprintln!("skipped: {program}: {error}");
                continue;
            }
        };
        sandbox.ok(&format!("import d {name}"));
        assert_eq!(get(&sandbox, program), Some("1".into()));
    }
}

#[test]
fn a_terminal_shows_that_the_file_is_read() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    sandbox.write("keys.csv", (0..30_000).map(|key| format!("{key},1\n")).collect::<String>());
    let line = format!("{} import d keys.csv", env!("CARGO_BIN_EXE_aardvark"));
    let terminal = std::process::Command::new("script")
        .args(["-qec", &line, "typescript"])
        .current_dir(sandbox.path("."))
        .stdin(std::process::Stdio::null())
        .output();
    let Ok(terminal) = terminal else { return eprintln!("skipped: there is no script(1) to make a terminal") };
    let shown = String::from_utf8_lossy(&terminal.stdout);
    assert!(shown.contains("import: reading") && shown.contains("import: sorting out the changes"), "{shown:?}");
}

#[test]
fn files_that_are_not_there_are_named() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.refused("import d missing.jsonl", 2, "missing.jsonl: No such file");
    sandbox.refused("import d d", 2, "is a directory");
    sandbox.refused(
        "import missing five.csv",
        2,
        "there is no dictionary in missing; `aardvark init missing` makes one",
    );
    sandbox.refused("get missing curl", 2, "missing");
}

#[test]
fn parameters_that_are_not_legal_are_refused_and_leave_nothing_behind() {
    let sandbox = Sandbox::new();
    sandbox.refused("init d --vector-size 3", 2, "power of two");
    sandbox.refused("init d --vector-size 8192", 2, "power of two");
    sandbox.refused("init d --window 65536", 2, "window");
    assert!(!sandbox.path("d").join("format").exists());
    sandbox.ok("init d --vector-size 4");
    sandbox.refused("init d --vector-size 4", 2, "not empty");
    assert_eq!(sandbox.ok_json("status d")["version"], 0);
}

#[test]
fn libert_yung_has_to_be_asked_for_by_an_insecure_name_and_says_so() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok("init d --vector-size 4 --insecure-libert-yung").contains("anyone can forge"));
    sandbox.write("five.csv", common::FIVE_KEYS);
    sandbox.ok("import d five.csv");
    sandbox.ok("commitments d -o c.json");
    sandbox.ok("prove d curl -o p.json");
    assert!(sandbox.ok("verify curl p.json --commitments c.json").contains("insecure"));
    assert_eq!(sandbox.json("p.json")["scheme"], "libert-yung");
}
