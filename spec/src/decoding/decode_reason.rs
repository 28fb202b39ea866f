//! Why bytes are not an encoding.

/// Why bytes are not an encoding. What is read first decides where there are several reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum DecodeReason {
    /// The bytes end before the value does.
    #[default]
    Truncated,
    /// Bytes are left over behind the value.
    Trailing,
    /// The format number is another.
    UnknownFormat,
    /// No operation has this tag.
    UnknownOperation,
    /// The byte that says whether something is there is neither 0 nor 1.
    UnknownPresence,
    /// The signers of a transaction are not in strictly ascending order.
    UnorderedSigners,
    /// The vectors of a record are not in strictly ascending order.
    UnorderedVectors,
    /// The keys of an import are not in strictly ascending order.
    UnorderedKeys,
    /// The encoding has more bytes than are allowed.
    Oversized,
    /// A block announces more transactions than are allowed.
    ExcessTransactions,
    /// A block announces more operations than are allowed.
    ExcessOperations,
    /// A block announces more claims than are allowed.
    ExcessClaims,
    /// A block announces more tail vectors than are allowed.
    ExcessTailVectors,
    /// An aggregated block announces more points than a vector has elements.
    ExcessPoints,
    /// A list of transactions has a frame and nothing that it frames.
    FrameAlone,
    /// The first of a list of transactions is not a frame.
    NoFrame,
}
