//! Products of limbs by `vpmadd52luq` and `vpmadd52huq` of AVX-512 IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::{__m512i, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64};

use super::avx512::{Avx512, LimbProducts};
use super::field;
use super::lanes::{Element, Work};

/// The instance: a value of it exists only where the processor and the system have the
/// instructions.
pub(crate) type Ifma = Avx512<Madd52>;

/// An instruction for each half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Madd52(());

impl Ifma {
    /// The instance, if this processor has it.
    pub(crate) fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma");
        there.then_some(Avx512(Madd52(())))
    }
}

// SAFETY, of the blocks below too: a value of `Madd52` exists, so the processor has AVX-512F and
// AVX-512 IFMA. The intrinsics read and write registers only.
unsafe impl LimbProducts for Madd52 {
    #[inline(always)]
    fn add_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_madd52lo_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn add_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_madd52hi_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn gathering(self, _lows: u64, _highs: u64) -> u64 {
        0
    }

    #[inline(always)]
    fn gather_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.add_low(sum, a, b)
    }

    #[inline(always)]
    fn gather_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.add_high(sum, a, b)
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

#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn product(lanes: Ifma, a: &Element<Ifma>, b: &Element<Ifma>) -> Element<Ifma> {
    field::product(lanes, a, b)
}

#[target_feature(enable = "avx512f,avx512ifma")]
#[inline(never)]
fn square(lanes: Ifma, a: &Element<Ifma>) -> Element<Ifma> {
    field::square(lanes, a)
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn run<W: Work<Ifma>>(lanes: Ifma, work: W) -> W::Output {
    work.run(lanes)
}
