//! KZG on roots of unity.
//!
//! A vector m of N scalars is the polynomial p with p(ω^i) = m_i, where ω = 7^((r-1)/N), indices in
//! natural order. With the trapdoor τ, the Lagrange polynomials L_i of the domain, and A(X) =
//! X^N - 1, the public parameters are \[L_i(τ)\]_1, a_i = \[A(τ) / (τ - ω^i)\]_1,
//! u_i = \[(L_i(τ) - 1) / (τ - ω^i)\]_1, and the key \[τ\]_2. Then:
//!
//! - the commitment is \[p(τ)\]_1 = Σ m_i \[L_i(τ)\]_1;
//! - the opening at i is \[(p(τ) - m_i) / (τ - ω^i)\]_1, which is m_i u_i + Σ_{j≠i} m_j f_{i-j}
//!   (a_j - a_i), with f_k = 1 / (N (1 - ω^k)), so that f_{i-j} = c_j / (ω^j - ω^i) for
//!   c_j = 1/A'(ω^j) = ω^j / N;
//! - it is accepted when e(C - m_i g1 + ω^i π, g2) = e(π, \[τ\]_2).
//!
//! Only [`kzg_setup`] and what it calls are given τ. Source: docs/design.md, section 3.

use crate::base::group::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use crate::commitment::opening::*;
use hacspec_lib::*;

/// The public parameters for vectors of one size.
#[derive(Clone, Debug, Default)]
pub struct KzgSetup {
    /// N, the number of elements of a vector: a power of two of at most 4096.
    pub kzg_size: usize,
    /// \[τ\]_2, the verification key; τ must not be an N-th root of unity.
    pub kzg_key: G2,
    /// ω^k.
    pub kzg_domain: Seq<Scalar>,
    /// f_k = 1 / (N (1 - ω^k)), and 0 for k = 0.
    pub kzg_factors: Seq<Scalar>,
    /// \[L_k(τ)\]_1.
    pub kzg_lagrange: Seq<G1>,
    /// a_k = \[A(τ) / (τ - ω^k)\]_1.
    pub kzg_vanishing_quotients: Seq<G1>,
    /// u_k = \[(L_k(τ) - 1) / (τ - ω^k)\]_1.
    pub kzg_lagrange_quotients: Seq<G1>,
}

/// One step of [`kzg_domain_of`].
pub fn kzg_domain_of_step(domain: Seq<Scalar>, omega: Scalar, k: usize) -> Seq<Scalar> {
    domain.push_owned(scalar_power(omega, k))
}

/// The domain: the powers of ω.
pub fn kzg_domain_of(n: usize) -> Seq<Scalar> {
    let omega = root_of_unity(n);
    let mut domain = Seq::<Scalar>::new(0);
    for k in 0..n {
        domain = kzg_domain_of_step(domain, omega, k);
    }
    domain
}

/// One step of [`kzg_inverses_of`].
pub fn kzg_inverses_of_step(inverses: Seq<Scalar>, tau: Scalar, omega_k: Scalar) -> Seq<Scalar> {
    inverses.push_owned(scalar_inverse(tau - omega_k))
}

/// The inverses of τ - ω^k.
pub fn kzg_inverses_of(domain: &Seq<Scalar>, tau: Scalar) -> Seq<Scalar> {
    let mut inverses = Seq::<Scalar>::new(0);
    for k in 0..domain.len() {
        inverses = kzg_inverses_of_step(inverses, tau, domain[k]);
    }
    inverses
}

/// The scalar N, for division by the number of elements.
pub fn kzg_size_scalar(n: usize) -> Scalar {
    scalar_of_number(u128_of_usize(n))
}

/// A(τ) = τ^N - 1.
pub fn kzg_vanishing(tau: Scalar, n: usize) -> Scalar {
    scalar_power(tau, n) - scalar_one()
}

/// One step of [`kzg_lagrange_of`]: L_k(τ) = ω^k A(τ) / (N (τ - ω^k)), with `scale` = A(τ) / N.
pub fn kzg_lagrange_of_step(lagrange: Seq<Scalar>, scale: Scalar, omega_k: Scalar, inverse_k: Scalar) -> Seq<Scalar> {
    lagrange.push_owned(omega_k * scale * inverse_k)
}

/// The Lagrange polynomials at τ.
pub fn kzg_lagrange_of(domain: &Seq<Scalar>, inverses: &Seq<Scalar>, tau: Scalar) -> Seq<Scalar> {
    let scale = kzg_vanishing(tau, domain.len()) * scalar_inverse(kzg_size_scalar(domain.len()));
    let mut lagrange = Seq::<Scalar>::new(0);
    for k in 0..domain.len() {
        lagrange = kzg_lagrange_of_step(lagrange, scale, domain[k], scalar_at(inverses, k));
    }
    lagrange
}

/// One step of [`kzg_factors_of`].
pub fn kzg_factors_of_step(factors: Seq<Scalar>, size_scalar: Scalar, omega_k: Scalar, k: usize) -> Seq<Scalar> {
    if k == 0 {
        factors.push_owned(scalar_zero())
    } else {
        factors.push_owned(scalar_inverse(size_scalar * (scalar_one() - omega_k)))
    }
}

/// The factors f_k of a domain.
pub fn kzg_factors_of(domain: &Seq<Scalar>) -> Seq<Scalar> {
    let size_scalar = kzg_size_scalar(domain.len());
    let mut factors = Seq::<Scalar>::new(0);
    for k in 0..domain.len() {
        factors = kzg_factors_of_step(factors, size_scalar, domain[k], k);
    }
    factors
}

/// One step of [`kzg_vanishing_quotients_of`].
pub fn kzg_vanishing_quotients_of_step(quotients: Seq<Scalar>, vanishing: Scalar, inverse_k: Scalar) -> Seq<Scalar> {
    quotients.push_owned(vanishing * inverse_k)
}

/// A(τ) / (τ - ω^k), with `vanishing` = A(τ).
pub fn kzg_vanishing_quotients_of(inverses: &Seq<Scalar>, vanishing: Scalar) -> Seq<Scalar> {
    let mut quotients = Seq::<Scalar>::new(0);
    for k in 0..inverses.len() {
        quotients = kzg_vanishing_quotients_of_step(quotients, vanishing, inverses[k]);
    }
    quotients
}

/// One step of [`kzg_lagrange_quotients_of`].
pub fn kzg_lagrange_quotients_of_step(quotients: Seq<Scalar>, lagrange_k: Scalar, inverse_k: Scalar) -> Seq<Scalar> {
    quotients.push_owned((lagrange_k - scalar_one()) * inverse_k)
}

/// (L_k(τ) - 1) / (τ - ω^k).
pub fn kzg_lagrange_quotients_of(lagrange: &Seq<Scalar>, inverses: &Seq<Scalar>) -> Seq<Scalar> {
    let mut quotients = Seq::<Scalar>::new(0);
    for k in 0..lagrange.len() {
        quotients = kzg_lagrange_quotients_of_step(quotients, lagrange[k], scalar_at(inverses, k));
    }
    quotients
}

/// The parameters for vectors of `n` elements, with the trapdoor `tau`, of which nothing but group
/// elements is kept.
pub fn kzg_setup(n: usize, tau: Scalar) -> KzgSetup {
    let domain = kzg_domain_of(n);
    let inverses = kzg_inverses_of(&domain, tau);
    let lagrange = kzg_lagrange_of(&domain, &inverses, tau);
    KzgSetup {
        kzg_size: n,
        kzg_key: g2_multiple(tau),
        kzg_factors: kzg_factors_of(&domain),
        kzg_domain: domain,
        kzg_lagrange: g1_multiples(&lagrange),
        kzg_vanishing_quotients: g1_multiples(&kzg_vanishing_quotients_of(&inverses, kzg_vanishing(tau, n))),
        kzg_lagrange_quotients: g1_multiples(&kzg_lagrange_quotients_of(&lagrange, &inverses)),
    }
}

/// The commitment to a vector; elements that it lacks are 0.
pub fn kzg_commit(setup: &KzgSetup, vector: &Seq<Scalar>) -> G1 {
    g1_combination(&setup.kzg_lagrange, vector)
}

/// C - m_i g1 + ω^i π, the side of a claim's equation that is paired with the generator.
pub fn kzg_left_side(setup: &KzgSetup, commitment: G1, i: usize, m: Scalar, opening: G1) -> G1 {
    g1_add(g1_subtract(commitment, g1_multiple(m)), g1_scale(scalar_at(&setup.kzg_domain, i), opening))
}

/// Whether the opening shows that the vector under the commitment has the scalar `m` at index `i`.
pub fn kzg_verify(setup: &KzgSetup, commitment: G1, i: usize, m: Scalar, opening: G1) -> bool {
    i < setup.kzg_size && pairings_equal(kzg_left_side(setup, commitment, i, m, opening), opening, setup.kzg_key)
}

/// The commitment after element `j` of the vector grew by `delta`.
pub fn kzg_update_commitment(setup: &KzgSetup, commitment: G1, j: usize, delta: Scalar) -> G1 {
    g1_add(commitment, g1_scale(delta, g1_at(&setup.kzg_lagrange, j)))
}

/// f_{i-j}, for `i` and `j` below N.
pub fn kzg_factor(setup: &KzgSetup, i: usize, j: usize) -> Scalar {
    if i < j { scalar_at(&setup.kzg_factors, i + setup.kzg_size - j) } else { scalar_at(&setup.kzg_factors, i - j) }
}

/// The opening at index `i` after element `j` of the vector grew by `delta`.
pub fn kzg_update_opening(setup: &KzgSetup, opening: G1, i: usize, j: usize, delta: Scalar) -> G1 {
    if i == j {
        g1_add(opening, g1_scale(delta, g1_at(&setup.kzg_lagrange_quotients, i)))
    } else {
        let difference =
            g1_subtract(g1_at(&setup.kzg_vanishing_quotients, j), g1_at(&setup.kzg_vanishing_quotients, i));
        g1_add(opening, g1_scale(delta * kzg_factor(setup, i, j), difference))
    }
}

/// One step of [`kzg_open`]: element `j` is taken into the opening at `i`.
pub fn kzg_open_step(opening: G1, setup: &KzgSetup, vector: &Seq<Scalar>, i: usize, j: usize) -> G1 {
    kzg_update_opening(setup, opening, i, j, scalar_at(vector, j))
}

/// The opening of a vector at index `i`: what that of the empty vector, the identity, becomes as
/// the elements are taken in.
pub fn kzg_open(setup: &KzgSetup, vector: &Seq<Scalar>, i: usize) -> G1 {
    let mut opening = g1_identity();
    for j in 0..setup.kzg_size {
        opening = kzg_open_step(opening, setup, vector, i, j);
    }
    opening
}

/// One step of [`kzg_open_all`].
pub fn kzg_open_all_step(openings: Seq<G1>, setup: &KzgSetup, vector: &Seq<Scalar>, i: usize) -> Seq<G1> {
    openings.push_owned(kzg_open(setup, vector, i))
}

/// The openings of a vector at all indices.
pub fn kzg_open_all(setup: &KzgSetup, vector: &Seq<Scalar>) -> Seq<G1> {
    let mut openings = Seq::<G1>::new(0);
    for i in 0..setup.kzg_size {
        openings = kzg_open_all_step(openings, setup, vector, i);
    }
    openings
}

/// One step of [`kzg_verify_batch`].
pub fn kzg_verify_batch_step(sums: PairingSum, setup: &KzgSetup, claim: &BatchClaim, rho: Scalar) -> PairingSum {
    let left = kzg_left_side(setup, claim.batch_commitment, claim.batch_index, claim.batch_scalar, claim.batch_opening);
    PairingSum {
        sum_left: g1_add(sums.sum_left, g1_scale(rho, left)),
        sum_right: g1_add(sums.sum_right, g1_scale(rho, claim.batch_opening)),
    }
}

/// The batch equation under the coefficients ρ_j:
/// e(Σ ρ_j (C_j - m_j g1 + ω^{i_j} π_j), g2) = e(Σ ρ_j π_j, \[τ\]_2).
pub fn kzg_verify_batch(setup: &KzgSetup, batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>) -> bool {
    let mut sums = empty_sum();
    for j in 0..batch.len() {
        sums = kzg_verify_batch_step(sums, setup, &batch[j], scalar_at(coefficients, j));
    }
    pairings_equal(sums.sum_left, sums.sum_right, setup.kzg_key)
}

/// One step of [`kzg_index_sum`].
pub fn kzg_index_sum_step(total: G1, claim: &BatchClaim, rho: Scalar, i: usize) -> G1 {
    if claim.batch_index == i {
        g1_add(total, g1_scale(rho, g1_subtract(claim.batch_commitment, g1_multiple(claim.batch_scalar))))
    } else {
        total
    }
}

/// Σ ρ_j (C_j - m_j g1) over the claims at index `i`.
pub fn kzg_index_sum(batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>, i: usize) -> G1 {
    let mut total = g1_identity();
    for j in 0..batch.len() {
        total = kzg_index_sum_step(total, &batch[j], scalar_at(coefficients, j), i);
    }
    total
}

/// The side of a point's equation that is paired with the generator: the sum over the claims at its
/// index, and ω^i times the point.
pub fn kzg_point_left_side(
    setup: &KzgSetup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    point: &AggregatedOpening,
) -> G1 {
    g1_add(
        kzg_index_sum(batch, coefficients, point.aggregated_index),
        g1_scale(scalar_at(&setup.kzg_domain, point.aggregated_index), point.aggregated_point),
    )
}

/// One step of [`kzg_verify_aggregated`].
pub fn kzg_verify_aggregated_step(
    sums: PairingSum,
    setup: &KzgSetup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    point: &AggregatedOpening,
    gamma: Scalar,
) -> PairingSum {
    let left = kzg_point_left_side(setup, batch, coefficients, point);
    PairingSum {
        sum_left: g1_add(sums.sum_left, g1_scale(gamma, left)),
        sum_right: g1_add(sums.sum_right, g1_scale(gamma, point.aggregated_point)),
    }
}

/// The aggregation equation: `coefficients` are the ρ_j of the first challenge, a claim each;
/// `combiners` the γ of the second, drawn after the points were fixed, a point each.
pub fn kzg_verify_aggregated(
    setup: &KzgSetup,
    batch: &Seq<BatchClaim>,
    coefficients: &Seq<Scalar>,
    points: &Seq<AggregatedOpening>,
    combiners: &Seq<Scalar>,
) -> bool {
    let mut sums = empty_sum();
    for k in 0..points.len() {
        sums = kzg_verify_aggregated_step(sums, setup, batch, coefficients, &points[k], scalar_at(combiners, k));
    }
    aggregation_fits(batch, points, setup.kzg_size) && pairings_equal(sums.sum_left, sums.sum_right, setup.kzg_key)
}
