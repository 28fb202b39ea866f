//! What is counted, and shown at `/metrics` in Prometheus' text format.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::StatusCode;

/// Upper ends of the classes of the time that a request takes, in milliseconds.
const BOUNDS: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/// The interface's paths as they are counted; everything else is the last one.
const PATHS: [&str; 12] = [
    "/",
    "/v1/status",
    "/v1/commitments",
    "/v1/proof/{key}",
    "/v1/proofs",
    "/v1/tail",
    "/v1/blocks/{height}",
    "/v1/blocks/{height}/raw",
    "/v1/blocks",
    "/metrics",
    "/openapi.json",
    "other",
];

/// Counters of the server.
#[derive(Debug)]
pub(crate) struct Metrics {
    paths: Mutex<[PathCounters; PATHS.len()]>,
    /// Proofs that were given.
    pub(crate) proofs: AtomicU64,
    /// Connections now.
    pub(crate) connections: AtomicU64,
    /// Connections that found no room.
    pub(crate) refused: AtomicU64,
    /// Connections of clients that had as many as one may have.
    pub(crate) refused_by_address: AtomicU64,
}

#[derive(Clone, Copy, Debug, Default)]
struct PathCounters {
    /// By the first digit of the status, 2 to 5.
    statuses: [u64; 4],
    /// By [`BOUNDS`], and one above.
    classes: [u64; BOUNDS.len() + 1],
    microseconds: u64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let zero = || AtomicU64::new(0);
        let paths = Mutex::new([PathCounters::default(); PATHS.len()]);
        Self { paths, proofs: zero(), connections: zero(), refused: zero(), refused_by_address: zero() }
    }

    /// Counts a request that was answered.
    pub(crate) fn request(&self, path: &str, status: StatusCode, took: Duration) {
        let place = PATHS.iter().position(|known| *known == path).unwrap_or(PATHS.len() - 1);
        let class = BOUNDS.iter().position(|bound| took <= Duration::from_millis(*bound)).unwrap_or(BOUNDS.len());
        let digit = usize::from(status.as_u16() / 100).saturating_sub(2).min(3);
        let mut paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counters) = paths.get_mut(place) {
            counters.count(digit, class, took);
        }
    }

    /// The text, with gauges of other origin behind it.
    pub(crate) fn text(&self, gauges: &[Sample]) -> String {
        let paths = *self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from(
            "# HELP aardvark_http_requests_total Requests answered.\n# TYPE aardvark_http_requests_total counter\n",
        );
        let counted =
            || PATHS.iter().zip(&paths).filter(|(_, counters)| counters.statuses.iter().any(|count| *count > 0));
        for (path, counters) in counted() {
            for (digit, count) in (2..).zip(counters.statuses).filter(|(_, count)| *count > 0) {
                let _ = writeln!(text, "aardvark_http_requests_total{{path=\"{path}\",status=\"{digit}xx\"}} {count}");
            }
        }
        text.push_str("# HELP aardvark_http_request_seconds Time from the end of a request's head to its answer.\n# TYPE aardvark_http_request_seconds histogram\n");
        for (path, counters) in counted() {
            counters.write_histogram(&mut text, path);
        }
        let own = [
            Sample::counter("aardvark_proofs_total", "Proofs given.", self.proofs.load(Ordering::Relaxed)),
            Sample::gauge("aardvark_connections", "Connections now.", self.connections.load(Ordering::Relaxed)),
            Sample::counter(
                "aardvark_connections_refused_total",
                "Connections that found no room.",
                self.refused.load(Ordering::Relaxed),
            ),
            Sample::counter(
                "aardvark_connections_refused_by_address_total",
                "Connections of clients that had as many as one may have.",
                self.refused_by_address.load(Ordering::Relaxed),
            ),
        ];
        for gauge in own.iter().chain(gauges) {
            let Sample { name, help, kind, value } = gauge;
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        }
        text
    }
}

impl PathCounters {
    fn count(&mut self, digit: usize, class: usize, took: Duration) {
        if let (Some(statuses), Some(classes)) = (self.statuses.get_mut(digit), self.classes.get_mut(class)) {
            *statuses += 1;
            *classes += 1;
        }
        self.microseconds += u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    }

    fn write_histogram(&self, text: &mut String, path: &str) {
        let name = "aardvark_http_request_seconds";
        let mut below = 0;
        for (bound, count) in BOUNDS.iter().zip(self.classes) {
            below += count;
            let seconds = Duration::from_millis(*bound).as_secs_f64();
            let _ = writeln!(text, "{name}_bucket{{path=\"{path}\",le=\"{seconds}\"}} {below}");
        }
        let all: u64 = self.classes.iter().sum();
        let sum = Duration::from_micros(self.microseconds).as_secs_f64();
        let _ = writeln!(text, "{name}_bucket{{path=\"{path}\",le=\"+Inf\"}} {all}");
        let _ = writeln!(text, "{name}_sum{{path=\"{path}\"}} {sum}\n{name}_count{{path=\"{path}\"}} {all}");
    }
}

/// A number with its name.
pub(crate) struct Sample {
    name: &'static str,
    help: &'static str,
    kind: &'static str,
    value: u64,
}

impl Sample {
    pub(crate) fn gauge(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, help, kind: "gauge", value }
    }

    pub(crate) fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, help, kind: "counter", value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_path_status_and_time() {
        let metrics = Metrics::new();
        metrics.request("/v1/status", StatusCode::OK, Duration::from_micros(1500));
        metrics.request("/v1/status", StatusCode::OK, Duration::from_secs(2));
        metrics.request("/v1/status", StatusCode::NOT_FOUND, Duration::ZERO);
        metrics.request("/elsewhere", StatusCode::NOT_FOUND, Duration::ZERO);
        let text = metrics.text(&[Sample::gauge("aardvark_version", "The newest version.", 7)]);
        for line in [
            "aardvark_http_requests_total{path=\"/v1/status\",status=\"2xx\"} 2",
            "aardvark_http_requests_total{path=\"/v1/status\",status=\"4xx\"} 1",
            "aardvark_http_requests_total{path=\"other\",status=\"4xx\"} 1",
            "aardvark_http_request_seconds_bucket{path=\"/v1/status\",le=\"0.001\"} 1",
            "aardvark_http_request_seconds_bucket{path=\"/v1/status\",le=\"0.002\"} 2",
            "aardvark_http_request_seconds_bucket{path=\"/v1/status\",le=\"+Inf\"} 3",
            "aardvark_http_request_seconds_sum{path=\"/v1/status\"} 2.0015",
            "aardvark_version 7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
    }
}
