//! Arithmetic in the base field F_p, and the coordinates of affine points.

use blst::{
    blst_fp, blst_fp_add, blst_fp_inverse, blst_fp_lshift, blst_fp_mul, blst_fp_mul_by_3, blst_fp_sqr, blst_fp_sub,
    blst_p1_affine,
};
use blstrs::G1Affine;
use group::prime::PrimeCurveAffine;

/// An element of F_p, reduced, in Montgomery form: equal limbs are equal elements.
pub(crate) type Fp = blst_fp;

/// 0.
pub(crate) const ZERO: Fp = from_montgomery([0; 6]);

/// The element with these limbs in Montgomery form, which the caller knows to be reduced.
pub(crate) const fn from_montgomery(limbs: [u64; 6]) -> Fp {
    Fp { l: limbs }
}

/// The operations of F_p.
pub(crate) trait BaseField: Sized {
    fn is_zero(&self) -> bool;
    fn equals(&self, other: &Self) -> bool;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn square(&self) -> Self;
    fn twice(&self) -> Self;
    fn thrice(&self) -> Self;
    /// 1 / self; 0 for 0.
    fn inverse(&self) -> Self;
}

/// Calls a function of blst that writes its result through its first argument.
macro_rules! result_of {
    ($function:ident($($argument:expr),*)) => {{
        let mut result = ZERO;
        // SAFETY: one element is written to `result`, and each pointer argument comes from a reference to an element, which is only read.
        unsafe { $function(&mut result, $($argument),*) };
        result
    }};
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
    fn plus(&self, other: &Self) -> Self {
        result_of!(blst_fp_add(self, other))
    }

    #[inline]
    fn minus(&self, other: &Self) -> Self {
        result_of!(blst_fp_sub(self, other))
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        result_of!(blst_fp_mul(self, other))
    }

    #[inline]
    fn square(&self) -> Self {
        result_of!(blst_fp_sqr(self))
    }

    #[inline]
    fn twice(&self) -> Self {
        result_of!(blst_fp_lshift(self, 1))
    }

    #[inline]
    fn thrice(&self) -> Self {
        result_of!(blst_fp_mul_by_3(self))
    }

    fn inverse(&self) -> Self {
        result_of!(blst_fp_inverse(self))
    }
}

/// The coordinates of a point; both are 0 for the point at infinity, and for no other.
#[inline]
pub(crate) fn coordinates(point: &G1Affine) -> (&Fp, &Fp) {
    let raw: &blst_p1_affine = point.as_ref();
    (&raw.x, &raw.y)
}

/// The point with these coordinates, which the caller knows to be on the curve; (0, 0) is the point at infinity.
#[inline]
pub(crate) fn from_coordinates(x: Fp, y: Fp) -> G1Affine {
    let mut point = G1Affine::identity();
    *point.as_mut() = blst_p1_affine { x, y };
    point
}
