//! What an accepted answer says, as exact numbers.
//!
//! A keeper commits to the distances x - lowest; their totals S_p give the sums of the numbers
//! themselves: Σ x^p = Σ_k C(p, k) lowest^(p-k) S_k, with S_0 = n.

use aardvark_dictionary::DictionaryId;
use num::{BigInt, BigRational, One, Zero};

use super::Answer;
use super::runs::{BoxRun, hidden_before};
use super::totals::{self, Group};
use crate::key::{KeyValue, decode_value};
use crate::query::{Function, Query, Statistic};
use crate::schema::ValueColumn;

/// What an accepted answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The version.
    pub version: u64,
    /// The number of runs in the box.
    pub runs: usize,
    /// What was found.
    pub finding: Finding,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Totals and what follows from them: of each group, ascending; without `group by`, of one.
    Groups(Vec<GroupFinding>),
    /// A number of the sorted rows.
    Order(OrderFinding),
    /// How many rows are below a number.
    Rank(RankFinding),
    /// A row.
    Row(RowFinding),
}

/// A number of the sorted rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFinding {
    /// The number of rows.
    pub rows: u64,
    /// The number, in units of the column's last digit; `None` where there is no such row.
    pub value: Option<BigRational>,
}

/// How many rows are below a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankFinding {
    /// The number of rows.
    pub rows: u64,
    /// How many are below.
    pub below: u64,
}

/// What was found of a group of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupFinding {
    /// The values of the columns of `group by`. Texts that are no UTF-8 have replacement
    /// characters.
    pub key: Vec<KeyValue>,
    /// The number of rows.
    pub rows: u64,
    /// Σ x, Σ x², .. as far as the statistic needs them.
    pub sums: Vec<BigInt>,
    /// The statistic, in units of the column's last digit; for the variance and the standard
    /// deviation, which is given by its square, in the squares of these. `None` where there are no
    /// rows, but for the count.
    pub value: Option<BigRational>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFinding {
    /// The values of the run's key columns.
    pub key: Vec<KeyValue>,
    /// The run's number among those of its key.
    pub run: u32,
    /// How often the run was replaced.
    pub revision: u32,
    /// The row's place among the run's rows in ascending order, from 0.
    pub rank: u64,
    /// The number.
    pub value: BigInt,
    /// The texts, one a row column.
    pub texts: Vec<String>,
}

impl Outcome {
    /// What an answer says that was accepted.
    pub(super) fn new(query: &Query, column: &ValueColumn, answer: &Answer, runs: &[BoxRun]) -> Self {
        let finding = match (&answer.row, runs) {
            (Some(row), [run]) => Finding::Row(RowFinding {
                key: key_values(query, 0..query.schema().keys.len(), &run.columns),
                run: run.run,
                revision: run.head.revision,
                rank: run.pieces.last().map_or(0, |piece| {
                    piece.rank.saturating_add(u64::from(row.position.saturating_sub(piece.record.first)))
                }),
                value: BigInt::from(column.lowest) + row.value,
                texts: row.texts.clone(),
            }),
            _ => match query.function() {
                Function::Totals { .. } | Function::Row => Finding::Groups(groups(query, column, answer, runs)),
                Function::Rank { .. } => Finding::Rank(RankFinding {
                    rows: rows(runs),
                    below: answer.cut.as_ref().map_or(0, |cut| {
                        // An accepted cut leaves no row on neither side.
                        let shown: u64 = cut.splits.iter().sum();
                        shown.saturating_add(hidden_before(runs, &cut.splits).unwrap_or(0))
                    }),
                }),
                function => {
                    Finding::Order(OrderFinding { rows: rows(runs), value: order(function, column, answer, runs) })
                }
            },
        };
        Self { dictionary: answer.dictionary, version: answer.version, runs: runs.len(), finding }
    }
}

/// The number of rows of runs.
fn rows(runs: &[BoxRun]) -> u64 {
    runs.iter().map(|run| run.head.rows()).sum()
}

/// The number at an accepted cut: x, or x + frac(h) (y - x) with h = (n - 1) k / q.
fn order(function: Function, column: &ValueColumn, answer: &Answer, runs: &[BoxRun]) -> Option<BigRational> {
    let cut = answer.cut.as_ref()?;
    let low = BigInt::from(cut.low?.value);
    let value = match (function, cut.high) {
        (Function::PercentileCont(share), Some(high)) => {
            let (k, q) = share.parts();
            let product = BigInt::from(rows(runs).saturating_sub(1)) * k;
            let part = BigRational::new(product % q, BigInt::from(q));
            BigRational::from_integer(low.clone()) + part * BigRational::from_integer(BigInt::from(high.value) - low)
        }
        _ => BigRational::from_integer(low),
    };
    Some(value + BigRational::from_integer(BigInt::from(column.lowest)))
}

/// What was found of each group.
fn groups(query: &Query, column: &ValueColumn, answer: &Answer, runs: &[BoxRun]) -> Vec<GroupFinding> {
    let mut groups = totals::groups(query, runs);
    if query.groups().is_empty() {
        // Without `group by` there is a result even where there is no run.
        groups.entry(Vec::new()).or_default();
    }
    let named = query.groups().iter().map(|group| usize::from(*group));
    let mut totals = answer.totals.iter();
    let finding = |(key, group): (Vec<u8>, Group)| {
        let totals = if group.rows == 0 { None } else { totals.next() };
        let distances = totals.into_iter().flatten().map(|total| BigInt::from(total.clone()));
        let distances: Vec<BigInt> = [BigInt::from(group.rows)].into_iter().chain(distances).collect();
        let sums: Vec<BigInt> = (1..distances.len()).map(|p| true_sum(&distances, p, column.lowest)).collect();
        let value = value(query.statistic(), group.rows, &sums);
        GroupFinding { key: key_values(query, named.clone(), &key), rows: group.rows, sums, value }
    };
    groups.into_iter().map(finding).collect()
}

/// Σ x^p = Σ_k C(p, k) lowest^(p-k) S_k, of S_0, S_1, .., S_p.
fn true_sum(distances: &[BigInt], p: usize, lowest: i64) -> BigInt {
    let mut sum = BigInt::zero();
    let mut binomial = BigInt::one();
    for (k, total) in distances.iter().take(p + 1).enumerate() {
        sum += &binomial * BigInt::from(lowest).pow((p - k) as u32) * total;
        binomial = binomial * (p - k) / (k + 1);
    }
    sum
}

/// A statistic of n numbers with these sums of powers.
fn value(statistic: Statistic, rows: u64, sums: &[BigInt]) -> Option<BigRational> {
    let rows = BigInt::from(rows);
    if statistic == Statistic::Count {
        return Some(BigRational::from_integer(rows));
    }
    if rows.is_zero() {
        return None;
    }
    let mean = |power: usize| Some(BigRational::new(sums.get(power.checked_sub(1)?)?.clone(), rows.clone()));
    match statistic {
        Statistic::Sum => Some(BigRational::from_integer(sums.first()?.clone())),
        Statistic::Mean => mean(1),
        Statistic::Moment(power) => mean(usize::from(power)),
        Statistic::Variance | Statistic::Stddev => {
            let first = mean(1)?;
            Some(mean(2)? - &first * &first)
        }
        _ => None,
    }
}

/// The values of these key columns, whose encodings stand one after the other.
fn key_values(query: &Query, columns: impl Iterator<Item = usize>, bytes: &[u8]) -> Vec<KeyValue> {
    let mut rest = bytes;
    let mut values = Vec::new();
    for place in columns {
        let Some(column) = query.schema().keys.get(place) else { continue };
        let Some((part, behind)) = rest.split_at_checked(usize::from(column.width)) else { continue };
        rest = behind;
        values.push(
            decode_value(place, column, part)
                .unwrap_or_else(|_| KeyValue::Text(String::from_utf8_lossy(part).trim_end_matches('\0').to_owned())),
        );
    }
    values
}
