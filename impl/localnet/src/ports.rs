//! Ports that nobody listens on, and those of a node.

use std::hash::{BuildHasher as _, RandomState};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::net::{AddressFamily, SocketType, bind, socket, sockopt};

use crate::LocalnetError;

/// The first of the ports that are tried. All lie below those that Linux and macOS give to whoever
/// asks for any, from 32768 and 49152 on: between being found free and being listened on, none
/// becomes the near end of somebody's connection.
const FIRST: u16 = 10_000;
/// How many are tried.
const COUNT: u16 = 22_000;

/// How many ports this process has tried, from a random one on, so that other processes which do
/// the same try others.
static TRIED: LazyLock<AtomicU64> =
    LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(std::process::id()) % u64::from(COUNT)));

/// So many different free ports of the loopback. None is given twice to one process, before all
/// have been.
///
/// # Errors
/// [`LocalnetError::Port`].
pub fn free_ports(count: usize) -> Result<Vec<u16>, LocalnetError> {
    (0..count).map(|_| free_port()).collect()
}

fn free_port() -> Result<u16, LocalnetError> {
    let mut refused = rustix::io::Errno::ADDRINUSE;
    for _ in 0..COUNT {
        let place = TRIED.fetch_add(1, Ordering::Relaxed) % u64::from(COUNT);
        let port = FIRST + u16::try_from(place).unwrap_or_default();
        match try_port(port) {
            Ok(()) => return Ok(port),
            Err(error) => refused = error,
        }
    }
    Err(LocalnetError::Port(refused.into()))
}

/// Takes a port, and leaves it, without listening: a child that another thread starts meanwhile has
/// the socket too until it becomes its program, and as long as it does not listen, others may.
fn try_port(port: u16) -> rustix::io::Result<()> {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    sockopt::set_socket_reuseaddr(&socket, true)?;
    bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))
}

/// Where a node listens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ports {
    pub(crate) abci: u16,
    pub(crate) rpc: u16,
    pub(crate) p2p: u16,
}

/// Where so many nodes listen.
pub(crate) fn ports(nodes: usize) -> Result<Vec<Ports>, LocalnetError> {
    let free = free_ports(3 * nodes)?;
    let three = |ports: &[u16]| match ports {
        [abci, rpc, p2p] => Some(Ports { abci: *abci, rpc: *rpc, p2p: *p2p }),
        _ => None,
    };
    Ok(free.chunks(3).filter_map(three).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn ports_are_free_different_and_below_those_of_outgoing_connections() {
        let ports = [free_ports(40).unwrap(), free_ports(40).unwrap()].concat();
        let listeners: Vec<TcpListener> =
            ports.iter().map(|port| TcpListener::bind(("127.0.0.1", *port)).unwrap()).collect();
        assert_eq!(listeners.len(), 80);
        assert!(ports.iter().all(|port| (FIRST..FIRST + COUNT).contains(port)), "{ports:?}");
        assert!(ports.iter().all(|port| try_port(*port).is_err()));
    }
}
