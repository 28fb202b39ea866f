//! Squarings in the cyclotomic subgroup of `F_(p^12)`, the coefficients side by side.
//!
//! An element is Σ g_i w^i, i < 6, with g_i in F_(p²) = F_p(u), u² = -1, and w⁶ = ξ = 1 + u. With
//! s = w³, s² = ξ, it is A + B w + C w² over F_(p⁴) = F_(p²)(s), A = g_0 + g_3 s, B = g_1 + g_4 s,
//! C = g_2 + g_5 s. Where the power p⁴ - p² + 1 of it is 1, its square is
//!
//! ```text
//! (3 A² - 2 Ā) + (3 s C² + 2 B̄) w + (3 B² - 2 C̄) w²,      x + y s conjugated: x - y s
//! ```
//!
//! (Granger and Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions").
//!
//! **Lanes.** One vector has g_0, g_1, g_2 and the other g_3, g_4, g_5: A's coefficient in lanes 0
//! and 1, B's in 2 and 3, C's in 6 and 7, the real part in the even lane. B and C thus change
//! places where lanes are swapped at distance 4. Lanes 4 and 5 are not used. A squaring is three
//! products of vectors: (x + y s)² = x² + ξ y² + ((x + y)² - x² - y²) s.
//!
//! **Bounds.** Coefficients are below 3 p between squarings. Sums and differences on the way to a
//! factor are added up in signed limbs and carried once; the multiple of p that a difference adds
//! is the bound of what it takes away.

#![allow(clippy::indexing_slicing, reason = "limbs are counted")]

use super::constants::multiple;
use super::field::{canonical, carried, from_words, select, shrunk, splat, swapped, to_words};
use super::inversion::{FORM, WAY_OUT};
use super::lanes::{Element, LANES, LIMBS, Lanes, WORDS, Work};

/// The lanes of the real parts.
const REAL: u8 = 0b0101_0101;
/// The lanes of A.
const A: u8 = 0b0000_0011;
/// The lanes of B.
const B: u8 = 0b0000_1100;

/// The lanes in which g_0, g_1 and g_2 begin in the first vector, g_3, g_4 and g_5 in the second.
pub(crate) const PLACES: [usize; 3] = [0, 2, 6];

/// The two vectors' words, in Montgomery's form outside of the kernel.
pub(crate) type Halves = [[[u64; WORDS]; LANES]; 2];

/// An element of the subgroup, squared so many times.
pub(crate) struct Squared<'a> {
    pub(crate) element: &'a Halves,
    pub(crate) times: u32,
}

impl<L: Lanes> Work<L> for Squared<'_> {
    type Output = Halves;

    #[inline(always)]
    fn run(self, lanes: L) -> Halves {
        let [x, y] = self.element;
        let (mut x, mut y) = (load(lanes, x), load(lanes, y));
        for _ in 0..self.times {
            (x, y) = squared(lanes, &x, &y);
        }
        [store(lanes, &x), store(lanes, &y)]
    }
}

#[inline(always)]
fn load<L: Lanes>(lanes: L, words: &[[u64; WORDS]; LANES]) -> Element<L> {
    shrunk(lanes, &from_words(lanes, &lanes.transposed(words.each_ref()), FORM))
}

#[inline(always)]
fn store<L: Lanes>(lanes: L, half: &Element<L>) -> [[u64; WORDS]; LANES] {
    to_words(lanes, &canonical(lanes, &lanes.product(half, &splat(lanes, &WAY_OUT))))
}

/// v² in each pair of lanes, for v < 6 p: ((a + b) (a - b), 2 a b), each below 1.5 p.
#[inline(always)]
fn squares<L: Lanes>(lanes: L, v: &Element<L>) -> Element<L> {
    let (other, six_p) = (swapped(lanes, v, 1), splat(lanes, &multiple(6)));
    let (mut left, mut right) = (*v, *v);
    for i in 0..LIMBS {
        let less = lanes.add(lanes.subtract(v[i], other[i]), six_p[i]);
        left[i] = lanes.select(REAL, lanes.add(v[i], other[i]), v[i]);
        right[i] = lanes.select(REAL, less, lanes.add(other[i], other[i]));
    }
    lanes.product(&carried(lanes, left), &carried(lanes, right))
}

/// ξ v in each pair of lanes, a + b u becoming (a - b) + (a + b) u, for b at most `bound`; not
/// carried.
#[inline(always)]
fn times_xi<L: Lanes>(lanes: L, v: &Element<L>, bound: &Element<L>) -> Element<L> {
    let other = swapped(lanes, v, 1);
    let mut result = *v;
    for i in 0..LIMBS {
        let less = lanes.add(lanes.subtract(v[i], other[i]), bound[i]);
        result[i] = lanes.select(REAL, less, lanes.add(v[i], other[i]));
    }
    result
}

/// B and C in each other's place; not carried.
#[inline(always)]
fn exchanged<L: Lanes>(lanes: L, v: &Element<L>) -> Element<L> {
    select(lanes, A, v, &swapped(lanes, v, 4))
}

/// The square of the module's text; coefficients below 3 p, before and after.
#[inline(always)]
fn squared<L: Lanes>(lanes: L, x: &Element<L>, y: &Element<L>) -> (Element<L>, Element<L>) {
    let (two_p, three_p) = (splat(lanes, &multiple(2)), splat(lanes, &multiple(3)));
    let mut both = *x;
    for i in 0..LIMBS {
        both[i] = lanes.add(x[i], y[i]);
    }
    let (of_x, of_y, of_both) = (squares(lanes, x), squares(lanes, y), squares(lanes, &both));

    // The squares in F_(p⁴): x² + ξ y² below 5 p, and 2 x y below 5 p.
    let (mut first, mut second) = (times_xi(lanes, &of_y, &two_p), of_both);
    for i in 0..LIMBS {
        first[i] = lanes.add(first[i], of_x[i]);
        second[i] = lanes.add(lanes.subtract(of_both[i], lanes.add(of_x[i], of_y[i])), three_p[i]);
    }

    // A², s C² and B²; then below 3 · 10 p + 6 p.
    let (first, second) = (exchanged(lanes, &first), exchanged(lanes, &second));
    let of_s = times_xi(lanes, &second, &splat(lanes, &multiple(5)));
    let new_x = combined(lanes, &select(lanes, B, &of_s, &first), x, B, &three_p);
    let new_y = combined(lanes, &select(lanes, B, &first, &second), y, !B, &three_p);
    (new_x, new_y)
}

/// 3 a + 2 b in the lanes `added`, 3 a - 2 b in the others; b below 3 p, the result too.
#[inline(always)]
fn combined<L: Lanes>(lanes: L, a: &Element<L>, b: &Element<L>, added: u8, three_p: &Element<L>) -> Element<L> {
    let mut sum = *a;
    for i in 0..LIMBS {
        let signed = lanes.add(a[i], lanes.select(added, b[i], lanes.subtract(three_p[i], b[i])));
        sum[i] = lanes.add(a[i], lanes.add(signed, signed));
    }
    shrunk(lanes, &carried(lanes, sum))
}
