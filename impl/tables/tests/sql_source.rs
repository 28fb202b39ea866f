//! Rows from databases: SQLite always; PostgreSQL and MySQL where servers are named. What the query
//! gives is read, in order; other types are refused by row and column; nothing is written to the
//! source, and no password is in an error.

#![cfg(feature = "sql")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod common;

use std::env;
use std::path::Path;

use aardvark_tables::RowSource;
use aardvark_tables::source::sql::SqlSource;
use aardvark_tables::source::{Row, SourceError};
use common::{drained, schema};
use sqlx::{AssertSqlSafe, Connection, Executor};

const ROWS: &str = "SELECT * FROM readings ORDER BY time, power";
const TABLE: [&str; 2] = [
    "CREATE TABLE readings (time BIGINT, town VARCHAR(12), power DECIMAL(9, 2), person VARCHAR(40))",
    "INSERT INTO readings VALUES (5, 'Bern', 31.50, 'ada'), (6, 'Chur', -10, 'b''ob'), (7, 'Bern', NULL, 'cyd')",
];

fn open(url: &str, query: &str) -> Result<SqlSource, SourceError> {
    SqlSource::open(url, query, &schema(), &[("user".to_owned(), "person".to_owned())].into())
}

fn refused(url: &str, query: &str) -> String {
    drained(open(url, query)).unwrap_err().to_string()
}

fn rows(url: &str, query: &str) -> Vec<Row> {
    let mut source = open(url, query).unwrap();
    std::iter::from_fn(|| source.next_row().unwrap()).collect()
}

/// Runs statements on a SQLite file, which it makes.
fn sqlite(path: &Path, statements: &[&str]) -> String {
    let url = format!("sqlite:{}", path.display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = sqlx::SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap();
        for statement in statements {
            connection.execute(sqlx::raw_sql(AssertSqlSafe(*statement))).await.unwrap();
        }
        connection.close().await.unwrap();
    });
    url
}

/// What all three databases have to do.
fn check(url: &str) {
    let found = rows(url, ROWS);
    assert_eq!(found.len(), 3);
    assert_eq!(found.iter().map(|row| row.numbers[0]).collect::<Vec<_>>(), [Some(415), Some(0), None]);
    assert_eq!(found[1].texts, ["b'ob"]);
    assert_eq!(found[0].columns, [&[0, 0, 0, 5][..], b"Bern\0\0"].concat());
    // A semicolon and a comment at its end, a common table expression, no rows.
    assert_eq!(rows(url, "SELECT * FROM readings; ").len(), 3);
    assert_eq!(rows(url, "WITH r AS (SELECT * FROM readings) SELECT * FROM r -- all\n").len(), 3);
    assert_eq!(rows(url, "SELECT * FROM readings WHERE time > 100").len(), 0);
    // By row and column.
    let of = |what: &str| format!("SELECT time, town, {what} AS power, person FROM readings ORDER BY time");
    assert!(refused(url, &of("100000 * time")).starts_with("row 1, column power: 500000 is not between"));
    assert!(refused(url, &of("'x'")).starts_with("row 1, column power: \"x\" is no number"));
    assert!(refused(url, &of("town")).starts_with("row 1, column power: \"Bern\" is no number"));
    let other = refused(url, "SELECT time, town, power, person AS someone FROM readings");
    assert_eq!(other, "the header, column someone: the table has no such column");
    let missing = refused(url, "SELECT time, NULL AS town, power, person FROM readings");
    assert_eq!(missing, "row 1, column town: it is missing");
    assert!(refused(url, "SELECT time, town, power FROM readings").contains("column person: it is missing"));
    // One query and nothing else.
    for statement in [
        "DELETE FROM readings",
        "INSERT INTO readings VALUES (1, 'a', 1, 'b')",
        "CREATE TABLE other (a INT)",
        "SELECT * FROM readings; DELETE FROM readings",
        "DROP TABLE readings",
        "no query",
        "",
    ] {
        assert!(refused(url, statement).starts_with("the database: "), "{statement}");
    }
    assert_eq!(rows(url, ROWS).len(), 3, "nothing was written");
}

#[test]
fn a_sqlite_query_is_read_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("readings.db");
    let url = sqlite(
        &path,
        &[
            TABLE[0],
            "INSERT INTO readings VALUES (5, 'Bern', '31.5', 'ada'), (6, 'Chur', -10, 'b''ob'), (7, 'Bern', NULL, 'cyd')",
        ],
    );
    // A decimal with a point is floating in SQLite: it is stored as a text, or refused.
    assert_eq!(
        refused(&url, ROWS),
        "row 1, column power: it is neither a text nor an integer; write decimals as texts"
    );
    let url = sqlite(
        &path,
        &[
            "ALTER TABLE readings RENAME TO old",
            "CREATE TABLE readings (time INT, town TEXT, power TEXT, person TEXT)",
            "INSERT INTO readings SELECT * FROM old",
        ],
    );
    let before = std::fs::read(&path).unwrap();
    check(&url);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files(), 1);
    // In the mode WAL a reader would make two files.
    sqlite(&path, &["PRAGMA journal_mode = wal"]);
    assert_eq!((rows(&url, ROWS).len(), files()), (3, 1));
    // What a killed writer has left is not put in order.
    let (killed, left) = (folder.path().join("killed.db"), folder.path().join("killed.db-wal"));
    std::fs::copy(&path, &killed).unwrap();
    std::fs::write(&left, [0; 32]).unwrap();
    let said = "the database: error communicating with database: it was not closed; open it with SQLite first";
    assert_eq!((refused(&format!("sqlite:{}", killed.display()), ROWS), files()), (said.to_owned(), 3));
    // A file that is not there is not made; one that is no database is said.
    let none = folder.path().join("none.db");
    assert!(refused(&format!("sqlite:{}", none.display()), ROWS).starts_with("the database: "));
    assert!(!none.exists());
    std::fs::write(&none, "no database, but a text that is longer than a header of a hundred bytes".repeat(9)).unwrap();
    assert!(refused(&format!("sqlite:{}", none.display()), ROWS).starts_with("the database: "));
}

#[test]
fn hostile_results_are_refused_by_row_and_column() {
    let folder = tempfile::tempdir().unwrap();
    let url = sqlite(&folder.path().join("d.db"), &["CREATE TABLE t (a)"]);
    let kind = "it is neither a text nor an integer; write decimals as texts";
    let row =
        |power: &str, person: &str| format!("SELECT 5 AS time, 'a' AS town, {power} AS power, {person} AS person");
    for (power, person, reason) in [
        ("1.5", "''", format!("column power: {kind}")),
        ("x'31'", "''", format!("column power: {kind}")),
        ("1", "x'31'", format!("column person: {kind}")),
        ("1", "CAST(x'ff' AS TEXT)", "column person: it is no UTF-8".to_owned()),
        ("CAST(x'ff' AS TEXT)", "''", "column power: it is no UTF-8".to_owned()),
        ("1", "NULL", "column person: it is missing".to_owned()),
        ("'1.25'", "''", "column power: \"1.25\" has 2 digits behind the point, where the column has 1".to_owned()),
        (
            "printf('%.*c', 90000, '9')",
            "''",
            format!("column power: \"{}…\" is larger than any column takes", "9".repeat(60)),
        ),
        (
            "1",
            "printf('%.*c', 65536, 'x')",
            "column person: a text of 65536 bytes, where a row's has at most 65,535".to_owned(),
        ),
        ("9223372036854775807", "''", "column power: 9223372036854775807 is not between -10.0 and 1990.0".to_owned()),
    ] {
        // Behind two rows that are fine.
        let fine = row("'1.5'", "'b'");
        let query = format!("{fine} UNION ALL {fine} UNION ALL {}", row(power, person));
        assert_eq!(refused(&url, &query), format!("row 3, {reason}"));
    }
    let long = row("1", "printf('%.*c', 20000000, 'x')");
    assert_eq!(refused(&url, &long), "row 1: longer than 16777216 bytes");
    // No gigabyte is made for a few words.
    assert_eq!(refused(&url, &row("1", "printf('%.*c', 900000000, 'x')")), "the database: out of memory");
    // A failure behind rows comes behind them.
    let late = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT 5 AS time, \
        'a' AS town, iif(i < 400, 1, abs(-9223372036854775807 - 1)) AS power, 'p' AS person FROM n";
    let mut source = open(&url, late).unwrap();
    let read = std::iter::from_fn(|| source.next_row().transpose()).collect::<Vec<_>>();
    assert_eq!(read.iter().filter(|row| row.is_ok()).count(), 399);
    assert_eq!(read[399].as_ref().unwrap_err().to_string(), "the database: integer overflow");
    for (columns, reason) in [
        (
            "5 AS time, 6 AS time, 'a' AS town, 1 AS power, '' AS person",
            "the header, column time:1: the table has no such column",
        ),
        ("5 AS time, 'a' AS town, '' AS person", "the header, column power: it is missing"),
        (
            "5 AS time, 'a' AS town, 1 AS power, '' AS person, 1 AS other",
            "the header, column other: the table has no such column",
        ),
        ("1", "the header, column 1: the table has no such column"),
    ] {
        assert_eq!(refused(&url, &format!("SELECT {columns}")), reason);
    }
    // What would end the query that it is made a part of.
    for query in [
        "SELECT 5 AS time, 'a' AS town, 1 AS power, '' AS person) AS a; DELETE FROM t; SELECT * FROM (SELECT 1",
        "SELECT 1 /*",
        "SELECT 1; --",
        "PRAGMA user_version = 7",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'copy.db'",
    ] {
        assert!(refused(&url, query).starts_with("the database: "), "{query}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn many_rows_come_in_order_and_may_be_left() {
    let folder = tempfile::tempdir().unwrap();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) \
        SELECT 5 AS time, 'a' AS town, i % 1000 AS power, i AS person FROM n";
    let url = sqlite(&folder.path().join("d.db"), &["CREATE TABLE t (a)"]);
    let found = rows(&url, many);
    assert_eq!(found.len(), 20_000);
    assert!((1..).zip(&found).all(|(i, row)| row.texts == [i.to_string()]));
    let mut source = open(&url, many).unwrap();
    source.next_row().unwrap();
    drop(source);
}

#[test]
fn no_error_says_a_password() {
    for url in [
        "postgres://user:hunter22@127.0.0.1:1/db",
        "mysql://user:hunter22@127.0.0.1:1/db",
        "postgres://user:hunter22@[::/db",
        "mysql://user:hunter22@127.0.0.1:port/db",
        "user:hunter22@host",
        "sqlite:hunter22?mode=what",
    ] {
        let error = open(url, ROWS).err().unwrap();
        assert!(matches!(error, SourceError::Database(_)), "{error}");
        for said in [error.to_string(), format!("{error:?}")] {
            assert!(!said.contains("hunter22"), "{said}");
        }
    }
}

/// A server's URL, of an empty database that may be written to.
fn server(variable: &str) -> Option<String> {
    let url = env::var(variable).ok();
    if url.is_none() {
        println!("{variable} names no server: nothing is checked");
    }
    url
}

#[test]
#[ignore = "needs a server: AARDVARK_POSTGRES is the URL of an empty database"]
fn a_postgres_query_is_read_and_nothing_is_written() {
    let Some(url) = server("AARDVARK_POSTGRES") else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
        for statement in ["DROP TABLE IF EXISTS readings", TABLE[0], TABLE[1]] {
            connection.execute(statement).await.unwrap();
        }
    });
    check(&url);
    let float = refused(&url, "SELECT time, town, power::float8 AS power, person FROM readings");
    assert_eq!(float, "row 1, column power: it is neither a text nor an integer; write decimals as texts");
    assert!(refused(&url, "SELECT nextval('s'), 1").starts_with("the database: "));
    assert_eq!(
        rows(&url, "SELECT i AS time, '' AS town, 1 AS power, '' AS person FROM generate_series(5, 100004) i").len(),
        100_000
    );
}

#[test]
#[ignore = "needs a server: AARDVARK_MYSQL is the URL of an empty database"]
fn a_mysql_query_is_read_and_nothing_is_written() {
    let Some(url) = server("AARDVARK_MYSQL") else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = sqlx::MySqlConnection::connect(&url).await.unwrap();
        for statement in ["DROP TABLE IF EXISTS readings", TABLE[0], TABLE[1]] {
            connection.execute(statement).await.unwrap();
        }
    });
    check(&url);
    let float = refused(&url, "SELECT time, town, power * 1e0 AS power, person FROM readings");
    assert_eq!(float, "row 1, column power: it is neither a text nor an integer; write decimals as texts");
}
