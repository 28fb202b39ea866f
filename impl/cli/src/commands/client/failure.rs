//! Why a client's command ends early.

use aardvark_node::client::{KeyFileError, MakeError, SubmitError};
use aardvark_node::light::{Accusation, LightError, TrustTextError};
use aardvark_node::rpc::RpcError;
use aardvark_node::rpc::http::HttpError;
use serde_json::{Value, json};

use crate::report::Verdict;

/// Why a client's command ends early.
#[derive(Debug, thiserror::Error)]
pub enum ClientFailure {
    /// Nothing can be believed.
    #[error(transparent)]
    Light(#[from] LightError),
    /// No transaction can be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// A transaction is in no block.
    #[error(transparent)]
    Submit(#[from] SubmitError),
    /// No key to sign with.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// A state file, or a trusted header, that is none.
    #[error(transparent)]
    Trust(#[from] TrustTextError),
    /// An address that is none.
    #[error("{0}: {1}")]
    Address(String, HttpError),
    /// A node that did not answer.
    #[error(transparent)]
    Rpc(#[from] RpcError),
    /// No node gave a genesis.
    #[error("no node gave the chain's genesis: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    NoGenesis(Vec<Accusation>),
    /// The file of trust and the chain do not go together.
    #[error("the state file is about the chain {file:?}, the node about {node:?}")]
    AnotherChain {
        /// The file's.
        file: String,
        /// The node's.
        node: String,
    },
    /// A load whose answers cannot be verified: no figure.
    #[error("{0}: no figure, for an answer cannot be verified: {1}")]
    Unchecked(String, String),
    /// What was typed lacks something, or contradicts itself.
    #[error("{0}")]
    Usage(String),
}

impl ClientFailure {
    /// The exit code: false where somebody lied or a rule refused the transaction, malformed where nobody could be asked.
    pub fn verdict(&self) -> Verdict {
        let is_false = match self {
            Self::Light(error) => error.is_lie(),
            Self::Make(MakeError::NoClaims(refused)) | Self::NoGenesis(refused) => {
                refused.iter().any(|accusation| accusation.fault.is_lie())
            }
            Self::Submit(error) => matches!(error, SubmitError::Rejected { .. } | SubmitError::Expired(_)),
            Self::AnotherChain { .. } => true,
            _ => false,
        };
        if is_false { Verdict::False } else { Verdict::Malformed }
    }

    /// What JSON adds.
    pub fn details(&self) -> Value {
        match self {
            Self::Light(error) => json!({ "reason": error.name(), "refused": refused_json(error.accusations()) }),
            Self::Make(MakeError::NoClaims(refused)) | Self::NoGenesis(refused) => {
                json!({ "refused": refused_json(refused) })
            }
            _ => json!({}),
        }
    }
}

/// Servers that were not believed, as JSON.
pub fn refused_json(refused: &[Accusation]) -> Value {
    let one = |accusation: &Accusation| {
        let Accusation { server, fault } = accusation;
        json!({ "server": server.kind(), "url": server.url(), "lie": fault.is_lie(), "reason": fault.to_string() })
    };
    refused.iter().map(one).collect()
}
