//! Queries: a function of a column's numbers, over the runs in a box
//! (`aardvark_spec::table::table_query`).
//!
//! ```text
//! query = u8 1 || bytes8(table) || u8 column || u8 function || u64 a || u64 b
//!         || u8 n || (u8 column)* of group by || u8 n || (u16 n || (low || high)*)* of the key columns
//! ```
//!
//! | function | a, b |
//! |---|---|
//! | 1 totals | the highest power that is summed, 0 |
//! | 2 order statistic | its rank, from 1 on; 0 |
//! | 3 `percentile_disc`, 4 `percentile_cont`, 5 top | a/b in lowest terms, at most 1 |
//! | 6 rank | the number's distance from the column's lowest, at most 1 above the cap; 0 |
//! | 7 row | 0, 0 |
//!
//! A verifier encodes its own query; that of an answer is compared with it and never used. [`text`]
//! reads queries from text.

mod cursor;
mod error;
mod row_text;
pub mod text;

use std::fmt;

use crate::key::TableKey;
use crate::key_box::{ColumnBox, Interval, KeyBox};
use crate::schema::{Schema, ValueColumn};

pub use error::{MAX_INTERVALS, MAX_TEXT, Problem, QueryError};
pub use row_text::row_query;

/// Bytes of a run's number in a key.
const RUN_BYTES: usize = 4;

/// A fraction from 0 to 1, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    /// The fraction k/q in lowest terms; `None` where q is 0 or k above it.
    pub fn new(k: u64, q: u64) -> Option<Self> {
        let divisor = gcd(q, k);
        (q >= 1 && k <= q).then(|| Self { numerator: k / divisor, denominator: q / divisor })
    }

    /// k and q.
    pub fn parts(&self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }
}

fn gcd(greater: u64, smaller: u64) -> u64 {
    let (mut a, mut b) = (greater, smaller);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// What is asked of a column's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// How many there are.
    Count,
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The mean of their p-th powers.
    Moment(u8),
    /// The variance of the population, the mean square distance from the mean.
    Variance,
    /// The standard deviation, given by its square, the variance.
    Stddev,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The median: the mean of the two in the middle where there are two.
    Median,
    /// The least number that a share of them does not exceed.
    PercentileDisc(Fraction),
    /// The interpolated percentile.
    PercentileCont(Fraction),
    /// The least of the greatest share of them.
    Top(Fraction),
    /// How many are below a number, and how many are not.
    Rank(i128),
    /// One row, for its owner.
    Row,
}

/// A function of the format, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// 1: rows, and the sums of powers up to this one; 0 for none.
    Totals {
        /// The highest power.
        powers: u8,
    },
    /// 2: the number with a rank, from 1 on.
    Order {
        /// The rank.
        rank: u64,
    },
    /// 3.
    PercentileDisc(Fraction),
    /// 4.
    PercentileCont(Fraction),
    /// 5.
    Top(Fraction),
    /// 6: how many are below a number.
    Rank {
        /// The number's distance from the column's lowest; at most one above the cap.
        distance: u64,
    },
    /// 7.
    Row,
}

impl Function {
    /// The function's number, a and b.
    pub fn parts(&self) -> (u8, u64, u64) {
        let fraction = |number: u8, share: &Fraction| (number, share.numerator, share.denominator);
        match self {
            Self::Totals { powers } => (1, u64::from(*powers), 0),
            Self::Order { rank } => (2, *rank, 0),
            Self::PercentileDisc(share) => fraction(3, share),
            Self::PercentileCont(share) => fraction(4, share),
            Self::Top(share) => fraction(5, share),
            Self::Rank { distance } => (6, *distance, 0),
            Self::Row => (7, 0, 0),
        }
    }
}

/// A query of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    table: String,
    schema: Schema,
    column: u8,
    statistic: Statistic,
    function: Function,
    groups: Vec<u8>,
    columns: Vec<ColumnBox>,
}

impl Query {
    /// The table's name.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// The table's schema, as the asker has it.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The number of the value column.
    pub fn column(&self) -> u8 {
        self.column
    }

    /// The value column.
    pub fn value_column(&self) -> Option<&ValueColumn> {
        self.schema.values.get(usize::from(self.column))
    }

    /// What is asked.
    pub fn statistic(&self) -> Statistic {
        self.statistic
    }

    /// The function that answers it.
    pub fn function(&self) -> Function {
        self.function
    }

    /// The numbers of the key columns by which totals are grouped, as they were named.
    pub fn groups(&self) -> &[u8] {
        &self.groups
    }

    /// What is asked of each key column.
    pub fn columns(&self) -> &[ColumnBox] {
        &self.columns
    }

    /// The keys of the heads that the query is about.
    pub fn key_box(&self) -> KeyBox {
        let columns = self.columns.iter().cloned().chain([ColumnBox::all(RUN_BYTES)]).collect();
        KeyBox::new(head_prefix(&self.table, self.column), columns)
    }

    /// The key of the group that a run belongs to: the columns of `group by` as they stand in the
    /// key's columns, one after the other.
    pub fn group_key(&self, columns: &[u8]) -> Vec<u8> {
        let widths: Vec<usize> = self.schema.keys.iter().map(|column| usize::from(column.width)).collect();
        let place = |group: &u8| {
            let before: usize = widths.iter().take(usize::from(*group)).sum();
            let width = widths.get(usize::from(*group)).copied().unwrap_or(0);
            columns.get(before..before + width).unwrap_or_default().to_vec()
        };
        self.groups.iter().flat_map(place).collect()
    }

    /// The canonical bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (function, a, b) = self.function.parts();
        let mut bytes = vec![1, self.table.len() as u8];
        bytes.extend(self.table.as_bytes());
        bytes.extend([self.column, function]);
        bytes.extend(a.to_be_bytes());
        bytes.extend(b.to_be_bytes());
        bytes.push(self.groups.len() as u8);
        bytes.extend(&self.groups);
        bytes.push(self.columns.len() as u8);
        for column in &self.columns {
            bytes.extend((column.intervals().len() as u16).to_be_bytes());
            column.intervals().iter().for_each(|Interval { low, high }| {
                bytes.extend(low);
                bytes.extend(high);
            });
        }
        bytes
    }
}

/// What the keys of all heads of a column begin with.
fn head_prefix(table: &str, column: u8) -> Vec<u8> {
    let mut prefix = TableKey::Schema { table: table.to_owned() }.to_bytes();
    prefix.pop();
    prefix.extend([1, column]);
    prefix
}
