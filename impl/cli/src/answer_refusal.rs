//! Why a proof of an answer does not hold, in words for people.

use aardvark_proof::commitments_json::OtherSetup;
use aardvark_proof::{Class, Reason};

use crate::report::Verdict;

/// Why a proof of an answer does not hold.
#[derive(Debug, thiserror::Error)]
pub enum AnswerRefusal {
    /// The verifier's reason.
    #[error("{0}")]
    Refused(aardvark_proof::Refusal),
    /// The proof is about something else than what is trusted.
    #[error("the proof is for {what} {found}, {trusted_from} for {what} {trusted}; take both from the same")]
    AboutAnother {
        /// The verifier's reason.
        reason: Reason,
        /// What differs.
        what: &'static str,
        /// The proof's.
        found: String,
        /// Whose the trusted one is.
        trusted_from: &'static str,
        /// The trusted one.
        trusted: String,
    },
    /// The proof does not bring what a root needs.
    #[error("the proof does not say what a root needs; `aardvark prove --root` makes one that does")]
    NoRoot,
    /// The scheme is not that of the commitments.
    #[error(transparent)]
    Setup(#[from] OtherSetup),
}

impl AnswerRefusal {
    fn reason(&self) -> Option<Reason> {
        match self {
            Self::Refused(refusal) => Some(refusal.reason),
            Self::AboutAnother { reason, .. } => Some(*reason),
            Self::NoRoot => Some(Reason::TieMismatched),
            Self::Setup(_) => None,
        }
    }

    /// The verdict that the command ends with.
    pub fn verdict(&self) -> Verdict {
        match self.reason().map(Reason::class) {
            Some(Class::False) => Verdict::False,
            _ => Verdict::Malformed,
        }
    }

    /// The reason's name in JSON.
    pub fn name(&self) -> &'static str {
        self.reason().map_or("OtherSetup", Reason::name)
    }
}
