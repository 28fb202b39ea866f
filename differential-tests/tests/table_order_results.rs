//! Results of order statistics against SQLite: random tables, random queries, answered, verified,
//! and compared as exact fractions: empty boxes, one row, ties, and the ends of the numbers of 64
//! bits. SQLite has no percentiles of its own here: they are asked for in its window functions, as
//! the standard defines them. DuckDB has them: where a Python with it is named, they are its.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "../../impl/aggregates/tests/scene/setups.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod setups;
#[path = "../../impl/aggregates/tests/scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

mod random_tables;

use std::io::Write as _;
use std::process::{Command, Stdio};

use aardvark_aggregates::{Finding, Schema, ValueColumn};
use num::{BigInt, BigRational, ToPrimitive};
use random_tables::{Random, condition, database, random_runs};
use rusqlite::Connection;
use table::{Table, schema};

/// The tables: their numbers above the lowest, and the column's lowest, span and bits.
fn tables() -> [(&'static [u64], ValueColumn); 2] {
    let column = schema().values.remove(0);
    let all = ValueColumn { lowest: i64::MIN, span: u64::MAX, bits: 64, moments: 1, ..column.clone() };
    const ENDS: &[u64] = &[0, 1, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX];
    [(&[0, 50, 100, 150, 200, 250], column), (ENDS, all)]
}

/// A statistic that is asked for.
#[derive(Clone, Copy, Debug)]
enum Statistic {
    Disc(u64, u64),
    Cont(u64, u64),
    Top(u64, u64),
    Rank(i64),
}

/// A function of the query language, and what it is.
fn function(random: &mut Random, numbers: &[u64], lowest: i64) -> (String, Statistic) {
    let q = [1, 2, 3, 4, 7, 100][random.below(6) as usize];
    let k = random.below(q + 1);
    let above = numbers[random.below(numbers.len() as u64) as usize];
    let near = i128::from(lowest) + i128::from(above) + i128::from(random.below(3)) - 1;
    let x = i64::try_from(near).unwrap_or(lowest);
    match random.below(7) {
        0 => ("min(power)".to_owned(), Statistic::Disc(0, 1)),
        1 => ("max(power)".to_owned(), Statistic::Disc(1, 1)),
        2 => ("median(power)".to_owned(), Statistic::Cont(1, 2)),
        3 => (format!("percentile_disc(power, {k}/{q})"), Statistic::Disc(k, q)),
        4 => (format!("percentile_cont(power, {k}/{q})"), Statistic::Cont(k, q)),
        5 => (format!("top(power, {k}/{q})"), Statistic::Top(k, q)),
        _ => (format!("rank(power, {x})"), Statistic::Rank(x)),
    }
}

/// One number of SQLite; `None` where it has none.
fn one(database: &Connection, sql: &str) -> Option<i64> {
    database.query_row(sql, [], |row| row.get::<_, Option<i64>>(0)).unwrap()
}

/// The statistic of the rows behind `from`, by SQLite.
fn by_sqlite(database: &Connection, statistic: Statistic, from: &str) -> Option<BigRational> {
    let whole = |number: i64| BigRational::from(BigInt::from(number));
    let n = one(database, &format!("select count(*) {from}")).unwrap();
    // Of all rows up to one, ties included, at least the k-th of q parts.
    let least = |order: &str, end: &str, k: u64, q: u64| {
        let window = format!("count(*) over (order by x {order} range between unbounded preceding and current row)");
        one(database, &format!("select {end}(x) from (select x, {window} as c {from}) where c * {q} >= {k} * {n}"))
    };
    match statistic {
        Statistic::Disc(k, q) => least("asc", "min", k, q).map(whole),
        Statistic::Top(k, q) => least("desc", "max", k, q).map(whole),
        Statistic::Cont(k, q) => {
            let place = BigRational::new(BigInt::from(n.max(1) - 1) * k, BigInt::from(q));
            let (low, part) = (place.floor().to_integer().to_i64().unwrap(), place.fract());
            let at =
                |i: i64| one(database, &format!("select (select x {from} order by x limit 1 offset {i})")).map(whole);
            let low_end = at(low)?;
            let high_end = at(low + 1).unwrap_or_else(|| low_end.clone());
            Some(&low_end + part * (high_end - &low_end))
        }
        Statistic::Rank(x) => {
            one(database, &format!("select count(*) from (select x {from}) where x < {x}")).map(whole)
        }
    }
}

#[test]
fn order_statistics_are_those_of_sqlite() {
    let mut random = Random(11);
    let (mut empty, mut single, mut many) = (0, 0, 0);
    for round in 0..4 {
        let (numbers, column) = tables()[round % 2].clone();
        let runs = random_runs(&mut random, numbers);
        let lowest = column.lowest;
        let table = Table::new(Schema { values: vec![column], ..schema() }, &runs);
        let database = database(&runs, lowest);
        for _ in 0..30 {
            let (text, statistic) = function(&mut random, numbers, lowest);
            let conditions: Vec<String> = (0..random.below(4)).map(|_| condition(&mut random)).collect();
            let tail =
                if conditions.is_empty() { String::new() } else { format!("where {}", conditions.join(" and ")) };
            let text = format!("{text} {tail}");
            let answer = table.answer(&text);
            let wanted = by_sqlite(&database, statistic, &format!("from rows {tail}"));
            let rows = one(&database, &format!("select count(*) from rows {tail}")).unwrap() as u64;
            match table.verdict(&text, &answer).unwrap().finding {
                Finding::Order(found) => assert_eq!((found.rows, found.value), (rows, wanted), "{text}"),
                Finding::Rank(found) => {
                    let below = BigRational::from(BigInt::from(found.below));
                    assert_eq!((found.rows, Some(below)), (rows, wanted), "{text}");
                }
                other => panic!("{other:?}"),
            }
            match rows {
                0 => empty += 1,
                1 => single += 1,
                _ => many += 1,
            }
        }
    }
    assert!(empty > 5 && single > 1 && many > 30, "{empty} {single} {many}");
}

/// Reads statements, one a line, and prints what each gives.
const DUCKDB: &str = "
import sys, duckdb
database = duckdb.connect()
for line in sys.stdin:
    row = database.execute(line).fetchall()
    print(row[0][0] if row else None)
";

#[test]
#[ignore = "needs DuckDB: AARDVARK_DUCKDB is a Python that has it"]
fn order_statistics_are_those_of_duckdb() {
    let Some(python) = std::env::var_os("AARDVARK_DUCKDB") else {
        println!("AARDVARK_DUCKDB names no Python: nothing is checked");
        return;
    };
    let mut random = Random(12);
    let mut statements = vec!["create table rows (time integer, district integer, kind text, x bigint)".to_owned()];
    let mut wanted = vec![None];
    let (numbers, column) = tables()[0].clone();
    let (runs, lowest) = (random_runs(&mut random, numbers), column.lowest);
    let table = Table::new(schema(), &runs);
    let database = database(&runs, lowest);
    let mut all = database.prepare("select time, district, kind, x from rows").unwrap();
    let inserts = all.query_map([], |row| {
        let (time, district, kind, x): (i64, i64, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(format!("insert into rows values ({time}, {district}, '{kind}', {x})"))
    });
    for insert in inserts.unwrap() {
        statements.push(insert.unwrap());
        wanted.push(None);
    }
    for _ in 0..150 {
        let (text, statistic) = function(&mut random, numbers, lowest);
        let conditions: Vec<String> = (0..random.below(3)).map(|_| condition(&mut random)).collect();
        let tail = if conditions.is_empty() { String::new() } else { format!("where {}", conditions.join(" and ")) };
        let sql = match statistic {
            Statistic::Disc(k, q) => format!("quantile_disc(x, {k}::double / {q})"),
            Statistic::Cont(k, q) => format!("quantile_cont(x, {k}::double / {q})"),
            // The least of the greatest k / q.
            Statistic::Top(k, q) => format!("-quantile_disc(-x, {k}::double / {q})"),
            Statistic::Rank(x) => format!("count(*) filter (where x < {x})"),
        };
        statements.push(format!("select {sql} from rows {tail}"));
        let text = format!("{text} {tail}");
        wanted.push(Some((text.clone(), table.verdict(&text, &table.answer(&text)).unwrap().finding)));
    }
    let mut command =
        Command::new(python).args(["-c", DUCKDB]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    command.stdin.take().unwrap().write_all((statements.join("\n") + "\n").as_bytes()).unwrap();
    let output = command.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines: Vec<&str> = core::str::from_utf8(&output.stdout).unwrap().lines().collect();
    assert_eq!(lines.len(), statements.len());
    let mut compared = 0;
    for (line, wanted) in lines.into_iter().zip(wanted) {
        let Some((text, finding)) = wanted else { continue };
        let value = match finding {
            Finding::Order(found) => found.value,
            Finding::Rank(found) => Some(BigRational::from(BigInt::from(found.below))),
            other => panic!("{other:?}"),
        };
        // It interpolates in floating-point numbers; of these tables they are exact but for thirds.
        match value.map(|value| value.to_f64().unwrap()) {
            Some(value) => assert!((line.parse::<f64>().unwrap() - value).abs() < 1e-9, "{text}: {line}, {value}"),
            None => assert_eq!(line, "None", "{text}"),
        }
        compared += 1;
    }
    assert_eq!(compared, 150);
}
