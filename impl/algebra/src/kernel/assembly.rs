//! Products of field elements by fused multiply-adds of doubles, for processors with AVX2 and FMA.
//!
//! What [`super::doubles`] does with AVX-512 is done here in sixteen registers of four words, with
//! the same halves of products of limbs, so that all that is proved and tested of the words of
//! [`super::field`] holds of these. Two things differ.
//!
//! * **Rounding.** These instructions round as the thread's control register says. It is set to
//!   round towards zero where the assembly begins, and as it was where it ends.
//! * **Registers.** Nine words that products are added to, two factors, two constants and three
//!   temporaries fill all sixteen. A compiler keeps more products in flight and spills: what it
//!   made of the same steps took 34 ns a product, and this takes 19. Hence assembly.
//!
//! **Order.** Of four lanes, first the rows of a product, the limbs of b times limb i of a. Row i
//! adds to words i to i + 8; the register of word i goes to word i + 9. Words 0 to 5 are made
//! limbs, and carried, as they leave, and what a limb adds to words 6 to 8 when it is folded is
//! added in the row after. Then come the other parts of the folds and the two rounds of
//! Montgomery's.
//!
//! A processor takes instructions in their order, and stops when as many registers as it has,
//! 160 on Zen 3, wait for their values, 25 products of limbs. So what waits for what is before it
//! stands far behind that: the four steps to each multiple m of p are scattered among parts of the
//! folds, which wait for nothing. With the steps side by side a product took 21 ns.
//!
//! **Size.** A product and a square take 7 kB of instructions together: they share the reduction,
//! and the numbers of a row are within a byte's reach of its pointer. As two functions of 15 kB
//! they were as fast alone, but a point times a scalar took a fifth longer.
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
pub(super) type Elements = [Eight; LIMBS];

// What the steps know as numbers.
const _: () = {
    assert!(size_of::<Eight>() == 64 && size_of::<Doubles>() == 256 && FOLDED == 6 && LIMBS == 8);
    assert!(MIDDLE == 128 && offset_of!(Scratch, b) == 0);
};

/// The same word four times.
type Four = [u64; 4];

/// The doubles of a number's limbs.
type Doubles = [Four; LIMBS];

/// Bytes of a row before its middle.
const MIDDLE: usize = size_of::<Doubles>() / 2;

/// What the assembly reads, first what it reads often.
#[repr(C, align(64))]
struct Constants {
    /// 2^52.
    low: Four,
    /// The bits of a limb.
    limb: Four,
    /// -1 / p modulo 2^52, a double.
    inverse: Four,
    /// 2^104.
    high: Four,
    /// 2^104 + 2^52.
    both: Four,
    /// What the words of a product begin with: minus what encodings add besides their halves.
    words: [Four; PRODUCT_WORDS],
    /// What those of a square begin with before they are doubled.
    square: [Four; PRODUCT_WORDS],
    /// Of folds, and p behind them.
    rows: [Doubles; FOLDED + 1],
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
    low: [LOW.to_bits(); 4],
    limb: [LIMB; 4],
    inverse: double(MINUS_INVERSE),
    high: [HIGH.to_bits(); 4],
    both: [(HIGH + LOW).to_bits(); 4],
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
    rows: {
        let mut rows = [doubles(&P); FOLDED + 1];
        let mut i = 0;
        while i < FOLDED {
            rows[i] = doubles(&FOLDS[i]);
            i += 1;
        }
        rows
    },
    rounding: 0x7f80,
};

/// What the assembly writes and reads again.
#[repr(C, align(64))]
struct Scratch {
    /// The limbs of b.
    b: Doubles,
    /// Limbs to be folded.
    factors: [Four; FOLDED],
    /// Word 15.
    last: Four,
    /// The control register as it was.
    control: u32,
}

/// a b / R, or a² / R where `square` is 1 and b is a: four lanes, and then the other four. One
/// function for both, since that is less to keep in the processor's caches of instructions.
///
/// # Safety
/// a and b can be read and `to` can be written, which is one of them or overlaps neither.
#[target_feature(enable = "avx2,fma")]
unsafe fn in_registers(to: *mut Elements, a: *const Elements, b: *const Elements, square: u32) {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    // SAFETY: the assembly reads the constants, a and b, eight times two vectors of 32 bytes each;
    // it reads nothing of the scratch memory that it has not written, and writes all of `to`, four
    // lanes of it once it has read those of a and b. All are aligned as vectors must be. In the end
    // the control register is as it was.
    unsafe {
        asm!(
            "vstmxcsr [{s} + {CONTROL}]",
            "vldmxcsr [{k} + {ROUNDING}]",
            "vmovapd {high}, [{k} + {HIGH}]",
            "vmovapd {both}, [{k} + {BOTH}]",
            "lea {p}, [{k} + {P}]",
            limbs_in!("{b}"),
            ".p2align 6",
            "2:",
            "lea {row}, [{k} + {ROWS}]",
            "test {square:e}, {square:e}",
            "jnz 3f",
            rows_of_product!(),
            "jmp 4f",
            "3:",
            rows_of_square!(),
            "4:",
            reduction!(concat!(
                // The stored limbs of the other four lanes.
                "cmp {halves:e}, 1\n",
                "je 5f\n",
                limbs_in!("{b} + 32"),
                "5:\n",
            )),
            "add {a}, 32",
            "add {b}, 32",
            "add {out}, 32",
            "sub {halves:e}, 1",
            "jnz 2b",
            "vldmxcsr [{s} + {CONTROL}]",
            a = inout(reg) a => _,
            b = inout(reg) b => _,
            out = inout(reg) to => _,
            s = in(reg) scratch.as_mut_ptr().byte_add(MIDDLE),
            k = in(reg) &raw const CONSTANTS,
            square = in(reg) square,
            halves = inout(reg) 2 => _,
            row = out(reg) _, p = out(reg) _,
            // Instructions are shorter where these are the first eight registers.
            high = out(ymm_reg) _, both = out(ymm_reg) _, t0 = out(ymm_reg) _, t1 = out(ymm_reg) _,
            c0 = out(ymm_reg) _, c1 = out(ymm_reg) _, c2 = out(ymm_reg) _, c3 = out(ymm_reg) _,
            c4 = out(ymm_reg) _, c5 = out(ymm_reg) _, c6 = out(ymm_reg) _, c7 = out(ymm_reg) _,
            c8 = out(ymm_reg) _,
            x = out(ymm_reg) _, y = out(ymm_reg) _, t2 = out(ymm_reg) _,
            ROWS = const offset_of!(Constants, rows) + MIDDLE,
            P = const offset_of!(Constants, rows) + FOLDED * size_of::<Doubles>() + MIDDLE,
            WORDS = const offset_of!(Constants, words),
            SQUARE = const offset_of!(Constants, square),
            HIGH = const offset_of!(Constants, high),
            BOTH = const offset_of!(Constants, both),
            LOW = const offset_of!(Constants, low),
            LIMB = const offset_of!(Constants, limb),
            INVERSE = const offset_of!(Constants, inverse),
            ROUNDING = const offset_of!(Constants, rounding),
            FACTORS = const offset_of!(Scratch, factors) - MIDDLE,
            LAST = const offset_of!(Scratch, last) - MIDDLE,
            CONTROL = const offset_of!(Scratch, control) - MIDDLE,
            options(nostack)
        );
    }
}

/// `to` := a b / R: [`super::field::product`]. This function has no target feature: rustc 1.95
/// hands `#[inline(never)]` on for such ones only, and a copy in each place takes 7 kB.
///
/// # Safety
/// The processor has AVX2 and FMA. a and b can be read and `to` can be written, which is one of
/// them or overlaps neither.
#[inline(never)]
pub(super) unsafe fn product(to: *mut Elements, a: *const Elements, b: *const Elements) {
    // SAFETY: as the caller promises.
    unsafe { in_registers(to, a, b, 0) }
}

/// `to` := a² / R: [`super::field::square`].
///
/// # Safety
/// That of [`product`].
#[inline(never)]
pub(super) unsafe fn square(to: *mut Elements, a: *const Elements) {
    // SAFETY: as the caller promises.
    unsafe { in_registers(to, a, a, 1) }
}
