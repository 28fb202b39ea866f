//! `aardvark table query` and `table verify`: statistics of rows that the verifier does not see,
//! and what becomes of answers that were changed or are about something else.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::{Value, json};

const ROWS: &str = "time,town,power,heat,user\n\
    100,Bern,31,20.5,ada\n100,Bern,1250,,bob\n100,Chur,0,-3,cyd\n101,Bern,7,0.25,ada\n101,Bern,7,,dan\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    sandbox
        .ok("table create d meters --key time:u64 --key town:text12 --value power:0..=20000 --value heat:-40..=60.25 \
         --row user --deletable");
    sandbox.write("rows.csv", ROWS);
    sandbox.ok("table import d meters rows.csv");
    sandbox.ok("commitments d -o c.json");
    sandbox
}

/// What `query` finds, and what `verify` says of it.
fn found(sandbox: &Sandbox, query: &str) -> Value {
    let asked = sandbox.run_list(&["--json", "table", "query", "d", "meters", query, "-o", "a.json"]);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let asked: Value = serde_json::from_str(&asked.out).unwrap();
    let verified = verify(sandbox, query);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((&verified["finding"], &verified["result"]), (&asked["finding"], &"holds".into()));
    verified["finding"].clone()
}

fn verify(sandbox: &Sandbox, query: &str) -> common::Outcome {
    sandbox.run_list(&["--json", "table", "verify", "meters", query, "a.json", "--commitments", "c.json"])
}

#[test]
fn statistics_are_those_of_the_rows() {
    let sandbox = sandbox();
    let value = |query: &str| found(&sandbox, query)[0]["value"].clone();
    assert_eq!(value("count(power)"), "5");
    assert_eq!(value("sum(power) where time = 100"), "1281");
    assert_eq!(value("mean(power) where town = 'Bern'"), "1295/4");
    assert_eq!(value("sum(heat)"), "1775");
    assert_eq!(value("variance(power) where time = 101"), "0");
    assert_eq!(value("sum(power) where time = 7"), Value::Null);
    let groups = found(&sandbox, "sum(power) group by town");
    assert_eq!(groups[0], json!({ "key": ["Bern"], "rows": "4", "value": "1295" }));
    assert_eq!(groups[1], json!({ "key": ["Chur"], "rows": "1", "value": "0" }));
    for (query, value) in [
        ("median(power)", "7"),
        ("min(heat)", "-300"),
        ("max(power) where time between 100 and 101", "1250"),
        ("percentile_disc(power, 95/100)", "1250"),
        ("percentile_cont(power, 1/8) where town = 'Bern'", "7"),
    ] {
        assert_eq!(found(&sandbox, query)["value"], value, "{query}");
    }
    assert_eq!(found(&sandbox, "rank(power, 31)"), json!({ "rows": "5", "below": "3" }));
    for (query, shown) in [
        ("sum(heat)", "17.75"),
        // Powers of the column's units have as many times its digits.
        ("mean(heat)", "1775/3 / 10^2"),
        ("moment(heat, 2) where time = 100", "214.6250"),
        ("moment(heat, 2)", "4293125/3 / 10^4"),
        ("variance(heat) where time = 100", "138.0625"),
        ("stddev(heat) where time = 100", "square of the result  138.0625"),
        ("variance(power) where time = 101", "result    0\n"),
        ("count(heat)", "result    3\n"),
    ] {
        let told = sandbox.run_list(&["table", "query", "d", "meters", query]).out;
        assert!(told.contains(shown), "{query}: {told}");
    }
    // Neither an owner's row nor a text that is no query is answered.
    for query in ["row(power)", "sum(power", "sum(colour)"] {
        assert_eq!(sandbox.run_list(&["table", "query", "d", "meters", query]).code, Some(2), "{query}");
    }
}

#[test]
fn a_changed_answer_is_false_and_another_question_is_not_answered() {
    let sandbox = sandbox();
    let query = "sum(power) where time = 100";
    found(&sandbox, query);
    let honest = sandbox.json("a.json");
    let mut changed = honest.clone();
    changed["totals"][0][0] = "1280".into();
    sandbox.write("a.json", changed.to_string());
    assert_eq!(verify(&sandbox, query).code, Some(1));
    // A run left out.
    let mut changed = honest.clone();
    changed["runs"].as_array_mut().unwrap().remove(0);
    sandbox.write("a.json", changed.to_string());
    assert_ne!(verify(&sandbox, query).code, Some(0));
    sandbox.write("a.json", honest.to_string());
    assert_eq!(verify(&sandbox, query).code, Some(0));
    assert_eq!(verify(&sandbox, "sum(power) where time = 101").code, Some(2));
    assert_eq!(verify(&sandbox, "sum(power) where time =").code, Some(2));
    // The commitments of the next version.
    sandbox.ok("table delete d meters --key time=101 --key town=Bern");
    sandbox.ok("commitments d -o c.json");
    assert_eq!(verify(&sandbox, query).code, Some(2));
    // A median's cut with another number at its end.
    found(&sandbox, "median(power)");
    let mut changed = sandbox.json("a.json");
    changed["cut"]["low"]["value"] = "30".into();
    sandbox.write("a.json", changed.to_string());
    assert_eq!(verify(&sandbox, "median(power)").code, Some(1));
}
