//! Results of queries against SQLite: random tables, random queries, answered, verified, and
//! compared as exact fractions; empty boxes and ties included. A condition of a query is one of
//! SQL, too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "../../impl/aggregates/tests/scene/setups.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod setups;
#[path = "../../impl/aggregates/tests/scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

mod random_tables;

use aardvark_aggregates::{Finding, GroupFinding, KeyValue};
use num::{BigInt, BigRational};
use random_tables::{Random, condition, database, random_runs};
use rusqlite::Connection;
use rusqlite::types::Value;
use table::{Table, schema};

/// Of each group its key, its rows, and the sums of the numbers and their squares.
fn asked_of(database: &Connection, groups: &[&str], tail: &str) -> Vec<(Vec<KeyValue>, i64, i64, i64)> {
    let named: String = groups.iter().map(|group| format!("{group}, ")).collect();
    let sql = format!("select {named} count(x), coalesce(sum(x), 0), coalesce(sum(x * x), 0) from rows {tail}");
    let mut statement = database.prepare(&sql).unwrap();
    let row = |row: &rusqlite::Row<'_>| {
        let value = |i: usize| match (groups[i], row.get(i)?) {
            ("time", Value::Integer(time)) => Ok(KeyValue::Unsigned(time as u64)),
            (_, Value::Integer(district)) => Ok(KeyValue::Signed(district)),
            (_, Value::Text(kind)) => Ok(KeyValue::Text(kind)),
            other => panic!("{other:?}"),
        };
        let key = (0..groups.len()).map(value).collect::<rusqlite::Result<_>>()?;
        let n = groups.len();
        Ok((key, row.get(n)?, row.get(n + 1)?, row.get(n + 2)?))
    };
    statement.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap()
}

/// A statistic of n numbers, their sum and the sum of their squares.
fn statistic(function: &str, n: i64, sum: i64, squares: i64) -> Option<BigRational> {
    let ratio = |over: i64, under: i64| (under != 0).then(|| BigRational::new(BigInt::from(over), BigInt::from(under)));
    match function {
        "count(power)" => ratio(n, 1),
        "sum(power)" => ratio(sum, i64::from(n > 0)),
        "mean(power)" | "moment(power, 1)" => ratio(sum, n),
        "moment(power, 2)" => ratio(squares, n),
        _ => ratio(n * squares - sum * sum, n * n),
    }
}

#[test]
fn results_are_those_of_sqlite() {
    let mut random = Random(7);
    let (mut empty, mut grouped) = (0, 0);
    for _ in 0..6 {
        let runs = random_runs(&mut random, &[0, 50, 100, 150, 200, 250]);
        let table = Table::new(schema(), &runs);
        let database = database(&runs, -20);
        for _ in 0..40 {
            let function = random.pick(&[
                "count(power)",
                "sum(power)",
                "mean(power)",
                "moment(power, 1)",
                "moment(power, 2)",
                "variance(power)",
                "stddev(power)",
            ]);
            let conditions: Vec<String> = (0..random.below(4)).map(|_| condition(&mut random)).collect();
            let mut tail = if conditions.is_empty() { String::new() } else { "where ".to_owned() };
            tail += &conditions.join(" and ");
            let groups: &[&str] = [&[][..], &[], &["time"], &["kind"], &["district", "time"], &["kind", "district"]]
                [random.below(6) as usize];
            let mut text = format!("{function} {tail}");
            if !groups.is_empty() {
                tail += &format!(" group by {0} order by {0}", groups.join(", "));
                text += &format!(" group by {}", groups.join(", "));
            }
            let answer = table.answer(&text);
            let Finding::Groups(found) = table.verdict(&text, &answer).unwrap().finding else { panic!("groups") };
            let found: Vec<(Vec<KeyValue>, i64, Option<BigRational>)> =
                found.into_iter().map(|GroupFinding { key, rows, value, .. }| (key, rows as i64, value)).collect();
            let wanted: Vec<_> = asked_of(&database, groups, &tail)
                .into_iter()
                .map(|(key, n, sum, squares)| (key, n, statistic(function, n, sum, squares)))
                .collect();
            assert_eq!(found, wanted, "{text}");
            empty += usize::from(found.iter().all(|(_, rows, _)| *rows == 0));
            grouped += usize::from(found.len() > 1);
        }
    }
    assert!(empty > 10 && grouped > 30, "{empty} empty boxes, {grouped} with groups");
}
