//! Errors of the follower: which may pass by themselves, and which are final.

use aardvark_archive::{ArchiveError, StoreError};
use aardvark_client::light::HeaderFault;
use aardvark_client::rpc::RpcError;
use aardvark_client::rpc::http::HttpError;
use aardvark_commitment::CommitmentError;
use aardvark_dictionary::Rejection;
use aardvark_proof::hex_text::encode;
use aardvark_tables::certificates::CertificatesError;

use crate::archive::chain_records::RecordError;
use crate::archive::shared_archive::SharedArchiveError;

/// Why a step fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// A node does not answer, or not as it should.
    #[error(transparent)]
    Rpc(#[from] RpcError),
    /// A node is on another chain.
    #[error("{url} is on chain {found}, not {expected}")]
    OtherChain {
        /// The node.
        url: String,
        /// Its chain.
        found: String,
        /// The chain of the genesis file.
        expected: String,
    },
    /// A node's header is not what the chain's validators decided.
    #[error("{url}: {fault}")]
    Header {
        /// The node.
        url: String,
        /// What gave it away.
        fault: HeaderFault,
    },
    /// A node's transactions are not those of its header.
    #[error("{url}: the transactions of height {height} are not those of its header")]
    Transactions {
        /// The node.
        url: String,
        /// The height.
        height: u64,
    },
    /// A header that the validators signed certifies another root than ours.
    #[error(
        "{url}: header {height}, which the validators signed, has the app hash {}, but the root of version {} is {} here: this archive is on another history",
        encode(theirs),
        height.saturating_sub(1),
        encode(ours)
    )]
    AppHash {
        /// The node.
        url: String,
        /// The header's height.
        height: u64,
        /// Its app hash.
        theirs: Vec<u8>,
        /// The root of the version before.
        ours: [u8; 32],
    },
    /// A header that the validators signed has no state root.
    #[error("{url}: header {height}, which the validators signed, has no root of 32 bytes as its app hash")]
    NoRoot {
        /// The node.
        url: String,
        /// The header's height.
        height: u64,
    },
    /// No node could be followed.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    EveryNode(Vec<FollowError>),
    /// The other archive does not answer.
    #[error("the archive {url}: {problem}")]
    OtherArchive {
        /// The archive.
        url: String,
        /// What is wrong.
        problem: HttpError,
    },
    /// The other archive answers with something else than a block.
    #[error("the archive {url}: height {height}: {what}")]
    NotABlock {
        /// The archive.
        url: String,
        /// The height.
        height: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A block of the other archive that the dictionary's rules refuse.
    #[error("the other archive's block of height {height} is refused: {rejection}")]
    LoggedBlock {
        /// The height.
        height: u64,
        /// Why.
        rejection: Rejection,
    },
    /// The archive is of another dictionary than the genesis file.
    #[error("the archive is of another dictionary than the genesis file: parameters, content or setup differ")]
    OtherDictionary,
    /// The empty block is refused, which the rules exclude.
    #[error("height {height}: even the empty block is refused: {rejection}")]
    EmptyBlock {
        /// The height.
        height: u64,
        /// Why.
        rejection: Rejection,
    },
    /// The archive fails.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The chain's records fail.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// The certificates of the chain's tables cannot be written.
    #[error(transparent)]
    Certificates(#[from] CertificatesError),
    /// The ceremony cannot be used.
    #[error(transparent)]
    Setup(#[from] CommitmentError),
}

impl FollowError {
    /// The error of a step in which no node could be followed.
    pub(super) fn all(mut troubles: Vec<Self>) -> Self {
        match (troubles.len(), troubles.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                troubles.extend(last);
                Self::EveryNode(troubles)
            }
        }
    }

    /// Whether asking another node is of no use: it is this archive's own trouble, or the other
    /// archive's.
    pub(super) fn is_ours(&self) -> bool {
        match self {
            Self::OtherArchive { .. } | Self::NotABlock { .. } | Self::LoggedBlock { .. } => true,
            Self::OtherDictionary | Self::EmptyBlock { .. } | Self::Archive(_) | Self::Records(_) => true,
            Self::Certificates(_) | Self::Setup(_) => true,
            Self::Rpc(_) | Self::OtherChain { .. } | Self::NoRoot { .. } => false,
            Self::Header { .. } | Self::Transactions { .. } | Self::AppHash { .. } | Self::EveryNode(_) => false,
        }
    }

    /// Whether a file fails in a way that may pass, as for want of room: it can be opened anew once
    /// that is over. A damaged file stays so.
    #[must_use]
    pub fn is_of_the_store(&self) -> bool {
        match self {
            Self::Records(RecordError::Store(error)) => matches!(
                **error,
                redb::Error::Io(_)
                    | redb::Error::PreviousIo
                    | redb::Error::DatabaseClosed
                    | redb::Error::DatabaseAlreadyOpen
            ),
            Self::Archive(error) | Self::Certificates(CertificatesError::Write(error)) => may_pass(error),
            Self::Certificates(CertificatesError::Store(error)) => passes(error),
            _ => false,
        }
    }

    /// Whether a node said something that the chain's validators did not decide.
    pub(super) fn is_lie(&self) -> bool {
        matches!(self, Self::Header { .. } | Self::Transactions { .. })
    }

    /// Whether trying again is of no use. A server that does not answer may come back, and one that
    /// says something wrong be repaired; an app hash that the validators signed and that is not
    /// ours is final, and so is a store that has failed, until it is opened anew.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Rpc(_) | Self::OtherArchive { .. } => false,
            Self::AppHash { .. } | Self::NoRoot { .. } => true,
            // A server that is repaired, or put in the place of another, may give the right ones.
            Self::OtherChain { .. } | Self::Header { .. } | Self::Transactions { .. } => false,
            Self::NotABlock { .. } | Self::LoggedBlock { .. } => false,
            Self::EveryNode(troubles) => !troubles.is_empty() && troubles.iter().all(Self::is_final),
            ours => ours.is_ours() && !ours.is_of_the_store(),
        }
    }
}

impl From<SharedArchiveError> for FollowError {
    /// Of what opens files anew.
    fn from(error: SharedArchiveError) -> Self {
        match error {
            SharedArchiveError::Records(error) => Self::Records(error),
            SharedArchiveError::Archive(error) => Self::Archive(error),
            SharedArchiveError::Certificates(error) => Self::Certificates(error),
            // Nothing else opens files.
            other => Self::Archive(StoreError::Engine(other.to_string()).into()),
        }
    }
}

fn may_pass(error: &ArchiveError) -> bool {
    match error {
        ArchiveError::NotCommitted { source, .. } => may_pass(source),
        ArchiveError::File { .. } => true,
        ArchiveError::Store(error) | ArchiveError::Open { source: error, .. } => passes(error),
        _ => false,
    }
}

fn passes(error: &StoreError) -> bool {
    match error {
        StoreError::Full(_) | StoreError::Io(_) | StoreError::Closed | StoreError::InUse => true,
        // Another writer that has the store is not put out of it.
        StoreError::Unavailable(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_that_is_fenced_ends_and_one_whose_storage_fails_goes_on() {
        let failed = |error: StoreError| {
            let source = Box::new(error.into());
            FollowError::Archive(ArchiveError::NotCommitted { version: 3, source })
        };
        assert!(failed(StoreError::Fenced).is_final());
        assert!(!failed(StoreError::Unavailable("no route".to_owned())).is_final());
        assert!(!failed(StoreError::Closed).is_final());
    }
}
