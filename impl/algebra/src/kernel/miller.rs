//! Miller loops over prepared lines: eight pieces of the loop at a time.
//!
//! f begins at 1. At each line of the loop f is squared, if the line is that of a doubling, and
//! multiplied by what the lines of all pairs are at their points. The loop is cut into eight
//! pieces, one a lane, each of which begins at 1 as well: if F_j is what piece j comes to, and it
//! squares s_j times, then f becomes f^(2^s_j) F_j with each piece. Those squarings are left to the
//! caller.
//!
//! A line at a point (x, y) is a + b x w² + c y w³, with a, b and c in F_(p²); by the form that the
//! lines have, the point's coordinates come as -2 x and 2 y.

#![allow(clippy::indexing_slicing, reason = "lines, lanes and coefficients are counted")]

use blst::{blst_fp6, blst_fp12};

use super::constants::ONE;
use super::field::{canonical, from_words, select, shrunk, splat, to_words};
use super::inversion::{FORM, WAY_OUT};
use super::lanes::{Element, LANES, LIMBS, Lanes, WORDS, Work};
use super::rows::NOTHING;
use super::tower::{Second, Sixth, Twelfth};

/// Lines of a loop: one for each doubling and addition.
pub(crate) const LINES: usize = 68;

/// After the first doubling: an addition, and so many doublings. The bits of the curve's parameter
/// |z|, highest first.
pub(crate) const DOUBLINGS_AFTER_ADDITIONS: [usize; 5] = [2, 3, 9, 32, 16];

/// Lines of a piece.
const STEPS: usize = LINES.div_ceil(LANES);

/// The first piece begins with so many places without a line.
const EMPTY: usize = STEPS * LANES - LINES;

/// Bit ℓ of entry s: f is squared before the line of step s in lane ℓ. The first doubling's square
/// is left out, that of 1.
const SQUARED: [u8; STEPS] = {
    let mut squared = [0; STEPS];
    let mut place = EMPTY + 1;
    let mut addition = 0;
    while addition < DOUBLINGS_AFTER_ADDITIONS.len() {
        place += 1;
        let end = place + DOUBLINGS_AFTER_ADDITIONS[addition];
        while place < end {
            squared[place % STEPS] |= 1 << (place / STEPS);
            place += 1;
        }
        addition += 1;
    }
    assert!(place == STEPS * LANES);
    squared
};

/// How often f is squared for each piece.
pub(crate) const SQUARINGS: [u32; LANES] = {
    let mut squarings = [0; LANES];
    let mut place = 0;
    while place < STEPS * LANES {
        squarings[place / STEPS] += (SQUARED[place % STEPS] >> (place / STEPS) & 1) as u32;
        place += 1;
    }
    squarings
};

/// A pair of a loop: -2 x and 2 y of the first argument's coordinates, in Montgomery's form, and
/// the [`LINES`] lines of the second argument.
pub(crate) struct Pair<'a> {
    pub(crate) coordinates: [[u64; WORDS]; 2],
    pub(crate) lines: &'a [blst_fp6],
}

/// The loop of at least one pair.
pub(crate) struct Pieces<'a>(pub(crate) &'a [Pair<'a>]);

impl<L: Lanes> Work<L> for Pieces<'_> {
    /// F_j for each piece, in the order of the loop.
    type Output = [blst_fp12; LANES];

    #[inline(always)]
    fn run(self, lanes: L) -> Self::Output {
        let mut f = lanes.run(LinesAt { pairs: self.0, step: 0 });
        for (step, squared) in SQUARED.iter().enumerate().skip(1) {
            let square = f.squared(lanes);
            f = square.or(lanes, *squared, &f).times(lanes, &lanes.run(LinesAt { pairs: self.0, step }));
        }
        store(lanes, &f)
    }
}

/// What the lines of all pairs come to in a step; 1 in lanes without a line.
struct LinesAt<'a> {
    pairs: &'a [Pair<'a>],
    step: usize,
}

impl<L: Lanes> Work<L> for LinesAt<'_> {
    type Output = Twelfth<L>;

    #[inline(always)]
    fn run(self, lanes: L) -> Twelfth<L> {
        let mut product: Option<Twelfth<L>> = None;
        for pairs in self.pairs.chunks(2) {
            let first = line(lanes, &pairs[0], self.step);
            let of_pairs = match pairs.get(1) {
                Some(pair) => product_of_lines(lanes, &first, &line(lanes, pair, self.step)),
                None => as_element(lanes, &first),
            };
            product = Some(match product {
                Some(product) => product.times(lanes, &of_pairs),
                None => of_pairs,
            });
        }
        let one = Second([splat(lanes, &ONE), splat(lanes, &[0; LIMBS])]);
        let zero = Second::zero(lanes);
        product.unwrap_or_else(|| as_element(lanes, &[one, zero, zero]))
    }
}

/// The line of a pair in a step, at its point: the coefficients of 1, w² and w³, below 3 p.
#[inline(always)]
fn line<L: Lanes>(lanes: L, pair: &Pair<'_>, step: usize) -> [Second<L>; 3] {
    let mut line = [Second::zero(lanes); 3];
    for (i, coefficient) in line.iter_mut().enumerate() {
        for (j, part) in coefficient.0.iter_mut().enumerate() {
            let mut rows = [&NOTHING; LANES];
            for (lane, row) in rows.iter_mut().enumerate() {
                if let Some(place) = (lane * STEPS + step).checked_sub(EMPTY) {
                    *row = &pair.lines[place].fp2[i].fp[j].l;
                }
            }
            *part = from_words(lanes, &lanes.transposed(rows), FORM);
        }
    }
    let [a, b, c] = line;
    let [x, y] = &pair.coordinates;
    let real = shrunk(lanes, &a.0[0]);
    let empty = u8::from(step < EMPTY);
    let a = Second([select(lanes, empty, &splat(lanes, &ONE), &real), shrunk(lanes, &a.0[1])]);
    [a, b.times_base(lanes, &everywhere(lanes, x)), c.times_base(lanes, &everywhere(lanes, y))]
}

/// The same element in all lanes, below 3 p.
#[inline(always)]
fn everywhere<L: Lanes>(lanes: L, words: &[u64; WORDS]) -> Element<L> {
    shrunk(lanes, &from_words(lanes, &lanes.transposed([words; LANES]), FORM))
}

/// a + b w² + c w³.
#[inline(always)]
fn as_element<L: Lanes>(lanes: L, [a, b, c]: &[Second<L>; 3]) -> Twelfth<L> {
    let zero = Second::zero(lanes);
    Twelfth([Sixth([*a, *b, zero]), Sixth([zero, *c, zero])])
}

/// (a + b w² + c w³) (d + e w² + f w³): below 15 p.
#[inline(always)]
fn product_of_lines<L: Lanes>(lanes: L, [a, b, c]: &[Second<L>; 3], [d, e, f]: &[Second<L>; 3]) -> Twelfth<L> {
    let (ad, be, cf) = (a.times(lanes, d), b.times(lanes, e), c.times(lanes, f));
    let ab = a.plus(lanes, b).times(lanes, &d.plus(lanes, e)).minus::<10>(lanes, &ad.plus(lanes, &be));
    let ac = a.plus(lanes, c).times(lanes, &d.plus(lanes, f)).minus::<10>(lanes, &ad.plus(lanes, &cf));
    let bc = b.plus(lanes, c).times(lanes, &e.plus(lanes, f)).minus::<10>(lanes, &be.plus(lanes, &cf));
    let constant = ad.plus(lanes, &cf.times_xi::<5>(lanes));
    Twelfth([Sixth([constant, ab, be]), Sixth([Second::zero(lanes), ac, bc])])
}

#[inline(always)]
fn store<L: Lanes>(lanes: L, elements: &Twelfth<L>) -> [blst_fp12; LANES] {
    let mut stored = [blst_fp12::default(); LANES];
    let out = splat(lanes, &WAY_OUT);
    for (i, sixth) in elements.0.iter().enumerate() {
        for (j, second) in sixth.0.iter().enumerate() {
            for (k, coefficient) in second.0.iter().enumerate() {
                let words = to_words(lanes, &canonical(lanes, &lanes.product(coefficient, &out)));
                for (stored, words) in stored.iter_mut().zip(words) {
                    stored.fp6[i].fp2[j].fp[k].l = words;
                }
            }
        }
    }
    stored
}
