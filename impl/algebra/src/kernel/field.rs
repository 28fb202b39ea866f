//! Arithmetic in the base field F_p, eight elements at a time.
//!
//! An element a stands as an integer a R modulo p, R = 2^416, in eight limbs of 52 bits. The
//! integer need not be below p: what is below 2^34 p fits, so sums and differences are not reduced.
//! A difference adds a multiple of p that the caller knows to be enough; limbs always are brought
//! below 2^52 again, since the multiplications take no more of a word.
//!
//! **Product.** 64 low and 64 high halves of products of limbs, added up in 16 words: at most 16
//! halves in each, so below 2^56.
//!
//! **Reduction** of such a t. With carries taken to the next word, limbs 0 to 5 are folded at once:
//! limb i, which counts 2^(52 i), is replaced by limb i times 2^(-52 (6 - i)) mod p, which counts
//! 2^312, and these six products do not wait for each other. Then t 2^-312 is known modulo p, below
//! t 2^-312 + 6 2^52 p. Two rounds of Montgomery's remove limbs 6 and 7: t + m p is a multiple of
//! 2^52 for m = -t / p mod 2^52. The result is t / R modulo p, below t / R + p (1 + 2^-49). For
//! factors with a b < 2^34 p² that is below 1.5 p.

#![allow(clippy::indexing_slicing, reason = "indices are below the numbers of limbs and words")]

use super::constants::{FOLDED, FOLDS, LIMB, Limbs, MINUS_INVERSE, ONE, P, RECIPROCAL, multiple};
use super::lanes::{Element, LANES, LIMB_BITS, LIMBS, Lanes, WORDS};

/// The same element in all lanes.
#[inline(always)]
pub(crate) fn splat<L: Lanes>(lanes: L, limbs: &Limbs) -> Element<L> {
    let mut element = [lanes.splat(0); LIMBS];
    for i in 0..LIMBS {
        element[i] = lanes.splat(limbs[i]);
    }
    element
}

/// M p in all lanes.
#[inline(always)]
pub(crate) fn multiple_of_p<L: Lanes, const M: u64>(lanes: L) -> Element<L> {
    splat(lanes, &const { multiple(M) })
}

/// Expressions for a constant, one after the other: compilers unroll loops up to a size that
/// products of doubles exceed, and keep the words of a loop in memory.
macro_rules! unrolled {
    ($i:ident in [$($n:literal)*] => $work:expr) => { $({ const $i: usize = $n; $work; })* };
}

/// Words of a product.
pub(super) const PRODUCT_WORDS: usize = 2 * LIMBS;

/// How many halves of products a word gets, lower and upper ones.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    pub(super) lows: u64,
    pub(super) highs: u64,
}

impl Counts {
    pub(super) const fn and(self, other: Self) -> Self {
        Self { lows: self.lows + other.lows, highs: self.highs + other.highs }
    }

    /// Of so many products of a limb with all limbs of a number: they begin at a word `below` this
    /// one.
    const fn of_rows(rows: u64, below: usize) -> Self {
        Self { lows: if below < LIMBS { rows } else { 0 }, highs: if 1 <= below && below <= LIMBS { rows } else { 0 } }
    }
}

/// The pairs of limbs of two numbers whose lower halves a word gets; the next one gets the upper
/// halves.
const fn pairs(word: usize) -> u64 {
    if word < LIMBS { word as u64 + 1 } else { (PRODUCT_WORDS - 1 - word) as u64 }
}

/// What a word gets from a product of two numbers.
pub(super) const fn of_product(word: usize) -> Counts {
    Counts { lows: pairs(word), highs: if word > 0 { pairs(word - 1) } else { 0 } }
}

/// What a word gets from the squares of limbs.
pub(super) const fn of_squares(word: usize) -> Counts {
    let odd = word as u64 % 2;
    Counts { lows: 1 - odd, highs: odd }
}

/// What a word gets from the products of different limbs of one number, each taken once.
pub(super) const fn of_mixed(word: usize) -> Counts {
    let (all, squares) = (of_product(word), of_squares(word));
    Counts { lows: (all.lows - squares.lows) / 2, highs: (all.highs - squares.highs) / 2 }
}

/// What a word gets from the reduction before it is read first.
pub(super) const fn of_reduction(word: usize) -> Counts {
    let mut counts = if word < FOLDED { Counts::of_rows(0, 0) } else { Counts::of_rows(FOLDED as u64, word - FOLDED) };
    let mut round = FOLDED;
    while round < LIMBS && round < word {
        counts = counts.and(Counts::of_rows(1, word - round));
        round += 1;
    }
    counts
}

#[inline(always)]
fn gathering<L: Lanes>(lanes: L, counts: Counts) -> L::Vector {
    lanes.gathering(counts.lows, counts.highs)
}

/// a b / R, for factors with a b < 2^34 p²: below 1.5 p.
#[inline(always)]
pub(crate) fn product<L: Lanes>(lanes: L, a: &Element<L>, b: &Element<L>) -> Element<L> {
    let mut t = [lanes.splat(0); PRODUCT_WORDS];
    unrolled!(WORD in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] => {
        t[WORD] = gathering(lanes, const { of_product(WORD).and(of_reduction(WORD)) });
    });
    unrolled!(I in [0 1 2 3 4 5 6 7] => for j in 0..LIMBS {
        t[I + j] = lanes.gather_low(t[I + j], a[j], b[I]);
        t[I + j + 1] = lanes.gather_high(t[I + j + 1], a[j], b[I]);
    });
    reduced(lanes, t)
}

/// a² / R, for a < 2^17 p: below 1.5 p.
#[inline(always)]
pub(crate) fn square<L: Lanes>(lanes: L, a: &Element<L>) -> Element<L> {
    let mut t = [lanes.splat(0); PRODUCT_WORDS];
    unrolled!(WORD in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] => t[WORD] = gathering(lanes, const { of_mixed(WORD) }));
    unrolled!(I in [0 1 2 3 4 5 6] => for j in I + 1..LIMBS {
        t[I + j] = lanes.gather_low(t[I + j], a[j], a[I]);
        t[I + j + 1] = lanes.gather_high(t[I + j + 1], a[j], a[I]);
    });
    unrolled!(WORD in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] => {
        let squares = gathering(lanes, const { of_squares(WORD).and(of_reduction(WORD)) });
        t[WORD] = lanes.add(lanes.add(t[WORD], t[WORD]), squares);
    });
    for i in 0..LIMBS {
        t[2 * i] = lanes.gather_low(t[2 * i], a[i], a[i]);
        t[2 * i + 1] = lanes.gather_high(t[2 * i + 1], a[i], a[i]);
    }
    reduced(lanes, t)
}

/// The reduction of the module's text, of words that gather what [`of_reduction`] says.
#[inline(always)]
fn reduced<L: Lanes>(lanes: L, mut t: [L::Vector; PRODUCT_WORDS]) -> Element<L> {
    // What is above the lowest 52 bits of a folded limb is carried on and not read any more.
    for i in 0..FOLDED {
        t[i + 1] = lanes.add(t[i + 1], lanes.shift_right(t[i], LIMB_BITS));
    }
    unrolled!(I in [0 1 2 3 4 5] => for j in 0..LIMBS {
        let fold = lanes.splat(FOLDS[I][j]);
        t[FOLDED + j] = lanes.gather_low(t[FOLDED + j], t[I], fold);
        t[FOLDED + j + 1] = lanes.gather_high(t[FOLDED + j + 1], t[I], fold);
    });
    let (zero, minus_inverse) = (lanes.splat(0), lanes.splat(MINUS_INVERSE));
    for i in FOLDED..LIMBS {
        let m = lanes.add_low_product(zero, t[i], minus_inverse);
        t[i] = lanes.add_low_product(t[i], m, lanes.splat(P[0]));
        for j in 0..LIMBS {
            let limb = lanes.splat(P[j]);
            if j > 0 {
                t[i + j] = lanes.gather_low(t[i + j], m, limb);
            }
            t[i + j + 1] = lanes.gather_high(t[i + j + 1], m, limb);
        }
        t[i + 1] = lanes.add(t[i + 1], lanes.shift_right(t[i], LIMB_BITS));
    }
    let mut result = [zero; LIMBS];
    for (limb, word) in result.iter_mut().zip(&t[LIMBS..]) {
        *limb = *word;
    }
    carried(lanes, result)
}

/// Brings all limbs but the last below 2^52, given signed ones whose integer is not negative and
/// below 2^416: then the last is too.
#[inline(always)]
pub(crate) fn carried<L: Lanes>(lanes: L, mut limbs: Element<L>) -> Element<L> {
    let mask = lanes.splat(LIMB);
    for i in 0..LIMBS - 1 {
        limbs[i + 1] = lanes.add(limbs[i + 1], lanes.carry(limbs[i]));
        limbs[i] = lanes.and(limbs[i], mask);
    }
    limbs
}

/// a less a multiple of p: below 3 p, for a < 2^34 p.
///
/// With a = l 2^364 + l', the last limb and the others, floor(l floor(R / p) / 2^52) is at most
/// a / p and less than 3 below it: p > 2^364 > l', and l < 2^52.
#[inline(always)]
pub(crate) fn shrunk<L: Lanes>(lanes: L, a: &Element<L>) -> Element<L> {
    let zero = lanes.splat(0);
    let quotient = lanes.add_high_product(zero, a[LIMBS - 1], lanes.splat(RECIPROCAL));
    let mut product = [zero; LIMBS];
    for j in 0..LIMBS {
        let limb = lanes.splat(P[j]);
        product[j] = lanes.add_low_product(product[j], quotient, limb);
        if j + 1 < LIMBS {
            product[j + 1] = lanes.add_high_product(product[j + 1], quotient, limb);
        }
    }
    let mut rest = *a;
    for i in 0..LIMBS {
        rest[i] = lanes.subtract(a[i], product[i]);
    }
    carried(lanes, rest)
}

/// a + b, below 2^416.
#[inline(always)]
pub(crate) fn sum<L: Lanes>(lanes: L, a: &Element<L>, b: &Element<L>) -> Element<L> {
    let mut limbs = *a;
    for i in 0..LIMBS {
        limbs[i] = lanes.add(a[i], b[i]);
    }
    carried(lanes, limbs)
}

/// 2 a, below 2^416.
#[inline(always)]
pub(crate) fn twice<L: Lanes>(lanes: L, a: &Element<L>) -> Element<L> {
    sum(lanes, a, a)
}

/// 3 a, below 2^416.
#[inline(always)]
pub(crate) fn thrice<L: Lanes>(lanes: L, a: &Element<L>) -> Element<L> {
    let mut limbs = *a;
    for limb in &mut limbs {
        *limb = lanes.add(lanes.add(*limb, *limb), *limb);
    }
    carried(lanes, limbs)
}

/// a - b + m, where m is a multiple of p and the sum is neither negative nor 2^416 or more.
#[inline(always)]
pub(crate) fn difference<L: Lanes>(lanes: L, a: &Element<L>, b: &Element<L>, m: &Element<L>) -> Element<L> {
    let mut limbs = *a;
    for i in 0..LIMBS {
        limbs[i] = lanes.add(lanes.subtract(a[i], b[i]), m[i]);
    }
    carried(lanes, limbs)
}

/// a in the lanes whose bit is set, b in the others.
#[inline(always)]
pub(crate) fn select<L: Lanes>(lanes: L, chosen: u8, a: &Element<L>, b: &Element<L>) -> Element<L> {
    let mut element = *b;
    for i in 0..LIMBS {
        element[i] = lanes.select(chosen, a[i], b[i]);
    }
    element
}

/// The lanes of an element that are those of another, swapped as in [`Lanes::swapped`].
#[inline(always)]
pub(crate) fn swapped<L: Lanes>(lanes: L, a: &Element<L>, distance: usize) -> Element<L> {
    let mut element = *a;
    for limb in &mut element {
        *limb = lanes.swapped(*limb, distance);
    }
    element
}

/// The integer below p that is a modulo p, for a < 2 p.
#[inline(always)]
pub(crate) fn canonical<L: Lanes>(lanes: L, a: &Element<L>) -> Element<L> {
    let mut rest = *a;
    for i in 0..LIMBS {
        rest[i] = lanes.subtract(a[i], lanes.splat(P[i]));
    }
    let rest = carried(lanes, rest);
    // The last limb is negative, all ones above its 52 bits, where a < p, and otherwise small.
    let not_negative = lanes.zeros(lanes.shift_right(rest[LIMBS - 1], LIMB_BITS));
    select(lanes, not_negative, &rest, a)
}

/// The lanes in which a is 0 modulo p, for a < 2^34 p.
#[inline(always)]
pub(crate) fn zeros<L: Lanes>(lanes: L, a: &Element<L>) -> u8 {
    let reduced = canonical(lanes, &lanes.product(a, &splat(lanes, &ONE)));
    zero_integers(lanes, &reduced)
}

/// The lanes whose integer is 0.
#[inline(always)]
pub(crate) fn zero_integers<L: Lanes>(lanes: L, a: &Element<L>) -> u8 {
    let mut bits = a[0];
    for limb in &a[1..] {
        bits = lanes.or(bits, *limb);
    }
    lanes.zeros(bits)
}

/// 2^`shift` times integers of 384 bits, which come as words; `shift` ≤ 32.
#[inline(always)]
pub(crate) fn from_words<L: Lanes>(lanes: L, words: &[L::Vector; WORDS], shift: u32) -> Element<L> {
    let mask = lanes.splat(LIMB);
    let mut element = [mask; LIMBS];
    for (i, limb) in element.iter_mut().enumerate() {
        // The lowest bit of the limb, counted from the lowest of the words.
        let bit = i as i64 * i64::from(LIMB_BITS) - i64::from(shift);
        let bits = if bit < 0 {
            lanes.shift_left(words[0], bit.unsigned_abs() as u32)
        } else {
            let (word, bit) = (bit as usize / 64, (bit % 64) as u32);
            let mut bits = lanes.shift_right(words[word], bit);
            if bit + LIMB_BITS > 64 && word + 1 < WORDS {
                bits = lanes.or(bits, lanes.shift_left(words[word + 1], 64 - bit));
            }
            bits
        };
        *limb = lanes.and(bits, mask);
    }
    element
}

/// The words of integers below 2^384.
#[inline(always)]
pub(crate) fn to_words<L: Lanes>(lanes: L, a: &Element<L>) -> [[u64; WORDS]; LANES] {
    let mut vectors = [[0; LANES]; WORDS];
    for (word, vector) in vectors.iter_mut().enumerate() {
        let bit = 64 * word as u32;
        let (limb, bit) = ((bit / LIMB_BITS) as usize, bit % LIMB_BITS);
        let mut sum = lanes.or(lanes.shift_right(a[limb], bit), lanes.shift_left(a[limb + 1], LIMB_BITS - bit));
        if limb + 2 < LIMBS {
            sum = lanes.or(sum, lanes.shift_left(a[limb + 2], 2 * LIMB_BITS - bit));
        }
        *vector = lanes.to_words(sum);
    }
    let mut words = [[0; WORDS]; LANES];
    for (lane, words) in words.iter_mut().enumerate() {
        for (word, vector) in words.iter_mut().zip(&vectors) {
            *word = vector[lane];
        }
    }
    words
}
