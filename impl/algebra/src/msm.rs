//! Multi-scalar multiplication: Σ k_i P_i.
//!
//! Everything here is **exact on the whole curve**: infinity, equal and opposite points, points
//! outside the subgroup, small order. The format's rule accepts openings with cofactor torsion, so
//! a batch may contain any point, and a sum that went wrong on a chosen one would let validators
//! disagree. The scalar k_i stands for its integer in 0..r, which matters only outside the
//! subgroup.
//!
//! - [`naive`]: double and add, the twin to understand first and to test against.
//! - few points: Straus, interleaved windows with one chain of doublings, in complete additions.
//! - 32 points and more: blst's bucket method (Pippenger), on the calling thread only. Its bucket
//!   additions are complete; the window tables that blst uses for fewer points are not (they break
//!   on points of order 3 and on some sums), hence the split.
//!
//! `&point * &scalar` of `blstrs` uses the endomorphism, which acts as a scalar on the subgroup
//! alone: outside of it the result is right only up to cofactor torsion. That is enough for what
//! goes into a pairing, and for nothing else.

#![allow(clippy::indexing_slicing, reason = "digits have four bits, and lists are cut to one length")]

use blstrs::{G1Affine, G1Projective, Scalar};
use group::Group;

use crate::ffi::{self, PIPPENGER_MINIMUM};

/// Bits of a scalar.
const SCALAR_BITS: usize = 255;
/// Bits of a short scalar.
const SHORT_BITS: usize = 128;

/// Σ k_i P_i over the shorter of the two lists; the identity if it is empty. On the calling thread.
pub fn msm(points: &[G1Affine], scalars: &[Scalar]) -> G1Projective {
    let integers: Vec<[u8; 32]> = scalars.iter().take(points.len()).map(Scalar::to_bytes_le).collect();
    sum(points, &integers, SCALAR_BITS)
}

/// Σ k_i P_i with 128-bit k_i over the shorter of the two lists; the identity if it is empty. On
/// the calling thread.
pub fn msm_short(points: &[G1Affine], scalars: &[u128]) -> G1Projective {
    let integers: Vec<[u8; 16]> = scalars.iter().take(points.len()).map(|k| k.to_le_bytes()).collect();
    sum(points, &integers, SHORT_BITS)
}

/// Σ k_i P_i with 128-bit k_i, by interleaved windows: for few points.
pub(crate) fn straus_short(points: &[G1Affine], scalars: &[u128]) -> G1Projective {
    let integers: Vec<[u8; 16]> = scalars.iter().map(|k| k.to_le_bytes()).collect();
    straus(points, &integers)
}

/// Affine forms of all points, with one inversion for many.
pub fn batch_to_affine(points: &[G1Projective]) -> Vec<G1Affine> {
    ffi::to_affine(points)
}

fn sum<const BYTES: usize>(points: &[G1Affine], integers: &[[u8; BYTES]], bits: usize) -> G1Projective {
    let points = &points[..points.len().min(integers.len())];
    if points.len() < PIPPENGER_MINIMUM {
        return straus(points, integers);
    }
    ffi::pippenger(points, integers, bits).unwrap_or_else(|| straus(points, integers))
}

/// Multiples 0·P .. 15·P, for windows of four bits.
type Multiples = [G1Projective; 16];

fn multiples(point: &G1Affine) -> Multiples {
    let mut table = [G1Projective::identity(); 16];
    for i in 1..table.len() {
        table[i] = table[i - 1] + point;
    }
    table
}

/// Σ k_i P_i by Straus: four bits of every integer between two runs of four doublings. Integers are
/// little-endian.
fn straus<const BYTES: usize>(points: &[G1Affine], integers: &[[u8; BYTES]]) -> G1Projective {
    let tables: Vec<Multiples> = points.iter().map(multiples).collect();
    let mut accumulator = G1Projective::identity();
    for byte in (0..BYTES).rev() {
        for shift in [4, 0] {
            for _ in 0..4 {
                accumulator = accumulator.double();
            }
            for (table, integer) in tables.iter().zip(integers) {
                let digit = usize::from((integer[byte] >> shift) & 0xf);
                if digit != 0 {
                    accumulator += &table[digit];
                }
            }
        }
    }
    accumulator
}

/// The slow twins.
pub mod naive {
    use super::{G1Affine, G1Projective, Group, Scalar};

    /// k·P by double and add over the bits of a little-endian integer, highest first.
    pub fn multiply(point: &G1Affine, integer: &[u8]) -> G1Projective {
        let mut accumulator = G1Projective::identity();
        for byte in integer.iter().rev() {
            for bit in (0..8).rev() {
                accumulator = accumulator.double();
                if (byte >> bit) & 1 == 1 {
                    accumulator += point;
                }
            }
        }
        accumulator
    }

    /// Σ k_i P_i, one by one.
    pub fn msm(points: &[G1Affine], scalars: &[Scalar]) -> G1Projective {
        points.iter().zip(scalars).map(|(point, scalar)| multiply(point, &scalar.to_bytes_le())).sum()
    }
}
