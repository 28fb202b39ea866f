//! What a front counts of its opening servers.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Counters of openings, all servers together. Copies count together.
#[derive(Clone, Debug, Default)]
pub(super) struct ReplicaMetrics {
    /// Openings that servers gave and that hold.
    pub(super) given: Counter,
    /// Openings that servers gave and that do not hold.
    pub(super) wrong: Counter,
    /// Requests that a server did not answer, or not with openings.
    pub(super) failed: Counter,
    /// Requests for a version that a server did not have yet.
    pub(super) behind: Counter,
    /// Openings that the front computed.
    pub(super) computed: Counter,
    /// Openings that nobody gave.
    pub(super) missing: Counter,
    /// Bytes of requests and answers, without the heads of HTTP.
    pub(super) bytes: Counter,
    /// Servers of the list, and those of them that answered when they were asked last.
    pub(super) listed: Gauge,
    pub(super) answering: Gauge,
}

/// The same as numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplicaCounts {
    /// Openings that servers gave and that hold.
    pub given: u64,
    /// Openings that servers gave and that do not hold.
    pub wrong: u64,
    /// Requests that a server did not answer, or not with openings.
    pub failed: u64,
    /// Requests for a version that a server did not have yet.
    pub behind: u64,
    /// Openings that the front computed.
    pub computed: u64,
    /// Openings that nobody gave.
    pub missing: u64,
    /// Bytes of requests and answers, without the heads of HTTP.
    pub bytes: u64,
}

impl ReplicaMetrics {
    pub(super) fn counts(&self) -> ReplicaCounts {
        ReplicaCounts {
            given: self.given.get(),
            wrong: self.wrong.get(),
            failed: self.failed.get(),
            behind: self.behind.get(),
            computed: self.computed.get(),
            missing: self.missing.get(),
            bytes: self.bytes.get(),
        }
    }

    /// Names all of them.
    pub(super) fn register(&self, registry: &mut Registry) {
        let Self { given, wrong, failed, behind, computed, missing, bytes, listed, answering } = self.clone();
        for (name, help, counter) in [
            ("given", "Openings that servers gave and that hold", given),
            ("false", "Openings that servers gave and that do not hold", wrong),
            ("requests_failed", "Requests that an opening server did not answer", failed),
            ("requests_behind", "Requests for a version that an opening server did not have yet", behind),
            ("computed", "Openings that the front computed, since no server gave them", computed),
            ("missing", "Openings that nobody gave", missing),
            ("bytes", "Bytes of requests to opening servers and of their answers", bytes),
        ] {
            registry.register(format!("aardvark_replica_openings_{name}"), help, counter);
        }
        registry.register("aardvark_replica_servers", "Opening servers of the list", listed);
        let help = "Opening servers that answered when they were asked last";
        registry.register("aardvark_replica_servers_answering", help, answering);
    }
}
