//! The log of accesses: an event a request, of the target `access`, which a process writes where it
//! was told to.
//!
//! It has the route and not the path: for which keys somebody asks is nobody else's business.

use std::time::Duration;

use axum::http::{Method, StatusCode};

use crate::archive::costs::Client;
use crate::request_id::RequestId;

/// Enters a request that was answered.
pub(super) fn enter(
    id: &RequestId,
    client: Option<Client>,
    method: &Method,
    route: &str,
    status: StatusCode,
    took: Duration,
) {
    let client = client.map(|Client(address)| tracing::field::display(address));
    let milliseconds = took.as_secs_f64() * 1e3;
    tracing::info!(target: "access", %id, client, %method, route, status = status.as_u16(), milliseconds);
}
