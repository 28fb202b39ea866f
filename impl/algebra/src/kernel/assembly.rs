//! Products of field elements by fused multiply-adds of doubles, for processors with AVX2 and FMA.
//!
//! What [`super::doubles`] does with AVX-512 is done here in sixteen registers of four words, with
//! the same halves of products of limbs, so that all that is proved and tested of the words of
//! [`super::field`] holds of these. Two things differ.
//!
//! * **Rounding.** These instructions round as the thread's control register says. It is set to
//!   round towards zero where the assembly begins, and as it was where it ends.
//! * **Registers.** Nine words that products are added to, a factor, two constants and four
//!   temporaries fill all sixteen. A compiler keeps more products in flight and spills: what it
//!   made of the same steps took 34 ns a product, and this takes 24. Hence assembly.
//!
//! **Order.** Of four lanes, first the rows of a product, the limbs of b times limb i of a: nine
//! registers stand for words i to i + 8, and each row moves them down by one. Words 0 to 5 are made
//! limbs, and carried, as they leave. Then come the folds and the two rounds of Montgomery's, but
//! what a round needs is added up first: words 6 and 7 get what the folds add to them, and between
//! the steps of the multiples m, each of which waits for the one before, stand parts of the folds
//! and of the first round that do not.
//!
//! Factors have limbs below 2^52, not only in their lowest 52 bits. What is in a lane with others
//! stays in that lane, and interrupts nothing: all exceptions are masked.
#![allow(unsafe_code)]
#![allow(clippy::indexing_slicing, reason = "indices are below the numbers of limbs and words")]

// An instruction a line.
#[rustfmt::skip]
#[macro_use]
mod steps;

use core::arch::asm;
use core::arch::x86_64::__m256i;
use core::mem::{MaybeUninit, offset_of};

use super::constants::{FOLDED, FOLDS, LIMB, Limbs, MINUS_INVERSE, P};
use super::doubles::{HIGH, LOW, besides};
use super::field::{PRODUCT_WORDS, of_mixed, of_product, of_reduction, of_squares};
use super::lanes::LIMBS;

/// Eight words: of lanes 0 to 3, and of lanes 4 to 7.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Eight(pub(super) [__m256i; 2]);

/// Eight field elements, limb by limb.
type Elements = [Eight; LIMBS];

// What the steps know as numbers.
const _: () = {
    assert!(size_of::<Eight>() == 64 && size_of::<Doubles>() == 256 && FOLDED == 6 && LIMBS == 8);
    assert!(offset_of!(Constants, rows) == 0 && offset_of!(Scratch, b) == 0);
};

/// The same word four times.
type Four = [u64; 4];

/// The doubles of a number's limbs.
type Doubles = [Four; LIMBS];

/// What the assembly reads.
#[repr(C, align(64))]
struct Constants {
    /// Of folds, and p behind them.
    rows: [Doubles; FOLDED + 1],
    /// What the words of a product begin with: minus what encodings add besides their halves.
    words: [Four; PRODUCT_WORDS],
    /// What those of a square begin with before they are doubled.
    square: [Four; PRODUCT_WORDS],
    /// 2^104.
    high: Four,
    /// 2^104 + 2^52.
    both: Four,
    /// 2^52.
    low: Four,
    /// The bits of a limb.
    limb: Four,
    /// -1 / p modulo 2^52, a double.
    inverse: Four,
    /// The control register: all exceptions masked, rounding towards zero.
    rounding: u32,
}

const fn double(integer: u64) -> Four {
    [(integer as f64).to_bits(); 4]
}

const fn doubles(limbs: &Limbs) -> Doubles {
    let mut doubles = [[0; 4]; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        doubles[i] = double(limbs[i]);
        i += 1;
    }
    doubles
}

static CONSTANTS: Constants = Constants {
    rows: {
        let mut rows = [doubles(&P); FOLDED + 1];
        let mut i = 0;
        while i < FOLDED {
            rows[i] = doubles(&FOLDS[i]);
            i += 1;
        }
        rows
    },
    words: {
        let mut words = [[0; 4]; PRODUCT_WORDS];
        let mut i = 0;
        while i < PRODUCT_WORDS {
            let counts = of_product(i).and(of_reduction(i));
            words[i] = [besides(counts.lows, counts.highs); 4];
            i += 1;
        }
        words
    },
    square: {
        let mut words = [[0; 4]; PRODUCT_WORDS];
        let mut i = 0;
        while i < PRODUCT_WORDS {
            let (mixed, others) = (of_mixed(i), of_squares(i).and(of_reduction(i)));
            // An even number, half of which is doubled.
            let rest = besides(others.lows, others.highs) >> 1;
            words[i] = [besides(mixed.lows, mixed.highs).wrapping_add(rest); 4];
            i += 1;
        }
        words
    },
    high: [HIGH.to_bits(); 4],
    both: [(HIGH + LOW).to_bits(); 4],
    low: [LOW.to_bits(); 4],
    limb: [LIMB; 4],
    inverse: double(MINUS_INVERSE),
    rounding: 0x7f80,
};

/// What the assembly writes and reads again.
#[repr(C, align(64))]
struct Scratch {
    /// The limbs of b.
    b: Doubles,
    /// Limbs to be folded, and the multiples of p.
    factors: Doubles,
    /// Words 6 and 7.
    middle: [Four; 2],
    /// Word 15.
    last: Four,
    /// The control register as it was.
    control: u32,
}

/// A function of two factors, whose rows these are: four lanes, and then the other four.
macro_rules! of_rows {
    ($name:ident, $rows:expr) => {
        #[target_feature(enable = "avx2,fma")]
        fn $name(a: &Elements, b: &Elements) -> Elements {
            let mut out = MaybeUninit::<Elements>::uninit();
            let mut scratch = MaybeUninit::<Scratch>::uninit();
            // SAFETY: the assembly reads the constants, a and b, eight times two vectors of 32
            // bytes each; it reads nothing of the scratch memory that it has not written, and
            // writes all of `out`. All are aligned as vectors must be. In the end the control
            // register is as it was.
            unsafe {
                asm!(
                    "vstmxcsr [{s} + {CONTROL}]",
                    "vldmxcsr [{k} + {ROUNDING}]",
                    "vmovapd {high}, [{k} + {HIGH}]",
                    "vmovapd {both}, [{k} + {BOTH}]",
                    ".p2align 6",
                    "2:",
                    $rows,
                    reduction!(),
                    "add {a}, 32",
                    "add {b}, 32",
                    "add {out}, 32",
                    "sub {halves:e}, 1",
                    "jnz 2b",
                    "vldmxcsr [{s} + {CONTROL}]",
                    // An assembler's comment: each operand must occur, and a square has no use for
                    // two of these, a product for one.
                    "/* {WORDS} {SQUARE} {MIDDLE} */",
                    a = inout(reg) a.as_ptr() => _,
                    b = inout(reg) b.as_ptr() => _,
                    out = inout(reg) out.as_mut_ptr() => _,
                    s = in(reg) scratch.as_mut_ptr(),
                    k = in(reg) &raw const CONSTANTS,
                    halves = inout(reg) 2 => _,
                    i = out(reg) _, words = out(reg) _, kept = out(reg) _, row = out(reg) _,
                    c0 = out(ymm_reg) _, c1 = out(ymm_reg) _, c2 = out(ymm_reg) _,
                    c3 = out(ymm_reg) _, c4 = out(ymm_reg) _, c5 = out(ymm_reg) _,
                    c6 = out(ymm_reg) _, c7 = out(ymm_reg) _, c8 = out(ymm_reg) _,
                    x = out(ymm_reg) _, high = out(ymm_reg) _, both = out(ymm_reg) _,
                    t0 = out(ymm_reg) _, t1 = out(ymm_reg) _, u0 = out(ymm_reg) _, u1 = out(ymm_reg) _,
                    P = const offset_of!(Constants, rows) + FOLDED * size_of::<Doubles>(),
                    WORDS = const offset_of!(Constants, words),
                    SQUARE = const offset_of!(Constants, square),
                    HIGH = const offset_of!(Constants, high),
                    BOTH = const offset_of!(Constants, both),
                    LOW = const offset_of!(Constants, low),
                    LIMB = const offset_of!(Constants, limb),
                    INVERSE = const offset_of!(Constants, inverse),
                    ROUNDING = const offset_of!(Constants, rounding),
                    FACTORS = const offset_of!(Scratch, factors),
                    MIDDLE = const offset_of!(Scratch, middle),
                    LAST = const offset_of!(Scratch, last),
                    CONTROL = const offset_of!(Scratch, control),
                    options(nostack)
                );
                out.assume_init()
            }
        }
    };
}

of_rows!(product_in_registers, rows_of_product!());
of_rows!(square_in_registers, rows_of_square!());

/// a b / R: [`super::field::product`]. This function has no target feature: rustc 1.95 hands
/// `#[inline(never)]` on for such ones only, and a copy in each place takes 1.7 kB.
///
/// # Safety
/// The processor has AVX2 and FMA.
#[inline(never)]
pub(super) unsafe fn product(a: &Elements, b: &Elements) -> Elements {
    // SAFETY: as the caller promises.
    unsafe { product_in_registers(a, b) }
}

/// a² / R: [`super::field::square`].
///
/// # Safety
/// That of [`product`].
#[inline(never)]
pub(super) unsafe fn square(a: &Elements) -> Elements {
    // SAFETY: as the caller promises.
    unsafe { square_in_registers(a, a) }
}
