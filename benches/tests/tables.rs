//! Every table at a tiny size: it ends well, its rows have the published shape, and nothing is
//! wrong in them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot run the program has failed")]

use std::collections::BTreeSet;
use std::process::{Command, Output};

use serde_json::Value;

const FIELDS: [&str; 14] = [
    "table",
    "scheme",
    "operation",
    "size",
    "threads",
    "unit",
    "median",
    "min",
    "max",
    "cpu_median",
    "iterations",
    "errors",
    "machine",
    "kernel",
];

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_benches")).args(arguments).output().unwrap()
}

/// The rows of a table.
fn rows(arguments: &[&str]) -> Vec<Value> {
    let output = run(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &rows {
        let fields: BTreeSet<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        let extra: BTreeSet<&str> = fields.difference(&BTreeSet::from(FIELDS)).copied().collect();
        assert!(FIELDS.iter().all(|field| fields.contains(field)), "{row}");
        assert!(extra.is_subset(&BTreeSet::from(["baseline", "ratio", "role", "servers", "value_bytes"])), "{row}");
        assert_eq!((&row["errors"], &row["table"]), (&Value::from(0), &Value::from(arguments[0])));
        let number = |field: &str| row[field].as_f64().unwrap();
        assert!(number("min") <= number("median") && number("median") <= number("max"), "{row}");
    }
    rows
}

/// Which (scheme, operation) pairs there are.
fn pairs(rows: &[Value]) -> BTreeSet<(String, String)> {
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "scheme"), text(row, "operation"))).collect()
}

fn assert_has(rows: &[Value], wanted: &[(&str, &str)]) {
    let found = pairs(rows);
    for (scheme, operation) in wanted {
        assert!(found.contains(&((*scheme).to_owned(), (*operation).to_owned())), "no {scheme} {operation}");
    }
}

/// The rows of a table at the sizes of the smoke run, `cargo xtask reproduce --quick`.
fn quick_rows(table: &str, more: &[&str]) -> Vec<Value> {
    let list = include_str!("../reproduce/quick.txt");
    let line = list.lines().find(|line| line.split_whitespace().next() == Some(table)).unwrap();
    let arguments: Vec<&str> = line.split_whitespace().chain(more.iter().copied()).collect();
    rows(&arguments)
}

#[test]
fn table1_has_every_scheme_and_peer() {
    let rows = quick_rows("table1", &[]);
    for scheme in ["kzg", "libert-yung", "paper", "multilinear", "merkle"] {
        let operations = ["commit", "open", "verify", "update_commitment", "update_opening", "update_commitment_31"];
        assert_has(&rows, &operations.map(|operation| (scheme, operation)));
    }
    let batches = ["open_all", "verify_batch", "verify_batch_decode", "verify_aggregated", "aggregated_opening"];
    assert_has(&rows, &batches.map(|operation| ("kzg", operation)));
    assert_has(
        &rows,
        &["tables", "tables_build", "tables_load", "commit_64mb", "update_apart_300mb"]
            .map(|operation| ("kzg", operation)),
    );
    for peer in ["c-kzg", "rust_eth_kzg"] {
        assert_has(&rows, &["commit", "open", "verify_blob_batch"].map(|operation| (peer, operation)));
    }
    assert_has(&rows, &["c-kzg", "rust_eth_kzg", "rs_merkle"].map(|scheme| (scheme, "verify")));
    assert_has(&rows, &[("blst", "msm"), ("blst", "scalar_mul")]);
    assert_has(&rows, &["update_commitment", "prove", "verify", "proof"].map(|operation| ("jmt", operation)));
}

#[test]
fn validators_apply_blocks_of_every_kind_and_the_figure_and_the_files_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let results = directory.path().join("results");
    let place = results.to_str().unwrap();
    let rows = quick_rows("validators", &["--plot", place, "--save", place]);
    assert_has(&rows, &["modify", "insert", "delete", "resident_peak"].map(|operation| ("kzg", operation)));
    assert_has(&rows, &["modify", "insert", "delete"].map(|operation| ("paper", operation)));
    for file in ["validators.svg", "validators.png"] {
        assert!(results.join(file).metadata().unwrap().len() > 1000);
    }
    let saved = std::fs::read_to_string(results.join("validators.jsonl")).unwrap();
    let saved: Vec<Value> = saved.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(saved, rows);
    let text = std::fs::read_to_string(results.join("validators.txt")).unwrap();
    assert!(text.lines().count() > rows.len());
}

#[test]
fn archives_prove_and_apply() {
    let rows = quick_rows("archives", &[]);
    let operations =
        ["modify", "insert", "delete", "prove", "prove_steady", "modify_steady", "apply", "snapshot", "refreshes"];
    assert_has(&rows, &operations.map(|operation| ("kzg", operation)));
    assert_has(&rows, &[("paper", "prove")]);
    let asked: BTreeSet<u64> = rows
        .iter()
        .filter(|row| row["scheme"] == "kzg" && row["operation"] == "prove")
        .map(|row| row["size"].as_u64().unwrap())
        .collect();
    assert_eq!(asked, BTreeSet::from([0, 1, 10, 100]));
}

#[test]
fn sizes_and_growth_cover_the_numbers_of_keys_asked_for() {
    let sizes = quick_rows("sizes", &[]);
    assert_has(&sizes, &[("kzg", "claim"), ("merkle", "proof"), ("jmt", "proof"), ("jmt", "proof_extrapolated")]);
    let growth = quick_rows("growth", &[]);
    assert_has(&growth, &["import", "apply", "prove", "disk"].map(|operation| ("kzg", operation)));
    assert!(growth.iter().filter(|row| row["unit"] == "exponent").count() == 3);
}

#[test]
fn fewer_than_five_runs_give_no_number() {
    let output = run(&["validators", "--keys", "100", "--operations", "4", "--blocks", "4", "--json"]);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("at least 5"));
}

#[test]
fn a_kept_tree_of_commitments_has_the_root_of_one_that_is_hashed_anew() {
    let roots = quick_rows("roots", &[]);
    assert_has(&roots, &["root", "root_shared", "root_anew"].map(|operation| ("kzg", operation)));
}

#[test]
fn a_mixnet_is_measured_for_servers_and_queriers_and_its_answers_are_the_true_ones() {
    let rows = quick_rows("mixnet", &[]);
    let operations = ["prepare", "check", "mix", "trace_in", "trace_out", "verify_mix", "inputs", "layer", "column"];
    assert_has(&rows, &operations.map(|operation| ("columns", operation)));
    for operation in ["trace_in", "trace_out"] {
        for role in ["server", "querier"] {
            let of_role = |row: &&Value| row["operation"] == operation && row["role"] == role;
            let row = rows.iter().find(of_role).unwrap_or_else(|| panic!("no {operation} of a {role}"));
            assert_eq!((&row["size"], &row["servers"]), (&Value::from(10), &Value::from(2)));
            assert!(row["cpu_median"].as_f64().unwrap() > 0.0);
        }
    }
}

#[test]
fn certificates_of_private_rows_are_made_and_verified_beside_a_pairing_check() {
    let rows = quick_rows("aggregates", &[]);
    for scheme in ["kzg 32 bits", "kzg 64 bits"] {
        let operations =
            ["build", "certificate_prove", "certificate_verify", "audit", "certificate_bytes", "pairing_check"];
        assert_has(&rows, &operations.map(|operation| (scheme, operation)));
    }
    for statistic in ["min", "median", "percentile_5", "percentile_95"] {
        for what in ["prove", "verify", "bytes"] {
            let operation = format!("{statistic}_{what}");
            let found = |row: &Value| row["operation"] == operation.as_str() && row["size"] == 20;
            assert!(rows.iter().any(found), "{operation}");
        }
    }
    let bytes = |row: &&Value| row["operation"] == "certificate_bytes" && row["scheme"] == "kzg 32 bits";
    assert!(rows.iter().filter(bytes).all(|row| row["median"] == 2865.0));
}
