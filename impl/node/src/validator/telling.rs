//! What a validator tells its operator ([`crate::operations`]): what it counts, what it is at, and
//! whether it does its work.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use aardvark_algebra::integers::u64_of_usize;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;

use crate::operations::{self, Observed, Readiness, Samples, observe};
use crate::validator::application::Application;
use crate::validator::lock::lock;

/// What a validator is at.
struct Live(Arc<Application>);

impl fmt::Debug for Live {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Live")
    }
}

impl Collector for Live {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut samples = Samples::new(encoder);
        let (version, slots, vectors, replay) = {
            let state = self.0.state();
            (state.version(), state.size(), state.commitments().len(), state.replay().len())
        };
        samples.gauge("aardvark_version", "The newest version: the height that was decided last.", version)?;
        samples.gauge("aardvark_slots", "Slots at the newest version, the sentinel included.", slots)?;
        samples.gauge("aardvark_commitments", "Commitments that the validator holds.", u64_of_usize(vectors))?;
        samples.gauge("aardvark_replay", "Transactions that may not be applied again.", u64_of_usize(replay))?;
        let (waiting, gas) = lock(&self.0.mempool.waiting).size();
        samples.gauge("aardvark_waiting_transactions", "Transactions that wait for a block.", u64_of_usize(waiting))?;
        samples.gauge("aardvark_waiting_gas", "Work of the transactions that wait for a block.", gas)?;
        let (app_version, upgrade) = (self.0.upgrades().version_at(version + 1), self.0.upgrades().last());
        samples.gauge("aardvark_app_version", "The app version of the block that follows.", app_version)?;
        let what = "The height that announces the newest app version that is told of, past or to come; 0: none.";
        samples.gauge("aardvark_upgrade_height", what, upgrade.unwrap_or_default())?;
        let halt_height = self.0.halt_height().unwrap_or_default();
        samples.gauge("aardvark_halt_height", "The height that the validator halts at; 0: none.", halt_height)?;
        let ready = u64::from(self.0.readiness() == Readiness::Ready);
        samples.gauge("aardvark_ready", "1 where CometBFT is connected and the validator has not halted.", ready)
    }
}

impl Application {
    /// Tells the operator what the validator is at; gives the address, whose port may be any that
    /// is free.
    ///
    /// # Errors
    /// What the system says where the address cannot be listened on.
    pub fn tell(self: &Arc<Self>, address: SocketAddr) -> std::io::Result<SocketAddr> {
        let mut registry = operations::registry();
        self.metrics.register(&mut registry);
        registry.register_collector(Box::new(Live(Arc::clone(self))));
        let asked = Arc::clone(self);
        observe(address, Observed { registry, readiness: Box::new(move || asked.readiness()), backups: None })
    }

    pub(super) fn readiness(&self) -> Readiness {
        match (self.halted(), self.metrics.connections.get()) {
            (Some(height), _) => Readiness::NotReady(format!("halted at height {height}")),
            (None, 0) => Readiness::NotReady("CometBFT is not connected".to_owned()),
            (None, _) => Readiness::Ready,
        }
    }
}
