//! Why a load ends without figures.

use aardvark_chain::ChainGenesisError;
use aardvark_client::KeyFileError;
use aardvark_client::rpc::RpcError;
use aardvark_client::rpc::http::HttpError;
use aardvark_commitment::CommitmentError;
use aardvark_proof::json::JsonError;

/// Why a load ends without figures.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// What was typed lacks something.
    #[error("{0}")]
    Options(String),
    /// An address that is none.
    #[error("{0}: {1}")]
    Address(String, HttpError),
    /// A node that did not answer.
    #[error(transparent)]
    Rpc(#[from] RpcError),
    /// No key to sign with.
    #[error(transparent)]
    Key(#[from] KeyFileError),
    /// A chain's genesis that is none.
    #[error(transparent)]
    Genesis(#[from] ChainGenesisError),
    /// An answer that is malformed.
    #[error("{0}: {1}")]
    Json(String, JsonError),
    /// Answers that cannot be verified.
    #[error("{0}: no figure, for an answer cannot be verified: {1}")]
    Unchecked(String, String),
    /// An answer that does not hold.
    #[error("{0}: no figure, for a proof does not hold: {1}")]
    False(String, String),
    /// The commitment scheme could not be set up.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
}
