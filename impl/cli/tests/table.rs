//! `aardvark table ..`: tables are made, filled, looked at and audited through the command; what is
//! malformed is refused by line and column, and leaves nothing behind.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::Value;

const ROWS: &str = "time,town,power,heat,user\n\
    100,Bern,31,20.5,ada\n100,Bern,1250,,bob\n100,Chur,0,-3,cyd\n101,Bern,7,0.25,ada\n101,Bern,7,,dan\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    sandbox
        .ok("table create d meters --key time:u64 --key town:text12 --value power:0..=20000 --value heat:-40..=60.25 \
         --row user --deletable");
    sandbox.write("rows.csv", ROWS);
    sandbox
}

fn json(sandbox: &Sandbox, line: &str) -> Value {
    serde_json::from_str(&sandbox.ok(&format!("--json {line}"))).unwrap()
}

#[test]
fn a_table_is_made_filled_and_audited() {
    let sandbox = sandbox();
    assert_eq!(sandbox.ok("table list d"), "meters\n");
    let imported = json(&sandbox, "table import d meters rows.csv");
    assert_eq!((&imported["rows"], &imported["runs"], &imported["certificates"]), (&5.into(), &6.into(), &2.into()));
    let shown = json(&sandbox, "table show d meters");
    assert_eq!(shown["columns"][0]["rows"], "5");
    assert_eq!(shown["columns"][1]["rows"], "3");
    assert_eq!(shown["schema"]["values"][1]["lowest"], "-40.00");
    let runs = json(&sandbox, "table runs d meters");
    assert_eq!(runs["runs"].as_array().unwrap().len(), 6);
    assert_eq!(runs["runs"][0]["key"]["town"], "Bern");
    assert_eq!(runs["runs"][0]["rows"], "2");
    // More rows of a key are another run of it.
    sandbox.write("more.jsonl", "{\"time\":100,\"town\":\"Bern\",\"power\":\"9\",\"user\":\"eve\",\"heat\":null}\n");
    sandbox.ok("table import d meters more.jsonl");
    let audited = json(&sandbox, "table audit d --vault");
    assert_eq!((&audited["result"], &audited["rows"], &audited["runs"]), (&"holds".into(), &"9".into(), &7.into()));
    assert_eq!((&audited["certificates"], &audited["recomputed"]), (&3.into(), &21.into()));
    assert!(sandbox.ok("table audit d meters").contains("all agrees"));
    // The schema that is shown makes the same table again.
    sandbox.write("schema.json", shown["schema"].to_string());
    sandbox.ok("table create d copy --schema schema.json");
    assert_eq!(json(&sandbox, "table show d copy")["schema_digest"], shown["schema_digest"]);
    assert_eq!(sandbox.ok("table list d"), "copy\nmeters\n");
    sandbox.ok("audit d");
}

#[cfg(unix)]
#[test]
fn the_vault_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = sandbox();
    let vault = sandbox.path("d/vault");
    assert_eq!(std::fs::metadata(&vault).unwrap().permissions().mode() & 0o777, 0o700);
    std::fs::set_permissions(&vault, std::fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.refused("table import d meters rows.csv", 2, "chmod 700");
}

#[test]
fn rows_that_are_none_of_the_table_s_are_refused_by_line_and_column() {
    let sandbox = sandbox();
    let before = sandbox.ok("table show d meters");
    let head = "time,town,power,heat,user\n";
    for (rows, reason) in [
        ("1,Bern,20001,,ada", "line 2, column power: 20001 is not between 0 and 20000"),
        ("1,Bern,-1,,ada", "line 2, column power: -1 is not between"),
        ("1,Bern,1.5,,ada", "line 2, column power: \"1.5\" has 1 digits behind the point"),
        ("1,Bern,1e3,,ada", "column power: \"1e3\" is no number"),
        ("1,Bern,99999999999999999999999999999999999999999999,,ada", "is larger than any column takes"),
        ("1,Bern,,60.26,ada", "column heat: 60.26 is not between -40.00 and 60.25"),
        ("1,Bern,,0.125,ada", "column heat: \"0.125\" has 3 digits"),
        ("1,Bern,1,,ada\n-1,Bern,1,,ada", "line 3, column time"),
        ("18446744073709551616,Bern,1,,ada", "column time"),
        ("x,Bern,1,,ada", "column time"),
        ("1,Bern-on-the-Aare,1,,ada", "column town"),
        ("1,B\0n,1,,ada", "a text has a zero byte inside"),
        ("1,Bern,1,ada", "line 2: 4 fields, where the header has 5"),
        ("1,\"Bern,1,,ada\n2,Bern,1,,ada", "fields, where the header has 5"),
    ] {
        sandbox.write("bad.csv", format!("{head}{rows}\n"));
        sandbox.refused("table import d meters bad.csv", 2, reason);
    }
    sandbox.write("bad.csv", format!("{head}1,Bern,1,,ada\n1,Bern,1,,{}", "x".repeat(17 << 20)));
    sandbox.refused("table import d meters bad.csv", 2, "line 3: longer than 16777216 bytes");
    sandbox.write("bad.csv", [head.as_bytes(), b"1,Bern,1,,\xff\n"].concat());
    sandbox.refused("table import d meters bad.csv", 2, "no UTF-8");
    for (header, reason) in [
        ("time,town,power,heat", "column user: it is missing"),
        ("time,town,user", "column power: it is missing"),
        ("time,town,power,user,colour", "column colour: the table has no such column"),
        ("time,town,power,power,user", "column power: it stands twice"),
    ] {
        sandbox.write("bad.csv", format!("{header}\n"));
        sandbox.refused("table import d meters bad.csv", 2, reason);
    }
    for (line, reason) in [
        ("{\"time\":1,\"town\":\"Bern\",\"power\":1.5,\"user\":\"ada\"}", "write decimals as texts"),
        ("{\"time\":1,\"town\":\"Bern\",\"power\":[],\"user\":\"ada\"}", "column power"),
        ("[1]", "line 1: it is no JSON object"),
        ("{\"time\":1", "line 1: it is no JSON object"),
    ] {
        sandbox.write("bad.jsonl", line);
        sandbox.refused("table import d meters bad.jsonl", 2, reason);
    }
    sandbox.refused("table import d meters rows.csv --sheet 1000", 2, "power of two");
    sandbox.refused("table import d meters rows.csv --sheet 4096", 2, "power of two");
    sandbox.refused("table import d other rows.csv", 2, "there is no table other");
    // Nothing of all that was imported.
    assert_eq!(sandbox.ok("table show d meters"), before);
    sandbox.write("mapped.csv", "t,town,power,user\n1,Bern,1,ada\n");
    sandbox.ok("table import d meters mapped.csv --map time=t");
    sandbox.refused("table import d meters mapped.csv --map colour=t", 2, "the table has no such column");
}

#[test]
fn closed_keys_stay_as_they_are() {
    let sandbox = sandbox();
    sandbox.ok("table import d meters rows.csv");
    sandbox.ok("table seal d meters 101");
    assert!(sandbox.ok("table show d meters").contains("closed below  101"));
    sandbox.refused("table import d meters rows.csv", 2, "line 2, column time: \"100\" is closed");
    sandbox.refused("table delete d meters --key time=100 --key town=Bern", 2, "closed");
    sandbox.refused("table seal d meters 100", 2, "watermark");
    sandbox.refused("table seal d meters x", 2, "another kind");
    sandbox.ok("table delete d meters --key time=101 --key town=Bern");
    sandbox.refused("table delete d meters --key time=101 --key town=Bern", 2, "there is no run");
    sandbox.refused("table delete d meters --key time=101", 2, "key column town is missing");
    let audited = json(&sandbox, "table audit d --vault");
    assert_eq!((&audited["result"], &audited["runs"]), (&"holds".into(), &4.into()));
}

#[test]
fn schemas_that_are_not_legal_are_refused() {
    let sandbox = sandbox();
    for (line, reason) in [
        ("table create d meters --key t:u64 --value v:0..=9", "there is a table meters already"),
        ("table create d Meters --key t:u64 --value v:0..=9", "is no name of a table"),
        ("table create d a --key t:u64 --value t:0..=9", "two columns are called t"),
        ("table create d a --key t:u64 --value v:0..=256 --bits 8", "does not fit its 8 bits"),
        ("table create d a --key t:u64 --value v:0..=9 --bits 9", "none of 8, 16"),
        ("table create d a --key t:u64 --value v:0..=9 --moments 4", "none of 1, 2 and 3"),
        ("table create d a --key t:u65 --value v:0..=9", "none of u8"),
        ("table create d a --key t:u64", "--value"),
        ("table create d a --key t:u64 --value v:0..=9 --append-only --deletable", "cannot be used with"),
        ("table create d a --key t:text100 --key u:text29 --value v:0..=9", "129 bytes together"),
    ] {
        sandbox.refused(line, 2, reason);
    }
    sandbox.write("schema.json", "{\"keys\":[],\"values\":[]}");
    sandbox.refused("table create d a --schema schema.json", 2, "a column of numbers");
    sandbox.refused("table show d a", 2, "there is no table a");
    sandbox.refused("table audit d a", 2, "there is no table a");
    sandbox.refused("table import e a rows.csv", 2, "");
}

#[test]
fn an_audit_names_what_does_not_agree() {
    let sandbox = sandbox();
    sandbox.ok("table import d meters rows.csv");
    // Certificates that are lost.
    std::fs::rename(sandbox.path("d/certificates.redb"), sandbox.path("kept")).unwrap();
    let outcome = sandbox.run("table audit d");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.out.contains("6 findings"), "{outcome:?}");
    let expected = "version 2, table meters, run power time = 100, town = Bern number 0: it has no certificate";
    assert!(outcome.out.contains(expected), "{outcome:?}");
    std::fs::rename(sandbox.path("kept"), sandbox.path("d/certificates.redb")).unwrap();
    sandbox.ok("table audit d");
    sandbox.ok("table audit d --since 2");
    sandbox.refused("table audit d --since 3", 2, "--since 3: the newest version is 2");
    // A head that somebody writes past the keeper: no certificate covers it.
    sandbox.write("head.jsonl", head_put_again(&sandbox));
    sandbox.ok("import d head.jsonl");
    let outcome = sandbox.run("table audit d");
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.out.contains("version 3, table meters, run power") && outcome.out.contains("no certificate"),
        "{outcome:?}"
    );
    // And a vault that is lost.
    std::fs::remove_file(sandbox.path("d/vault/vault.redb")).unwrap();
    sandbox.refused("table audit d --vault", 2, "whoever lost it");
}

/// A line for `import` that puts the head of the first run as another run of the same key.
fn head_put_again(sandbox: &Sandbox) -> String {
    let listed = sandbox.ok("--json list d");
    let entries = listed.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let is_head = |entry: &Value| entry["key"].as_str().unwrap().starts_with("0x54066d657465727301");
    let head = entries.into_iter().find(is_head).unwrap();
    let key = head["key"].as_str().unwrap();
    let other = format!("{}07", &key[..key.len() - 2]);
    format!("{{\"key\":\"{other}\",\"value\":{}}}\n", head["value"])
}
