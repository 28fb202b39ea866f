//! The digits of a secret that many points are multiplied by.
//!
//! Nothing here branches on the secret or takes it as an index: it is divided by z² with a fixed
//! number of subtractions, the halves k_1 and k_2 of 128 bits have 33 signed digits each, zeros at
//! the top among them, and for each digit all absolute values are compared with it. What the kernel
//! does with the lanes that come out are selections under masks ([`super::additions`]); only an
//! addition of equal or opposite points takes another way, which no multiple of a point by a
//! secret below r meets but with a chance of some 2^-240. A test counts the operations.

#![allow(clippy::indexing_slicing, reason = "positions are counted")]

use core::hint::black_box;

use blstrs::Scalar;
use zeroize::Zeroize;

use super::lanes::Lanes;
use super::multiples::{Factors, LARGEST, WINDOW, multiplied};
use crate::glv::secret_halves;
use crate::point::{Coordinates, Point};

/// Digit positions of a half of 128 bits: the last one is a carry.
const POSITIONS: usize = 128 / WINDOW + 1;

/// Signed digits of both halves of a secret, lowest position first, from -7 to 8. Overwritten when
/// dropped.
pub(crate) struct SecretDigits([[i8; POSITIONS]; 2]);

impl SecretDigits {
    pub(crate) fn new(secret: &Scalar) -> Self {
        let mut halves = secret_halves(secret);
        let mut digits = [[0; POSITIONS]; 2];
        for (digits, half) in digits.iter_mut().zip(&mut halves) {
            for digit in digits {
                let low = (*half & (2 * LARGEST as u128 - 1)) as i8;
                // 1 where the digit is above 8.
                let carry = ((LARGEST as i8 - low) >> 7) & 1;
                *digit = low - (carry << WINDOW);
                *half = (*half >> WINDOW) + carry as u128;
            }
        }
        halves.zeroize();
        Self(digits)
    }
}

/// Every point times a secret, in operations that do not depend on it, for points of the subgroup.
pub(crate) fn secret_multiples<L: Lanes, P: Coordinates>(lanes: L, points: &[P], secret: &SecretDigits) -> Vec<Point> {
    multiplied(lanes, points, secret)
}

impl Drop for SecretDigits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl Factors for SecretDigits {
    fn positions(&self) -> usize {
        POSITIONS
    }

    #[inline(always)]
    fn lanes_by_digit(&self, _row: usize, half: usize, position: usize) -> ([u8; LARGEST + 1], u8) {
        let digit = self.0[half][position];
        let sign = digit >> 7;
        let absolute = ((digit ^ sign) - sign) as u16;
        // All bits where the values are equal, else none.
        let wanted = core::array::from_fn(|value| black_box(((absolute ^ value as u16).wrapping_sub(1) >> 8) as u8));
        (wanted, black_box(sign as u8))
    }
}
