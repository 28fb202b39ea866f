//! What an archive tells its operator ([`crate::operations`]): what it counts, what it is at, and
//! whether it does its work.

use std::fmt;

use aardvark_algebra::integers::u64_of_usize;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::registry::Registry;

use super::service::Service;
use super::shared_archive::Following;
use crate::operations::{self, Readiness, Samples};

/// What the archive and the server are at.
struct Live(Service);

impl fmt::Debug for Live {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Live")
    }
}

impl Collector for Live {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let (service, mut samples) = (&self.0, Samples::new(encoder));
        let archive = service.shared.archive();
        let openings = archive.opening_statistics();
        samples.gauge(
            "aardvark_requests_waiting",
            "Requests that wait for the archive or are worked on.",
            u64_of_usize(service.waiting_requests()),
        )?;
        samples.gauge(
            "aardvark_requests_cost_seconds",
            "Time of one processor that the long requests at hand take, by their estimates.",
            service.costs.entered().as_secs_f64(),
        )?;
        samples.gauge(
            "aardvark_answer_bytes_free",
            "Bytes that large answers may still take.",
            u64_of_usize(service.budget.free()),
        )?;
        samples.gauge("aardvark_version", "The newest version.", archive.version())?;
        samples.gauge("aardvark_oldest_version", "The oldest version that can be read.", archive.oldest_version())?;
        samples.gauge("aardvark_slots", "Slots at the newest version, the sentinel included.", archive.size())?;
        samples.counter("aardvark_openings_held", "Openings answered from held ones.", openings.held)?;
        samples.counter("aardvark_openings_stored", "Openings answered from stored ones.", openings.stored)?;
        samples.counter("aardvark_openings_fresh", "Openings computed from their vectors.", openings.fresh)?;
        samples.counter(
            "aardvark_snapshots",
            "Snapshots of a vector's openings made.",
            openings.snapshots + openings.refreshes,
        )?;
        samples.gauge("aardvark_openings_bytes", "Bytes of held openings.", openings.bytes)?;
        samples.gauge("aardvark_openings_vectors", "Vectors whose openings are held.", openings.vectors)?;
        samples.gauge("aardvark_openings_room", "Vectors whose openings memory has room for.", openings.room)?;
        samples.gauge("aardvark_vectors", "Vectors of the newest version.", archive.vectors())?;
        let ready = u64::from(service.readiness() == Readiness::Ready);
        samples.gauge("aardvark_ready", "1 where the archive does its work.", ready)?;
        let following = service.shared.following();
        if let Following::UpToDate { height } | Following::CatchingUp { height: Some(height), .. } = following {
            samples.gauge("aardvark_chain_height", "The height of the chain that is followed.", height)?;
        }
        let stopped = u64::from(matches!(following, Following::Stopped { .. }));
        samples.gauge("aardvark_stopped", "1 where the archive cannot follow its chain any more.", stopped)
    }
}

impl Service {
    /// All that the operator is told.
    pub(crate) fn registry(&self) -> Registry {
        let mut registry = operations::registry();
        self.metrics.register(&mut registry);
        if self.folder.is_some() {
            self.metrics.register_backups(&mut registry);
        }
        if let Some(replicas) = &self.replicas {
            replicas.register(&mut registry);
        }
        registry.register_collector(Box::new(Live(self.clone())));
        registry
    }

    /// The metrics as the operator's address gives them, as OpenMetrics text.
    ///
    /// # Errors
    /// None; the encoder's signature has one.
    pub fn metrics_text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry())?;
        Ok(text)
    }

    /// Whether the archive does its work: its store can be read, and it has what its chain has.
    pub(crate) fn readiness(&self) -> Readiness {
        let archive = self.shared.archive();
        if let Err(error) = archive.version_info(archive.version()) {
            return Readiness::NotReady(error.to_string());
        }
        match self.shared.following() {
            Following::Nothing | Following::UpToDate { .. } => {
                let trouble = self.replicas.as_ref().and_then(|replicas| replicas.trouble());
                trouble.map_or(Readiness::Ready, Readiness::NotReady)
            }
            Following::CatchingUp { height, trouble } => {
                let at = archive.version();
                let height = height.map_or_else(|| "unknown".to_owned(), |height| height.to_string());
                let trouble = trouble.map(|trouble| format!(": {trouble}")).unwrap_or_default();
                Readiness::NotReady(format!("catching up; at height {at}, the chain's is {height}{trouble}"))
            }
            Following::Stopped { reason } => Readiness::NotReady(format!("stopped: {reason}")),
        }
    }
}
