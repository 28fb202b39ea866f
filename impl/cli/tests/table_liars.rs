//! Servers that lie about tables: each lie is refused, with a reason and exit code 1 where it is
//! false, 2 where it is malformed or about something else.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/served.rs"]
mod served;

use common::{Outcome, Sandbox};
use serde_json::{Value, json};
use served::{Answer, Liar, Served};

const ROWS: &str = "time,town,power,user\n\
    100,Bern,31,ada\n100,Bern,1250,bob\n100,Chur,0,cyd\n101,Bern,7,ada\n101,Bern,7,dan\n102,Chur,12,eve\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    for name in ["meters", "others"] {
        sandbox.ok(&format!(
            "table create d {name} --key time:u64 --key town:text12 --value power:0..=20000 --row user --deletable"
        ));
        sandbox.write("rows.csv", ROWS);
        sandbox.ok(&format!("table import d {name} rows.csv"));
    }
    sandbox.ok("commitments d -o c.json");
    sandbox
}

/// What a client makes of an answer that was changed on the way.
fn asked(sandbox: &Sandbox, keeper: &Served, query: &str, lie: impl Fn(&mut Value) + Send + Sync + 'static) -> Outcome {
    let liar = Liar::new(keeper.address, move |_, answer: Answer| {
        let mut body = answer.json();
        lie(&mut body);
        Answer { status: answer.status, body: body.to_string().into_bytes() }
    });
    sandbox.run_list(&["--json", "table", "query", &liar.url(), "meters", query, "--commitments", "c.json"])
}

/// Demands an exit code, and a reason in whose name these words are.
fn demand(outcome: &Outcome, code: i32, reason: &str) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    let said: Value = serde_json::from_str(&outcome.out).unwrap();
    assert!(said["reason"].as_str().is_some_and(|found| found.contains(reason)), "no {reason} in {outcome:?}");
    assert!(!outcome.err.contains("panicked"), "{outcome:?}");
}

/// The answer to another question.
fn other(keeper: &Served, table: &str, body: Value) -> Value {
    keeper.post(&format!("/v1/tables/{table}/query"), &body).json()
}

#[test]
fn a_keeper_that_lies_about_totals_is_refused() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let query = "sum(power) where time < 102";
    let refused = |code, reason, lie: fn(&mut Value)| demand(&asked(&sandbox, &keeper, query, lie), code, reason);
    assert_eq!(asked(&sandbox, &keeper, query, |_| {}).code, Some(0));
    // Numbers: another sum, one that wraps around r, none, one too many.
    refused(1, "OpeningFalse", |answer| answer["totals"][0][0] = json!("1294"));
    refused(1, "TotalsExceeded", |answer| {
        answer["totals"][0][0] = json!("52435875175126190479447740508185965837690552500527637822603658699938581185808");
    });
    refused(1, "TotalsExceeded", |answer| answer["totals"][0][0] = json!("100001"));
    refused(2, "PartsMismatched", |answer| drop(answer.as_object_mut().unwrap().remove("totals")));
    refused(2, "PartsMismatched", |answer| answer["totals"][0].as_array_mut().unwrap().push(json!("1")));
    // Runs: one left out, all left out, one twice, two exchanged, one of another place or content.
    let runs = |answer: &mut Value| answer["runs"].as_array().unwrap().len();
    assert_eq!(runs(&mut other(&keeper, "meters", json!({ "query": query }))), 4, "a gap and three runs");
    refused(1, "ChainNotCovering", |answer| drop(answer["runs"].as_array_mut().unwrap().remove(1)));
    refused(1, "ChainMissing", |answer| drop(answer["runs"].as_array_mut().unwrap().pop()));
    refused(1, "ChainMissing", |answer| answer["runs"] = json!([]));
    refused(1, "ChainSuperfluous", |answer| {
        let last = answer["runs"].as_array().unwrap().last().unwrap().clone();
        answer["runs"].as_array_mut().unwrap().push(last);
    });
    refused(1, "ChainNotCovering", |answer| answer["runs"].as_array_mut().unwrap().swap(0, 1));
    refused(1, "AnswerOpeningFalse", |answer| {
        let position = answer["runs"][0]["position"].as_u64().unwrap();
        answer["runs"][0]["position"] = json!(position + 1);
    });
    // Fewer rows: the head's count and its record's.
    refused(1, "AnswerOpeningFalse", |answer| {
        let value = answer["runs"][1]["slot"]["value"].as_str().unwrap().to_owned();
        answer["runs"][1]["slot"]["value"] = json!([&value[..34], "01", &value[36..44], "01", &value[46..]].concat());
    });
    // Another schema: a lowest that moves every number.
    refused(1, "False", |answer| {
        let value = answer["schema"]["slot"]["value"].as_str().unwrap().to_owned();
        let lowest = "05706f7765720000000000000000";
        assert!(value.contains(lowest));
        answer["schema"]["slot"]["value"] = json!(value.replace(lowest, "05706f7765720000000000000001"));
    });
    refused(1, "OpeningFalse", |answer| {
        let opening = answer["opening"].as_str().unwrap().to_owned();
        answer["opening"] = json!(["0x", &opening[98..], &opening[2..98]].concat());
    });
    refused(2, "PartsMismatched", |answer| drop(answer.as_object_mut().unwrap().remove("opening")));
}

#[test]
fn an_answer_to_something_else_is_not_taken() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let query = "sum(power) where time < 102";
    let replaced = |by: Value| asked(&sandbox, &keeper, query, move |answer| *answer = by.clone());
    demand(&replaced(other(&keeper, "meters", json!({ "query": "sum(power) where time = 100" }))), 2, "OtherQuery");
    demand(&replaced(other(&keeper, "others", json!({ "query": query }))), 2, "OtherTable");
    demand(&replaced(other(&keeper, "meters", json!({ "query": query, "version": 2 }))), 2, "OtherVersion");
    demand(&replaced(other(&keeper, "meters", json!({ "query": query, "root": true }))), 2, "TieMismatched");
    // The same under the names that were asked for.
    let renamed = |mut answer: Value| {
        answer["query"] = json!(query);
        answer["table"] = json!("meters");
        answer["version"] = json!(4);
        replaced(answer)
    };
    demand(&renamed(other(&keeper, "meters", json!({ "query": "sum(power) where time = 100" }))), 1, "ChainMissing");
    demand(&renamed(other(&keeper, "meters", json!({ "query": "sum(power) where time < 103" }))), 1, "Chain");
    // The sum of a mean is the sum, and is shown for it.
    assert_eq!(renamed(other(&keeper, "meters", json!({ "query": "mean(power) where time < 102" }))).code, Some(0));
    assert_eq!(renamed(other(&keeper, "others", json!({ "query": query }))).code, Some(2), "another table's schema");
    demand(&renamed(other(&keeper, "meters", json!({ "query": query, "version": 2 }))), 1, "False");
    // Another dictionary's.
    sandbox.ok("init e --vector-size 16");
    sandbox.ok("table create e meters --key time:u64 --key town:text12 --value power:0..=20000 --row user --deletable");
    sandbox.ok("table import e meters rows.csv");
    sandbox.ok("table create e others --key time:u64 --value power:0..=1");
    sandbox.ok("table seal e others 1");
    let elsewhere = Served::new(&sandbox, "keeper --dir e");
    let mut answer = other(&elsewhere, "meters", json!({ "query": query }));
    assert_eq!(answer["version"], 4);
    demand(&replaced(answer.clone()), 2, "OtherDictionary");
    answer["dictionary"] = sandbox.json("c.json")["dictionary"].clone();
    demand(&replaced(answer), 1, "False");
}

#[test]
fn a_keeper_that_lies_about_order_is_refused() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let query = "median(power)";
    let refused = |reason: &str, lie: fn(&mut Value)| {
        let outcome = asked(&sandbox, &keeper, query, lie);
        demand(&outcome, if reason.ends_with("False") { 1 } else { 2 }, reason);
    };
    assert_eq!(asked(&sandbox, &keeper, query, |_| {}).code, Some(0));
    let honest = other(&keeper, "meters", json!({ "query": query }));
    assert_eq!((&honest["cut"]["low"]["value"], &honest["cut"]["high"]["value"]), (&json!("7"), &json!("12")));
    // Another number at an end; ends that cross; splits that are no rank; another rank; no proof.
    refused("False", |answer| answer["cut"]["low"]["value"] = json!("8"));
    refused("False", |answer| answer["cut"]["high"]["value"] = json!("6"));
    refused("CutFalse", |answer| {
        let (low, high) = (answer["cut"]["low"].clone(), answer["cut"]["high"].clone());
        answer["cut"]["low"] = high;
        answer["cut"]["high"] = low;
    });
    refused("CutFalse", |answer| answer["cut"]["splits"][0] = json!(2));
    // A row moved from before the cut of one run to before that of another.
    refused("ComparisonMalformed", |answer| {
        let splits = answer["cut"]["splits"].as_array_mut().unwrap();
        let from = splits.iter().position(|split| *split != 0).unwrap();
        let to = splits.iter().position(|split| *split == 0).unwrap();
        splits[from] = json!(splits[from].as_u64().unwrap() - 1);
        splits[to] = json!(1);
    });
    refused("PartsMismatched", |answer| drop(answer.as_object_mut().unwrap().remove("comparisons")));
    refused("CutFalse", |answer| drop(answer["cut"].as_object_mut().unwrap().remove("high")));
    let max = other(&keeper, "meters", json!({ "query": "max(power)" }));
    let outcome = asked(&sandbox, &keeper, query, move |answer| {
        *answer = max.clone();
        answer["query"] = json!("median(power)");
    });
    assert!(matches!(outcome.code, Some(1 | 2)), "{outcome:?}");
}

#[test]
fn a_server_that_sends_no_answer_is_named() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let sends = |status: u16, body: &'static [u8]| {
        let liar = Liar::new(keeper.address, move |_, _| Answer { status, body: body.to_vec() });
        let url = liar.url();
        let outcome = sandbox.run_list(&["table", "query", &url, "meters", "sum(power)", "--commitments", "c.json"]);
        assert!(outcome.err.contains(&url), "{outcome:?}");
        outcome
    };
    assert_eq!(sends(200, b"").code, Some(2));
    assert_eq!(sends(200, b"{\"format\": 1}").code, Some(2));
    assert_eq!(sends(200, b"{\"format\": 2}").code, Some(2));
    assert_eq!(sends(200, b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[").code, Some(2));
    assert_eq!(sends(200, b"<html>").code, Some(2));
    assert_eq!(sends(302, b"").code, Some(2));
    sends(500, b"{\"error\":\"broken\",\"code\":\"damaged\"}").demand(1, "broken");
    sends(429, b"{\"error\":\"busy\",\"code\":\"busy\"}").demand(1, "busy");
    sends(403, b"{\"error\":\"too few\",\"code\":\"too_few_rows\"}").demand(1, "too few");
    // Longer than any answer.
    let liar = Liar::new(keeper.address, |_, _| Answer { status: 200, body: vec![b' '; (64 << 20) + 1] });
    let url = liar.url();
    let long = sandbox.run_list(&["table", "query", &url, "meters", "sum(power)", "--commitments", "c.json"]);
    assert_eq!(long.code, Some(1), "{long:?}");
    // Nobody.
    let nobody = ["table", "query", "http://127.0.0.1:1", "meters", "sum(power)", "--commitments", "c.json"];
    assert_eq!(sandbox.run_list(&nobody).code, Some(1));
}

#[test]
fn an_audit_finds_what_a_server_hides_of_tables() {
    let sandbox = sandbox();
    let archive = Served::new(&sandbox, "archive --dir d");
    let audit = |lie: fn(&str, &mut Value)| {
        let liar = Liar::new(archive.address, move |path, answer| {
            let mut body = answer.json();
            lie(path, &mut body);
            Answer { status: answer.status, body: body.to_string().into_bytes() }
        });
        sandbox.run_list(&["table", "audit", &liar.url(), "--commitments", "c.json"])
    };
    assert_eq!(audit(|_, _| {}).code, Some(0));
    let missing = audit(|path, body| {
        if path.contains("/meters/certificates") {
            body["certificates"] = json!([]);
        }
    });
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.out.contains("table meters, run power") && missing.out.contains("no certificate"));
    assert!(!missing.out.contains("table others"), "{missing:?}");
    let changed = audit(|path, body| {
        if path.contains("/meters/certificates") {
            let text = body["certificates"][0]["certificate"].as_str().unwrap().to_owned();
            // A scalar, which may have any value: b_0.
            let at = text.len() - 2 * 96 - 2 * 32 - 1;
            let other = if &text[at..=at] == "0" { "1" } else { "0" };
            body["certificates"][0]["certificate"] = json!([&text[..at], other, &text[at + 1..]].concat());
        }
    });
    assert_eq!(changed.code, Some(1), "{changed:?}");
    assert!(changed.out.contains("a certificate does not hold"), "{changed:?}");
    // The other table's certificates say nothing of this one.
    let others = archive.get("/v1/tables/others/certificates").json();
    let liar = Liar::new(archive.address, move |path, answer| match path.contains("/meters/certificates") {
        true => Answer { status: 200, body: others.to_string().into_bytes() },
        false => answer,
    });
    let exchanged = sandbox.run_list(&["table", "audit", &liar.url(), "--commitments", "c.json"]);
    assert!(exchanged.code == Some(1) && exchanged.out.contains("no certificate"), "{exchanged:?}");
    // A slot that is left out of the ring, and an end that comes too early.
    let hidden = audit(|path, body| {
        if path.starts_with("/v1/range") {
            body["claims"].as_array_mut().unwrap().remove(2);
        }
    });
    assert_eq!(hidden.code, Some(1), "{hidden:?}");
    // Commitments to a slot more than the ring has.
    let mut commitments = sandbox.json("c.json");
    commitments["slots"] = json!(commitments["slots"].as_u64().unwrap() + 1);
    sandbox.write("more.json", commitments.to_string());
    let words = ["table", "audit", &archive.url(), "--commitments", "more.json"];
    sandbox.run_list(&words).demand(1, "not one ring");
}
