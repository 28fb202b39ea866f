//! Counts what a random run has met: the cases of docs/design.md, section 7, reasons, faults.
//!
//! A run asserts that nothing is missing ([`Coverage::missing`]), so that a generator that no
//! longer reaches a case fails instead of passing in silence.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_dictionary::Reason;

use crate::oracle::Tally;
use crate::plan::FaultKind;

macro_rules! cases {
    ($($number:literal { $($case:ident = $text:literal,)* })*) => {
        /// A situation that the random run must meet, of a case of docs/design.md, section 7.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Case {
            $($(#[doc = $text] $case,)*)*
        }

        impl Case {
            /// Every case.
            pub const ALL: &'static [Self] = &[$($(Self::$case,)*)*];

            /// The case's number in docs/design.md, section 7, from 1 to 14, and its sentence.
            pub fn describe(self) -> (u8, &'static str) {
                match self {
                    $($(Self::$case => ($number, $text),)*)*
                }
            }
        }
    };
}

cases! {
    1 {
        InsertsAscending = "two inserts into one gap, two proofs naming one covering slot, ascending",
        InsertsDescending = "two inserts into one gap, two proofs naming one covering slot, descending",
        NewSmallest = "an insert of a new smallest key",
        NewLargest = "an insert of a new largest key",
    }
    2 {
        CoveringInserted = "an insert behind a key that the same block inserted",
        CoveringUpdated = "an insert whose covering slot the same block updated",
        CoveringMoved = "an insert whose covering slot the same block moved",
        CoveringDeleted = "an insert whose covering slot the same block deleted",
    }
    3 {
        NeighboursDeleted = "a delete of neighbours",
        EverythingDeleted = "a delete of everything",
        ExtremesDeleted = "a delete of the smallest and the largest key together",
    }
    4 {
        LastDeleted = "a delete of the last slot",
        PredecessorLast = "a delete of a key whose predecessor is the last slot",
        SuccessorLast = "a delete of a key whose successor is the last slot",
        BothNeighboursOfLast = "a delete of both neighbours of the last slot",
    }
    5 {
        DeletedWithMover = "a delete of a key together with the one that would move into its place",
    }
    6 {
        SizeBelowBoundary = "a block that leaves jN - 1 slots",
        SizeAtBoundary = "a block that leaves jN slots",
        SizeAboveBoundary = "a block that leaves jN + 1 slots",
        NewVector = "a new vector",
        TruncatedToBoundary = "a truncation to the boundary",
        VectorUsedAgain = "a dropped vector used again while its old commitment is in the window",
        TransientPosition = "an insert and a delete that touch a position unused before and after",
    }
    7 {
        CreateDelete = "create and delete in one transaction",
        DeleteCreate = "delete and create in one transaction",
        UpdateDelete = "update and delete in one transaction",
        CreateUpdate = "create and update in one transaction",
        DeleteCreateDelete = "delete, create and delete in one transaction",
        CreateDeleteAcross = "create and delete across transactions",
        DeleteCreateAcross = "delete and create across transactions",
        UpdateDeleteAcross = "update and delete across transactions",
        CreateUpdateAcross = "create and update across transactions",
        DeleteCreateDeleteAcross = "delete, create and delete across transactions",
        PutSame = "a put of the value that is there",
    }
    8 {
        MovedOnce = "a claim older than one move",
        MovedTwice = "a claim older than two moves",
        HoldsOtherKey = "a claimed position that now holds another key",
        ReinsertedElsewhere = "a claimed key that was deleted and inserted again elsewhere",
    }
    9 {
        NarrowedLeft = "a gap narrowed from the left since the claim",
        NarrowedRight = "a gap narrowed from the right since the claim",
        Widened = "a gap widened since the claim",
        GapMoved = "a covering slot moved since the claim",
        PredecessorChanged = "a delete whose predecessor is another key than at the claim",
        PredecessorDeleted = "a delete whose predecessor was deleted since the claim",
        PredecessorMoved = "a delete whose predecessor moved since the claim",
        InsertedSince = "a key absent at the claim, inserted since, deleted now",
    }
    10 {
        ExactlyW = "claims exactly W versions old",
        BeyondW = "claims W + 1 versions old",
        WindowZero = "claims under W = 0",
        VersionZero = "claims of version 0 at a later version",
        FutureVersion = "claims of a future version",
    }
    11 {
        WrongPosition = "the right slot at a wrong position of the same vector",
        BeyondSizeThen = "a position in use now but not at the claim's version",
        VectorNowNotThen = "a vector that exists now but not at the claim's version",
        VectorThenNotNow = "a vector that existed at the claim's version and does not now",
        UnusedOpened = "an unused position honestly opened to 0",
    }
    12 {
        TailOneVector = "a tail vector, accepted",
        TailTwoVectors = "two or more tail vectors, accepted",
        TailWrongContent = "a tail vector with wrong content",
        TailWrongOrder = "tail vectors in wrong order",
        TailTooFew = "a tail vector too few",
        TailTooMany = "a tail vector too many",
        TailHollow = "more tail vectors than the deletes can need, of nothing but sentinels",
        TailOfStaleVersion = "a tail vector of an earlier version",
    }
    13 {
        IdentityOpening = "the point at infinity as an opening, accepted",
        Uncompressed = "an opening without the flag of compression",
        InfinityWithBits = "an opening at infinity with other bits",
        NotReduced = "an opening whose x is not below p",
        NotOnCurve = "an opening off the curve",
        ZeroX = "an opening with x = 0",
        Torsion = "an opening outside of the subgroup, accepted",
        SameOpeningTwice = "the same opening twice in a batch",
        Cancelling = "two false openings whose errors cancel without coefficients",
    }
    14 {
        TwiceInBlock = "the same transaction twice in a block",
        ReplayedInWindow = "a transaction again in the window",
        ReplayedAfter = "a transaction again after the window",
        ReplayedWithoutClaims = "a transaction again with other claims",
        ReplayedWithTorsion = "a transaction again with torsion on its openings",
    }
}

/// Counts of what was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Cases of docs/design.md, section 7.
    pub cases: BTreeMap<Case, u64>,
    /// Reasons of refusal.
    pub reasons: BTreeMap<String, u64>,
    /// Single faults done to a valid block, with the verdict.
    pub faults: BTreeMap<(FaultKind, String), u64>,
    /// Histories, blocks accepted, blocks refused.
    pub totals: [u64; 3],
    /// Aggregated forms of blocks accepted, and refused.
    pub aggregated: [u64; 2],
    /// What the proofs' oracle was asked, and answered as the specification does.
    pub oracle: Tally,
}

impl Coverage {
    /// Counts a case.
    pub fn note(&mut self, case: Case) {
        *self.cases.entry(case).or_default() += 1;
    }

    /// Counts a case where it holds.
    pub fn note_if(&mut self, holds: bool, case: Case) {
        if holds {
            self.note(case);
        }
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: Self) {
        other.cases.into_iter().for_each(|(case, count)| *self.cases.entry(case).or_default() += count);
        other.reasons.into_iter().for_each(|(reason, count)| *self.reasons.entry(reason).or_default() += count);
        other.faults.into_iter().for_each(|(fault, count)| *self.faults.entry(fault).or_default() += count);
        self.oracle = self.oracle.plus(other.oracle);
        self.aggregated = [0, 1].map(|index| self.aggregated[index] + other.aggregated[index]);
        self.totals = [0, 1, 2].map(|index| self.totals[index] + other.totals[index]);
    }

    /// What was never met: cases, reasons, faults.
    pub fn missing(&self) -> Vec<String> {
        let cases = Case::ALL.iter().filter(|case| !self.cases.contains_key(case));
        let cases = cases.map(|case| format!("case {}: {}", case.describe().0, case.describe().1));
        let reasons = Reason::ALL.iter().map(|reason| reason.name()).filter(|name| !self.reasons.contains_key(*name));
        let reasons = reasons.map(|name| format!("reason {name}"));
        let tried: BTreeSet<FaultKind> = self.faults.keys().map(|(kind, _)| *kind).collect();
        let faults = FaultKind::ALL.iter().filter(|kind| !tried.contains(kind));
        cases.chain(reasons).chain(faults.map(|kind| format!("fault {kind:?}"))).collect()
    }

    /// What histories of the dictionary alone never met, of the cases that do not take a validator
    /// to notice.
    pub fn missing_in_dictionary(&self) -> Vec<String> {
        let cases = Case::ALL.iter().filter(|case| case.describe().0 <= 9 && !self.cases.contains_key(case));
        cases.map(|case| format!("case {}: {}", case.describe().0, case.describe().1)).collect()
    }

    /// A table for people, of what was met.
    pub fn report(&self) -> String {
        let [histories, accepted, refused] = self.totals;
        let mut lines = vec![format!("{histories} histories, {accepted} blocks accepted, {refused} refused")];
        let [accepted, refused] = self.aggregated;
        lines.push(format!("aggregated forms: {accepted} accepted, {refused} refused"));
        lines.push(self.oracle.to_string());
        for (case, count) in &self.cases {
            let (number, text) = case.describe();
            lines.push(format!("{count:>9}  case {number:>2}  {text}"));
        }
        for (reason, count) in &self.reasons {
            lines.push(format!("{count:>9}  reason   {reason}"));
        }
        for ((kind, verdict), count) in &self.faults {
            lines.push(format!("{count:>9}  fault    {kind:?} -> {verdict}"));
        }
        lines.join("\n")
    }
}
