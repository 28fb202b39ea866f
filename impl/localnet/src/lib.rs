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
//! SmallDisk::over -> a folder of a node that can be full
//! ```

#![forbid(unsafe_code)]

mod archive;
mod config;
mod network;
mod node;
mod ports;
mod process;
mod rpc;
mod small_disk;

pub use archive::Archive;
pub use network::{Network, Options, Policy};
pub use node::Node;
pub use ports::free_ports;
pub use process::Process;
pub use rpc::Rpc;
pub use small_disk::SmallDisk;

/// Why something about a network failed.
#[derive(Debug, thiserror::Error)]
pub enum LocalnetError {
    /// A file or folder.
    #[error("{path}: {source}")]
    File {
        /// Its path.
        path: std::path::PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A program that could not be started, or failed.
    #[error("{program}: {problem}")]
    Program {
        /// The program.
        program: String,
        /// What it says.
        problem: String,
    },
    /// JSON that is not what it has to be.
    #[error("{what}: {problem}")]
    Json {
        /// Whose.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A node that does not answer, or with an error.
    #[error("{url}: {problem}")]
    Rpc {
        /// What was asked.
        url: String,
        /// What is wrong.
        problem: String,
    },
    /// Something that did not happen in time.
    #[error("{what} did not happen within {seconds} s")]
    TooLate {
        /// What was waited for.
        what: String,
        /// How long.
        seconds: u64,
    },
    /// The system does not give a free port.
    #[error("no free port: {0}")]
    Port(std::io::Error),
}

impl LocalnetError {
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::File { path: path.to_owned(), source }
    }
}
