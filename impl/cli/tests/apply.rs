//! `aardvark apply`: transactions with claims, those that go in and those that are left out, each
//! with its reason.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Outcome, Sandbox};
use serde_json::{Value, json};

/// The claims for a key, as `prove` prints them.
fn claims(sandbox: &Sandbox, command: &str) -> Vec<Value> {
    sandbox.ok_json(&format!("prove d {command}"))["claims"].as_array().unwrap().clone()
}

/// A transaction with claims of version 1.
fn transaction(nonce: u8, operations: Value, claims: &[Value]) -> Value {
    json!({
        "first_valid": 2, "last_valid": 12, "nonce": format!("0x{}", format!("{nonce:02x}").repeat(16)),
        "operations": operations, "claims": claims,
    })
}

/// Writes transactions, one a line, and applies them.
fn apply(sandbox: &Sandbox, transactions: &[Value]) -> Outcome {
    let lines: Vec<String> = transactions.iter().map(Value::to_string).collect();
    sandbox.write("t.jsonl", lines.join("\n"));
    sandbox.run("--json apply d t.jsonl")
}

/// Applies one transaction and demands that it is left out, for a reason.
fn left_out(sandbox: &Sandbox, transaction: Value, reason: &str) -> Value {
    let before = sandbox.ok("commitments d");
    let outcome = apply(sandbox, &[transaction]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    let left_out = report["left_out"][0].clone();
    assert_eq!(left_out["reason"], reason, "{left_out}");
    assert_eq!(sandbox.ok("commitments d"), before);
    left_out
}

#[test]
fn transactions_that_hold_go_into_a_block_and_the_rest_is_reported_with_its_line() {
    let sandbox = Sandbox::with_five_keys();
    let [curl, zsh] = ["curl", "zsh"].map(|key| claims(&sandbox, key));
    let outcome = apply(
        &sandbox,
        &[
            transaction(
                1,
                json!([{"require": {"key": "curl", "value": "7.88"}}, {"put": {"key": "curl", "value": "8.0"}}]),
                &curl,
            ),
            transaction(2, json!([{"require": {"key": "curl", "value": "7.88"}}]), &curl),
            transaction(3, json!([{"put": {"key": "zsh", "value": "5.9"}}]), &zsh),
            transaction(4, json!([{"delete": {"key": "dash"}}]), &claims(&sandbox, "dash --delete")),
        ],
    );
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    let lines =
        |list: &str| report[list].as_array().unwrap().iter().map(|item| item["line"].clone()).collect::<Vec<_>>();
    assert_eq!((lines("applied"), lines("left_out")), (vec![json!(1), json!(3), json!(4)], vec![json!(2)]));
    assert_eq!(report["left_out"][0]["reason"], "RequireFailed");
    assert_eq!(report["version"], 2);
    assert!(sandbox.ok("get d curl").contains("8.0"));
    assert!(sandbox.ok("get d zsh").contains("5.9"));
    assert!(sandbox.ok("get d dash").contains("absent"));
    sandbox.ok("audit d");
}

#[test]
fn what_applies_whole_ends_with_exit_code_0_and_says_so() {
    let sandbox = Sandbox::with_five_keys();
    let put = transaction(1, json!([{"put": {"key": "zsh", "value": "5.9"}}]), &claims(&sandbox, "zsh"));
    sandbox.write("t.jsonl", put.to_string());
    let text = sandbox.ok("apply d t.jsonl");
    assert_eq!(text, "applied   1 transaction in 1 block\nleft out  0 transactions\nversion   2\n");
    sandbox.refused("apply d missing.jsonl", 2, "missing.jsonl");
    let again = sandbox.run("apply d t.jsonl");
    assert_eq!(again.code, Some(1));
    assert!(again.out.contains("! line 1: Replayed: the transaction was applied before"), "{again:?}");
}

#[test]
fn transactions_beyond_one_block_run_in_the_order_of_the_file() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d");
    let line = |number: usize, operation: Value| {
        let nonce = format!("0x{number:032x}");
        let (first_valid, last_valid) = (1, 11);
        json!({"first_valid": first_valid, "last_valid": last_valid, "nonce": nonce, "operations": [operation], "claims": []})
    };
    // As many as a block takes, and two more, of which the second rests on the first.
    let mut lines: Vec<Value> =
        (0..65_536).map(|number| line(number, json!({"add": {"key": "n", "amount": 1}}))).collect();
    lines.push(line(65_536, json!({"put": {"key": "k", "value": "1"}})));
    lines.push(line(65_537, json!({"require": {"key": "k", "value": "1"}})));
    let outcome = apply(&sandbox, &lines);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let report: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!((&report["blocks"], &report["version"]), (&json!(2), &json!(2)));
    assert_eq!(report["applied"].as_array().unwrap().len(), 65_538);
}

#[test]
#[cfg(unix)]
fn what_was_applied_is_listed_also_where_a_later_block_fails() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d");
    let line = |number: usize, operations: Vec<Value>| {
        let nonce = format!("0x{number:032x}");
        json!({"first_valid": 1, "last_valid": 11, "nonce": nonce, "operations": operations, "claims": []})
    };
    // As many operations as a block takes, and then more bytes than the disk.
    let looks = vec![json!({"require": {"key": "k", "value": null}}); 256];
    let mut lines: Vec<Value> = (0..1024).map(|number| line(number, looks.clone())).collect();
    let value = "v".repeat(1000);
    lines.extend((0..20).map(|number| {
        let put = |key: usize| json!({"put": {"key": format!("key-{number}-{key}"), "value": value}});
        line(5000 + number, (0..256).map(put).collect())
    }));
    sandbox.write("t.jsonl", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    // A limit on the size of files stands for the full disk; 1,024-byte blocks, 8 MiB.
    let apply = format!("trap '' XFSZ; ulimit -f 8192; exec {} --json apply d t.jsonl", env!("CARGO_BIN_EXE_aardvark"));
    let folder = sandbox.path(".");
    let full = std::process::Command::new("bash").args(["-c", &apply]).current_dir(folder).output().unwrap();
    assert_eq!(full.status.code(), Some(1), "{}", String::from_utf8_lossy(&full.stderr));
    let report: Value = serde_json::from_slice(&full.stdout).unwrap();
    assert_eq!((&report["result"], &report["version"], &report["blocks"]), (&json!("failed"), &json!(1), &json!(1)));
    assert_eq!(report["applied"].as_array().unwrap().len(), 1024);
    assert_eq!(report["stopped"]["line"], 1025);
    assert!(report["stopped"]["error"].as_str().unwrap().contains("the disk is full"), "{}", report["stopped"]);
    assert_eq!(sandbox.ok_json("status d")["version"], 1);
}

#[test]
fn an_empty_file_makes_no_block() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("t.jsonl", "\n");
    assert_eq!(sandbox.ok_json("apply d t.jsonl")["version"], 1);
}

#[test]
fn a_transaction_without_a_claim_that_it_needs_names_the_key() {
    // The key lies below the tail that every validator has anyway, and was last written before the
    // window.
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 1 --window 1");
    sandbox.write("keys.csv", "a,1\nb,1\nc,1\nd,1\ne,1\n");
    sandbox.ok("import d keys.csv");
    sandbox.write("more.csv", "f,1\ng,1\n");
    sandbox.ok("import d more.csv --block-size 1");
    let lacking = |operation: Value, claims: &[Value], reason: &str| {
        let mut lacking = transaction(1, json!([operation]), claims);
        (lacking["first_valid"], lacking["last_valid"]) = (json!(4), json!(5));
        let report = left_out(&sandbox, lacking, reason);
        assert_eq!(report["key"], "0x62");
        assert!(report["message"].as_str().unwrap().contains("\"b\""), "{report}");
    };
    lacking(json!({"put": {"key": "b", "value": "2"}}), &[], "UnresolvedCovering");
    lacking(json!({"delete": {"key": "b"}}), &claims(&sandbox, "b"), "UnresolvedPredecessor");
}

#[test]
fn claims_that_are_superfluous_doubled_forged_or_out_of_range_are_refused() {
    let sandbox = Sandbox::with_five_keys();
    let (curl, git) = (claims(&sandbox, "curl"), claims(&sandbox, "git"));
    let put = |claims: &[Value]| transaction(1, json!([{"put": {"key": "curl", "value": "8"}}]), claims);
    left_out(&sandbox, put(&[curl[0].clone(), git[0].clone()]), "SuperfluousClaim");
    left_out(&sandbox, put(&[curl[0].clone(), curl[0].clone()]), "RepeatedPosition");
    let changed = |path: &str, value: Value| {
        let mut claim = curl[0].clone();
        *claim.pointer_mut(path).unwrap() = value;
        put(&[claim])
    };
    left_out(&sandbox, changed("/slot/value", json!("0x00")), "OpeningFalse");
    left_out(&sandbox, changed("/opening", json!(format!("0x{}", "00".repeat(48)))), "OpeningMalformed");
    left_out(&sandbox, changed("/position", json!(2)), "OpeningFalse");
    left_out(&sandbox, changed("/position", json!(6)), "PositionOutOfRange");
    left_out(&sandbox, changed("/position", json!(u64::MAX)), "PositionOutOfRange");
}

#[test]
fn transactions_too_early_too_late_or_for_too_long_are_refused() {
    let sandbox = Sandbox::with_five_keys();
    let curl = claims(&sandbox, "curl");
    let interval = |first: u64, last: u64| {
        let mut transaction = transaction(1, json!([{"delete": {"key": "nothing"}}]), &curl);
        (transaction["first_valid"], transaction["last_valid"]) = (json!(first), json!(last));
        transaction
    };
    left_out(&sandbox, interval(3, 5), "NotYetValid");
    left_out(&sandbox, interval(1, 1), "Expired");
    left_out(&sandbox, interval(2, 13), "IntervalTooLong");
    left_out(&sandbox, interval(0, 5), "IntervalMalformed");
    left_out(&sandbox, interval(2, u64::MAX), "IntervalTooLong");
}

#[test]
fn amounts_that_overflow_or_underflow_and_values_that_are_no_numbers_are_refused() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("accounts.csv", "alice,0xffffffffffffffff\nbob,0x0000000000000005\n");
    sandbox.ok("import d accounts.csv");
    let run = |operation: Value, key: &str, reason: &str| {
        let mut transaction = transaction(1, json!([operation]), &claims(&sandbox, key));
        transaction["first_valid"] = json!(3);
        left_out(&sandbox, transaction, reason)
    };
    run(json!({"add": {"key": "alice", "amount": 1}}), "alice", "Overflow");
    run(json!({"sub": {"key": "bob", "amount": "6"}}), "bob", "Underflow");
    run(json!({"sub": {"key": "carol", "amount": 1}}), "carol", "AbsentKey");
    run(json!({"add": {"key": "curl", "amount": 1}}), "curl", "NotANumber");
}

#[test]
fn a_payment_that_empties_an_account_is_one_transaction() {
    let sandbox = Sandbox::with_five_keys();
    sandbox.write("accounts.csv", "alice,0x0000000000000007\n");
    sandbox.ok("import d accounts.csv");
    let mut needed = claims(&sandbox, "alice --delete");
    let known: Vec<Value> = needed.iter().map(|claim| claim["position"].clone()).collect();
    needed.extend(claims(&sandbox, "bob").into_iter().filter(|claim| !known.contains(&claim["position"])));
    let operations = json!([
        {"sub": {"key": "alice", "amount": 7}}, {"require": {"key": "alice", "value": "0x0000000000000000"}},
        {"delete": {"key": "alice"}}, {"add": {"key": "bob", "amount": "7"}},
    ]);
    let mut payment = transaction(1, operations, &needed);
    payment["first_valid"] = json!(3);
    let outcome = apply(&sandbox, &[payment]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(sandbox.ok("get d alice").contains("absent"));
    assert!(sandbox.ok("get d bob").contains("0x0000000000000007"));
}

#[test]
fn a_malformed_line_is_named_and_nothing_of_the_file_is_applied() {
    let sandbox = Sandbox::with_five_keys();
    let good = transaction(1, json!([{"put": {"key": "zsh", "value": "5.9"}}]), &claims(&sandbox, "zsh")).to_string();
    let with_operation = |operation: &str| good.replace("{\"put\":{\"key\":\"zsh\",\"value\":\"5.9\"}}", operation);
    for (bad, reason) in [
        ("{".to_owned(), "EOF"),
        (good.replace("\"nonce\"", "\"fee\":1,\"nonce\""), "unknown field `fee`"),
        (good.replace("\"last_valid\":12", "\"last_valid\":12,\"last_valid\":13"), "duplicate field"),
        (good.replace("\"nonce\":\"0x01", "\"nonce\":\"0x"), "15 bytes where 16 are needed"),
        (with_operation("{\"grow\":{\"key\":\"a\"}}"), "unknown variant `grow`"),
        (with_operation("{\"put\":{\"key\":\"\",\"value\":\"\"}}"), "operation 0: the empty key"),
        (with_operation("{\"delete\":{\"key\":\"0xg0\"}}"), "operation 0: \"0xg0\""),
        (with_operation(&format!("{{\"delete\":{{\"key\":\"{}\"}}}}", "k".repeat(256))), "256 bytes"),
        (with_operation(&format!("{{\"put\":{{\"key\":\"a\",\"value\":\"{}\"}}}}", "v".repeat(1025))), "1025 bytes"),
        (with_operation("{\"add\":{\"key\":\"a\",\"amount\":0}}"), "amount"),
        (with_operation("{\"add\":{\"key\":\"a\",\"amount\":18446744073709551616}}"), "amount"),
        (with_operation("{\"sub\":{\"key\":\"a\",\"amount\":\"18446744073709551616\"}}"), "amount"),
        (with_operation("{\"sub\":{\"key\":\"a\",\"amount\":-1}}"), "amount"),
        ("[".repeat(100_000), "t.jsonl, line 2"),
    ] {
        sandbox.write("t.jsonl", format!("{good}\n{bad}\n"));
        let outcome = sandbox.refused("apply d t.jsonl", 2, reason);
        assert!(outcome.err.contains("t.jsonl, line 2"), "{outcome:?}");
    }
    assert_eq!(sandbox.ok_json("status d")["version"], 1);
}

#[test]
fn deletes_reach_below_the_tail() {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 2 --window 1");
    let keys: Vec<String> = (10..40).map(|number| format!("k{number}")).collect();
    sandbox.write("keys.csv", keys.iter().map(|key| format!("{key},1\n")).collect::<String>());
    sandbox.ok("import d keys.csv");
    let transactions: Vec<Value> = keys
        .iter()
        .zip(0..)
        .map(|(key, nonce)| {
            let claims = claims(&sandbox, &format!("{key} --delete"));
            let mut transaction = transaction(nonce, json!([{"delete": {"key": key}}]), &claims);
            transaction["last_valid"] = json!(3);
            transaction
        })
        .collect();
    let outcome = apply(&sandbox, &transactions);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let status = sandbox.ok_json("status d");
    assert_eq!((&status["keys"], &status["vectors"]), (&json!(0), &json!(1)));
    sandbox.ok("audit d");
}
