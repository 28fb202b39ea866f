//! Σ k_i P_i for many points: the bucket method (Pippenger) in affine coordinates.
//!
//! **Digits.** With windows of c bits, k' = k + Σ_w 2^(c-1) 2^(cw) over all windows but the last
//! has the bits of k's signed digits: d_w = (k' >> cw) mod 2^c - 2^(c-1), in -2^(c-1)..2^(c-1), and
//! the last digit is what remains of k', in 0..=2^c. Each window's digits are read off alone.
//!
//! **Buckets.** Per window, B_d = Σ ± P_i over the digits ±d, as sums of groups
//! ([`crate::group_sums`]).
//!
//! **Σ d B_d** is, by the bits of d ([`crate::bit_sums`]), a sum for each bit of the window; those
//! of all windows one after the other are a sum for each bit of the integers, from which doublings
//! make the result.
//!
//! **Windows** are independent tasks for rayon, several small ones together so that inversions stay
//! shared; within a window, blocks of neighbouring buckets are, each small enough for its points to
//! stay in a core's own cache. So a task is a millisecond, no core waits long for the last one, and
//! the points in work take little memory. The sum does not depend on how any of it is cut.
//!
//! Exact on the whole curve, since group sums are.

#![allow(clippy::indexing_slicing, reason = "groups and ends are counted before they are filled")]

use core::ops::Range;

use blstrs::G1Projective;

use crate::bit_sums::{bit_sums, total};
use crate::group_sums::group_sums;
use crate::parallel::{self, prelude::*};
use crate::point::{Coordinates, Member, Point};

/// Members that a task should have at least, so that each level of its trees fills shared
/// inversions.
const TASK_MEMBERS: usize = 8192;

/// Members whose buckets are summed together: 800 kB of points, half of it after the first level.
const BLOCK_MEMBERS: usize = 8192;

/// The last point below which places fit their 31 bits.
const MOST_POINTS: usize = 1 << 31;

/// How integers are cut.
#[derive(Clone, Copy, Debug)]
struct Windows {
    bits: usize,
    count: usize,
    /// Bits of an integer, at most 128.
    all: usize,
}

impl Windows {
    fn of(bits: usize, all: usize) -> Self {
        Self { bits, count: all.div_ceil(bits), all }
    }

    /// Half of a window's range.
    fn half(self) -> usize {
        1 << (self.bits - 1)
    }

    /// Largest digit of a window.
    fn largest(self, window: usize) -> usize {
        if window + 1 < self.count {
            return self.half();
        }
        1 << (self.all - self.bits * (self.count - 1))
    }

    /// What k' of the module's text is more than k.
    fn bias(self) -> u128 {
        (0..self.count - 1).fold(0u128, |sum, window| sum + ((self.half() as u128) << (window * self.bits)))
    }

    /// Signed digit of a window, of k': 128 bits and the carry.
    fn digit(self, (biased, carry): (u128, bool), window: usize) -> isize {
        let shifted = biased >> (window * self.bits);
        if window + 1 < self.count {
            return (shifted as usize & (2 * self.half() - 1)) as isize - self.half() as isize;
        }
        // Only integers of 128 bits have one.
        let above = if carry { 1 << (128 - window * self.bits) } else { 0 };
        (shifted as usize + above) as isize
    }

    /// What n terms cost, in halves of an addition in a group sum: one addition a term, and, as
    /// measured, two and a half a bucket, which is also put away and fetched.
    fn cost(self, terms: usize) -> usize {
        let buckets: usize = (0..self.count).map(|window| self.largest(window)).sum();
        2 * self.count * terms + 5 * buckets
    }

    /// The cheapest cut for so many terms.
    fn for_terms(terms: usize, all: usize) -> Self {
        (2..=16).map(|bits| Self::of(bits, all)).min_by_key(|windows| windows.cost(terms)).unwrap_or(Self::of(8, all))
    }
}

/// An integer that a point is multiplied by.
pub(crate) trait Integer: Copy + Sync {
    /// Its absolute value, and whether it is negative.
    fn parts(self) -> (u128, bool);
}

impl Integer for u128 {
    #[inline]
    fn parts(self) -> (u128, bool) {
        (self, false)
    }
}

impl Integer for i128 {
    #[inline]
    fn parts(self) -> (u128, bool) {
        (self.unsigned_abs(), self < 0)
    }
}

impl Integer for i64 {
    #[inline]
    fn parts(self) -> (u128, bool) {
        (self.unsigned_abs().into(), self < 0)
    }
}

/// Σ k_i P_i over the shorter of the two lists, on the current rayon pool. Exact on the whole
/// curve.
pub(crate) fn sum(points: &[Point], integers: &[impl Integer]) -> G1Projective {
    sum_short(points, integers, 128)
}

/// The same for integers below 2^`bits`.
pub(crate) fn sum_short<P: Coordinates + Sync>(points: &[P], integers: &[impl Integer], bits: usize) -> G1Projective {
    let count = points.len().min(integers.len());
    if count >= MOST_POINTS {
        // Never in practice: such a list takes 200 GB.
        let (half, rest) = (count / 2, count - count / 2);
        return sum_short(&points[..half], &integers[..half], bits)
            + sum_short(&points[half..half + rest], &integers[half..half + rest], bits);
    }
    let windows = Windows::for_terms(count, bits);
    let together = TASK_MEMBERS.div_ceil(count.max(1)).min(windows.count.div_ceil(parallel::current_num_threads()));
    let tasks = (0..windows.count).step_by(together);
    let tasks: Vec<Range<usize>> = tasks.map(|start| start..(start + together).min(windows.count)).collect();
    let sums: Vec<Vec<Point>> =
        tasks.into_par_iter().map(|task| task_sums(points, &integers[..count], windows, task)).collect();
    // The largest digit of a window has as many bits as the window, but for the last one.
    total(&sums.concat())
}

/// The sums by bits of each window of a task.
fn task_sums<P: Coordinates + Sync>(
    points: &[P],
    integers: &[impl Integer],
    windows: Windows,
    task: Range<usize>,
) -> Vec<Point> {
    // First bucket of each window of the task, and the number of all: bucket d - 1 of a window
    // holds B_d.
    let mut starts = vec![0];
    for window in task.clone() {
        starts.push(starts[starts.len() - 1] + windows.largest(window));
    }
    let bias = windows.bias();
    let bucket_of = |(integer, negative): (u128, bool), nth: usize| {
        let digit = windows.digit(integer.overflowing_add(bias), task.start + nth);
        (digit != 0).then(|| (starts[nth] + digit.unsigned_abs() - 1, (digit < 0) != negative))
    };
    let groups =
        Groups::sorted(starts[task.len()], task.len(), integers, |integer, nth| bucket_of(integer.parts(), nth));
    bit_sums(&groups.sums(points), &starts)
}

/// The group of an item with its sign, or none: below 2^30 groups.
#[derive(Clone, Copy)]
struct Named(u32);

impl Named {
    #[inline]
    fn new(group: Option<(usize, bool)>) -> Self {
        Self(group.map_or(0, |(group, negative)| (group as u32 + 1) << 1 | u32::from(negative)))
    }

    #[inline]
    fn group(self) -> Option<(usize, bool)> {
        Some(((self.0 >> 1).checked_sub(1)? as usize, self.0 & 1 == 1))
    }
}

/// Members sorted by their groups.
struct Groups {
    members: Vec<Member>,
    ends: Vec<usize>,
}

impl Groups {
    /// Counting sort: item i is, once for each n below `times`, a member of the group that
    /// `group_of` names, if any.
    fn sorted<T: Copy>(
        groups: usize,
        times: usize,
        items: &[T],
        group_of: impl Fn(T, usize) -> Option<(usize, bool)>,
    ) -> Self {
        // Asked once: to cut a digit out of an integer takes longer than to look it up again.
        let mut named = Vec::with_capacity(times * items.len());
        (0..times).for_each(|nth| named.extend(items.iter().map(|item| Named::new(group_of(*item, nth)))));
        let mut ends = vec![0; groups + 1];
        named.iter().filter_map(|named| named.group()).for_each(|(group, _)| ends[group + 1] += 1);
        for group in 0..groups {
            ends[group + 1] += ends[group];
        }
        // `ends[g]` is the start of group g until its members are in place, then its end.
        let mut members = vec![Member::new(0, false); ends[groups]];
        for named in named.chunks(items.len().max(1)) {
            for (place, named) in named.iter().enumerate() {
                if let Some((group, negative)) = named.group() {
                    members[ends[group]] = Member::new(place, negative);
                    ends[group] += 1;
                }
            }
        }
        ends.truncate(groups);
        Self { members, ends }
    }

    /// The sum of each group, block by block on the current rayon pool.
    fn sums<P: Coordinates + Sync>(&self, points: &[P]) -> Vec<Point> {
        let blocks = self.blocks();
        if let [all] = blocks.as_slice() {
            return self.block_sums(points, all.clone());
        }
        let sums: Vec<Vec<Point>> = blocks.into_par_iter().map(|block| self.block_sums(points, block)).collect();
        sums.concat()
    }

    /// Consecutive groups with [`BLOCK_MEMBERS`] members together, or one group with more.
    fn blocks(&self) -> Vec<Range<usize>> {
        let (mut blocks, mut start) = (Vec::new(), 0);
        while start < self.ends.len() {
            let before = self.end_before(start);
            let fitting = self.ends[start..].partition_point(|end| end - before <= BLOCK_MEMBERS);
            let end = start + fitting.max(1);
            blocks.push(start..end);
            start = end;
        }
        blocks
    }

    fn block_sums<P: Coordinates>(&self, points: &[P], block: Range<usize>) -> Vec<Point> {
        let before = self.end_before(block.start);
        let ends: Vec<usize> = self.ends[block].iter().map(|end| end - before).collect();
        let members = &self.members[before..before + ends.last().copied().unwrap_or(0)];
        group_sums(points, members, &ends)
    }

    /// Where the members of a group start.
    fn end_before(&self, group: usize) -> usize {
        group.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

#[cfg(test)]
mod tests {
    use blstrs::G1Affine;
    use group::Group;
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn groups_are_summed_alike_in_one_block_and_in_many() {
        let generator = G1Projective::generator();
        let points: Vec<Point> =
            (1..=64u64).map(|k| Point::from(&G1Affine::from(generator * blstrs::Scalar::from(k)))).collect();
        // One group alone is larger than a block; there are empty ones, at the ends too.
        let sizes = [0, 3, BLOCK_MEMBERS + 5, 0, 0, 700, 1, BLOCK_MEMBERS - 701, 1, 2, 0];
        let items: Vec<(usize, usize)> =
            sizes.iter().enumerate().flat_map(|(group, size)| (0..*size).map(move |place| (group, place))).collect();
        let mut members = Vec::new();
        let mut ends = Vec::new();
        for (group, size) in sizes.iter().enumerate() {
            let of_group = items.iter().filter(|(owner, _)| *owner == group);
            members.extend(of_group.map(|(_, place)| Member::new(place % points.len(), place % 3 == 0)));
            ends.push(ends.last().copied().unwrap_or(0) + size);
        }
        let expected = group_sums(&points, &members, &ends);
        let groups = Groups { members, ends };
        assert!(groups.blocks().len() >= 4);
        assert_eq!(groups.sums(&points), expected);
    }

    quickcheck! {
        fn digits_make_up_their_integer(integer: u128, bits: usize, fewer: usize) -> bool {
            [128, 128 - fewer % 96].into_iter().all(|all| {
                let windows = Windows::of(2 + bits % 15, all);
                let integers = [integer, u128::MAX - integer % 3, integer % 3];
                integers.into_iter().all(|integer| is_made_up(integer & (u128::MAX >> (128 - all)), windows))
            })
        }
    }

    /// Modulo 2^61 - 1, where a carry of 2^128 is not lost.
    fn is_made_up(integer: u128, windows: Windows) -> bool {
        const MODULUS: i128 = (1 << 61) - 1;
        let biased = integer.overflowing_add(windows.bias());
        let mut made_up = 0;
        for window in 0..windows.count {
            let digit = windows.digit(biased, window);
            assert!(digit.unsigned_abs() <= windows.largest(window));
            made_up = (made_up + ((digit as i128) << (window * windows.bits % 61))) % MODULUS;
        }
        made_up.rem_euclid(MODULUS) as u128 == integer % MODULUS as u128
    }
}
