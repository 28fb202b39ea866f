//! Why a block or a transaction is refused: the reasons of docs/format.md, by its names, and where
//! they arose.

/// The reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Phase 1: the block is not for the version after this one.
    WrongVersion,
    /// Phase 1: more transactions than a block may hold.
    TooManyTransactions,
    /// Phase 1: more operations than a block may hold.
    TooManyBlockOperations,
    /// Phase 1: more claims than a block may hold.
    TooManyBlockClaims,
    /// Phase 1: more bytes than a block may have.
    BlockTooLong,
    /// Phase 1: more operations than a transaction may hold.
    TooManyOperations,
    /// Phase 1: more claims than a transaction may hold.
    TooManyClaims,
    /// Phase 1: more bytes than a transaction may have.
    TransactionTooLong,
    /// Phase 2: `first_valid` is 0, or above `last_valid`.
    IntervalMalformed,
    /// Phase 2: valid for more than W versions after the first.
    IntervalTooLong,
    /// Phase 2: the block comes before `first_valid`.
    NotYetValid,
    /// Phase 2: the block comes after `last_valid`.
    Expired,
    /// Phase 3: the transaction was applied in an earlier block.
    Replayed,
    /// Phase 3: the transaction stands earlier in this block.
    RepeatedInBlock,
    /// Phase 4: the nonce has not 16 bytes. No bytes decode to such a transaction.
    NonceMalformed,
    /// Phase 4: the transaction does nothing.
    NoOperations,
    /// Phase 4: an operation names the sentinel's key.
    EmptyKey,
    /// Phase 4: an operation's key is longer than keys may be.
    KeyTooLong,
    /// Phase 4: an operation's value is longer than values may be, or its result could be.
    ValueTooLong,
    /// Phase 4: an operation adds or subtracts nothing.
    ZeroAmount,
    /// Phase 4: a claimed slot's key or next key is longer than keys may be.
    ClaimKeyTooLong,
    /// Phase 4: a claimed slot's value is longer than values may be.
    ClaimValueTooLong,
    /// Phase 4: the transaction claims a position twice.
    RepeatedPosition,
    /// Phase 4: the claim serves no operation of its transaction.
    SuperfluousClaim,
    /// Phase 5: the claimed position was not in use at the claim's version.
    PositionOutOfRange,
    /// Phase 6: an opening's bytes break the format's rule.
    OpeningMalformed,
    /// Phase 6: an opening does not verify.
    OpeningFalse,
    /// Phase 7: there is no such vector below the tail.
    TailTooLong,
    /// Phase 7: a tail vector has not exactly N slots.
    TailVectorSize,
    /// Phase 7: a tail vector's slot has a length beyond the maxima.
    TailSlotMalformed,
    /// Phase 7: a tail vector is not what its commitment says.
    TailFalse,
    /// Phase 8: the covering slot of an operation's key is not known.
    UnresolvedCovering,
    /// Phase 8: the predecessor of a key to be deleted is not known.
    UnresolvedPredecessor,
    /// Phase 9: a requirement does not hold.
    RequireFailed,
    /// Phase 9: a subtraction from an absent key.
    AbsentKey,
    /// Phase 9: an addition to, or a subtraction from, a value that is not 8 bytes long.
    NotANumber,
    /// Phase 9: the sum exceeds 64 bits.
    Overflow,
    /// Phase 9: the difference is negative.
    Underflow,
    /// Phase 10: fewer tail vectors than the block needs.
    TailMissing,
    /// Phase 10: more tail vectors than the block needs.
    TailSuperfluous,
}

/// A refusal: the reason, and the item that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rejection {
    /// The reason.
    pub reason: Reason,
    /// The transaction's number in the block; none for reasons about the block as a whole or its
    /// tail.
    pub transaction: Option<usize>,
    /// The number of the operation or claim in its transaction, or of the tail vector in the block;
    /// none for reasons about a whole transaction or block.
    pub item: Option<usize>,
}

/// A refusal of the block as a whole.
pub fn reject_block(why: Reason) -> Rejection {
    Rejection { reason: why, transaction: None, item: None }
}

/// A refusal of transaction `x` as a whole.
pub fn reject_transaction(why: Reason, x: usize) -> Rejection {
    Rejection { reason: why, transaction: Some(x), item: None }
}

/// A refusal for operation or claim `j` of transaction `x`.
pub fn reject_item(why: Reason, x: usize, j: usize) -> Rejection {
    Rejection { reason: why, transaction: Some(x), item: Some(j) }
}

/// A refusal for tail vector `i`.
pub fn reject_tail_vector(why: Reason, i: usize) -> Rejection {
    Rejection { reason: why, transaction: None, item: Some(i) }
}
