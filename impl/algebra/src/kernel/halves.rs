//! One element of `F_(p^12)`, its coefficients side by side: squarings.
//!
//! An element is Σ g_i w^i, i < 6, with g_i in F_(p²) = F_p(u), u² = -1, and w⁶ = ξ = 1 + u. With
//! s = w³, s² = ξ, it is A + B w + C w² over F_(p⁴) = F_(p²)(s), A = g_0 + g_3 s, B = g_1 + g_4 s,
//! C = g_2 + g_5 s. Its square is
//!
//! ```text
//! (A² + s 2 B C) + (2 A B + s C²) w + (B² + 2 A C) w²
//! ```
//!
//! with 2 B C = (B + C)² - B² - C² and so on; and where its power p⁴ - p² + 1 is 1, that is
//!
//! ```text
//! (3 A² - 2 Ā) + (3 s C² + 2 B̄) w + (3 B² - 2 C̄) w²,      x + y s conjugated: x - y s
//! ```
//!
//! (Granger and Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions").
//!
//! **Lanes.** One vector has g_0, g_1, g_2 and the other g_3, g_4, g_5: A's coefficient in lanes 0
//! and 1, B's in 2 and 3, C's in 6 and 7, the real part in the even lane. B and C thus change
//! places where lanes are swapped at distance 4. Lanes 4 and 5 have 0 modulo p. Squares in F_(p⁴)
//! are three products of vectors: (x + y s)² = x² + ξ y² + ((x + y)² - x² - y²) s.
//!
//! **Bounds.** Coefficients are below 3 p between squarings. Sums and differences on the way to a
//! factor are added up in signed limbs and carried once; the multiple of p that a difference adds
//! is the bound of what it takes away.

#![allow(clippy::indexing_slicing, reason = "limbs are counted")]

use super::field::{canonical, carried, from_words, multiple_of_p, select, shrunk, splat, swapped, to_words};
use super::inversion::{FORM, WAY_OUT};
use super::lanes::{Element, LANES, LIMBS, Lanes, WORDS, Work};

/// The lanes of the real parts.
const REAL: u8 = 0b0101_0101;
/// The lanes of B.
const B: u8 = 0b0000_1100;
/// The lanes of C.
const C: u8 = 0b1100_0000;
/// The other lanes.
const UNUSED: u8 = 0b0011_0000;

/// The lanes in which g_0, g_1 and g_2 begin in the first vector, g_3, g_4 and g_5 in the second.
pub(crate) const PLACES: [usize; 3] = [0, 2, 6];

/// The two vectors' words, in Montgomery's form outside of the kernel.
pub(crate) type Halves = [[[u64; WORDS]; LANES]; 2];

/// An element squared so many times.
pub(crate) struct Squared<'a> {
    pub(crate) element: &'a Halves,
    pub(crate) times: u32,
}

impl<L: Lanes> Work<L> for Squared<'_> {
    type Output = Halves;

    #[inline(always)]
    fn run(self, lanes: L) -> Halves {
        let mut halves = load(lanes, self.element);
        for _ in 0..self.times {
            halves = squared(lanes, &halves);
        }
        store(lanes, &halves)
    }
}

/// An element of the cyclotomic subgroup squared so many times.
pub(crate) struct CyclotomicSquared<'a> {
    pub(crate) element: &'a Halves,
    pub(crate) times: u32,
}

impl<L: Lanes> Work<L> for CyclotomicSquared<'_> {
    type Output = Halves;

    #[inline(always)]
    fn run(self, lanes: L) -> Halves {
        let mut halves = load(lanes, self.element);
        for _ in 0..self.times {
            halves = cyclotomic_squared(lanes, &halves);
        }
        store(lanes, &halves)
    }
}

/// x + y s in F_(p⁴), or three such: x and y.
type Pair<L> = [Element<L>; 2];

#[inline(always)]
fn load<L: Lanes>(lanes: L, [x, y]: &Halves) -> Pair<L> {
    let (x, y) = (lanes.transposed(x.each_ref()), lanes.transposed(y.each_ref()));
    [shrunk(lanes, &from_words(lanes, &x, FORM)), shrunk(lanes, &from_words(lanes, &y, FORM))]
}

#[inline(always)]
fn store<L: Lanes>(lanes: L, [x, y]: &Pair<L>) -> Halves {
    let out = splat(lanes, &WAY_OUT);
    let (x, y) = (canonical(lanes, &lanes.product(x, &out)), canonical(lanes, &lanes.product(y, &out)));
    [to_words(lanes, &x), to_words(lanes, &y)]
}

/// v² in each pair of lanes, for v below M p: ((a + b) (a - b), 2 a b), each below 1.5 p.
#[inline(always)]
fn squares<L: Lanes, const M: u64>(lanes: L, v: &Element<L>) -> Element<L> {
    let (other, bound) = (swapped(lanes, v, 1), multiple_of_p::<L, M>(lanes));
    let (mut left, mut right) = (*v, *v);
    for i in 0..LIMBS {
        let less = lanes.add(lanes.subtract(v[i], other[i]), bound[i]);
        left[i] = lanes.select(REAL, lanes.add(v[i], other[i]), v[i]);
        right[i] = lanes.select(REAL, less, lanes.add(other[i], other[i]));
    }
    lanes.product(&carried(lanes, left), &carried(lanes, right))
}

/// (x + y s)² in F_(p⁴), for x and y below M p and x + y below N p: both below 5 p, not carried.
#[inline(always)]
fn fourth_squares<L: Lanes, const M: u64, const N: u64>(lanes: L, [x, y]: &Pair<L>) -> Pair<L> {
    let mut both = *x;
    for i in 0..LIMBS {
        both[i] = lanes.add(x[i], y[i]);
    }
    let (of_x, of_y) = (squares::<L, M>(lanes, x), squares::<L, M>(lanes, y));
    let of_both = squares::<L, N>(lanes, &both);
    let three_p = multiple_of_p::<L, 3>(lanes);
    let (mut first, mut second) = (times_xi::<L, 2>(lanes, &of_y), of_both);
    for i in 0..LIMBS {
        first[i] = lanes.add(first[i], of_x[i]);
        second[i] = lanes.add(lanes.subtract(of_both[i], lanes.add(of_x[i], of_y[i])), three_p[i]);
    }
    [first, second]
}

/// ξ v in each pair of lanes, a + b u becoming (a - b) + (a + b) u, for b below M p; not carried.
#[inline(always)]
fn times_xi<L: Lanes, const M: u64>(lanes: L, v: &Element<L>) -> Element<L> {
    let (other, bound) = (swapped(lanes, v, 1), multiple_of_p::<L, M>(lanes));
    let mut result = *v;
    for i in 0..LIMBS {
        let less = lanes.add(lanes.subtract(v[i], other[i]), bound[i]);
        result[i] = lanes.select(REAL, less, lanes.add(v[i], other[i]));
    }
    result
}

/// B and C in each other's place; not carried.
#[inline(always)]
fn exchanged<L: Lanes>(lanes: L, [x, y]: &Pair<L>) -> Pair<L> {
    [select(lanes, B | C, &swapped(lanes, x, 4), x), select(lanes, B | C, &swapped(lanes, y, 4), y)]
}

/// A² becomes B² + C² in its lanes, and so on: the sum of the others; not carried.
#[inline(always)]
fn others<L: Lanes>(lanes: L, v: &Element<L>) -> Element<L> {
    let far = swapped(lanes, v, 4);
    let mut half = *v;
    for i in 0..LIMBS {
        half[i] = lanes.add(v[i], far[i]);
    }
    let mut rest = swapped(lanes, &half, 2);
    for i in 0..LIMBS {
        rest[i] = lanes.add(rest[i], far[i]);
    }
    rest
}

/// The first square of the module's text; coefficients below 3 p, before and after.
#[inline(always)]
fn squared<L: Lanes>(lanes: L, halves: &Pair<L>) -> Pair<L> {
    let [x, y] = halves;
    let squares = fourth_squares::<L, 3, 6>(lanes, halves);
    let of_others = fourth_squares::<L, 9, 18>(lanes, &[others(lanes, x), others(lanes, y)]);

    // 2 B C, 2 A C and 2 A B, below 20 p. Something in lanes 4 and 5 too, which stays there.
    let bound = multiple_of_p::<L, 15>(lanes);
    let (less_x, less_y) = (others(lanes, &squares[0]), others(lanes, &squares[1]));
    let mut crossed = of_others;
    for i in 0..LIMBS {
        crossed[0][i] = lanes.add(lanes.subtract(of_others[0][i], less_x[i]), bound[i]);
        crossed[1][i] = lanes.add(lanes.subtract(of_others[1][i], less_y[i]), bound[i]);
    }

    // A², C² and B²; 2 B C, 2 A B and 2 A C. Of the two in B's lanes the first is multiplied by s,
    // in A's the second, in C's none.
    let ([f_x, f_y], [e_x, e_y]) = (exchanged(lanes, &squares), exchanged(lanes, &crossed));
    let (g_x, g_y) = (select(lanes, B, &f_x, &e_x), select(lanes, B, &f_y, &e_y));
    let (h_x, h_y) = (select(lanes, B, &e_x, &f_x), select(lanes, B, &e_y, &f_y));
    let of_s = times_xi::<L, 20>(lanes, &g_y);
    let (mut new_x, mut new_y) = (h_x, h_y);
    let zero = lanes.splat(0);
    for i in 0..LIMBS {
        new_x[i] = lanes.select(UNUSED, zero, lanes.add(h_x[i], lanes.select(C, e_x[i], of_s[i])));
        new_y[i] = lanes.select(UNUSED, zero, lanes.add(h_y[i], lanes.select(C, e_y[i], g_x[i])));
    }
    [shrunk(lanes, &carried(lanes, new_x)), shrunk(lanes, &carried(lanes, new_y))]
}

/// The second square of the module's text; coefficients below 3 p, before and after.
#[inline(always)]
fn cyclotomic_squared<L: Lanes>(lanes: L, halves: &Pair<L>) -> Pair<L> {
    // A², C² and B²; then s C² in B's lanes.
    let [first, second] = exchanged(lanes, &fourth_squares::<L, 3, 6>(lanes, halves));
    let of_s = times_xi::<L, 5>(lanes, &second);
    let [x, y] = halves;
    [
        combined(lanes, &select(lanes, B, &of_s, &first), x, B),
        combined(lanes, &select(lanes, B, &first, &second), y, !B),
    ]
}

/// 3 a + 2 b in the lanes `added`, 3 a - 2 b in the others, for a below 10 p and b below 3 p: below
/// 3 p.
#[inline(always)]
fn combined<L: Lanes>(lanes: L, a: &Element<L>, b: &Element<L>, added: u8) -> Element<L> {
    let three_p = multiple_of_p::<L, 3>(lanes);
    let mut sum = *a;
    for i in 0..LIMBS {
        let signed = lanes.add(a[i], lanes.select(added, b[i], lanes.subtract(three_p[i], b[i])));
        sum[i] = lanes.add(a[i], lanes.add(signed, signed));
    }
    shrunk(lanes, &carried(lanes, sum))
}
