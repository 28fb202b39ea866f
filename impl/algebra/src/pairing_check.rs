//! Checks on products of pairings.
//!
//! e(P_1, Q_1) · … · e(P_n, Q_n) = 1 costs a Miller loop a pair and **one** final exponentiation for all. The lines of a fixed Q
//! are computed once ([`G2Prepared`]).
//!
//! The G1 arguments may be any points of the curve. The reduced pairing sends cofactor torsion to 1: with Q in G2 of order r, P ↦ e(P, Q) is a homomorphism on E(F_p)
//! into a group of order r, and torsion of order prime to r has no other image than 1. So P and P + T give the same answer.

use blstrs::{Bls12, G1Affine, G2Prepared};
use group::Group;
use pairing::{MillerLoopResult, MultiMillerLoop};

/// Whether Π e(P_i, Q_i) = 1. An empty product is 1.
pub fn pairing_product_is_one(pairs: &[(G1Affine, &G2Prepared)]) -> bool {
    if pairs.is_empty() {
        return true;
    }
    let terms: Vec<(&G1Affine, &G2Prepared)> = pairs.iter().map(|(p, q)| (p, *q)).collect();
    Bls12::multi_miller_loop(&terms)
        .final_exponentiation()
        .is_identity()
        .into()
}

/// Whether e(a, p) = e(b, q).
pub fn pairings_equal(a: &G1Affine, p: &G2Prepared, b: &G1Affine, q: &G2Prepared) -> bool {
    pairing_product_is_one(&[(*a, p), (-b, q)])
}
