//! Ports that nobody listens on.

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
