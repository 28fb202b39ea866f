//! KZG on roots of unity, in the exponent.
//!
//! A vector m of N scalars is the polynomial p with p(ω^i) = m_i, where ω = 7^((r-1)/N), indices in
//! natural order. With the trapdoor τ and the Lagrange polynomials L_i of the domain:
//!
//! - the commitment is p(τ) = Σ m_i L_i(τ);
//! - the opening at i is (p(τ) - m_i) / (τ - ω^i);
//! - it is accepted when C - m_i + ω^i π = π τ, which is e(C - m_i g1 + ω^i π, g2) = e(π, \[τ\]_2).
//!
//! The formulas for updates use public points only: with A(X) = X^N - 1, a_k = A(τ)/(τ - ω^k),
//! c_j = 1/A'(ω^j) = ω^j / N and u_i = (L_i(τ) - 1)/(τ - ω^i). Source: docs/design.md, section 3.

use crate::base::integers::*;
use crate::base::scalar::*;
use crate::commitment::opening::*;
use hacspec_lib::*;

/// The public parameters for vectors of one size, and the trapdoor that made them.
#[derive(Clone, Debug, Default)]
pub struct KzgSetup {
    /// N, the number of elements of a vector: a power of two of at most 4096.
    pub kzg_size: usize,
    /// τ, the exponent of the one power in G2; it must not be an N-th root of unity.
    pub kzg_tau: Scalar,
    /// ω^k.
    pub kzg_domain: Seq<Scalar>,
    /// 1 / (τ - ω^k).
    pub kzg_inverses: Seq<Scalar>,
    /// L_k(τ).
    pub kzg_lagrange: Seq<Scalar>,
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

/// The parameters for vectors of `n` elements, with the trapdoor `tau`.
pub fn kzg_setup(n: usize, tau: Scalar) -> KzgSetup {
    let domain = kzg_domain_of(n);
    let inverses = kzg_inverses_of(&domain, tau);
    let lagrange = kzg_lagrange_of(&domain, &inverses, tau);
    KzgSetup { kzg_size: n, kzg_tau: tau, kzg_domain: domain, kzg_inverses: inverses, kzg_lagrange: lagrange }
}

/// The commitment to a vector; elements that it lacks are 0.
pub fn kzg_commit(setup: &KzgSetup, vector: &Seq<Scalar>) -> Scalar {
    inner_product(&setup.kzg_lagrange, vector)
}

/// The opening of index `i` to the scalar `m`, of a vector whose commitment is known.
pub fn kzg_open_commitment(setup: &KzgSetup, commitment: Scalar, i: usize, m: Scalar) -> Scalar {
    (commitment - m) * scalar_at(&setup.kzg_inverses, i)
}

/// The opening of a vector at index `i`.
pub fn kzg_open(setup: &KzgSetup, vector: &Seq<Scalar>, i: usize) -> Scalar {
    kzg_open_commitment(setup, kzg_commit(setup, vector), i, scalar_at(vector, i))
}

/// One step of [`kzg_open_all`].
pub fn kzg_open_all_step(
    openings: Seq<Scalar>,
    setup: &KzgSetup,
    vector: &Seq<Scalar>,
    commitment: Scalar,
    i: usize,
) -> Seq<Scalar> {
    openings.push_owned(kzg_open_commitment(setup, commitment, i, scalar_at(vector, i)))
}

/// The openings of a vector at all indices.
pub fn kzg_open_all(setup: &KzgSetup, vector: &Seq<Scalar>) -> Seq<Scalar> {
    let commitment = kzg_commit(setup, vector);
    let mut openings = Seq::<Scalar>::new(0);
    for i in 0..setup.kzg_size {
        openings = kzg_open_all_step(openings, setup, vector, commitment, i);
    }
    openings
}

/// Whether the opening shows that the vector under the commitment has the scalar `m` at index `i`.
pub fn kzg_verify(setup: &KzgSetup, commitment: Scalar, i: usize, m: Scalar, opening: Scalar) -> bool {
    i < setup.kzg_size && commitment - m + scalar_at(&setup.kzg_domain, i) * opening == opening * setup.kzg_tau
}

/// The commitment after element `j` of the vector grew by `delta`.
pub fn kzg_update_commitment(setup: &KzgSetup, commitment: Scalar, j: usize, delta: Scalar) -> Scalar {
    commitment + delta * scalar_at(&setup.kzg_lagrange, j)
}

/// a_k = A(τ) / (τ - ω^k).
pub fn kzg_a(setup: &KzgSetup, k: usize) -> Scalar {
    kzg_vanishing(setup.kzg_tau, setup.kzg_size) * scalar_at(&setup.kzg_inverses, k)
}

/// c_j = 1 / A'(ω^j) = ω^j / N.
pub fn kzg_c(setup: &KzgSetup, j: usize) -> Scalar {
    scalar_at(&setup.kzg_domain, j) * scalar_inverse(kzg_size_scalar(setup.kzg_size))
}

/// u_i = (L_i(τ) - 1) / (τ - ω^i).
pub fn kzg_u(setup: &KzgSetup, i: usize) -> Scalar {
    (scalar_at(&setup.kzg_lagrange, i) - scalar_one()) * scalar_at(&setup.kzg_inverses, i)
}

/// The opening at index `i` after element `j` of the vector grew by `delta`.
pub fn kzg_update_opening(setup: &KzgSetup, opening: Scalar, i: usize, j: usize, delta: Scalar) -> Scalar {
    if i == j {
        opening + delta * kzg_u(setup, i)
    } else {
        let distance = scalar_at(&setup.kzg_domain, j) - scalar_at(&setup.kzg_domain, i);
        let factor = delta * kzg_c(setup, j) * scalar_inverse(distance);
        opening + factor * (kzg_a(setup, j) - kzg_a(setup, i))
    }
}

/// One step of [`kzg_verify_batch`].
pub fn kzg_verify_batch_step(sums: PairingSum, setup: &KzgSetup, claim: &BatchClaim, rho: Scalar) -> PairingSum {
    let omega_i = scalar_at(&setup.kzg_domain, claim.batch_index);
    let left = claim.batch_commitment - claim.batch_scalar + omega_i * claim.batch_opening;
    PairingSum { sum_left: sums.sum_left + rho * left, sum_right: sums.sum_right + rho * claim.batch_opening }
}

/// The batch equation under the coefficients ρ_j:
/// e(Σ ρ_j (C_j - m_j g1 + ω^{i_j} π_j), g2) = e(Σ ρ_j π_j, \[τ\]_2).
pub fn kzg_verify_batch(setup: &KzgSetup, batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>) -> bool {
    let mut sums = empty_sum();
    for j in 0..batch.len() {
        sums = kzg_verify_batch_step(sums, setup, &batch[j], scalar_at(coefficients, j));
    }
    sums.sum_left == sums.sum_right * setup.kzg_tau
}

/// One step of [`kzg_index_sum`].
pub fn kzg_index_sum_step(total: Scalar, claim: &BatchClaim, rho: Scalar, i: usize) -> Scalar {
    if claim.batch_index == i { total + rho * (claim.batch_commitment - claim.batch_scalar) } else { total }
}

/// Σ ρ_j (C_j - m_j) over the claims at index `i`.
pub fn kzg_index_sum(batch: &Seq<BatchClaim>, coefficients: &Seq<Scalar>, i: usize) -> Scalar {
    let mut total = scalar_zero();
    for j in 0..batch.len() {
        total = kzg_index_sum_step(total, &batch[j], scalar_at(coefficients, j), i);
    }
    total
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
    let omega_i = scalar_at(&setup.kzg_domain, point.aggregated_index);
    let left = kzg_index_sum(batch, coefficients, point.aggregated_index) + omega_i * point.aggregated_point;
    PairingSum { sum_left: sums.sum_left + gamma * left, sum_right: sums.sum_right + gamma * point.aggregated_point }
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
    aggregation_fits(batch, points, setup.kzg_size) && sums.sum_left == sums.sum_right * setup.kzg_tau
}
