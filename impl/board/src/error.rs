//! Why a board does not take something.

use std::io;

use aardvark_archive::ArchiveError;
use aardvark_mixnet::fault::Fault;
use aardvark_node::archive::DaemonError;

/// Why a post, body or draft was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Bytes that are no key or value, a body that is too long.
    #[error("malformed: {0}")]
    Malformed(Fault),
    /// Not signed by the author that the key names.
    #[error("not signed by its author")]
    SignatureFalse,
    /// The ceremony's terms are not on the board.
    #[error("the board has no such ceremony")]
    TermsMissing,
    /// The terms do not name the author for this; the board does not take this organiser's.
    #[error("the author may not write this")]
    NotAuthorised,
    /// A longer body without receipts of t servers.
    #[error("receipts of too few servers")]
    ReceiptsMissing,
    /// The key has another value: a post is written once.
    #[error("there is another post under this key")]
    SlotConflict,
    /// What the key asks to be absent is there.
    #[error("the stage is closed")]
    GateClosed,
    /// A longer body that was not stored before.
    #[error("the board does not have the body")]
    BodyMissing,
    /// A draft of what is on the board already.
    #[error("the post is there")]
    Posted,
    /// A body that no draft waits for.
    #[error("no draft waits for this body")]
    DraftMissing,
    /// More bodies that no post names than the board keeps.
    #[error("too many bytes wait for posts")]
    BodiesFull,
    /// More posts, or bytes of their bodies, than the board keeps.
    #[error("the board is full")]
    Full,
    /// On a chain: no organiser has admitted the author to this.
    #[error("no organiser has admitted the author to this")]
    NotAdmitted,
    /// More admissions at a time than a transaction holds, or something else among them.
    #[error("not a list of at most {0} admissions")]
    NotAdmissions(usize),
    /// The chain refuses a post, by the name of its code.
    #[error("the chain refused the post: {0}")]
    ChainRefused(String),
    /// No node of the chain takes anything.
    #[error("no node of the chain takes the post: {0}")]
    ChainSilent(String),
    /// The post was sent to the chain, and is in no block yet: it may be sent again.
    #[error("the post is in no block of the chain yet")]
    NotYet,
    /// The chain is not one of the policy `board`.
    #[error("the chain's policy is not that of a board")]
    OtherPolicy,
    /// The board's dictionary follows a chain: who wrote into it could follow no further.
    #[error("the board stands on a chain: name a node and the genesis of it")]
    OnChain,
    /// The chain cannot be followed.
    #[error(transparent)]
    Follow(#[from] DaemonError),
    /// The dictionary.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The files.
    #[error("{0}")]
    File(#[from] io::Error),
}
