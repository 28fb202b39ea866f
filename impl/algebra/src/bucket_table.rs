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
use crate::bit_sums::{bit_sums, bits_of, total};
use crate::group_sums::table_sums;
use crate::msm::batch_to_affine;
use crate::parallel::prelude::*;
use crate::point::{Member, Point};
use crate::table::Term;

/// Bits of a scalar and a sign.
const BITS: usize = 256;
/// Windows considered, in bits.
const WINDOWS: core::ops::RangeInclusive<usize> = 4..=15;
/// Bases whose shifts are made together.
const BASES_A_TASK: usize = 64;
/// Sums that one thread makes together: enough for the kernel's lanes.
const SUMS_A_TASK: usize = 8;

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

    /// Additions that a sum of so many terms costs at most.
    pub fn additions(&self, terms: usize) -> usize {
        terms * self.positions + 2 * self.buckets()
    }

    /// Σ k_i P_i over the shorter of the two lists. On the calling thread.
    pub fn msm(&self, scalars: &[Scalar]) -> G1Projective {
        let terms = scalars.iter().take(self.bases()).copied().enumerate();
        self.sums([terms]).first().copied().unwrap_or_else(G1Projective::identity)
    }

    /// start + Σ k_i P_i for every (start, terms), on rayon's threads. The same base may occur more
    /// than once.
    ///
    /// Every base number must be below [`BucketTable::bases`]; terms with others are left out.
    pub fn add_multiples(&self, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        let of_task = |runs: &[(G1Affine, &[Term])]| {
            let known = |term: &&Term| term.0 < self.bases();
            let sums = self.sums(runs.iter().map(|(_, terms)| terms.iter().filter(known).copied()));
            let totals = runs.iter().zip(sums).map(|((start, _), sum)| sum + start);
            batch_to_affine(&totals.collect::<Vec<_>>())
        };
        let sums: Vec<Vec<G1Affine>> = runs.par_chunks(SUMS_A_TASK).map(of_task).collect();
        sums.concat()
    }

    /// Σ k_i P_i of each list of terms, whose base numbers are below [`BucketTable::bases`].
    fn sums(&self, lists: impl IntoIterator<Item: Iterator<Item = Term>>) -> Vec<G1Projective> {
        let (mut buckets, mut starts) = (Vec::new(), vec![0]);
        for terms in lists {
            let (sorted, lengths) = self.sort(terms);
            buckets.extend(table_sums(&self.shifted, &sorted, &lengths).iter().map(Point::from));
            starts.push(buckets.len());
        }
        let sums = bit_sums(&buckets, &starts);
        sums.chunks(bits_of(self.buckets())).map(total).collect()
    }

    /// Buckets of a sum: the largest digit.
    fn buckets(&self) -> usize {
        1 << (self.window - 1)
    }

    /// The entries of all digits other than 0, with their signs, bucket by bucket, and how many
    /// each bucket has.
    fn sort(&self, terms: impl Iterator<Item = Term>) -> (Vec<Member>, Vec<usize>) {
        let mut digits: Vec<(u32, Member)> = Vec::with_capacity(terms.size_hint().1.unwrap_or(0) * self.positions);
        let mut lengths = vec![0; self.buckets()];
        for (base, scalar) in terms {
            for (position, digit) in self.digits(&scalar).enumerate() {
                if let Some(bucket) = digit.unsigned_abs().checked_sub(1) {
                    lengths[bucket as usize] += 1;
                    digits.push((bucket, Member::new(base * self.positions + position, digit < 0)));
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
            let next = &mut next[bucket as usize];
            sorted[*next] = entry;
            *next += 1;
        }
        (sorted, lengths)
    }

    /// Signed digits of a scalar, lowest first: -2^(c-1) < d ≤ 2^(c-1).
    fn digits(&self, scalar: &Scalar) -> impl Iterator<Item = i32> + use<> {
        let (words, window) = (words(scalar), self.window);
        let mut carry = 0;
        (0..self.positions).map(move |t| {
            let digit = bits(&words, t * window, window) + carry;
            carry = i32::from(digit > 1 << (window - 1));
            digit - (carry << window)
        })
    }
}

/// A scalar's integer by 64 bits, lowest first, and a zero.
fn words(scalar: &Scalar) -> [u64; 5] {
    let mut words = [0; 5];
    let bytes = scalar.to_bytes_le();
    words.iter_mut().zip(bytes.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    words
}

/// `count` < 16 bits of an integer below 2^256 from bit `from` < 256 on, zeros beyond its end.
fn bits(words: &[u64; 5], from: usize, count: usize) -> i32 {
    let first = from / 64;
    let both = u128::from(words[first]) | u128::from(words[first + 1]) << 64;
    ((both >> (from % 64)) as u64 & ((1 << count) - 1)) as i32
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
