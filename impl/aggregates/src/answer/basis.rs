//! On whose word it rests that the runs of an answer are in order, and their sums their sums.

use std::fmt;

/// Who has checked the certificates of the runs that an answer uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// The validators of a chain whose policy is `tables`, as a trusted genesis says: they check
    /// each certificate before they sign for a version that has the run.
    Consensus,
    /// The verifier itself: they came with the answer.
    Certificates,
    /// Whoever has audited the table; the verifier has not looked at them.
    Audit,
}

impl Basis {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Consensus => "consensus",
            Self::Certificates => "certificates",
            Self::Audit => "audit",
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Consensus => {
                "consensus: the chain's validators check the certificate of each run before they sign, as its genesis says"
            }
            Self::Certificates => "certificates: that of each run came with the answer, and holds",
            Self::Audit => "audit: that runs are in order is the word of whoever has audited the table",
        })
    }
}
