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
    let milliseconds = milliseconds(took);
    tracing::info!(target: "access", %id, client, %method, route, status = status.as_u16(), milliseconds);
}

/// Whole microseconds, as the nearest number to so many thousandths.
fn milliseconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_no_more_digits_than_microseconds_need() {
        for (nanoseconds, said) in
            [(276_189, "0.276"), (276_600, "0.277"), (1_000_000, "1.0"), (99, "0.0"), (1_234_567_891, "1234.568")]
        {
            let said_here = serde_json::to_string(&milliseconds(Duration::from_nanos(nanoseconds))).unwrap();
            assert_eq!(said_here, said);
        }
    }
}
