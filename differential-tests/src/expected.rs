//! What a single fault in a valid block must lead to, by the design: the opinion that would notice
//! if both sides were wrong in the same way.

use crate::coverage::{Case, Coverage};
use crate::opening_rule::{Encoding, Flaw, classify, malformed_bytes};
use crate::plan::{Fault, FaultKind};

/// The verdicts that a fault may lead to: names of reasons, or `accepted`. Empty where it depends
/// on more than the fault. Limits on items and bytes, which any addition may pass, are left out:
/// see [`LIMITS`].
pub fn verdicts(kind: FaultKind) -> &'static [&'static str] {
    use FaultKind::*;
    match kind {
        BeyondSize | HugePosition | OpenUnused => &["PositionOutOfRange"],
        LongKey | LongNext => &["ClaimKeyTooLong"],
        LongValue => &["ClaimValueTooLong"],
        RepeatClaim => &["RepeatedPosition"],
        Malform => &["OpeningMalformed"],
        RandomOpening | NegateOpening | CancelOpenings => &["OpeningFalse"],
        AddTorsion => &["accepted"],
        FirstValidZero | Backwards => &["IntervalMalformed"],
        LongInterval => &["IntervalTooLong"],
        Future => &["NotYetValid"],
        Expire => &["Expired"],
        StaleBeyondWindow => &["IntervalTooLong", "Expired"],
        NoOperations => &["NoOperations"],
        EmptyKey => &["EmptyKey"],
        LongOperationKey => &["KeyTooLong"],
        LongOperationValue => &["ValueTooLong"],
        ZeroAmount => &["ZeroAmount", "ValueTooLong"],
        ManyOperations => &["TooManyOperations"],
        ManyClaims => &["TooManyClaims"],
        ManyBytes => &["TransactionTooLong"],
        Repeat | RepeatWithoutClaims | RepeatWithTorsion => &["RepeatedInBlock"],
        Replay | ReplayWithoutClaims | ReplayWithTorsion => &["Replayed", "Expired"],
        WrongVersion => &["WrongVersion"],
        ManyTransactions => &["TooManyTransactions"],
        ManyBlockBytes => &["BlockTooLong"],
        DropTail => &["TailMissing"],
        ExtraTail => &["TailSuperfluous"],
        HollowTail => &["TailSuperfluous", "TailFalse"],
        BottomlessTail => &["TailTooLong"],
        SwapTail | TailContent | TailOrder | TailStale => &["TailFalse"],
        TailShort | TailLong => &["TailVectorSize"],
        TailLongKey | TailLongValue => &["TailSlotMalformed"],
        MoveWithinVector | MoveToOtherVector | ChangeKey | ChangeValue | ChangeNext | OtherVersion | ExtraClaim
        | DropClaim | ReplayOtherNonce | OtherIndex | IdentityOpening | SwapOpenings | ForeignKey | RenameKey
        | ReverseTransactions => &[],
    }
}

/// Limits of blocks and transactions that a fault may pass by the way.
pub const LIMITS: [&str; 7] = [
    "TooManyTransactions",
    "TooManyBlockOperations",
    "TooManyBlockClaims",
    "BlockTooLong",
    "TooManyOperations",
    "TooManyClaims",
    "TransactionTooLong",
];

/// Whether a verdict is one that the fault may lead to.
pub fn allows(kind: FaultKind, verdict: &str) -> bool {
    let expected = verdicts(kind);
    expected.is_empty() || expected.contains(&verdict) || LIMITS.contains(&verdict)
}

/// Counts the cases of docs/design.md, section 7, that a single fault with its verdict is.
pub fn note(fault: &Fault, verdict: &str, coverage: &mut Coverage) {
    use FaultKind::*;
    let case = match (fault.kind, verdict) {
        (StaleBeyondWindow, "IntervalTooLong" | "Expired") => Case::BeyondW,
        (Future, "NotYetValid") => Case::FutureVersion,
        (MoveWithinVector, "OpeningFalse") => Case::WrongPosition,
        (OpenUnused, "PositionOutOfRange") => Case::UnusedOpened,
        (TailContent, "TailFalse") => Case::TailWrongContent,
        (SwapTail | TailOrder, "TailFalse") => Case::TailWrongOrder,
        (DropTail, "TailMissing") => Case::TailTooFew,
        (ExtraTail, "TailSuperfluous") => Case::TailTooMany,
        (HollowTail, "TailSuperfluous") => Case::TailHollow,
        (TailStale, "TailFalse") => Case::TailOfStaleVersion,
        (AddTorsion, "accepted") => Case::Torsion,
        (CancelOpenings, "OpeningFalse") => Case::Cancelling,
        (Repeat, "RepeatedInBlock") => Case::TwiceInBlock,
        (Replay, "Replayed") => Case::ReplayedInWindow,
        (Replay, "Expired") => Case::ReplayedAfter,
        (ReplayWithoutClaims, "Replayed") => Case::ReplayedWithoutClaims,
        (ReplayWithTorsion, "Replayed") => Case::ReplayedWithTorsion,
        (Malform, "OpeningMalformed") => match classify(&malformed_bytes(fault.how)) {
            Encoding::Malformed(Flaw::Uncompressed) => Case::Uncompressed,
            Encoding::Malformed(Flaw::InfinityWithBits) => Case::InfinityWithBits,
            Encoding::Malformed(Flaw::NotReduced) => Case::NotReduced,
            Encoding::Malformed(Flaw::NotOnCurve) => Case::NotOnCurve,
            Encoding::Malformed(Flaw::ZeroX) => Case::ZeroX,
            Encoding::Infinity | Encoding::Point => return,
        },
        _ => return,
    };
    coverage.note(case);
}
