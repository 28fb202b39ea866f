//! The operator's address: a thread of its own, so that it answers whatever the process is at.

use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::backup_stream::Backups;
use super::readiness::Readiness;

/// The type of OpenMetrics' text.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// Connections at a time; further ones wait.
const CONNECTIONS: usize = 32;
/// How long the head of a request may take, and a connection in all.
const HEAD: Duration = Duration::from_secs(5);
const CONNECTION: Duration = Duration::from_secs(60);
/// How long a connection may take in which a backup is sent.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// How long to wait where the system has no room for another connection.
const NO_DESCRIPTORS: Duration = Duration::from_millis(50);

/// What is told.
pub(crate) struct Observed {
    /// The metrics.
    pub(crate) registry: Registry,
    /// Whether the process does its work.
    pub(crate) readiness: Box<dyn Fn() -> Readiness + Send + Sync>,
    /// Writes a backup, where the process has something that is backed up.
    pub(crate) backups: Option<Backups>,
}

/// Answers that go on for long in one connection.
#[derive(Clone, Default)]
struct Long(Arc<AtomicBool>);

/// Begins to tell, until the process ends; gives the address, whose port may be any that is free.
///
/// # Errors
/// What the system says where the address cannot be listened on, or there is no thread.
pub(crate) fn observe(address: SocketAddr, observed: Observed) -> io::Result<SocketAddr> {
    let listener = StdListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let local = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = router(observed);
    std::thread::Builder::new().name("operations".to_owned()).spawn(move || {
        runtime.block_on(async {
            match TcpListener::from_std(listener) {
                Ok(listener) => serve(&listener, &router).await,
                Err(error) => tracing::error!(%error, "nothing is told to the operator"),
            }
        });
    })?;
    Ok(local)
}

fn router(observed: Observed) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/backup", get(backup))
        .with_state(Arc::new(observed))
}

async fn metrics(State(observed): State<Arc<Observed>>) -> Response {
    let mut text = String::new();
    match encode(&mut text, &observed.registry) {
        Ok(()) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

async fn ready(State(observed): State<Arc<Observed>>) -> Response {
    match (observed.readiness)() {
        Readiness::Ready => "ready\n".into_response(),
        Readiness::NotReady(reason) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {reason}\n")).into_response()
        }
    }
}

async fn backup(State(observed): State<Arc<Observed>>, Extension(Long(long)): Extension<Long>) -> Response {
    let Some(backups) = &observed.backups else {
        return (StatusCode::NOT_FOUND, "this process has nothing to back up\n").into_response();
    };
    let Some(body) = backups.begin() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "another backup is being taken\n").into_response();
    };
    long.store(true, Ordering::Relaxed);
    ([(header::CONTENT_TYPE, "application/octet-stream")], body).into_response()
}

async fn serve(listener: &TcpListener, router: &Router) {
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "the operator's connection cannot be accepted");
                sleep(NO_DESCRIPTORS).await;
                continue;
            }
        };
        let long = Long::default();
        let service = TowerToHyperService::new(router.clone().layer(Extension(long.clone())));
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD).half_close(false);
            let mut connection = std::pin::pin!(connection.serve_connection(TokioIo::new(stream), service));
            // Whoever breaks off, or stays too long, is let go; who takes a backup, when it ends or
            // nothing of it is taken any more.
            if timeout(CONNECTION, connection.as_mut()).await.is_err() && long.0.load(Ordering::Relaxed) {
                connection.as_mut().graceful_shutdown();
                let _ = timeout(LONGEST, connection).await;
            }
            drop(permit);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::*;
    use crate::operations::registry;

    fn get(address: SocketAddr, path: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        said
    }

    #[test]
    fn a_process_says_that_it_lives_whether_it_is_ready_and_what_it_is_at() {
        let is_ready = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&is_ready);
        let readiness = Box::new(move || match asked.load(Ordering::Relaxed) {
            true => Readiness::Ready,
            false => Readiness::NotReady("it wakes up".to_owned()),
        });
        let registry = registry();
        let address = observe("127.0.0.1:0".parse().unwrap(), Observed { registry, readiness, backups: None }).unwrap();
        assert!(get(address, "/healthz").starts_with("HTTP/1.1 200"));
        let said = get(address, "/readyz");
        assert!(said.starts_with("HTTP/1.1 503") && said.ends_with("\r\n\r\nnot ready: it wakes up\n"), "{said}");
        is_ready.store(true, Ordering::Relaxed);
        assert!(get(address, "/readyz").starts_with("HTTP/1.1 200"));
        let metrics = get(address, "/metrics");
        assert!(metrics.contains(OPEN_METRICS) && metrics.ends_with("# EOF\n"), "{metrics}");
        for line in ["aardvark_build_info{version=\"", "process_resident_memory_bytes ", "process_cpu_seconds_total "] {
            assert!(metrics.lines().any(|found| found.starts_with(line)), "{line} in\n{metrics}");
        }
        for path in ["/elsewhere", "/backup"] {
            assert!(get(address, path).starts_with("HTTP/1.1 404"));
        }
    }

    #[test]
    fn connections_that_say_nothing_leave_room_for_others() {
        let readiness = Box::new(|| Readiness::Ready);
        let observed = Observed { registry: registry(), readiness, backups: None };
        let address = observe("127.0.0.1:0".parse().unwrap(), observed).unwrap();
        let silent: Vec<TcpStream> = (0..CONNECTIONS).map(|_| TcpStream::connect(address).unwrap()).collect();
        let begun = std::time::Instant::now();
        assert!(get(address, "/healthz").starts_with("HTTP/1.1 200"));
        // The end of a connection's life would make room, too.
        assert!(begun.elapsed() < CONNECTION, "{:?}", begun.elapsed());
        drop(silent);
    }

    #[test]
    fn an_address_that_is_taken_is_an_error() {
        let taken = StdListener::bind("127.0.0.1:0").unwrap();
        let readiness = Box::new(|| Readiness::Ready);
        let observed = Observed { registry: registry(), readiness, backups: None };
        assert!(observe(taken.local_addr().unwrap(), observed).is_err());
    }
}
