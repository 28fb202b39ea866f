//! What the archive's server counts, for the operator ([`crate::operations`]).

use std::time::Duration;

use aardvark_algebra::integers::usize_or_max;
use axum::http::StatusCode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Upper ends of the classes of the time that a request takes, in seconds.
const BOUNDS: [f64; 13] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 20.0];

/// The interface's paths as they are counted; everything else is [`OTHER`].
const PATHS: [&str; 21] = [
    "/",
    "/v1/status",
    "/v1/commitments",
    "/v1/proof/{key}",
    "/v1/proofs",
    "/v1/range",
    "/v1/answer",
    "/v1/tail",
    "/v1/tables",
    "/v1/tables/{name}",
    "/v1/tables/{name}/certificates",
    "/v1/tables/{name}/scan",
    "/v1/tables/{name}/query",
    "/v1/tables/{name}/row",
    "/v1/tables/{name}/rows",
    "/v1/blocks/{height}",
    "/v1/blocks/{height}/raw",
    "/v1/blocks/{height}/certificates",
    "/v1/blocks",
    "/v1/openings",
    "/openapi.json",
];

const OTHER: &str = "other";

/// Statuses by their first digit.
const CLASSES: [&str; 4] = ["2xx", "3xx", "4xx", "5xx"];

/// One label, and two.
type Label = [(&'static str, &'static str); 1];
type Labels = [(&'static str, &'static str); 2];

/// Counters of the server. Copies count together.
#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    requests: Family<Labels, Counter>,
    seconds: Family<Label, Histogram, fn() -> Histogram>,
    /// Proofs that were given.
    pub(crate) proofs: Counter,
    /// Answers about tables that were given.
    pub(crate) table_answers: Counter,
    /// Answers about tables that were not given, for they would be about too few rows.
    pub(crate) too_few_rows: Counter,
    /// Rows that were shown to their owners, and lists of them.
    pub(crate) table_rows: Counter,
    /// Rows that were asked for and not shown: there is no such id, or the tag is another.
    pub(crate) rows_refused: Counter,
    /// Connections now.
    pub(crate) connections: Gauge,
    /// Connections that found no room.
    pub(crate) refused: Counter,
    /// Connections of clients that had as many as one may have.
    pub(crate) refused_by_address: Counter,
    /// When the last backup was taken whole, in seconds since 1970; 0 where none was.
    pub(crate) last_backup: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(BOUNDS)),
            proofs: Counter::default(),
            table_answers: Counter::default(),
            too_few_rows: Counter::default(),
            table_rows: Counter::default(),
            rows_refused: Counter::default(),
            connections: Gauge::default(),
            refused: Counter::default(),
            refused_by_address: Counter::default(),
            last_backup: Gauge::default(),
        }
    }
}

impl Metrics {
    /// Counts a request that was answered.
    pub(crate) fn request(&self, path: &str, status: StatusCode, took: Duration) {
        let path = PATHS.iter().find(|known| **known == path).unwrap_or(&OTHER);
        let class = usize_or_max(status.as_u16() / 100).saturating_sub(2);
        let class = CLASSES.get(class).unwrap_or(&"5xx");
        self.requests.get_or_create(&[("path", path), ("status", class)]).inc();
        self.seconds.get_or_create(&[("path", path)]).observe(took.as_secs_f64());
    }

    /// Names the time of the last backup, of an archive that has a folder to keep it.
    pub(crate) fn register_backups(&self, registry: &mut Registry) {
        registry.register(
            "aardvark_last_backup_timestamp_seconds",
            "When the last backup was taken, also before this process began, since 1970; 0 where none was",
            self.last_backup.clone(),
        );
    }

    /// Names all others.
    pub(crate) fn register(&self, registry: &mut Registry) {
        let Self { requests, seconds, proofs, table_answers, too_few_rows, table_rows, rows_refused, .. } =
            self.clone();
        let Self { connections, refused, refused_by_address, .. } = self.clone();
        registry.register("aardvark_http_requests", "Requests answered", requests);
        registry.register(
            "aardvark_http_request_seconds",
            "Time from the end of a request's head to its answer",
            seconds,
        );
        registry.register("aardvark_proofs", "Proofs given", proofs);
        registry.register("aardvark_table_answers", "Answers about tables given", table_answers);
        registry.register(
            "aardvark_table_answers_refused",
            "Answers about tables that would be about too few rows",
            too_few_rows,
        );
        registry.register("aardvark_table_rows", "Rows and lists of rows given to owners", table_rows);
        registry.register(
            "aardvark_table_rows_refused",
            "Rows asked for with an id that there is not, or another tag",
            rows_refused,
        );
        registry.register("aardvark_connections", "Connections now", connections);
        registry.register("aardvark_connections_refused", "Connections that found no room", refused);
        registry.register(
            "aardvark_connections_refused_by_address",
            "Connections of clients that had as many as one may have",
            refused_by_address,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_path_status_and_time() {
        let metrics = Metrics::default();
        metrics.request("/v1/status", StatusCode::OK, Duration::from_micros(1500));
        metrics.request("/v1/status", StatusCode::OK, Duration::from_secs(2));
        metrics.request("/v1/status", StatusCode::NOT_FOUND, Duration::ZERO);
        metrics.request("/elsewhere", StatusCode::NOT_FOUND, Duration::ZERO);
        let mut registry = Registry::default();
        metrics.register(&mut registry);
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for line in [
            "aardvark_http_requests_total{path=\"/v1/status\",status=\"2xx\"} 2",
            "aardvark_http_requests_total{path=\"/v1/status\",status=\"4xx\"} 1",
            "aardvark_http_requests_total{path=\"other\",status=\"4xx\"} 1",
            "aardvark_http_request_seconds_bucket{le=\"0.001\",path=\"/v1/status\"} 1",
            "aardvark_http_request_seconds_bucket{le=\"0.002\",path=\"/v1/status\"} 2",
            "aardvark_http_request_seconds_bucket{le=\"+Inf\",path=\"/v1/status\"} 3",
            "aardvark_http_request_seconds_sum{path=\"/v1/status\"} 2.0015",
            "aardvark_proofs_total 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
        }
    }
}
