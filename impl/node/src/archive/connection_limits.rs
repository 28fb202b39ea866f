//! Limits the number of connections, in all and per client.
//!
//! A client is an address of IPv4, or the first 64 bits of one of IPv6, which is what one customer
//! has at least. Behind a reverse proxy all clients have the proxy's address: then the proxy has to
//! bound each of them, and the archive may give it all connections.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::costs::Client;
use super::limits::Limits;

/// Why a connection is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooManyConnections {
    /// There are as many as there may be.
    InAll,
    /// The client has as many as one may have.
    OfClient,
}

/// The connections that a server has, and how many it may have.
#[derive(Debug)]
pub(super) struct ConnectionLimits {
    taken: Mutex<Taken>,
    /// Told when a connection ends.
    left: Notify,
}

#[derive(Debug)]
struct Taken {
    /// Connections now, and at most.
    all: usize,
    most: usize,
    most_of_client: usize,
    /// Clients with the number of their connections, at least one each: no longer than there may be
    /// connections.
    clients: HashMap<IpAddr, usize>,
}

/// One of the connections that there may be, until this is dropped.
pub(super) struct ConnectionPermit {
    limits: Arc<ConnectionLimits>,
    client: IpAddr,
}

impl ConnectionLimits {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        let (most, most_of_client) = (limits.connections, limits.connections_per_address);
        let taken = Taken { all: 0, most, most_of_client, clients: HashMap::new() };
        Arc::new(Self { taken: Mutex::new(taken), left: Notify::new() })
    }

    /// Lets there be so many connections from now on. Those that there are stay, be they more.
    pub(super) fn set(&self, most: usize, most_of_client: usize) {
        let mut taken = self.taken();
        (taken.most, taken.most_of_client) = (most, most_of_client);
    }

    /// The permit for a connection from an address.
    pub(super) fn take(self: &Arc<Self>, address: IpAddr) -> Result<ConnectionPermit, TooManyConnections> {
        let client = client(address);
        let mut taken = self.taken();
        if taken.all >= taken.most {
            return Err(TooManyConnections::InAll);
        }
        let of_client = taken.clients.get(&client).copied().unwrap_or_default();
        if of_client >= taken.most_of_client {
            return Err(TooManyConnections::OfClient);
        }
        taken.clients.insert(client, of_client + 1);
        taken.all += 1;
        Ok(ConnectionPermit { limits: Arc::clone(self), client })
    }

    /// Waits until there is no connection; says whether that came to pass in time.
    pub(super) async fn closed(&self, within: Duration) -> bool {
        let closed = async {
            loop {
                let left = self.left.notified();
                if self.taken().all == 0 {
                    return;
                }
                left.await;
            }
        };
        timeout(within, closed).await.is_ok()
    }

    /// A count is whole whatever panicked beside it.
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionPermit {
    /// Whose connection it is.
    pub(super) fn client(&self) -> Client {
        Client(self.client)
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut taken = self.limits.taken();
        taken.all -= 1;
        if let Some(of_client) = taken.clients.get_mut(&self.client) {
            *of_client -= 1;
            if *of_client == 0 {
                taken.clients.remove(&self.client);
            }
        }
        drop(taken);
        // Remembered where nobody waits yet.
        self.limits.left.notify_one();
    }
}

/// Whose address it is. One of IPv4 may come written as one of IPv6, where a socket takes both.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(connections: usize, connections_per_address: usize) -> Arc<ConnectionLimits> {
        ConnectionLimits::new(&Limits { connections, connections_per_address, ..Limits::default() })
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_client_has_so_many_connections_and_others_have_theirs() {
        let permits = permits(5, 2);
        let first = permits.take(ip("192.0.2.1")).unwrap();
        let second = permits.take(ip("192.0.2.1")).unwrap();
        assert_eq!(permits.take(ip("192.0.2.1")).err(), Some(TooManyConnections::OfClient));
        let _others = ["192.0.2.2", "192.0.2.3", "192.0.2.4"].map(|other| permits.take(ip(other)).unwrap());
        assert_eq!(permits.take(ip("192.0.2.5")).err(), Some(TooManyConnections::InAll));
        drop(first);
        let again = permits.take(ip("192.0.2.1")).unwrap();
        assert_eq!(permits.taken().clients.len(), 4);
        drop((again, second));
        assert_eq!(permits.taken().clients.get(&ip("192.0.2.1")), None, "who has left is forgotten");
    }

    #[test]
    fn a_client_of_ipv6_is_its_first_64_bits_and_ipv4_is_itself_however_it_is_written() {
        let permits = permits(9, 1);
        let _one = permits.take(ip("2001:db8:0:1::1")).unwrap();
        assert_eq!(permits.take(ip("2001:db8:0:1:ffff::2")).err(), Some(TooManyConnections::OfClient));
        let _next_door = permits.take(ip("2001:db8:0:2::1")).unwrap();
        let _mapped = permits.take(ip("::ffff:192.0.2.1")).unwrap();
        assert_eq!(permits.take(ip("192.0.2.1")).err(), Some(TooManyConnections::OfClient));
        let _another = permits.take(ip("::ffff:192.0.2.2")).unwrap();
    }

    #[test]
    fn a_client_that_was_refused_leaves_nothing_behind() {
        let permits = permits(3, 0);
        assert_eq!(permits.take(ip("192.0.2.1")).err(), Some(TooManyConnections::OfClient));
        assert!(permits.taken().clients.is_empty() && permits.taken().all == 0);
    }

    #[test]
    fn limits_that_change_are_those_of_the_next_connection_and_nobody_is_sent_away() {
        let permits = permits(1, 1);
        let first = permits.take(ip("192.0.2.1")).unwrap();
        assert_eq!(permits.take(ip("192.0.2.2")).err(), Some(TooManyConnections::InAll));
        permits.set(3, 2);
        let _second = permits.take(ip("192.0.2.1")).unwrap();
        assert_eq!(permits.take(ip("192.0.2.1")).err(), Some(TooManyConnections::OfClient));
        permits.set(1, 1);
        assert_eq!(permits.take(ip("192.0.2.2")).err(), Some(TooManyConnections::InAll));
        drop(first);
        assert_eq!(permits.take(ip("192.0.2.2")).err(), Some(TooManyConnections::InAll), "there is one still");
    }

    #[tokio::test]
    async fn all_permits_are_back_when_the_last_has_left() {
        let permits = permits(3, 3);
        let permit = permits.take(ip("192.0.2.1")).unwrap();
        assert!(!permits.closed(Duration::from_millis(10)).await);
        drop(permit);
        assert!(permits.closed(Duration::from_millis(10)).await);
    }
}
