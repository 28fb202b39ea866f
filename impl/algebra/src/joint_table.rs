//! Sums over **all** of a list of bases that are known beforehand, many sums at a time: joint
//! tables of small groups of bases, one bit of all scalars at a time (Straus, with the signed bits
//! of Lim and Lee's comb).
//!
//! **Bits.** An odd integer between -2^255 and 2^255 is Σ ±2^j over j < 255 in exactly one way, and
//! of k and k - r one is odd. So every scalar has 255 signs, and no digit is 0.
//!
//! **Tables.** For a group P_1 .. P_g the table holds P_1 ± P_2 ± .. ± P_g for all 2^(g-1) choices;
//! with its negatives that is every choice of signs. Bit j of all N scalars then takes one entry a
//! group, ⌈N / g⌉ additions, and Horner's rule joins the 255 sums: 255 doublings and additions a
//! sum, many sums in step. The groups are gone through one after the other, for many sums and all
//! of their bits together, so that one group's entries are read while they are in the caches.
//!
//! N = 1,024 has 21.4 additions a scalar from 17 MB at g = 12, and 19.7 from 31 MB at g = 13,
//! where buckets ([`crate::bucket_table`]) take 24 and two for each bucket, and sort. Every scalar
//! costs the same, zeros too: for sums over a part of the bases it does not pay.
//!
//! The bases are points of the subgroup of order r; for others the results are wrong.

#![allow(clippy::indexing_slicing, reason = "places are below the numbers of entries, counted before")]

use blstrs::{G1Affine, G1Projective, Scalar};

use crate::group_sums::{chained_sums, table_sums};
use crate::kernel::Kernel;
use crate::msm::batch_to_affine;
use crate::parallel::prelude::*;
use crate::point::Member;
use crate::shifted::shifted_sums;
use crate::table::Term;

/// Bases of a group, 17 MB at N = 1,024, where the kernel adds so fast that one more takes the same
/// time: 1.7 additions fewer a scalar, of a table twice as large.
const GROUP: usize = 12;
/// With every other kernel: 31 MB.
const LARGER_GROUP: usize = 13;
/// Signs of a scalar.
const SIGNS: usize = 255;
/// Sums whose entries are added together: two megabytes of points, so that a thread's own cache has
/// most of them.
const SUMS_A_TASK: usize = 16;
/// Sums that go through Horner's rule in step.
const SUMS_IN_STEP: usize = 4 * SUMS_A_TASK;
/// (2^255 - 1 - r) / 2 by 64 bits, lowest first.
const HALF_GAP: [u64; 4] = [0x8000_0000_7fff_ffff, 0x5621_2dfe_8000_d200, 0xe663_13fb_fb2f_13fd, 0x0609_2c56_6b31_415b];

/// Signs of scalars by 64 bits, lowest first.
type Signs = [u8; 32];

/// Joint tables of a list of bases.
#[derive(Debug)]
pub struct JointTable {
    bases: usize,
    /// Bases of a group, but of the last.
    group: usize,
    /// Group by group, the sums P_1 ± P_2 ± ..: bit i of an entry's number says that P_(i+2) is
    /// added.
    entries: Vec<G1Affine>,
}

impl JointTable {
    /// The tables of these bases, points of the subgroup. On rayon's threads.
    pub fn new(bases: &[G1Affine]) -> Self {
        Self::of_groups(bases, Self::group())
    }

    /// Bases of a group, by the kernel in use.
    fn group() -> usize {
        if Kernel::in_use() == Kernel::Ifma { GROUP } else { LARGER_GROUP }
    }

    /// The tables by groups of up to sixteen bases.
    fn of_groups(bases: &[G1Affine], group: usize) -> Self {
        let tables: Vec<Vec<G1Affine>> = bases.par_chunks(group).map(signed_sums).collect();
        Self { bases: bases.len(), group, entries: tables.concat() }
    }

    /// Number of bases.
    pub fn bases(&self) -> usize {
        self.bases
    }

    /// Bytes of all entries.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    /// Additions that a sum costs over so many bases, whatever its scalars are.
    pub fn additions(bases: usize) -> usize {
        SIGNS * (bases.div_ceil(Self::group()) + 2)
    }

    /// Additions that the tables of so many bases cost.
    pub fn additions_to_build(bases: usize) -> usize {
        let group = Self::group();
        bases / group * additions_of(group) + additions_of(bases % group)
    }

    /// start + Σ k_i P_i for every (start, terms), on rayon's threads. The same base may occur more
    /// than once.
    ///
    /// Every base number must be below [`JointTable::bases`]; terms with others are left out.
    pub fn add_multiples(&self, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        let by_bits: Vec<Vec<G1Affine>> = runs.par_chunks(SUMS_A_TASK).map(|runs| self.by_bits(runs)).collect();
        let tasks_in_step = by_bits.par_chunks(SUMS_IN_STEP / SUMS_A_TASK);
        let sums = tasks_in_step.zip(runs.par_chunks(SUMS_IN_STEP)).map(|(by_bits, runs)| joined(by_bits, runs));
        sums.collect::<Vec<Vec<G1Affine>>>().concat()
    }

    /// For each run, for each bit, lowest first, the sum of the groups' entries.
    fn by_bits(&self, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        let scalars: Vec<Vec<Scalar>> = runs.iter().map(|(_, terms)| self.scalars(terms)).collect();
        let count = SIGNS * runs.len();
        let mut members = Vec::with_capacity(count * self.bases.div_ceil(self.group));
        let mut before = 0;
        for first in (0..self.bases).step_by(self.group) {
            let bases = first..self.bases.min(first + self.group);
            let last = entries_of(bases.len()) - 1;
            for scalars in &scalars {
                members.extend(patterns(&scalars[bases.clone()]).into_iter().take(SIGNS).map(|pattern| {
                    // The sign of the first base is the entry's, the others' are relative to it.
                    let (negative, others) = (pattern & 1 == 0, usize::from(pattern >> 1));
                    Member::new(before + if negative { others ^ last } else { others }, negative)
                }));
            }
            before += last + 1;
        }
        chained_sums(&self.entries, &members, count)
    }

    /// The scalar of each base.
    fn scalars(&self, terms: &[Term]) -> Vec<Scalar> {
        let mut scalars = vec![Scalar::default(); self.bases];
        for (base, scalar) in terms.iter().filter(|(base, _)| *base < self.bases) {
            scalars[*base] += scalar;
        }
        scalars
    }
}

/// start + Σ_j 2^j S_j for every run, where each task has its runs' sums S_j.
fn joined(tasks: &[Vec<G1Affine>], runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
    let of_bit = |bit| tasks.iter().flat_map(move |sums| sums.iter().skip(bit).step_by(SIGNS));
    let by_bit: Vec<Vec<G1Affine>> = (0..SIGNS).map(|bit| of_bit(bit).copied().collect()).collect();
    let sums = shifted_sums(&by_bit.iter().map(Vec::as_slice).collect::<Vec<_>>(), 1);
    let with_starts = sums.iter().zip(runs).map(|(sum, (start, _))| G1Projective::from(sum) + start);
    batch_to_affine(&with_starts.collect::<Vec<_>>())
}

/// Entries of a group of so many bases.
const fn entries_of(bases: usize) -> usize {
    1 << (bases - 1)
}

/// Additions that [`signed_sums`] of so many bases takes.
fn additions_of(bases: usize) -> usize {
    if bases < 2 {
        return 0;
    }
    entries_of(bases) + additions_of(bases.div_ceil(2)) + additions_of(bases / 2)
}

/// P_1 ± P_2 ± .. for at least one base: those of both halves of the list, added.
fn signed_sums(bases: &[G1Affine]) -> Vec<G1Affine> {
    let (low, high) = bases.split_at(bases.len().div_ceil(2));
    if high.is_empty() {
        return low.to_vec();
    }
    let (mut halves, high_sums) = (signed_sums(low), signed_sums(high));
    let (of_low, last) = (halves.len(), high_sums.len() - 1);
    halves.extend(high_sums);
    let members = (0..entries_of(bases.len())).flat_map(|number| {
        // The low half's signs, then all of the high half's.
        let (low, high) = (number % of_low, number / of_low);
        let (negative, others) = (high & 1 == 0, high >> 1);
        let high = if negative { others ^ last } else { others };
        [Member::new(low, false), Member::new(of_low + high, negative)]
    });
    let members: Vec<Member> = members.collect();
    table_sums(&halves, &members, &vec![2; members.len() / 2])
}

/// c with k = Σ (2 c_j - 1) 2^j modulo r over the bits c_j, j < 255: half of k + 2^255 - 1 for an
/// odd k, and of k - r + 2^255 - 1 for an even one.
fn signs(scalar: &Scalar) -> Signs {
    let mut words = [0; 4];
    let bytes = scalar.to_bytes_le();
    words.iter_mut().zip(bytes.as_chunks().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    let odd = words[0] & 1 == 1;
    let addend = if odd { [0, 0, 0, 1 << 62] } else { HALF_GAP };
    let mut carry = false;
    let mut signs = [0; 32];
    for (i, bytes) in signs.as_chunks_mut().0.iter_mut().enumerate() {
        let half = words[i] >> 1 | words.get(i + 1).map_or(0, |above| above << 63);
        let (sum, first) = half.overflowing_add(addend[i]);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        *bytes = sum.to_le_bytes();
    }
    signs
}

/// For each bit, the signs of up to sixteen scalars: bit i is that of scalar i.
fn patterns(scalars: &[Scalar]) -> [u16; 8 * size_of::<Signs>()] {
    let mut rows = [[0; 32]; 16];
    rows.iter_mut().zip(scalars).for_each(|(row, scalar)| *row = signs(scalar));
    let (low, high) = rows.split_at(8);
    let mut patterns = [0; 8 * size_of::<Signs>()];
    for (byte, patterns) in patterns.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let column = |rows: &[Signs]| transposed(core::array::from_fn(|row| rows[row][byte]));
        for (pattern, (low, high)) in patterns.iter_mut().zip(column(low).into_iter().zip(column(high))) {
            *pattern = u16::from_le_bytes([low, high]);
        }
    }
    patterns
}

/// Rows and columns of a square of bits, exchanged.
fn transposed(rows: [u8; 8]) -> [u8; 8] {
    let mut square = u64::from_le_bytes(rows);
    // Squares of 1, 2 and 4 bits across the diagonal change places.
    for (distance, above) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let changed = (square ^ (square >> distance)) & above;
        square ^= changed ^ (changed << distance);
    }
    square.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use ff::Field;
    use group::{Curve, Group};
    use quickcheck::quickcheck;

    use super::*;
    use crate::{BucketTable, hash_to_scalar};

    fn scalar(number: u64) -> Scalar {
        match number % 7 {
            0 => Scalar::from(0),
            1 => -Scalar::from(number / 7 % 3),
            2 => Scalar::from(number / 7 % 5),
            _ => hash_to_scalar(&number.to_be_bytes(), b"scalar"),
        }
    }

    fn bases(count: u64) -> Vec<G1Affine> {
        // Some stand more than once, some are opposite, some are infinity.
        let point = |i: u64| match i % 9 {
            7 => Scalar::from(0),
            8 => -hash_to_scalar(&(i - 8).to_be_bytes(), b"base"),
            5 => hash_to_scalar(&(i - 1).to_be_bytes(), b"base"),
            _ => hash_to_scalar(&i.to_be_bytes(), b"base"),
        };
        (0..count).map(|i| (G1Projective::generator() * point(i)).to_affine()).collect()
    }

    quickcheck! {
        fn signs_make_up_their_scalar(number: u64) -> bool {
            let scalar = scalar(number);
            let signs = signs(&scalar);
            let sum = (0..SIGNS).rev().fold(Scalar::from(0), |sum, bit| {
                let one = Scalar::from(1);
                sum.double() + if signs[bit / 8] >> (bit % 8) & 1 == 1 { one } else { -one }
            });
            signs[31] < 128 && sum == scalar
        }

        fn patterns_are_the_scalars_signs(numbers: Vec<u64>) -> bool {
            let scalars: Vec<Scalar> = numbers.iter().take(16).map(|number| scalar(*number)).collect();
            let patterns = patterns(&scalars);
            scalars.iter().enumerate().all(|(i, scalar)| {
                let signs = signs(scalar);
                (0..256).all(|bit| patterns[bit] >> i & 1 == u16::from(signs[bit / 8] >> (bit % 8) & 1))
            })
        }
    }

    #[test]
    fn entries_are_all_choices_of_signs() {
        for count in [1, 2, 3, 5, 8] {
            let bases = bases(count);
            for (number, entry) in signed_sums(&bases).into_iter().enumerate() {
                let others = bases[1..].iter().enumerate();
                let sum = others.fold(G1Projective::from(bases[0]), |sum, (i, base)| {
                    if number >> i & 1 == 1 { sum + base } else { sum - base }
                });
                assert_eq!(entry, sum.to_affine(), "{count} bases, entry {number}");
            }
        }
    }

    #[test]
    fn additions_are_counted_as_they_are_made() {
        // 2^(g-1) entries, and those of both halves of the group.
        assert_eq!([0, 1, 2, 3, 6, 7].map(additions_of), [0, 0, 2, 6, 44, 82]);
        assert_eq!(additions_of(13), 4096 + 82 + 44);
        // An import's first block, of 64 whole vectors, saves what the tables cost.
        let saved = BucketTable::new(&bases(1024)).additions(1024) - JointTable::additions(1024);
        let built = JointTable::additions_to_build(1024);
        assert!(32 * saved < built && built <= 64 * saved, "{saved} a vector, {built}");
    }

    #[test]
    fn sums_are_those_of_single_multiplications() {
        for count in [1, 13, 14, 15, 40] {
            let bases = bases(count);
            let table = JointTable::new(&bases);
            let terms = |run: u64| -> Vec<Term> {
                // Not all bases, the first twice, and one beyond them.
                let some = (0..count).filter(|i| !(i * 3 + run).is_multiple_of(5));
                let some = some.map(|i| (i as usize, scalar(i * 11 + run)));
                some.chain([(0, scalar(run)), (count as usize, scalar(1))]).collect()
            };
            let starts = self::bases(70);
            let runs: Vec<Vec<Term>> = (0..70).map(terms).collect();
            let given: Vec<(G1Affine, &[Term])> =
                starts.iter().zip(&runs).map(|(start, terms)| (*start, terms.as_slice())).collect();
            let expected: Vec<G1Affine> = given
                .iter()
                .map(|(start, terms)| {
                    let within = terms.iter().filter(|(base, _)| *base < bases.len());
                    within.fold(G1Projective::from(start), |sum, (base, k)| sum + bases[*base] * k).to_affine()
                })
                .collect();
            assert_eq!(table.add_multiples(&given), expected, "{count} bases");
            assert_eq!(table.add_multiples(&given[..3]), expected[..3], "{count} bases, few sums");
            assert!(table.add_multiples(&[]).is_empty());
        }
    }

    /// Prints how long a scalar's share of 64 sums takes by groups of some sizes, and by buckets.
    #[test]
    #[ignore = "a measurement"]
    fn how_long_joint_sums_take() {
        const BASES: usize = 1024;
        let bases = bases(BASES as u64);
        let scalar = |run: u64, i: usize| hash_to_scalar(&(run << 32 | i as u64).to_be_bytes(), b"scalar");
        let terms = |run: u64| -> Vec<Term> { (0..BASES).map(|i| (i, scalar(run, i))).collect() };
        let terms: Vec<Vec<Term>> = (0..64).map(terms).collect();
        let runs: Vec<(G1Affine, &[Term])> = terms.iter().map(|terms| (bases[0], terms.as_slice())).collect();
        let buckets = BucketTable::new(&bases);
        let expected = buckets.add_multiples(&runs);
        let shortest = |sums: &dyn Fn() -> Vec<G1Affine>| {
            let taken = (0..5).map(|_| {
                let start = Instant::now();
                assert_eq!(sums(), expected);
                start.elapsed()
            });
            taken.min().unwrap_or_default().as_secs_f64() * 1e6 / (BASES * runs.len()) as f64
        };
        println!(
            "buckets, {} kB: {:.3} us a scalar",
            buckets.bytes() / 1000,
            shortest(&|| buckets.add_multiples(&runs))
        );
        for group in [8, 10, 12, 13, 14] {
            let table = JointTable::of_groups(&bases, group);
            let taken = shortest(&|| table.add_multiples(&runs));
            println!("groups of {group}, {} kB: {taken:.3} us a scalar", table.bytes() / 1000);
        }
    }
}
