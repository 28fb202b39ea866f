//! A segment of rows that are known: its vectors on the domain, and what their polynomials are.
//!
//! V_k has the rows' numbers at their positions, A_(p,k) the suffix sums of their p-th powers; both
//! have random scalars at the masks. Source: docs/tables.md, "Sheets".

use crate::base::scalar::*;
use crate::table::domain_values::*;
use hacspec_lib::*;

/// A segment as its keeper knows it.
#[derive(Clone, Debug, Default)]
pub struct KnownSegment {
    /// The position of the first row.
    pub known_first: usize,
    /// The rows' numbers, ascending, from 0 to the cap.
    pub known_numbers: Seq<u128>,
    /// The two scalars at the masks of the values.
    pub known_values_masks: Seq<Scalar>,
    /// The two scalars at the masks of the sums of each power, power by power.
    pub known_sums_masks: Seq<Scalar>,
}

/// The number of the row at position i of a segment; 0 where there is none.
pub fn number_at(segment: &KnownSegment, i: usize) -> u128 {
    if i >= segment.known_first && i - segment.known_first < segment.known_numbers.len() {
        segment.known_numbers[i - segment.known_first]
    } else {
        0
    }
}

/// Element i of a segment's values: a mask, a row's number, or 0.
pub fn values_element(n: usize, segment: &KnownSegment, i: usize) -> Scalar {
    if i >= mask_position(n) {
        scalar_at(&segment.known_values_masks, i - mask_position(n))
    } else {
        scalar_of_number(number_at(segment, i))
    }
}

/// One step of [`values_vector`].
pub fn values_vector_step(vector: Seq<Scalar>, n: usize, segment: &KnownSegment, i: usize) -> Seq<Scalar> {
    vector.push_owned(values_element(n, segment, i))
}

/// V_k on the domain.
pub fn values_vector(n: usize, segment: &KnownSegment) -> Seq<Scalar> {
    let mut vector = Seq::<Scalar>::new(0);
    for i in 0..n {
        vector = values_vector_step(vector, n, segment, i);
    }
    vector
}

/// One step of [`suffix_sum`].
pub fn suffix_sum_step(total: Scalar, segment: &KnownSegment, i: usize, power: usize) -> Scalar {
    total + scalar_power(scalar_of_number(number_at(segment, i)), power)
}

/// The sum of the powers of the rows' numbers from position `start` on.
pub fn suffix_sum(n: usize, segment: &KnownSegment, start: usize, power: usize) -> Scalar {
    let mut total = scalar_zero();
    for i in start..mask_position(n) {
        total = suffix_sum_step(total, segment, i, power);
    }
    total
}

/// Element i of a segment's sums of a power, which is at least 1: a mask, or a suffix sum.
pub fn sums_element(n: usize, segment: &KnownSegment, power: usize, i: usize) -> Scalar {
    if i >= mask_position(n) && power >= 1 {
        scalar_at(&segment.known_sums_masks, 2 * (power - 1) + (i - mask_position(n)))
    } else {
        suffix_sum(n, segment, i, power)
    }
}

/// One step of [`sums_vector`].
pub fn sums_vector_step(vector: Seq<Scalar>, n: usize, segment: &KnownSegment, power: usize, i: usize) -> Seq<Scalar> {
    vector.push_owned(sums_element(n, segment, power, i))
}

/// A_(p,k) on the domain.
pub fn sums_vector(n: usize, segment: &KnownSegment, power: usize) -> Seq<Scalar> {
    let mut vector = Seq::<Scalar>::new(0);
    for i in 0..n {
        vector = sums_vector_step(vector, n, segment, power, i);
    }
    vector
}

/// V_k(x).
pub fn values_at(n: usize, segment: &KnownSegment, x: Scalar) -> Scalar {
    vector_value(n, &values_vector(n, segment), x)
}

/// A_(p,k)(x).
pub fn sums_at(n: usize, segment: &KnownSegment, power: usize, x: Scalar) -> Scalar {
    vector_value(n, &sums_vector(n, segment, power), x)
}
