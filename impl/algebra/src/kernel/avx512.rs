//! The lanes on processors with AVX-512: a vector is one register.
//!
//! The instructions are those of AVX-512F, but for the two halves of a product of limbs, which
//! [`LimbProducts`] has: [`super::ifma`] by AVX-512 IFMA, [`super::doubles`] without it. All
//! `unsafe` of the kernel is in these three files, in [`super::avx2`] and in [`super::assembly`].
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m512i, _MM_HINT_T0, _mm_prefetch, _mm512_add_epi64, _mm512_and_si512, _mm512_mask_blend_epi64,
    _mm512_maskz_loadu_epi64, _mm512_or_si512, _mm512_permutex_epi64, _mm512_set1_epi64, _mm512_shuffle_i64x2,
    _mm512_sllv_epi64, _mm512_srai_epi64, _mm512_srlv_epi64, _mm512_storeu_si512, _mm512_sub_epi64,
    _mm512_testn_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use super::lanes::{Element, LANES, LIMB_BITS, Lanes, WORDS, Work};

/// How the halves of a product of limbs are had.
///
/// # Safety
/// A value exists only where the processor and the system have AVX-512F.
pub(crate) unsafe trait LimbProducts: Copy + Send + Sync + 'static {
    /// [`Lanes::add_low_product`].
    fn add_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
    /// [`Lanes::add_high_product`].
    fn add_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
    /// [`Lanes::gathering`].
    fn gathering(self, lows: u64, highs: u64) -> u64;
    /// [`Lanes::gather_low`].
    fn gather_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
    /// [`Lanes::gather_high`].
    fn gather_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
    /// [`super::field::product`], with all instructions allowed to the compiler.
    fn product(lanes: Avx512<Self>, a: &Element<Avx512<Self>>, b: &Element<Avx512<Self>>) -> Element<Avx512<Self>>;
    /// [`super::field::square`], with all instructions allowed to the compiler.
    fn square(lanes: Avx512<Self>, a: &Element<Avx512<Self>>) -> Element<Avx512<Self>>;
    /// Does some work with all instructions allowed to the compiler.
    fn run<W: Work<Avx512<Self>>>(lanes: Avx512<Self>, work: W) -> W::Output;
}

/// The instance with these products.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512<P>(pub(super) P);

/// The lowest six words of a row.
const ROW: u8 = (1 << WORDS) - 1;

// SAFETY of the blocks below: `self` exists, so the processor has AVX-512F. The intrinsics but for
// loads and stores read and write registers only.
impl<P: LimbProducts> Lanes for Avx512<P> {
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
    fn prefetch(self, x: &[u64; WORDS], y: &[u64; WORDS]) {
        // 48 bytes and 48 behind them lie in no other lines of 64 than these three words do.
        for word in [&x[0], &x[WORDS - 1], &y[WORDS - 1]] {
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
        self.0.add_low(sum, a, b)
    }

    #[inline(always)]
    fn add_high_product(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.0.add_high(sum, a, b)
    }

    #[inline(always)]
    fn gathering(self, lows: u64, highs: u64) -> __m512i {
        self.splat(self.0.gathering(lows, highs))
    }

    #[inline(always)]
    fn gather_low(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.0.gather_low(sum, a, b)
    }

    #[inline(always)]
    fn gather_high(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        self.0.gather_high(sum, a, b)
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
        P::product(self, a, b)
    }

    #[inline(always)]
    fn square(self, a: &Element<Self>) -> Element<Self> {
        P::square(self, a)
    }

    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        P::run(self, work)
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
