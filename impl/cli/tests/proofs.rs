//! `aardvark prove`, `commitments` and `verify`: what holds, and everything that does not.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::{Value, json};

const VERIFY_CURL: &str = "verify curl p.json --commitments c.json";

/// A change to a file, the exit code after it, and the reason.
type Case<'a> = (&'a dyn Fn(&mut Value), i32, &'a str);

/// Five keys, and an honest proof for `curl` in `p.json`.
fn with_proof() -> Sandbox {
    let sandbox = Sandbox::with_five_keys();
    sandbox.ok("prove d curl -o p.json");
    sandbox
}

/// Changes `p.json` and demands that it does not verify, for a reason.
fn after(sandbox: &Sandbox, change: impl Fn(&mut Value), code: i32, reason: &str) {
    let original = sandbox.read("p.json");
    let mut proof = sandbox.json("p.json");
    change(&mut proof);
    sandbox.write("p.json", proof.to_string());
    sandbox.refused(VERIFY_CURL, code, reason);
    sandbox.write("p.json", original);
}

#[test]
fn present_and_absent_keys_are_proved_and_verified() {
    let sandbox = Sandbox::with_five_keys();
    for key in ["apt", "bash", "curl", "dash", "git", "a", "cat", "zsh", "0xff", "0x00"] {
        for flags in ["", " --delete"] {
            sandbox.ok(&format!("prove d {key}{flags} -o p.json"));
            for strict in ["", " --strict"] {
                let answer = sandbox.ok_json(&format!("verify {key} p.json --commitments c.json{strict}"));
                let expected = sandbox.ok_json(&format!("get d {key}"));
                assert_eq!(answer["result"], "holds");
                assert_eq!((&answer["present"], &answer["value"]), (&expected["present"], &expected["value"]), "{key}");
            }
        }
    }
    assert_eq!(
        sandbox.ok(VERIFY_CURL.replace("curl", "0x00").as_str()),
        "proof    holds\nkey      0x00\nanswer   absent\nversion  1\n"
    );
}

#[test]
fn many_keys_are_proved_in_one_call_a_line_each() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("keys.csv", "git,any value\napt\nzsh\n0xff\ngit\n");
    for flags in ["", " --delete"] {
        let lines = sandbox.ok(&format!("prove d --keys keys.csv{flags}"));
        let asked = ["git", "apt", "zsh", "0xff", "git"];
        assert_eq!(lines.lines().count(), asked.len());
        for (key, line) in asked.into_iter().zip(lines.lines()) {
            let alone: Value = serde_json::from_str(&sandbox.ok(&format!("prove d {key}{flags}"))).unwrap();
            assert_eq!(serde_json::from_str::<Value>(line).unwrap(), alone);
            sandbox.write("p.json", line);
            sandbox.ok(&format!("verify {key} p.json --commitments c.json --strict"));
        }
        let summary = sandbox.ok_json(&format!("prove d --keys keys.csv{flags} -o all.jsonl"));
        assert_eq!((&summary["keys"], &summary["present"]), (&json!(5), &json!(3)));
        assert_eq!(sandbox.read("all.jsonl"), lines);
    }
    sandbox.write("bad.csv", "apt\n,1\n");
    sandbox.refused("prove d --keys bad.csv -o none.jsonl", 2, "bad.csv, line 2");
    assert!(!sandbox.path("none.jsonl").exists());
    sandbox.refused("prove d --keys keys.csv --version 2", 2, "version 2");
    assert_eq!(sandbox.run("prove d").code, Some(2));
    assert_eq!(sandbox.run("prove d apt --keys keys.csv").code, Some(2));
}

#[test]
fn the_proof_on_standard_output_is_the_one_in_the_file_and_verifies_from_standard_input() {
    let sandbox = with_proof();
    let printed = sandbox.ok("prove d curl");
    assert_eq!(printed, sandbox.read("p.json"));
    assert_eq!(sandbox.ok("--json prove d curl"), printed);
    let outcome = sandbox.run_with_input("verify curl - --commitments c.json", printed);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(sandbox.ok("commitments d"), sandbox.read("c.json"));
}

#[test]
fn the_files_are_those_of_format_1() {
    let sandbox = with_proof();
    let (proof, known) = (sandbox.json("p.json"), sandbox.json("c.json"));
    assert_eq!(proof["format"], 1);
    assert_eq!(proof["key"], "0x6375726c");
    assert_eq!(proof["claims"][0]["slot"], json!({ "key": "0x6375726c", "value": "0x372e3838", "next": "0x64617368" }));
    assert_eq!(proof["claims"][0]["position"], 3);
    assert_eq!((&known["slots"], known["commitments"].as_array().unwrap().len()), (&json!(6), 2));
    for field in ["format", "dictionary", "scheme", "vector_size", "version"] {
        assert_eq!(proof[field], known[field], "{field}");
    }
}

#[test]
fn proofs_of_older_versions_verify_against_the_commitments_of_their_version_only() {
    let sandbox = with_proof();
    sandbox.write("later.csv", "curl,8.0\nbash\n");
    sandbox.ok("import d later.csv");
    sandbox.ok("commitments d -o c2.json");
    sandbox.refused("verify curl p.json --commitments c2.json", 2, "for version 1, the commitments are for version 2");
    sandbox.ok("prove d bash --version 1 -o bash.json");
    assert!(sandbox.ok("verify bash bash.json --commitments c.json").contains("5.2"));
    sandbox.ok("commitments d --version 1 -o c1.json");
    assert_eq!(sandbox.read("c1.json"), sandbox.read("c.json"));
    after(&sandbox, |proof| proof["version"] = json!(2), 2, "version 2");
}

#[test]
fn versions_outside_of_the_archive_are_refused_with_those_that_are_there() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 4 --window 1");
    sandbox.write("a.csv", "a,1\nb,1\nc,1\nd,1\n");
    sandbox.ok("import d a.csv --block-size 1");
    for command in ["prove d a", "get d a", "commitments d"] {
        sandbox.refused(&format!("{command} --version 5"), 2, "versions 3 to 4");
        sandbox.refused(&format!("{command} --version 2"), 2, "versions 3 to 4");
        sandbox.ok(&format!("{command} --version 3"));
    }
}

#[test]
fn a_proof_for_something_else_is_refused() {
    let sandbox = with_proof();
    sandbox.refused("verify dash p.json --commitments c.json", 2, "for the key curl, not for dash");
    after(&sandbox, |proof| proof["key"] = json!("0x64617368"), 2, "for the key dash");
    after(&sandbox, |proof| proof["vector_size"] = json!(8), 2, "for vector size 8");
    after(&sandbox, |proof| proof["scheme"] = json!("libert-yung"), 2, "for scheme libert-yung");
    after(&sandbox, |proof| proof["dictionary"] = json!(format!("0x{}", "00".repeat(32))), 2, "for dictionary 0x0000");
    after(&sandbox, |proof| proof["claims"][0]["position"] = json!(2), 1, "does not prove");
    after(&sandbox, |proof| proof["claims"][0]["position"] = json!(4), 1, "does not prove");
    after(&sandbox, |proof| proof["claims"][0]["position"] = json!(7), 1, "where version 1 has 6 slots");
    after(&sandbox, |proof| proof["claims"][0]["slot"]["value"] = json!("0x00"), 1, "does not prove");
    after(&sandbox, |proof| proof["claims"][0]["slot"]["next"] = json!("0x6375726d"), 1, "does not prove");
    after(&sandbox, |proof| proof["claims"][0]["slot"]["key"] = json!("0x6375"), 1, "does not prove");
    after(&sandbox, |proof| proof["claims"][0]["slot"]["key"] = json!("0x63757a"), 1, "does not prove");
}

#[test]
fn the_slot_of_another_key_under_this_keys_name_is_refused() {
    let sandbox = with_proof();
    for other in ["apt", "bash", "dash", "git", "zsh", "0x00"] {
        sandbox.ok(&format!("prove d {other} -o p.json"));
        after(&sandbox, |proof| proof["key"] = json!("0x6375726c"), 1, "not curl");
    }
}

#[test]
fn a_proof_of_another_dictionary_is_refused() {
    let sandbox = with_proof();
    sandbox.ok("init e --vector-size 4 --window 9");
    sandbox.ok("import e five.csv");
    sandbox.ok("prove e curl -o p.json");
    sandbox.refused(VERIFY_CURL, 2, "the proof is for dictionary");
}

#[test]
fn no_byte_of_a_proof_can_change_unnoticed() {
    let sandbox = with_proof();
    sandbox.ok("prove d curl --delete -o p.json");
    let text = sandbox.read("p.json").into_bytes();
    let mut codes = [0; 3];
    for at in 0..text.len() {
        let mut flipped = text.clone();
        flipped[at] ^= 1 << (at % 8);
        sandbox.write("p.json", &flipped);
        let outcome = sandbox.run(VERIFY_CURL);
        assert!(matches!(outcome.code, Some(1 | 2)), "byte {at}: {outcome:?}");
        let label = if outcome.code == Some(1) { "false: " } else { "error: " };
        assert!(outcome.err.starts_with(label) && !outcome.err.contains("panicked"), "byte {at}: {outcome:?}");
        codes[usize::try_from(outcome.code.unwrap()).unwrap()] += 1;
    }
    assert!(codes[1] > 20 && codes[2] > 200, "{codes:?}");
}

#[test]
fn text_that_is_no_proof_is_malformed() {
    let sandbox = with_proof();
    let text = sandbox.read("p.json");
    for (malformed, reason) in [
        (String::new(), "EOF"),
        ("{}".to_owned(), "missing field"),
        ("[]".to_owned(), "p.json: "),
        ("null".to_owned(), "p.json: "),
        ("\u{0}".to_owned(), "p.json: "),
        (text[..text.len() / 2].to_owned(), "EOF"),
        (text.replace("\"format\": 1", "\"format\": 2"), "format 2"),
        (text.replace("kzg", "merkle"), "unknown commitment scheme"),
        (text.replace("\"version\"", "\"proof\": 1, \"version\""), "unknown field `proof`"),
        (text.replace("\"version\": 1", "\"version\": 1, \"version\": 1"), "duplicate field `version`"),
        (text.replace("\"version\": 1", "\"version\": -1"), "invalid value"),
        (text.replace("\"version\": 1", "\"version\": 1.5"), "invalid type"),
        (text.replace("0x6375726c", "0x6375726C"), "not a lower-case"),
        (text.replace("0x6375726c", "curl"), "starts with 0x"),
        (text.replace("0x6375726c", "0x6375726"), "odd number"),
        (text.replace("\"claims\": [", "\"claims\": [], \"x\": ["), "unknown field `x`"),
        (format!("{text}{text}"), "trailing characters"),
        ("[".repeat(60_000), "p.json: "),
        (format!("{{\"format\":1,\"claims\":{}", "[".repeat(60_000)), "p.json: "),
        (" ".repeat(70_000), "larger than"),
    ] {
        sandbox.write("p.json", &malformed);
        sandbox.refused(VERIFY_CURL, 2, reason);
    }
}

#[test]
fn openings_that_are_no_points_are_malformed_and_other_points_are_false() {
    let sandbox = with_proof();
    let opening = |hex: String| move |proof: &mut Value| proof["claims"][0]["opening"] = json!(format!("0x{hex}"));
    after(&sandbox, opening("00".repeat(48)), 2, "the opening of claim 1");
    after(&sandbox, opening("ff".repeat(48)), 2, "the opening of claim 1");
    after(&sandbox, opening(format!("e0{}", "00".repeat(47))), 2, "the opening of claim 1");
    after(&sandbox, opening(format!("c0{}01", "00".repeat(46))), 2, "the opening of claim 1");
    after(&sandbox, opening(format!("80{}", "00".repeat(47))), 2, "the opening of claim 1");
    after(&sandbox, opening("00".repeat(47)), 2, "47 bytes where 48 are needed");
    after(&sandbox, opening(format!("c0{}", "00".repeat(47))), 1, "does not prove");
}

#[test]
fn commitments_that_do_not_fit_are_malformed_and_others_make_the_proof_false() {
    let sandbox = with_proof();
    let original = sandbox.read("c.json");
    let swapped = |known: &mut Value| {
        let first = known["commitments"][0].take();
        known["commitments"][0] = known["commitments"][1].take();
        known["commitments"][1] = first;
    };
    let changes: [Case<'_>; 9] = [
        (&swapped, 1, "does not prove"),
        (&|known| known["commitments"][0] = json!("0x00"), 2, "1 bytes where 48 are needed"),
        (
            &|known| known["commitments"][0] = json!(format!("0x{}", "00".repeat(48))),
            2,
            "the commitment for position 3",
        ),
        (&|known| known["slots"] = json!(4), 2, "2 commitments, where 4 slots need 1"),
        (&|known| known["slots"] = json!(0), 2, "sentinel"),
        (&|known| known["vector_size"] = json!(0), 2, "power of two"),
        (&|known| known["vector_size"] = json!(3), 2, "power of two"),
        (&|known| known["format"] = json!(3), 2, "c.json: format 3"),
        (&|known| known["scheme"] = json!("pedersen"), 2, "unknown commitment scheme"),
    ];
    for (change, code, reason) in changes {
        let mut known = sandbox.json("c.json");
        change(&mut known);
        sandbox.write("c.json", known.to_string());
        sandbox.refused(VERIFY_CURL, code, reason);
        sandbox.write("c.json", &original);
    }
    sandbox.refused("verify curl p.json --commitments missing.json", 2, "missing.json: No such file");
    sandbox.refused("verify curl missing.json --commitments c.json", 2, "missing.json: No such file");
    sandbox.refused("verify curl c.json --commitments p.json", 2, "p.json: this is a proof");
    sandbox.refused("explain c.json --commitments p.json", 2, "are the two swapped?");
    sandbox.refused("verify curl p.json --commitments p.json", 2, "p.json: this is a proof");
    sandbox.refused("verify curl c.json --commitments c.json", 2, "c.json: these are commitments");
    sandbox.write("long.json", sandbox.read("c.json") + &" ".repeat(1 << 16));
    sandbox.refused("verify curl long.json --commitments p.json", 2, "p.json: this is a proof");
    sandbox.refused("verify curl long.json --commitments c.json", 2, "long.json: these are commitments");
    sandbox.write("long.json", " ".repeat(1 << 17));
    sandbox.refused("verify curl long.json --commitments c.json", 2, "65536 bytes, the most that a proof has");
}

#[test]
fn only_the_commitment_that_is_used_is_decoded() {
    let sandbox = with_proof();
    let mut known = sandbox.json("c.json");
    known["commitments"][1] = json!("0xnonsense");
    sandbox.write("c.json", known.to_string());
    sandbox.ok(VERIFY_CURL);
    sandbox.ok("prove d git -o git.json");
    sandbox.refused("verify git git.json --commitments c.json", 2, "the commitment for position 5");
}

#[test]
fn keys_that_cannot_be_are_refused_everywhere() {
    let sandbox = with_proof();
    let long = "k".repeat(256);
    for command in ["get d KEY", "prove d KEY", "verify KEY p.json --commitments c.json"] {
        let with = |key: &str| {
            command.split(' ').map(|word| if word == "KEY" { key } else { word }.to_owned()).collect::<Vec<_>>()
        };
        for (key, reason) in [
            ("", "the sentinel's"),
            ("0x", "the sentinel's"),
            ("0xzz", "--text"),
            ("0xA1", "lower-case"),
            (&long, "256 bytes"),
        ] {
            let line = with(key);
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            sandbox.run_list(&line).demand(2, reason);
        }
    }
}

#[test]
fn what_json_says_of_a_refusal_is_result_reason_and_message() {
    let sandbox = with_proof();
    let refused = |line: &str| -> Value { serde_json::from_str(&sandbox.run(line).out).unwrap() };
    let other = refused("--json verify dash p.json --commitments c.json");
    assert_eq!((&other["result"], &other["reason"]), (&json!("malformed"), &json!("AnotherKey")));
    let mut proof = sandbox.json("p.json");
    proof["claims"][0]["slot"]["value"] = json!("0x00");
    sandbox.write("p.json", proof.to_string());
    let forged = refused(&format!("--json {VERIFY_CURL}"));
    assert_eq!((&forged["result"], &forged["reason"]), (&json!("false"), &json!("OpeningFalse")));
    assert!(forged["error"].as_str().unwrap().contains("does not prove"));
}

#[test]
fn output_that_cannot_be_written_is_an_error_and_the_old_file_stays() {
    let sandbox = with_proof();
    sandbox.refused("prove d curl -o missing/p.json", 2, "missing/p.json");
    if std::path::Path::new("/dev/full").exists() {
        sandbox.refused("prove d curl -o /dev/full", 1, "/dev/full");
        sandbox.refused("commitments d -o /dev/full", 1, "/dev/full");
    }
    assert_eq!(sandbox.read("p.json"), sandbox.ok("prove d curl"));
}
