//! `aardvark table row`, and what answers bring along: certificates of their runs, and what ties
//! them to a state root. Each beside what has to be refused.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_archive::Archive;
use aardvark_client::light::clock;
use aardvark_client::testing::TestChain;
use common::{Outcome, Sandbox};
use serde_json::{Value, json};

const ROWS: &str = "time,town,power,heat,user,tag\n\
    100,Bern,31,20.5,ada,t-ada\n100,Bern,1250,,bob,t-bob\n100,Chur,0,-3,cyd,t-cyd\n101,Bern,7,0.25,ada,t-ada\n\
    101,Bern,7,,dan,t-dan\n101,O'r,9,,eve,t-eve\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    sandbox
        .ok("table create d meters --key time:u64 --key town:text12 --value power:0..=20000 --value heat:-40..=60.25 \
         --row user --row tag --deletable");
    sandbox.write("rows.csv", ROWS);
    sandbox.ok("table import d meters rows.csv");
    sandbox.ok("commitments d -o c.json");
    sandbox
}

fn run_json(sandbox: &Sandbox, words: &[&str]) -> Value {
    let outcome = sandbox.run_list(&[&["--json", "table"], words].concat());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str(&outcome.out).unwrap()
}

/// `table verify` of a.json under the commitments, with more options.
fn verify(sandbox: &Sandbox, query: &str, more: &[&str]) -> Outcome {
    let words = ["--json", "table", "verify", "meters", query, "a.json", "--commitments", "c.json"];
    sandbox.run_list(&[&words, more].concat())
}

/// The exit code of an answer that was changed, and the reason that is given.
fn refused(sandbox: &Sandbox, query: &str, more: &[&str], change: impl Fn(&mut Value)) -> (Option<i32>, String) {
    let honest = sandbox.json("a.json");
    let mut changed = honest.clone();
    change(&mut changed);
    assert_ne!(changed, honest);
    sandbox.write("a.json", changed.to_string());
    let outcome = verify(sandbox, query, more);
    sandbox.write("a.json", honest.to_string());
    let said: Value = serde_json::from_str(&outcome.out).unwrap_or_default();
    (outcome.code, said["reason"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn an_owner_is_shown_its_row_and_holds_its_texts_against_it() {
    let sandbox = sandbox();
    // Ada has a row at two times, in two columns: listed in the order of columns and keys.
    let listed = run_json(&sandbox, &["row", "d", "meters", "ada"]);
    let place = |row: &Value| (row["column"].clone(), row["key"].clone(), row["value"].clone());
    let rows: Vec<_> = listed["rows"].as_array().unwrap().iter().map(place).collect();
    assert_eq!(
        rows,
        [
            (json!("power"), json!(["100", "Bern"]), json!("31")),
            (json!("power"), json!(["101", "Bern"]), json!("7")),
            (json!("heat"), json!(["100", "Bern"]), json!("20.50")),
            (json!("heat"), json!(["101", "Bern"]), json!("0.25")),
        ]
    );
    assert_eq!(sandbox.run_list(&["table", "row", "d", "meters", "ada", "-o", "a.json"]).code, Some(2));
    let told = ["row", "d", "meters", "ada", "--column", "power", "--where", "time = 100", "-o", "a.json"];
    let told = run_json(&sandbox, &told);
    let query = told["query"].as_str().unwrap();
    assert_eq!(query, "row(power) where time = 100 and town = 'Bern'");
    assert_eq!((&told["value"], &told["rank"], &told["revision"]), (&json!("31"), &json!(0), &json!(0)));
    let own = ["--row", "user=ada", "--row", "tag=t-ada"];
    let verified = verify(&sandbox, query, &own);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!(verified["finding"]["text"], json!(["ada", "t-ada"]));
    assert_eq!((&verified["text_compared"], &verified["rests_on"]), (&json!(true), &json!("audit")));
    let unheld: Value = serde_json::from_str(&verify(&sandbox, query, &[]).out).unwrap();
    assert_eq!(unheld["text_compared"], json!(false));
    // Another's tag; another's row of the same run, as the keeper proves it.
    assert_eq!(verify(&sandbox, query, &["--row", "user=ada", "--row", "tag=t-bob"]).code, Some(1));
    assert_eq!(verify(&sandbox, query, &["--row", "name=ada"]).code, Some(2));
    run_json(&sandbox, &["row", "d", "meters", "bob", "-o", "a.json"]);
    let others = verify(&sandbox, query, &own);
    assert_eq!(others.code, Some(1), "{others:?}");
    assert!(others.out.contains("TextMismatched"), "{others:?}");
    assert_eq!(verify(&sandbox, query, &["--row", "user=bob"]).code, Some(0));
    // Another key or column is another question.
    for other in ["row(power) where time = 101 and town = 'Bern'", "row(heat) where time = 100 and town = 'Bern'"] {
        assert_eq!(verify(&sandbox, other, &[]).code, Some(2), "{other}");
    }
    assert_eq!(sandbox.run_list(&["table", "row", "d", "meters", "fay"]).code, Some(2));
    assert_eq!(sandbox.run_list(&["table", "row", "d", "meters", "ada", "--number", "5"]).code, Some(2));
    // A key with a quote in it is a key like others.
    let quoted = run_json(&sandbox, &["row", "d", "meters", "eve", "-o", "a.json"]);
    let query = quoted["query"].as_str().unwrap();
    assert_eq!(query, "row(power) where time = 101 and town = 'O''r'");
    assert_eq!(verify(&sandbox, query, &["--row", "user=eve"]).code, Some(0));
}

#[test]
fn a_row_that_was_changed_is_false() {
    let sandbox = sandbox();
    run_json(&sandbox, &["row", "d", "meters", "bob", "-o", "a.json"]);
    let query = "row(power) where time = 100 and town = 'Bern'";
    assert_eq!(verify(&sandbox, query, &[]).code, Some(0));
    let changed = |change: &dyn Fn(&mut Value)| refused(&sandbox, query, &[], change);
    assert_eq!(changed(&|answer| answer["row"]["value"] = json!("1249")), (Some(1), "OpeningFalse".to_owned()));
    assert_eq!(changed(&|answer| answer["row"]["text"][1] = json!("t-ada")), (Some(1), "RowFalse".to_owned()));
    let position = sandbox.json("a.json")["row"]["position"].as_u64().unwrap();
    assert_eq!(changed(&|answer| answer["row"]["position"] = json!(position - 1)), (Some(1), "RowFalse".to_owned()));
    // A position above 65,535 is none.
    assert_eq!(changed(&|answer| answer["row"]["position"] = json!(1 << 20)).0, Some(2));
}

#[test]
fn rows_that_were_deleted_or_put_again_are_shown_as_they_are() {
    let sandbox = sandbox();
    sandbox.ok("table delete d meters --key time=100 --key town=Bern");
    assert_eq!(sandbox.run_list(&["table", "row", "d", "meters", "bob"]).code, Some(2));
    let before = run_json(&sandbox, &["row", "d", "meters", "bob", "--version", "2", "-o", "a.json"]);
    assert_eq!((&before["value"], &before["version"]), (&json!("1250"), &json!(2)));
    assert_eq!(verify(&sandbox, before["query"].as_str().unwrap(), &["--row", "user=bob"]).code, Some(0));
    sandbox.write("again.csv", "time,town,power,heat,user,tag\n100,Bern,5,,gil,t-gil\n");
    sandbox.ok("table import d meters again.csv");
    assert_eq!(sandbox.run_list(&["table", "row", "d", "meters", "bob"]).code, Some(2));
    assert_eq!(run_json(&sandbox, &["row", "d", "meters", "gil"])["value"], json!("5"));
}

#[test]
fn answers_bring_the_certificates_of_their_runs() {
    let sandbox = sandbox();
    let query = "sum(power) where time between 100 and 101";
    run_json(&sandbox, &["query", "d", "meters", query, "-o", "a.json"]);
    let bare = sandbox.read("a.json").len();
    // None came, so none holds.
    let missing = verify(&sandbox, query, &["--certificates"]);
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.out.contains("CertificateMissing"), "{missing:?}");
    let told = run_json(&sandbox, &["query", "d", "meters", query, "--certificates", "-o", "a.json"]);
    // One sheet has the four runs.
    assert_eq!((&told["certificates"], &told["runs"]), (&json!(1), &json!(4)));
    let stated = told["certificate_bytes"].as_u64().unwrap();
    assert_eq!(told["bytes"].as_u64().unwrap(), sandbox.read("a.json").len() as u64);
    assert!(sandbox.read("a.json").len() as u64 > bare as u64 + 2 * stated);
    let rests_on = |more: &[&str]| {
        let outcome = verify(&sandbox, query, more);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        serde_json::from_str::<Value>(&outcome.out).unwrap()["rests_on"].clone()
    };
    assert_eq!(rests_on(&["--certificates"]), "certificates");
    assert_eq!(rests_on(&[]), "audit");
    let text = sandbox.run_list(&["table", "verify", "meters", query, "a.json", "--commitments", "c.json"]);
    assert!(text.out.contains("--certificates checks them"), "{text:?}");
    // A certificate that was changed, and one of another column.
    let changed = |change: &dyn Fn(&mut Value)| refused(&sandbox, query, &["--certificates"], change);
    let flip = |text: &mut Value| {
        let (kept, last) = text.as_str().unwrap().split_at(text.as_str().unwrap().len() - 1);
        *text = json!(format!("{kept}{}", if last == "0" { "1" } else { "0" }));
    };
    let (code, reason) = changed(&|answer| flip(&mut answer["certificates"][0]["certificate"]));
    assert!(code == Some(1) || code == Some(2), "{reason}");
    assert!(reason.starts_with("Certificate"), "{reason}");
    assert_eq!(changed(&|answer| flip(&mut answer["certificates"][0]["statement"])).0, Some(2));
    run_json(&sandbox, &["query", "d", "meters", "sum(heat)", "--certificates", "-o", "b.json"]);
    let other = sandbox.json("b.json")["certificates"][0].clone();
    let (code, reason) = changed(&|answer| answer["certificates"][0] = other.clone());
    assert_eq!((code, reason.as_str()), (Some(2), "CertificateMalformed"));
    // A row brings the certificate of its run, and a later version those of earlier ones.
    sandbox.write("more.csv", "time,town,power,heat,user,tag\n100,Bern,44,,ada,t-ada\n");
    sandbox.ok("table import d meters more.csv");
    sandbox.ok("commitments d -o c.json");
    let told = run_json(&sandbox, &["query", "d", "meters", query, "--certificates", "-o", "a.json"]);
    assert_eq!((&told["certificates"], &told["runs"]), (&json!(2), &json!(5)));
    assert_eq!(rests_on(&["--certificates"]), "certificates");
    run_json(&sandbox, &["row", "d", "meters", "bob", "--certificates", "-o", "a.json"]);
    let bob = "row(power) where time = 100 and town = 'Bern'";
    assert_eq!(verify(&sandbox, bob, &["--certificates", "--row", "user=bob"]).code, Some(0));
    // Order statistics too, and an empty box needs none.
    for query in ["median(power)", "max(heat)", "count(power) where time = 7"] {
        run_json(&sandbox, &["query", "d", "meters", query, "--certificates", "-o", "a.json"]);
        assert_eq!(verify(&sandbox, query, &["--certificates"]).code, Some(0), "{query}");
    }
}

#[test]
fn an_answer_without_certificates_in_the_archive_says_which_run_has_none() {
    let sandbox = sandbox();
    std::fs::remove_file(sandbox.path("d/certificates.redb")).unwrap();
    let outcome = sandbox.run_list(&["table", "query", "d", "meters", "sum(power)", "--certificates"]);
    assert!(outcome.err.contains("there is no certificate of the run 0x54"), "{outcome:?}");
    assert_ne!(outcome.code, Some(0));
    assert_eq!(sandbox.run_list(&["table", "query", "d", "meters", "sum(power)"]).code, Some(0));
}

#[test]
fn an_answer_is_verified_under_a_root_alone_or_a_note() {
    let sandbox = sandbox();
    let query = "median(power) where time <= 101";
    run_json(&sandbox, &["query", "d", "meters", query, "--root", "--certificates", "-o", "a.json"]);
    let root = sandbox.ok("root d").trim().to_owned();
    let under = |root: &str, query: &str| {
        sandbox.run_list(&["table", "verify", "meters", query, "a.json", "--root", root, "--certificates"])
    };
    assert_eq!(under(&root, query).code, Some(0), "{:?}", under(&root, query));
    // Another root is not that of the answer, and another query not the answer's.
    let other = format!("{}{}", &root[..root.len() - 1], if root.ends_with('0') { '1' } else { '0' });
    let outcome = under(&other, query);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert_eq!(under(&root, "max(power)").code, Some(2));
    // Commitments take no answer that is tied to a root, a root none that is not.
    assert_eq!(verify(&sandbox, query, &[]).code, Some(2));
    let tied = sandbox.json("a.json");
    let change = |change: &dyn Fn(&mut Value)| {
        let mut changed = tied.clone();
        change(&mut changed);
        sandbox.write("a.json", changed.to_string());
        under(&root, query).code
    };
    assert_eq!(change(&|answer| drop(answer.as_object_mut().unwrap().remove("root"))), Some(2));
    assert_eq!(change(&|answer| answer["root"]["size"] = json!(3)), Some(1));
    assert_eq!(change(&|answer| answer["version"] = json!(1)), Some(1));
    sandbox.write("a.json", tied.to_string());
    // A note that a publisher has signed says the root.
    sandbox.ok("client keygen key");
    let signed = sandbox.ok_json("root d --sign key -o note.txt");
    let publisher = signed["publisher"].as_str().unwrap().to_owned();
    let words = ["table", "verify", "meters", query, "a.json", "--note", "note.txt", "--publisher", &publisher];
    let outcome = sandbox.run_list(&words);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.out.contains("verified"), "{outcome:?}");
    // The next version's note is about another version.
    sandbox.ok("table delete d meters --key time=101 --key town=Bern");
    sandbox.ok("root d --sign key -o note.txt");
    assert_eq!(sandbox.run_list(&words).code, Some(2));
    // Nothing to verify against, or two things.
    assert_eq!(sandbox.run_list(&["table", "verify", "meters", query, "a.json"]).code, Some(2));
    let both = ["table", "verify", "meters", query, "a.json", "--root", &root, "--commitments", "c.json"];
    assert_eq!(sandbox.run_list(&both).code, Some(2));
    let alone = ["table", "verify", "meters", query, "a.json", "--rpc", "http://127.0.0.1:1"];
    assert_eq!(sandbox.run_list(&alone).code, Some(2));
}

#[test]
fn an_answer_is_verified_under_the_header_of_its_version() {
    let sandbox = sandbox();
    sandbox.ok("table delete d meters --key time=101 --key town=Bern");
    // Headers of versions 0 to 3, of which only that of version 2 is of interest.
    let parts = |version: u64| {
        let archive = Archive::builder().open_read_only(&sandbox.path("d")).unwrap();
        archive.root_parts(version, &mut |_| {}).unwrap().root()
    };
    let chain = TestChain::new("homes", &[[1; 32], parts(1), parts(2), parts(3)], clock(), |_| vec![1, 2, 3, 4]);
    let ((_one, node), (_two, witness)) = (chain.serve(), chain.serve());
    let trust = format!("1:{}", hex::encode(chain.hash(1)));
    let query = "sum(power) where time = 101";
    let under = |more: &[&str]| {
        let words = ["--json", "table", "verify", "meters", query, "a.json", "--trust", &trust, "--rpc", node.url()];
        sandbox.run_list(&[&words, more].concat())
    };
    run_json(&sandbox, &["query", "d", "meters", query, "--version", "2", "--root", "-o", "a.json"]);
    let held = under(&["--witness", witness.url()]);
    assert_eq!(held.code, Some(0), "{held:?}");
    let held: Value = serde_json::from_str(&held.out).unwrap();
    assert_eq!((&held["version"], &held["finding"][0]["value"]), (&json!(2), &json!("23")));
    assert_eq!(held["header"]["height"], json!(3));
    assert_eq!(held["header"]["confirmed_by"], json!([witness.url()]));
    // Nobody confirms: only where that is asked for.
    assert_eq!(under(&[]).code, Some(2));
    assert_eq!(under(&["--without-witness"]).code, Some(0));
    // An answer that is tied to another root is false under that of its version.
    let mut forged = sandbox.json("a.json");
    forged["version"] = json!(3);
    sandbox.write("a.json", forged.to_string());
    assert_eq!(under(&["--without-witness"]).code, Some(1));
    // One of a version that no header certifies yet.
    forged["version"] = json!(9);
    sandbox.write("a.json", forged.to_string());
    assert_eq!(under(&["--without-witness"]).code, Some(2));
    // One that is tied to no root.
    run_json(&sandbox, &["query", "d", "meters", query, "--version", "2", "-o", "a.json"]);
    assert_eq!(under(&["--without-witness"]).code, Some(2));
}

#[test]
fn rows_that_are_exported_are_imported_again() {
    let sandbox = sandbox();
    // Two rows of one id at one key; a number that there is not; texts with commas and quotes.
    let rows =
        "time,town,power,heat,user,tag\n102,Chur,1,-0.5,ada,t\n102,Chur,2,,ada,t\n102,Chur,,4,\"a,\"\"b\"\"\",\n";
    sandbox.write("more.csv", rows);
    sandbox.ok("table import d meters more.csv");
    let schema = run_json(&sandbox, &["show", "d", "meters"])["schema"].to_string();
    sandbox.write("schema.json", schema);
    for (number, format) in ["csv", "jsonl"].into_iter().enumerate() {
        let (file, dir) = (format!("all.{format}"), format!("copy{number}"));
        let words = ["export", "d", "meters", "--format", format, "-o", &file];
        assert_eq!(run_json(&sandbox, &words)["rows"], json!(9));
        sandbox.ok(&format!("init {dir} --vector-size 16"));
        sandbox.ok(&format!("table create {dir} meters --schema schema.json"));
        assert_eq!(run_json(&sandbox, &["import", &dir, "meters", &file])["rows"], json!(9));
        for query in [
            "sum(power) group by time, town",
            "variance(heat) group by town",
            "median(power)",
            "percentile_cont(heat, 1/3)",
            "count(heat) where time = 102",
        ] {
            let of = |dir: &str| run_json(&sandbox, &["query", dir, "meters", query])["finding"].clone();
            assert_eq!(of("d"), of(&dir), "{query}");
        }
        let of = |dir: &str| run_json(&sandbox, &["row", dir, "meters", "a,\"b\""])["value"].clone();
        assert_eq!((of("d"), of(&dir)), (json!("4.00"), json!("4.00")));
    }
    // On standard output, of some keys, as they were at a version.
    let printed = sandbox.run_list(&["table", "export", "d", "meters", "--where", "town = 'Chur'", "--version", "2"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert_eq!(printed.out, "time,town,power,heat,user,tag\n100,Chur,0,-3.00,cyd,t-cyd\n");
    let printed = sandbox.run_list(&["table", "export", "d", "meters", "--where", "time = 101", "--format", "jsonl"]);
    let lines: Vec<Value> = printed.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1], json!({ "time": "101", "town": "Bern", "power": "7", "user": "dan", "tag": "t-dan" }));
    assert_eq!(sandbox.run_list(&["table", "export", "d", "metres"]).code, Some(2));
    assert_eq!(sandbox.run_list(&["table", "export", "d", "meters", "--where", "power = 7"]).code, Some(2));
}
