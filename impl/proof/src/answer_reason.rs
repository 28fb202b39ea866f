//! Why a proof does not hold: the reasons, and their three classes
//! (`aardvark_spec::answer::answer_reason`).

use std::fmt;

/// Whether a proof that does not hold is malformed, about something else, or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It is none of the format's proofs.
    Malformed,
    /// It is about something else.
    Other,
    /// It says what is not so, or does not prove what it says.
    False,
}

impl Class {
    /// With which code a program ends: 1 for a false proof, 2 for the others.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::False => 1,
            Self::Malformed | Self::Other => 2,
        }
    }
}

macro_rules! reasons {
    ($($class:ident { $($reason:ident = $text:literal,)* })*) => {
        /// Why a proof does not hold. The names are those of the specification, with one more: a
        /// proof says its scheme, which the specification takes for granted
        /// ([`Reason::OtherScheme`]).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[doc = $text] $reason,)*)*
        }

        impl Reason {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$($(Self::$reason,)*)*];

            /// Whether the proof is malformed, about something else, or false.
            pub fn class(self) -> Class {
                match self {
                    $($(Self::$reason => Class::$class,)*)*
                }
            }

            /// The reason's name.
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$reason => stringify!($reason),)*)*
                }
            }
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
    Malformed {
        QuestionIllegal = "nobody can ask this question",
        AnswerSlotTooLong = "a slot's key, next key or value is longer than any may be",
        TieMismatched = "what ties the claims to the root is missing, or is there where commitments are trusted",
        PartsMalformed = "what the dictionary's id is over breaks the format's rules",
        TiedVectorsMismatched = "the tied vectors are not those of the claims, in ascending order",
        CommitmentMalformed = "the bytes of a commitment are not a point of the group",
        AnswerOpeningMalformed = "the bytes of an opening are not a point",
    }
    Other {
        OtherDictionary = "the proof is about another dictionary",
        OtherScheme = "the proof is for another commitment scheme",
        OtherVectorSize = "the proof is for another vector size",
        OtherVersion = "the proof is about another version",
        OtherQuestion = "the proof is about another question",
    }
    False {
        RootFalse = "the parts do not hash to the root",
        PathFalse = "a path does not tie its commitment to the root",
        AnswerPositionOutOfRange = "the claimed position is not in use",
        AnswerOpeningFalse = "an opening does not prove its claim",
        ChainNotCovering = "a slot does not cover what it has to, or does not precede it",
        ChainSuperfluous = "there are slots after the answer's end",
        ChainMissing = "the slots end before the answer does",
    }
}

/// A refusal: the reason, and the claim or tied vector that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The claim, from 0; for reasons about what ties commitments to a root, the tied vector.
    /// `None` where the reason is about the proof as a whole.
    pub item: Option<usize>,
}

impl Refusal {
    /// A refusal of the proof as a whole.
    pub(crate) fn whole(reason: Reason) -> Self {
        Self { reason, item: None }
    }

    /// A refusal for one of its items.
    pub(crate) fn item(reason: Reason, item: usize) -> Self {
        Self { reason, item: Some(item) }
    }

    /// [`Reason::class`].
    pub fn class(&self) -> Class {
        self.reason.class()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            None => write!(f, "{}", self.reason),
            Some(item) => write!(f, "item {}: {}", item.saturating_add(1), self.reason),
        }
    }
}

impl std::error::Error for Refusal {}
