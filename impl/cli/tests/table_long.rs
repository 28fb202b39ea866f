//! Runs that grow beyond a sheet, through the command: every answer, row and audit looks at all
//! segments.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/served.rs"]
mod served;

use common::Sandbox;
use serde_json::{Value, json};
use served::Served;

/// Rows of time 1: so many, each with its number as the text.
fn rows(numbers: impl Iterator<Item = u64>) -> String {
    let lines = numbers.map(|number| format!("1,{},u{number}\n", 10 * number));
    ["time,power,user\n".to_owned()].into_iter().chain(lines).collect()
}

fn found(sandbox: &Sandbox, query: &str) -> Value {
    let out = sandbox.ok_json(&format!("table query d meters {query} --certificates -o a.json"));
    sandbox.ok(&format!("table verify meters {query} a.json --commitments c.json --certificates"));
    out["finding"].clone()
}

#[test]
fn a_run_grows_and_answers_rows_and_audits_cover_all_of_it() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 8");
    sandbox.ok("table create d meters --key time:u64 --value power:0..=20000 --row user");
    // A sheet of sixteen positions has room for twelve rows.
    sandbox.write("a.csv", rows(0..30));
    sandbox.write("b.csv", rows(30..45));
    let first = sandbox.ok_json("table import d meters a.csv --sheet 16 --extend");
    assert_eq!((&first["runs"], &first["version"]), (&json!(1), &json!(2)));
    sandbox.ok("table import d meters b.csv --sheet 16 --extend");
    let listed = sandbox.ok_json("table runs d meters");
    assert_eq!((&listed["runs"][0]["rows"], listed["runs"].as_array().map(Vec::len)), (&json!("45"), Some(1)));
    assert!(listed["runs"][0]["segments"].as_u64().is_some_and(|segments| segments >= 4));

    sandbox.ok("commitments d -o c.json");
    for (query, result) in [("sum(power)", "9900"), ("max(power)", "440"), ("median(power)", "220")] {
        let text = found(&sandbox, query).to_string();
        assert!(text.contains(&format!("\"{result}\"")), "{query}: {text}");
    }
    let row = sandbox.ok_json("table row d meters u33 --certificates -o r.json");
    assert_eq!((&row["rank"], &row["value"]), (&json!(33), &json!("330")));
    let query = row["query"].as_str().unwrap_or_default();
    let verify = ["table", "verify", "meters", query, "r.json", "--commitments", "c.json", "--certificates"];
    let held = |text: &str| sandbox.run_list(&[&verify[..], &["--row", text]].concat()).code;
    assert_eq!((held("user=u33"), held("user=u34")), (Some(0), Some(1)));
    sandbox.ok("table audit d --vault");

    // Amended: the next revision has the new rows alone, and earlier versions stay as they were.
    sandbox.write("n.csv", rows(3..5));
    sandbox.ok("table import d meters n.csv --sheet 16 --amend");
    sandbox.ok("table audit d --vault");
    let sums = ["sum(power)", "sum(power) --version 3"].map(|query| {
        let out = sandbox.ok_json(&format!("table query d meters {query}"));
        out["finding"].to_string()
    });
    assert!(sums[0].contains("\"70\"") && sums[1].contains("\"9900\""), "{sums:?}");
}

#[test]
fn a_keeper_shows_segments_over_http_and_ties_them_to_the_root() {
    let sandbox = Sandbox::new();
    // Few slots a vector, so that runs and segments are in different ones.
    sandbox.ok("init d --vector-size 4");
    sandbox.ok("table create d meters --key time:u64 --value power:0..=20000 --row user");
    sandbox.write("a.csv", rows(0..60));
    sandbox.ok("table import d meters a.csv --sheet 16 --extend");
    sandbox.ok("commitments d -o c.json");
    let root = sandbox.ok_json("root d")["root"].as_str().unwrap().to_owned();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let url = keeper.url();
    for (query, result) in [("median(power)", "295"), ("max(power)", "590"), ("sum(power)", "17700")] {
        let asked = sandbox.ok_json(&format!("table query {url} meters {query} --commitments c.json --certificates"));
        assert!(asked["finding"].to_string().contains(&format!("\"{result}\"")), "{asked}");
        sandbox.ok(&format!("table query {url} meters {query} --root -o a.json"));
        sandbox.ok(&format!("table verify meters {query} a.json --root {root}"));
    }
    let audited = sandbox.ok_json(&format!("table audit {url} meters --commitments c.json"));
    assert_eq!((&audited["rows"], &audited["findings"]), (&json!("60"), &json!([])));
}
