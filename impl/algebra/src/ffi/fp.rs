//! Arithmetic in the base field F_p, and the coordinates of affine points.

use blst::{
    blst_fp, blst_fp_add, blst_fp_inverse, blst_fp_lshift, blst_fp_mul, blst_fp_mul_by_3, blst_fp_sqr, blst_fp_sub,
    blst_p1_affine,
};
use blstrs::G1Affine;
use group::prime::PrimeCurveAffine;

/// An element of F_p, reduced, in blst's Montgomery form: equal limbs are equal elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Fp(blst_fp);

impl Fp {
    pub(crate) const ZERO: Self = Self(blst_fp { l: [0; 6] });

    /// The element with these limbs in Montgomery form, which the caller knows to be reduced.
    pub(crate) const fn from_montgomery(limbs: [u64; 6]) -> Self {
        Self(blst_fp { l: limbs })
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.l == [0; 6]
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: two elements are read and one is written, as in all functions below; each is a valid reference.
        unsafe { blst_fp_add(&mut result.0, &self.0, &other.0) };
        result
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: as in `plus`.
        unsafe { blst_fp_sub(&mut result.0, &self.0, &other.0) };
        result
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: as in `plus`.
        unsafe { blst_fp_mul(&mut result.0, &self.0, &other.0) };
        result
    }

    pub(crate) fn square(&self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: as in `plus`.
        unsafe { blst_fp_sqr(&mut result.0, &self.0) };
        result
    }

    pub(crate) fn twice(&self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: as in `plus`; the shift by one bit reduces its result.
        unsafe { blst_fp_lshift(&mut result.0, &self.0, 1) };
        result
    }

    pub(crate) fn thrice(&self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: as in `plus`.
        unsafe { blst_fp_mul_by_3(&mut result.0, &self.0) };
        result
    }

    /// 1 / self; 0 for 0.
    pub(crate) fn inverse(&self) -> Self {
        let mut result = Self::ZERO;
        // SAFETY: as in `plus`.
        unsafe { blst_fp_inverse(&mut result.0, &self.0) };
        result
    }
}

/// The coordinates of a point; both are 0 for the point at infinity, and for no other.
pub(crate) fn coordinates(point: &G1Affine) -> (Fp, Fp) {
    let raw: &blst_p1_affine = point.as_ref();
    (Fp(raw.x), Fp(raw.y))
}

/// The point with these coordinates, which the caller knows to be on the curve; (0, 0) is the point at infinity.
pub(crate) fn from_coordinates(x: Fp, y: Fp) -> G1Affine {
    let mut point = G1Affine::identity();
    *point.as_mut() = blst_p1_affine { x: x.0, y: y.0 };
    point
}
