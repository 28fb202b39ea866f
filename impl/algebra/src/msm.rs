//! Multi-scalar multiplication: Σ k_i P_i.
//!
//! Everything here is **exact on the whole curve**: infinity, equal and opposite points, points
//! outside the subgroup, small order. The format's rule accepts openings with cofactor torsion, so
//! a batch may contain any point, and a sum that went wrong on a chosen one would let validators
//! disagree. The scalar k_i stands for its integer in 0..r, which matters only outside the
//! subgroup.
//!
//! - [`naive`]: double and add, the twin to understand first and to test against.
//! - few points: interleaved windows (Straus) in complete additions, by the vector kernel where
//!   there is one (`kernel/few.rs`), otherwise with odd digits and one chain of doublings.
//! - more points: blst's bucket method (Pippenger), on the calling thread only. Its bucket
//!   additions are complete; the window tables that blst uses for fewer points are not (they break
//!   on points of order 3 and on some sums), hence the split.
//!
//! `&point * &scalar` of `blstrs` uses the endomorphism, which acts as a scalar on the subgroup
//! alone: outside of it the result is right only up to cofactor torsion. That is enough for what
//! goes into a pairing, and for nothing else.

#![allow(clippy::indexing_slicing, reason = "digits are below the window, and lists are cut to one length")]

use blstrs::{G1Affine, G1Projective, Scalar};
use group::Group;

use crate::buckets;
use crate::ffi::{self, PIPPENGER_MINIMUM};
use crate::kernel::{self, Kernel, in_lanes};
use crate::point::{Coordinates, Point};

/// Points from which on the kernel's interleaved windows cost less than one chain of doublings;
/// with AVX2 none.
const fn fewest_for_lanes(kernel: Kernel) -> usize {
    match kernel {
        Kernel::Ifma => 5,
        Kernel::Avx2 => usize::MAX,
        _ => 9,
    }
}

/// Points from which on the kernel's buckets cost less than windows, for 128 bits.
const fn fewest_for_buckets(kernel: Kernel) -> usize {
    match kernel {
        Kernel::Avx2 => 24,
        _ => 113,
    }
}

/// Points up to which the kernel's interleaved windows cost less than blst's buckets, and their
/// multiples fit a core's cache: 400 kB.
const MOST_FOR_LANES: usize = 256;

/// Σ k_i P_i over the shorter of the two lists; the identity if it is empty. On the calling thread.
pub fn msm(points: &[G1Affine], scalars: &[Scalar]) -> G1Projective {
    let integers: Vec<[u8; 32]> = scalars.iter().take(points.len()).map(Scalar::to_bytes_le).collect();
    sum(points, &integers)
}

/// Σ k_i P_i with 128-bit k_i over the shorter of the two lists; the identity if it is empty. On
/// the calling thread, where the shorter the longest of the integers is, the less it takes; many on
/// the current rayon pool by the vector kernel, where there is one.
pub fn msm_short(points: &[G1Affine], scalars: &[u128]) -> G1Projective {
    let count = points.len().min(scalars.len());
    if count >= fewest_for_buckets(Kernel::in_use()) && kernel::lanes().is_some() {
        let points: Vec<Point> = points.iter().take(count).map(Point::from).collect();
        return buckets::sum(&points, scalars);
    }
    let integers: Vec<[u8; 16]> = scalars.iter().take(points.len()).map(|k| k.to_le_bytes()).collect();
    sum(points, &integers)
}

/// Σ k_i P_i with 128-bit k_i by windows, for few points: where lanes are in use, by the kernel up
/// to `most_for_lanes` points, otherwise with one chain of doublings up to `most`. `None` for more.
pub(crate) fn few_short(
    points: &[Point],
    scalars: &[u128],
    most: usize,
    most_for_lanes: usize,
) -> Option<G1Projective> {
    let integers: Vec<[u8; 16]> = scalars.iter().map(|k| k.to_le_bytes()).collect();
    few_in_lanes(points, &integers, most_for_lanes).or_else(|| {
        let affine = || points.iter().map(|point| (*point).into()).collect::<Vec<G1Affine>>();
        (points.len() <= most).then(|| straus(&affine(), &integers))
    })
}

/// The sum by the kernel, where it is in use and points are at most so many.
fn few_in_lanes<const BYTES: usize>(
    points: &[impl Coordinates],
    integers: &[[u8; BYTES]],
    most: usize,
) -> Option<G1Projective> {
    let fewest = fewest_for_lanes(Kernel::in_use());
    let lanes = kernel::lanes().filter(|_| (fewest..=most).contains(&points.len()))?;
    Some(in_lanes!(lanes => kernel::sum_of_few(lanes, points, integers)))
}

/// Affine forms of all points, with one inversion for many.
pub fn batch_to_affine(points: &[G1Projective]) -> Vec<G1Affine> {
    ffi::to_affine(points)
}

fn sum<const BYTES: usize>(points: &[G1Affine], integers: &[[u8; BYTES]]) -> G1Projective {
    let points = &points[..points.len().min(integers.len())];
    if let Some(sum) = few_in_lanes(points, integers, MOST_FOR_LANES) {
        return sum;
    }
    if points.len() < PIPPENGER_MINIMUM {
        return straus(points, integers);
    }
    let bits = bits_of(integers);
    let short: Vec<u8> = integers.iter().flat_map(|integer| &integer[..bits.div_ceil(8)]).copied().collect();
    ffi::pippenger(points, &short, bits).unwrap_or_else(|| straus(points, integers))
}

/// Bits of the longest of little-endian integers.
fn bits_of<const BYTES: usize>(integers: &[[u8; BYTES]]) -> usize {
    let bits = |integer: &[u8; BYTES]| {
        let highest = integer.iter().enumerate().rfind(|(_, byte)| **byte != 0);
        highest.map_or(0, |(place, byte)| 8 * (place + 1) - byte.leading_zeros() as usize)
    };
    integers.iter().map(bits).max().unwrap_or(0)
}

/// Odd multiples of a point in digits of width [`WIDTH`].
const ODD: usize = 1 << (WIDTH - 2);
/// Bits of a digit with its sign.
const WIDTH: usize = 4;

/// Σ k_i P_i by Straus, with one chain of doublings for all. Each integer, little-endian, is in its
/// non-adjacent form of width w: of w digits next to each other at most one is not 0, and that one
/// is odd and below 2^(w-1) in absolute value.
fn straus<const BYTES: usize>(points: &[G1Affine], integers: &[[u8; BYTES]]) -> G1Projective {
    let multiples = odd_multiples(points);
    let mut terms: Vec<Vec<(usize, bool)>> = vec![Vec::new(); bits_of(integers) + 1];
    for (i, integer) in integers.iter().take(points.len()).enumerate() {
        for (position, digit) in digits(integer) {
            let multiple = ODD * i + usize::from(digit.unsigned_abs() / 2);
            terms[position].push((multiple, digit < 0));
        }
    }
    let mut accumulator = G1Projective::identity();
    for terms in terms.iter().rev() {
        accumulator = accumulator.double();
        for (multiple, negative) in terms {
            let point = multiples[*multiple];
            accumulator += if *negative { -point } else { point };
        }
    }
    accumulator
}

/// P, 3 P .. (2^(w-1) - 1) P, point by point.
fn odd_multiples(points: &[G1Affine]) -> Vec<G1Affine> {
    let of_point = |point: &G1Affine| {
        let double = G1Projective::from(point).double();
        core::iter::successors(Some(G1Projective::from(point)), move |last| Some(last + double)).take(ODD)
    };
    ffi::to_affine(&points.iter().flat_map(of_point).collect::<Vec<_>>())
}

/// The digits of an integer that are not 0, with their positions, lowest first. The highest may
/// stand one above the integer's highest bit.
fn digits<const BYTES: usize>(integer: &[u8; BYTES]) -> impl Iterator<Item = (usize, i8)> {
    let bit = move |place: usize| integer.get(place / 8).map_or(0, |byte| (byte >> (place % 8) & 1) as i8);
    let (mut position, mut carry) = (0, 0);
    core::iter::from_fn(move || {
        while position <= 8 * BYTES {
            let start = position;
            if (bit(start) + carry) % 2 == 0 {
                carry &= bit(start);
                position += 1;
                continue;
            }
            let window = (0..WIDTH).fold(carry, |sum, place| sum + (bit(start + place) << place));
            carry = window >> (WIDTH - 1);
            position += WIDTH;
            return Some((start, window - (carry << WIDTH)));
        }
        None
    })
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
