//! Multi-scalar multiplication over bases that are known beforehand: the bucket method (Pippenger)
//! with shifted bases.
//!
//! For every base P the table holds 2^(ct) P at all digit positions t of c bits. Then **all**
//! digits of all scalars fall into one set of 2^(c-1) buckets: bucket d collects ±2^(ct) P wherever
//! the digit is ±d, and the result is Σ d B_d, once. N ⌈256 / c⌉ affine additions to fill, some 2^c
//! to sum up, no doubling, and the table is small: N = 1,024 has c = 11, 24 positions, 2.4 MB. For
//! sums over most of the bases this beats [`crate::table`], whose entries are more than a cache
//! holds; for a few terms it does not, because of the buckets.
//!
//! No endomorphism: exact for bases anywhere on the curve, as the integer of the scalar says.

#![allow(clippy::indexing_slicing, reason = "digits and positions are bounded by the window")]

use blstrs::{G1Affine, G1Projective, Scalar};
use group::Group;
use group::prime::PrimeCurveAffine;

use crate::affine::Slopes;
use crate::group_sums::table_sums;
use crate::parallel::prelude::*;
use crate::point::Member;

/// Bits of a scalar and a sign.
const BITS: usize = 256;
/// Windows considered, in bits.
const WINDOWS: core::ops::RangeInclusive<usize> = 4..=15;
/// Bases whose shifts are made together.
const BASES_A_TASK: usize = 64;

/// Shifts of a list of bases.
#[derive(Debug)]
pub struct BucketTable {
    window: usize,
    positions: usize,
    /// Base by base, 2^(ct) P for all positions t.
    shifted: Vec<G1Affine>,
}

impl BucketTable {
    /// The table of these bases, on rayon's threads: 256 doublings a base.
    pub fn new(bases: &[G1Affine]) -> Self {
        let window = Self::window_for(bases.len());
        let positions = BITS.div_ceil(window);
        let mut shifted = vec![G1Affine::identity(); bases.len() * positions];
        shifted
            .par_chunks_mut(BASES_A_TASK * positions)
            .zip(bases.par_chunks(BASES_A_TASK))
            .for_each(|(shifted, bases)| fill(shifted, bases, window, positions));
        Self { window, positions, shifted }
    }

    /// The table whose [`BucketTable::entries`] these are: the caller vouches that they are those
    /// of `bases` bases. `None` if they are not as many.
    pub fn from_entries(bases: usize, entries: Vec<G1Affine>) -> Option<Self> {
        let window = Self::window_for(bases);
        let fits = size_of_val(entries.as_slice()) == Self::bytes_for(bases);
        fits.then(|| Self { window, positions: BITS.div_ceil(window), shifted: entries })
    }

    /// All shifts.
    pub fn entries(&self) -> &[G1Affine] {
        &self.shifted
    }

    /// Bytes of a table for so many bases.
    pub fn bytes_for(bases: usize) -> usize {
        bases * BITS.div_ceil(Self::window_for(bases)) * size_of::<G1Affine>()
    }

    /// The window with the fewest additions: one for each digit, two for each bucket.
    fn window_for(bases: usize) -> usize {
        let additions = |window: &usize| bases * BITS.div_ceil(*window) + (2 << (window - 1));
        WINDOWS.min_by_key(additions).unwrap_or(*WINDOWS.start())
    }

    /// Number of bases.
    pub fn bases(&self) -> usize {
        self.shifted.len() / self.positions
    }

    /// Bytes of all shifts.
    pub fn bytes(&self) -> usize {
        size_of_val(self.shifted.as_slice())
    }

    /// Σ k_i P_i over the shorter of the two lists. On the calling thread.
    pub fn msm(&self, scalars: &[Scalar]) -> G1Projective {
        let (sorted, lengths) = self.sort(scalars);
        let buckets = table_sums(&self.shifted, &sorted, &lengths);
        weighted_sum(&buckets)
    }

    /// The entries of all digits other than 0, with their signs, bucket by bucket, and how many
    /// each bucket has.
    fn sort(&self, scalars: &[Scalar]) -> (Vec<Member>, Vec<usize>) {
        let mut digits = Vec::with_capacity(scalars.len() * self.positions);
        let mut lengths = vec![0; 1 << (self.window - 1)];
        for (i, scalar) in scalars.iter().take(self.bases()).enumerate() {
            for (position, digit) in self.digits(scalar).enumerate() {
                if let Some(bucket) = digit.unsigned_abs().checked_sub(1) {
                    lengths[bucket] += 1;
                    digits.push((bucket, Member::new(i * self.positions + position, digit < 0)));
                }
            }
        }
        let mut next: Vec<usize> = Vec::with_capacity(lengths.len());
        lengths.iter().fold(0, |start, length| {
            next.push(start);
            start + length
        });
        let mut sorted = vec![Member::new(0, false); digits.len()];
        for (bucket, entry) in digits {
            sorted[next[bucket]] = entry;
            next[bucket] += 1;
        }
        (sorted, lengths)
    }

    /// Signed digits of a scalar, lowest first: -2^(c-1) < d ≤ 2^(c-1).
    fn digits(&self, scalar: &Scalar) -> impl Iterator<Item = isize> + use<> {
        let (bytes, window) = (scalar.to_bytes_le(), self.window);
        let mut carry = 0;
        (0..self.positions).map(move |t| {
            let digit = bits(&bytes, t * window, window) + carry;
            carry = isize::from(digit > 1 << (window - 1));
            digit - (carry << window)
        })
    }
}

/// `count` < 16 bits of a little-endian integer from bit `from` on, zeros beyond its end.
fn bits(bytes: &[u8; 32], from: usize, count: usize) -> isize {
    let byte = |i: usize| bytes.get(i).map_or(0, |byte| usize::from(*byte));
    let first = from / 8;
    let word = byte(first) | byte(first + 1) << 8 | byte(first + 2) << 16;
    ((word >> (from % 8)) & ((1 << count) - 1)) as isize
}

/// Σ (b + 1) B_b over 2^m buckets. With b = 2^s h + l this is 2^s Σ h R_h + Σ (l + 1) C_l, R_h the
/// sums of rows and C_l of columns: two affine additions a bucket, and running sums over a square
/// root of their number.
fn weighted_sum(buckets: &[G1Affine]) -> G1Projective {
    let bits = buckets.len().ilog2();
    let (columns, shift) = (1 << (bits / 2), bits / 2);
    let rows = buckets.len() >> shift;
    let by_row = (0..buckets.len()).map(|bucket| Member::new(bucket, false));
    let by_column = (0..columns).flat_map(|l| (0..rows).map(move |h| Member::new((h << shift) + l, false)));
    let members: Vec<Member> = by_row.chain(by_column).collect();
    let lengths = [vec![columns; rows], vec![rows; columns]].concat();
    let sums = table_sums(buckets, &members, &lengths);
    let (row_sums, column_sums) = sums.split_at(rows);
    let high = running_sum(&row_sums[1..]);
    (0..shift).fold(high, |high, _| high.double()) + running_sum(column_sums)
}

/// Σ (i + 1) P_i: the sum of all tails.
fn running_sum(points: &[G1Affine]) -> G1Projective {
    let zero = G1Projective::identity();
    let (_, total) = points.iter().rev().fold((zero, zero), |(tail, total), point| {
        let tail = tail + point;
        (tail, total + tail)
    });
    total
}

fn fill(shifted: &mut [G1Affine], bases: &[G1Affine], window: usize, positions: usize) {
    let mut slopes = Slopes::new();
    let mut points = bases.to_vec();
    for position in 0..positions {
        for (i, point) in points.iter().enumerate() {
            shifted[i * positions + position] = *point;
        }
        if position + 1 < positions {
            (0..window).for_each(|_| slopes.double(&mut points));
        }
    }
}
