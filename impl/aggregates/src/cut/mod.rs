//! Cuts of sorted runs at a rank or before a number: what a query about the order of rows asks for,
//! and what of a stated cut has to be shown (`aardvark_spec::table::cut`, `cut_goal`).
//!
//! A cut states for each run how many of its rows are before it. A cut at rank j has a low end, the
//! row x_(j), and where it is asked for a high end, the row x_(j+1). Ends are opened; the other
//! rows on both sides of the splits are compared with them ([`work`]). [`find`] makes cuts of known
//! rows.

pub mod find;
pub mod pieces;
pub mod show;
pub mod work;

/// What is asked of the order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutGoal {
    /// Nothing: there is no such row.
    NoCut,
    /// The row with a rank, from 1 on.
    AtRank(u64),
    /// The row with a rank and the one behind it.
    AroundRank(u64),
    /// How many rows are below a number.
    BelowNumber(u64),
}

impl CutGoal {
    /// What a function of a query's format asks of so many rows, fewer than 2^40, with its
    /// parameters a and b; nothing for functions that are not about order.
    ///
    /// | function | cut |
    /// |---|---|
    /// | 2 order statistic of rank j | at j, where j <= n |
    /// | 3 `percentile_disc` | at max(1, ceil(n k / q)) |
    /// | 4 `percentile_cont`, h = (n - 1) k / q | at floor(h) + 1; where h is no integer the next row too |
    /// | 5 top, t = max(1, ceil(n k / q)) | at n - t + 1 |
    /// | 6 rank of a number | before the number |
    pub fn of((function, a, b): (u8, u64, u64), rows: u64) -> Self {
        let share = || (u128::from(rows) * u128::from(a)).div_ceil(u128::from(b)).max(1);
        let rank = |rank: u128| u64::try_from(rank).map_or(Self::NoCut, Self::AtRank);
        match (function, rows, b) {
            (_, 0, _) => Self::NoCut,
            (2, ..) if a >= 1 && a <= rows => Self::AtRank(a),
            (6, ..) => Self::BelowNumber(a),
            (_, _, 0) => Self::NoCut,
            (3, ..) => rank(share()),
            (4, ..) => {
                let product = u128::from(rows - 1) * u128::from(a);
                match u64::try_from(product / u128::from(b) + 1) {
                    Ok(rank) if product.is_multiple_of(u128::from(b)) => Self::AtRank(rank),
                    Ok(rank) => Self::AroundRank(rank),
                    Err(_) => Self::NoCut,
                }
            }
            (5, ..) => u128::from(rows).checked_sub(share()).map_or(Self::NoCut, |before| rank(before + 1)),
            _ => Self::NoCut,
        }
    }

    /// What is asked for of the rows that are shown, where so many before the cut are not; nothing
    /// where these are too many.
    #[must_use]
    pub fn behind(self, hidden: u64) -> Self {
        match self {
            Self::AtRank(rank) => rank.checked_sub(hidden).map_or(Self::NoCut, Self::AtRank),
            Self::AroundRank(rank) => rank.checked_sub(hidden).map_or(Self::NoCut, Self::AroundRank),
            Self::NoCut | Self::BelowNumber(_) => self,
        }
    }
}

/// An end of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutEnd {
    /// The place of its run among those of the answer; of its piece, where segments are shown.
    pub run: u32,
    /// The row's number: its distance from the column's lowest.
    pub value: u64,
}

/// A cut, as an answer states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// How many rows of each run are before the cut; of each piece, where segments are shown.
    pub splits: Vec<u64>,
    /// The last row before it.
    pub low: Option<CutEnd>,
    /// The first row behind it.
    pub high: Option<CutEnd>,
}

impl Cut {
    /// The cut's numbers as an answer's seed binds them: `(u64 split)* || low || high`, an end as
    /// `u32 run || u64 value`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.splits.iter().flat_map(|split| split.to_be_bytes()).collect();
        for end in self.low.iter().chain(&self.high) {
            bytes.extend(end.run.to_be_bytes());
            bytes.extend(end.value.to_be_bytes());
        }
        bytes
    }
}
