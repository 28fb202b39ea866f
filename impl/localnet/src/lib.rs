//! A network of validators and archives on one machine, as real processes on the loopback:
//! `cargo xtask localnet`, and the tests of faults.
//!
//! A [`Network`] is folders with CometBFT's configuration and one genesis; a [`Node`] is two
//! processes, CometBFT and the validator, which are started, killed, paused and asked; an
//! [`Archive`] is one. No process outlives its owner: each is killed when its [`Node`] or
//! [`Archive`] is dropped, and by the kernel when the thread that started it ends.
//!
//! ```text
//! Network::create -> nodes -> Node::start -> Node::{height, app_hash, kill, pause, ...}
//!        |-- Network::joiner -> a node that comes in by state sync
//!        |-- Network::archive -> Archive::{start, root, kill, ...}
//! Cluster::new    -> fronts and opening servers on the store of an archive: Member::{start, kill, ...}
//! SmallDisk::over -> a folder of a node that can be full
//! ```

#![forbid(unsafe_code)]

mod archive;
mod cluster;
mod config;
mod error;
mod network;
mod node;
mod options;
mod ports;
mod process;
mod rpc;
mod small_disk;
mod wait;

pub use archive::{Archive, get_text};
pub use cluster::{Cluster, Member};
pub use error::LocalnetError;
pub use network::Network;
pub use node::Node;
pub use options::{Options, Policy};
pub use ports::free_ports;
pub use process::Process;
pub use rpc::Rpc;
pub use small_disk::SmallDisk;
