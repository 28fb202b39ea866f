//! The server: a connection at a time, within limits.
//!
//! A client may send a request's head slowly, never end it, not read its answer, or come ten
//! thousand times. So the head has a time-out, a connection has an end, buffers are small, and a
//! connection too many ([`connection_limits`](super::connection_limits)) is told so and closed.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::connection_limits::{ConnectionPermit, TooManyConnections};
use super::limits::Limits;
use super::metrics::Metrics;
use super::service::Service;

/// What a client is told where there are as many connections as there may be.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
/// What a client is told that has as many connections as one may have.
const TOO_MANY: &[u8] =
    b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
/// How long open requests may take after the end was asked for.
const FAREWELL: Duration = Duration::from_secs(10);
/// How long to wait where the system has no room for another connection.
const NO_DESCRIPTORS: Duration = Duration::from_millis(50);

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Serving {
    /// All requests were answered.
    Finished,
    /// Some were cut off after ten seconds.
    CutOff,
}

/// Serves connections until `end` comes to pass; then takes no more, and lets those finish that are
/// being answered.
pub async fn serve(listener: TcpListener, router: Router, service: &Service, end: impl Future<Output = ()>) -> Serving {
    let limits = service.limits;
    let permits = Arc::clone(&service.connections);
    let (ending, ended) = watch::channel(());
    let mut end = std::pin::pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let Some((stream, address)) = opened(accepted).await else {
            continue;
        };
        match permits.take(address.ip()) {
            Ok(permit) => {
                let connection = Connection { stream, permit, metrics: Arc::clone(&service.metrics), limits };
                tokio::spawn(connection.run(router.clone(), ended.clone()));
            }
            Err(why) => {
                let (counter, answer) = match why {
                    TooManyConnections::InAll => (&service.metrics.refused, FULL),
                    TooManyConnections::OfClient => (&service.metrics.refused_by_address, TOO_MANY),
                };
                counter.inc();
                // As much as the system takes at once: who is refused is not waited for.
                let _ = stream.try_write(answer);
            }
        }
    }
    drop((listener, ending));
    // Whoever is still connected has a permit.
    if permits.closed(FAREWELL).await { Serving::Finished } else { Serving::CutOff }
}

/// A connection that was accepted. Where there are no descriptors left, waits for some.
async fn opened(accepted: io::Result<(TcpStream, SocketAddr)>) -> Option<(TcpStream, SocketAddr)> {
    match accepted {
        Ok(connected) => Some(connected),
        Err(error) => {
            let of_the_client = [io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset];
            if !of_the_client.contains(&error.kind()) {
                tracing::warn!(%error, "no connection can be accepted");
                sleep(NO_DESCRIPTORS).await;
            }
            None
        }
    }
}

struct Connection {
    stream: TcpStream,
    permit: ConnectionPermit,
    metrics: Arc<Metrics>,
    limits: Limits,
}

impl Connection {
    /// Until the client leaves, the server ends or the connection's life does; then the request at
    /// hand is still answered.
    async fn run(self, router: Router, mut ending: watch::Receiver<()>) {
        let Self { stream, permit, metrics, limits } = self;
        metrics.connections.inc();
        // Answers are small, and their clients wait for them.
        let _ = stream.set_nodelay(true);
        let (client, service) = (permit.client(), TowerToHyperService::new(router));
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(client);
            service.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_buf_size(limits.connection_buffer)
            .half_close(false)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = std::pin::pin!(connection);
        let left = tokio::select! {
            _ = connection.as_mut() => true,
            // Nothing is ever sent: the sender goes.
            _ = ending.changed() => false,
            () = sleep(limits.connection) => false,
        };
        if !left {
            connection.as_mut().graceful_shutdown();
            let _ = timeout(limits.request, connection).await;
        }
        metrics.connections.dec();
        drop(permit);
    }
}
