//! `aardvark list`, `export`, `history` and `diff`.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::Sandbox;
use serde_json::{Value, json};

/// The entries that `list --json` prints.
fn listed(sandbox: &Sandbox, rest: &[&str]) -> Vec<(String, String)> {
    let outcome = sandbox.run_list(&[&["--json", "list"], rest].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let entry = |line: &str| -> (String, String) {
        let entry: Value = serde_json::from_str(line).unwrap();
        assert_eq!(entry.as_object().unwrap().len(), 2, "{line}");
        (entry["key"].as_str().unwrap().to_owned(), entry["value"].as_str().unwrap().to_owned())
    };
    outcome.out.lines().map(entry).collect()
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

#[test]
fn entries_are_listed_in_the_order_of_their_keys_one_a_line() {
    let sandbox = Sandbox::with_five_keys();
    assert_eq!(sandbox.ok("list d"), "apt  2.6\nbash  5.2\ncurl  7.88\ndash  0.5\ngit  2.39\n");
    assert_eq!(sandbox.ok("list d --from bash --to dash"), "bash  5.2\ncurl  7.88\n");
    assert_eq!(sandbox.ok("list d --from c --limit 1"), "curl  7.88\n");
    assert_eq!(sandbox.ok("list d --prefix da"), "dash  0.5\n");
    assert_eq!(sandbox.ok("list d --prefix x"), "");
    assert_eq!(sandbox.ok("list d --version 0"), "");
    assert_eq!(listed(&sandbox, &["d", "--limit", "1"]), [(hex(b"apt"), hex(b"2.6"))]);
    for (line, reason) in [
        ("list d --from b --to a", "nobody can ask"),
        ("list d --limit 0", "nobody can ask"),
        ("list d --from 0xzz", "--text"),
        ("list d --prefix 0x", "sentinel"),
        ("list d --version 7", "version 7"),
        ("list d --prefix a --from b", "cannot be used with"),
    ] {
        sandbox.refused(line, 2, reason);
    }
}

#[test]
fn a_list_longer_than_a_page_is_whole() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 64");
    let keys: Vec<String> = (0..2500).map(|number| format!("k{number:05}")).collect();
    sandbox.write("keys.csv", keys.iter().map(|key| format!("{key},v\n")).collect::<String>());
    sandbox.ok("import d keys.csv");
    let expected: Vec<String> = keys.iter().map(|key| format!("{key}  v")).collect();
    let whole = sandbox.ok("list d");
    assert_eq!(whole.lines().collect::<Vec<_>>(), expected);
    for limit in [1, 1023, 1024, 1025, 2048, 2499, 2500, 9000] {
        let some = sandbox.ok(&format!("list d --limit {limit}"));
        assert_eq!(some.lines().collect::<Vec<_>>(), expected[..limit.min(2500)]);
    }
    assert_eq!(sandbox.ok("list d --prefix k01").lines().count(), 1000);
    // A reader that goes away is no error.
    let mut child = sandbox.command(&["list", "d"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = sandbox.command(&["list", "d"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
    }
}

#[test]
fn a_list_is_proved_on_request() {
    let sandbox = Sandbox::with_five_keys();
    for (list, range) in [("--from b --to d", ["b", "d"]), ("--prefix da", ["da", "db"]), ("", ["", ""])] {
        sandbox.write("p.json", sandbox.ok(&format!("list d {list} --prove")));
        let words = ["--json", "verify", "--range", range[0], range[1], "p.json", "--commitments", "c.json"];
        let outcome = sandbox.run_list(&words);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let proved: Value = serde_json::from_str(&outcome.out).unwrap();
        let entry =
            |entry: &Value| (entry["key"].as_str().unwrap().to_owned(), entry["value"].as_str().unwrap().to_owned());
        let proved: Vec<_> = proved["entries"].as_array().unwrap().iter().map(entry).collect();
        let words: Vec<&str> = ["d"].into_iter().chain(list.split_whitespace()).collect();
        assert_eq!(proved, listed(&sandbox, &words));
    }
}

/// Keys and values that an export has to get across: separators, quotes, line breaks, names of
/// columns, notations, what is no text, what is not seen.
fn hostile() -> BTreeMap<Vec<u8>, Vec<u8>> {
    let texts = [
        "key",
        "value",
        "Name",
        "0x",
        "0xff",
        "0xzz",
        "a,b",
        "\"",
        "\"quoted\"",
        "x\"y",
        ",",
        "\n",
        "a\r\nb",
        "\r",
        "\t",
        "a;b",
        ";",
        " ",
        " a ",
        "null",
        "{\"key\":1}",
        "[",
        "\u{feff}",
        "\u{feff}a",
        "\u{202e}abc",
        "\u{200b}",
        "\u{1b}[2J",
        "e\u{301}",
        "名",
        "\\n",
        "\\u0041",
        "'",
        "=1+1",
        "#",
        "\u{7f}",
        "\u{85}",
        "\0",
        "-",
    ];
    let mut map: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        map.insert(text.as_bytes().to_vec(), texts[texts.len() - 1 - number].as_bytes().to_vec());
    }
    map.insert(vec![0xff], vec![0xff; 1024]);
    map.insert(vec![0xff; 255], Vec::new());
    map.insert(vec![b'"'; 255], vec![b'"'; 1024]);
    map.insert(b"empty".to_vec(), Vec::new());
    map
}

#[test]
fn what_is_exported_is_imported_as_the_same_map() {
    let map = hostile();
    // Each key is the first once, in a file of its own: there a header is looked for.
    let firsts =
        map.iter().filter(|(key, _)| key.is_ascii()).map(|(key, value)| BTreeMap::from([(key.clone(), value.clone())]));
    let name_and_value = BTreeMap::from([(b"name".to_vec(), b"value".to_vec())]);
    for (number, map) in [map.clone(), name_and_value].into_iter().chain(firsts.take(6)).enumerate() {
        let sandbox = Sandbox::new();
        sandbox.ok("init d --vector-size 4");
        let lines = map.iter().map(|(key, value)| format!("{}\n", json!({ "key": hex(key), "value": hex(value) })));
        sandbox.write("map.jsonl", lines.collect::<String>());
        sandbox.ok("import d map.jsonl");
        let expected: Vec<_> = map.iter().map(|(key, value)| (hex(key), hex(value))).collect();
        assert_eq!(listed(&sandbox, &["d"]), expected);
        for format in ["jsonl", "csv"] {
            let exported = sandbox.ok(&format!("export d --format {format}"));
            assert_eq!(exported.lines().count(), map.len(), "{exported}");
            assert!(!exported.chars().any(|character| character.is_control() && character != '\n'), "{exported}");
            sandbox.write(&format!("out.{format}"), &exported);
            sandbox.ok(&format!("init {format} --vector-size 4"));
            sandbox.ok(&format!("import {format} out.{format}"));
            assert_eq!(listed(&sandbox, &[format]), expected, "map {number} as {format}");
            assert_eq!(sandbox.ok(&format!("export {format} --format {format}")), exported);
        }
    }
}

#[test]
fn an_export_is_of_a_version() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("later.csv", "curl,8.0\nbash\n");
    sandbox.ok("import d later.csv");
    assert_eq!(sandbox.ok("export d --version 1 --format csv"), common::FIVE_KEYS);
    assert_eq!(sandbox.ok("export d --format csv"), "apt,2.6\ncurl,8.0\ndash,0.5\ngit,2.39\n");
    assert_eq!(sandbox.ok("export d --version 0"), "");
    assert!(sandbox.ok("export d").starts_with("{\"key\":\"apt\",\"value\":\"2.6\"}\n"));
    sandbox.refused("export d --version 3", 2, "version 3");
    sandbox.refused("export d --format xml", 2, "xml");
    sandbox.refused("export missing", 2, "aardvark init");
}

/// Five versions that change `a`, and one that does not.
fn changing() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4 --window 3");
    for (number, change) in ["a,1", "b,1", "a,2", "a", "a,2\nb"].iter().enumerate() {
        sandbox.write(&format!("{number}.csv"), change);
        sandbox.ok(&format!("import d {number}.csv"));
    }
    sandbox
}

#[test]
fn a_key_s_history_is_its_changes_within_retention() {
    let sandbox = changing();
    assert_eq!(
        sandbox.ok("history d a"),
        "key       a\nversions  2 to 5\nfrom 2    present  1\nfrom 3    present  2\nfrom 4    absent\nfrom 5    present  2\n"
    );
    let said = sandbox.ok_json("history d b");
    let history = json!([
        { "version": 2, "answer": "present", "value": "0x31" },
        { "version": 5, "answer": "absent" },
    ]);
    assert_eq!(said, json!({ "key": "0x62", "oldest_version": 2, "version": 5, "history": history }));
    let never = sandbox.ok_json("history d c");
    assert_eq!(never["history"], json!([{ "version": 2, "answer": "absent" }]));
    sandbox.refused("history d 0xzz", 2, "--text");
}

#[test]
fn versions_differ_in_the_keys_whose_values_do() {
    let sandbox = changing();
    assert_eq!(sandbox.ok("diff d 2 5"), "~ a  1 -> 2\n- b  1\n");
    assert_eq!(sandbox.ok("diff d 5 2"), "~ a  2 -> 1\n+ b  1\n");
    assert_eq!(sandbox.ok("diff d 4 5"), "+ a  2\n- b  1\n");
    assert_eq!((sandbox.ok("diff d 5 5"), sandbox.ok("diff d 3 3")), (String::new(), String::new()));
    let lines = sandbox.ok("--json diff d 2 5");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let a = json!({ "key": "0x61", "before": "0x31", "after": "0x32" });
    assert_eq!(lines, [a, json!({ "key": "0x62", "before": "0x31", "after": null })]);
    sandbox.refused("diff d 1 5", 2, "versions 2 to 5");
    sandbox.refused("diff d 2 6", 2, "versions 2 to 5");
    sandbox.refused("diff d 2", 2, "<V2>");
}
