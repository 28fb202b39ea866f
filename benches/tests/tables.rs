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
        let known = ["baseline", "ratio", "experiment", "groups", "bytes", "role", "servers", "value_bytes"];
        assert!(extra.is_subset(&BTreeSet::from(known)), "{row}");
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

/// `growth` runs the command `aardvark`, which `cargo test --workspace` builds beside `benches`.
#[test]
fn sizes_and_growth_cover_the_numbers_of_keys_asked_for() {
    let sizes = quick_rows("sizes", &[]);
    assert_has(&sizes, &[("kzg", "claim"), ("merkle", "proof"), ("jmt", "proof"), ("jmt", "proof_extrapolated")]);
    let growth = quick_rows("growth", &[]);
    let operations = ["import", "import_key", "restart", "apply", "prove", "audit", "resident_audit", "disk"];
    assert_has(&growth, &operations.map(|operation| ("kzg", operation)));
    assert_has(&growth, &[("kzg", "prove_cold"), ("kzg", "prove_cold_stored"), ("blst", "msm")]);
    assert!(growth.iter().filter(|row| row["unit"] == "exponent").count() == 3);
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn peers_are_measured_beside_an_archive_and_all_proofs_hold() {
    let rows = quick_rows("peers", &[]);
    let all = ["import", "import_key", "update_key", "prove", "prove_absent", "verify", "verify_absent"];
    let bytes = ["proof", "absence", "validator_state", "stale_versions", "disk", "resident_import"];
    for scheme in ["kzg", "nomt", "qmdb"] {
        assert_has(&rows, &[&all[..], &bytes].concat().into_iter().map(|row| (scheme, row)).collect::<Vec<_>>());
    }
    assert_has(&rows, &[("kzg", "follow_key"), ("nomt", "follow_key"), ("kzg", "verify_batch")]);
    assert!(!pairs(&rows).contains(&("qmdb".to_owned(), "follow_key".to_owned())));
    let number = |scheme: &str, operation: &str, field: &str| {
        let found = |row: &&Value| row["scheme"] == scheme && row["operation"] == operation;
        rows.iter().find(found).and_then(|row| row[field].as_f64())
    };
    let ratio = number("kzg", "import_key", "cpu_median").zip(number("nomt", "import_key", "cpu_median"));
    let ratio = ratio.map(|(ours, theirs)| ours / theirs).unwrap();
    assert!((number("kzg", "import_key", "ratio").unwrap() / ratio - 1.0).abs() < 1e-6);
    assert_eq!(number("nomt", "import_key", "ratio"), None);
    assert_eq!(number("nomt", "validator_state", "median"), Some(32.0));
    assert_eq!(number("qmdb", "validator_state", "median"), number("qmdb", "disk", "median"));
    assert!(number("kzg", "stale_versions", "median") == Some(10.0) && number("nomt", "proof", "median") > Some(300.0));
}

#[test]
fn without_the_program_of_the_peers_there_is_no_number_but_the_command_that_builds_it() {
    let output = run(&["peers", "--keys", "10", "--vector-size", "16", "--program", "/nowhere", "--json"]);
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cargo build --release --manifest-path"));
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
    let baseline = |row: &&Value| row["scheme"] == "db-sm" && row["role"] == "server";
    let row = rows.iter().find(baseline).unwrap_or_else(|| panic!("no db-sm of a server"));
    assert_eq!((&row["operation"], &row["baseline"]), (&Value::from("trace_in"), &Value::from("columns")));
    assert!(row["ratio"].as_f64().unwrap() > 0.0);
}

#[test]
fn tables_of_private_rows_are_measured_beside_their_peers_and_files_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().to_str().unwrap();
    let rows = quick_rows("aggregates", &["--csv", place, "--plot", place]);
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
    for operation in ["order_prove", "order_verify"] {
        let found = |scheme: &str| {
            let row = rows.iter().find(|row| row["scheme"] == scheme && row["operation"] == operation);
            row.unwrap_or_else(|| panic!("no {operation} by {scheme}"))
        };
        assert!(found("kzg")["ratio"].as_f64().unwrap() > 0.0);
        assert!(found("bls_bulletproofs")["bytes"].as_u64().unwrap() > 500);
    }
    assert_has(&rows, &[("c-kzg", "verify")]);
    experiments(&rows);
    let columns = |file: &str| std::fs::read_to_string(directory.path().join(file)).unwrap();
    for (file, header, lines) in [
        ("experiment1b.csv", "epoch,timecost,storagecost", 7),
        ("experiment2d.csv", "epoch,timecost,storagecost", 7),
        ("experiment3h.csv", "epoch,timecost,bandwidthcost", 6),
        ("experiment4.csv", "idx,prefix_request_transfer_time,", 13),
        ("experiment5.csv", "storage,insert,lookup,auditor,sum,min,quantile", 4),
        ("experiment6.csv", "n_users, n_trees, file, sql, tree, lookup_total,", 2),
        ("experiment7.csv", "n_users, n_trees, file, sql, tree, audit_prefix_tree, audit_sum_trees", 2),
    ] {
        let text = columns(file);
        assert!(text.starts_with(header), "{file}: {text}");
        assert_eq!(text.lines().count(), lines, "{file}");
        let fields = header.matches(',').count();
        assert!(text.lines().all(|line| line.matches(',').count() >= fields && !line.contains("NaN")), "{file}");
    }
    for figure in ["aggregates-inserts.svg", "aggregates-queries.svg", "aggregates-growth.svg"] {
        assert!(columns(figure).contains("quoted"), "{figure}");
    }
}

/// Each of the paper's experiments has its rows, and each query stands beside its lower bounds.
fn experiments(rows: &[Value]) {
    let has = |experiment: &str, scheme: &str, operation: &str| {
        let wanted = [("experiment", experiment), ("scheme", scheme), ("operation", operation)];
        let found = |row: &&Value| wanted.iter().all(|(field, value)| row[field] == *value);
        rows.iter().find(found).unwrap_or_else(|| panic!("no {operation} by {scheme} in experiment {experiment}"))
    };
    for experiment in ["1a", "1b", "1c", "2a", "2b", "2c", "2d"] {
        assert!(has(experiment, "kzg", "insert")["cpu_median"].as_f64().unwrap() > 0.0);
        assert!(has(experiment, "kzg", "storage")["bytes"].as_u64().unwrap() > 0);
    }
    let queries = [
        ("3a", "lookup"),
        ("3b", "sum"),
        ("3c", "average"),
        ("3d", "count"),
        ("3e", "min"),
        ("3f", "max"),
        ("3g", "median"),
        ("3h", "percentile_5"),
        ("3h", "percentile_95"),
        ("4", "median"),
        ("5", "sum"),
        ("6", "median_all"),
        ("6", "min_limited"),
    ];
    for (experiment, operation) in queries {
        let ours = has(experiment, "kzg", operation);
        assert_eq!(ours["baseline"], format!("sqlite {operation}"));
        let bytes = ours["bytes"].as_u64().unwrap();
        assert!((400..100_000).contains(&bytes), "{operation}: {bytes}");
        let share = |role: &str| has(experiment, "kzg", &format!("{operation}_{role}"))["cpu_median"].as_f64();
        assert!(share("server").unwrap() > 0.0 && share("client").unwrap() > 0.0);
        for bound in ["sqlite", "array"] {
            has(experiment, bound, operation);
        }
    }
    for (experiment, operation) in [("5", "audit"), ("7", "audit"), ("7", "audit_dictionary"), ("6", "build")] {
        assert!(has(experiment, "kzg", operation)["size"].as_u64().unwrap() >= 12);
    }
}
