//! Keys in shares: a polynomial f of degree t - 1, f(0) the key, f(k) the share of server k, and
//! commitments A_a = `f[a]` G by which every share is checked. Source: docs/mixnet.md, "Keys".

use crate::base::group::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use hacspec_lib::*;

/// The scalar of a server's number.
pub fn share_point(server: usize) -> Scalar {
    scalar_of_number(u128_of_usize(server))
}

/// One step of [`share_of`]: coefficients are taken highest first.
pub fn share_of_step(total: Scalar, coefficients: &Seq<Scalar>, server: usize, a: usize) -> Scalar {
    total * share_point(server) + scalar_at(coefficients, coefficients.len() - 1 - a)
}

/// f(k)
pub fn share_of(coefficients: &Seq<Scalar>, server: usize) -> Scalar {
    let mut total = scalar_zero();
    for a in 0..coefficients.len() {
        total = share_of_step(total, coefficients, server, a);
    }
    total
}

/// A_a = `f[a]` G
pub fn share_commitments(coefficients: &Seq<Scalar>) -> Seq<G1> {
    g1_multiples(coefficients)
}

/// One step of [`share_public`].
pub fn share_public_step(total: G1, committed: &Seq<G1>, server: usize, a: usize) -> G1 {
    g1_add(g1_scale(share_point(server), total), g1_at(committed, committed.len() - 1 - a))
}

/// Σ_a k^a A_a
pub fn share_public(committed: &Seq<G1>, server: usize) -> G1 {
    let mut total = g1_identity();
    for a in 0..committed.len() {
        total = share_public_step(total, committed, server, a);
    }
    total
}

/// Whether f(k) G = Σ_a k^a A_a.
pub fn share_verify(committed: &Seq<G1>, server: usize, share: Scalar) -> bool {
    g1_equal(g1_multiple(share), share_public(committed, server))
}

/// One step of [`share_weight`].
pub fn share_weight_step(weight: Scalar, servers: &Seq<usize>, server: usize, i: usize) -> Scalar {
    let other = servers[i];
    if other == server {
        weight
    } else {
        weight * share_point(other) * scalar_inverse(share_point(other) - share_point(server))
    }
}

/// λ_k, the Lagrange coefficient of a server at 0.
pub fn share_weight(servers: &Seq<usize>, server: usize) -> Scalar {
    let mut weight = scalar_one();
    for i in 0..servers.len() {
        weight = share_weight_step(weight, servers, server, i);
    }
    weight
}

/// One step of [`share_combine`].
pub fn share_combine_step(total: G1, servers: &Seq<usize>, shares: &Seq<G1>, i: usize) -> G1 {
    g1_add(total, g1_scale(share_weight(servers, servers[i]), g1_at(shares, i)))
}

/// Σ_k λ_k S_k: what the key would make of the element that the servers' shares multiplied.
pub fn share_combine(servers: &Seq<usize>, shares: &Seq<G1>) -> G1 {
    let mut total = g1_identity();
    for i in 0..servers.len() {
        total = share_combine_step(total, servers, shares, i);
    }
    total
}
