//! What requests cost by their estimates: so much at a time for each client and for all.
//!
//! A request that takes longer than a moment is entered before it is begun and leaves when its work
//! has ended. Short ones are not entered, but a client that asks for many of them uses up an
//! allowance, and then has to take the way of the long ones.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aardvark_algebra::integers::u32_or_max;

use super::error::ApiError;
use super::limits::{Limits, cores};

/// Clients whose allowances are remembered.
const MOST_CLIENTS: usize = 1 << 14;
/// Time of one core that a client may take at once in short requests.
const BURST: Duration = Duration::from_millis(300);

/// Who asks: an address of IPv4, or the first 64 bits of one of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Client(pub(crate) IpAddr);

impl Default for Client {
    fn default() -> Self {
        Self(Ipv4Addr::UNSPECIFIED.into())
    }
}

/// The costs of requests at hand.
#[derive(Clone, Debug)]
pub(crate) struct Costs {
    most: Duration,
    most_of_client: Duration,
    /// What an allowance grows by in a second, in seconds of one core.
    growth: f64,
    ledger: Arc<Mutex<Ledger>>,
}

#[derive(Debug, Default)]
struct Ledger {
    all: Duration,
    clients: HashMap<Client, Duration>,
    used: HashMap<Client, Used>,
}

/// What a client has used of its allowance, at a moment.
#[derive(Clone, Copy, Debug)]
struct Used {
    seconds: f64,
    at: Instant,
}

/// A cost that is entered; it leaves when this goes.
#[derive(Debug)]
pub(crate) struct Charge {
    costs: Costs,
    client: Client,
    cost: Duration,
}

impl Costs {
    pub(crate) fn new(limits: &Limits) -> Self {
        let growth = f64::from(u32_or_max(cores())) / 4.0;
        Self { most: limits.all_costs, most_of_client: limits.client_cost, growth, ledger: Arc::default() }
    }

    /// The ledger is whole whatever panicked beside it.
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters the cost of a client's request. Alone it always has room.
    pub(crate) fn charge(&self, client: Client, cost: Duration) -> Result<Charge, ApiError> {
        let mut ledger = self.ledger();
        let of_client = ledger.clients.get(&client).copied().unwrap_or_default();
        let fits = |there: Duration, most: Duration| there.is_zero() || there.saturating_add(cost) <= most;
        if !fits(ledger.all, self.most) || !fits(of_client, self.most_of_client) {
            return Err(ApiError::Busy);
        }
        ledger.all = ledger.all.saturating_add(cost);
        ledger.clients.insert(client, of_client.saturating_add(cost));
        Ok(Charge { costs: self.clone(), client, cost })
    }

    /// Takes the cost of a short request out of a client's allowance; whether there was so much
    /// left.
    pub(crate) fn allow(&self, client: Client, cost: Duration) -> bool {
        self.allow_at(client, cost, Instant::now())
    }

    fn allow_at(&self, client: Client, cost: Duration, now: Instant) -> bool {
        if cost.is_zero() {
            return true;
        }
        let mut ledger = self.ledger();
        let growth = self.growth;
        let left = |used: Used| (used.seconds - growth * now.duration_since(used.at).as_secs_f64()).max(0.0);
        if ledger.used.len() >= MOST_CLIENTS && !ledger.used.contains_key(&client) {
            ledger.used.retain(|_, used| left(*used) > 0.0);
        }
        let used = ledger.used.get(&client).map_or(0.0, |used| left(*used));
        let seconds = used + cost.as_secs_f64();
        if seconds > BURST.as_secs_f64() || ledger.used.len() >= MOST_CLIENTS {
            return false;
        }
        ledger.used.insert(client, Used { seconds, at: now });
        true
    }

    /// The costs that are entered, of all clients.
    pub(crate) fn entered(&self) -> Duration {
        self.ledger().all
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        let mut ledger = self.costs.ledger();
        ledger.all = ledger.all.saturating_sub(self.cost);
        if let Some(of_client) = ledger.clients.get_mut(&self.client) {
            *of_client = of_client.saturating_sub(self.cost);
            if of_client.is_zero() {
                ledger.clients.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u8) -> Client {
        Client(Ipv4Addr::new(192, 0, 2, number).into())
    }

    #[test]
    fn a_client_and_all_clients_have_so_much_at_a_time_and_one_request_alone_always_has_room() {
        let seconds = Duration::from_secs;
        let costs = Costs::new(&Limits { client_cost: seconds(6), all_costs: seconds(10), ..Limits::default() });
        let first = costs.charge(client(1), seconds(4)).unwrap();
        assert_eq!(costs.charge(client(1), seconds(4)).err(), Some(ApiError::Busy));
        let second = costs.charge(client(2), seconds(4)).unwrap();
        assert_eq!(costs.charge(client(3), seconds(4)).err(), Some(ApiError::Busy));
        assert_eq!(costs.entered(), seconds(8));
        drop((first, second));
        let large = costs.charge(client(1), seconds(99)).unwrap();
        assert_eq!(costs.charge(client(2), seconds(1)).err(), Some(ApiError::Busy));
        drop(large);
        assert!(costs.ledger().clients.is_empty() && costs.entered().is_zero());
    }

    #[test]
    fn an_allowance_is_used_up_by_many_short_requests_and_grows_again() {
        let costs = Costs::new(&Limits::default());
        let (begun, moment) = (Instant::now(), Duration::from_millis(20));
        let allowed = |number| (0..100).filter(|_| costs.allow_at(client(number), moment, begun)).count();
        assert_eq!((allowed(1), allowed(1), allowed(2)), (15, 0, 15));
        assert!(costs.allow_at(client(1), Duration::ZERO, begun), "what costs nothing is free");
        assert!(costs.allow_at(client(1), moment, begun + Duration::from_secs(1)));
    }
}
