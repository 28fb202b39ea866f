//! Half-size scalars by the endomorphism (Gallant, Lambert, Vanstone).
//!
//! With z the curve's parameter, r = z⁴ - z² + 1, so every scalar is k = k₁ + k₂ z² with two halves
//! of 127 bits, and z² P costs one multiplication in F_p: on the subgroup, z² (x, y) = (β x, -y)
//! with β a cube root of 1. Outside of the subgroup this does not hold.

#![allow(clippy::indexing_slicing, reason = "a scalar has 32 bytes")]

use core::hint::black_box;

use blstrs::{G1Affine, Scalar};

use crate::ffi::fp::{BaseField, Fp, coordinates_mut, from_montgomery};

/// z².
pub(crate) const Z_SQUARED: u128 = 0xac45_a401_0001_a402_0000_0001_0000_0000;
/// floor(2^254 / z²).
const RECIPROCAL: u128 = 0x5f1a_fb3c_7807_eab7_58fd_b948_bdb3_fb8b;
/// Bits of the absolute value of a half: |k₁| ≤ z²/2 and |k₂| ≤ z²/2 + 1.
pub(crate) const HALF_BITS: usize = 127;

/// β in Montgomery form.
pub(crate) const BETA: Fp = from_montgomery([
    0x30f1_361b_798a_64e8,
    0xf3b8_ddab_7ece_5a2a,
    0x16a8_ca3a_c615_77f7,
    0xc26a_2ff8_74fd_029b,
    0x3636_b766_6070_1c6e,
    0x51b_a4ab_241b_6160,
]);

/// (k₁, k₂) with k = k₁ + k₂ z² modulo r and absolute values below 2^[`HALF_BITS`].
pub(crate) fn halves(scalar: &Scalar) -> (i128, i128) {
    // The smaller of k and r - k, so that k₂ has half of z²'s range.
    let (integer, negated) = (words(scalar), words(&-scalar));
    match (integer.1, integer.0) <= (negated.1, negated.0) {
        true => divide(integer),
        false => {
            let (low, high) = divide(negated);
            (-low, -high)
        }
    }
}

/// [k₁, k₂] with k = k₁ + k₂ z², k₁ < z² and k₂ ≤ z², in operations that do not depend on k.
pub(crate) fn secret_halves(secret: &Scalar) -> [u128; 2] {
    let (low, high) = words(secret);
    // Barrett: the top 128 bits, times the reciprocal, over 2^127, fall short of the quotient by at
    // most 3.
    let top = (high << 1) | (low >> 127);
    let mut quotient = (high_product(top, RECIPROCAL) << 1) | (top.wrapping_mul(RECIPROCAL) >> 127);
    let (mut remainder, borrow) = low.overflowing_sub(quotient.wrapping_mul(Z_SQUARED));
    let mut overflow = high.wrapping_sub(high_product(quotient, Z_SQUARED)).wrapping_sub(u128::from(borrow));
    for _ in 0..3 {
        let (less, borrow) = remainder.overflowing_sub(Z_SQUARED);
        let (above, below) = overflow.overflowing_sub(u128::from(borrow));
        // All bits where z² is subtracted once more, else none.
        let taken = black_box(u128::from(below).wrapping_sub(1));
        remainder = (less & taken) | (remainder & !taken);
        overflow = (above & taken) | (overflow & !taken);
        quotient += taken & 1;
    }
    [remainder, quotient]
}

/// z² P for P in the subgroup.
pub(crate) fn times_z_squared(point: &G1Affine) -> G1Affine {
    let mut image = -*point;
    coordinates_mut(&mut image).0.multiply(&BETA);
    image
}

/// The integer of a scalar: low and high 128 bits.
fn words(scalar: &Scalar) -> (u128, u128) {
    let bytes = scalar.to_bytes_le();
    let word = |half: usize| (0..16).rev().fold(0, |word, i| (word << 8) | u128::from(bytes[16 * half + i]));
    (word(0), word(1))
}

/// Quotient and remainder of an integer ≤ r/2 by z², rounded so that the remainder's absolute value
/// is at most z²/2; remainder first.
fn divide((low, high): (u128, u128)) -> (i128, i128) {
    // Barrett: the top 128 bits times the reciprocal fall short of the quotient by at most 2.
    let top = (high << 2) | (low >> 126);
    let mut quotient = high_product(top, RECIPROCAL);
    let product_low = quotient.wrapping_mul(Z_SQUARED);
    let product_high = high_product(quotient, Z_SQUARED);
    let (mut remainder, borrow) = low.overflowing_sub(product_low);
    let mut overflow = high.wrapping_sub(product_high).wrapping_sub(u128::from(borrow));
    while overflow > 0 || remainder > Z_SQUARED / 2 {
        // One step more than the quotient by rounding down leaves the negative remainder, which
        // ends the loop.
        if overflow == 0 && remainder < Z_SQUARED {
            return (-((Z_SQUARED - remainder) as i128), (quotient + 1) as i128);
        }
        let borrow;
        (remainder, borrow) = remainder.overflowing_sub(Z_SQUARED);
        overflow = overflow.wrapping_sub(u128::from(borrow));
        quotient += 1;
    }
    (remainder as i128, quotient as i128)
}

/// floor(a b / 2^128).
fn high_product(a: u128, b: u128) -> u128 {
    let low = |v: u128| v & u128::from(u64::MAX);
    let (a0, a1, b0, b1) = (low(a), a >> 64, low(b), b >> 64);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let carried = a0 * b1 + low(middle);
    a1 * b1 + (middle >> 64) + (carried >> 64)
}

#[cfg(test)]
mod tests {
    use ff::{Field, PrimeField};
    use group::Curve;
    use group::prime::PrimeCurveAffine;

    use super::*;
    use crate::hash_to_scalar;

    fn from_signed(half: i128) -> Scalar {
        let magnitude = crate::scalar_from_u128(half.unsigned_abs());
        if half < 0 { -magnitude } else { magnitude }
    }

    /// Scalars around every boundary of the division, and uniform ones.
    fn scalars() -> Vec<Scalar> {
        let z_squared = crate::scalar_from_u128(Z_SQUARED);
        let edges = [Scalar::ZERO, z_squared, z_squared * Scalar::TWO_INV, Scalar::TWO_INV, z_squared.square()];
        let near = |edge: Scalar| (0..5).map(move |step| edge + Scalar::from(step) - Scalar::from(2));
        let uniform = (0..2000u64).map(|i| hash_to_scalar(&i.to_be_bytes(), b"halves"));
        let multiples = (0..200u64).map(|i| hash_to_scalar(&i.to_be_bytes(), b"m").to_bytes_le());
        let multiples =
            multiples.map(|b| crate::scalar_from_u128(u128::from_le_bytes(b[..16].try_into().unwrap()) >> 1));
        edges
            .into_iter()
            .flat_map(near)
            .chain(uniform)
            .chain(multiples.flat_map(|m| near(m * z_squared).collect::<Vec<_>>()))
            .collect()
    }

    #[test]
    fn the_halves_make_up_the_scalar_and_fit_into_their_bits() {
        let z_squared = crate::scalar_from_u128(Z_SQUARED);
        for scalar in scalars() {
            let (low, high) = halves(&scalar);
            assert_eq!(from_signed(low) + from_signed(high) * z_squared, scalar);
            assert!(low.unsigned_abs() <= Z_SQUARED / 2 && high.unsigned_abs() <= Z_SQUARED / 2 + 1, "{low} {high}");
            assert!(high.unsigned_abs() < 1 << HALF_BITS);
        }
        assert_eq!(Scalar::NUM_BITS, 255);
    }

    #[test]
    fn the_halves_of_a_secret_are_quotient_and_remainder() {
        let z_squared = crate::scalar_from_u128(Z_SQUARED);
        for scalar in scalars() {
            let [low, high] = secret_halves(&scalar);
            assert_eq!(crate::scalar_from_u128(low) + crate::scalar_from_u128(high) * z_squared, scalar);
            assert!(low < Z_SQUARED && high <= Z_SQUARED, "{low} {high}");
        }
    }

    #[test]
    fn the_endomorphism_multiplies_by_z_squared() {
        let z_squared = crate::scalar_from_u128(Z_SQUARED);
        for seed in 0..10u64 {
            let point = (G1Affine::generator() * hash_to_scalar(&seed.to_be_bytes(), b"point")).to_affine();
            assert_eq!(times_z_squared(&point), (point * z_squared).to_affine());
        }
        assert_eq!(times_z_squared(&G1Affine::identity()), G1Affine::identity());
    }
}
