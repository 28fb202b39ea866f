//! What an audit finds, and its report.

use std::fmt;

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::store_error::StoreError;

/// What an audit found.
#[must_use = "an audit that nobody reads finds nothing"]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// Everything that is not as it should be, at most 100 items of each step; empty when all
    /// agrees.
    pub findings: Vec<Finding>,
    /// Versions replayed.
    pub versions: u64,
    /// Records compared.
    pub records: u64,
    /// Commitments computed anew.
    pub commitments: u64,
    /// The state root of the newest version, as replaying gives it, where it could be replayed.
    pub root: Option<[u8; 32]>,
    /// The version that was compared with the anchor, whether it agrees or not.
    pub anchored: Option<u64>,
}

impl AuditReport {
    /// Whether all agrees.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Something in the store that its blocks do not justify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
}

impl Finding {
    /// What an error says about the archive.
    ///
    /// # Errors
    /// Those that say nothing about it.
    pub(crate) fn of(error: ArchiveError) -> Result<Self, ArchiveError> {
        match error {
            ArchiveError::Damaged(Damage { place, fault: DamageKind::Missing }) => {
                Ok(Self { place, fault: Fault::Missing })
            }
            ArchiveError::Damaged(Damage { place, fault }) => Ok(Self { place, fault: Fault::Damaged(fault) }),
            ArchiveError::Store(StoreError::Damaged(what)) => {
                Ok(Self { place: Place::File, fault: Fault::Engine(what) })
            }
            other => Err(other),
        }
    }
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It should be there and is not.
    #[error("missing")]
    Missing,
    /// It should not be there.
    #[error("not justified by any block")]
    Superfluous,
    /// It differs from what the blocks give.
    #[error("differs from what the blocks give")]
    Different,
    /// It stands in its table and is not found by its key.
    #[error("not found by its key")]
    Unreachable,
    /// It cannot be read.
    #[error("{0}")]
    Damaged(DamageKind),
    /// The block breaks the chain of links.
    #[error("not the block that was written")]
    Link,
    /// The block breaks the dictionary's rules, or the entries are no genesis.
    #[error("refused at replay: {0}")]
    Refused(String),
    /// An invariant of the array fails.
    #[error("{0}")]
    Invariant(&'static str),
    /// The engine finds its file damaged.
    #[error("{0}")]
    Engine(String),
    /// The cache has other parameters than the published setup gives.
    #[error("not what the setup gives; what was computed with it may be wrong. Without the file, it is derived anew")]
    OtherBasis,
    /// The anchor is of another dictionary.
    #[error("this is another dictionary, with the id {}", Hex(.0))]
    OtherDictionary([u8; 32]),
    /// The anchor's version has not been reached.
    #[error("the store ends before it, at version {0}")]
    Behind(u64),
    /// The version has another number of slots than the anchor says.
    #[error("it has {stored} slots and not {anchored}")]
    OtherSize {
        /// Slots that the blocks give.
        stored: u64,
        /// Slots that the anchor says.
        anchored: u64,
    },
    /// Commitments of the version differ from the anchor's.
    #[error("{number} of its commitments differ, the first one that of vector {first}")]
    OtherCommitments {
        /// The first vector whose commitment differs.
        first: u64,
        /// How many differ.
        number: u64,
    },
    /// The version has another state root than the anchor.
    #[error("its state root is {}", Hex(.0))]
    OtherRoot([u8; 32]),
}

/// Bytes as lower-case hexadecimal behind `0x`.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.fault)
    }
}
