//! The scheme of a dictionary: the one place that chooses between KZG and Libert–Yung.

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::kzg::*;
use crate::commitment::libert_yung::*;
use crate::commitment::opening::*;
use hacspec_lib::*;

/// The public parameters of a dictionary's scheme.
#[derive(Clone, Debug)]
pub enum Setup {
    /// KZG on roots of unity.
    Kzg(KzgSetup),
    /// Libert–Yung.
    LibertYung(LibertYungSetup),
}

/// The scheme's number in a dictionary's parameters.
pub fn scheme_number(setup: &Setup) -> u8 {
    match setup {
        Setup::Kzg(_) => 1,
        Setup::LibertYung(_) => 2,
    }
}

/// N, the number of elements of a vector.
pub fn setup_vector_size(setup: &Setup) -> usize {
    match setup {
        Setup::Kzg(kzg) => kzg.kzg_size,
        Setup::LibertYung(libert_yung) => libert_yung.libert_yung_size,
    }
}

/// The commitment to a vector; elements that it lacks are 0.
pub fn commit(setup: &Setup, vector: &Seq<Scalar>) -> G1 {
    match setup {
        Setup::Kzg(kzg) => kzg_commit(kzg, vector),
        Setup::LibertYung(libert_yung) => libert_yung_commit(libert_yung, vector),
    }
}

/// The opening of a vector at index `i`.
pub fn open(setup: &Setup, vector: &Seq<Scalar>, i: usize) -> G1 {
    match setup {
        Setup::Kzg(kzg) => kzg_open(kzg, vector, i),
        Setup::LibertYung(libert_yung) => libert_yung_open(libert_yung, vector, i),
    }
}

/// The openings of a vector at all indices.
pub fn open_all(setup: &Setup, vector: &Seq<Scalar>) -> Seq<G1> {
    match setup {
        Setup::Kzg(kzg) => kzg_open_all(kzg, vector),
        Setup::LibertYung(libert_yung) => libert_yung_open_all(libert_yung, vector),
    }
}

/// Whether a point opens the commitment at index `i` to the scalar `m`.
pub fn verify_point(setup: &Setup, commitment: G1, i: usize, m: Scalar, point: G1) -> bool {
    match setup {
        Setup::Kzg(kzg) => kzg_verify(kzg, commitment, i, m, point),
        Setup::LibertYung(libert_yung) => libert_yung_verify(libert_yung, commitment, i, m, point),
    }
}

/// Whether an opening opens the commitment at index `i` to the scalar `m`; a malformed one does
/// not.
pub fn verify(setup: &Setup, commitment: G1, i: usize, m: Scalar, opening: &Opening) -> bool {
    match opening {
        Opening::Malformed => false,
        Opening::Point(point) => verify_point(setup, commitment, i, m, *point),
    }
}

/// The batch equation under the coefficients ρ_j.
pub fn verify_batch(setup: &Setup, batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>) -> bool {
    match setup {
        Setup::Kzg(kzg) => kzg_verify_batch(kzg, batch, coefficients),
        Setup::LibertYung(libert_yung) => libert_yung_verify_batch(libert_yung, batch, coefficients),
    }
}

/// The aggregation equation under the coefficients ρ_j of the first challenge and γ of the second.
pub fn verify_aggregated(
    setup: &Setup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    points: &Seq<AggregatedOpening>,
    combiners: &Seq<Scalar>,
) -> bool {
    match setup {
        Setup::Kzg(kzg) => kzg_verify_aggregated(kzg, batch, coefficients, points, combiners),
        Setup::LibertYung(libert_yung) => {
            libert_yung_verify_aggregated(libert_yung, batch, coefficients, points, combiners)
        }
    }
}

/// The commitment after element `j` of the vector grew by `delta`.
pub fn update_commitment(setup: &Setup, commitment: G1, j: usize, delta: Scalar) -> G1 {
    match setup {
        Setup::Kzg(kzg) => kzg_update_commitment(kzg, commitment, j, delta),
        Setup::LibertYung(libert_yung) => libert_yung_update_commitment(libert_yung, commitment, j, delta),
    }
}

/// The opening at index `i` after element `j` of the vector grew by `delta`.
pub fn update_opening(setup: &Setup, opening: G1, i: usize, j: usize, delta: Scalar) -> G1 {
    match setup {
        Setup::Kzg(kzg) => kzg_update_opening(kzg, opening, i, j, delta),
        Setup::LibertYung(libert_yung) => libert_yung_update_opening(libert_yung, opening, i, j, delta),
    }
}
