//! Many points, each times its own integer, eight points at a time.
//!
//! An integer is k_1 + k_2 z² (`crate::glv`), both halves in 32 signed digits of four bits. All
//! points go through the positions together: four doublings, then for each half the addition of a
//! multiple, whatever the digits are. A lane takes its own multiple out of eight, P .. 8 P; z²
//! times it is (β x, -y), for points of the subgroup. Or all points are multiplied by one secret
//! (`secret_digits`), in the same steps.

#![allow(clippy::indexing_slicing, reason = "digits are at most 8 in absolute value, and rows are counted")]

use super::additions::Forest;
use super::constants::{Limbs, element, multiple};
use super::field::{difference, select, splat};
use super::lanes::{LANES, LIMBS, Lanes, Work};
use super::rows::{NOTHING, Row, load, store};
use super::sums::{borrowed_forest, give_back};
use crate::glv::BETA;
use crate::point::{Coordinates, Point};

/// Bits of a digit with its sign.
pub(super) const WINDOW: usize = 4;

/// Largest digit in absolute value.
pub(super) const LARGEST: usize = 1 << (WINDOW - 1);

/// Digit positions of a half of 127 bits.
const POSITIONS: usize = 128 / WINDOW;

/// Signed digits of both halves of an integer, lowest position first, from -7 to 8 times the half's
/// sign.
#[derive(Clone, Debug)]
pub(crate) struct Digits([[i8; POSITIONS]; 2]);

impl Digits {
    /// Halves below 2^127 in absolute value.
    pub(crate) fn new(halves: [i128; 2]) -> Self {
        Self(halves.map(|half| {
            let integer = half.unsigned_abs().to_le_bytes();
            let mut signed = signed_digits(&integer);
            core::array::from_fn(|_| signed.next().map_or(0, |digit| if half < 0 { -digit } else { digit }))
        }))
    }

    /// Positions up to the highest one with a digit other than 0.
    fn positions(&self) -> usize {
        let used = |half: &[i8; POSITIONS]| half.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        self.0.iter().map(used).max().unwrap_or(0)
    }
}

/// The signed digits of a little-endian integer, lowest position first, from -7 to 8. The last one
/// is a carry.
pub(super) fn signed_digits(integer: &[u8]) -> impl Iterator<Item = i8> {
    let halves = integer.iter().flat_map(|byte| [byte & 0xf, byte >> WINDOW]);
    halves.chain([0]).scan(0, |carry, half| {
        let low = half as i8 + *carry;
        *carry = i8::from(low > LARGEST as i8);
        Some(low - (*carry << WINDOW))
    })
}

/// For each absolute value the lanes whose digit has it, and the lanes whose digit is negative.
#[inline(always)]
pub(super) fn lanes_by_digit(digits: impl Iterator<Item = i8>) -> ([u8; LARGEST + 1], u8) {
    let (mut wanted, mut negative) = ([0u8; LARGEST + 1], 0u8);
    for (lane, digit) in digits.take(LANES).enumerate() {
        wanted[usize::from(digit.unsigned_abs())] |= 1 << lane;
        negative |= u8::from(digit < 0) << lane;
    }
    (wanted, negative)
}

/// What rows of points are multiplied by, digit by digit.
pub(super) trait Factors {
    /// Digit positions to go through.
    fn positions(&self) -> usize;
    /// For each absolute value the lanes of a row whose digit has it, and the lanes whose digit is
    /// negative.
    fn lanes_by_digit(&self, row: usize, half: usize, position: usize) -> ([u8; LARGEST + 1], u8);
}

impl Factors for &[&Digits] {
    fn positions(&self) -> usize {
        self.iter().map(|digits| digits.positions()).max().unwrap_or(0)
    }

    #[inline(always)]
    fn lanes_by_digit(&self, row: usize, half: usize, position: usize) -> ([u8; LARGEST + 1], u8) {
        lanes_by_digit(self[LANES * row..].iter().map(|digits| digits.0[half][position]))
    }
}

/// β in the kernel's form.
pub(super) const KERNEL_BETA: Limbs = element(&BETA.l);

/// Every point times its integer; the lists have the same length. Points outside the subgroup get
/// k_1 P + k_2 (β x, -y).
pub(crate) fn multiples<L: Lanes, P: Coordinates>(lanes: L, points: &[P], digits: &[&Digits]) -> Vec<Point> {
    multiplied(lanes, points, &digits)
}

/// Every point times what these factors are.
pub(super) fn multiplied<L: Lanes, P: Coordinates>(lanes: L, points: &[P], factors: &impl Factors) -> Vec<Point> {
    let mut products = vec![Point::INFINITY; points.len()];
    let mut forest = borrowed_forest();
    lanes.run(Step { points, factors, forest: &mut forest, products: &mut products });
    give_back(forest);
    products
}

/// Points that go in step.
struct Step<'a, L: Lanes, P, F> {
    points: &'a [P],
    factors: &'a F,
    forest: &'a mut Forest<L>,
    products: &'a mut [Point],
}

impl<L: Lanes, P: Coordinates, F: Factors> Work<L> for Step<'_, L, P, F> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Step { points, factors, forest, products } = self;
        let positions = factors.positions();
        if positions == 0 || points.is_empty() {
            return;
        }
        let count = points.len().div_ceil(LANES);
        let table = Table::new(lanes, points, forest, count);
        forest.present[..count].fill(0);
        for position in (0..positions).rev() {
            if position + 1 < positions {
                for _ in 0..WINDOW {
                    forest.double(lanes, count);
                }
            }
            for half in 0..2 {
                for row in 0..count {
                    let (wanted, negative) = factors.lanes_by_digit(row, half, position);
                    let (addend, present) = table.multiple(lanes, row, &wanted, negative, half);
                    forest.rows[count + row] = addend;
                    forest.present[count + row] = present;
                }
                forest.add_upper_half(lanes, count);
            }
        }
        for (row, products) in products.chunks_mut(LANES).enumerate() {
            let points = store(lanes, &forest.rows[row], forest.present[row]);
            products.copy_from_slice(&points[..products.len()]);
        }
    }
}

/// The multiples 1 to 8 of rows of points: multiple m of row i at (m - 1) `count` + i.
struct Table<L: Lanes> {
    count: usize,
    rows: Vec<Row<L>>,
    present: Vec<u8>,
}

impl<L: Lanes> Table<L> {
    /// The table of these points. Leaves twice as many rows in the forest.
    #[inline(always)]
    fn new<P: Coordinates>(lanes: L, points: &[P], forest: &mut Forest<L>, count: usize) -> Self {
        let mut table = Self { count, rows: Vec::with_capacity(LARGEST * count), present: Vec::new() };
        for points in points.chunks(LANES) {
            let (mut x, mut y) = ([&NOTHING; LANES], [&NOTHING; LANES]);
            for (lane, point) in points.iter().enumerate() {
                (x[lane], y[lane]) = point.words();
            }
            let (row, present) = load(lanes, x, y, 0);
            table.rows.push(row.shrunk(lanes));
            table.present.push(present);
        }
        forest.start(2 * count);
        forest.rows.extend_from_slice(&table.rows);
        forest.present.extend_from_slice(&table.present);
        forest.double(lanes, count);
        forest.rows.resize(2 * count, table.rows[0]);
        forest.present.resize(2 * count, 0);
        for known in 1..LARGEST {
            if known > 1 {
                forest.rows[count..].copy_from_slice(&table.rows[..count]);
                forest.present[count..].copy_from_slice(&table.present[..count]);
                forest.add_upper_half(lanes, count);
            }
            table.rows.extend_from_slice(&forest.rows[..count]);
            table.present.extend_from_slice(&forest.present[..count]);
        }
        table
    }

    /// For each lane of a row what its digit adds, and the lanes in which that is a point.
    #[inline(always)]
    fn multiple(&self, lanes: L, row: usize, wanted: &[u8; LARGEST + 1], negative: u8, half: usize) -> (Row<L>, u8) {
        let (mut chosen, mut present) = (self.rows[row], wanted[1] & self.present[row]);
        for digit in 2..=LARGEST {
            let place = (digit - 1) * self.count + row;
            let (entry, wanted) = (&self.rows[place], wanted[digit]);
            chosen.x = select(lanes, wanted, &entry.x, &chosen.x);
            chosen.y = select(lanes, wanted, &entry.y, &chosen.y);
            present |= wanted & self.present[place];
        }
        let negative = if half == 1 { !negative } else { negative };
        if half == 1 {
            chosen.x = lanes.product(&chosen.x, &splat(lanes, &KERNEL_BETA));
        }
        let negated = difference(lanes, &splat(lanes, &[0; LIMBS]), &chosen.y, &splat(lanes, &multiple(3)));
        chosen.y = select(lanes, negative, &negated, &chosen.y);
        (chosen, present)
    }
}
