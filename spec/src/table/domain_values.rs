//! Values, at a point off the domain, of the polynomials that the relations of a sheet speak of.
//!
//! A sheet's domain H is the N-th roots of unity, ω^i for i < N. Position 0 is the origin, N-3 the
//! guard, N-2 and N-1 are the masks. L_i is the Lagrange polynomial of ω^i. Source: docs/tables.md,
//! "Sheets".

use crate::base::scalar::*;
use crate::commitment::kzg::*;
use hacspec_lib::*;

/// ω^i.
pub fn domain_point(n: usize, i: usize) -> Scalar {
    scalar_power(root_of_unity(n), i)
}

/// Whether x^N = 1.
pub fn on_domain(n: usize, x: Scalar) -> bool {
    kzg_vanishing(x, n) == scalar_zero()
}

/// L_i(x), for x off the domain: ω^i (x^N - 1) / (N (x - ω^i)).
pub fn lagrange_value(n: usize, i: usize, x: Scalar) -> Scalar {
    domain_point(n, i) * kzg_vanishing(x, n) * scalar_inverse(kzg_size_scalar(n) * (x - domain_point(n, i)))
}

/// One step of [`interval_value`].
pub fn interval_value_step(total: Scalar, n: usize, i: usize, x: Scalar) -> Scalar {
    total + lagrange_value(n, i, x)
}

/// The sum of L_i(x) over `count` positions from `first` on.
pub fn interval_value(n: usize, first: usize, count: usize, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for i in first..first + count {
        total = interval_value_step(total, n, i, x);
    }
    total
}

/// One step of [`vector_value`].
pub fn vector_value_step(total: Scalar, n: usize, i: usize, element: Scalar, x: Scalar) -> Scalar {
    total + element * lagrange_value(n, i, x)
}

/// p(x), for the polynomial p of degree below N with these values on the domain.
pub fn vector_value(n: usize, vector: &Seq<Scalar>, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for i in 0..vector.len() {
        total = vector_value_step(total, n, i, vector[i], x);
    }
    total
}

/// The position of the guard.
pub fn guard_position(n: usize) -> usize {
    if n >= 3 { n - 3 } else { 0 }
}

/// The position of the first of the two masks.
pub fn mask_position(n: usize) -> usize {
    if n >= 2 { n - 2 } else { 0 }
}

/// Z(x), which vanishes on the domain but for the masks: (x^N - 1) / ((x - ω^(N-2)) (x - ω^(N-1))).
pub fn rows_vanishing(n: usize, x: Scalar) -> Scalar {
    let first_mask = x - domain_point(n, mask_position(n));
    let second_mask = x - domain_point(n, mask_position(n) + 1);
    kzg_vanishing(x, n) * scalar_inverse(first_mask * second_mask)
}

/// s(x), which is 0 at the guard and 1 elsewhere on the domain.
pub fn unguarded_value(n: usize, x: Scalar) -> Scalar {
    scalar_one() - lagrange_value(n, guard_position(n), x)
}

/// r_0 + r_1 x + r_2 x²: a mask of three coefficients at a point.
pub fn mask_value(coefficients: &Seq<Scalar>, x: Scalar) -> Scalar {
    scalar_at(coefficients, 0) + x * (scalar_at(coefficients, 1) + x * scalar_at(coefficients, 2))
}
