//! Checks on products of pairings.
//!
//! e(P_1, Q_1) · … · e(P_n, Q_n) = 1 costs a Miller loop a pair and **one** final exponentiation
//! for all. The lines of a fixed Q are computed once ([`G2Prepared`]).
//!
//! The G1 arguments may be any points of the curve. The reduced pairing sends cofactor torsion to
//! 1: with Q in G2 of order r, P ↦ e(P, Q) is a homomorphism on E(F_p) into a group of order r, and
//! torsion of order prime to r has no other image than 1. So P and P + T give the same answer.

use blst::blst_fp6;
use blstrs::{Bls12, G1Affine, G2Affine, G2Prepared, MillerLoopResult};
use group::Group;
use group::prime::PrimeCurveAffine;
use pairing::{MillerLoopResult as _, MultiMillerLoop};

use crate::ffi;

/// The lines of a fixed second argument, for Miller loops that share their squarings
/// ([`shared_product_is_one`]): 19,584 bytes.
#[derive(Clone, Debug)]
pub struct PreparedLines {
    /// Empty for infinity.
    lines: Vec<blst_fp6>,
}

impl PreparedLines {
    /// The lines of a point of G2.
    pub fn new(point: &G2Affine) -> Self {
        let infinity = bool::from(point.is_identity());
        Self { lines: if infinity { Vec::new() } else { ffi::pairing::lines(point) } }
    }
}

/// Whether Π e(P_i, Q_i) = 1, with one squaring a step for all Miller loops together. An empty
/// product is one.
#[must_use]
pub fn shared_product_is_one(pairs: &[(G1Affine, &PreparedLines)]) -> bool {
    let pairs: Vec<(&G1Affine, &[blst_fp6])> = pairs
        .iter()
        .filter(|(point, prepared)| !bool::from(point.is_identity()) && !prepared.lines.is_empty())
        .map(|(point, prepared)| (point, prepared.lines.as_slice()))
        .collect();
    pairs.is_empty() || ffi::pairing::product_is_one(&pairs)
}

/// A product of pairings before its final exponentiation.
#[derive(Clone, Copy, Debug)]
pub struct PairingProduct {
    // `None` is the empty product.
    unreduced: Option<MillerLoopResult>,
}

impl PairingProduct {
    /// The empty product, which is one.
    pub fn one() -> Self {
        Self { unreduced: None }
    }

    /// e(p, q), by one Miller loop.
    pub fn pair(p: &G1Affine, q: &G2Prepared) -> Self {
        Self { unreduced: Some(Bls12::multi_miller_loop(&[(p, q)])) }
    }

    /// The product of two products.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let unreduced = match (self.unreduced, other.unreduced) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
        Self { unreduced }
    }

    /// Whether the product is one, by the final exponentiation.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.unreduced.is_none_or(|value| value.final_exponentiation().is_identity().into())
    }
}

/// Whether Π e(P_i, Q_i) = 1. An empty product is one.
#[must_use]
pub fn pairing_product_is_one(pairs: &[(G1Affine, &G2Prepared)]) -> bool {
    pairs.iter().map(|(p, q)| PairingProduct::pair(p, q)).fold(PairingProduct::one(), PairingProduct::times).is_one()
}

/// Whether e(a, p) = e(b, q).
#[must_use]
pub fn pairings_equal(a: &G1Affine, p: &G2Prepared, b: &G1Affine, q: &G2Prepared) -> bool {
    pairing_product_is_one(&[(*a, p), (-b, q)])
}
