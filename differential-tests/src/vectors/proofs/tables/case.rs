//! How a case of a table's answer is written: what is trusted, the query, the answer, what comes of
//! it.

use serde::{Deserialize, Serialize};

use super::super::RefusedJson;

/// Something that is trusted, a query, and an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCase {
    /// What is trusted: a name in the file's `trusted`.
    pub trusted: String,
    /// The table's name.
    pub table: String,
    /// The query.
    pub query: String,
    /// The answer as JSON of format 1.
    pub answer: String,
    /// What must come of it.
    pub expected: TableExpected,
}

/// What must come of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableExpected {
    /// It says so.
    Found(FoundJson),
    /// It is refused.
    Refused(RefusedJson),
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundJson {
    /// How many runs are in the box.
    pub runs: usize,
    /// The groups, ascending.
    pub groups: Vec<GroupJson>,
}

/// What was found of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupJson {
    /// The values of the columns of `group by`, numbers as text.
    pub key: Vec<String>,
    /// How many rows it has.
    pub rows: String,
    /// The sums of the rows' powers, as far as the statistic needs them.
    pub sums: Vec<String>,
    /// The statistic, an integer or a fraction in lowest terms; null where there are no rows.
    pub value: Option<String>,
}
