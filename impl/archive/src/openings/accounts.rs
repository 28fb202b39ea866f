//! Counts requests for each vector and the time that their openings took.

use std::collections::HashMap;

use aardvark_algebra::integers::u64_of_usize;

/// Accounts of vectors without a snapshot beyond which the least asked for are forgotten.
const MOST: usize = 1 << 16;
/// Asks after which counts are halved: at least, and for each account.
const PERIOD: (u64, u64) = (1 << 12, 64);

/// One vector's account.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Account {
    /// Microseconds paid since the last snapshot that a new one would have saved.
    pub(super) rent: f64,
    /// Openings asked for lately.
    pub(super) demand: u64,
    /// Whether a snapshot is being made.
    pub(super) taking: bool,
}

/// The accounts of all vectors that have been asked for.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    accounts: HashMap<u64, Account>,
    asked: u64,
}

impl Accounts {
    /// The account of a vector, after noting that so many openings were asked for.
    pub(super) fn ask(&mut self, vector: u64, openings: u64) -> &mut Account {
        let accounts = u64_of_usize(self.accounts.len());
        let full = self.accounts.len() >= MOST && !self.accounts.contains_key(&vector);
        if full || self.asked + openings > PERIOD.0.max(accounts.saturating_mul(PERIOD.1)) {
            self.halve();
        }
        self.asked += openings;
        let account = self.accounts.entry(vector).or_default();
        account.demand += openings;
        account
    }

    /// A vector's account, where it has one.
    pub(super) fn get_mut(&mut self, vector: u64) -> Option<&mut Account> {
        self.accounts.get_mut(&vector)
    }

    /// How many openings of a vector were asked for lately.
    pub(super) fn demand(&self, vector: u64) -> u64 {
        self.accounts.get(&vector).map_or(0, |account| account.demand)
    }

    /// Halves all counts; vectors that come to 0 are forgotten.
    fn halve(&mut self) {
        self.asked = 0;
        self.accounts.retain(|_, account| {
            account.demand /= 2;
            account.demand > 0 || account.taking
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_asks_count_less_than_new_ones_and_are_forgotten_in_the_end() {
        let mut accounts = Accounts::default();
        accounts.ask(1, 3);
        accounts.ask(2, PERIOD.0 - 3);
        assert_eq!((accounts.demand(1), accounts.demand(2)), (3, PERIOD.0 - 3));
        accounts.ask(3, 1);
        assert_eq!((accounts.demand(1), accounts.demand(2), accounts.demand(3)), (1, (PERIOD.0 - 3) / 2, 1));
        accounts.ask(3, PERIOD.0);
        assert!(accounts.get_mut(1).is_none());
    }

    #[test]
    fn accounts_are_bounded_whatever_is_asked() {
        let mut accounts = Accounts::default();
        for vector in 0..200_000 {
            accounts.ask(vector, 1);
        }
        assert!(accounts.accounts.len() <= MOST);
    }
}
