//! Why a text is no query, and where.

use thiserror::Error;

/// The most intervals of a column.
pub const MAX_INTERVALS: usize = 1024;
/// The most bytes of a query's text.
pub const MAX_TEXT: usize = 65_536;

/// Why a text is no query of a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at character {at}: {problem}")]
pub struct QueryError {
    /// The character, from 1.
    pub at: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a query's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A character that no query has.
    #[error("`{0}` stands in no query")]
    Character(char),
    /// A text without its closing quote.
    #[error("the text has no closing quote")]
    Unclosed,
    /// Something else is wanted here.
    #[error("{wanted} is wanted here, not {found}")]
    Wanted {
        /// What is wanted.
        wanted: &'static str,
        /// What stands there.
        found: String,
    },
    /// The text is too long.
    #[error("the text has more than {MAX_TEXT} bytes")]
    TooLong,
    /// No function has this name.
    #[error("there is no function `{0}`")]
    Function(String),
    /// No value column has this name.
    #[error("there is no value column `{0}`")]
    ValueColumn(String),
    /// No key column has this name.
    #[error("there is no key column `{0}`")]
    KeyColumn(String),
    /// The column has no sums of this power.
    #[error("the column has sums of powers up to {moments}, this asks for {power}")]
    Moments {
        /// The column's.
        moments: u8,
        /// The one that is asked for.
        power: u8,
    },
    /// No number of this kind.
    #[error("`{0}` is no whole number")]
    Number(String),
    /// No number of the column.
    #[error("`{number}` is no number with at most {scale} digits behind the point")]
    Decimal {
        /// The text.
        number: String,
        /// The column's digits behind the point.
        scale: u8,
    },
    /// A number that is compared with one beyond what 64 bits hold.
    #[error("`{0}` is beyond every number that a column can have")]
    Beyond(String),
    /// The share is none.
    #[error("{k}/{q} is no share: k/q with q at least 1 and k at most q is")]
    Share {
        /// Above the line.
        k: u64,
        /// Below it.
        q: u64,
    },
    /// The value does not fit its column.
    #[error("this is no value of the column `{column}`: {reason}")]
    Value {
        /// The column.
        column: String,
        /// Why.
        reason: String,
    },
    /// The function has no groups.
    #[error("only count, sum, mean, moment, variance and stddev are grouped")]
    Grouped,
    /// A column is named twice.
    #[error("`{0}` is named twice")]
    Repeated(String),
    /// A column has more intervals than a query may have.
    #[error("a column has more than {MAX_INTERVALS} intervals")]
    Intervals,
}
