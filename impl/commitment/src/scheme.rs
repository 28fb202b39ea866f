//! The one place that dispatches between schemes.

use core::fmt;
use core::str::FromStr;

use aardvark_algebra::Scalar;
use thiserror::Error;

use crate::aggregation::{Aggregate, Aggregation, UnopenedClaim};
use crate::error::CommitmentError;
use crate::folded::{FoldedClaim, FoldedOpening};
use crate::kzg::Kzg;
use crate::libert_yung::LibertYung;
use crate::points::{Commitment, Opening};
use crate::vector_commitment::{BatchClaim, CommitmentUpdate, OpeningUpdate, VectorCommitment};

/// Which scheme: the number in the parameters' encoding, the name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum SchemeKind {
    /// KZG on roots of unity, on the Ethereum ceremony.
    Kzg = 1,
    /// Libert–Yung, on an insecure setup.
    LibertYung = 2,
}

/// A number or name that stands for no scheme.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown commitment scheme {0}; known are kzg (1) and libert-yung (2)")]
pub struct UnknownScheme(pub String);

impl SchemeKind {
    /// All schemes.
    pub const ALL: [Self; 2] = [Self::Kzg, Self::LibertYung];

    /// The name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kzg => "kzg",
            Self::LibertYung => "libert-yung",
        }
    }
}

impl From<SchemeKind> for u8 {
    fn from(kind: SchemeKind) -> Self {
        kind as Self
    }
}

impl TryFrom<u8> for SchemeKind {
    type Error = UnknownScheme;

    fn try_from(number: u8) -> Result<Self, UnknownScheme> {
        let known = Self::ALL.into_iter().find(|kind| u8::from(*kind) == number);
        known.ok_or_else(|| UnknownScheme(number.to_string()))
    }
}

impl FromStr for SchemeKind {
    type Err = UnknownScheme;

    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| UnknownScheme(format!("{name:?}")))
    }
}

impl fmt::Display for SchemeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A scheme chosen at run time.
#[derive(Debug)]
pub enum Scheme {
    /// KZG.
    Kzg(Kzg),
    /// Libert–Yung.
    LibertYung(LibertYung),
}

impl Scheme {
    /// Which one it is.
    pub fn kind(&self) -> SchemeKind {
        match self {
            Self::Kzg(_) => SchemeKind::Kzg,
            Self::LibertYung(_) => SchemeKind::LibertYung,
        }
    }

    /// The same with tables of at most `budget` bytes: [`Kzg::with_tables`],
    /// [`LibertYung::with_tables`].
    pub fn with_tables(self, budget: usize) -> Result<Self, CommitmentError> {
        match self {
            Self::Kzg(scheme) => scheme.with_tables(budget).map(Self::Kzg),
            Self::LibertYung(scheme) => scheme.with_tables(budget).map(Self::LibertYung),
        }
    }

    /// One opening for all claims, of their own openings ([`Kzg::fold`]).
    ///
    /// # Errors
    /// [`CommitmentError::NotFolding`] under another scheme than KZG, and as [`Kzg::fold`].
    pub fn fold(
        &self,
        context: &[u8; 32],
        claims: &[(FoldedClaim, Opening)],
    ) -> Result<FoldedOpening, CommitmentError> {
        match self {
            Self::Kzg(kzg) => kzg.fold(context, claims),
            Self::LibertYung(_) => Err(CommitmentError::NotFolding),
        }
    }

    /// Whether a folded opening shows all claims ([`Kzg::verify_folded`]); under another scheme
    /// than KZG it never does.
    #[must_use]
    pub fn verify_folded(&self, context: &[u8; 32], claims: &[FoldedClaim], opening: &FoldedOpening) -> bool {
        match self {
            Self::Kzg(kzg) => kzg.verify_folded(context, claims, opening),
            Self::LibertYung(_) => false,
        }
    }
}

impl From<Kzg> for Scheme {
    fn from(scheme: Kzg) -> Self {
        Self::Kzg(scheme)
    }
}

impl From<LibertYung> for Scheme {
    fn from(scheme: LibertYung) -> Self {
        Self::LibertYung(scheme)
    }
}

/// Calls a method on whichever scheme it is.
macro_rules! dispatch {
    ($scheme:expr, $inner:ident => $call:expr) => {
        match $scheme {
            Scheme::Kzg($inner) => $call,
            Scheme::LibertYung($inner) => $call,
        }
    };
}

impl VectorCommitment for Scheme {
    fn vector_size(&self) -> usize {
        dispatch!(self, s => s.vector_size())
    }

    fn setup_digest(&self) -> [u8; 32] {
        dispatch!(self, s => s.setup_digest())
    }

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        dispatch!(self, s => s.commit(scalars))
    }

    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Opening, CommitmentError> {
        dispatch!(self, s => s.open(scalars, index))
    }

    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Opening>, CommitmentError> {
        dispatch!(self, s => s.open_all(scalars))
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool {
        dispatch!(self, s => s.verify(commitment, index, scalar, opening))
    }

    fn verify_batch(&self, context: &[u8], claims: &[BatchClaim]) -> bool {
        dispatch!(self, s => s.verify_batch(context, claims))
    }

    fn open_many(&self, scalars: &[Scalar], indices: &[usize]) -> Result<Vec<Opening>, CommitmentError> {
        dispatch!(self, s => s.open_many(scalars, indices))
    }

    fn find_false(&self, context: &[u8], claims: &[BatchClaim]) -> Vec<usize> {
        dispatch!(self, s => s.find_false(context, claims))
    }

    fn first_false(&self, context: &[u8], claims: &[BatchClaim]) -> Option<usize> {
        dispatch!(self, s => s.first_false(context, claims))
    }

    fn false_groups(&self, context: &[u8], claims: &[BatchClaim], ends: &[usize]) -> Vec<usize> {
        dispatch!(self, s => s.false_groups(context, claims, ends))
    }

    fn update_commitment_many(
        &self,
        commitment: &Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Commitment, CommitmentError> {
        dispatch!(self, s => s.update_commitment_many(commitment, deltas))
    }

    fn update_commitments_many(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        dispatch!(self, s => s.update_commitments_many(updates))
    }

    fn update_commitments_in_bulk(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        dispatch!(self, s => s.update_commitments_in_bulk(updates))
    }

    fn update_opening(
        &self,
        opening: &Opening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<Opening, CommitmentError> {
        dispatch!(self, s => s.update_opening(opening, opened_index, changed_index, delta))
    }

    fn update_opening_many(
        &self,
        opening: &Opening,
        opened_index: usize,
        deltas: &[(usize, Scalar)],
    ) -> Result<Opening, CommitmentError> {
        dispatch!(self, s => s.update_opening_many(opening, opened_index, deltas))
    }

    fn update_openings_many(&self, updates: &[OpeningUpdate]) -> Result<Vec<Opening>, CommitmentError> {
        dispatch!(self, s => s.update_openings_many(updates))
    }
}

impl Aggregation for Scheme {
    fn verify_aggregated(&self, context: &[u8], claims: &[UnopenedClaim], aggregate: &Aggregate) -> bool {
        dispatch!(self, s => s.verify_aggregated(context, claims, aggregate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_round_trips_through_its_number_and_its_name() {
        for kind in SchemeKind::ALL {
            assert_eq!(SchemeKind::try_from(u8::from(kind)), Ok(kind));
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
    }

    #[test]
    fn other_numbers_and_names_are_refused_and_named() {
        for number in [0, 3, 255] {
            assert!(SchemeKind::try_from(number).is_err());
        }
        for name in ["", "KZG", "merkle", "libert_yung"] {
            let refused = name.parse::<SchemeKind>();
            assert_eq!(refused, Err(UnknownScheme(format!("{name:?}"))));
        }
    }
}
