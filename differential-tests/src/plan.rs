//! Plans: what a generator draws and a shrinker makes smaller.
//!
//! A plan says what to do in small numbers ("delete the second present key", "claims three versions
//! old") and is interpreted against the dictionary as it then is ([`crate::build`]). Interpretation
//! is total: every number means something in every dictionary, so whatever a shrinker leaves is
//! still a history, and close to the one that failed. Plans are data (JSON), so that a failure
//! found once is kept as a file and replayed for ever (`histories/`).

use serde::{Deserialize, Serialize};

/// A history: a dictionary from its genesis, and blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryPlan {
    /// The scheme.
    pub scheme: SchemePlan,
    /// N = 2^this, at most 3.
    pub log_vector_size: u8,
    /// W, at most 4.
    pub window: u8,
    /// Which limits.
    pub limits: LimitsPlan,
    /// Whether values are too short for the numbers of `Add` and `Sub`.
    pub short_values: bool,
    /// Whether blocks are applied with four threads as well as with one.
    pub threads: bool,
    /// The first keys and values; of two with one key the first counts.
    pub genesis: Vec<(u8, ValuePlan)>,
    /// What happens.
    pub blocks: Vec<BlockPlan>,
}

/// The vector commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SchemePlan {
    /// KZG with a secret that the tests know.
    Kzg,
    /// Libert–Yung with a secret that the tests know.
    LibertYung,
}

/// The limits of a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitsPlan {
    /// None is ever reached but by what aims at it.
    Roomy,
    /// Few operations, claims and transactions.
    FewItems,
    /// As few bytes as parameters may allow.
    FewBytes,
}

/// One block, well-formed but for its faults.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockPlan {
    /// Its transactions, in order.
    pub transactions: Vec<TransactionPlan>,
    /// What is done to the block once it is built. With faults, the block is tried first with them
    /// and then without, so that the history moves on.
    pub faults: Vec<Fault>,
    /// Whether operations that would fail are replaced by some that do not.
    pub careful: bool,
    /// Whether the transactions are proposed, and checked one by one, as well.
    pub mempool: bool,
    /// An import block that is tried on the array, on the side.
    pub import: Vec<(u8, Option<ValuePlan>)>,
}

/// One transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransactionPlan {
    /// How many versions old its claims are, cut to the window and to version 0.
    pub age: u8,
    /// How many versions after this block it stays valid, cut to what the window allows.
    pub patience: u8,
    /// Its operations.
    pub operations: Vec<OperationPlan>,
    /// Which of the claims that it could bring it brings.
    pub claims: ClaimsPlan,
    /// Whether claims stand in reverse order.
    pub reversed: bool,
}

/// Which claims a transaction brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimsPlan {
    /// Every claim that serves it.
    #[default]
    All,
    /// Those without which window and tail do not decide.
    WhereNeeded,
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationPlan {
    /// On which key.
    pub key: KeyPlan,
    /// What.
    pub action: ActionPlan,
}

/// A key. Numbers count from 0 and wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyPlan {
    /// Of the alphabet.
    Any(u8),
    /// Of the keys present now, ascending.
    Present(u8),
    /// Of the alphabet's keys absent now, ascending.
    Absent(u8),
    /// The key that stands so many positions before the end of the array.
    FromEnd(u8),
    /// The key after the one picked last, or the smallest.
    After,
    /// The key before the one picked last, or the largest.
    Before,
    /// The key picked last.
    Same,
}

/// What to do with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActionPlan {
    /// Require what the key has.
    RequireCurrent,
    /// Require this value.
    RequireValue(ValuePlan),
    /// Require absence.
    RequireAbsent,
    /// Put a value.
    Put(ValuePlan),
    /// Put the value that is there.
    PutSame,
    /// Delete.
    Delete,
    /// Add.
    Add(AmountPlan),
    /// Subtract.
    Sub(AmountPlan),
    /// Subtract all that is there.
    SubAll,
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValuePlan {
    /// No bytes.
    Empty,
    /// One byte.
    Byte(u8),
    /// A number in eight bytes.
    Number(u8),
    /// The largest number.
    LargestNumber,
    /// As many bytes as a value may have.
    Longest(u8),
}

/// An amount to add or subtract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AmountPlan {
    /// One more than this.
    Small(u8),
    /// 2^64 - 1.
    Largest,
}

/// Something done to a block after it was built. What it aims at is picked by numbers that wrap
/// around; where there is nothing to aim at, nothing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// To which transaction.
    pub transaction: u8,
    /// To which claim or operation of it, or to which tail vector.
    pub item: u8,
    /// How.
    pub how: u8,
}

macro_rules! fault_kinds {
    ($(#[doc = $text:literal] $kind:ident,)*) => {
        /// The faults, by what they are done to. Some leave a block valid on purpose.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum FaultKind {
            $(#[doc = $text] $kind,)*
        }

        impl FaultKind {
            /// Every kind, for generators.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];
        }
    };
}

fault_kinds! {
    /// Claim: another position in the same vector.
    MoveWithinVector,
    /// Claim: the same index in another vector.
    MoveToOtherVector,
    /// Claim: a position not in use at the claim's version, from the first such on.
    BeyondSize,
    /// Claim: a position near 2^64.
    HugePosition,
    /// Claim: an unused position of the last vector, with an honest opening to 0.
    OpenUnused,
    /// Claim: the slot has another key.
    ChangeKey,
    /// Claim: the slot has another value.
    ChangeValue,
    /// Claim: the slot has another next key, so that its gap is narrower or wider.
    ChangeNext,
    /// Claim: the slot as it was at another version, with its honest opening there.
    OtherVersion,
    /// Claim: the slot's key is too long.
    LongKey,
    /// Claim: the slot's next key is too long.
    LongNext,
    /// Claim: the slot's value is too long.
    LongValue,
    /// Claim: brought twice.
    RepeatClaim,
    /// Claim: another one, of any position in use.
    ExtraClaim,
    /// Claim: left out.
    DropClaim,
    /// Opening: bytes that break the format's rule.
    Malform,
    /// Opening: that of another index of the vector.
    OtherIndex,
    /// Opening: some other point.
    RandomOpening,
    /// Opening: the point at infinity.
    IdentityOpening,
    /// Opening: the opposite point.
    NegateOpening,
    /// Opening: plus a point of small order outside of the subgroup. It still verifies.
    AddTorsion,
    /// Opening: exchanged with that of the next claim of the block.
    SwapOpenings,
    /// Openings: this and the next claim's, shifted so that the errors cancel without coefficients.
    CancelOpenings,
    /// Interval: `first_valid` is 0.
    FirstValidZero,
    /// Interval: `last_valid` before `first_valid`.
    Backwards,
    /// Interval: longer than the window.
    LongInterval,
    /// Interval: begins after the block.
    Future,
    /// Interval: over before the block.
    Expire,
    /// Interval: claims one version older than the window, honest as of then.
    StaleBeyondWindow,
    /// Operations: none.
    NoOperations,
    /// Operation: on the empty key.
    EmptyKey,
    /// Operation: on a key that is too long.
    LongOperationKey,
    /// Operation: with a value that is too long.
    LongOperationValue,
    /// Operation: adds or subtracts 0.
    ZeroAmount,
    /// Operation: one more, on a key that no claim was made for.
    ForeignKey,
    /// Operation: on another key, whose claims are those of the old one.
    RenameKey,
    /// Transaction: more operations than it may have.
    ManyOperations,
    /// Transaction: more claims than it may have.
    ManyClaims,
    /// Transaction: more bytes than it may have.
    ManyBytes,
    /// Transaction: twice in the block.
    Repeat,
    /// Transaction: again without its claims.
    RepeatWithoutClaims,
    /// Transaction: again, its openings plus a point of small order.
    RepeatWithTorsion,
    /// Transaction: one that was applied before, as it was.
    Replay,
    /// Transaction: one that was applied before, without its claims.
    ReplayWithoutClaims,
    /// Transaction: one that was applied before, its openings plus a point of small order.
    ReplayWithTorsion,
    /// Transaction: one that was applied before, under another nonce and so another identity.
    ReplayOtherNonce,
    /// Transactions: in reverse order.
    ReverseTransactions,
    /// Block: another version.
    WrongVersion,
    /// Block: more transactions than it may have.
    ManyTransactions,
    /// Block: more bytes than it may have.
    ManyBlockBytes,
    /// Tail: one vector too few.
    DropTail,
    /// Tail: one vector too many, a true one where there is one.
    ExtraTail,
    /// Tail: as many vectors as lie below it, of sentinels only; often more than deletes can need.
    HollowTail,
    /// Tail: a vector that does not exist, below the lowest.
    BottomlessTail,
    /// Tail: two vectors exchanged.
    SwapTail,
    /// Tail: a slot with another value.
    TailContent,
    /// Tail: two slots exchanged.
    TailOrder,
    /// Tail: a slot too few.
    TailShort,
    /// Tail: a slot too many.
    TailLong,
    /// Tail: a slot as it was at an earlier version.
    TailStale,
    /// Tail: a slot's key is too long.
    TailLongKey,
    /// Tail: a slot's value is too long.
    TailLongValue,
}
