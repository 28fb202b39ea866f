//! Comparisons of rows that are known: what each point and scalar of an honest one must be, under
//! given masks and challenges, as whoever has the trapdoor makes it.
//!
//! The point \[p(τ)\]_1 of a polynomial p is the multiple of the generator by its value at τ; the
//! quotient's is the combined relation at τ by Z'(τ). Source: docs/tables.md, "Comparisons".

use crate::base::scalar::*;
use crate::table::certificate_prover::*;
use crate::table::comparison::*;
use crate::table::domain_values::*;
use crate::table::known_points::*;
use crate::table::known_segment::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// The masks of one comparison.
#[derive(Clone, Debug, Default)]
pub struct ComparisonMasks {
    /// The two scalars at the masks of each B_j, bit by bit.
    pub compared_bit_masks: Seq<Scalar>,
    /// The three coefficients of each R_k, item by compared.
    pub compared_row_masks: Seq<Scalar>,
}

/// How far a row lies on its threshold's right side; 0 where it lies on the wrong one.
pub fn compared_difference(compared: &ComparedRow, segment: &KnownSegment) -> u128 {
    let number = number_at(segment, compared.compared_position);
    let threshold = compared.compared_threshold;
    if compared.compared_at_most && threshold >= number {
        threshold - number
    } else if !compared.compared_at_most && number >= threshold {
        number - threshold
    } else {
        0
    }
}

/// The number whose bits stand at position i of H'; 0 behind the items.
pub fn compared_number(items: &Seq<ComparedRow>, segments: &Seq<KnownSegment>, i: usize) -> u128 {
    if i < items.len() && i < segments.len() { compared_difference(&items[i], &segments[i]) } else { 0 }
}

/// Element i of B_j: a mask, or bit j of the difference of item i.
pub fn compared_bit_element(
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    j: usize,
    i: usize,
) -> Scalar {
    let n = comparison_size(items.len());
    if i >= mask_position(n) {
        scalar_at(&masks.compared_bit_masks, 2 * j + (i - mask_position(n)))
    } else {
        scalar_of_number(halved(compared_number(items, segments, i), j) % 2)
    }
}

/// One step of [`compared_bit_vector`].
pub fn compared_bit_vector_step(
    vector: Seq<Scalar>,
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    j: usize,
    i: usize,
) -> Seq<Scalar> {
    vector.push_owned(compared_bit_element(items, segments, masks, j, i))
}

/// B_j on H'.
pub fn compared_bit_vector(
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    j: usize,
) -> Seq<Scalar> {
    let mut vector = Seq::<Scalar>::new(0);
    for i in 0..comparison_size(items.len()) {
        vector = compared_bit_vector_step(vector, items, segments, masks, j, i);
    }
    vector
}

/// One step of [`compared_bits_at`].
pub fn compared_bits_at_step(
    values: Seq<Scalar>,
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    x: Scalar,
    j: usize,
) -> Seq<Scalar> {
    let vector = compared_bit_vector(items, segments, masks, j);
    values.push_owned(vector_value(comparison_size(items.len()), &vector, x))
}

/// B_j(x), for so many bits: at τ the commitments, at ζ the values.
pub fn compared_bits_at(
    bits: usize,
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    x: Scalar,
) -> Seq<Scalar> {
    let mut values = Seq::<Scalar>::new(0);
    for j in 0..bits {
        values = compared_bits_at_step(values, items, segments, masks, x, j);
    }
    values
}

/// R_k(x).
pub fn compared_mask_at(masks: &ComparisonMasks, k: usize, x: Scalar) -> Scalar {
    let coefficient_0 = scalar_at(&masks.compared_row_masks, 3 * k);
    let coefficient_1 = scalar_at(&masks.compared_row_masks, 3 * k + 1);
    let coefficient_2 = scalar_at(&masks.compared_row_masks, 3 * k + 2);
    coefficient_0 + x * (coefficient_1 + x * coefficient_2)
}

/// V^_k(y).
pub fn compared_value_at(
    compared: &ComparedRow,
    segment: &KnownSegment,
    masks: &ComparisonMasks,
    k: usize,
    y: Scalar,
) -> Scalar {
    let n = sheet_size(compared.compared_record.record_log);
    values_at(n, segment, y) + rows_vanishing(n, y) * compared_mask_at(masks, k, y)
}

/// One step of [`compared_values_at`].
pub fn compared_values_at_step(
    values: Seq<Scalar>,
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    x: Scalar,
    k: usize,
) -> Seq<Scalar> {
    if k < segments.len() {
        let y = relocated_point(comparison_size(items.len()), &items[k], k, x);
        values.push_owned(compared_value_at(&items[k], &segments[k], masks, k, y))
    } else {
        values
    }
}

/// V^_k(κ_k x), item by compared.
pub fn compared_values_at(
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    x: Scalar,
) -> Seq<Scalar> {
    let mut values = Seq::<Scalar>::new(0);
    for k in 0..items.len() {
        values = compared_values_at_step(values, items, segments, masks, x, k);
    }
    values
}

/// One step of [`compared_masks_at`].
pub fn compared_masks_at_step(values: Seq<Scalar>, masks: &ComparisonMasks, x: Scalar, k: usize) -> Seq<Scalar> {
    values.push_owned(compared_mask_at(masks, k, x))
}

/// R_k(x), item by compared.
pub fn compared_masks_at(items: &Seq<ComparedRow>, masks: &ComparisonMasks, x: Scalar) -> Seq<Scalar> {
    let mut values = Seq::<Scalar>::new(0);
    for k in 0..items.len() {
        values = compared_masks_at_step(values, masks, x, k);
    }
    values
}

/// Q(x), for x off H'.
pub fn compared_quotient_at(
    bits: usize,
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    drawn: &ComparisonChallenges,
    x: Scalar,
) -> Scalar {
    comparison_quotient_value(
        items,
        &drawn.compared_betas,
        &compared_bits_at(bits, items, segments, masks, x),
        &compared_values_at(items, segments, masks, x),
        x,
    )
}

/// What a comparison of rows of known segments, one an compared, must be under given challenges,
/// but for its encodings, as whoever has the trapdoor makes it.
pub fn unopened_comparison(
    tau: Scalar,
    bits: usize,
    items: &Seq<ComparedRow>,
    segments: &Seq<KnownSegment>,
    masks: &ComparisonMasks,
    drawn: &ComparisonChallenges,
) -> Comparison {
    let zeta = drawn.compared_zeta;
    Comparison {
        comparison_bits: unencoded_points(&compared_bits_at(bits, items, segments, masks, tau)),
        comparison_masks: unencoded_points(&compared_masks_at(items, masks, tau)),
        comparison_quotient: unencoded_point(compared_quotient_at(bits, items, segments, masks, drawn, tau)),
        comparison_bit_values: compared_bits_at(bits, items, segments, masks, zeta),
        comparison_values: compared_values_at(items, segments, masks, zeta),
        comparison_scalar_bytes: Seq::<u8>::new(0),
    }
}
