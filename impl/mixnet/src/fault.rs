//! What is wrong with a post, whose it is, and where.

use aardvark_sigma::{ListError, Shape};
use thiserror::Error;

/// Where in a post: the list, from 0, and the row and column of the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The list.
    pub list: usize,
    /// The row.
    pub row: usize,
    /// The column.
    pub column: usize,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// Bytes that are no encoding of a point or scalar.
    #[error("Malformed")]
    Malformed,
    /// A post that its author did not sign.
    #[error("SignatureFalse")]
    SignatureFalse,
    /// A body that fewer than t servers say they hold.
    #[error("ReceiptsMissing")]
    ReceiptsMissing,
    /// A post by somebody who has no part in it.
    #[error("NotAuthorised")]
    NotAuthorised,
    /// Lists or proofs of another length than the ceremony's.
    #[error("WrongLength")]
    WrongLength,
    /// A point outside of the subgroup of order r.
    #[error("NotInSubgroup")]
    NotInSubgroup,
    /// The point at infinity where none may be.
    #[error("IdentityComponent")]
    IdentityComponent,
    /// A key whose author is not shown to know its secret.
    #[error("KeyProofFalse")]
    KeyProofFalse,
    /// A sender does not know its input's randomness.
    #[error("InputProofFalse")]
    InputProofFalse,
    /// A C_0 that an input before it has.
    #[error("InputRepeated")]
    InputRepeated,
    /// A dealing without its proof, or with a share that does not fit the dealer's commitments.
    #[error("DealingFalse")]
    DealingFalse,
    /// A complaint that does not open a false share.
    #[error("ComplaintUnfounded")]
    ComplaintUnfounded,
    /// A commitment is not shown to be to a permutation.
    #[error("PermutationProofFalse")]
    PermutationProofFalse,
    /// A list is not shown to be the one before it, shuffled.
    #[error("ColumnProofFalse")]
    ColumnProofFalse,
    /// Targets are not shown to be multiplied by factors other than 0.
    #[error("ZeroTestFalse")]
    ZeroTestFalse,
    /// Decryption shares are not shown to be right.
    #[error("DecryptionProofFalse")]
    DecryptionProofFalse,
    /// A query that may not be asked so.
    #[error("QueryForbidden")]
    QueryForbidden,
    /// A query about inputs or outputs that do not exist.
    #[error("QueryOutOfRange")]
    QueryOutOfRange,
    /// An agreement on another mix than the one on the board.
    #[error("MixDiffers")]
    MixDiffers,
    /// A decrypted answer that is neither 0 nor 1: impossible where all proofs hold.
    #[error("AnswerNotABit")]
    AnswerNotABit,
}

/// A fault, its author where a server or an input is to blame, and its place where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{kind}, author {author:?}, place {place:?}")]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The server's number, from 1; of inputs the row, from 0.
    pub author: Option<usize>,
    /// Where.
    pub place: Option<Place>,
}

impl Fault {
    /// A fault of nobody in particular.
    pub fn new(kind: FaultKind) -> Self {
        Self { kind, author: None, place: None }
    }

    /// The fault of a server.
    pub fn of_server(kind: FaultKind, server: u16) -> Self {
        Self { kind, author: Some(usize::from(server)), place: None }
    }

    /// The same fault of this server, if it is one's.
    pub(crate) fn by(self, server: Option<u16>) -> Self {
        Self { author: server.map(usize::from), ..self }
    }

    /// A list that is none.
    pub(crate) fn of_list(error: ListError, author: Option<usize>, list: usize) -> Self {
        let (kind, place) = match error {
            ListError::Malformed { row, column } => (FaultKind::Malformed, Some((row, column))),
            ListError::NotInSubgroup { row, column } => (FaultKind::NotInSubgroup, Some((row, column))),
            ListError::IdentityComponent { row, column } => (FaultKind::IdentityComponent, Some((row, column))),
            _ => (FaultKind::WrongLength, None),
        };
        let place = place.map(|(row, column)| Place { list, row, column });
        Self { kind, author, place }
    }
}

impl From<Shape> for Fault {
    fn from(Shape: Shape) -> Self {
        Self::new(FaultKind::WrongLength)
    }
}
