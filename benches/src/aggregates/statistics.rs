//! What is asked, as a query of a table, and what it comes to in plain Rust.

use num::{BigInt, BigRational};

use super::meters::Reading;

/// Rows that are asked about: those of households where `households`, from one time up to another,
/// in the districts below one.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The first time.
    pub from: u64,
    /// The last time.
    pub to: u64,
    /// The least district that is not in it.
    pub districts: Option<u64>,
    /// Without industries.
    pub households: bool,
}

impl Window {
    /// Whether a row is in it.
    pub fn holds(&self, reading: &Reading) -> bool {
        (self.from..=self.to).contains(&reading.time)
            && self.districts.is_none_or(|districts| reading.district < districts)
            && !(self.households && reading.industrial)
    }

    /// As a query's conditions.
    fn text(&self) -> String {
        let Self { from, to, .. } = self;
        let mut text = if from == to { format!("time = {from}") } else { format!("time between {from} and {to}") };
        if let Some(districts) = self.districts {
            text += &format!(" and district < {districts}");
        }
        if self.households {
            text += " and industrial = 0";
        }
        text
    }

    /// As conditions in SQL.
    pub fn sql(&self) -> String {
        let Self { from, to, .. } = self;
        let districts = self.districts.map_or_else(String::new, |districts| format!(" and district < {districts}"));
        let households = if self.households { " and industrial = 0" } else { "" };
        format!("time between {from} and {to}{districts}{households}")
    }
}

/// A statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// Σ x.
    Sum,
    /// Σ x / n.
    Average,
    /// n.
    Count,
    /// The least row.
    Min,
    /// The greatest row.
    Max,
    /// The middle row, or the mean of both.
    Median,
    /// The least row that is at least as great as so many hundredths of all.
    Percentile(u64),
}

impl Statistic {
    /// The names of all of it, of the server's share, of the client's.
    pub fn names(self) -> [&'static str; 3] {
        match self {
            Self::Sum => ["sum", "sum_server", "sum_client"],
            Self::Average => ["average", "average_server", "average_client"],
            Self::Count => ["count", "count_server", "count_client"],
            Self::Min => ["min", "min_server", "min_client"],
            Self::Max => ["max", "max_server", "max_client"],
            Self::Median => ["median", "median_server", "median_client"],
            Self::Percentile(5) => ["percentile_5", "percentile_5_server", "percentile_5_client"],
            Self::Percentile(_) => ["percentile_95", "percentile_95_server", "percentile_95_client"],
        }
    }

    /// As a query.
    pub fn query(self, window: &Window) -> String {
        let function = match self {
            Self::Sum => "sum(power)",
            Self::Average => "mean(power)",
            Self::Count => "count(power)",
            Self::Min => "min(power)",
            Self::Max => "max(power)",
            Self::Median => "median(power)",
            Self::Percentile(5) => "percentile_disc(power, 1/20)",
            Self::Percentile(_) => "percentile_disc(power, 19/20)",
        };
        format!("{function} where {}", window.text())
    }

    /// Its value of numbers, in ascending order; `None` of no numbers, but for the count and the
    /// sum.
    pub fn of(self, sorted: &[u64]) -> Option<BigRational> {
        let rows = sorted.len();
        let at = |place: usize| sorted.get(place).copied();
        let whole = |number: u128| BigRational::from_integer(BigInt::from(number));
        let sum: u128 = sorted.iter().map(|number| u128::from(*number)).sum();
        match self {
            Self::Sum => Some(whole(sum)),
            Self::Count => Some(whole(rows as u128)),
            _ if rows == 0 => None,
            Self::Average => Some(BigRational::new(BigInt::from(sum), BigInt::from(rows))),
            Self::Min => at(0).map(|number| whole(number.into())),
            Self::Max => at(rows - 1).map(|number| whole(number.into())),
            Self::Median => {
                let (low, high) = (at((rows - 1) / 2)?, at(rows / 2)?);
                Some(BigRational::new(BigInt::from(low) + BigInt::from(high), BigInt::from(2)))
            }
            Self::Percentile(share) => {
                let rank = (rows as u64 * share).div_ceil(100).max(1);
                at(rank as usize - 1).map(|number| whole(number.into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_small_lists_are_those_by_hand() {
        let half = |number: i32| BigRational::new(number.into(), 2.into());
        let of = |statistic: Statistic, numbers: &[u64]| statistic.of(numbers);
        assert_eq!(of(Statistic::Median, &[1, 2, 3]), Some(half(4)));
        assert_eq!(of(Statistic::Median, &[1, 2, 5, 9]), Some(half(7)));
        assert_eq!(of(Statistic::Average, &[1, 2]), Some(half(3)));
        assert_eq!(of(Statistic::Sum, &[]), Some(half(0)));
        assert_eq!(of(Statistic::Min, &[]), None);
        let numbers: Vec<u64> = (1..=40).collect();
        assert_eq!(of(Statistic::Percentile(5), &numbers), Some(half(4)));
        assert_eq!(of(Statistic::Percentile(95), &numbers), Some(half(76)));
        assert_eq!(of(Statistic::Percentile(5), &[7]), Some(half(14)));
    }

    #[test]
    fn a_window_has_the_rows_that_its_conditions_name() {
        let window = Window { from: 3, to: 4, districts: Some(2), households: true };
        let reading = Reading { time: 3, district: 1, industrial: false, user: 0, power: 1 };
        assert!(window.holds(&reading) && window.holds(&Reading { time: 4, ..reading }));
        for other in [Reading { time: 5, ..reading }, Reading { district: 2, ..reading }] {
            assert!(!window.holds(&other));
        }
        assert!(!window.holds(&Reading { industrial: true, ..reading }));
        assert!(Window { households: false, ..window }.holds(&Reading { industrial: true, ..reading }));
        assert_eq!(window.text(), "time between 3 and 4 and district < 2 and industrial = 0");
    }
}
