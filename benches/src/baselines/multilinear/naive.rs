//! The slow twin, in the exponent: each quotient by its definition, at known secrets.

#![cfg(test)]

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;

/// f(x) = Σ_i m_i Π_t (x_t if bit t of i is 1, else 1 - x_t).
pub(super) fn evaluate(scalars: &[Scalar], x: &[Scalar]) -> Scalar {
    let character = |i: usize| -> Scalar {
        x.iter().enumerate().map(|(t, x)| if (i >> t) & 1 == 1 { *x } else { Scalar::ONE - x }).product()
    };
    scalars.iter().enumerate().map(|(i, scalar)| scalar * character(i)).sum()
}

/// q_t(s) for every bit t: with the bits above t fixed to those of the index, f's difference
/// between x_t = 1 and x_t = 0.
pub(super) fn quotients(scalars: &[Scalar], secrets: &[Scalar], index: usize) -> Vec<Scalar> {
    let of_bit = |bit: usize| if bit == 1 { Scalar::ONE } else { Scalar::ZERO };
    let at = |t: usize, value: Scalar| {
        let fixed = |u: usize| match u.cmp(&t) {
            core::cmp::Ordering::Less => secrets[u],
            core::cmp::Ordering::Equal => value,
            core::cmp::Ordering::Greater => of_bit((index >> u) & 1),
        };
        evaluate(scalars, &(0..secrets.len()).map(fixed).collect::<Vec<_>>())
    };
    (0..secrets.len()).map(|t| at(t, Scalar::ONE) - at(t, Scalar::ZERO)).collect()
}
