//! Libert–Yung, the paper's vector commitment.
//!
//! The public powers are \[α^i\]_1 for i in 1..=2N except N + 1, and \[α^i\]_2 for i in 1..=N. With
//! i counted from 1 (index p of a vector is i = p + 1):
//!
//! - the commitment is Σ m_i \[α^i\]_1;
//! - the opening at i is Σ_{j≠i} m_j \[α^{N+1-i+j}\]_1;
//! - it is accepted when e(C - m_i \[α^i\]_1, \[α^{N+1-i}\]_2) = e(π, g2).
//!
//! Only the functions that make the public parameters are given α.
//!
//! Source: docs/design.md, section 3.

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::opening::*;
use hacspec_lib::*;

/// The public parameters for vectors of one size.
#[derive(Clone, Debug, Default)]
pub struct LibertYungSetup {
    /// N, the number of elements of a vector.
    pub libert_yung_size: usize,
    /// \[α^i\]_1 at index i, up to 2N; the identity stands at the indices 0 and N + 1, whose powers
    /// are not public.
    pub libert_yung_powers: Seq<G1>,
    /// \[α^i\]_2 at index i, up to N.
    pub libert_yung_duals: Seq<G2>,
}

/// One step of [`libert_yung_powers_of`].
pub fn libert_yung_powers_of_step(powers: Seq<G1>, alpha: Scalar, n: usize, i: usize) -> Seq<G1> {
    if i == 0 || i == n + 1 {
        powers.push_owned(g1_identity())
    } else {
        powers.push_owned(g1_multiple(scalar_power(alpha, i)))
    }
}

/// The public powers in G1.
pub fn libert_yung_powers_of(n: usize, alpha: Scalar) -> Seq<G1> {
    let mut powers = Seq::<G1>::new(0);
    for i in 0..2 * n + 1 {
        powers = libert_yung_powers_of_step(powers, alpha, n, i);
    }
    powers
}

/// One step of [`libert_yung_duals_of`].
pub fn libert_yung_duals_of_step(duals: Seq<G2>, alpha: Scalar, i: usize) -> Seq<G2> {
    duals.push_owned(g2_multiple(scalar_power(alpha, i)))
}

/// The public powers in G2.
pub fn libert_yung_duals_of(n: usize, alpha: Scalar) -> Seq<G2> {
    let mut duals = Seq::<G2>::new(0);
    for i in 0..n + 1 {
        duals = libert_yung_duals_of_step(duals, alpha, i);
    }
    duals
}

/// The parameters for vectors of `n` elements, with the trapdoor `alpha`.
pub fn libert_yung_setup(n: usize, alpha: Scalar) -> LibertYungSetup {
    LibertYungSetup {
        libert_yung_size: n,
        libert_yung_powers: libert_yung_powers_of(n, alpha),
        libert_yung_duals: libert_yung_duals_of(n, alpha),
    }
}

/// \[α^i\]_1, where it is public, and the identity elsewhere.
pub fn libert_yung_power(setup: &LibertYungSetup, i: usize) -> G1 {
    g1_at(&setup.libert_yung_powers, i)
}

/// \[α^{N+1-i+j}\]_1 for the indices `p` = i - 1 and `q` = j - 1: what element `q` contributes to
/// the opening at `p`. It is the identity for p = q.
pub fn libert_yung_cross_power(setup: &LibertYungSetup, p: usize, q: usize) -> G1 {
    let n = setup.libert_yung_size;
    if p < n { libert_yung_power(setup, n - p + q + 1) } else { g1_identity() }
}

/// \[α^{N+1-i}\]_2, that index `p` = i - 1 is verified against.
pub fn libert_yung_dual_power(setup: &LibertYungSetup, p: usize) -> G2 {
    let n = setup.libert_yung_size;
    if p < n { g2_at(&setup.libert_yung_duals, n - p) } else { g2_multiple(scalar_zero()) }
}

/// One step of [`libert_yung_commit`].
pub fn libert_yung_commit_step(total: G1, setup: &LibertYungSetup, vector: &Seq<Scalar>, q: usize) -> G1 {
    g1_add(total, g1_scale(scalar_at(vector, q), libert_yung_power(setup, q + 1)))
}

/// The commitment to a vector; elements that it lacks are 0.
pub fn libert_yung_commit(setup: &LibertYungSetup, vector: &Seq<Scalar>) -> G1 {
    let mut total = g1_identity();
    for q in 0..setup.libert_yung_size {
        total = libert_yung_commit_step(total, setup, vector, q);
    }
    total
}

/// One step of [`libert_yung_open`].
pub fn libert_yung_open_step(total: G1, setup: &LibertYungSetup, vector: &Seq<Scalar>, p: usize, q: usize) -> G1 {
    if p == q { total } else { g1_add(total, g1_scale(scalar_at(vector, q), libert_yung_cross_power(setup, p, q))) }
}

/// The opening of a vector at index `p`.
pub fn libert_yung_open(setup: &LibertYungSetup, vector: &Seq<Scalar>, p: usize) -> G1 {
    let mut total = g1_identity();
    for q in 0..setup.libert_yung_size {
        total = libert_yung_open_step(total, setup, vector, p, q);
    }
    total
}

/// One step of [`libert_yung_open_all`].
pub fn libert_yung_open_all_step(
    openings: Seq<G1>,
    setup: &LibertYungSetup,
    vector: &Seq<Scalar>,
    p: usize,
) -> Seq<G1> {
    openings.push_owned(libert_yung_open(setup, vector, p))
}

/// The openings of a vector at all indices.
pub fn libert_yung_open_all(setup: &LibertYungSetup, vector: &Seq<Scalar>) -> Seq<G1> {
    let mut openings = Seq::<G1>::new(0);
    for p in 0..setup.libert_yung_size {
        openings = libert_yung_open_all_step(openings, setup, vector, p);
    }
    openings
}

/// e(C - m \[α^i\]_1, \[α^{N+1-i}\]_2): what the opening at index `p` to the scalar `m`, paired
/// with the generator, must equal.
pub fn libert_yung_expected(setup: &LibertYungSetup, commitment: G1, p: usize, m: Scalar) -> GT {
    pairing(g1_subtract(commitment, g1_scale(m, libert_yung_power(setup, p + 1))), libert_yung_dual_power(setup, p))
}

/// Whether the opening shows that the vector under the commitment has the scalar `m` at index `p`.
pub fn libert_yung_verify(setup: &LibertYungSetup, commitment: G1, p: usize, m: Scalar, opening: G1) -> bool {
    p < setup.libert_yung_size
        && gt_equal(libert_yung_expected(setup, commitment, p, m), pairing(opening, g2_generator()))
}

/// The commitment after element `q` of the vector grew by `delta`.
pub fn libert_yung_update_commitment(setup: &LibertYungSetup, commitment: G1, q: usize, delta: Scalar) -> G1 {
    g1_add(commitment, g1_scale(delta, libert_yung_power(setup, q + 1)))
}

/// The opening at index `p` after element `q` of the vector grew by `delta`: the same when p = q.
pub fn libert_yung_update_opening(setup: &LibertYungSetup, opening: G1, p: usize, q: usize, delta: Scalar) -> G1 {
    if p == q { opening } else { g1_add(opening, g1_scale(delta, libert_yung_cross_power(setup, p, q))) }
}

/// The two sides of a sum of Libert–Yung's equations, as they are summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExpectedSum {
    /// Σ ρ_j π_j, which is paired with the generator.
    pub sum_openings: G1,
    /// Σ ρ_j e(C_j - m_j \[α^i\]_1, \[α^{N+1-i}\]_2).
    pub sum_expected: GT,
}

/// Two empty sums.
pub fn empty_expected_sum() -> ExpectedSum {
    ExpectedSum { sum_openings: g1_identity(), sum_expected: gt_identity() }
}

/// Whether the two sides are equal.
pub fn expected_sum_holds(sums: &ExpectedSum) -> bool {
    gt_equal(sums.sum_expected, pairing(sums.sum_openings, g2_generator()))
}

/// One step of [`libert_yung_verify_batch`].
pub fn libert_yung_verify_batch_step(
    sums: ExpectedSum,
    setup: &LibertYungSetup,
    claim: &BatchClaim,
    rho: Scalar,
) -> ExpectedSum {
    let expected = libert_yung_expected(setup, claim.batch_commitment, claim.batch_index, claim.batch_scalar);
    ExpectedSum {
        sum_openings: g1_add(sums.sum_openings, g1_scale(rho, claim.batch_opening)),
        sum_expected: gt_add(sums.sum_expected, gt_scale(rho, expected)),
    }
}

/// The batch equation under the coefficients ρ_j:
/// Π_i e(Σ_{j at i} ρ_j (C_j - m_j \[α^i\]_1), \[α^{N+1-i}\]_2) = e(Σ ρ_j π_j, g2).
pub fn libert_yung_verify_batch(setup: &LibertYungSetup, batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>) -> bool {
    let mut sums = empty_expected_sum();
    for j in 0..batch.len() {
        sums = libert_yung_verify_batch_step(sums, setup, &batch[j], scalar_at(coefficients, j));
    }
    expected_sum_holds(&sums)
}

/// One step of [`libert_yung_index_sum`].
pub fn libert_yung_index_sum_step(total: GT, setup: &LibertYungSetup, claim: &BatchClaim, rho: Scalar, p: usize) -> GT {
    if claim.batch_index == p {
        gt_add(total, gt_scale(rho, libert_yung_expected(setup, claim.batch_commitment, p, claim.batch_scalar)))
    } else {
        total
    }
}

/// Σ ρ_j e(C_j - m_j \[α^i\]_1, \[α^{N+1-i}\]_2) over the claims at index `p` = i - 1.
pub fn libert_yung_index_sum(
    setup: &LibertYungSetup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    p: usize,
) -> GT {
    let mut total = gt_identity();
    for j in 0..batch.len() {
        total = libert_yung_index_sum_step(total, setup, &batch[j], scalar_at(coefficients, j), p);
    }
    total
}

/// One step of [`libert_yung_verify_aggregated`].
pub fn libert_yung_verify_aggregated_step(
    sums: ExpectedSum,
    setup: &LibertYungSetup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    point: &AggregatedOpening,
    gamma: Scalar,
) -> ExpectedSum {
    let expected = libert_yung_index_sum(setup, batch, coefficients, point.aggregated_index);
    ExpectedSum {
        sum_openings: g1_add(sums.sum_openings, g1_scale(gamma, point.aggregated_point)),
        sum_expected: gt_add(sums.sum_expected, gt_scale(gamma, expected)),
    }
}

/// The aggregation equation: `coefficients` are the ρ_j of the first challenge, a claim each;
/// `combiners` the γ of the second, drawn after the points were fixed, a point each.
pub fn libert_yung_verify_aggregated(
    setup: &LibertYungSetup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    points: &Seq<AggregatedOpening>,
    combiners: &Seq<Scalar>,
) -> bool {
    let mut sums = empty_expected_sum();
    for k in 0..points.len() {
        sums =
            libert_yung_verify_aggregated_step(sums, setup, batch, coefficients, &points[k], scalar_at(combiners, k));
    }
    aggregation_fits(batch, points, setup.libert_yung_size) && expected_sum_holds(&sums)
}
