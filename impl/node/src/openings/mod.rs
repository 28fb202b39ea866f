//! Opening servers: each has the openings of some of a dictionary's vectors, so that no machine has
//! to hold those of all (`docs/opening-servers.md`).
//!
//! ```text
//! key -> front: slot and commitment from the store
//!          |  positions, version                    ring: the two servers that own a vector
//!          v
//!        first replica, else the second  -> openings -> checked against the commitments -> proof
//! ```
//!
//! [`Ring`] says who owns a vector; [`Replicas`] is the side of a front, which asks the owners;
//! [`crate::archive::openings_router`] is the side of a server. Both read the same store, of which
//! a [`crate::archive::StoreFollower`] follows the versions.
//!
//! Nothing that a server says is used before it is checked, so that a false opening is never passed
//! on, and the bytes of a proof are those that one archive alone would give it.

mod health;
mod message;
mod metrics;
mod probes;
mod replicas;
mod ring;
mod servers;

pub(crate) use message::PATH;
pub use message::{MOST_POSITIONS, OpeningsRequest, RequestError};
pub use metrics::ReplicaCounts;
pub(crate) use probes::ServerState;
pub use replicas::{ReplicaOptions, Replicas};
pub use ring::{REPLICAS, Ring};
pub use servers::{OpeningServer, OpeningServers, ServerList, ServersError};
