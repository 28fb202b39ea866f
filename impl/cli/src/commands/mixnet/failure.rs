//! Why a command of the mixnet ends early.

use aardvark_board::proved::ProvedError;
use aardvark_board::summary::fault_json;
use aardvark_board::{BoardError, ClientError, ProcessError};
use aardvark_mixnet::Fault;
use aardvark_mixnet::view::PostFault;
use serde_json::{Value, json};

use crate::report::Verdict;

/// Why a command of the mixnet ends early.
#[derive(Debug, thiserror::Error)]
pub enum MixnetFailure {
    /// A file, argument or line that is not what it should be.
    #[error("{0}")]
    Malformed(String),
    /// What was asked for is not on the board, or not yet.
    #[error("{0}")]
    NotThere(String),
    /// A post that breaks the rules.
    #[error("{0}")]
    Faulty(Box<PostFault>),
    /// Bytes that are no ceremony, key or query.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The board's server.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The proofs of a board's posts.
    #[error(transparent)]
    Proved(#[from] ProvedError),
    /// The board's files.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A server of ceremonies.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Something that the system refuses.
    #[error("{0}: {1}")]
    System(String, std::io::Error),
}

impl MixnetFailure {
    /// The exit code: 1 for what is false or failed, 2 for what is malformed or not there yet.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Malformed(_) | Self::NotThere(_) | Self::Fault(_) => Verdict::Malformed,
            Self::Faulty(_) => Verdict::False,
            _ => Verdict::Failed,
        }
    }

    /// What JSON adds to the message.
    pub fn details(&self) -> Value {
        match self {
            Self::Faulty(fault) => fault_json(fault),
            Self::Client(ClientError::Refused { reason, .. }) => json!({ "reason": reason }),
            _ => json!({}),
        }
    }
}
