//! `aardvark prove` and `verify` of many keys and of ranges, under commitments, a root or a note:
//! what holds, and every lie of the whole command.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;

use common::Sandbox;
use serde_json::{Value, json};

/// Two dictionaries of one content, `d` and `e`, at N = 4, with two versions, and for each the
/// commitments and the root.
fn scene() -> Sandbox {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("init e --vector-size 4");
    sandbox.ok("import e five.csv");
    sandbox.write("later.csv", "curl,8.0\nbash\nzsh,5.9\n");
    for dictionary in ["d", "e"] {
        sandbox.ok(&format!("import {dictionary} later.csv"));
        for version in [1, 2] {
            sandbox.ok(&format!("commitments {dictionary} --version {version} -o {dictionary}{version}.json"));
            sandbox.ok(&format!("root {dictionary} --version {version} -o {dictionary}{version}.root"));
        }
    }
    sandbox
}

/// The entries at versions 1 and 2.
fn entries(version: u64) -> BTreeMap<&'static str, &'static str> {
    let mut map = BTreeMap::from([("apt", "2.6"), ("bash", "5.2"), ("curl", "7.88"), ("dash", "0.5"), ("git", "2.39")]);
    if version == 2 {
        map.extend([("curl", "8.0"), ("zsh", "5.9")]);
        map.remove("bash");
    }
    map
}

fn hex(text: &str) -> String {
    format!("0x{}", text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// What is trusted of a version of `d`, in each form that `prove` makes proofs for.
fn anchors(sandbox: &Sandbox, version: u64) -> [(&'static str, String); 2] {
    let root = sandbox.read(&format!("d{version}.root"));
    [("", format!("--commitments d{version}.json")), ("--root", format!("--root {}", root.trim()))]
}

/// Runs with words that may be empty.
fn run(sandbox: &Sandbox, words: &[&str], rest: &str) -> common::Outcome {
    sandbox.run_list(&[words, &rest.split_whitespace().collect::<Vec<_>>()].concat())
}

fn ok_json(sandbox: &Sandbox, words: &[&str], rest: &str) -> Value {
    let outcome = run(sandbox, &[&["--json"], words].concat(), rest);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str(&outcome.out).unwrap()
}

#[test]
fn ranges_are_proved_and_verified_in_every_form_at_every_version() {
    let sandbox = scene();
    for version in [1, 2] {
        let map = entries(version);
        for (from, to, limit) in
            [("", "", None), ("bash", "git", None), ("b", "", Some(2)), ("", "apt", None), ("x", "y", None)]
        {
            let within = map.range(from..).filter(|(key, _)| to.is_empty() || **key < to);
            let mut expected: Vec<Value> =
                within.map(|(key, value)| json!({ "key": hex(key), "value": hex(value) })).collect();
            let next = limit.and_then(|most| expected.get(most).map(|entry| entry["key"].clone()));
            expected.truncate(limit.unwrap_or(usize::MAX));
            let limit = limit.map(|most| format!("--limit {most}")).unwrap_or_default();
            for together in ["", "--together"] {
                for (form, anchor) in anchors(&sandbox, version) {
                    let rest = format!("{limit} {together} {form} --version {version} -o p.json");
                    let made = ok_json(&sandbox, &["prove", "d", "--range", from, to], &rest);
                    assert_eq!((&made["entries"], &made["next"]), (&json!(expected.len()), &json!(next)));
                    let answer = ok_json(&sandbox, &["verify", "--range", from, to, "p.json"], &anchor);
                    let exact = json!({ "result": "holds", "version": version, "entries": expected, "next": next });
                    assert_eq!(answer, exact, "{from} to {to}, {rest}");
                    let proof = sandbox.json("p.json");
                    assert_eq!(proof["folded_opening"].is_string(), !together.is_empty());
                    let claims = proof["claims"].as_array().unwrap();
                    assert!(claims.iter().all(|claim| claim["opening"].is_string() == together.is_empty()));
                }
            }
        }
    }
}

#[test]
fn many_keys_are_proved_together_and_one_key_under_a_root() {
    let sandbox = scene();
    sandbox.write("keys.csv", "zsh\ncurl\nbash,whatever\ncurl\n0x00\n");
    let map = entries(2);
    let answer = |key: &str| match map.get(key) {
        Some(value) => json!({ "key": hex(key), "answer": "present", "value": hex(value) }),
        None => json!({ "key": hex(key), "answer": "absent" }),
    };
    let expected: Vec<Value> = ["\0", "bash", "curl", "zsh"].map(answer).to_vec();
    for (form, anchor) in anchors(&sandbox, 2) {
        let made = ok_json(&sandbox, &["prove", "d", "--keys", "keys.csv", "--together", "-o", "p.json"], form);
        assert_eq!((&made["keys"], &made["present"]), (&json!(4), &json!(2)));
        let said = ok_json(&sandbox, &["verify", "--keys", "keys.csv", "p.json"], &anchor);
        assert_eq!(said, json!({ "result": "holds", "version": 2, "answers": expected }));
        let text = run(&sandbox, &["verify", "--keys", "keys.csv", "p.json"], &anchor).out;
        assert!(
            text.contains("\n  0x00  absent\n  bash  absent\n  curl  present  8.0\n  zsh  present  5.9\n"),
            "{text}"
        );
    }
    let (_, root) = &anchors(&sandbox, 2)[1];
    for key in ["curl", "bash", "0x00"] {
        sandbox.ok(&format!("prove d {key} --root -o p.json"));
        let said = sandbox.ok_json(&format!("verify {key} p.json {root}"));
        let known = sandbox.ok_json(&format!("get d {key}"));
        let presence = if known["present"] == json!(true) { "present" } else { "absent" };
        assert_eq!((&said["result"], &said["version"]), (&json!("holds"), &json!(2)));
        assert_eq!((&said["answer"], said.get("value").is_some()), (&json!(presence), presence == "present"));
        assert_eq!(said["value"], known["value"]);
    }
    let lines = sandbox.ok("prove d --keys keys.csv --root");
    for (key, line) in ["zsh", "curl", "bash", "curl", "0x00"].into_iter().zip(lines.lines()) {
        sandbox.write("p.json", line);
        sandbox.ok(&format!("verify {key} p.json {root} --strict"));
    }
    assert_eq!(lines.lines().count(), 5);
}

/// Proves `bash` up to `git` of version 1 with and without one opening, under both anchors, changes
/// it, and demands that it does not hold, with this exit code and this reason.
fn lie(sandbox: &Sandbox, code: i32, reason: &str, change: impl Fn(&mut Value)) {
    for together in ["", "--together"] {
        for (form, anchor) in anchors(sandbox, 1) {
            sandbox.ok(&format!("prove d --range bash git --version 1 {together} {form} -o p.json"));
            let mut proof = sandbox.json("p.json");
            change(&mut proof);
            sandbox.write("p.json", proof.to_string());
            let outcome = sandbox.run(&format!("--json verify --range bash git p.json {anchor}"));
            outcome.demand(code, "");
            let said: Value = serde_json::from_str(&outcome.out).unwrap();
            assert_eq!(said["reason"], reason, "{together} {form}: {outcome:?}");
        }
    }
}

fn claims(proof: &mut Value) -> &mut Vec<Value> {
    proof["claims"].as_array_mut().unwrap()
}

#[test]
fn a_range_that_is_cut_reordered_doubled_or_of_another_question_does_not_hold() {
    let sandbox = scene();
    // With one opening for all claims, every change to them makes the opening false first.
    let plain = |code, reason: &str, change: &dyn Fn(&mut Value)| {
        sandbox.ok("prove d --range bash git --version 1 -o p.json");
        let mut proof = sandbox.json("p.json");
        change(&mut proof);
        sandbox.write("p.json", proof.to_string());
        let outcome = sandbox.run("--json verify --range bash git p.json --commitments d1.json");
        let said: Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!((outcome.code, &said["reason"]), (Some(code), &json!(reason)), "{outcome:?}");
    };
    plain(1, "ChainMissing", &|proof| drop(claims(proof).pop()));
    plain(1, "ChainMissing", &|proof| claims(proof).clear());
    plain(1, "ChainNotCovering", &|proof| drop(claims(proof).remove(0)));
    plain(1, "ChainNotCovering", &|proof| drop(claims(proof).remove(1)));
    plain(1, "ChainNotCovering", &|proof| claims(proof).swap(0, 1));
    plain(1, "ChainSuperfluous", &|proof| {
        let last = claims(proof).last().unwrap().clone();
        claims(proof).push(last);
    });
    lie(&sandbox, 1, "AnswerOpeningFalse", |proof| proof["claims"][1]["slot"]["value"] = json!("0x39"));
    lie(&sandbox, 1, "AnswerOpeningFalse", |proof| proof["claims"][0]["slot"]["next"] = json!("0x64617368"));
    lie(&sandbox, 1, "AnswerOpeningFalse", |proof| proof["claims"][0]["position"] = json!(1));
    lie(&sandbox, 2, "OtherQuestion", |proof| proof["question"]["range"]["to"] = json!(hex("curl")));
    lie(&sandbox, 2, "OtherQuestion", |proof| proof["question"]["range"]["from"] = json!(hex("c")));
    lie(&sandbox, 2, "OtherQuestion", |proof| proof["question"] = json!({ "keys": [hex("bash")] }));
    lie(&sandbox, 2, "QuestionIllegal", |proof| proof["question"]["range"]["limit"] = json!(0));
    // The limit is the proof's own: what it leaves out is said, unless another was asked for.
    sandbox.ok("prove d --range bash git --limit 1 -o p.json");
    for rest in ["--limit 2", "--limit 3"] {
        sandbox.refused(&format!("verify --range bash git p.json --commitments d2.json {rest}"), 2, "another question");
    }
    let short = sandbox.ok("verify --range bash git p.json --commitments d2.json --limit 1");
    assert!(short.contains("not all  more may follow, from dash on\n"), "{short}");
}

#[test]
fn proofs_recombined_from_honest_ones_of_other_versions_and_dictionaries_do_not_hold() {
    let sandbox = scene();
    let prove = |dictionary: &str, version: u64, rest: &str| {
        sandbox.ok(&format!("prove {dictionary} --range bash git --version {version} {rest} -o q.json"));
        sandbox.json("q.json")
    };
    for rest in ["", "--together"] {
        let (older, newer, other) = (prove("d", 1, rest), prove("d", 2, rest), prove("e", 1, rest));
        let verdict = |proof: &Value, anchor: &str| {
            sandbox.write("p.json", proof.to_string());
            let outcome = sandbox.run(&format!("--json verify --range bash git p.json {anchor}"));
            let said: Value = serde_json::from_str(&outcome.out).unwrap();
            (outcome.code.unwrap(), said["reason"].as_str().unwrap_or("holds").to_owned())
        };
        let under = |file: &str| format!("--commitments {file}");
        assert_eq!(verdict(&older, &under("d1.json")), (0, "holds".to_owned()));
        assert_eq!(verdict(&older, &under("d2.json")), (2, "OtherVersion".to_owned()));
        assert_eq!(verdict(&older, &under("e1.json")), (2, "OtherDictionary".to_owned()));
        // The claims of one under the name of another.
        let mut stale = newer.clone();
        stale["claims"] = older["claims"].clone();
        assert_eq!(verdict(&stale, &under("d2.json")).0, 1);
        let mut renamed = older.clone();
        renamed["version"] = json!(2);
        assert_eq!(verdict(&renamed, &under("d2.json")).0, 1);
        let mut foreign = older.clone();
        foreign["dictionary"] = other["dictionary"].clone();
        // Both dictionaries have one content, so that plain openings are true in both; a folded one
        // is bound to its dictionary.
        let expected = if rest.is_empty() { 0 } else { 1 };
        assert_eq!(verdict(&foreign, &under("e1.json")).0, expected);
    }
}

#[test]
fn roots_bind_everything_that_a_proof_brings() {
    let sandbox = scene();
    let root = |name: &str| sandbox.read(&format!("{name}.root")).trim().to_owned();
    let rooted = |change: &dyn Fn(&mut Value), code, reason: &str| {
        sandbox.ok("prove d --range bash git --root -o p.json");
        let mut proof = sandbox.json("p.json");
        change(&mut proof);
        sandbox.write("p.json", proof.to_string());
        let outcome = sandbox.run(&format!("--json verify --range bash git p.json --root {}", root("d2")));
        let said: Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!((outcome.code, &said["reason"]), (Some(code), &json!(reason)), "{outcome:?}");
    };
    rooted(&|proof| proof["version"] = json!(1), 1, "RootFalse");
    rooted(&|proof| proof["root"]["size"] = json!(5), 1, "RootFalse");
    rooted(&|proof| proof["root"]["tail_digest"] = json!(hex(&"x".repeat(32))), 1, "RootFalse");
    rooted(&|proof| proof["root"]["vectors"][0]["path"][0] = json!(hex(&"x".repeat(32))), 1, "PathFalse");
    rooted(&|proof| proof["root"]["identity"]["name"] = json!(hex("e")), 2, "OtherDictionary");
    rooted(&|proof| proof["root"]["identity"]["name"] = json!("0x"), 2, "PartsMalformed");
    rooted(&|proof| drop(proof["root"].as_object_mut().unwrap().remove("identity")), 2, "TieMismatched");
    rooted(&|proof| drop(proof.as_object_mut().unwrap().remove("root")), 2, "TieMismatched");
    sandbox.ok("prove d --range bash git --root -o p.json");
    for other in ["d1", "e2"] {
        sandbox.refused(&format!("verify --range bash git p.json --root {}", root(other)), 1, "hash to the root");
    }
    sandbox.refused("verify --range bash git p.json --root 0x12", 2, "1 bytes where 32 are needed");
    sandbox.ok("prove d curl -o p.json");
    sandbox.refused(&format!("verify curl p.json --root {}", root("d2")), 2, "prove --root");
}

#[test]
fn what_is_asked_for_is_one_thing_and_said_whole() {
    let sandbox = scene();
    sandbox.write("keys.csv", "curl\n");
    sandbox.ok("prove d curl -o one.json");
    sandbox.ok("prove d --range bash git -o range.json");
    sandbox.ok("prove d --keys keys.csv --together -o keys.json");
    for (line, reason) in [
        ("verify curl one.json", "--commitments <FILE>"),
        ("verify one.json --commitments d2.json", "a key and a proof"),
        ("verify --range bash git curl range.json --commitments d2.json", "and no key"),
        ("verify --keys keys.csv curl keys.json --commitments d2.json", "and no key"),
        ("verify --range bash range.json --commitments d2.json", "--range"),
        ("verify --keys keys.csv --range bash git range.json --commitments d2.json", "cannot be used with"),
        ("verify --range bash git range.json --commitments d2.json --root 0x12", "--root"),
        ("verify --range bash git one.json --commitments d2.json", "one.json: this is a proof for one key"),
        ("verify --range bash git d1.json --commitments d2.json", "d1.json: these are commitments"),
        ("verify --range bash git range.json --commitments range.json", "range.json: this is a proof"),
        ("verify --keys keys.csv range.json --commitments d2.json", "another question"),
        ("verify --range bash git keys.json --commitments d2.json", "another question"),
        ("verify curl range.json --commitments d2.json", "another question"),
        ("verify dash keys.json --commitments d2.json", "another question"),
        ("verify --range git bash range.json --commitments d2.json", "nobody can ask"),
        ("prove d --range git bash", "nobody can ask"),
        ("prove d --range bash git --limit 0", "nobody can ask"),
        ("prove d --range bash", "--range"),
        ("prove d curl --together", "cannot be used with"),
        ("prove d curl --delete --root", "cannot be used with"),
        ("prove d curl --range a b", "cannot be used with"),
        ("prove d curl --limit 1", "cannot be used with"),
    ] {
        sandbox.refused(line, 2, reason);
    }
    // A proof of many keys answers for one, where it is the only one.
    sandbox.ok("verify curl keys.json --commitments d2.json");
    sandbox.ok("init l --vector-size 4 --insecure-libert-yung");
    sandbox.refused("prove l --keys keys.csv --together", 2, "");
}
