//! Polynomials by their coefficients, the lowest first.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, Scalar};

/// The value at x, by Horner's rule.
pub(crate) fn evaluate(coefficients: &[Scalar], x: &Scalar) -> Scalar {
    coefficients.iter().rev().fold(Scalar::ZERO, |sum, coefficient| sum * x + coefficient)
}

/// Adds a multiple of a polynomial.
pub(crate) fn add_scaled(sum: &mut Vec<Scalar>, coefficients: &[Scalar], factor: Scalar) {
    if sum.len() < coefficients.len() {
        sum.resize(coefficients.len(), Scalar::ZERO);
    }
    sum.iter_mut().zip(coefficients).for_each(|(sum, coefficient)| *sum += *coefficient * factor);
}

/// (p(X) - p(z)) / (X - z).
pub(crate) fn divided_by_point(coefficients: &[Scalar], z: &Scalar) -> Vec<Scalar> {
    let mut quotient = vec![Scalar::ZERO; coefficients.len().saturating_sub(1)];
    let mut carry = Scalar::ZERO;
    for (place, coefficient) in quotient.iter_mut().zip(coefficients.iter().skip(1)).rev() {
        carry = carry * z + coefficient;
        *place = carry;
    }
    quotient
}

/// The product.
pub(crate) fn product(a: &[Scalar], b: &[Scalar]) -> Vec<Scalar> {
    let mut product = vec![Scalar::ZERO; (a.len() + b.len()).saturating_sub(1)];
    for (i, left) in a.iter().enumerate() {
        product.iter_mut().skip(i).zip(b).for_each(|(sum, right)| *sum += *left * right);
    }
    product
}

/// Z(X) = (X^N - 1) / ((X - ω^(N-2)) (X - ω^(N-1))).
pub(crate) fn rows_vanishing(domain: &Domain) -> Vec<Scalar> {
    let mut whole = vec![Scalar::ZERO; domain.size() + 1];
    whole.iter_mut().take(1).for_each(|lowest| *lowest = -Scalar::ONE);
    whole.iter_mut().rev().take(1).for_each(|highest| *highest = Scalar::ONE);
    let without_one = divided_by_point(&whole, &domain.inverse_element(2));
    divided_by_point(&without_one, &domain.inverse_element(1))
}

/// The quotient of two polynomials, the second with a highest coefficient of 1; `None` where there
/// is a rest.
pub(crate) fn divided(dividend: &[Scalar], divisor: &[Scalar]) -> Option<Vec<Scalar>> {
    let mut rest = dividend.to_vec();
    let mut quotient = vec![Scalar::ZERO; (dividend.len() + 1).saturating_sub(divisor.len())];
    for (i, place) in quotient.iter_mut().enumerate().rev() {
        *place = *rest.get(i + divisor.len() - 1)?;
        let factor = *place;
        rest.iter_mut().skip(i).zip(divisor).for_each(|(rest, coefficient)| *rest -= factor * coefficient);
    }
    rest.iter().all(|coefficient| bool::from(coefficient.is_zero())).then_some(quotient)
}
