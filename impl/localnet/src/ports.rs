//! Ports that nobody listens on, and those of a node.

use std::net::TcpListener;

use crate::LocalnetError;

/// So many different free ports of the loopback. Somebody else may take one before it is used.
///
/// # Errors
/// [`LocalnetError::Port`].
pub fn free_ports(count: usize) -> Result<Vec<u16>, LocalnetError> {
    let listeners = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<Vec<_>, _>>();
    let ports = listeners.map_err(LocalnetError::Port)?;
    let ports = ports.iter().map(|listener| listener.local_addr().map(|address| address.port()));
    ports.collect::<Result<_, _>>().map_err(LocalnetError::Port)
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
