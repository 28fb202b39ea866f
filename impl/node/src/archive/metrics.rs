//! Metrics of the archive's server, at `/metrics` in Prometheus' text format.

use std::time::Duration;

use aardvark_algebra::integers::i64_or_max;
use axum::http::StatusCode;
use prometheus::core::Collector;
use prometheus::proto::MetricFamily;
use prometheus::{HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, Opts, TextEncoder};

/// Upper ends of the classes of the time that a request takes, in seconds.
const BOUNDS: [f64; 10] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// The interface's paths as they are counted; everything else is [`OTHER`].
const PATHS: [&str; 13] = [
    "/",
    "/v1/status",
    "/v1/commitments",
    "/v1/proof/{key}",
    "/v1/proofs",
    "/v1/range",
    "/v1/answer",
    "/v1/tail",
    "/v1/blocks/{height}",
    "/v1/blocks/{height}/raw",
    "/v1/blocks",
    "/metrics",
    "/openapi.json",
];

const OTHER: &str = "other";

/// Counters of the server.
#[derive(Debug)]
pub(crate) struct Metrics {
    requests: IntCounterVec,
    seconds: HistogramVec,
    /// Proofs that were given.
    pub(crate) proofs: IntCounter,
    /// Connections now.
    pub(crate) connections: IntGauge,
    /// Connections that found no room.
    pub(crate) refused: IntCounter,
    /// Connections of clients that had as many as one may have.
    pub(crate) refused_by_address: IntCounter,
}

impl Metrics {
    /// All of them at zero; the names that stand here are legal, or it is an error.
    pub(crate) fn new() -> Result<Self, prometheus::Error> {
        let requests = Opts::new("aardvark_http_requests_total", "Requests answered.");
        let seconds =
            HistogramOpts::new("aardvark_http_request_seconds", "Time from the end of a request's head to its answer.");
        Ok(Self {
            requests: IntCounterVec::new(requests, &["path", "status"])?,
            seconds: HistogramVec::new(seconds.buckets(BOUNDS.to_vec()), &["path"])?,
            proofs: IntCounter::new("aardvark_proofs_total", "Proofs given.")?,
            connections: IntGauge::new("aardvark_connections", "Connections now.")?,
            refused: IntCounter::new("aardvark_connections_refused_total", "Connections that found no room.")?,
            refused_by_address: IntCounter::new(
                "aardvark_connections_refused_by_address_total",
                "Connections of clients that had as many as one may have.",
            )?,
        })
    }

    /// Counts a request that was answered.
    pub(crate) fn request(&self, path: &str, status: StatusCode, took: Duration) {
        let path = PATHS.iter().find(|known| **known == path).unwrap_or(&OTHER);
        let digit = (status.as_u16() / 100).clamp(2, 5);
        self.requests.with_label_values(&[*path, &format!("{digit}xx")]).inc();
        self.seconds.with_label_values(&[*path]).observe(took.as_secs_f64());
    }

    /// The text, with numbers of other origin behind it.
    pub(crate) fn text(&self, others: &[Sample]) -> Result<String, prometheus::Error> {
        let own: [&dyn Collector; 6] =
            [&self.requests, &self.seconds, &self.proofs, &self.connections, &self.refused, &self.refused_by_address];
        let mut families: Vec<MetricFamily> = own.into_iter().flat_map(|metric| metric.collect()).collect();
        // A label that nothing was counted under yet has no lines.
        families.retain(|family| !family.get_metric().is_empty());
        for sample in others {
            families.extend(sample.collect()?);
        }
        TextEncoder::new().encode_to_string(&families)
    }
}

/// A number with its name.
pub(crate) struct Sample {
    name: &'static str,
    help: &'static str,
    kind: Kind,
    value: u64,
}

enum Kind {
    Gauge,
    Counter,
}

impl Sample {
    pub(crate) fn gauge(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, help, kind: Kind::Gauge, value }
    }

    pub(crate) fn counter(name: &'static str, help: &'static str, value: u64) -> Self {
        Self { name, help, kind: Kind::Counter, value }
    }

    fn collect(&self) -> Result<Vec<MetricFamily>, prometheus::Error> {
        match self.kind {
            Kind::Gauge => {
                let gauge = IntGauge::new(self.name, self.help)?;
                gauge.set(i64_or_max(self.value));
                Ok(gauge.collect())
            }
            Kind::Counter => {
                let counter = IntCounter::new(self.name, self.help)?;
                counter.inc_by(self.value);
                Ok(counter.collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_path_status_and_time() {
        let metrics = Metrics::new().unwrap();
        metrics.request("/v1/status", StatusCode::OK, Duration::from_micros(1500));
        metrics.request("/v1/status", StatusCode::OK, Duration::from_secs(2));
        metrics.request("/v1/status", StatusCode::NOT_FOUND, Duration::ZERO);
        metrics.request("/elsewhere", StatusCode::NOT_FOUND, Duration::ZERO);
        let text = metrics.text(&[Sample::gauge("aardvark_version", "The newest version.", 7)]).unwrap();
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

    /// Prometheus' text format 0.0.4: of each name a `HELP`, a `TYPE`, then its samples, and
    /// nothing else.
    #[test]
    fn the_text_has_the_names_and_the_form_that_prometheus_reads() {
        let metrics = Metrics::new().unwrap();
        metrics.request("/", StatusCode::OK, Duration::from_millis(3));
        let others = [Sample::gauge("a_gauge", "A gauge.", u64::MAX), Sample::counter("a_total", "A counter.", 3)];
        let text = metrics.text(&others).unwrap();
        let (mut names, mut kind) = (Vec::new(), "");
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["#", "HELP", name, ..] => names.push(*name),
                ["#", "TYPE", name, of] => {
                    assert_eq!(names.last(), Some(name), "{text}");
                    kind = of;
                }
                [sample, value] => {
                    let name = sample.split('{').next().unwrap();
                    let suffixes: &[&str] = if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
                    let family = names.last().unwrap();
                    assert!(suffixes.iter().any(|suffix| name == format!("{family}{suffix}")), "{line} in\n{text}");
                    assert!(value.parse::<f64>().is_ok(), "{line}");
                }
                _ => panic!("{line} in\n{text}"),
            }
        }
        let expected = [
            "aardvark_http_requests_total",
            "aardvark_http_request_seconds",
            "aardvark_proofs_total",
            "aardvark_connections",
            "aardvark_connections_refused_total",
            "aardvark_connections_refused_by_address_total",
            "a_gauge",
            "a_total",
        ];
        assert_eq!(names, expected);
        assert!(Metrics::new().unwrap().text(&[]).unwrap().starts_with("# HELP aardvark_proofs_total Proofs given.\n"));
    }
}
