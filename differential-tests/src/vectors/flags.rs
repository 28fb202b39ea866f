//! The bugs that tests are there to catch.

use serde::{Deserialize, Serialize};

macro_rules! flags {
    ($($flag:ident = $bug:literal,)*) => {
        /// A bug that a wrong implementation would have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Flag {
            $(#[doc = $bug] $flag,)*
        }

        impl Flag {
            /// What an implementation with the bug does.
            pub fn bug(self) -> &'static str {
                match self {
                    $(Self::$flag => $bug,)*
                }
            }

            /// Every flag.
            pub const ALL: &'static [Self] = &[$(Self::$flag,)*];
        }
    };
}

flags! {
    WrongSubgroup = "refuses openings outside of the subgroup, which the format admits, or adds and multiplies them by formulas that hold inside only",
    NonCanonicalEncoding = "decodes a point from other bytes than its one encoding: wrong flags, a coordinate not below p, infinity with other bits",
    InvalidCurve = "takes an x for which the curve has no point",
    PointOfOrderThree = "takes x = 0, a point of order 3",
    NonCanonicalScalar = "takes a scalar that is not below the group order, or reduces it",
    EdgeScalar = "has a special case for the scalars 0 or r - 1",
    IdentityPoint = "has a special case for the point at infinity, or refuses it",
    CancellingErrors = "adds up the equations of a batch without coefficients, or with coefficients that the prover knows before he chooses the openings",
    IndexOutOfRange = "verifies an index that the vector does not have",
    IndexPositionMismatch = "verifies the opening of one index for a claim about another position",
    SwappedCommitment = "verifies an opening under the commitment of another vector, or of another version",
    NeighbourGap = "takes the slot of a neighbouring gap, or a gap with an end moved, for a proof of absence",
    FieldBoundary = "hashes an encoding in which bytes can move from one field of a slot to the next",
    StaleBeyondWindow = "takes claims older than W versions, or a window of another width",
    StaleClaim = "takes a claimed slot for current although its position was written since",
    DroppedTooMuch = "refuses honest claims, at most W versions old, because something near them was written since",
    FutureVersion = "takes claims of a version that does not exist yet, or of a version before genesis",
    PositionBeyondSize = "looks at openings of positions that were not in use at the claims' version, or takes an absent vector for one of zeros",
    RepeatedPosition = "takes a position twice in one transaction",
    SuperfluousClaim = "takes claims that serve no operation, or no part of the question",
    NeighboursClaim = "resolves a key by the claims of another transaction, or by the block's tail vectors",
    UnresolvedKey = "takes a key for absent of which nothing is known, or deletes without the predecessor",
    ReplayedTransaction = "applies a transaction twice",
    MalleableIdentity = "identifies a transaction by bytes that others can change: claims, openings, their order",
    DictionaryBinding = "computes an id that does not bind every parameter, the setup and the genesis",
    TailContent = "moves slots out of tail vectors that it has not checked against their commitments",
    TailCount = "takes tail vectors that are not exactly those needed",
    TailStart = "lets the tail start elsewhere than the state and the block say",
    SwapRemove = "deletes in another order, moves another slot than the last, or moves the last before its next key is rewritten",
    InsertOrder = "inserts in another order than that of keys, or links two inserts into one gap wrongly",
    NetEffects = "executes the steps on one key instead of their net effect",
    WritesOfNothing = "counts a position as written whose content is the same before and after",
    VectorBoundary = "miscounts vectors, or keeps a dropped vector's old content or commitment",
    Atomicity = "keeps effects of a transaction or block that is refused",
    Arithmetic = "wraps around, takes another width for a number, or counts an absent key as 0 when subtracting",
    OrderOfChecks = "names another reason than the first that fails, phase by phase and item by item",
    LimitExceeded = "does not keep a limit on items, bytes or lengths",
    Sentinel = "lets a transaction name the sentinel's key",
    Truncated = "reads beyond the end of the bytes, or fills up what is missing",
    TrailingBytes = "ignores bytes behind the value",
    UnknownTag = "takes a tag, format or scheme number that does not exist",
    CountBeyondContent = "allocates by a count that the sender states",
    UnorderedKeys = "takes import changes whose keys do not strictly ascend",
    CoverageMissing = "takes any slot whose opening holds for an answer about the key, whether it covers the key or not",
    RingClosure = "does not take the slot without a next key for the one that covers all keys above its own, or takes it for more than that",
    NoClaims = "takes a proof without claims for an answer: absent, or empty",
    TruncatedRange = "takes a range's or a list's answer that ends before what was asked does",
    EntrySkipped = "takes a range's answer that begins too late, or in which an entry is left out",
    ClaimsReordered = "takes claims in another order than that of their keys, or puts them in order by itself",
    LimitIgnored = "does not stop at the limit, or takes an answer that was cut at a limit for one that was not",
    StaleVersion = "takes claims of another version than the one that is trusted, alone or among others",
    OtherDictionary = "takes claims of another dictionary",
    OpeningUnchecked = "does not check every claim's opening",
    OpeningOfAnotherKey = "checks an opening on its own, and not that it opens to the scalar of the claimed slot",
    WrongVector = "checks an opening under the commitment of another vector than that of the claimed position",
    CommitmentUntied = "uses commitments that a proof brings along without following their paths to the root",
    RootUnchecked = "uses parts of a root without hashing all of them, with the trusted dictionary's id, to the root that it trusts",
    RootPathSwapped = "follows a path without the vector's number, which says for each digest on which side it stands",
    PathLength = "takes paths of another length than the number of vectors gives",
    TiedVectors = "takes a list of vectors that are not those of the claims, each once, in ascending order",
    IllegalQuestion = "answers a question that nobody can ask, of which anything is true",
    QuestionUncompared = "takes the proof of another question",
    HeaderBelieved = "uses dictionary, scheme, vector size or version as the proof says them",
    UnknownField = "takes an object with fields that it does not know, or without such as must be there",
    ListForObject = "takes a list of values where an object with named fields stands",
    NullForMissing = "takes null for a field that may be left out",
    IdentityUnchecked = "takes the dictionary's identity, or a setup, as the proof says them, without hashing the identity to the id in the root's parts",
    FoldOfOthers = "takes a folded opening of other claims, or draws its challenges without binding them: context, commitments, points, values, their order",
    FoldPointUnbound = "draws the point z of a fold before W is fixed, or not from W",
    OpeningsMixed = "takes a proof in which claims have openings beside the folded one, or some have one and others not",
    NoteTrimmed = "removes white space from a note or its lines, or takes letters for white space that are none",
    NoteNotCanonical = "takes a version, base64 or a key in another notation than the one that is written",
    NoteLines = "takes a note whose lines are not those of the form: line breaks, empty lines, control characters, the end",
    KeyHashUnchecked = "takes the signature of a key with the same name and another hash, or a key whose hash is not its own",
    SignatureUnchecked = "does not verify the signature of every key that must have signed, or verifies it on another text",
    MalleableSignature = "takes an Ed25519 signature whose s is not below the group's order",
    RepeatedSignature = "refuses a key or a line that stands there twice, or takes a later line of a key whose first one is false",
    StrangersRefused = "refuses a note for lines by keys that its reader does not name, whatever kind they are of",
    PermutationUnchecked = "takes a commitment to a matrix that is no permutation: the shift left out, or the products not compared",
    StatementUnbound = "draws a mixnet's coefficients or challenge from less than the whole statement: without commitment, lists, server, ceremony or purpose",
    RowSkipped = "leaves the first row, or another, out of a sum over all rows",
    ComponentSkipped = "checks one component of a row and not the others",
    BackwardSign = "judges a backward shuffle by the forward relation, or with the randomness of the wrong sign",
    InputUnbound = "takes an input that is another's in whole or in part: its proof does not cover sender, label, ceremony and row",
    TorsionAccepted = "takes points outside of the subgroup, which mark a row through a mix and take key shares apart",
    InfinityAccepted = "takes infinity for a point of a row, a commitment or a proof",
    SequenceUnchecked = "takes a key with a sequence that its kind does not have: many inputs of one sender",
    BitsBeyondRows = "takes a query that names rows which there are not",
}
