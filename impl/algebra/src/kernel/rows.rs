//! Eight points side by side, and the way in and out of the kernel.
//!
//! **Without a multiplication in.** Outside a coordinate c stands as c 2^384 mod p; the kernel's
//! factor is R = 2^416. Instead of 2^32, x is multiplied by 2^12 and y by 2^2, by shifting: then
//! the kernel reads x 2^-20 and y 2^-30, the coordinates u² x and u³ y, u = 2^-10, of the point's
//! image on the isomorphic curve y² = x³ + 4 u⁶. Affine formulas for sums of points do not contain
//! the 4, and so hold there as they are. What comes out of the kernel is brought back by a product
//! for each coordinate. Complete formulas do contain it: for them both are shifted by all 32 bits,
//! and reduced.
//!
//! **Infinity** is no value of the coordinates here: lanes without a point are not in the set of
//! lanes that goes with a row.

use super::constants::{Limbs, multiple, power_of_two};
use super::field::{canonical, difference, from_words, select, shrunk, splat, to_words};
use super::inversion::FORM;
use super::lanes::{Element, LANES, Lanes, WORDS};
use crate::ffi::fp::from_montgomery;
use crate::point::{Coordinates, Point};

/// Bits that x and y are shifted by on the way in.
const SHIFTS: [u32; 2] = [12, 2];

/// Factors on the way out: c 2^(384 + shift) 2^(416 - shift) / R = c 2^384.
const WAYS_OUT: [Limbs; 2] = [power_of_two(416 - SHIFTS[0] as usize), power_of_two(416 - SHIFTS[1] as usize)];

/// All y that come in are at most this many times p.
pub(super) const MOST_Y: u64 = 1 << SHIFTS[1];
/// From what y is taken where it is negated.
const NEGATING: Limbs = multiple(MOST_Y);

/// Where the coordinates of eight points stand, and the lanes whose points are to be negated.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) x: [&'a [u64; WORDS]; LANES],
    pub(super) y: [&'a [u64; WORDS]; LANES],
    pub(super) negative: u8,
}

impl Words<'_> {
    /// The points, and the lanes that have one: [`load`].
    #[inline(always)]
    pub(super) fn row<L: Lanes>(&self, lanes: L) -> (Row<L>, u8) {
        load(lanes, self.x, self.y, self.negative)
    }

    /// Their x, below 2^12 p.
    #[inline(always)]
    pub(super) fn x<L: Lanes>(&self, lanes: L) -> Element<L> {
        from_words(lanes, &lanes.transposed(self.x), SHIFTS[0])
    }

    /// Their y, between -[`MOST_Y`] p and [`MOST_Y`] p, with limbs below 0 where they are negated,
    /// and the lanes that have a point: those in which y is not 0, as no point's is.
    #[inline(always)]
    pub(super) fn signed_y<L: Lanes>(&self, lanes: L) -> (Element<L>, u8) {
        let words = lanes.transposed(self.y);
        let mut bits = lanes.splat(0);
        for word in words {
            bits = lanes.or(bits, word);
        }
        let mut y = from_words(lanes, &words, SHIFTS[1]);
        for limb in &mut y {
            *limb = lanes.select(self.negative, lanes.subtract(lanes.splat(0), *limb), *limb);
        }
        (y, !lanes.zeros(bits))
    }
}

/// Coordinates of eight points.
#[derive(Clone, Copy)]
pub(super) struct Row<L: Lanes> {
    pub(super) x: Element<L>,
    pub(super) y: Element<L>,
}

impl<L: Lanes> Row<L> {
    /// These points in the lanes whose bit is set, the others' elsewhere.
    #[inline(always)]
    pub(super) fn where_in(&self, lanes: L, chosen: u8, others: &Self) -> Self {
        Self { x: select(lanes, chosen, &self.x, &others.x), y: select(lanes, chosen, &self.y, &others.y) }
    }

    /// The same points with coordinates below 3 p.
    #[inline(always)]
    pub(super) fn shrunk(&self, lanes: L) -> Self {
        Self { x: shrunk(lanes, &self.x), y: shrunk(lanes, &self.y) }
    }
}

/// The words of a coordinate of no point.
pub(super) const NOTHING: [u64; WORDS] = [0; WORDS];

/// The points with these coordinates, those in the lanes `negative` negated, and the lanes whose
/// coordinates are not both 0. x < 2^12 p, y ≤ 4 p.
#[inline(always)]
pub(super) fn load<L: Lanes>(
    lanes: L,
    x: [&[u64; WORDS]; LANES],
    y: [&[u64; WORDS]; LANES],
    negative: u8,
) -> (Row<L>, u8) {
    let (Row { x, y }, present) = shifted(lanes, x, y, SHIFTS);
    let zero = splat(lanes, &[0; _]);
    let negated = difference(lanes, &zero, &y, &splat(lanes, &NEGATING));
    (Row { x, y: select(lanes, negative, &negated, &y) }, present)
}

/// At most eight points with their coordinates on the curve itself, below 3 p, and the lanes that
/// have one.
#[inline(always)]
pub(super) fn load_unscaled<L: Lanes, P: Coordinates>(lanes: L, points: &[P]) -> (Row<L>, u8) {
    let (mut x, mut y) = ([&NOTHING; LANES], [&NOTHING; LANES]);
    for (point, (x, y)) in points.iter().zip(x.iter_mut().zip(&mut y)) {
        (*x, *y) = point.words();
    }
    let (row, present) = shifted(lanes, x, y, [FORM; 2]);
    (row.shrunk(lanes), present)
}

/// 2^shift times the coordinates that these words are, and the lanes in which they are not both 0.
#[inline(always)]
fn shifted<L: Lanes>(lanes: L, x: [&[u64; WORDS]; LANES], y: [&[u64; WORDS]; LANES], shifts: [u32; 2]) -> (Row<L>, u8) {
    let (x, y) = (lanes.transposed(x), lanes.transposed(y));
    let mut bits = lanes.splat(0);
    for word in x.iter().chain(&y) {
        bits = lanes.or(bits, *word);
    }
    let row = Row { x: from_words(lanes, &x, shifts[0]), y: from_words(lanes, &y, shifts[1]) };
    (row, !lanes.zeros(bits))
}

/// The points of a row, infinity in lanes that are not `present`.
#[inline(always)]
pub(super) fn store<L: Lanes>(lanes: L, row: &Row<L>, present: u8) -> [Point; LANES] {
    let x = to_words(lanes, &canonical(lanes, &lanes.product(&row.x, &splat(lanes, &WAYS_OUT[0]))));
    let y = to_words(lanes, &canonical(lanes, &lanes.product(&row.y, &splat(lanes, &WAYS_OUT[1]))));
    let mut points = [Point::INFINITY; LANES];
    for (lane, (point, (x, y))) in points.iter_mut().zip(x.into_iter().zip(y)).enumerate() {
        if present >> lane & 1 == 1 {
            *point = Point { x: from_montgomery(x), y: from_montgomery(y) };
        }
    }
    points
}
