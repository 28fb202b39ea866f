//! What verifying needs: prepared lines of the G2 side, and multiples of g1.
//!
//! Two forms of one equation, equal up to what the pairing does not see:
//!
//! - e(C - m g1 + ω^i π, g2) = e(π, `[τ]_2`), for any index with the same two lists of lines, at
//!   the price of one scalar multiplication;
//! - e(C - m g1, g2) = e(π, `[τ - ω^i]_2`), without it, but with lines of their own for every
//!   index: 19,584 bytes each, made when an index is first asked for. For processes that verify
//!   many single claims; batches use the first form always.

use std::sync::OnceLock;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::parallel::made_once;
use aardvark_algebra::{
    Domain, FixedBaseTable, G1Affine, G1Projective, G2Affine, PreparedLines, Scalar, shared_product_is_one,
};

use crate::points::{Commitment, Opening};

/// Window of the generator's table, in bits: 67,584 bytes, built in a fraction of a millisecond.
const GENERATOR_WINDOW: usize = 6;

/// The G2 side of the equation, and the generator of G1. What is prepared of them is made when it
/// is first asked for: a process that only opens spares it.
#[derive(Debug)]
pub(super) struct VerifierKey {
    tau: G2Affine,
    /// The lines of the generator of G2 and of `[τ]_2`.
    lines: OnceLock<[PreparedLines; 2]>,
    generator_multiples: OnceLock<FixedBaseTable>,
    /// Lines of `[τ - ω^i]_2`, i < N, where they were asked for.
    index_lines: Option<Vec<OnceLock<PreparedLines>>>,
}

impl VerifierKey {
    pub(super) fn new(tau: G2Affine) -> Self {
        Self { tau, lines: OnceLock::new(), generator_multiples: OnceLock::new(), index_lines: None }
    }

    /// The lines of the generator of G2 and of `[τ]_2`.
    pub(super) fn lines(&self) -> [&PreparedLines; 2] {
        self.lines.get_or_init(|| [G2Affine::generator(), self.tau].map(|point| PreparedLines::new(&point))).each_ref()
    }

    /// Room for the lines of every index.
    pub(super) fn keep_index_lines(&mut self, vector_size: usize) {
        self.index_lines = Some((0..vector_size).map(|_| OnceLock::new()).collect());
    }

    /// m g1.
    pub(super) fn generator_times(&self, scalar: &Scalar) -> G1Affine {
        let table = || FixedBaseTable::new(&[G1Affine::generator()], GENERATOR_WINDOW);
        made_once(&self.generator_multiples, table).sum(&[(0, *scalar)])
    }

    /// e(left, g2) = e(right, `[τ]_2`).
    pub(super) fn equation_holds(&self, left: &G1Projective, right: &G1Affine) -> bool {
        let [generator_g2, tau_g2] = self.lines();
        shared_product_is_one(&[(left.to_affine(), generator_g2), (-right, tau_g2)])
    }

    /// Whether the opening proves the scalar at an index below N.
    pub(super) fn verify(
        &self,
        domain: &Domain,
        commitment: &Commitment,
        index: usize,
        scalar: &Scalar,
        opening: &Opening,
    ) -> bool {
        let point = domain.element(index);
        let left = commitment.point().to_curve() - self.generator_times(scalar);
        let Some(lines) = self.index_lines.as_ref().and_then(|lines| lines.get(index)) else {
            // Outside the subgroup the product with ω^i is right up to torsion, which the pairing
            // does not see.
            return self.equation_holds(&(left + opening.point() * point), opening.point());
        };
        let lines = lines.get_or_init(|| {
            let shifted = self.tau.to_curve() - G2Affine::generator() * point;
            PreparedLines::new(&shifted.to_affine())
        });
        shared_product_is_one(&[(left.to_affine(), self.lines()[0]), (-opening.point(), lines)])
    }
}
