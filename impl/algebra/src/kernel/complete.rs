//! Points in homogeneous coordinates, eight at a time, and additions without exceptions.
//!
//! For work on few points, which cannot share an inversion. A point is (X : Y : Z) with x = X / Z
//! and y = Y / Z, infinity (0 : 1 : 0). The formulas are those of Renes, Costello and Batina
//! ("Complete addition formulas for prime order elliptic curves", algorithms 7 to 9, a = 0): right
//! for any two points of a curve without points of order 2, equal and opposite ones and infinity
//! among them. The order of this curve is odd, cofactor and all.
//!
//! **Bounds.** Coordinates are below 4 p here: what the formulas return is a sum or a difference
//! of two products, each below 1.5 p. The multiples of p that differences add are named by what
//! they exceed.

#![allow(clippy::indexing_slicing, reason = "limbs are counted")]

use blstrs::G1Projective;

use super::constants::ONE;
use super::field::{
    canonical, carried, difference, multiple_of_p, select, splat, sum, swapped, thrice, to_words, zeros,
};
use super::inversion::WAY_OUT;
use super::lanes::{Element, LANES, LIMBS, Lanes, WORDS};
use super::rows::Row;
use crate::ffi::fp::{from_homogeneous, from_montgomery};

/// Eight points. Coordinates below 4 p.
#[derive(Clone, Copy)]
pub(super) struct Homogeneous<L: Lanes> {
    x: Element<L>,
    y: Element<L>,
    z: Element<L>,
}

/// 12 a, three times the curve's 4 as the formulas have it, in limbs below 2^56.
#[inline(always)]
fn twelve_times<L: Lanes>(lanes: L, a: &Element<L>) -> Element<L> {
    let mut limbs = *a;
    for limb in &mut limbs {
        let four = lanes.shift_left(*limb, 2);
        *limb = lanes.add(four, lanes.add(four, four));
    }
    limbs
}

/// 2^bits a.
#[inline(always)]
fn doubled_times<L: Lanes>(lanes: L, a: &Element<L>, bits: u32) -> Element<L> {
    let mut limbs = *a;
    for limb in &mut limbs {
        *limb = lanes.shift_left(*limb, bits);
    }
    carried(lanes, limbs)
}

/// a - 3 b + m, limbs of b below 2^56.
#[inline(always)]
fn less_thrice<L: Lanes>(lanes: L, a: &Element<L>, b: &Element<L>, m: &Element<L>) -> Element<L> {
    let mut limbs = *a;
    for i in 0..LIMBS {
        let thrice = lanes.add(b[i], lanes.add(b[i], b[i]));
        limbs[i] = lanes.add(lanes.subtract(a[i], thrice), m[i]);
    }
    carried(lanes, limbs)
}

/// a b' + b a', from a a' and b b', products that are below 1.5 p: below 4.5 p.
#[inline(always)]
fn crossed<L: Lanes>(lanes: L, a: [&Element<L>; 2], b: [&Element<L>; 2], own: [&Element<L>; 2]) -> Element<L> {
    let all = lanes.product(&sum(lanes, a[0], b[0]), &sum(lanes, a[1], b[1]));
    let three_p = multiple_of_p::<L, 3>(lanes);
    let mut limbs = all;
    for i in 0..LIMBS {
        limbs[i] = lanes.subtract(lanes.add(all[i], three_p[i]), lanes.add(own[0][i], own[1][i]));
    }
    carried(lanes, limbs)
}

/// The words of elements outside of the kernel.
#[inline(always)]
fn outside<L: Lanes>(lanes: L, element: &Element<L>) -> [[u64; WORDS]; LANES] {
    to_words(lanes, &canonical(lanes, &lanes.product(element, &splat(lanes, &WAY_OUT))))
}

impl<L: Lanes> Homogeneous<L> {
    /// Infinity in all lanes.
    #[inline(always)]
    pub(super) fn infinity(lanes: L) -> Self {
        let zero = splat(lanes, &[0; LIMBS]);
        Self { x: zero, y: splat(lanes, &ONE), z: zero }
    }

    /// The points of a row with coordinates below 3 p, of the curve itself, and infinity in lanes
    /// that are not `present`.
    #[inline(always)]
    pub(super) fn of_row(lanes: L, row: &Row<L>, present: u8) -> Self {
        let infinity = Self::infinity(lanes);
        Self { x: row.x, y: row.y, z: infinity.y }.or(lanes, present, &infinity)
    }

    /// These points in the lanes whose bit is set, others in the others.
    #[inline(always)]
    pub(super) fn or(&self, lanes: L, chosen: u8, others: &Self) -> Self {
        Self {
            x: select(lanes, chosen, &self.x, &others.x),
            y: select(lanes, chosen, &self.y, &others.y),
            z: select(lanes, chosen, &self.z, &others.z),
        }
    }

    /// The points, those in the lanes `negative` negated.
    #[inline(always)]
    pub(super) fn negated_in(&self, lanes: L, negative: u8) -> Self {
        let zero = splat(lanes, &[0; LIMBS]);
        let negated = difference(lanes, &zero, &self.y, &multiple_of_p::<L, 4>(lanes));
        Self { y: select(lanes, negative, &negated, &self.y), ..*self }
    }

    /// 2 P: algorithm 9.
    #[inline(always)]
    pub(super) fn doubled(&self, lanes: L) -> Self {
        let (yy, yz) = (lanes.square(&self.y), lanes.product(&self.y, &self.z));
        let (zz, xy) = (lanes.square(&self.z), lanes.product(&self.x, &self.y));
        // Below 18 p, 12 p, 56 p and 20 p.
        let of_z = twelve_times(lanes, &zz);
        let less = less_thrice(lanes, &yy, &of_z, &multiple_of_p::<L, 54>(lanes));
        let more = sum(lanes, &yy, &of_z);
        let of_z = carried(lanes, of_z);
        let eight = doubled_times(lanes, &yy, 3);
        Self {
            x: lanes.product(&doubled_times(lanes, &less, 1), &xy),
            y: sum(lanes, &lanes.product(&less, &more), &lanes.product(&of_z, &eight)),
            z: lanes.product(&yz, &eight),
        }
    }

    /// P + Q: algorithm 7.
    #[inline(always)]
    pub(super) fn plus(&self, lanes: L, other: &Self) -> Self {
        let xx = lanes.product(&self.x, &other.x);
        let yy = lanes.product(&self.y, &other.y);
        let zz = lanes.product(&self.z, &other.z);
        let xy = crossed(lanes, [&self.x, &other.x], [&self.y, &other.y], [&xx, &yy]);
        let yz = crossed(lanes, [&self.y, &other.y], [&self.z, &other.z], [&yy, &zz]);
        let xz = crossed(lanes, [&self.x, &other.x], [&self.z, &other.z], [&xx, &zz]);
        Self::combined(lanes, &xx, &yy, &twelve_times(lanes, &zz), [&xy, &yz, &xz])
    }

    /// P + Q, the points of a row with coordinates below 3 p, of the curve itself, with a point in
    /// every lane: algorithm 8.
    #[inline(always)]
    pub(super) fn plus_row(&self, lanes: L, other: &Row<L>) -> Self {
        let xx = lanes.product(&self.x, &other.x);
        let yy = lanes.product(&self.y, &other.y);
        let xy = crossed(lanes, [&self.x, &other.x], [&self.y, &other.y], [&xx, &yy]);
        let yz = sum(lanes, &lanes.product(&other.y, &self.z), &self.y);
        let xz = sum(lanes, &lanes.product(&other.x, &self.z), &self.x);
        Self::combined(lanes, &xx, &yy, &twelve_times(lanes, &self.z), [&xy, &yz, &xz])
    }

    /// The second half of both additions, from X X', Y Y', 12 Z Z' below 48 p, its limbs below
    /// 2^56, and the three crossed sums X Y' + Y X', Y Z' + Z Y', X Z' + Z X' below 6 p.
    #[inline(always)]
    fn combined(lanes: L, xx: &Element<L>, yy: &Element<L>, of_z: &Element<L>, [xy, yz, xz]: [&Element<L>; 3]) -> Self {
        // Below 4.5 p, 50 p, 50 p and 72 p.
        let slope = thrice(lanes, xx);
        let more = sum(lanes, yy, of_z);
        let less = difference(lanes, yy, of_z, &multiple_of_p::<L, 48>(lanes));
        let of_xz = carried(lanes, twelve_times(lanes, xz));
        let two_p = multiple_of_p::<L, 2>(lanes);
        Self {
            x: difference(lanes, &lanes.product(xy, &less), &lanes.product(yz, &of_xz), &two_p),
            y: sum(lanes, &lanes.product(&of_xz, &slope), &lanes.product(&less, &more)),
            z: sum(lanes, &lanes.product(&more, yz), &lanes.product(&slope, xy)),
        }
    }

    /// The sum of all eight points.
    #[inline(always)]
    pub(super) fn total(&self, lanes: L) -> G1Projective {
        let mut total = *self;
        for distance in [4, 2, 1] {
            let others = Self {
                x: swapped(lanes, &total.x, distance),
                y: swapped(lanes, &total.y, distance),
                z: swapped(lanes, &total.z, distance),
            };
            total = total.plus(lanes, &others);
        }
        total.points(lanes)[0]
    }

    /// The eight points, outside of the kernel.
    #[inline(always)]
    pub(super) fn points(&self, lanes: L) -> [G1Projective; LANES] {
        let (x, y, z) = (outside(lanes, &self.x), outside(lanes, &self.y), outside(lanes, &self.z));
        core::array::from_fn(|lane| {
            let [x, y, z] = [x[lane], y[lane], z[lane]].map(from_montgomery);
            from_homogeneous(x, y, z)
        })
    }

    /// The lanes in which these points are the points (x, y), with x and y below 4 p.
    #[inline(always)]
    pub(super) fn equal_to(&self, lanes: L, x: &Element<L>, y: &Element<L>) -> u8 {
        let two_p = multiple_of_p::<L, 2>(lanes);
        let x = difference(lanes, &self.x, &lanes.product(x, &self.z), &two_p);
        let y = difference(lanes, &self.y, &lanes.product(y, &self.z), &two_p);
        zeros(lanes, &x) & zeros(lanes, &y)
    }
}
