//! Sums over public points, shared by the schemes' commitment updates.

use aardvark_algebra::{G1Affine, Scalar, msm};

use crate::error::CommitmentError;
use crate::points::Commitment;
use crate::vector_commitment::check_index;

/// C + Σ δ_j B_{i_j} over pairs (i_j, δ_j), with B points of the subgroup.
pub(crate) fn add_multiples(
    commitment: &Commitment,
    basis: &[G1Affine],
    deltas: &[(usize, Scalar)],
) -> Result<Commitment, CommitmentError> {
    deltas.iter().try_for_each(|(index, _)| check_index(*index, basis.len()))?;
    let sum = match deltas {
        // One multiplication is fastest by the endomorphism, which `msm` must not use.
        [(index, delta)] => basis[*index] * delta,
        _ => {
            let points: Vec<G1Affine> = deltas.iter().map(|(index, _)| basis[*index]).collect();
            let factors: Vec<Scalar> = deltas.iter().map(|(_, delta)| *delta).collect();
            msm(&points, &factors)
        }
    };
    Ok((sum + commitment.point()).into())
}
