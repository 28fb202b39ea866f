//! Random tables and conditions, and the same rows in SQLite.

use aardvark_aggregates::KeyValue;
use rusqlite::Connection;

use crate::table::{Run, key};

/// A source of numbers that is the same each time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// Runs at some of few keys, ascending, with many ties among their numbers, which are of these.
pub fn random_runs(random: &mut Random, of: &[u64]) -> Vec<Run> {
    let mut runs = Vec::new();
    for time in [0, 1, 2, 255, 256, 65_535] {
        for district in [-128, -1, 0, 127] {
            for kind in ["", "a", "ab"] {
                for run in 0..random.below(16).saturating_sub(12) {
                    let count = 1 + random.below(4);
                    let mut numbers: Vec<u64> =
                        (0..count).map(|_| of[random.below(of.len() as u64) as usize]).collect();
                    numbers.sort_unstable();
                    runs.push(Run { key: key(time, district, kind), run: run as u32, numbers, log: 3 });
                }
            }
        }
    }
    runs
}

/// A condition of a query, which is one of SQL too.
pub fn condition(random: &mut Random) -> String {
    let column = random.pick(&["time", "district", "kind"]);
    let mut value = || match column {
        "time" => random.pick(&["0", "1", "2", "3", "255", "256", "65534", "65535"]),
        "district" => random.pick(&["-128", "-127", "-1", "0", "1", "126", "127"]),
        _ => random.pick(&["''", "'a'", "'aa'", "'ab'", "'b'", "'zzz'"]),
    };
    let (a, b, c) = (value(), value(), value());
    match random.below(7) {
        0 => format!("{column} = {a}"),
        1 => format!("{column} < {a}"),
        2 => format!("{column} <= {a}"),
        3 => format!("{column} > {a}"),
        4 => format!("{column} >= {a}"),
        5 => format!("{column} between {a} and {b}"),
        _ => format!("{column} in ({a}, {b}, {c})"),
    }
}

/// The table in SQLite, one row a number, which lies so far above the lowest.
pub fn database(runs: &[Run], lowest: i64) -> Connection {
    let database = Connection::open_in_memory().unwrap();
    database.execute_batch("create table rows (time integer, district integer, kind text, x integer)").unwrap();
    for run in runs {
        let [KeyValue::Unsigned(time), KeyValue::Signed(district), KeyValue::Text(kind)] = run.key.as_slice() else {
            panic!("a key")
        };
        for number in &run.numbers {
            let row = (*time as i64, district, kind, lowest.wrapping_add(*number as i64));
            database.execute("insert into rows values (?1, ?2, ?3, ?4)", row).unwrap();
        }
    }
    database
}
