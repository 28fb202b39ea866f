//! Products of limbs by floating-point arithmetic, for processors with AVX-512F and without IFMA.
//!
//! A limb is an integer below 2^52, which a double holds exactly, and a fused multiply-add rounds
//! only once. So for limbs a and b, rounding down,
//!
//! * h = a b + 2^104 lies in [2^104, 2^105), where doubles are 2^52 apart: h = 2^104 + 2^52
//!   floor(a b / 2^52), and the lowest 52 bits of its encoding are the upper half of the product;
//! * 2^104 + 2^52 - h is a multiple of 2^52 of at most 53 bits, hence exact, and so is l = a b +
//!   (2^104 + 2^52 - h) = 2^52 + (a b mod 2^52), which lies in [2^52, 2^53), where doubles are 1
//!   apart: the lowest 52 bits of its encoding are the lower half.
//!
//! Both are the very halves that IFMA has, so that all that is proved and tested of its words holds
//! of these. (Both halves are had so in F. Emmart, J. Zheng, C. Weems, "Faster modular
//! exponentiation using double precision floating point arithmetic on the GPU", ARITH 2018.) Where
//! a limb occurs in several products, the compiler makes one double of it; so it does with h.
//!
//! Operands are zeros and integers below 2^105, never denormal, and only h is rounded (with AVX2
//! there may be what is no number in lanes that nobody reads). Makers of
//! processors do not promise that the time of such instructions is the same for all values, so
//! secrets are kept away from them (`multiply_secret`).
//!
//! The upper twelve bits of an encoding are those of 2^104 or 2^52. Where halves are gathered in a
//! word, encodings are added as they are, and all of those bits together are taken away beforehand,
//! modulo 2^64.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::{
    __m512d, __m512i, _MM_FROUND_NO_EXC, _MM_FROUND_TO_ZERO, _mm512_add_epi64, _mm512_and_si512, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_fmadd_pd, _mm512_fmadd_round_pd, _mm512_or_si512, _mm512_set1_epi64, _mm512_set1_pd,
    _mm512_sub_epi64, _mm512_sub_pd,
};

use super::avx512::{Avx512, LimbProducts};
use super::constants::LIMB;
use super::field;
use super::lanes::{Element, LIMB_BITS, Work};

/// The instance: a value of it exists only where the processor and the system have the
/// instructions.
pub(crate) type Doubles = Avx512<FusedDoubles>;

/// A fused multiply-add for each half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FusedDoubles(());

/// 2^52.
pub(super) const LOW: f64 = (1u64 << LIMB_BITS) as f64;
/// 2^104.
pub(super) const HIGH: f64 = LOW * LOW;

/// Minus what so many encodings of lower and upper halves add besides them.
pub(super) const fn besides(lows: u64, highs: u64) -> u64 {
    LOW.to_bits().wrapping_mul(lows).wrapping_add(HIGH.to_bits().wrapping_mul(highs)).wrapping_neg()
}

/// Down, for what is positive; said in the instruction, whatever the thread's rounding is.
const ROUNDING: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

impl Doubles {
    /// The instance, if this processor has it.
    pub(crate) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Avx512(FusedDoubles(())))
    }
}

// SAFETY, of the blocks below too: a value of `FusedDoubles` exists, so the processor has AVX-512F.
// The intrinsics read and write registers only.
unsafe impl LimbProducts for FusedDoubles {
    #[inline(always)]
    fn add_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_add_epi64(sum, above(low(a, b), LOW)) }
    }

    #[inline(always)]
    fn add_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_add_epi64(sum, above(high(double(a), double(b)), HIGH)) }
    }

    #[inline(always)]
    fn gathering(self, lows: u64, highs: u64) -> u64 {
        besides(lows, highs)
    }

    #[inline(always)]
    fn gather_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { with_encoding(sum, low(a, b)) }
    }

    #[inline(always)]
    fn gather_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { with_encoding(sum, high(double(a), double(b))) }
    }

    #[inline(always)]
    fn product(lanes: Avx512<Self>, a: &Element<Avx512<Self>>, b: &Element<Avx512<Self>>) -> Element<Avx512<Self>> {
        // SAFETY: see above.
        unsafe { product(lanes, a, b) }
    }

    #[inline(always)]
    fn square(lanes: Avx512<Self>, a: &Element<Avx512<Self>>) -> Element<Avx512<Self>> {
        // SAFETY: see above.
        unsafe { square(lanes, a) }
    }

    fn run<W: Work<Avx512<Self>>>(lanes: Avx512<Self>, work: W) -> W::Output {
        // SAFETY: see above.
        unsafe { run(lanes, work) }
    }
}

#[target_feature(enable = "avx512f")]
#[inline(never)]
fn product(lanes: Doubles, a: &Element<Doubles>, b: &Element<Doubles>) -> Element<Doubles> {
    field::product(lanes, a, b)
}

#[target_feature(enable = "avx512f")]
#[inline(never)]
fn square(lanes: Doubles, a: &Element<Doubles>) -> Element<Doubles> {
    field::square(lanes, a)
}

#[target_feature(enable = "avx512f")]
fn run<W: Work<Doubles>>(lanes: Doubles, work: W) -> W::Output {
    work.run(lanes)
}

/// The lowest 52 bits of words, as doubles: 2^52 and they, encoded, less 2^52.
#[target_feature(enable = "avx512f")]
#[inline]
fn double(a: __m512i) -> __m512d {
    let low = _mm512_set1_pd(LOW);
    let limb = _mm512_and_si512(a, _mm512_set1_epi64(LIMB as i64));
    _mm512_sub_pd(_mm512_castsi512_pd(_mm512_or_si512(limb, _mm512_castpd_si512(low))), low)
}

/// The encodings of doubles, less that of another.
#[target_feature(enable = "avx512f")]
#[inline]
fn above(doubles: __m512d, other: f64) -> __m512i {
    _mm512_sub_epi64(_mm512_castpd_si512(doubles), _mm512_set1_epi64(other.to_bits() as i64))
}

/// A sum and the encodings of doubles. In assembly, because LLVM otherwise reassociates the integer
/// additions, keeps all terms of a word until the last one is there, and spills: a product then
/// takes half as long again.
#[target_feature(enable = "avx512f")]
#[inline]
fn with_encoding(mut sum: __m512i, doubles: __m512d) -> __m512i {
    // SAFETY: an instruction of AVX-512F that reads and writes the registers that it names.
    unsafe {
        asm!(
            "vpaddq {sum}, {sum}, {doubles}",
            sum = inout(zmm_reg) sum,
            doubles = in(zmm_reg) doubles,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    sum
}

/// h of the module's text.
#[target_feature(enable = "avx512f")]
#[inline]
fn high(a: __m512d, b: __m512d) -> __m512d {
    _mm512_fmadd_round_pd::<ROUNDING>(a, b, _mm512_set1_pd(HIGH))
}

/// l of the module's text.
#[target_feature(enable = "avx512f")]
#[inline]
fn low(a: __m512i, b: __m512i) -> __m512d {
    let (a, b) = (double(a), double(b));
    let without_high = _mm512_sub_pd(_mm512_set1_pd(HIGH + LOW), high(a, b));
    _mm512_fmadd_pd(a, b, without_high)
}
