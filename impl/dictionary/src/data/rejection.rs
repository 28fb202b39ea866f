//! Why a block or a transaction is refused: an enumerated reason, equal on every validator
//! (`docs/format.md`, Order of checks; `aardvark_spec::block::rejection::Reason`).

use std::fmt;

use crate::data::bytes::Key;

/// The phases of the checks, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Limits on counts and bytes.
    Size,
    /// When a transaction may enter.
    Interval,
    /// Whether it was applied before.
    Replay,
    /// Lengths, amounts, which claims it brings.
    Shape,
    /// Positions inside the array of the claims' version.
    Position,
    /// Openings of the claims.
    Openings,
    /// Content of the block's tail vectors.
    Tail,
    /// Whether the keys resolve.
    Resolution,
    /// The operations themselves.
    Operations,
    /// The number of tail vectors.
    TailCount,
}

macro_rules! reasons {
    ($($phase:ident { $($reason:ident = $text:literal,)* })*) => {
        /// Why, without where. The names are those of the specification.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[doc = $text] $reason,)*)*
        }

        impl Reason {
            /// The phase that gives this reason.
            pub fn phase(self) -> Phase {
                match self {
                    $($(Self::$reason => Phase::$phase,)*)*
                }
            }

            /// The reason's name in the specification.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$reason => stringify!($reason),)*)*
                }
            }

            /// Every reason, in the order of the phases.
            pub const ALL: &'static [Self] = &[$($(Self::$reason,)*)*];
        }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $($(Self::$reason => $text,)*)*
                })
            }
        }
    };
}

reasons! {
    Size {
        WrongVersion = "the block is not for the next version",
        TooManyTransactions = "the block has too many transactions",
        TooManyBlockOperations = "the block has too many operations",
        TooManyBlockClaims = "the block has too many claims",
        BlockTooLong = "the block has too many bytes",
        TooManyOperations = "the transaction has too many operations",
        TooManyClaims = "the transaction has too many claims",
        TransactionTooLong = "the transaction has too many bytes",
    }
    Interval {
        IntervalMalformed = "first_valid is 0 or after last_valid",
        IntervalTooLong = "the transaction would be valid for longer than the window",
        NotYetValid = "the transaction is not valid yet",
        Expired = "the transaction is not valid any more",
    }
    Replay {
        Replayed = "the transaction was applied before",
        RepeatedInBlock = "the transaction stands in the block twice",
    }
    Shape {
        NoOperations = "the transaction does nothing",
        EmptyKey = "the empty key is the sentinel's",
        KeyTooLong = "the key is too long",
        ValueTooLong = "the value is too long",
        ZeroAmount = "the amount is zero",
        ClaimKeyTooLong = "a key in the claim's slot is too long",
        ClaimValueTooLong = "the value in the claim's slot is too long",
        RepeatedPosition = "the position is claimed twice",
        SuperfluousClaim = "no operation needs the claim",
    }
    Position {
        PositionOutOfRange = "the claimed position was not in use at that version",
    }
    Openings {
        OpeningMalformed = "the bytes of an opening are not a point",
        OpeningFalse = "an opening does not prove its claim",
    }
    Tail {
        TailTooLong = "there is no such vector below the tail",
        TailVectorSize = "a tail vector does not have N slots",
        TailSlotMalformed = "a slot of a tail vector is too long",
        TailFalse = "a tail vector is not what its commitment says",
    }
    Resolution {
        UnresolvedCovering = "no claim, write of the window or tail slot covers the key",
        UnresolvedPredecessor = "no claim, write of the window or tail slot precedes the key to be deleted",
    }
    Operations {
        RequireFailed = "the key does not have the required value",
        AbsentKey = "the key is absent",
        NotANumber = "the value is not an 8-byte integer",
        Overflow = "the sum is too large for 8 bytes",
        Underflow = "the value is smaller than what is to be subtracted",
    }
    TailCount {
        TailMissing = "the block lacks tail vectors that its deletes need",
        TailSuperfluous = "the block carries tail vectors that it does not need",
    }
}

/// Which part of a transaction or block a rejection is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// The block, or the transaction, as a whole.
    Whole,
    /// An operation of the transaction, from 0.
    Operation(usize),
    /// A claim of the transaction, from 0.
    Claim(usize),
    /// A tail vector of the block, from 0, the highest first.
    TailVector(usize),
}

/// A refusal: the reason and where it arose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Why.
    pub reason: Reason,
    /// Which transaction of the block, from 0; `None` where the block itself is at fault.
    pub transaction: Option<usize>,
    /// Which part of it.
    pub item: Item,
    /// The key concerned, where there is one.
    pub key: Option<Key>,
    /// The position concerned, where there is one.
    pub position: Option<u64>,
}

impl Rejection {
    pub(crate) fn of_block(reason: Reason, item: Item) -> Self {
        Self { reason, transaction: None, item, key: None, position: None }
    }

    pub(crate) fn in_transaction(transaction: usize, fault: Fault) -> Self {
        let Fault { reason, item, key, position } = fault;
        Self { reason, transaction: Some(transaction), item, key, position }
    }

    /// The fault of a transaction that stands in no block.
    pub(crate) fn of_transaction(fault: Fault) -> Self {
        Self { transaction: None, ..Self::in_transaction(0, fault) }
    }

    /// Whether a proof was false, as opposed to input that is malformed, late or in conflict.
    #[must_use]
    pub fn is_proof_invalid(&self) -> bool {
        matches!(self.reason, Reason::OpeningFalse | Reason::TailFalse | Reason::PositionOutOfRange)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.transaction {
            write!(f, "transaction {index}: ")?;
        }
        match self.item {
            Item::Whole => {}
            Item::Operation(index) => write!(f, "operation {index}: ")?,
            Item::Claim(index) => write!(f, "claim {index}: ")?,
            Item::TailVector(index) => write!(f, "tail vector {index}: ")?,
        }
        write!(f, "{}", self.reason)?;
        if let Some(key) = &self.key {
            write!(f, " (key {key})")?;
        }
        if let Some(position) = self.position {
            write!(f, " (position {position})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Rejection {}

/// What is wrong inside one transaction, before it is known which one of the block it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) item: Item,
    pub(crate) key: Option<Key>,
    pub(crate) position: Option<u64>,
}

impl Fault {
    pub(crate) fn whole(reason: Reason) -> Self {
        Self { reason, item: Item::Whole, key: None, position: None }
    }

    pub(crate) fn operation(reason: Reason, index: usize, key: &Key) -> Self {
        Self { reason, item: Item::Operation(index), key: Some(key.clone()), position: None }
    }

    pub(crate) fn claim(reason: Reason, index: usize, position: u64) -> Self {
        Self { reason, item: Item::Claim(index), key: None, position: Some(position) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_listed_in_the_order_of_the_phases() {
        assert!(Reason::ALL.windows(2).all(|pair| pair[0].phase() <= pair[1].phase()));
        let names: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|reason| reason.name()).collect();
        assert_eq!(names.len(), Reason::ALL.len());
    }

    #[test]
    fn a_rejection_reads_as_where_why_and_which_key() {
        let fault = Fault::operation(Reason::UnresolvedCovering, 2, &"curl".into());
        let text = Rejection::in_transaction(4, fault).to_string();
        assert!(text.starts_with("transaction 4: operation 2: no claim"), "{text}");
        assert!(text.ends_with("(key \"curl\")"), "{text}");
    }
}
