//! Rooms for connections: so many in all, and so many for one client, so that nobody takes them all.
//!
//! A client is an address of IPv4, or the first 64 bits of one of IPv6, which is what one customer has at least. Behind a reverse proxy all
//! clients have the proxy's address: then the proxy has to bound each of them, and the archive may give it all rooms.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::costs::Client;
use super::limits::Limits;

/// Why a connection has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// All rooms are taken.
    Full,
    /// The client has as many as one may have.
    Client,
}

/// The rooms of a server.
pub(super) struct Rooms {
    all: Arc<Semaphore>,
    count: usize,
    most: usize,
    /// Clients with the rooms that they have, at least one each: no longer than there are rooms.
    clients: Mutex<HashMap<IpAddr, usize>>,
}

/// A room; it is free again when this is dropped.
pub(super) struct Room {
    rooms: Arc<Rooms>,
    client: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl Rooms {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        let (count, most) = (limits.connections, limits.connections_per_address);
        Arc::new(Self { all: Arc::new(Semaphore::new(count)), count, most, clients: Mutex::default() })
    }

    /// A room for a connection from an address.
    pub(super) fn take(self: &Arc<Self>, address: IpAddr) -> Result<Room, NoRoom> {
        let permit = Arc::clone(&self.all).try_acquire_owned().map_err(|_| NoRoom::Full)?;
        let client = client(address);
        let mut clients = self.clients();
        let taken = clients.entry(client).or_default();
        if *taken >= self.most {
            if *taken == 0 {
                clients.remove(&client);
            }
            return Err(NoRoom::Client);
        }
        *taken += 1;
        Ok(Room { rooms: Arc::clone(self), client, _permit: permit })
    }

    /// Waits until all rooms are free; says whether that came to pass in time.
    pub(super) async fn empty(&self, within: Duration) -> bool {
        let all = u32::try_from(self.count).unwrap_or(u32::MAX);
        timeout(within, self.all.acquire_many(all)).await.is_ok()
    }

    /// A count is whole whatever panicked beside it.
    fn clients(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    /// Who has it.
    pub(super) fn client(&self) -> Client {
        Client(self.client)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut clients = self.rooms.clients();
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

    fn rooms(connections: usize, connections_per_address: usize) -> Arc<Rooms> {
        Rooms::new(&Limits { connections, connections_per_address, ..Limits::default() })
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_client_has_so_many_rooms_and_others_have_theirs() {
        let rooms = rooms(5, 2);
        let first = rooms.take(ip("192.0.2.1")).unwrap();
        let second = rooms.take(ip("192.0.2.1")).unwrap();
        assert_eq!(rooms.take(ip("192.0.2.1")).err(), Some(NoRoom::Client));
        let _others = ["192.0.2.2", "192.0.2.3", "192.0.2.4"].map(|other| rooms.take(ip(other)).unwrap());
        assert_eq!(rooms.take(ip("192.0.2.5")).err(), Some(NoRoom::Full));
        drop(first);
        let again = rooms.take(ip("192.0.2.1")).unwrap();
        assert_eq!(rooms.clients().len(), 4);
        drop((again, second));
        assert_eq!(rooms.clients().get(&ip("192.0.2.1")), None, "who has left is forgotten");
    }

    #[test]
    fn a_client_of_ipv6_is_its_first_64_bits_and_ipv4_is_itself_however_it_is_written() {
        let rooms = rooms(9, 1);
        let _one = rooms.take(ip("2001:db8:0:1::1")).unwrap();
        assert_eq!(rooms.take(ip("2001:db8:0:1:ffff::2")).err(), Some(NoRoom::Client));
        let _next_door = rooms.take(ip("2001:db8:0:2::1")).unwrap();
        let _mapped = rooms.take(ip("::ffff:192.0.2.1")).unwrap();
        assert_eq!(rooms.take(ip("192.0.2.1")).err(), Some(NoRoom::Client));
        let _another = rooms.take(ip("::ffff:192.0.2.2")).unwrap();
    }

    #[test]
    fn a_client_that_was_refused_leaves_nothing_behind() {
        let rooms = rooms(3, 0);
        assert_eq!(rooms.take(ip("192.0.2.1")).err(), Some(NoRoom::Client));
        assert!(rooms.clients().is_empty() && rooms.all.available_permits() == 3);
    }

    #[tokio::test]
    async fn the_rooms_are_empty_when_the_last_has_left() {
        let rooms = rooms(3, 3);
        let room = rooms.take(ip("192.0.2.1")).unwrap();
        assert!(!rooms.empty(Duration::from_millis(10)).await);
        drop(room);
        assert!(rooms.empty(Duration::from_millis(10)).await);
    }
}
