//! Rows over HTTP: a keeper shows a row to who knows its id and its tag, tells everybody else the
//! same, and does not get a row taken that is another one.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/served.rs"]
mod served;

use common::{Outcome, Sandbox};
use serde_json::{Value, json};
use served::{Answer, Liar, Served};

/// A tag of 16 bytes in hexadecimal, for each owner another.
fn tag(owner: &str) -> String {
    format!("{:0>32}", hex::encode(owner))
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    sandbox
        .ok("table create d meters --key time:u64 --key town:text12 --value power:0..=20000 --value heat:-40..=60.25 \
         --row user --row tag");
    let [ada, bob, cyd] = ["ada", "bob", "cyd"].map(tag);
    let rows = format!(
        "time,town,power,heat,user,tag\n100,Bern,31,20.5,ada,{ada}\n100,Bern,1250,,bob,{bob}\n\
         100,Chur,0,-3,cyd,{cyd}\n101,Bern,7,,ada,{ada}\n101,Bern,8,,ada,{ada}\n101,Bern,9,,dan,short\n101,Bern,9,,eve,\n"
    );
    sandbox.write("rows.csv", rows);
    sandbox.ok("table import d meters rows.csv");
    sandbox.ok("table create d others --key day:u32 --value steps:0..=9 --row tag --row user");
    sandbox.write("others.csv", format!("day,steps,tag,user\n1,2,{ada},ada\n"));
    sandbox.ok("table import d others others.csv");
    sandbox.ok("commitments d -o c.json");
    sandbox
}

/// `table row` of a server, with more options.
fn asked(sandbox: &Sandbox, url: &str, id: &str, tag: &str, more: &[&str]) -> Outcome {
    let tag = format!("tag={tag}");
    let words = ["--json", "table", "row", url, "meters", id, "--tag", &tag, "--commitments", "c.json"];
    sandbox.run_list(&[&words, more].concat())
}

fn held(outcome: &Outcome) -> Value {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str(&outcome.out).unwrap()
}

#[test]
fn an_owner_is_shown_its_row_over_http_and_verifies_it() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag --min-rows 3");
    let url = keeper.url();
    let one = ["--column", "power", "--where", "time = 100"];
    let shown = held(&asked(&sandbox, &url, "ada", &tag("ada"), &one));
    assert_eq!((&shown["result"], &shown["text_compared"]), (&json!("holds"), &json!(true)));
    assert_eq!((&shown["finding"]["value"], &shown["finding"]["text"]), (&json!("31"), &json!(["ada", tag("ada")])));
    assert_eq!(shown["query"], "row(power) where time = 100 and town = 'Bern'");
    // With its certificate; written and verified like one of a folder; a negative lowest.
    let more = ["--column", "heat", "--certificates", "-o", "a.json"];
    let shown = held(&asked(&sandbox, &url, "cyd", &tag("cyd"), &more));
    assert_eq!((&shown["rests_on"], &shown["finding"]["value"]), (&json!("certificates"), &json!("-300")));
    let query = shown["query"].as_str().unwrap();
    let row = format!("tag={}", tag("cyd"));
    let words = ["table", "verify", "meters", query, "a.json", "--commitments", "c.json", "--certificates", "--row"];
    assert_eq!(sandbox.run_list(&[&words[..], &[&row]].concat()).code, Some(0));
    // Several rows are listed, which nothing proves; a number chooses one.
    let listed = held(&asked(&sandbox, &url, "ada", &tag("ada"), &[]));
    let values: Vec<_> = listed["rows"].as_array().unwrap().iter().map(|row| row["value"].clone()).collect();
    assert_eq!(
        (values, &listed["result"]),
        (vec![json!("31"), json!("7"), json!("8"), json!("20.50")], &json!("not verified"))
    );
    assert_eq!(held(&asked(&sandbox, &url, "ada", &tag("ada"), &["--number", "3"]))["finding"]["value"], "8");
    assert_eq!(asked(&sandbox, &url, "ada", &tag("ada"), &["--number", "5"]).code, Some(2));
    assert_eq!(asked(&sandbox, &url, "ada", &tag("ada"), &["-o", "x.json"]).code, Some(2), "one of several");
    assert_eq!(asked(&sandbox, &url, "ada", &tag("ada"), &["--where", "time = 102"]).code, Some(2));
    // Where nothing is trusted, it is only written.
    let of_ada = format!("tag={}", tag("ada"));
    let words = ["table", "row", &url, "meters", "ada", "--tag", &of_ada, "--number", "1"];
    sandbox.run_list(&words).demand(2, "--commitments FILE");
    let written = sandbox.run_list(&[&words[..], &["-o", "b.json"]].concat());
    assert!(written.code == Some(0) && written.out.contains("not verified"), "{written:?}");
    // An older version has other rows; a folder takes no tag, a server none without its column.
    assert_eq!(asked(&sandbox, &url, "cyd", &tag("cyd"), &["--version", "1"]).code, Some(2));
    sandbox.run_list(&["table", "row", "d", "meters", "ada", "--tag", &of_ada]).demand(2, "--tag is for a URL");
    sandbox.run_list(&["table", "row", &url, "meters", "ada", "--tag", "x", "-o", "x"]).demand(2, "COLUMN=TEXT");
}

#[test]
fn who_has_no_tag_is_told_the_same_as_who_has_no_id() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag");
    let ask = |what: &str, body: &Value| keeper.post(&format!("/v1/tables/meters/{what}"), body);
    let long = format!("{}0", tag("ada"));
    for what in ["row", "rows"] {
        let mut answers = Vec::new();
        for (id, tag) in [
            ("ada", tag("bob").as_str()),
            ("ada", &long),
            ("ada", ""),
            ("ada", &tag("ada")[1..]),
            ("nobody", &tag("ada")),
            ("", &tag("ada")),
            ("zzzzzzzzzzzzzz", ""),
            // Tags of fewer bytes entitle to nothing.
            ("dan", "short"),
            ("eve", ""),
        ] {
            answers.push(ask(what, &json!({ "id": id, "tag": tag })));
        }
        for answer in &answers {
            answer.demand(404, "no_such_row");
            assert_eq!(answer.body, answers[0].body);
        }
        let own = json!({ "id": "ada", "tag": tag("ada"), "where": "time = 100", "column": "power" });
        assert_eq!(ask(what, &own).status, 200);
        ask(what, &json!({ "id": "ada", "tag": tag("ada"), "column": "steps" })).demand(400, "bad_query");
        ask(what, &json!({ "id": "ada", "tag": tag("ada"), "where": "power = 31" })).demand(400, "bad_query");
        ask(what, &json!({ "id": "ada", "tag": tag("ada"), "version": 9 })).demand(404, "no_such_version");
        ask(what, &json!({ "id": "ada" })).demand(400, "bad_request");
        ask(what, &json!({ "id": "ada", "tag": tag("ada"), "tags": [] })).demand(400, "bad_request");
        ask(what, &json!({ "id": "x".repeat(70_000), "tag": "" })).demand(400, "bad_request");
        // In a table whose tags are its ids, and in one that there is not.
        let path = |table: &str| format!("/v1/tables/{table}/{what}");
        keeper.post(&path("others"), &json!({ "id": tag("ada"), "tag": tag("ada") })).demand(403, "no_rows");
        keeper.post(&path("nothing"), &json!({ "id": "ada", "tag": tag("ada") })).demand(404, "no_such_table");
    }
    ask("row", &json!({ "id": "ada", "tag": tag("ada") })).demand(400, "several_rows");
    drop(keeper);
    // A keeper that was not told which column has tags shows no rows, and an archive has none.
    let keeper = Served::new(&sandbox, "keeper --dir d");
    keeper.post("/v1/tables/meters/row", &json!({ "id": "ada", "tag": tag("ada") })).demand(403, "no_rows");
    drop(keeper);
    let archive = Served::new(&sandbox, "archive --dir d");
    archive.post("/v1/tables/meters/row", &json!({ "id": "ada", "tag": tag("ada") })).demand(404, "no_vault");
    archive.post("/v1/tables/meters/rows", &json!({ "id": "ada", "tag": tag("ada") })).demand(404, "no_vault");
}

#[test]
fn a_keeper_that_shows_another_row_is_refused() {
    let sandbox = sandbox();
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag");
    let of = |body: Value| keeper.post("/v1/tables/meters/row", &body).json();
    let wanted = ["--column", "power", "--where", "time = 100"];
    let refused = |code: i32, reason: &str, lie: &(dyn Fn(&mut Value) + Send + Sync)| {
        let (from, to) = (of(json!({ "id": "ada", "tag": tag("ada"), "where": "time = 100", "column": "power" })), {
            let mut body = of(json!({ "id": "ada", "tag": tag("ada"), "where": "time = 100", "column": "power" }));
            lie(&mut body);
            body
        });
        assert_ne!(from, to);
        let text = to.to_string().into_bytes();
        let liar =
            Liar::new(keeper.address, move |_, answer: Answer| Answer { status: answer.status, body: text.clone() });
        let outcome = asked(&sandbox, &liar.url(), "ada", &tag("ada"), &wanted);
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        let said: Value = serde_json::from_str(&outcome.out).unwrap();
        assert!(said["reason"].as_str().is_some_and(|found| found.contains(reason)), "no {reason} in {outcome:?}");
    };
    // Another's row of the same run; its own with another tag in it; another number.
    let bob = of(json!({ "id": "bob", "tag": tag("bob") }));
    refused(1, "TextMismatched", &|answer| *answer = bob.clone());
    refused(1, "RowFalse", &|answer| answer["row"]["text"][1] = json!(tag("bob")));
    refused(1, "OpeningFalse", &|answer| answer["row"]["value"] = json!("32"));
    // The owner's row of another time or column, and an answer to something else.
    let later = of(json!({ "id": "ada", "tag": tag("ada"), "where": "time = 101", "number": 1 }));
    refused(2, "OtherQuery", &|answer| *answer = later.clone());
    let heat = of(json!({ "id": "ada", "tag": tag("ada"), "column": "heat" }));
    refused(2, "OtherQuery", &|answer| *answer = heat.clone());
    let sum = keeper.post("/v1/tables/meters/query", &json!({ "query": "sum(power) where time = 100" })).json();
    refused(2, "OtherQuery", &|answer| *answer = sum.clone());
    // The query of one with the row of another.
    refused(2, "OtherQuery", &|answer| {
        answer["runs"] = later["runs"].clone();
        answer["row"] = later["row"].clone();
        answer["opening"] = later["opening"].clone();
        answer["query"] = json!("row(power) where time = 100 and town = 'Bern'");
    });
}

#[test]
fn rows_are_given_at_the_keepers_pace_and_counted() {
    let sandbox = sandbox();
    let words =
        "--json node keeper --dir d --listen 127.0.0.1:0 --operations 127.0.0.1:0 --tag-column tag --answer-time 700";
    let words: Vec<&str> = words.split(' ').collect();
    let mut child = sandbox.command(&words).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.as_mut().unwrap()), &mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap();
    let [public, operations] = ["listening", "operations"].map(|name| said[name].as_str().unwrap().parse().unwrap());
    for (id, status) in [("cyd", 200), ("bob", 404), ("nobody", 404)] {
        let body = json!({ "id": id, "tag": tag("cyd"), "column": "power" }).to_string();
        let begun = std::time::Instant::now();
        assert_eq!(served::ask(public, "POST", "/v1/tables/meters/row", body.as_bytes()).status, status);
        assert!(begun.elapsed() >= std::time::Duration::from_millis(700));
    }
    let metrics = String::from_utf8(served::ask(operations, "GET", "/metrics", b"").body).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    for line in [
        "aardvark_table_rows_total 1",
        "aardvark_table_rows_refused_total 2",
        "aardvark_http_requests_total{path=\"/v1/tables/{name}/row\",status=\"4xx\"} 2",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} in\n{metrics}");
    }
}
