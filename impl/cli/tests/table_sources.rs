//! `aardvark table import` from Parquet files and databases: the rows of each are imported, and of
//! a source that is refused anywhere nothing is; what is asked of a database is said once, and no
//! password is printed.

#![cfg(all(feature = "parquet", feature = "sql"))]
// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{Outcome, Sandbox};

/// Fifty rows, as DuckDB wrote them.
const PARQUET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/tests/written/duckdb.parquet");
const QUERY: &str = "SELECT time, town, power, person AS user FROM readings";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok("init d --vector-size 16");
    sandbox.ok("table create d meters --key time:u32 --key town:text6 --value power:-10.0..=1990.0 --row user");
    sandbox
}

/// A SQLite file of 300 rows, of which the last one's number may be one that is refused.
fn database(path: &Path, last: &str) -> String {
    let database = rusqlite::Connection::open(path).unwrap();
    let rows = (0..299).map(|i| format!("({}, 'Bern', '{i}.5', 'u{i}')", 5 + i % 3)).collect::<Vec<_>>().join(", ");
    let statements = format!(
        "CREATE TABLE readings (time INTEGER, town TEXT, power TEXT, person TEXT);
        INSERT INTO readings VALUES {rows}, (5, 'Bern', '{last}', 'last');"
    );
    database.execute_batch(&statements).unwrap();
    format!("sqlite:{}", path.display())
}

fn import(sandbox: &Sandbox, source: &str, more: &[&str]) -> Outcome {
    sandbox.run_list(&[&["--json", "table", "import", "d", "meters", source], more].concat())
}

/// Demands that an import went well; the rows that it says.
fn imported(outcome: &Outcome) -> u64 {
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    serde_json::from_str::<serde_json::Value>(&outcome.out).unwrap()["rows"].as_u64().unwrap()
}

/// What the dictionary and the vault hold: how many versions, and how many vectors are recomputed.
fn held(sandbox: &Sandbox) -> (String, String) {
    let audited = sandbox.ok_json("table audit d --vault");
    assert_eq!(audited["result"], "holds");
    (audited["versions"].to_string(), audited["recomputed"].to_string())
}

#[test]
fn a_parquet_file_is_imported_or_nothing_of_it() {
    let sandbox = sandbox();
    let before = held(&sandbox);
    let file = std::fs::read(PARQUET).unwrap();
    sandbox.write("cut.parquet", &file[..file.len() - 20]);
    // The dictionary of the last column's texts.
    let mut damaged = file.clone();
    let at = damaged.windows(3).position(|text| text == b"u10").unwrap();
    damaged[at] = 0xff;
    sandbox.write("damaged.parquet", damaged);
    import(&sandbox, "cut.parquet", &[]).demand(2, "cut.parquet, no Parquet file that can be read");
    for way in [&[][..], &["--extend"], &["--amend"]] {
        import(&sandbox, "damaged.parquet", way).demand(2, "damaged.parquet, row ");
    }
    import(&sandbox, PARQUET, &["--map", "user=person"]).demand(2, "the header, column user: the table has no such");
    import(&sandbox, PARQUET, &["--query", QUERY]).demand(2, "--query");
    import(&sandbox, "none.parquet", &[]).demand(2, "none.parquet");
    assert_eq!(held(&sandbox), before);
    assert_eq!(imported(&import(&sandbox, PARQUET, &[])), 50);
    let sum = sandbox.run_list(&["table", "query", "d", "meters", "sum(power)"]);
    // The halves of 0 to 49, without every fourth.
    let wanted: u32 = (0..50).filter(|i| i % 4 != 3).map(|i| 5 * i).sum();
    assert!(sum.out.contains(&format!("{}.{}", wanted / 10, wanted % 10)), "{sum:?}");
    std::fs::copy(PARQUET, sandbox.path("rows")).unwrap();
    assert_eq!(imported(&import(&sandbox, "rows", &["--format", "parquet", "--extend"])), 50);
}

#[test]
fn what_a_database_says_is_imported_or_nothing_of_it() {
    let sandbox = sandbox();
    let before = held(&sandbox);
    let query = ["--query", QUERY];
    let damaged = database(&sandbox.path("damaged.db"), "1e3");
    for way in [&[][..], &["--extend"], &["--amend"]] {
        let outcome = import(&sandbox, &damaged, &[&query[..], way].concat());
        outcome.demand(2, "the query, row 300, column power: \"1e3\" is no number");
    }
    import(&sandbox, &damaged, &["--query", "SELECT 1 FROM other"]).demand(1, "no such table: other");
    import(&sandbox, &damaged, &["--query", "DELETE FROM readings"]).demand(1, "the database: ");
    import(&sandbox, &damaged, &[]).demand(2, "--query");
    import(&sandbox, "rows.csv", &query).demand(2, "--query");
    let url = "postgres://somebody:hunter22@127.0.0.1:1/rows";
    for outcome in [import(&sandbox, url, &query), from_input(&sandbox, url)] {
        outcome.demand(1, "the database: ");
        assert!(!format!("{}{}", outcome.out, outcome.err).contains("hunter22"), "{}", outcome.err);
    }
    assert_eq!(held(&sandbox), before);
    let fine = database(&sandbox.path("fine.db"), "1990.0");
    assert_eq!(imported(&import(&sandbox, &fine, &query)), 300);
    assert_eq!(imported(&from_input(&sandbox, &fine)), 300);
    let counted = sandbox.run_list(&["table", "query", "d", "meters", "count(power)"]);
    assert!(counted.out.contains("600"), "{counted:?}");
}

/// Imports what a database at a URL says that stands in standard input.
fn from_input(sandbox: &Sandbox, url: &str) -> Outcome {
    let mut command = sandbox.command(&["--json", "table", "import", "d", "meters", "-", "--format", "sql"]);
    let file = std::fs::File::open(sandbox.write("url", format!("{url}\n"))).unwrap();
    let output = command.args(["--query", QUERY]).stdin(file).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Outcome { line: String::new(), code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}
