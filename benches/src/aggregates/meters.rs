//! Rows of meters, of the distributions that the generator of TAP's artifact has: users, each in a
//! district and a household or an industry, read once an epoch.
//!
//! A reading is uniform from 1 to a greatest one, of an industry ten times that; one user in so
//! many is an industry, and one reading in so many is missing. Random numbers are our own: the same
//! distributions, other rows.

use std::slice::Iter;

use aardvark_tables::RowSource;
use aardvark_tables::source::{Row, SourceError};

use crate::workload::random::Random;

/// The greatest district: 2^31 - 1.
const MOST: u64 = i32::MAX as u64;

/// How users are spread over districts: the eight ways that the paper's generator knows. Three of
/// them none of its experiments uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// At random over the D least.
    AtRandom,
    /// At random over as many as users; not used.
    #[cfg_attr(not(test), expect(dead_code, reason = "the paper's generator has it"))]
    AtRandomOverUsers,
    /// At random over the D greatest; not used.
    #[cfg_attr(not(test), expect(dead_code, reason = "the paper's generator has it"))]
    AtRandomDown,
    /// At random over all numbers.
    AtRandomOverAll,
    /// Evenly over the D least.
    Evenly,
    /// Evenly over as many as users: each has its own; not used.
    #[cfg_attr(not(test), expect(dead_code, reason = "the paper's generator has it"))]
    EvenlyOverUsers,
    /// Evenly over the D greatest.
    EvenlyDown,
    /// Evenly over all numbers.
    EvenlyOverAll,
}

impl Spread {
    /// The district of a user.
    fn district(self, user: u64, users: u64, districts: u64, random: &mut Random) -> u64 {
        match self {
            Self::AtRandom => random.below(districts),
            Self::AtRandomOverUsers => random.below(users),
            Self::AtRandomDown => MOST - random.below(districts),
            Self::AtRandomOverAll => random.below(MOST),
            Self::Evenly => user * districts / users,
            Self::EvenlyOverUsers => user,
            Self::EvenlyDown => MOST - user * districts / users,
            Self::EvenlyOverAll => user * MOST / users,
        }
    }
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// When.
    pub time: u64,
    /// Where.
    pub district: u64,
    /// Whether by an industry.
    pub industrial: bool,
    /// Whose.
    pub user: u64,
    /// How much.
    pub power: u64,
}

impl Reading {
    /// The key columns, encoded: u64 time, u32 district, u8 industrial.
    pub fn columns(&self) -> Vec<u8> {
        let mut bytes = self.time.to_be_bytes().to_vec();
        bytes.extend((self.district as u32).to_be_bytes());
        bytes.push(u8::from(self.industrial));
        bytes
    }

    /// The row's texts: its user and the tag that the user gave, 16 bytes.
    pub fn texts(&self) -> Vec<String> {
        let tag = format!("{:016x}{:016x}", Random::new(self.user).next(), Random::new(!self.user).next());
        vec![self.user.to_string(), tag]
    }
}

/// Users and their meters.
#[derive(Debug)]
pub struct Meters {
    /// Of each user the district, and whether it is an industry.
    users: Vec<(u64, bool)>,
    random: Random,
}

impl Meters {
    /// So many users in so many districts, of whom one in `industries` is an industry; none where
    /// that is 0.
    pub fn new(users: u64, districts: u64, industries: u64, spread: Spread, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut user = |user| {
            let district = spread.district(user, users, districts, &mut random);
            (district, industries > 0 && random.below(industries) == 0)
        };
        let users = (0..users).map(&mut user).collect();
        Self { users, random }
    }

    /// The readings of an epoch, of which one in `missing` is missing; none where that is 0.
    pub fn read(&mut self, time: u64, missing: u64, most: u64) -> Vec<Reading> {
        let random = &mut self.random;
        let reading = |(user, (district, industrial)): (usize, &(u64, bool))| {
            let there = missing == 0 || random.below(missing) > 0;
            let power = (1 + random.below(most)) * if *industrial { 10 } else { 1 };
            let reading = Reading { time, district: *district, industrial: *industrial, user: user as u64, power };
            there.then_some(reading)
        };
        self.users.iter().enumerate().filter_map(reading).collect()
    }
}

/// Readings as rows of a table.
pub struct Readings<'a>(pub Iter<'a, Reading>);

impl RowSource for Readings<'_> {
    fn next_row(&mut self) -> Result<Option<Row>, SourceError> {
        let row = |reading: &Reading| Row {
            columns: reading.columns(),
            numbers: vec![Some(reading.power)],
            texts: reading.texts(),
        };
        Ok(self.0.next().map(row))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_spread_reaches_the_districts_that_it_names_and_no_others() {
        let districts = |spread| -> BTreeSet<u64> {
            Meters::new(100, 10, 0, spread, 1).users.iter().map(|(district, _)| *district).collect()
        };
        for spread in [Spread::AtRandom, Spread::Evenly] {
            assert_eq!(districts(spread), (0..10).collect());
        }
        for spread in [Spread::AtRandomDown, Spread::EvenlyDown] {
            assert_eq!(districts(spread), (MOST - 9..=MOST).collect());
        }
        assert_eq!(districts(Spread::EvenlyOverUsers), (0..100).collect());
        assert!(districts(Spread::AtRandomOverUsers).iter().all(|district| *district < 100));
        for spread in [Spread::EvenlyOverAll, Spread::AtRandomOverAll] {
            let found = districts(spread);
            assert!(found.len() > 95 && found.iter().any(|district| *district > MOST / 2), "{spread:?}");
        }
    }

    #[test]
    fn industries_use_ten_times_as_much_and_some_readings_are_missing() {
        let mut meters = Meters::new(10_000, 10, 5, Spread::Evenly, 2);
        let readings = meters.read(7, 20, 200);
        assert!((9_300..9_700).contains(&readings.len()), "{}", readings.len());
        let (industries, households): (Vec<Reading>, Vec<Reading>) =
            readings.iter().partition(|reading| reading.industrial);
        assert!((1_700..2_100).contains(&industries.len()), "{}", industries.len());
        assert!(industries.iter().all(|reading| reading.power % 10 == 0 && (10..=2000).contains(&reading.power)));
        assert!(households.iter().all(|reading| (1..=200).contains(&reading.power)));
        assert_eq!(meters.read(8, 0, 200).len(), 10_000);
        assert!(Meters::new(100, 10, 0, Spread::Evenly, 2).read(1, 0, 5).iter().all(|reading| !reading.industrial));
    }
}
