//! The opening servers that a front asks, as an operator names them.

use std::sync::Arc;

use tokio::signal::unix::Signal;

use crate::openings::{ReplicaOptions, Replicas, ServerList, ServersError};

/// Which servers a front asks for openings, and how.
#[derive(Clone, Debug)]
pub struct AskedServers {
    /// The servers.
    pub servers: ServerList,
    /// How they are asked.
    pub options: ReplicaOptions,
}

impl AskedServers {
    /// The servers of the list as it is now.
    pub(super) fn replicas(&self) -> Result<Arc<Replicas>, ServersError> {
        Ok(Arc::new(Replicas::new(&self.servers.read()?, self.options)?))
    }

    /// Reads the list again at each signal.
    pub(super) async fn follow(self, replicas: Arc<Replicas>, mut reload: Signal) {
        while reload.recv().await.is_some() {
            match self.servers.read().and_then(|servers| replicas.set_servers(&servers)) {
                Ok(()) => tracing::info!("the list of opening servers was read again"),
                Err(error) => tracing::error!(%error, "the list of opening servers stays as it was"),
            }
        }
    }
}
