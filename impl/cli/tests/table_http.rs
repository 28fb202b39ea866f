//! Tables over HTTP, by real processes: an archive and a keeper serve, and the command asks them.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/served.rs"]
mod served;

use std::time::{Duration, Instant};

use common::Sandbox;
use serde_json::{Value, json};
use served::Served;

const ROWS: &str = "time,town,power,heat,user\n\
    100,Bern,31,20.5,ada\n100,Bern,1250,,bob\n100,Chur,0,-3,cyd\n101,Bern,7,0.25,ada\n101,Bern,7,,dan\n\
    102,Chur,12,,eve\n102,Chur,30,,fay\n102,Bern,8,,gil\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    sandbox
        .ok("table create d meters --key time:u64 --key town:text12 --value power:0..=20000 --value heat:-40..=60.25 \
         --row user --deletable");
    sandbox.write("rows.csv", ROWS);
    sandbox.ok("table import d meters rows.csv");
    sandbox.ok("table create d empty --key day:u32 --value steps:0..=9");
    sandbox.ok("commitments d -o c.json");
    sandbox
}

/// What a client finds with a server, under the commitments.
fn found(sandbox: &Sandbox, url: &str, query: &str) -> Value {
    let words = ["--json", "table", "query", url, "meters", query, "--commitments", "c.json"];
    let asked = sandbox.run_list(&words);
    assert_eq!(asked.code, Some(0), "{asked:?}");
    serde_json::from_str(&asked.out).unwrap()
}

#[test]
fn a_keeper_answers_over_http_what_its_folder_answers_and_the_client_verifies_it() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let url = keeper.url();
    for query in [
        "count(power)",
        "sum(power) where time = 100",
        "mean(power) where town = 'Bern' group by time",
        "variance(power)",
        "median(power)",
        "percentile_cont(power, 1/3) where time between 100 and 101",
        "rank(power, 31)",
        "max(heat)",
        "sum(power) where time = 7",
    ] {
        let remote = found(&sandbox, &url, query);
        let local = sandbox.run_list(&["--json", "table", "query", "d", "meters", query]);
        let local: Value = serde_json::from_str(&local.out).unwrap();
        assert_eq!((&remote["finding"], &remote["runs"]), (&local["finding"], &local["runs"]), "{query}");
        assert_eq!((remote["result"].as_str(), &remote["version"]), (Some("holds"), &local["version"]));
    }
    // The runs' certificates come along, and are verified.
    let words = ["--json", "table", "query", &url, "meters", "sum(power)", "--commitments", "c.json", "--certificates"];
    let certified: Value = serde_json::from_str(&sandbox.run_list(&words).out).unwrap();
    assert_eq!((&certified["rests_on"], &certified["finding"][0]["value"]), (&json!("certificates"), &json!("1345")));
    // A server is not believed; its answer can be written and verified later.
    sandbox.run_list(&["table", "query", &url, "meters", "sum(power)"]).demand(2, "--commitments FILE");
    let written = sandbox.run_list(&["table", "query", &url, "meters", "sum(power)", "-o", "a.json"]);
    assert!(written.code == Some(0) && written.out.contains("not verified") && !written.out.contains("1345"));
    let verified = sandbox.run_list(&["table", "verify", "meters", "sum(power)", "a.json", "--commitments", "c.json"]);
    assert!(verified.code == Some(0) && verified.out.contains("1345"), "{verified:?}");
    // An older version is answered too, and is not that of the commitments.
    let older = ["table", "query", &url, "meters", "sum(power)", "--commitments", "c.json", "--version", "2"];
    assert_eq!(sandbox.run_list(&older).code, Some(2));
    sandbox.run_list(&["table", "query", &url, "nothing", "sum(power)", "-o", "x"]).demand(2, "no_such_table");
    sandbox.run_list(&["table", "query", &url, "meters", "sum(size)", "-o", "x"]).demand(2, "bad_query");
    sandbox.run_list(&["table", "query", "d", "meters", "sum(power)", "--commitments", "c.json"]).demand(2, "URL");
}

#[test]
fn what_is_public_comes_from_any_archive_and_is_verified() {
    let sandbox = sandbox();
    let archive = Served::new(&sandbox, "archive --dir d");
    let url = archive.url();
    let list = sandbox.ok(&format!("table list {url}"));
    assert!(list.contains("meters") && list.contains("empty") && list.contains("server's word"), "{list}");
    for words in ["table show", "table runs"] {
        for name in ["meters", "empty"] {
            let local = sandbox.ok_json(&format!("{words} d {name}"));
            assert_eq!(sandbox.ok_json(&format!("{words} {url} {name} --commitments c.json")), local);
            assert_eq!(sandbox.ok_json(&format!("{words} {url} {name}")), local);
        }
    }
    assert!(sandbox.ok(&format!("table show {url} meters")).contains("nothing was verified"));
    let audit = sandbox.ok_json(&format!("table audit {url} --commitments c.json"));
    assert_eq!((audit["tables"].as_u64(), audit["runs"].as_u64()), (Some(2), Some(8)), "{audit}");
    assert_eq!((audit["rows"].as_str(), audit["findings"].as_array().map(Vec::len)), (Some("11"), Some(0)));
    assert!(audit["certificates"].as_u64() >= Some(2));
    sandbox.refused(&format!("table audit {url}"), 2, "--commitments FILE");
    sandbox.refused(&format!("table audit {url} nothing --commitments c.json"), 2, "no table");
    sandbox.refused(&format!("table audit {url} --vault --commitments c.json"), 2, "vault");
    sandbox.refused(&format!("table audit {url} --since 1 --commitments c.json"), 2, "--since");
    // An archive has no rows.
    archive.post("/v1/tables/meters/query", &json!({ "query": "sum(power)" })).demand(404, "no_vault");
    let words = ["table", "query", &url, "meters", "sum(power)", "-o", "x"];
    sandbox.run_list(&words).demand(2, "no_vault");
}

#[test]
fn what_is_asked_wrongly_is_refused_with_its_code() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d");
    let query = |body: Value| keeper.post("/v1/tables/meters/query", &body);
    assert_eq!(query(json!({ "query": "sum(power)" })).status, 200);
    keeper.post("/v1/tables/nothing/query", &json!({ "query": "sum(power)" })).demand(404, "no_such_table");
    keeper.post("/v1/tables/NO%20NAME/query", &json!({ "query": "sum(power)" })).demand(404, "no_such_table");
    query(json!({ "query": "sum(power" })).demand(400, "bad_query");
    query(json!({ "query": "row(power)" })).demand(400, "bad_query");
    query(json!({ "query": "sum(power)", "version": 99 })).demand(404, "no_such_version");
    query(json!({ "query": "sum(power)", "verison": 1 })).demand(400, "bad_request");
    query(json!({})).demand(400, "bad_request");
    query(json!({ "query": "x".repeat(2 << 20) })).demand(413, "too_large");
    query(json!({ "query": "x".repeat(1 << 17) })).demand(400, "bad_query");
    let scan = |body: Value| keeper.post("/v1/tables/meters/scan", &body);
    assert_eq!(scan(json!({ "column": "power", "where": "time < 102" })).json()["runs"].as_array().unwrap().len(), 4);
    scan(json!({ "column": "size" })).demand(400, "bad_query");
    scan(json!({ "column": "power) where time = 1 group by town" })).demand(400, "bad_query");
    scan(json!({ "column": "power", "where": "time = 1 group by size" })).demand(400, "bad_query");
    keeper.get("/v1/tables/nothing").demand(404, "no_such_table");
    keeper.get("/v1/tables/meters?version=0").demand(404, "no_such_table");
    keeper.get("/v1/tables/meters/certificates?limit=0").demand(400, "bad_request");
    keeper.get("/v1/tables/meters/certificates?after=x").demand(400, "bad_request");
    assert_eq!(keeper.get("/v1/tables").json()["tables"], json!(["empty", "meters"]));
    assert_eq!(keeper.get("/v1/tables?after=empty").json()["tables"], json!(["meters"]));
    assert_eq!(keeper.get("/v1/tables?version=1").json()["tables"], json!(["meters"]));
    let page = keeper.get("/v1/tables/meters/certificates?limit=1").json();
    assert_eq!((page["certificates"].as_array().unwrap().len(), page["next"].as_str()), (1, Some("2.0")));
    let rest = keeper.get("/v1/tables/meters/certificates?after=2.0").json();
    assert_eq!((rest["certificates"].as_array().unwrap().len(), rest.get("next")), (1, None));
    // As another archive takes them: five runs of one column, three of the other.
    let of_block = |height: u64| keeper.get(&format!("/v1/blocks/{height}/certificates")).body;
    let taken = aardvark_chain::decode_certificates(&of_block(2)).unwrap();
    assert_eq!(taken.iter().map(|one| one.segments).collect::<Vec<_>>(), [5, 3]);
    assert!(of_block(1).is_empty());
    // Claims that are tied to the root of the newest version.
    let rooted = query(json!({ "query": "sum(power)", "root": true })).json();
    assert_eq!(rooted["root"]["vectors"].as_array().map(Vec::is_empty), Some(false));
}

/// The sum over a condition, or the code with which it is refused.
fn answered(keeper: &Served, query: &str) -> Result<Value, String> {
    let answer = keeper.post("/v1/tables/meters/query", &json!({ "query": query }));
    match answer.status {
        200 => Ok(answer.json()["totals"].clone()),
        _ => Err(answer.json()["code"].as_str().unwrap().to_owned()),
    }
}

#[test]
fn a_keeper_gives_no_answer_about_too_few_rows_nor_a_difference_of_answers() {
    let sandbox = sandbox();
    let refused = || Err("too_few_rows".to_owned());
    let keeper = Served::new(&sandbox, "keeper --dir d --min-rows 3");
    assert_eq!(answered(&keeper, "sum(power) where time = 101"), refused(), "two rows");
    assert_eq!(answered(&keeper, "sum(power) group by town, time"), refused(), "a group of one row");
    assert_eq!(answered(&keeper, "median(power)"), refused(), "its splits tell of runs of one row");
    assert!(answered(&keeper, "count(power) where time = 101").is_ok(), "counts are public");
    assert!(answered(&keeper, "sum(power) where time = 7").is_ok(), "no rows");
    assert_eq!(answered(&keeper, "sum(power) where town = 'Bern'"), Ok(json!([["1303"]])));
    assert_eq!(answered(&keeper, "mean(power) where town = 'Bern'"), Ok(json!([["1303"]])), "the same again");
    assert_eq!(answered(&keeper, "sum(power)"), Ok(json!([["1345"]])), "the rest has three rows");
    // Five rows of Bern are answered: without two of them are three, and the two are too few.
    assert_eq!(answered(&keeper, "sum(power) where town = 'Bern' and time > 100"), refused());
    assert_eq!(answered(&keeper, "sum(power) where time < 102"), refused(), "it cuts the other town, too");
    drop(keeper);
    // What was answered is not forgotten.
    let keeper = Served::new(&sandbox, "keeper --dir d --min-rows 3");
    assert_eq!(answered(&keeper, "sum(power) where town = 'Bern' and time > 100"), refused());
    assert_eq!(answered(&keeper, "sum(power) where town = 'Chur'"), Ok(json!([["42"]])));
    drop(keeper);
    // Other rows under the same key: what changed may be one.
    sandbox.ok("table delete d meters --key time=101 --key town=Bern");
    sandbox.write("rows.csv", "time,town,power,heat,user\n101,Bern,7,,ada\n101,Bern,9,,dan\n");
    sandbox.ok("table import d meters rows.csv");
    let keeper = Served::new(&sandbox, "keeper --dir d --min-rows 3");
    assert_eq!(answered(&keeper, "sum(power) where town = 'Bern'"), refused());
    assert_eq!(answered(&keeper, "sum(power) where town = 'Chur'"), Ok(json!([["42"]])));
}

#[test]
fn answers_are_given_after_a_multiple_of_a_time() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d --answer-time 1500");
    for query in ["count(power) where time = 7", "sum(power"] {
        let begun = Instant::now();
        let answer = keeper.post("/v1/tables/meters/query", &json!({ "query": query }));
        assert!(begun.elapsed() >= Duration::from_millis(1500), "{answer:?}");
    }
    drop(keeper);
    // What is public is not waited for, or it would come in an hour.
    let slow = Served::new(&sandbox, "keeper --dir d --answer-time 3600000");
    assert_eq!(slow.get("/v1/tables").status, 200);
}

#[test]
fn the_operator_sees_what_was_answered_and_refused() {
    let sandbox = sandbox();
    let mut command = sandbox.command(&[
        "--json",
        "node",
        "keeper",
        "--dir",
        "d",
        "--listen",
        "127.0.0.1:0",
        "--operations",
        "127.0.0.1:0",
        "--min-rows",
        "3",
    ]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.as_mut().unwrap()), &mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    let [public, operations] = ["listening", "operations"].map(|name| said[name].as_str().unwrap().parse().unwrap());
    for query in ["sum(power)", "sum(power) where time = 101"] {
        served::ask(public, "POST", "/v1/tables/meters/query", json!({ "query": query }).to_string().as_bytes());
    }
    let metrics = String::from_utf8(served::ask(operations, "GET", "/metrics", b"").body).unwrap();
    for line in [
        "aardvark_table_answers_total 1",
        "aardvark_table_answers_refused_total 1",
        "aardvark_http_requests_total{path=\"/v1/tables/{name}/query\",status=\"2xx\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in\n{metrics}");
    }
    assert_eq!(served::ask(operations, "GET", "/readyz", b"").status, 200);
    child.kill().unwrap();
    child.wait().unwrap();
}
