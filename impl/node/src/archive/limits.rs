//! Limits of an archive's server: connections, requests, bytes and work.

use std::time::Duration;

use aardvark_algebra::integers::u32_or_max;

/// What bounds the server's memory and work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time; the next one is told so and closed. Each has at most
    /// [`Limits::connection_buffer`] bytes of requests and as many of answers in its buffers.
    pub connections: usize,
    /// Connections of one client at a time: of an address of IPv4, or of the /64 that one of IPv6
    /// is in.
    pub connections_per_address: usize,
    /// Bytes of a connection's buffer; also the longest head of a request.
    pub connection_buffer: usize,
    /// How long a client may take for the head of a request, the first or the next one.
    pub head: Duration,
    /// How long a request may take in all, its body and its wait included.
    pub request: Duration,
    /// How long a connection may live; then it may finish one request more. A client that does not
    /// read its answer goes at last.
    pub connection: Duration,
    /// Bytes of a request's body.
    pub body: usize,
    /// Requests that are worked on at a time, on threads of their own: of those that take a moment
    /// so many, of others no more.
    pub workers: usize,
    /// Requests that may wait for a worker; those after them are told that the server is busy.
    pub waiting: usize,
    /// Bytes of large answers that are held at a time, until their clients have read them.
    pub large_answers: usize,
    /// Keys of one request, and entries of one range.
    pub keys: usize,
    /// Time of one core that a request may take by its estimate; one that would take more is
    /// refused before it is begun.
    pub request_cost: Duration,
    /// As much of one client's requests that wait or are worked on, where they take longer than a
    /// moment.
    pub client_cost: Duration,
    /// As much of all clients'.
    pub all_costs: Duration,
}

/// Processors that the process may use.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_address: 256,
            connection_buffer: 16 << 10,
            head: Duration::from_secs(10),
            request: Duration::from_secs(20),
            connection: Duration::from_secs(300),
            body: 1 << 20,
            workers: 2 * cores(),
            waiting: 512,
            large_answers: 256 << 20,
            keys: 1024,
            request_cost: Duration::from_secs(4),
            client_cost: Duration::from_secs(6),
            all_costs: 8 * Duration::from_secs(1) * u32_or_max(cores()),
        }
    }
}
