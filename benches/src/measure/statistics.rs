//! What several runs of one measurement say: minimum, median, maximum.

use serde::{Deserialize, Serialize};

use crate::measure::clock::Taken;

/// The runs of one measurement, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

/// Least, middle and greatest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least.
    pub min: f64,
    /// The middle; the mean of the two middle ones of an even number.
    pub median: f64,
    /// The greatest.
    pub max: f64,
}

impl Spread {
    /// The spread of some numbers; `None` of none.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)?;
        let lower = if sorted.len().is_multiple_of(2) { *sorted.get(middle - 1)? } else { upper };
        Some(Self { min, median: f64::midpoint(lower, upper), max })
    }

    /// The spread in another unit, `factor` of which make one of this.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { min: self.min * factor, median: self.median * factor, max: self.max * factor }
    }

    /// The spread of `amount` divided by each number, such as operations per second from seconds.
    #[must_use]
    pub fn rate(self, amount: f64) -> Self {
        Self { min: amount / self.max, median: amount / self.median, max: amount / self.min }
    }
}

impl Samples {
    /// Adds a run.
    pub fn push(&mut self, taken: Taken) {
        self.wall.push(taken.wall);
        self.cpu.push(taken.cpu);
    }

    /// All runs in order.
    pub fn runs(&self) -> impl Iterator<Item = Taken> + '_ {
        self.wall.iter().zip(&self.cpu).map(|(wall, cpu)| Taken { wall: *wall, cpu: *cpu })
    }

    /// Number of runs.
    pub fn len(&self) -> usize {
        self.wall.len()
    }

    /// The wall clock's spread.
    pub fn wall(&self) -> Option<Spread> {
        Spread::of(&self.wall)
    }

    /// The CPU time's spread.
    pub fn cpu(&self) -> Option<Spread> {
        Spread::of(&self.cpu)
    }
}

impl FromIterator<Taken> for Samples {
    fn from_iter<I: IntoIterator<Item = Taken>>(runs: I) -> Self {
        let mut samples = Self::default();
        runs.into_iter().for_each(|taken| samples.push(taken));
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one_or_between_the_middle_two() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[3.0, 1.0, 2.0]), Some(Spread { min: 1.0, median: 2.0, max: 3.0 }));
        assert_eq!(Spread::of(&[4.0, 1.0, 2.0, 3.0]), Some(Spread { min: 1.0, median: 2.5, max: 4.0 }));
    }

    #[test]
    fn the_fastest_run_has_the_highest_rate() {
        let spread = Spread { min: 1.0, median: 2.0, max: 4.0 };
        assert_eq!(spread.rate(8.0), Spread { min: 2.0, median: 4.0, max: 8.0 });
    }
}
