//! The opening servers that a front asks, as an operator names them.

use std::sync::Arc;

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
}
