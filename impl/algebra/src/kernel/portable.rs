//! The lanes in plain Rust: the twin that runs everywhere, for tests.

#![allow(clippy::indexing_slicing, reason = "indices are below the numbers of lanes and words")]

use super::field;
use super::lanes::{Element, LANES, LIMB_BITS, Lanes, WORDS, Work};

/// The instance; nothing has to be there for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// The bits of a limb.
const LIMB: u64 = (1 << LIMB_BITS) - 1;

/// f(lane, lane) for all lanes.
#[inline]
fn both(a: [u64; LANES], b: [u64; LANES], f: impl Fn(u64, u64) -> u64) -> [u64; LANES] {
    core::array::from_fn(|lane| f(a[lane], b[lane]))
}

/// The whole product of two limbs.
fn wide_product(a: u64, b: u64) -> u128 {
    u128::from(a & LIMB) * u128::from(b & LIMB)
}

impl Lanes for Portable {
    type Vector = [u64; LANES];

    fn splat(self, word: u64) -> Self::Vector {
        [word; LANES]
    }

    fn to_words(self, vector: Self::Vector) -> [u64; LANES] {
        vector
    }

    fn transposed(self, rows: [&[u64; WORDS]; LANES]) -> [Self::Vector; WORDS] {
        core::array::from_fn(|word| core::array::from_fn(|lane| rows[lane][word]))
    }

    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        both(a, b, u64::wrapping_add)
    }

    fn subtract(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        both(a, b, u64::wrapping_sub)
    }

    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        both(a, b, |a, b| a & b)
    }

    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        both(a, b, |a, b| a | b)
    }

    fn shift_left(self, a: Self::Vector, bits: u32) -> Self::Vector {
        a.map(|word| word.checked_shl(bits).unwrap_or(0))
    }

    fn shift_right(self, a: Self::Vector, bits: u32) -> Self::Vector {
        a.map(|word| word.checked_shr(bits).unwrap_or(0))
    }

    fn carry(self, a: Self::Vector) -> Self::Vector {
        a.map(|word| ((word as i64) >> LIMB_BITS) as u64)
    }

    fn add_low_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        both(sum, both(a, b, |a, b| wide_product(a, b) as u64 & LIMB), u64::wrapping_add)
    }

    fn add_high_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        both(sum, both(a, b, |a, b| (wide_product(a, b) >> LIMB_BITS) as u64), u64::wrapping_add)
    }

    fn select(self, lanes: u8, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        core::array::from_fn(|lane| if lanes >> lane & 1 == 1 { a[lane] } else { b[lane] })
    }

    fn zeros(self, a: Self::Vector) -> u8 {
        a.iter().enumerate().fold(0, |lanes, (lane, word)| lanes | u8::from(*word == 0) << lane)
    }

    fn swapped(self, a: Self::Vector, distance: usize) -> Self::Vector {
        core::array::from_fn(|lane| a[(lane ^ distance) % LANES])
    }

    fn product(self, a: &Element<Self>, b: &Element<Self>) -> Element<Self> {
        field::product(self, a, b)
    }

    fn square(self, a: &Element<Self>) -> Element<Self> {
        field::square(self, a)
    }

    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        work.run(self)
    }
}
