//! The groups of the pairing, G1, G2 and GT, each a type of its own.
//!
//! An element is represented by its discrete logarithm to its group's generator, its exponent, and
//! the pairing multiplies exponents. Exponents are private to this file, so that outside of it
//! rustc lets nothing be done with an element but what a group has: generator, identity, sum,
//! difference, multiple by a scalar, equality; and the pairing, out of which no way leads back.
//! Whoever commits, opens or verifies is given elements, and neither their exponents nor the
//! trapdoor; only the functions that make public parameters are given one.
//!
//! [`known_exponent`] is for tests: the translation leaves it out and refuses whatever uses it.

use crate::base::scalar::*;
use hacspec_lib::*;

/// An element of G1: a commitment, an opening, a public power of the trapdoor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct G1 {
    /// The discrete logarithm to the generator.
    g1_exponent: Scalar,
}

/// An element of G2: what a verification key holds of the trapdoor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct G2 {
    /// The discrete logarithm to the generator.
    g2_exponent: Scalar,
}

/// An element of GT, the pairing's values; written as a sum, though it is a product of field
/// elements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GT {
    /// The discrete logarithm to the pairing of the two generators.
    gt_exponent: Scalar,
}

/// The exponent of an element of G1, for tests that compare it with a point of the curve. It is no
/// part of the specification.
pub fn known_exponent(element: G1) -> Scalar {
    element.g1_exponent
}

/// The identity of G1, the point at infinity.
pub fn g1_identity() -> G1 {
    G1 { g1_exponent: scalar_zero() }
}

/// The generator of G1.
pub fn g1_generator() -> G1 {
    G1 { g1_exponent: scalar_one() }
}

/// a + b
pub fn g1_add(a: G1, b: G1) -> G1 {
    G1 { g1_exponent: a.g1_exponent + b.g1_exponent }
}

/// a - b
pub fn g1_subtract(a: G1, b: G1) -> G1 {
    G1 { g1_exponent: a.g1_exponent - b.g1_exponent }
}

/// The multiple of an element by a scalar.
pub fn g1_scale(factor: Scalar, element: G1) -> G1 {
    G1 { g1_exponent: factor * element.g1_exponent }
}

/// The multiple of the generator by a scalar.
pub fn g1_multiple(factor: Scalar) -> G1 {
    G1 { g1_exponent: factor }
}

/// Whether two elements are the same.
pub fn g1_equal(a: G1, b: G1) -> bool {
    a.g1_exponent == b.g1_exponent
}

/// One step of [`g1_multiples`].
pub fn g1_multiples_step(elements: Seq<G1>, factor: Scalar) -> Seq<G1> {
    elements.push_owned(g1_multiple(factor))
}

/// The multiples of the generator by scalars.
pub fn g1_multiples(factors: &Seq<Scalar>) -> Seq<G1> {
    let mut elements = Seq::<G1>::new(0);
    for i in 0..factors.len() {
        elements = g1_multiples_step(elements, factors[i]);
    }
    elements
}

/// Element `i` of a sequence, and the identity beyond its end.
pub fn g1_at(elements: &Seq<G1>, i: usize) -> G1 {
    if i < elements.len() { elements[i] } else { g1_identity() }
}

/// One step of [`g1_resized`].
pub fn g1_resized_step(resized: Seq<G1>, elements: &Seq<G1>, i: usize) -> Seq<G1> {
    resized.push_owned(g1_at(elements, i))
}

/// The first `count` elements of a sequence, filled up with the identity.
pub fn g1_resized(elements: &Seq<G1>, count: usize) -> Seq<G1> {
    let mut resized = Seq::<G1>::new(0);
    for i in 0..count {
        resized = g1_resized_step(resized, elements, i);
    }
    resized
}

/// The sequence with `new` at index `i`; unchanged when `i` is beyond its end.
pub fn g1_updated(elements: &Seq<G1>, i: usize, new: G1) -> Seq<G1> {
    if i < elements.len() {
        let above = elements.slice(i + 1, elements.len() - i - 1);
        elements.slice(0, i).push_owned(new).concat_owned(above)
    } else {
        elements.clone()
    }
}

/// One step of [`g1_combination`].
pub fn g1_combination_step(total: G1, element: G1, factor: Scalar) -> G1 {
    g1_add(total, g1_scale(factor, element))
}

/// The sum of the elements, each times the scalar at its index; scalars that are lacking are 0.
pub fn g1_combination(elements: &Seq<G1>, factors: &Seq<Scalar>) -> G1 {
    let mut total = g1_identity();
    for i in 0..elements.len() {
        total = g1_combination_step(total, elements[i], scalar_at(factors, i));
    }
    total
}

/// The generator of G2.
pub fn g2_generator() -> G2 {
    G2 { g2_exponent: scalar_one() }
}

/// The multiple of G2's generator by a scalar.
pub fn g2_multiple(factor: Scalar) -> G2 {
    G2 { g2_exponent: factor }
}

/// Element `i` of a sequence, and the multiple by 0 beyond its end.
pub fn g2_at(elements: &Seq<G2>, i: usize) -> G2 {
    if i < elements.len() { elements[i] } else { g2_multiple(scalar_zero()) }
}

/// The identity of GT.
pub fn gt_identity() -> GT {
    GT { gt_exponent: scalar_zero() }
}

/// a + b
pub fn gt_add(a: GT, b: GT) -> GT {
    GT { gt_exponent: a.gt_exponent + b.gt_exponent }
}

/// The multiple of an element by a scalar.
pub fn gt_scale(factor: Scalar, element: GT) -> GT {
    GT { gt_exponent: factor * element.gt_exponent }
}

/// Whether two elements are the same.
pub fn gt_equal(a: GT, b: GT) -> bool {
    a.gt_exponent == b.gt_exponent
}

/// e(a, b): linear in both, and no identity for two generators.
pub fn pairing(a: G1, b: G2) -> GT {
    GT { gt_exponent: a.g1_exponent * b.g2_exponent }
}

/// Whether e(left, g2) = e(right, key), as when `key` is the verification key's power of the
/// trapdoor.
pub fn pairings_equal(left: G1, right: G1, key: G2) -> bool {
    gt_equal(pairing(left, g2_generator()), pairing(right, key))
}
