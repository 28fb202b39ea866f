//! Lanes that keep a trace of their operations, for tests of what must not depend on a secret, and
//! that add something beside the halves that are gathered, as those of doubles do.

use core::cell::Cell;

use super::field;
use super::lanes::{Element, LANES, Lanes, WORDS, Work};
use super::portable::Portable;

/// The lanes in plain Rust, with a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traced;

/// What comes with a lower and with an upper half, any numbers.
const BESIDES_LOW: u64 = 0x9e37_79b9_7f4a_7c15;
const BESIDES_HIGH: u64 = 0x1234_5678_9abc_def1;

thread_local! {
    /// A hash of all operations since the last look, in their order, and how many they were.
    static TRACE: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

impl Traced {
    /// The trace, which begins anew.
    pub(crate) fn taken() -> (u64, u64) {
        TRACE.replace((0, 0))
    }

    fn noted(operation: u64) -> Portable {
        let (hash, count) = TRACE.get();
        TRACE.set((hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(operation), count + 1));
        Portable
    }
}

impl Lanes for Traced {
    type Vector = [u64; LANES];

    fn splat(self, word: u64) -> Self::Vector {
        Self::noted(1).splat(word)
    }

    fn to_words(self, vector: Self::Vector) -> [u64; LANES] {
        Self::noted(2).to_words(vector)
    }

    fn transposed(self, rows: [&[u64; WORDS]; LANES]) -> [Self::Vector; WORDS] {
        Self::noted(3).transposed(rows)
    }

    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(4).add(a, b)
    }

    fn subtract(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(5).subtract(a, b)
    }

    fn and(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(6).and(a, b)
    }

    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(7).or(a, b)
    }

    fn shift_left(self, a: Self::Vector, bits: u32) -> Self::Vector {
        Self::noted(100 + u64::from(bits)).shift_left(a, bits)
    }

    fn shift_right(self, a: Self::Vector, bits: u32) -> Self::Vector {
        Self::noted(200 + u64::from(bits)).shift_right(a, bits)
    }

    fn carry(self, a: Self::Vector) -> Self::Vector {
        Self::noted(8).carry(a)
    }

    fn add_low_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(9).add_low_product(sum, a, b)
    }

    fn add_high_product(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(10).add_high_product(sum, a, b)
    }

    fn gathering(self, lows: u64, highs: u64) -> Self::Vector {
        let besides = BESIDES_LOW.wrapping_mul(lows).wrapping_add(BESIDES_HIGH.wrapping_mul(highs));
        self.splat(besides.wrapping_neg())
    }

    fn gather_low(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.add_low_product(sum, a, b).map(|word| word.wrapping_add(BESIDES_LOW))
    }

    fn gather_high(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        self.add_high_product(sum, a, b).map(|word| word.wrapping_add(BESIDES_HIGH))
    }

    fn select(self, lanes: u8, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Self::noted(11).select(lanes, a, b)
    }

    fn zeros(self, a: Self::Vector) -> u8 {
        Self::noted(12).zeros(a)
    }

    fn swapped(self, a: Self::Vector, distance: usize) -> Self::Vector {
        Self::noted(300 + distance as u64).swapped(a, distance)
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
