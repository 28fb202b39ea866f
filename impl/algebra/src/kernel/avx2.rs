//! The lanes on processors with AVX2 and FMA: a vector is two registers of four words.
//!
//! Products of field elements are those of [`super::assembly`]; single halves of products of limbs,
//! which little else needs, are had from integers.
#![allow(unsafe_code)]
#![allow(clippy::indexing_slicing, reason = "a vector has two halves, a row six words")]

use core::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_cvtsi64_si128, _mm_loadu_si128, _mm_prefetch, _mm256_add_epi64, _mm256_and_si256,
    _mm256_blendv_epi8, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_loadu_si256, _mm256_movemask_pd,
    _mm256_mul_epu32, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_set_epi64x,
    _mm256_set_m128i, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sll_epi64, _mm256_slli_epi64, _mm256_srl_epi64,
    _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_epi64, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
    _mm256_xor_si256,
};
use core::mem::MaybeUninit;

use super::assembly::{self, Eight};
use super::constants::LIMB;
use super::lanes::{Element, LANES, LIMB_BITS, Lanes, WORDS, Work};

/// The instance: a value of it exists only where the processor and the system have the
/// instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Half the bits of a limb, and they.
const HALF_BITS: i32 = LIMB_BITS as i32 / 2;
const HALF: i64 = (1 << HALF_BITS) - 1;

impl Avx2 {
    /// The instance, if this processor has it.
    pub(crate) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }
}

impl Eight {
    /// f of each half.
    #[inline(always)]
    fn map(self, f: impl Fn(__m256i) -> __m256i) -> Self {
        Self([f(self.0[0]), f(self.0[1])])
    }

    /// f of the same half of both.
    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(__m256i, __m256i) -> __m256i) -> Self {
        Self([f(self.0[0], other.0[0]), f(self.0[1], other.0[1])])
    }
}

// SAFETY of the blocks below: `self` exists, so the processor has AVX2 and FMA. The intrinsics but
// for loads and stores read and write registers only.
impl Lanes for Avx2 {
    type Vector = Eight;

    #[inline(always)]
    fn splat(self, word: u64) -> Eight {
        // SAFETY: see above.
        Eight([unsafe { _mm256_set1_epi64x(word as i64) }; 2])
    }

    #[inline(always)]
    fn to_words(self, vector: Eight) -> [u64; LANES] {
        let mut words = [0u64; LANES];
        for (four, half) in words.chunks_exact_mut(LANES / 2).zip(vector.0) {
            // SAFETY: see above; the 32 bytes that are written, at any alignment, are those of the
            // four words.
            unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), half) };
        }
        words
    }

    #[inline(always)]
    fn transposed(self, rows: [&[u64; WORDS]; LANES]) -> [Eight; WORDS] {
        let [a, b, c, d, e, f, g, h] = rows;
        // SAFETY: see above.
        let (low, high) = unsafe { (transposed([a, b, c, d]), transposed([e, f, g, h])) };
        core::array::from_fn(|word| Eight([low[word], high[word]]))
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
    fn add(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        a.with(b, |a, b| unsafe { _mm256_add_epi64(a, b) })
    }

    #[inline(always)]
    fn subtract(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        a.with(b, |a, b| unsafe { _mm256_sub_epi64(a, b) })
    }

    #[inline(always)]
    fn and(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        a.with(b, |a, b| unsafe { _mm256_and_si256(a, b) })
    }

    #[inline(always)]
    fn or(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        a.with(b, |a, b| unsafe { _mm256_or_si256(a, b) })
    }

    #[inline(always)]
    fn shift_left(self, a: Eight, bits: u32) -> Eight {
        // SAFETY: see above.
        a.map(|a| unsafe { _mm256_sll_epi64(a, _mm_cvtsi64_si128(i64::from(bits))) })
    }

    #[inline(always)]
    fn shift_right(self, a: Eight, bits: u32) -> Eight {
        // SAFETY: see above.
        a.map(|a| unsafe { _mm256_srl_epi64(a, _mm_cvtsi64_si128(i64::from(bits))) })
    }

    #[inline(always)]
    fn carry(self, a: Eight) -> Eight {
        // Twelve bits are left, whose first is their sign.
        const SIGN: i64 = 1 << (63 - LIMB_BITS);
        // SAFETY: see above.
        a.map(|a| unsafe {
            let (bits, sign) = (_mm256_srli_epi64::<{ LIMB_BITS as i32 }>(a), _mm256_set1_epi64x(SIGN));
            _mm256_sub_epi64(_mm256_xor_si256(bits, sign), sign)
        })
    }

    #[inline(always)]
    fn add_low_product(self, sum: Eight, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        self.add(sum, a.with(b, |a, b| unsafe { halves(a, b).0 }))
    }

    #[inline(always)]
    fn add_high_product(self, sum: Eight, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        self.add(sum, a.with(b, |a, b| unsafe { halves(a, b).1 }))
    }

    #[inline(always)]
    fn select(self, lanes: u8, a: Eight, b: Eight) -> Eight {
        // SAFETY: see above.
        let chosen = |bits: u8| unsafe {
            let each = _mm256_set_epi64x(8, 4, 2, 1);
            _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(bits)), each), each)
        };
        let masks = Eight([chosen(lanes), chosen(lanes >> (LANES / 2))]);
        // SAFETY: see above.
        let pick = |half: usize| unsafe { _mm256_blendv_epi8(b.0[half], a.0[half], masks.0[half]) };
        Eight([pick(0), pick(1)])
    }

    #[inline(always)]
    fn zeros(self, a: Eight) -> u8 {
        // SAFETY: see above.
        let bits = a.0.map(|half| unsafe {
            _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(half, _mm256_setzero_si256())))
        });
        (bits[0] | bits[1] << (LANES / 2)) as u8
    }

    #[inline(always)]
    fn swapped(self, a: Eight, distance: usize) -> Eight {
        match distance {
            // SAFETY: see above.
            1 => a.map(|half| unsafe { _mm256_permute4x64_epi64::<0b10_11_00_01>(half) }),
            // SAFETY: see above.
            2 => a.map(|half| unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(half) }),
            _ => Eight([a.0[1], a.0[0]]),
        }
    }

    #[inline(always)]
    fn product(self, a: &Element<Self>, b: &Element<Self>) -> Element<Self> {
        let mut to = MaybeUninit::uninit();
        // SAFETY: see above; all of the product is written.
        vector_by_vector(unsafe {
            assembly::product(to.as_mut_ptr(), a, b);
            to.assume_init()
        })
    }

    #[inline(always)]
    fn square(self, a: &Element<Self>) -> Element<Self> {
        let mut to = MaybeUninit::uninit();
        // SAFETY: see above; all of the square is written.
        vector_by_vector(unsafe {
            assembly::square(to.as_mut_ptr(), a);
            to.assume_init()
        })
    }

    #[inline(always)]
    fn set_product(self, to: &mut Element<Self>, a: &Element<Self>, b: &Element<Self>) {
        // SAFETY: see above.
        unsafe { assembly::product(to, a, b) }
    }

    #[inline(always)]
    fn multiply(self, a: &mut Element<Self>, b: &Element<Self>) {
        let a: *mut Element<Self> = a;
        // SAFETY: see above; the product may stand where a factor is.
        unsafe { assembly::product(a, a, b) }
    }

    #[inline(always)]
    fn set_square(self, to: &mut Element<Self>, a: &Element<Self>) {
        // SAFETY: see above.
        unsafe { assembly::square(to, a) }
    }

    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        // SAFETY: see above.
        unsafe { run(self, work) }
    }
}

/// The same element, which the compiler now moves by vectors. As a whole it is 512 bytes, which it
/// moves by calls of `memcpy`; that of the static program writes sixteen bytes at a time, and a
/// vector that is read soon after two such writes waits for both to reach the cache.
#[inline(always)]
fn vector_by_vector(element: Element<Avx2>) -> Element<Avx2> {
    element.map(|vector| vector.map(|half| half))
}

#[target_feature(enable = "avx2,fma")]
fn run<W: Work<Avx2>>(lanes: Avx2, work: W) -> W::Output {
    work.run(lanes)
}

/// The lower and the upper half of a product of limbs, from halves of the limbs.
#[target_feature(enable = "avx2")]
#[inline]
fn halves(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (half, limb) = (_mm256_set1_epi64x(HALF), _mm256_set1_epi64x(LIMB as i64));
    let split = |a| (_mm256_and_si256(a, half), _mm256_srli_epi64::<HALF_BITS>(_mm256_and_si256(a, limb)));
    let ((a_low, a_high), (b_low, b_high)) = (split(a), split(b));
    let lowest = _mm256_mul_epu32(a_low, b_low);
    let middle = _mm256_add_epi64(_mm256_mul_epu32(a_low, b_high), _mm256_mul_epu32(a_high, b_low));
    let above = _mm256_add_epi64(middle, _mm256_srli_epi64::<HALF_BITS>(lowest));
    let high = _mm256_add_epi64(_mm256_mul_epu32(a_high, b_high), _mm256_srli_epi64::<HALF_BITS>(above));
    let low =
        _mm256_or_si256(_mm256_slli_epi64::<HALF_BITS>(_mm256_and_si256(above, half)), _mm256_and_si256(lowest, half));
    (low, high)
}

#[target_feature(enable = "avx2")]
#[inline]
fn transposed(rows: [&[u64; WORDS]; 4]) -> [__m256i; WORDS] {
    let [a, b, c, d] = rows.map(|row| four_and_two(row));
    // Words of two rows side by side: 0 and 2, 1 and 3.
    let even = (_mm256_unpacklo_epi64(a.0, b.0), _mm256_unpacklo_epi64(c.0, d.0));
    let odd = (_mm256_unpackhi_epi64(a.0, b.0), _mm256_unpackhi_epi64(c.0, d.0));
    // Words 4 and 5 of rows a and c, b and d.
    let (ac, bd) = (_mm256_set_m128i(c.1, a.1), _mm256_set_m128i(d.1, b.1));
    [
        _mm256_permute2x128_si256::<0x20>(even.0, even.1),
        _mm256_permute2x128_si256::<0x20>(odd.0, odd.1),
        _mm256_permute2x128_si256::<0x31>(even.0, even.1),
        _mm256_permute2x128_si256::<0x31>(odd.0, odd.1),
        _mm256_unpacklo_epi64(ac, bd),
        _mm256_unpackhi_epi64(ac, bd),
    ]
}

/// The first four words of a row, and the last two.
#[target_feature(enable = "avx2")]
#[inline]
fn four_and_two(words: &[u64; WORDS]) -> (__m256i, core::arch::x86_64::__m128i) {
    let (four, two) = words.split_at(4);
    // SAFETY: the words of the array are read, at any alignment.
    unsafe { (_mm256_loadu_si256(four.as_ptr().cast()), _mm_loadu_si128(two.as_ptr().cast())) }
}
