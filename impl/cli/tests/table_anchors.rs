//! What a server says of tables, verified at once under a root, a note or a header: true answers,
//! rows and audits, and servers that lie about what ties them to the root.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/served.rs"]
mod served;

use aardvark_archive::Archive;
use aardvark_client::light::clock;
use aardvark_client::testing::TestChain;
use common::{Outcome, Sandbox};
use serde_json::{Value, json};
use served::{Answer, Liar, Served};

/// What a server changes in an answer.
type Lie = fn(&mut Value);

const TAG: &str = "5f0e83ab81c34c5d";

/// A table with a run of five segments, which is long enough for roots to matter: few slots a
/// vector.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4");
    sandbox.ok("table create d meters --key time:u64 --value power:0..=20000 --row user --row tag");
    let lines = (0..60).map(|number| format!("1,{},u{number},{TAG}\n", 10 * number));
    let rows: String = ["time,power,user,tag\n".to_owned()].into_iter().chain(lines).collect();
    sandbox.write("a.csv", rows);
    sandbox.ok("table import d meters a.csv --sheet 16 --extend");
    sandbox
}

fn root(sandbox: &Sandbox) -> String {
    sandbox.ok_json("root d")["root"].as_str().unwrap().to_owned()
}

fn held(outcome: &Outcome) -> Value {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str(&outcome.out).unwrap()
}

fn reason(outcome: &Outcome) -> (Option<i32>, String) {
    assert!(!outcome.err.contains("panicked"), "{outcome:?}");
    let said: Value = serde_json::from_str(&outcome.out).unwrap_or_default();
    (outcome.code, said["reason"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn queries_rows_runs_and_audits_hold_under_a_root_and_a_note() {
    let sandbox = sandbox();
    let root = root(&sandbox);
    sandbox.ok("client keygen key");
    let publisher = sandbox.ok_json("root d --sign key -o note.txt")["publisher"].as_str().unwrap().to_owned();
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag");
    let url = keeper.url();
    let under_root = ["--root", root.as_str()];
    let under_note = ["--note", "note.txt", "--publisher", publisher.as_str()];
    for under in [&under_root[..], &under_note[..]] {
        let run = |words: &[&str]| sandbox.run_list(&[&["--json", "table"], words, under].concat());
        let sum = held(&run(&["query", &url, "meters", "sum(power)", "--certificates"]));
        assert_eq!((&sum["finding"][0]["value"], &sum["rests_on"]), (&json!("17700"), &json!("certificates")));
        let median = held(&run(&["query", &url, "meters", "median(power)", "-o", "a.json"]));
        assert_eq!(median["finding"]["value"], "295");
        // What was written is the same answer.
        held(&run(&["verify", "meters", "median(power)", "a.json"]));
        // A row of a segment that is not the first.
        let tag = format!("tag={TAG}");
        let row = held(&run(&["row", &url, "meters", "u33", "--tag", &tag, "--certificates"]));
        assert_eq!((&row["finding"]["value"], &row["finding"]["rank"]), (&json!("330"), &json!(33)));
        assert_eq!(
            held(&run(&["show", &url, "meters"]))["rows"],
            held(&sandbox.run_list(&["--json", "table", "show", "d", "meters"]))["rows"]
        );
        assert_eq!(held(&run(&["runs", &url, "meters"]))["runs"][0]["rows"], "60");
        let audit = held(&run(&["audit", &url, "meters"]));
        assert_eq!((&audit["rows"], &audit["findings"], &audit["version"]), (&json!("60"), &json!([]), &json!(2)));
    }
    // Another version is not the note's; of a root's nobody knows, and the server has no other.
    let older = |under: &[&str]| {
        let words = ["--json", "table", "runs", &url, "meters", "--version", "1"];
        reason(&sandbox.run_list(&[&words, under].concat())).0
    };
    assert_eq!((older(&under_root), older(&under_note)), (Some(1), Some(2)));
    // --root without a hash ties the answer, and is believed by nobody.
    let words = ["table", "query", &url, "meters", "sum(power)", "--root"];
    sandbox.run_list(&words).demand(2, "a server is not believed");
    sandbox.run_list(&["table", "query", "d", "meters", "sum(power)", "--root", &root]).demand(2, "for a URL");
    sandbox.run_list(&["table", "query", &url, "meters", "sum(power)", "--root", "0x12"]).demand(2, "root");
    let both = ["table", "query", &url, "meters", "sum(power)", "--root", &root, "--commitments", "c.json"];
    assert_eq!(sandbox.run_list(&both).code, Some(2));
}

#[test]
fn a_server_is_asked_at_the_version_of_the_newest_header_and_verified_under_it() {
    let sandbox = sandbox();
    let parts = |version: u64| {
        let archive = Archive::builder().open_read_only(&sandbox.path("d")).unwrap();
        archive.root_parts(version, &mut |_| {}).unwrap().root()
    };
    let chain = TestChain::new("homes", &[[1; 32], parts(1), parts(2)], clock(), |_| vec![1, 2, 3, 4]);
    let ((_one, node), (_two, witness)) = (chain.serve(), chain.serve());
    let trust = format!("1:{}", hex::encode(chain.hash(1)));
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag");
    let under = ["--trust", &trust, "--rpc", node.url(), "--witness", witness.url()];
    let run = |url: &str, words: &[&str], more: &[&str]| {
        let all: Vec<&str> = words.iter().map(|word| if *word == "URL" { url } else { word }).collect();
        sandbox.run_list(&[&["--json", "table"], all.as_slice(), &under, more].concat())
    };
    let url = keeper.url();
    let sum = held(&run(&url, &["query", "URL", "meters", "sum(power)"], &[]));
    assert_eq!((&sum["finding"][0]["value"], &sum["version"]), (&json!("17700"), &json!(2)));
    assert_eq!((&sum["header"]["height"], &sum["header"]["confirmed_by"]), (&json!(3), &json!([witness.url()])));
    let tag = format!("tag={TAG}");
    let row = held(&run(&url, &["row", "URL", "meters", "u59", "--tag", &tag], &[]));
    assert_eq!(row["finding"]["value"], "590");
    let audit = held(&run(&url, &["audit", "URL"], &[]));
    assert_eq!((&audit["rows"], &audit["version"], &audit["header"]["height"]), (&json!("60"), &json!(2), &json!(3)));
    assert_eq!(held(&run(&url, &["show", "URL", "meters"], &[]))["version"], json!(2));
    // A version that no header certifies; nobody to compare headers with.
    assert_eq!(run(&url, &["query", "URL", "meters", "sum(power)"], &["--version", "3"]).code, Some(2));
    let alone = ["table", "query", &url, "meters", "sum(power)", "--trust", &trust, "--rpc", node.url()];
    assert_eq!(sandbox.run_list(&alone).code, Some(2));
    drop(keeper);
    // The dictionary goes on: version 3 is not certified yet. A server that answers at its own
    // newest version, or as if that were the asked one.
    sandbox.write("b.csv", format!("time,power,user,tag\n2,5,v,{TAG}\n"));
    sandbox.ok("table import d meters b.csv");
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag");
    let newest = keeper.post("/v1/tables/meters/query", &json!({ "query": "sum(power)", "root": true })).json();
    let instead = |change: fn(&mut Value)| {
        let mut body = newest.clone();
        change(&mut body);
        let liar = Liar::new(keeper.address, move |_, _| Answer { status: 200, body: body.to_string().into_bytes() });
        reason(&run(&liar.url(), &["query", "URL", "meters", "sum(power)"], &[]))
    };
    assert_eq!(instead(|_| {}), (Some(2), "OtherVersion".to_owned()));
    assert_eq!(instead(|answer| answer["version"] = json!(2)).0, Some(1));
}

#[test]
fn a_server_that_lies_about_what_ties_its_answer_to_the_root_is_refused() {
    let sandbox = sandbox();
    let root = root(&sandbox);
    let keeper = Served::new(&sandbox, "keeper --dir d --tag-column tag");
    let tag = format!("tag={TAG}");
    let commands: [&[&str]; 3] = [
        &["query", "URL", "meters", "median(power)"],
        &["row", "URL", "meters", "u33", "--tag", &tag],
        &["audit", "URL"],
    ];
    let asked = |words: &[&str], lie: Lie| {
        let liar = Liar::new(keeper.address, move |path, answer: Answer| {
            if path.contains("certificates") {
                return answer;
            }
            let mut body = answer.json();
            lie(&mut body);
            Answer { status: answer.status, body: body.to_string().into_bytes() }
        });
        let url = liar.url();
        let words: Vec<&str> = words.iter().map(|word| if *word == "URL" { &url } else { *word }).collect();
        reason(&sandbox.run_list(&[&["--json", "table"], words.as_slice(), &["--root", &root]].concat()))
    };
    let lies: [(i32, Lie); 8] = [
        (2, |answer| drop(answer.as_object_mut().unwrap().remove("root"))),
        (2, |answer| drop(answer["root"].as_object_mut().unwrap().remove("identity"))),
        (1, |answer| answer["root"]["size"] = json!(3)),
        (1, |answer| answer["root"]["commitment_root"] = answer["root"]["tail_digest"].clone()),
        (2, |answer| drop(answer["root"]["vectors"].as_array_mut().unwrap().pop())),
        (1, |answer| {
            // The commitment of another vector, with its own path.
            let other = answer["root"]["vectors"][0].clone();
            answer["root"]["vectors"][1]["commitment"] = other["commitment"].clone();
        }),
        (1, |answer| {
            answer["root"]["vectors"][0]["path"][0] = answer["root"]["tail_digest"].clone();
        }),
        (1, |answer| answer["version"] = json!(1)),
    ];
    for words in commands {
        assert_eq!(asked(words, |_| {}).0, Some(0), "{words:?}");
        for (number, (code, lie)) in lies.into_iter().enumerate() {
            let found = asked(words, lie);
            assert_eq!(found.0, Some(code), "lie {number} to {words:?}: {found:?}");
            assert!(!found.1.is_empty(), "lie {number} to {words:?}");
        }
    }
    // A keeper of other rows, which has a true answer under its own root.
    sandbox.ok("init e --vector-size 4");
    sandbox.ok("table create e meters --key time:u64 --value power:0..=20000 --row user --row tag");
    sandbox.ok("table import e meters a.csv --sheet 16 --extend");
    let other = Served::new(&sandbox, "keeper --dir e");
    let words = ["--json", "table", "query", &other.url(), "meters", "median(power)", "--root", &root];
    assert_eq!(reason(&sandbox.run_list(&words)).0, Some(1));
}
