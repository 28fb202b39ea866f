//! Lower bounds of what a query can take: the same rows in SQLite, and in a plain sorted array.

use num::{BigInt, BigRational};
use rusqlite::{Connection, ToSql};

use super::meters::Reading;
use super::statistics::{Statistic, Window};
use crate::error::BenchError;
use crate::table1::peers::failed;

/// The rows in SQLite, in memory, with an index for each kind of query.
pub struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// An empty table.
    pub fn new() -> Result<Self, BenchError> {
        let connection = Connection::open_in_memory().map_err(failed)?;
        let made = connection.execute_batch(
            "create table meters (time integer, district integer, industrial integer, user integer, power integer);
             create index by_power on meters (time, industrial, power);
             create index by_user on meters (user, time);",
        );
        made.map_err(failed)?;
        Ok(Self { connection })
    }

    /// Adds rows, as one transaction.
    pub fn insert(&mut self, readings: &[Reading]) -> Result<(), BenchError> {
        let transaction = self.connection.transaction().map_err(failed)?;
        {
            let mut statement =
                transaction.prepare_cached("insert into meters values (?, ?, ?, ?, ?)").map_err(failed)?;
            for Reading { time, district, industrial, user, power } in readings {
                let whole = |number: &u64| *number as i64;
                let numbers = [whole(time), whole(district), i64::from(*industrial), whole(user), whole(power)];
                statement.execute(numbers).map_err(failed)?;
            }
        }
        transaction.commit().map_err(failed)
    }

    fn number(&self, sql: &str, parameters: &[&dyn ToSql]) -> Result<i64, BenchError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        statement.query_row(parameters, |row| row.get(0)).map_err(failed)
    }

    /// The number of a user's row.
    pub fn look_up(&self, user: u64, time: u64) -> Result<u64, BenchError> {
        let (user, time) = (user as i64, time as i64);
        Ok(self.number("select power from meters where user = ? and time = ?", &[&user, &time])? as u64)
    }

    /// A statistic.
    pub fn ask(&self, statistic: Statistic, window: &Window) -> Result<Option<BigRational>, BenchError> {
        let condition = window.sql();
        let one = |what: &str| self.number(&format!("select {what} from meters where {condition}"), &[]);
        let whole = |number: i64| BigRational::from_integer(BigInt::from(number));
        let rows = || one("count(*)");
        let at = |place: i64| {
            let sql = format!("select power from meters where {condition} order by power limit 1 offset ?");
            self.number(&sql, &[&place])
        };
        let value = match statistic {
            Statistic::Sum => whole(one("coalesce(sum(power), 0)")?),
            Statistic::Count => whole(rows()?),
            Statistic::Min | Statistic::Max | Statistic::Average | Statistic::Median | Statistic::Percentile(_) => {
                let rows = rows()?;
                match statistic {
                    _ if rows == 0 => return Ok(None),
                    Statistic::Min => whole(one("min(power)")?),
                    Statistic::Max => whole(one("max(power)")?),
                    Statistic::Average => BigRational::new(BigInt::from(one("sum(power)")?), BigInt::from(rows)),
                    Statistic::Percentile(share) => whole(at(((rows * share as i64 + 99) / 100).max(1) - 1)?),
                    _ => {
                        let (low, high) = (at((rows - 1) / 2)?, at(rows / 2)?);
                        BigRational::new(BigInt::from(low) + BigInt::from(high), BigInt::from(2))
                    }
                }
            }
        };
        Ok(Some(value))
    }
}

/// The rows in an array, sorted by time, district and industry.
#[derive(Debug, Default)]
pub struct SortedArray {
    rows: Vec<Reading>,
}

impl SortedArray {
    /// Adds rows of later times than those that there are.
    pub fn insert(&mut self, readings: &[Reading]) {
        let before = self.rows.len();
        self.rows.extend_from_slice(readings);
        let key = |reading: &Reading| (reading.time, reading.district, reading.industrial, reading.user);
        self.rows.get_mut(before..).unwrap_or_default().sort_unstable_by_key(key);
    }

    /// The rows of a window's times.
    fn between(&self, from: u64, to: u64) -> &[Reading] {
        let first = self.rows.partition_point(|reading| reading.time < from);
        let end = self.rows.partition_point(|reading| reading.time <= to);
        self.rows.get(first..end).unwrap_or_default()
    }

    /// The number of a user's row.
    pub fn look_up(&self, user: u64, time: u64) -> Option<u64> {
        self.between(time, time).iter().find(|reading| reading.user == user).map(|reading| reading.power)
    }

    /// A statistic.
    pub fn ask(&self, statistic: Statistic, window: &Window) -> Option<BigRational> {
        let rows = self.between(window.from, window.to).iter().filter(|reading| window.holds(reading));
        let mut numbers: Vec<u64> = rows.map(|reading| reading.power).collect();
        if !matches!(statistic, Statistic::Sum | Statistic::Count | Statistic::Average) {
            numbers.sort_unstable();
        }
        statistic.of(&numbers)
    }

    /// All rows.
    pub fn rows(&self) -> &[Reading] {
        &self.rows
    }
}
