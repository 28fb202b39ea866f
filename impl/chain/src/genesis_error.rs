//! Why something is no genesis of a chain.

use aardvark_commitment::CommitmentError;
use aardvark_dictionary::{GenesisError, Key, StateError};

use crate::content_file::ContentError;
use crate::gas::BlockLimits;

/// Why something is no genesis of a chain.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChainGenesisError {
    /// Not the JSON that it has to be.
    #[error("app_state: {0}")]
    Json(#[from] serde_json::Error),
    /// Another format number.
    #[error("app_state has format {0}; known is 2")]
    Format(u64),
    /// The genesis file has no member that it must have.
    #[error("the genesis file has no {0}")]
    Missing(&'static str),
    /// A setup whose secret somebody may know.
    #[error("the setup is not that of the Ethereum ceremony: a network takes no other")]
    Setup,
    /// What the dictionary refuses.
    #[error(transparent)]
    Genesis(#[from] GenesisError),
    /// A policy under which nobody may write.
    #[error("the policy lists no publisher")]
    NoPublisher,
    /// A policy under which nobody may create a table.
    #[error("the policy lists no creator")]
    NoCreator,
    /// Parameters under which there is no room for tables.
    #[error(
        "the policy tables asks for max_key_length 176, max_value_length 1024 and transaction_operations 6 at least"
    )]
    TablesDoNotFit,
    /// An entry under a key of a table.
    #[error("the key {0} is one of a table, which only a transaction creates")]
    TableInGenesis(Key),
    /// A policy under which nobody may begin a ceremony.
    #[error("the policy lists no organiser")]
    NoOrganiser,
    /// Parameters under which there is no room for posts.
    #[error(
        "the policy board asks for max_key_length 104, max_value_length 1024 and transaction_operations 4 at least"
    )]
    PostsDoNotFit,
    /// An entry under the policy `board`, which nobody has signed.
    #[error("a board begins empty: {0} is in genesis")]
    PostInGenesis(Key),
    /// An entry that is not an account with its balance.
    #[error("the key {0} is not an account: under the policy accounts keys have 32 bytes and values 8")]
    NotAnAccount(Key),
    /// The account of fees has no entry.
    #[error("the account of fees, {0}, is not in genesis")]
    NoFeeAccount(Key),
    /// No least balance.
    #[error("the minimum of an account is at least 1")]
    NoMinimum,
    /// An account with less.
    #[error("the account {0} begins with less than the minimum")]
    BelowMinimum(Key),
    /// Limits that CometBFT does not take.
    #[error("a block has max_bytes from 1 MiB to 100 MiB and max_gas from 1 to 2^63 - 1: {0:?}")]
    BlockLimits(BlockLimits),
    /// A council that cannot decide.
    #[error("a council has 1 to 255 different members, and a threshold of 1 to as many")]
    Council,
    /// The validators that a chain with a council begins with.
    #[error("the genesis file's validators: {0}")]
    Validators(String),
    /// The ceremony cannot be used.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    /// The first state cannot be made.
    #[error(transparent)]
    State(#[from] StateError),
    /// `content`, `content_digest` and `entries` do not go together.
    #[error("app_state has either content, or content_digest and entries")]
    Content,
    /// The file of the first content cannot be used.
    #[error(transparent)]
    ContentFile(#[from] ContentError),
}
