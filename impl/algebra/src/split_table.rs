//! One multi-scalar multiplication over bases of the subgroup that are known beforehand: a table
//! that is read from a file in less time than it spares a sum.
//!
//! k = k_1 + k_2 z² with halves of 127 bits and a sign ([`crate::combination`]), and each half is
//! d_0 + 2^64 d_1 with signed parts of 64 bits. The table has P, φ(P), 2^64 P and 2^64 φ(P) of
//! every base P, so that k P is a sum of four multiples. The parts of all scalars share the buckets
//! of half as many windows as the halves would have, and the endomorphism is there already. N =
//! 1,024: 393 kB. More shifts would spare more additions, but a process that begins pays for every
//! page that it touches: with parts of 32 bits and 786 kB it is not faster.
//!
//! For many sums there are faster tables, which are larger ([`crate::bucket_table`],
//! [`crate::joint_table`]).

#![allow(clippy::indexing_slicing, reason = "a table has four lists of as many points as there are bases")]

use blstrs::{G1Affine, G1Projective, Scalar};
use group::prime::PrimeCurveAffine;

use crate::buckets;
use crate::combination::{are_few, msm_in_subgroup};
use crate::ffi::fp::read_words;
use crate::glv::halves;
use crate::images::multiply_by_z_squared;
use crate::parallel::prelude::*;
use crate::point::Point;
use crate::populate::reserve_populated;
use crate::shifted::shifted_sums;

/// Bits of a part.
const PART_BITS: usize = 64;
/// Parts of one half of a scalar.
const PARTS: usize = 2;
/// Bases that are shifted together.
const SHIFTED_TOGETHER: usize = 128;
/// Entries that are read together: they stay in a core's first cache until all is done with them.
const READ_TOGETHER: usize = 256;

/// Shifts of a list of bases, and their images.
#[derive(Debug)]
pub struct SplitTable {
    bases: usize,
    /// All P, all φ(P), all 2^64 P, all 2^64 φ(P).
    entries: Vec<G1Affine>,
}

impl SplitTable {
    /// Entries of a base.
    pub const ENTRIES: usize = 2 * PARTS;

    /// The table of these bases, which must lie in the subgroup, on rayon's threads: 64 doublings a
    /// base.
    pub fn new(bases: &[G1Affine]) -> Self {
        let mut entries = Vec::with_capacity(Self::ENTRIES * bases.len());
        let mut shifted = bases.to_vec();
        for part in 0..PARTS {
            if part > 0 {
                let pieces: Vec<Vec<G1Affine>> = shifted.par_chunks(SHIFTED_TOGETHER).map(multiplied).collect();
                shifted = pieces.concat();
            }
            let mut images: Vec<Point> = shifted.iter().map(Point::from).collect();
            multiply_by_z_squared(&mut images);
            entries.extend_from_slice(&shifted);
            entries.extend(images.into_iter().map(G1Affine::from));
        }
        Self { bases: bases.len(), entries }
    }

    /// The table of so many bases whose [`SplitTable::entries`] `fill` brings, piece by piece, as
    /// [`encode_g1_words`](crate::encoding::encode_g1_words) writes them: the caller vouches for
    /// them. `None` as soon as it cannot. On the calling thread.
    pub fn read(bases: usize, mut fill: impl FnMut(&mut [u8]) -> bool) -> Option<Self> {
        let (mut entries, count) = (Vec::new(), bases.checked_mul(Self::ENTRIES)?);
        reserve_populated(&mut entries, count);
        while entries.len() < count {
            let start = entries.len();
            entries.resize(count.min(start + READ_TOGETHER), G1Affine::identity());
            if !read_words(&mut entries[start..], &mut fill) {
                return None;
            }
        }
        Some(Self { bases, entries })
    }

    /// All points of the table, the bases first.
    pub fn entries(&self) -> &[G1Affine] {
        &self.entries
    }

    /// The bases.
    pub fn bases(&self) -> &[G1Affine] {
        &self.entries[..self.bases]
    }

    /// Σ k_i P_i over the shorter of the two lists. Exact; on the current rayon pool.
    pub fn msm(&self, scalars: &[Scalar]) -> G1Projective {
        if are_few(self.bases.min(scalars.len())) {
            return msm_in_subgroup(self.bases(), scalars);
        }
        let mut parts = vec![0; self.entries.len()];
        for (base, scalar) in scalars.iter().take(self.bases).enumerate() {
            let (low, high) = halves(scalar);
            let [[a, c], [b, d]] = [low, high].map(signed_parts);
            for (list, part) in [a, b, c, d].into_iter().enumerate() {
                parts[list * self.bases + base] = part;
            }
        }
        buckets::sum_short(&self.entries, &parts, PART_BITS)
    }
}

/// 2^64 P of each point.
fn multiplied(points: &[G1Affine]) -> Vec<G1Affine> {
    shifted_sums(&[&vec![G1Affine::identity(); points.len()], points], PART_BITS)
}

/// d_0 and d_1 of d_0 + 2^64 d_1, for a half, which is below 2^127 by a third of that.
fn signed_parts(half: i128) -> [i64; PARTS] {
    let low = half as i64;
    [low, ((half - i128::from(low)) >> PART_BITS) as i64]
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use group::{Curve, Group};

    use super::*;
    use crate::encoding::encode_g1_words;
    use crate::{hash_to_scalar, msm};

    fn scalar(number: u64) -> Scalar {
        hash_to_scalar(&number.to_be_bytes(), b"split")
    }

    /// Some of them infinity, equal or opposite.
    fn bases(count: u64) -> Vec<G1Affine> {
        let base = |i: u64| match i % 9 {
            5 => G1Affine::identity(),
            6 => G1Affine::generator(),
            7 => -G1Affine::generator(),
            _ => (G1Affine::generator() * scalar(i)).to_affine(),
        };
        (0..count).map(base).collect()
    }

    #[test]
    fn sums_are_those_of_msm() {
        for count in [0, 1, 2, 9, 33, 130, 300] {
            let bases = bases(count);
            let table = SplitTable::new(&bases);
            assert_eq!(table.bases(), bases);
            let ends = [Scalar::from(0), Scalar::from(1), -Scalar::from(1), Scalar::from(u64::MAX)];
            let scalars: Vec<Scalar> = ends.into_iter().chain((0..count).map(|i| scalar(1000 + i))).collect();
            for scalars in [&scalars[..], &scalars[4..], &scalars[..scalars.len() / 2], &ends, &[]] {
                let terms = scalars.len().min(bases.len());
                let expected = msm(&bases[..terms], &scalars[..terms]);
                assert_eq!(table.msm(scalars), expected, "{count} bases, {} scalars", scalars.len());
            }
        }
    }

    #[test]
    fn entries_are_shifts_and_images() {
        let bases = bases(4);
        let table = SplitTable::new(&bases);
        let z_squared = Scalar::from(0xd201_0000_0001_0000) * Scalar::from(0xd201_0000_0001_0000);
        for (place, entry) in table.entries().iter().enumerate() {
            let (list, base) = (place / 4, place % 4);
            let shifted = (0..PART_BITS * (list / 2)).fold(bases[base] * Scalar::from(1), |point, _| point.double());
            assert_eq!(entry.to_curve(), if list % 2 == 0 { shifted } else { shifted * z_squared });
        }
    }

    #[test]
    fn a_table_is_read_back_as_it_was_written_or_not_at_all() {
        // 300 bases are read in many pieces.
        for count in [0, 1, 16, 300] {
            let table = SplitTable::new(&bases(count));
            let written: Vec<u8> = table.entries().iter().flat_map(encode_g1_words).collect();
            let read =
                |bases: usize, mut bytes: &[u8]| SplitTable::read(bases, |piece| bytes.read_exact(piece).is_ok());
            let again = read(table.bases().len(), &written).unwrap();
            assert_eq!((again.bases(), again.entries()), (table.bases(), table.entries()));
            let scalars: Vec<Scalar> = (0..count).map(scalar).collect();
            assert_eq!(again.msm(&scalars), table.msm(&scalars));
            if count > 0 {
                assert!(read(table.bases().len(), &written[..written.len() - 1]).is_none());
            }
        }
        assert!(SplitTable::read(usize::MAX, |_| true).is_none());
    }
}
