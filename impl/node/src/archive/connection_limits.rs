//! Limits the number of connections, in all and per client.
//!
//! A client is an address of IPv4, or the first 64 bits of one of IPv6, which is what one customer
//! has at least. Behind a reverse proxy all clients have the proxy's address: then the proxy has to
//! bound each of them, and the archive may give it all connections.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use aardvark_algebra::integers::u32_or_max;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
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

/// The connections that a server may have.
pub(super) struct ConnectionLimits {
    all: Arc<Semaphore>,
    count: usize,
    most: usize,
    /// Clients with the number of their connections, at least one each: no longer than there may be
    /// connections.
    clients: Mutex<HashMap<IpAddr, usize>>,
}

/// One of the connections that there may be, until this is dropped.
pub(super) struct ConnectionPermit {
    limits: Arc<ConnectionLimits>,
    client: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionLimits {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        let (count, most) = (limits.connections, limits.connections_per_address);
        Arc::new(Self { all: Arc::new(Semaphore::new(count)), count, most, clients: Mutex::default() })
    }

    /// The permit for a connection from an address.
    pub(super) fn take(self: &Arc<Self>, address: IpAddr) -> Result<ConnectionPermit, TooManyConnections> {
        let permit = Arc::clone(&self.all).try_acquire_owned().map_err(|_| TooManyConnections::InAll)?;
        let client = client(address);
        let mut clients = self.clients();
        let taken = clients.entry(client).or_default();
        if *taken >= self.most {
            if *taken == 0 {
                clients.remove(&client);
            }
            return Err(TooManyConnections::OfClient);
        }
        *taken += 1;
        Ok(ConnectionPermit { limits: Arc::clone(self), client, _permit: permit })
    }

    /// Waits until there is no connection; says whether that came to pass in time.
    pub(super) async fn closed(&self, within: Duration) -> bool {
        let all = u32_or_max(self.count);
        timeout(within, self.all.acquire_many(all)).await.is_ok()
    }

    /// A count is whole whatever panicked beside it.
    fn clients(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
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
        let mut clients = self.limits.clients();
        if let Some(taken) = clients.get_mut(&self.client) {
            *taken -= 1;
            if *taken == 0 {
                clients.remove(&self.client);
            }
        }
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
        assert_eq!(permits.clients().len(), 4);
        drop((again, second));
        assert_eq!(permits.clients().get(&ip("192.0.2.1")), None, "who has left is forgotten");
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
        assert!(permits.clients().is_empty() && permits.all.available_permits() == 3);
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
