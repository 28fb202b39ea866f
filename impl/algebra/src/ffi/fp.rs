//! Arithmetic in the base field F_p, and the coordinates of affine points.

use blst::{
    blst_fp, blst_fp_inverse, blst_fp_lshift, blst_fp_mul, blst_fp_mul_by_3, blst_fp_sqr, blst_fp_sub, blst_p1,
    blst_p1_affine,
};
use blstrs::{G1Affine, G1Projective};
use group::Group;

/// An element of F_p, reduced, in Montgomery form: equal limbs are equal elements.
pub(crate) type Fp = blst_fp;

/// p, lowest word first.
pub(crate) const MODULUS: [u64; 6] = [
    0xb9fe_ffff_ffff_aaab,
    0x1eab_fffe_b153_ffff,
    0x6730_d2a0_f6b0_f624,
    0x6477_4b84_f385_12bf,
    0x4b1b_a7b6_434b_acd7,
    0x1a01_11ea_397f_e69a,
];

/// 0.
pub(crate) const ZERO: Fp = from_montgomery([0; 6]);

/// The element with these limbs in Montgomery form, which the caller knows to be reduced.
pub(crate) const fn from_montgomery(limbs: [u64; 6]) -> Fp {
    Fp { l: limbs }
}

/// The operations of F_p.
///
/// The names in `set_` write a result straight to its place. A result that is returned is copied in
/// wider words than blst wrote it in, which the processor cannot forward from its store buffer: a
/// fifth of the time of an addition of points went there.
pub(crate) trait BaseField: Sized {
    fn is_zero(&self) -> bool;
    fn equals(&self, other: &Self) -> bool;
    fn set_difference(&mut self, a: &Self, b: &Self);
    fn set_product(&mut self, a: &Self, b: &Self);
    fn set_square(&mut self, a: &Self);
    fn set_double(&mut self, a: &Self);
    fn subtract(&mut self, other: &Self);
    fn multiply(&mut self, other: &Self);
    /// self becomes 3 self.
    fn triple(&mut self);
    /// 1 / self; 0 for 0.
    fn inverse(&self) -> Self;
}

impl BaseField for Fp {
    #[inline]
    fn is_zero(&self) -> bool {
        // Limb by limb: comparing arrays would call memcmp, which costs as much as an addition.
        self.l.iter().fold(0, |bits, limb| bits | limb) == 0
    }

    #[inline]
    fn equals(&self, other: &Self) -> bool {
        self.l.iter().zip(&other.l).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0
    }

    #[inline]
    fn set_difference(&mut self, a: &Self, b: &Self) {
        // SAFETY: here and below, each pointer comes from a reference to an element; the first is
        // written, the others read. blst allows its result to be an operand.
        unsafe { blst_fp_sub(self, a, b) };
    }

    #[inline]
    fn set_product(&mut self, a: &Self, b: &Self) {
        // SAFETY: as in `set_difference`.
        unsafe { blst_fp_mul(self, a, b) };
    }

    #[inline]
    fn set_square(&mut self, a: &Self) {
        // SAFETY: as in `set_difference`.
        unsafe { blst_fp_sqr(self, a) };
    }

    #[inline]
    fn set_double(&mut self, a: &Self) {
        // SAFETY: as in `set_difference`.
        unsafe { blst_fp_lshift(self, a, 1) };
    }

    #[inline]
    fn subtract(&mut self, other: &Self) {
        let result: *mut Self = self;
        // SAFETY: as in `set_difference`; `result` is valid for reading too.
        unsafe { blst_fp_sub(result, result, other) };
    }

    #[inline]
    fn multiply(&mut self, other: &Self) {
        let result: *mut Self = self;
        // SAFETY: as in `subtract`.
        unsafe { blst_fp_mul(result, result, other) };
    }

    #[inline]
    fn triple(&mut self) {
        let result: *mut Self = self;
        // SAFETY: as in `subtract`.
        unsafe { blst_fp_mul_by_3(result, result) };
    }

    fn inverse(&self) -> Self {
        let mut result = ZERO;
        // SAFETY: as in `set_difference`.
        unsafe { blst_fp_inverse(&mut result, self) };
        result
    }
}

/// The coordinates of a point; both are 0 for the point at infinity, and for no other.
#[inline]
pub(crate) fn coordinates(point: &G1Affine) -> (&Fp, &Fp) {
    let raw: &blst_p1_affine = point.as_ref();
    (&raw.x, &raw.y)
}

/// The coordinates of a point, to change: the caller leaves a point of the curve there, or (0, 0).
#[inline]
pub(crate) fn coordinates_mut(point: &mut G1Affine) -> (&mut Fp, &mut Fp) {
    let raw: &mut blst_p1_affine = point.as_mut();
    (&mut raw.x, &mut raw.y)
}

/// Has the bytes of points' coordinates filled in: x before y, the words of each, the lowest first,
/// little-endian. Says what `fill` says.
pub(crate) fn read_words(points: &mut [G1Affine], fill: impl FnOnce(&mut [u8]) -> bool) -> bool {
    const WORDS: usize = size_of::<blst_p1_affine>() / 8;
    const { assert!(size_of::<G1Affine>() == 8 * WORDS && align_of::<G1Affine>() == 8) };
    // SAFETY: a point is its coordinates (`repr(transparent)`), and they are words, all of whose
    // values are elements, reduced or not.
    let words = unsafe { core::slice::from_raw_parts_mut(points.as_mut_ptr().cast::<u64>(), WORDS * points.len()) };
    // SAFETY: words are bytes.
    let bytes = unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), size_of_val(words)) };
    let filled = fill(bytes);
    words.iter_mut().for_each(|word| *word = u64::from_le(*word));
    filled
}

/// The point (X / Z, Y / Z), infinity where Z is 0.
pub(crate) fn from_homogeneous(x: Fp, y: Fp, z: Fp) -> G1Projective {
    let mut point = G1Projective::identity();
    if !z.is_zero() {
        // In Jacobian coordinates (X Z : Y Z² : Z).
        let raw: &mut blst_p1 = point.as_mut();
        raw.x.set_product(&x, &z);
        raw.y.set_product(&y, &z);
        raw.y.multiply(&z);
        raw.z = z;
    }
    point
}
