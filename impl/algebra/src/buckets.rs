//! Σ k_i P_i for many points: the bucket method (Pippenger) in affine coordinates.
//!
//! **Digits.** With windows of c bits, k' = k + Σ_w 2^(c-1) 2^(cw) over all windows but the last
//! has the bits of k's signed digits: d_w = (k' >> cw) mod 2^c - 2^(c-1), in -2^(c-1)..2^(c-1), and
//! the last digit is what remains of k', in 0..=2^c. Each window's digits are read off alone.
//!
//! **Buckets.** Per window, B_d = Σ ± P_i over the digits ±d, as sums of groups
//! ([`crate::group_sums`]).
//!
//! **Σ d B_d.** With d = u 2^h + v: 2^h Σ_u u (Σ_v B_(u,v)) + Σ_v v (Σ_u B_(u,v)). Rows and columns
//! are again sums of groups, two cheap additions a bucket; what is left are two running sums over
//! about the square root of the number of buckets.
//!
//! **Windows** are independent tasks for rayon, several small ones together so that inversions stay
//! shared; within a window, blocks of neighbouring buckets are, each small enough for its points to
//! stay in a core's own cache. So a task is a millisecond, no core waits long for the last one, and
//! the points in work take little memory. The sum does not depend on how any of it is cut.
//!
//! Exact on the whole curve, since group sums are.

#![allow(clippy::indexing_slicing, reason = "groups and ends are counted before they are filled")]

use core::ops::Range;

use blstrs::{G1Affine, G1Projective};
use group::Group;

use crate::group_sums::group_sums;
use crate::kernel::{self, Kernel, in_lanes};
use crate::parallel::{self, prelude::*};
use crate::point::{Member, Point};

/// Bits of an integer.
const BITS: usize = 128;

/// Members that a task should have at least, so that each level of its trees fills shared
/// inversions.
const TASK_MEMBERS: usize = 8192;

/// Members whose buckets are summed together: 800 kB of points, half of it after the first level.
const BLOCK_MEMBERS: usize = 8192;

/// An addition of running sums over one in a group sum, as measured: 0.5 us in Jacobian coordinates
/// against 0.2 one by one; eight at a time without a common inversion, 0.1 against 0.05.
const fn running_cost(kernel: Kernel) -> f64 {
    match kernel {
        Kernel::Scalar => 2.5,
        Kernel::Avx512 | Kernel::Ifma => 2.0,
    }
}

/// The last point below which places fit their 31 bits.
const MOST_POINTS: usize = 1 << 31;

/// How integers are cut.
#[derive(Clone, Copy, Debug)]
struct Windows {
    bits: usize,
    count: usize,
}

impl Windows {
    fn of(bits: usize) -> Self {
        Self { bits, count: BITS.div_ceil(bits) }
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
        1 << (BITS - self.bits * (self.count - 1))
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
        let above = usize::from(carry) << (BITS - window * self.bits);
        (shifted as usize + above) as isize
    }

    /// Additions that n terms cost, in units of one in a group sum.
    fn cost(self, terms: usize, kernel: Kernel) -> f64 {
        let buckets: usize = (0..self.count).map(|window| self.largest(window)).sum();
        let running = (self.count * 4) as f64 * (self.half() as f64).sqrt() * running_cost(kernel);
        (self.count * terms) as f64 + 2.0 * buckets as f64 + running
    }

    /// The cheapest cut for so many terms.
    fn for_terms(terms: usize) -> Self {
        let all = (2..=16).map(Self::of);
        let kernel = Kernel::in_use();
        all.min_by(|a, b| a.cost(terms, kernel).total_cmp(&b.cost(terms, kernel))).unwrap_or(Self::of(8))
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

/// Σ k_i P_i over the shorter of the two lists, on the current rayon pool. Exact on the whole
/// curve.
pub(crate) fn sum(points: &[Point], integers: &[impl Integer]) -> G1Projective {
    let count = points.len().min(integers.len());
    if count >= MOST_POINTS {
        // Never in practice: such a list takes 200 GB.
        let (half, rest) = (count / 2, count - count / 2);
        return sum(&points[..half], &integers[..half]) + sum(&points[half..half + rest], &integers[half..half + rest]);
    }
    let windows = Windows::for_terms(count);
    let together = TASK_MEMBERS.div_ceil(count.max(1)).min(windows.count.div_ceil(parallel::current_num_threads()));
    let tasks = (0..windows.count).step_by(together);
    let tasks: Vec<Range<usize>> = tasks.map(|start| start..(start + together).min(windows.count)).collect();
    let window_sums: Vec<Vec<G1Projective>> =
        tasks.into_par_iter().map(|task| window_sums(points, &integers[..count], windows, task)).collect();
    let mut total = G1Projective::identity();
    for window_sum in window_sums.iter().flatten().rev() {
        for _ in 0..windows.bits {
            total = total.double();
        }
        total += window_sum;
    }
    total
}

/// The windows' sums Σ d B_d.
fn window_sums(points: &[Point], integers: &[impl Integer], windows: Windows, task: Range<usize>) -> Vec<G1Projective> {
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
    weighted_sums(&groups.sums(points), &starts)
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
    fn sums(&self, points: &[Point]) -> Vec<Point> {
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

    fn block_sums(&self, points: &[Point], block: Range<usize>) -> Vec<Point> {
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

/// Σ d B_d of each window, whose buckets B_1, B_2, … stand from one start to the next.
pub(crate) fn weighted_sums(buckets: &[Point], starts: &[usize]) -> Vec<G1Projective> {
    let spans: Vec<Range<usize>> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
    let (mut members, mut ends, mut halves) = (Vec::new(), Vec::new(), Vec::new());
    for span in &spans {
        let low_bits = (usize::BITS - span.len().leading_zeros()) / 2;
        let (rows, columns) = (span.len() >> low_bits, (1usize << low_bits) - 1);
        let at = |digit: usize| (digit <= span.len()).then(|| Member::new(span.start + digit - 1, false));
        for row in 1..=rows {
            members.extend((0..=columns).filter_map(|column| at(row << low_bits | column)));
            ends.push(members.len());
        }
        for column in 1..=columns {
            members.extend((0..=rows).filter_map(|row| at(row << low_bits | column)));
            ends.push(members.len());
        }
        halves.push((rows, columns, low_bits));
    }
    let sums = group_sums(buckets, &members, &ends);
    let (mut rest, mut lists) = (sums.as_slice(), Vec::with_capacity(2 * halves.len()));
    for (rows, columns, _) in &halves {
        let (of_rows, others) = rest.split_at(*rows);
        let (of_columns, others) = others.split_at(*columns);
        rest = others;
        lists.extend([of_rows, of_columns]);
    }
    let weighted = running_sums(&lists);
    let of_window = |(pair, (_, _, low_bits)): (&[G1Projective], (usize, usize, u32))| {
        (0..low_bits).fold(pair[0], |sum, _| sum.double()) + pair[1]
    };
    weighted.chunks_exact(2).zip(halves).map(of_window).collect()
}

/// P_1 + 2 P_2 + 3 P_3 + … of each list.
fn running_sums(lists: &[&[Point]]) -> Vec<G1Projective> {
    match kernel::lanes() {
        Some(lanes) => in_lanes!(lanes => kernel::running_sums(lanes, lists)),
        None => lists.iter().map(|list| running_sum(list)).collect(),
    }
}

/// P_1 + 2 P_2 + 3 P_3 + …
fn running_sum(points: &[Point]) -> G1Projective {
    let (mut suffix, mut total) = (G1Projective::identity(), G1Projective::identity());
    for point in points.iter().rev() {
        suffix += G1Affine::from(*point);
        total += suffix;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

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

    #[test]
    fn running_sums_are_those_of_each_list() {
        let generator = G1Projective::generator();
        let point = |k: u64| Point::from(&G1Affine::from(generator * blstrs::Scalar::from(k % 23)));
        let lists: Vec<Vec<Point>> = (0..11u64).map(|n| (0..n * n % 17).map(|k| point(k * k + n)).collect()).collect();
        let lists: Vec<&[Point]> = lists.iter().map(Vec::as_slice).collect();
        let expected: Vec<G1Projective> = lists.iter().map(|list| running_sum(list)).collect();
        assert_eq!(running_sums(&lists), expected);
        assert_eq!(kernel::running_sums(kernel::Portable, &lists[..4]), expected[..4]);
    }

    quickcheck! {
        fn digits_make_up_their_integer(integer: u128, bits: usize) -> bool {
            let windows = Windows::of(2 + bits % 15);
            [integer, u128::MAX - integer % 3, integer % 3].into_iter().all(|integer| {
                let biased = integer.overflowing_add(windows.bias());
                let digits = (0..windows.count).map(|window| (window, windows.digit(biased, window)));
                let mut positive = 0u128;
                let mut negative = 0u128;
                for (window, digit) in digits {
                    assert!(digit.unsigned_abs() <= windows.largest(window));
                    // The last digit may be 2^(what is left of the window), which wraps to 0: so
                    // does the whole.
                    let part = (digit.unsigned_abs() as u128).wrapping_mul(1u128 << (window * windows.bits));
                    let side = if digit < 0 { &mut negative } else { &mut positive };
                    *side = side.wrapping_add(part);
                }
                positive.wrapping_sub(negative) == integer
            })
        }
    }
}
