//! Rows of growth, and what is checked of claims before there is one.

use aardvark_archive::Archive;
use aardvark_commitment::{BatchClaim, Opening, VectorCommitment};
use aardvark_dictionary::Claim;

use crate::error::{BenchError, require};
use crate::measure::memory;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;

/// The table's name in rows.
pub const TABLE: &str = "growth";

/// Times of an operation at so many keys.
pub fn timed_row(
    operation: &'static str,
    keys: u64,
    unit: (&'static str, f64),
    samples: &Samples,
) -> Result<Row, BenchError> {
    let nothing = || BenchError::Wrong("nothing was measured".to_owned());
    Row::timed(TABLE, "kzg", operation, unit, samples).map(|row| row.size(keys)).ok_or_else(nothing)
}

/// The most memory since it was last forgotten.
pub fn peak(operation: &'static str, keys: u64) -> Result<Row, BenchError> {
    Ok(Row::counted(TABLE, "kzg", operation, "bytes", memory::peak()? as f64).size(keys))
}

/// All claims hold against the archive's commitments, which the import computed.
pub fn check(archive: &Archive, claims: &[Claim], version: u64) -> Result<(), BenchError> {
    let commitments = archive.commitments(version)?;
    let vector_size = archive.parameters().positions_per_vector();
    let prepare = |claim: &Claim| {
        let commitment = *commitments.get((claim.position / vector_size) as usize)?;
        let opening = Opening::from_bytes(&claim.opening).ok()?;
        let index = (claim.position % vector_size) as usize;
        Some(BatchClaim { label: version, commitment, index, scalar: claim.slot.scalar(), opening })
    };
    let claims: Option<Vec<BatchClaim>> = claims.iter().map(prepare).collect();
    let scheme = archive.scheme()?;
    let hold = claims.is_some_and(|claims| scheme.verify_batch(&archive.id().0, &claims));
    require(hold, || format!("a claim at version {version} is false"))
}
