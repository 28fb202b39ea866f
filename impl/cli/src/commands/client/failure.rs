//! The error type of the commands of `aardvark client`.

use aardvark_client::light::{Accusation, AnnouncedError, LightError, TrustTextError};
use aardvark_client::rpc::RpcError;
use aardvark_client::rpc::http::HttpError;
use aardvark_client::{KeyFileError, MakeError, OutboxError, PlanError, SubmitError};
use aardvark_dictionary::TransactionId;
use serde_json::{Value, json};

use crate::hex_text::encode;
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
    /// A transaction was sent, and is in no block.
    #[error("{}", sent_failed(id, *last_valid, error))]
    Sent {
        /// The transaction.
        id: TransactionId,
        /// The last version that may hold it.
        last_valid: u64,
        /// Where it is kept.
        file: String,
        /// What the nodes say.
        error: SubmitError,
    },
    /// It is not known what became of an earlier transaction of the same command.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// What was signed cannot be kept or found; nothing is sent that is not kept.
    #[error(transparent)]
    Outbox(#[from] OutboxError),
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
    /// No header that nodes agree on.
    #[error(transparent)]
    Announced(#[from] AnnouncedError),
    /// A change of validators that a rule refuses.
    #[error("the change is refused: {log} ({name})")]
    ChangeRefused {
        /// The code's name.
        name: &'static str,
        /// The node's words.
        log: String,
    },
    /// A change of validators that is sent, and not made yet.
    #[error("the change is not made after {0} s; it may be made yet: see `aardvark node validators show`")]
    ChangeWaits(u64),
    /// What was typed lacks something, or contradicts itself.
    #[error("{0}")]
    Usage(String),
}

impl ClientFailure {
    /// The exit code: false where somebody lied or a rule refused the transaction, malformed where
    /// nobody could be asked.
    pub fn verdict(&self) -> Verdict {
        let is_false = match self {
            Self::Light(error) => error.is_lie(),
            Self::Make(MakeError::NoClaims(refused)) | Self::NoGenesis(refused) => {
                refused.iter().any(|accusation| accusation.fault.is_lie())
            }
            Self::Sent { error, .. } => matches!(error, SubmitError::Rejected { .. } | SubmitError::Expired(_)),
            Self::Announced(error) => error.is_lie(),
            Self::AnotherChain { .. } | Self::ChangeRefused { .. } => true,
            _ => false,
        };
        match self {
            _ if is_false => Verdict::False,
            Self::Outbox(OutboxError::File(..) | OutboxError::Taken(_)) | Self::ChangeWaits(_) => Verdict::Failed,
            _ => Verdict::Malformed,
        }
    }

    /// What JSON adds.
    pub fn details(&self) -> Value {
        match self {
            Self::Light(error) => json!({ "reason": error.name(), "refused": refused_json(error.accusations()) }),
            Self::Make(MakeError::NoClaims(refused)) | Self::NoGenesis(refused) => {
                json!({ "refused": refused_json(refused) })
            }
            Self::Sent { id, last_valid, file, error } => json!({
                "id": encode(&id.0),
                "last_valid": last_valid,
                "may_be_applied": !matches!(error, SubmitError::Expired(_)),
                "kept": file,
            }),
            Self::Plan(PlanError::Unknown { entry, .. }) => json!({
                "id": encode(&entry.id().0),
                "last_valid": entry.last_valid(),
                "may_be_applied": true,
            }),
            Self::ChangeRefused { name, .. } => json!({ "reason": name }),
            _ => json!({}),
        }
    }
}

/// What went wrong, and how to go on without doing anything twice.
fn sent_failed(id: &TransactionId, last_valid: u64, error: &SubmitError) -> String {
    let id = encode(&id.0);
    match error {
        SubmitError::Expired(_) => format!("{id}: {error}"),
        _ => format!(
            "{error}; {id} may be applied up to version {last_valid}: the same command again, or --resume {id}, goes on with it \
             and makes no other"
        ),
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
