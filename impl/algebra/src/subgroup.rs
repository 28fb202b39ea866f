//! Whether many points of the curve all lie in the subgroup of order r.
//!
//! The curve's group is G1 ⊕ T, and the order of T, the cofactor, is 3 · 11² · 10177² · 859267² ·
//! 52437899². One point costs an endomorphism and a multiplication by z². For many, random
//! combinations are checked in their place:
//!
//! In each of 17 passes every point falls into one of 243 = 3⁵ buckets, by five random coefficients
//! from {0, 1, 2}. The sum of a pass with the k-th coefficients is that of the buckets whose k-th
//! digit is 1, and twice those whose digit is 2; five sums a pass are checked exactly. A component
//! in T vanishes from a sum for at most one of a point's three coefficients: two of them differ by
//! 1 or 2, and the component's order is odd. So it escapes all 85 sums with probability at most
//! 3^-85 < 2^-134.
//!
//! The coefficients come from a hash of all points: who chooses the points does not choose the
//! coefficients, and a verdict is a function of the points.

#![allow(clippy::indexing_slicing, reason = "groups are counted before they are filled")]

use blstrs::{G1Affine, G1Projective};
use group::Group;

use crate::encoding::encode_g1_words;
use crate::group_sums::group_sums;
use crate::hash::TaggedHash;
use crate::membership::each_in_subgroup;
use crate::msm::batch_to_affine;
use crate::parallel::prelude::*;
use crate::point::{Member, Point};

/// Passes over all points.
const PASSES: usize = 17;
/// Sums that are checked in a pass.
const SUMS: u32 = 5;
/// Buckets of a pass: 3^5.
const BUCKETS: usize = 243;
/// Points below which they are checked one by one, which then costs less.
const FEWEST: usize = 384;
/// Points whose coefficients one hash is extended to.
const DRAWN_TOGETHER: usize = 256;

/// Whether all points, which are on the curve, lie in the subgroup of order r. On rayon's threads.
///
/// A list with a point outside passes with probability below 2^-134 over the hash; below 384 points
/// each is checked, and none passes.
#[must_use]
pub fn batch_in_subgroup(points: &[G1Affine]) -> bool {
    if points.len() < FEWEST {
        return each_in_subgroup(points).into_iter().all(|inside| inside);
    }
    sums_in_subgroup(points)
}

/// Whether the random sums of these points lie in the subgroup.
pub(crate) fn sums_in_subgroup(points: &[G1Affine]) -> bool {
    let drawn = buckets(points);
    let points: Vec<Point> = points.iter().map(Point::from).collect();
    let sums = (0..PASSES).into_par_iter().flat_map_iter(|pass| sums_of_pass(&points, &drawn, pass));
    each_in_subgroup(&sums.collect::<Vec<_>>()).into_iter().all(|inside| inside)
}

/// The number of the first point outside of the subgroup of order r, if there is one.
#[must_use]
pub fn first_outside_subgroup(points: &[G1Affine]) -> Option<usize> {
    if batch_in_subgroup(points) {
        return None;
    }
    each_in_subgroup(points).iter().position(|inside| !inside)
}

/// The buckets of each point, one a pass.
fn buckets(points: &[G1Affine]) -> Vec<[u8; PASSES]> {
    let mut all = TaggedHash::new("AARDVARK-SUBGROUP-POINTS");
    points.iter().for_each(|point| all.update(encode_g1_words(point)));
    let seed = all.finalize();
    let mut drawn = vec![[0; PASSES]; points.len()];
    drawn.par_chunks_mut(DRAWN_TOGETHER).enumerate().for_each(|(chunk, drawn)| {
        let start = TaggedHash::new("AARDVARK-SUBGROUP-BUCKETS").chain(seed).chain((chunk as u64).to_be_bytes());
        let mut stream = Stream { start, counter: 0, block: [0; 32], used: 32 };
        drawn.iter_mut().flatten().for_each(|bucket| *bucket = stream.next_bucket());
    });
    drawn
}

/// Numbers below [`BUCKETS`] from a seed.
struct Stream {
    /// A hash of the seed and the stream's number.
    start: TaggedHash,
    counter: u64,
    block: [u8; 32],
    used: usize,
}

impl Stream {
    /// The next byte of the stream that is below [`BUCKETS`].
    fn next_bucket(&mut self) -> u8 {
        loop {
            if self.used == self.block.len() {
                self.block = self.start.clone().chain(self.counter.to_be_bytes()).finalize();
                self.counter += 1;
                self.used = 0;
            }
            let byte = self.block[self.used];
            self.used += 1;
            if usize::from(byte) < BUCKETS {
                return byte;
            }
        }
    }
}

/// The five sums of a pass.
fn sums_of_pass(points: &[Point], drawn: &[[u8; PASSES]], pass: usize) -> Vec<G1Affine> {
    // `ends[b]` is the start of bucket b until its members are in place, then its end.
    let mut ends = vec![0; BUCKETS + 1];
    drawn.iter().for_each(|of_point| ends[usize::from(of_point[pass]) + 1] += 1);
    (0..BUCKETS).for_each(|bucket| ends[bucket + 1] += ends[bucket]);
    let mut members = vec![Member::new(0, false); points.len()];
    for (place, of_point) in drawn.iter().enumerate() {
        let end = &mut ends[usize::from(of_point[pass])];
        members[*end] = Member::new(place, false);
        *end += 1;
    }
    ends.truncate(BUCKETS);
    digit_sums(&group_sums(points, &members, &ends))
}

/// The sums of the buckets, each as often as its digit says: one sum for every digit of a bucket's
/// number.
fn digit_sums(buckets: &[Point]) -> Vec<G1Affine> {
    let with_digit = |number: u32, digit: usize| {
        let has = move |bucket: &usize| bucket / 3usize.pow(number) % 3 == digit;
        (0..BUCKETS).filter(has).map(|bucket| Member::new(bucket, false))
    };
    let (mut members, mut ends) = (Vec::with_capacity(SUMS as usize * BUCKETS), Vec::new());
    for (number, digit) in (0..SUMS).flat_map(|number| [(number, 1), (number, 2)]) {
        members.extend(with_digit(number, digit));
        ends.push(members.len());
    }
    let by_digit: Vec<G1Affine> = group_sums(buckets, &members, &ends).into_iter().map(G1Affine::from).collect();
    let weighted = |pair: &[G1Affine]| pair[0] + G1Projective::from(pair[1]).double();
    batch_to_affine(&by_digit.chunks_exact(2).map(weighted).collect::<Vec<_>>())
}
