//! Sums of multiples of public points, without tables.

use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::table::Term;
use aardvark_algebra::{G1Affine, G1Projective, batch_to_affine, msm};

/// start + Σ k_i B_i for every (start, terms), with B points of the subgroup and all i below their
/// number. On rayon's threads.
pub(crate) fn add_multiples(bases: &[G1Affine], runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
    let sums: Vec<G1Projective> = runs.par_iter().map(|(start, terms)| sum(bases, terms) + start).collect();
    batch_to_affine(&sums)
}

#[allow(clippy::indexing_slicing, reason = "terms speak of bases that there are")]
fn sum(bases: &[G1Affine], terms: &[Term]) -> G1Projective {
    match terms {
        // A few multiplications are fastest by the endomorphism, which `msm` must not use.
        [] | [_] | [_, _] => terms.iter().map(|(i, k)| bases[*i] * k).sum(),
        _ => {
            let (points, scalars): (Vec<G1Affine>, Vec<_>) = terms.iter().map(|(i, k)| (bases[*i], *k)).unzip();
            msm(&points, &scalars)
        }
    }
}
