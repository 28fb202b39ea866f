//! Decoding of compressed points, eight at a time: y is a square root of x³ + 4.
//!
//! The root is the power with exponent (p + 1) / 4, by sliding windows of five bits: 378 squares,
//! and a product for each window. Sixteen points go in step, so that a square need not wait for the
//! one before it.

#![allow(clippy::indexing_slicing, reason = "steps and odd powers are counted when this is compiled")]

use super::constants::{FOUR, HALF_UP, Limbs, R_SQUARED, ROOT_EXPONENT, multiple, power_of_two};
use super::field::{canonical, carried, difference, from_words, select, splat, sum, to_words, zeros};
use super::lanes::{Element, LANES, LIMB_BITS, LIMBS, Lanes, WORDS, Work};
use crate::ffi::fp::from_montgomery;
use crate::point::Point;

/// Points that go in step.
pub(crate) const IN_STEP: usize = 2 * LANES;

/// Bits of a window at most.
const WINDOW: usize = 5;

/// Odd powers below 2^[`WINDOW`].
const POWERS: usize = 1 << (WINDOW - 1);

/// So many squares, then a product with the odd power of this number, a^(2 n + 1).
#[derive(Clone, Copy)]
struct Step {
    squares: usize,
    power: Option<usize>,
}

/// Steps at most.
const MOST_STEPS: usize = LIMBS * LIMB_BITS as usize;

/// The steps of the root's exponent after its first window, and the odd power that that is.
const STEPS: (usize, [Step; MOST_STEPS], usize) = {
    let mut steps = [Step { squares: 0, power: None }; MOST_STEPS];
    let (mut count, mut first, mut squares, mut begun) = (0, 0, 0, false);
    let mut bit = MOST_STEPS;
    while bit > 0 {
        if !exponent_bit(bit - 1) {
            bit -= 1;
            squares += 1;
            continue;
        }
        // The longest window from here on that ends in a one.
        let mut length = if bit < WINDOW { bit } else { WINDOW };
        while !exponent_bit(bit - length) {
            length -= 1;
        }
        let (mut window, mut i) = (0, 0);
        while i < length {
            i += 1;
            window = 2 * window + exponent_bit(bit - i) as usize;
        }
        bit -= length;
        if begun {
            steps[count] = Step { squares: squares + length, power: Some(window / 2) };
            count += 1;
        } else {
            (first, begun) = (window / 2, true);
        }
        squares = 0;
    }
    if squares > 0 {
        steps[count] = Step { squares, power: None };
        count += 1;
    }
    (first, steps, count)
};

const fn exponent_bit(bit: usize) -> bool {
    ROOT_EXPONENT[bit / LIMB_BITS as usize] >> (bit % LIMB_BITS as usize) & 1 == 1
}

/// 2 p.
const TWICE_P: Limbs = multiple(2);
/// 4 p.
const FOUR_P: Limbs = multiple(4);

/// Factors that bring an element, or an integer, to the form outside of the kernel.
const ELEMENT_OUT: Limbs = power_of_two(384);
pub(super) const INTEGER_OUT: Limbs = power_of_two(384 + 416);

/// The integers x below p of sixteen points, and which of the two y is meant: the larger one?
pub(crate) struct Encodings {
    pub(crate) x: [[u64; WORDS]; IN_STEP],
    pub(crate) larger: u16,
}

impl<L: Lanes> Work<L> for &Encodings {
    /// The points, and a bit for each that is on the curve.
    type Output = ([Point; IN_STEP], u16);

    #[inline(always)]
    fn run(self, lanes: L) -> Self::Output {
        let (low, high) = self.x.split_at(LANES);
        let x = [integers(lanes, low), integers(lanes, high)];
        let r_squared = splat(lanes, &R_SQUARED);
        let mut squares = [lanes.product(&x[0], &r_squared), lanes.product(&x[1], &r_squared)];
        for square in &mut squares {
            let cube = lanes.product(&lanes.square(square), square);
            *square = sum(lanes, &cube, &splat(lanes, &FOUR));
        }
        let roots = roots(lanes, &squares);
        let mut points = [Point::INFINITY; IN_STEP];
        let mut on_curve = 0;
        for (half, points) in points.chunks_mut(LANES).enumerate() {
            let root = &roots[half];
            let error = difference(lanes, &lanes.square(root), &squares[half], &splat(lanes, &FOUR_P));
            on_curve |= u16::from(zeros(lanes, &error)) << (8 * half);
            let larger = (self.larger >> (8 * half)) as u8;
            let y = chosen(lanes, root, larger);
            let words_of = |element: &Element<L>| to_words(lanes, &canonical(lanes, element));
            let (x, y) = (
                words_of(&lanes.product(&x[half], &splat(lanes, &INTEGER_OUT))),
                words_of(&lanes.product(&y, &splat(lanes, &ELEMENT_OUT))),
            );
            for (point, (x, y)) in points.iter_mut().zip(x.into_iter().zip(y)) {
                *point = Point { x: from_montgomery(x), y: from_montgomery(y) };
            }
        }
        (points, on_curve)
    }
}

/// Eight integers.
#[inline(always)]
pub(super) fn integers<L: Lanes>(lanes: L, words: &[[u64; WORDS]]) -> Element<L> {
    let mut rows = [&[0; WORDS]; LANES];
    for (row, words) in rows.iter_mut().zip(words) {
        *row = words;
    }
    from_words(lanes, &lanes.transposed(rows), 0)
}

/// The one of ±y whose integer is above (p - 1) / 2 in the lanes `larger`, the other one elsewhere.
#[inline(always)]
fn chosen<L: Lanes>(lanes: L, y: &Element<L>, larger: u8) -> Element<L> {
    let integer = canonical(lanes, &lanes.product(y, &splat(lanes, &[1, 0, 0, 0, 0, 0, 0, 0])));
    let mut over = integer;
    for i in 0..LIMBS {
        over[i] = lanes.subtract(integer[i], lanes.splat(HALF_UP[i]));
    }
    let over = carried(lanes, over);
    let is_larger = lanes.zeros(lanes.shift_right(over[LIMBS - 1], LIMB_BITS));
    let negated = difference(lanes, &splat(lanes, &[0; LIMBS]), y, &splat(lanes, &TWICE_P));
    select(lanes, is_larger ^ larger, &negated, y)
}

/// a^((p + 1) / 4).
#[inline(always)]
fn roots<L: Lanes>(lanes: L, a: &[Element<L>; 2]) -> [Element<L>; 2] {
    let mut powers = [*a; POWERS];
    let squares = [lanes.square(&a[0]), lanes.square(&a[1])];
    for n in 1..POWERS {
        for half in 0..2 {
            powers[n][half] = lanes.product(&powers[n - 1][half], &squares[half]);
        }
    }
    let (first, steps, count) = &STEPS;
    let [mut low, mut high] = powers[*first];
    for step in &steps[..*count] {
        for _ in 0..step.squares {
            low = lanes.square(&low);
            high = lanes.square(&high);
        }
        if let Some(power) = step.power {
            low = lanes.product(&low, &powers[power][0]);
            high = lanes.product(&high, &powers[power][1]);
        }
    }
    [low, high]
}
