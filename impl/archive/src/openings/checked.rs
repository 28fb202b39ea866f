//! Openings that somebody else gave: each is checked against the commitment in the store before
//! anybody uses it.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_algebra::integers::usize_or_max;
use aardvark_commitment::points::POINT_BYTES;
use aardvark_commitment::{BatchClaim, Commitment, Opening, VectorCommitment};
use aardvark_dictionary::Slot;

use crate::error::{ArchiveError, Damage, Place};
use crate::snapshot::Snapshot;

/// A slot, its position, and the bytes that are said to be its opening.
pub type GivenOpening<'a> = (u64, &'a Slot, [u8; POINT_BYTES]);

impl Snapshot {
    /// Of openings that somebody gave for slots at a version, those that hold, in their order;
    /// `None` in the place of a false one. An opening that holds has the bytes that this archive
    /// would compute: of a commitment, an index and a scalar there is one in the subgroup, and
    /// others, which verify as well (`docs/openings.md`), are refused here.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn checked_openings(
        &self,
        version: u64,
        given: &[GivenOpening<'_>],
    ) -> Result<Vec<Option<Opening>>, ArchiveError> {
        let vector_size = self.parameters().positions_per_vector();
        let vectors: BTreeSet<u64> = given.iter().map(|(position, ..)| position / vector_size).collect();
        let commitments = vectors.into_iter().map(|vector| Ok((vector, self.commitment_at(vector, version)?)));
        let commitments: BTreeMap<u64, Commitment> = commitments.collect::<Result<_, ArchiveError>>()?;
        let encodings: Vec<[u8; POINT_BYTES]> = given.iter().map(|(.., bytes)| *bytes).collect();
        let decoded: Vec<_> = Opening::from_bytes_strict_each(&encodings).into_iter().map(Result::ok).collect();
        let mut claims = Vec::with_capacity(given.len());
        for (place, ((position, slot, _), opening)) in given.iter().zip(&decoded).enumerate() {
            let vector = position / vector_size;
            let commitment = *commitments.get(&vector).ok_or_else(|| Damage::missing(Place::Commitment(vector)))?;
            let index = usize_or_max(position % vector_size);
            let claim = |opening| BatchClaim { label: version, commitment, index, scalar: slot.scalar(), opening };
            claims.extend(opening.map(|opening| (place, claim(opening))));
        }
        let (places, claims): (Vec<usize>, Vec<BatchClaim>) = claims.into_iter().unzip();
        let wrong = self.scheme()?.find_false(&self.id().0, &claims);
        let wrong: BTreeSet<usize> = wrong.into_iter().filter_map(|claim| places.get(claim).copied()).collect();
        let checked = decoded.into_iter().enumerate();
        Ok(checked.map(|(place, opening)| opening.filter(|_| !wrong.contains(&place))).collect())
    }
}
