//! The lanes on processors with AVX-512 IFMA: a vector is one register.
//!
//! All `unsafe` of the kernel is here. The instructions are those of AVX-512F, and
//! `vpmadd52luq` and `vpmadd52huq` of AVX-512 IFMA.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_add_epi64, _mm512_and_si512, _mm512_madd52hi_epu64,
    _mm512_madd52lo_epu64, _mm512_mask_blend_epi64, _mm512_maskz_loadu_epi64, _mm512_or_si512, _mm512_permutex_epi64,
    _mm512_set1_epi64, _mm512_shuffle_i64x2, _mm512_sllv_epi64, _mm512_srai_epi64, _mm512_srlv_epi64,
    _mm512_storeu_si512, _mm512_sub_epi64, _mm512_testn_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::field;
use super::lanes::{Element, LANES, LIMB_BITS, Lanes, WORDS, Work};

/// The instance: a value of it exists only where the processor and the system have the
/// instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ifma(());

impl Ifma {
    /// The instance, if this processor has it.
    pub(crate) fn detect() -> Option<Self> {
        let there = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512ifma");
        there.then_some(Self(()))
    }
}

/// The lowest six words of a row.
const ROW: u8 = (1 << WORDS) - 1;

// SAFETY of the blocks below: `self` exists, so the processor has AVX-512F and AVX-512 IFMA. The
// intrinsics but for loads and stores read and write registers only.
impl Lanes for Ifma {
    type Vector = __m512i;

    #[inline(always)]
    fn splat(self, word: u64) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_set1_epi64(word as i64) }
    }

    #[inline(always)]
    fn to_words(self, vector: __m512i) -> [u64; LANES] {
        let mut words = [0; LANES];
        // SAFETY: see above; the 64 bytes that are written, at any alignment, are those of the
        // array.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) };
        words
    }

    #[inline(always)]
    fn transposed(self, rows: [&[u64; WORDS]; LANES]) -> [__m512i; WORDS] {
        // SAFETY: see above.
        unsafe { transposed(rows) }
    }

    #[inline(always)]
    fn prefetch(self, words: &[u64; WORDS]) {
        let [first, .., last] = words;
        for word in [first, last] {
            // SAFETY: a prefetch reads nothing that the program could see, and faults nowhere.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(word).cast()) };
        }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_add_epi64(a, b) }
    }

    #[inline(always)]
    fn subtract(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_sub_epi64(a, b) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn shift_left(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_sllv_epi64(a, _mm512_set1_epi64(i64::from(bits))) }
    }

    #[inline(always)]
    fn shift_right(self, a: __m512i, bits: u32) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_srlv_epi64(a, _mm512_set1_epi64(i64::from(bits))) }
    }

    #[inline(always)]
    fn carry(self, a: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_srai_epi64::<LIMB_BITS>(a) }
    }

    #[inline(always)]
    fn add_low_product(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_madd52lo_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn add_high_product(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_madd52hi_epu64(sum, a, b) }
    }

    #[inline(always)]
    fn select(self, lanes: u8, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: see above.
        unsafe { _mm512_mask_blend_epi64(lanes, b, a) }
    }

    #[inline(always)]
    fn zeros(self, a: __m512i) -> u8 {
        // SAFETY: see above.
        unsafe { _mm512_testn_epi64_mask(a, a) }
    }

    #[inline(always)]
    fn swapped(self, a: __m512i, distance: usize) -> __m512i {
        // SAFETY: see above.
        unsafe {
            match distance {
                1 => _mm512_permutex_epi64::<0b10_11_00_01>(a),
                2 => _mm512_permutex_epi64::<0b01_00_11_10>(a),
                _ => _mm512_shuffle_i64x2::<0b01_00_11_10>(a, a),
            }
        }
    }

    #[inline(always)]
    fn product(self, a: &Element<Self>, b: &Element<Self>) -> Element<Self> {
        // SAFETY: see above.
        unsafe { product(self, a, b) }
    }

    #[inline(always)]
    fn square(self, a: &Element<Self>) -> Element<Self> {
        // SAFETY: see above.
        unsafe { square(self, a) }
    }

    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        // SAFETY: see above.
        unsafe { run(self, work) }
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn transposed(rows: [&[u64; WORDS]; LANES]) -> [__m512i; WORDS] {
    let [a, b, c, d, e, f, g, h] = rows;
    let (a, b, c, d) = (row(a), row(b), row(c), row(d));
    let (e, f, g, h) = (row(e), row(f), row(g), row(h));
    // Words 0, 2, 4 of two rows side by side, and words 1, 3, 5.
    let even = [
        _mm512_unpacklo_epi64(a, b),
        _mm512_unpacklo_epi64(c, d),
        _mm512_unpacklo_epi64(e, f),
        _mm512_unpacklo_epi64(g, h),
    ];
    let odd = [
        _mm512_unpackhi_epi64(a, b),
        _mm512_unpackhi_epi64(c, d),
        _mm512_unpackhi_epi64(e, f),
        _mm512_unpackhi_epi64(g, h),
    ];
    let ([w0, w2, w4], [w1, w3, w5]) = (columns(even), columns(odd));
    [w0, w1, w2, w3, w4, w5]
}

/// Six words, and two zeros.
#[target_feature(enable = "avx512f")]
#[inline]
fn row(words: &[u64; WORDS]) -> __m512i {
    // SAFETY: the six words of the array are read, at any alignment: the mask leaves out the two
    // behind them.
    unsafe { _mm512_maskz_loadu_epi64(ROW, words.as_ptr().cast()) }
}

/// From four vectors, the i-th with pairs of words p_0, p_1, p_2, p_3 of rows 2i and 2i + 1: the
/// vectors of p_0, p_1 and p_2 of all rows.
#[target_feature(enable = "avx512f")]
#[inline]
fn columns(pairs: [__m512i; 4]) -> [__m512i; 3] {
    let [a, b, c, d] = pairs;
    // Numbers in a shuffle: pairs 0 and 1 (or 2 and 3) of both operands.
    let (ab_low, cd_low) = (_mm512_shuffle_i64x2::<0b01_00_01_00>(a, b), _mm512_shuffle_i64x2::<0b01_00_01_00>(c, d));
    let (ab_high, cd_high) = (_mm512_shuffle_i64x2::<0b11_10_11_10>(a, b), _mm512_shuffle_i64x2::<0b11_10_11_10>(c, d));
    [
        _mm512_shuffle_i64x2::<0b10_00_10_00>(ab_low, cd_low),
        _mm512_shuffle_i64x2::<0b11_01_11_01>(ab_low, cd_low),
        _mm512_shuffle_i64x2::<0b10_00_10_00>(ab_high, cd_high),
    ]
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
