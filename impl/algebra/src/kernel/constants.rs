//! Integers below 2^416 in limbs of 52 bits, computed from p when this crate is compiled.

#![allow(clippy::indexing_slicing, reason = "indices are below the numbers of limbs and words")]

use super::lanes::{LIMB_BITS, LIMBS, WORDS};
use crate::ffi::fp::MODULUS;

/// An integer in limbs, lowest first, each below 2^52.
pub(crate) type Limbs = [u64; LIMBS];

/// The bits of a limb.
pub(crate) const LIMB: u64 = (1 << LIMB_BITS) - 1;

/// Bits of R.
const R_BITS: usize = LIMB_BITS as usize * LIMBS;

/// p.
pub(crate) const P: Limbs = limbs(&MODULUS);

/// -1 / p modulo 2^52.
pub(crate) const MINUS_INVERSE: u64 = minus_inverse(P[0]);

/// Limbs of a product that are folded at once.
pub(crate) const FOLDED: usize = 6;

/// Entry i is 2^(-52 (6 - i)) modulo p: limb i of a product, taken away, comes back as so much six
/// limbs further up.
pub(crate) const FOLDS: [Limbs; FOLDED] = {
    let mut folds = [[0; LIMBS]; FOLDED];
    let mut power = power_of_two(0);
    let mut i = FOLDED;
    while i > 0 {
        i -= 1;
        let mut bit = 0;
        while bit < LIMB_BITS {
            power = half(power);
            bit += 1;
        }
        folds[i] = power;
    }
    folds
};

/// R modulo p: 1 in the kernel's form.
pub(crate) const ONE: Limbs = power_of_two(R_BITS);

/// 4 in the kernel's form.
pub(crate) const FOUR: Limbs = power_of_two(R_BITS + 2);

/// R² modulo p: times x it gives x in the kernel's form.
pub(crate) const R_SQUARED: Limbs = power_of_two(2 * R_BITS);

/// (p + 1) / 2, the least integer whose double is p or more.
pub(crate) const HALF_UP: Limbs = halved(sum(P, [1, 0, 0, 0, 0, 0, 0, 0]));

/// (p + 1) / 4: p is 3 modulo 4, so the power with this exponent of a square is a root of it.
pub(crate) const ROOT_EXPONENT: Limbs = halved(HALF_UP);

/// floor(R / p).
pub(crate) const RECIPROCAL: u64 = 0x9_d835_d2f3;

// So much p, which is below R, has bits at its top, and p more is R or more, which wraps around.
const _: () = {
    let product = multiple(RECIPROCAL);
    assert!(product[LIMBS - 1] >> (LIMB_BITS - 1) == 1 && sum(product, P)[LIMBS - 1] < P[LIMBS - 1]);
};

/// The element with these words outside of the kernel, in its form.
pub(crate) const fn element(words: &[u64; WORDS]) -> Limbs {
    let mut element = limbs(words);
    let mut i = 64 * WORDS;
    while i < R_BITS {
        element = reduced_once(sum(element, element));
        i += 1;
    }
    element
}

/// 2^n modulo p.
pub(crate) const fn power_of_two(n: usize) -> Limbs {
    let mut power = [0; LIMBS];
    power[0] = 1;
    let mut i = 0;
    while i < n {
        power = reduced_once(sum(power, power));
        i += 1;
    }
    power
}

/// m p, m < 2^36 and the product below R.
pub(crate) const fn multiple(m: u64) -> Limbs {
    let mut product = [0; LIMBS];
    let mut carry = 0;
    let mut i = 0;
    while i < LIMBS {
        let wide = P[i] as u128 * m as u128 + carry;
        product[i] = wide as u64 & LIMB;
        carry = wide >> LIMB_BITS;
        i += 1;
    }
    product
}

/// An integer of 384 bits.
const fn limbs(words: &[u64; WORDS]) -> Limbs {
    let mut limbs = [0; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        let (word, bit) = (i * LIMB_BITS as usize / 64, i * LIMB_BITS as usize % 64);
        let mut limb = words[word] >> bit;
        if bit + LIMB_BITS as usize > 64 && word + 1 < WORDS {
            limb |= words[word + 1] << (64 - bit);
        }
        limbs[i] = limb & LIMB;
        i += 1;
    }
    limbs
}

/// By Newton's iteration, each step of which doubles the number of right bits.
const fn minus_inverse(odd: u64) -> u64 {
    let mut inverse = 1u64;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse.wrapping_neg() & LIMB
}

const fn sum(a: Limbs, b: Limbs) -> Limbs {
    let mut sum = [0; LIMBS];
    let mut carry = 0;
    let mut i = 0;
    while i < LIMBS {
        let limb = a[i] + b[i] + carry;
        sum[i] = limb & LIMB;
        carry = limb >> LIMB_BITS;
        i += 1;
    }
    sum
}

/// a - p if that is not negative, otherwise a.
const fn reduced_once(a: Limbs) -> Limbs {
    let mut difference = [0; LIMBS];
    let mut borrow = 0;
    let mut i = 0;
    while i < LIMBS {
        let limb = a[i].wrapping_sub(P[i]).wrapping_sub(borrow);
        difference[i] = limb & LIMB;
        borrow = limb >> 63;
        i += 1;
    }
    if borrow == 1 { a } else { difference }
}

/// a / 2 modulo p.
const fn half(a: Limbs) -> Limbs {
    halved(if a[0] & 1 == 1 { sum(a, P) } else { a })
}

/// a / 2, for even a.
const fn halved(a: Limbs) -> Limbs {
    let mut half = [0; LIMBS];
    let mut i = 0;
    while i < LIMBS {
        let above = if i + 1 < LIMBS { a[i + 1] & 1 } else { 0 };
        half[i] = a[i] >> 1 | above << (LIMB_BITS - 1);
        i += 1;
    }
    half
}
