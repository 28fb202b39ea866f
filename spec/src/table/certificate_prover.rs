//! Certificates of rows that are known: what each point and scalar of an honest one must be, under
//! given masks and challenges, as whoever has the trapdoor makes it.
//!
//! The point \[p(τ)\]_1 of a polynomial p is the multiple of the generator by its value at τ; the
//! quotient's is the combined relation at τ by Z(τ). Source: docs/tables.md, "The certificate".

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::certificate::*;
use crate::table::certificate_transcript::*;
use crate::table::domain_values::*;
use crate::table::known_points::*;
use crate::table::known_segment::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// The masks of one certificate.
#[derive(Clone, Debug, Default)]
pub struct CertificateMasks {
    /// The two scalars at the masks of each B_j, bit by bit.
    pub masks_bits: Seq<Scalar>,
    /// The three coefficients of R_v.
    pub masks_values: Seq<Scalar>,
    /// The three coefficients of R_1.
    pub masks_sums: Seq<Scalar>,
}

/// One step of [`all_values_at`].
pub fn all_values_at_step(total: Scalar, n: usize, segment: &KnownSegment, x: Scalar) -> Scalar {
    total + values_at(n, segment, x)
}

/// V(x).
pub fn all_values_at(n: usize, segments: &Seq<KnownSegment>, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for k in 0..segments.len() {
        total = all_values_at_step(total, n, &segments[k], x);
    }
    total
}

/// One step of [`combined_values_at`].
pub fn combined_values_at_step(total: Scalar, n: usize, segment: &KnownSegment, rho: Scalar, x: Scalar) -> Scalar {
    total + rho * values_at(n, segment, x)
}

/// V_ρ(x).
pub fn combined_values_at(n: usize, segments: &Seq<KnownSegment>, rhos: &Seq<Scalar>, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for k in 0..segments.len() {
        total = combined_values_at_step(total, n, &segments[k], scalar_at(rhos, k), x);
    }
    total
}

/// One step of [`combined_sums_at`].
pub fn combined_sums_at_step(
    total: Scalar,
    n: usize,
    segment: &KnownSegment,
    rho: Scalar,
    power: usize,
    x: Scalar,
) -> Scalar {
    total + rho * sums_at(n, segment, power, x)
}

/// A_p(x).
pub fn combined_sums_at(n: usize, segments: &Seq<KnownSegment>, rhos: &Seq<Scalar>, power: usize, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for k in 0..segments.len() {
        total = combined_sums_at_step(total, n, &segments[k], scalar_at(rhos, k), power, x);
    }
    total
}

/// One step of [`all_sums_at`].
pub fn all_sums_at_step(
    total: Scalar,
    about: &CertificateAbout,
    segments: &Seq<KnownSegment>,
    drawn: &CertificateChallenges,
    n: usize,
    x: Scalar,
    i: usize,
) -> Scalar {
    total + beta_moment(about, drawn, i) * combined_sums_at(n, segments, &drawn.drawn_rhos, i + 1, x)
}

/// Σ β_p A_p(x).
pub fn all_sums_at(
    about: &CertificateAbout,
    segments: &Seq<KnownSegment>,
    drawn: &CertificateChallenges,
    n: usize,
    x: Scalar,
) -> Scalar {
    let mut total = scalar_zero();
    for i in 0..about.about_moments {
        total = all_sums_at_step(total, about, segments, drawn, n, x, i);
    }
    total
}

/// The cap where position i is a segment's last row, else 0.
pub fn cap_at(segment: &KnownSegment, cap: u128, i: usize) -> u128 {
    if segment.known_first + segment.known_numbers.len() == i + 1 { cap } else { 0 }
}

/// V(ω^(i+1)) - V(ω^i) of one segment, and the cap besides at its last row; 0 where the numbers do
/// not ascend.
pub fn segment_step(segment: &KnownSegment, cap: u128, i: usize) -> u128 {
    let above = number_at(segment, i + 1) + cap_at(segment, cap, i);
    if above >= number_at(segment, i) { above - number_at(segment, i) } else { 0 }
}

/// One step of [`order_step`].
pub fn order_step_step(total: u128, segment: &KnownSegment, cap: u128, i: usize) -> u128 {
    total + segment_step(segment, cap, i)
}

/// The number whose bits stand at position i: the step from there to the next position.
pub fn order_step(segments: &Seq<KnownSegment>, cap: u128, i: usize) -> u128 {
    let mut total = 0;
    for k in 0..segments.len() {
        total = order_step_step(total, &segments[k], cap, i);
    }
    total
}

/// One step of [`halved`].
pub fn halved_step(number: u128) -> u128 {
    number / 2
}

/// The number by 2^j, rounded down.
pub fn halved(number: u128, j: usize) -> u128 {
    let mut rest = number;
    for _i in 0..j {
        rest = halved_step(rest);
    }
    rest
}

/// Element i of B_j: a mask, or bit j of the step at position i.
pub fn bit_element(
    n: usize,
    segments: &Seq<KnownSegment>,
    cap: u128,
    masks: &CertificateMasks,
    j: usize,
    i: usize,
) -> Scalar {
    if i >= mask_position(n) {
        scalar_at(&masks.masks_bits, 2 * j + (i - mask_position(n)))
    } else {
        scalar_of_number(halved(order_step(segments, cap, i), j) % 2)
    }
}

/// One step of [`bit_vector`].
pub fn bit_vector_step(
    vector: Seq<Scalar>,
    n: usize,
    segments: &Seq<KnownSegment>,
    cap: u128,
    masks: &CertificateMasks,
    j: usize,
    i: usize,
) -> Seq<Scalar> {
    vector.push_owned(bit_element(n, segments, cap, masks, j, i))
}

/// B_j on the domain.
pub fn bit_vector(
    n: usize,
    segments: &Seq<KnownSegment>,
    cap: u128,
    masks: &CertificateMasks,
    j: usize,
) -> Seq<Scalar> {
    let mut vector = Seq::<Scalar>::new(0);
    for i in 0..n {
        vector = bit_vector_step(vector, n, segments, cap, masks, j, i);
    }
    vector
}

/// One step of [`bits_at`].
pub fn bits_at_step(
    values: Seq<Scalar>,
    about: &CertificateAbout,
    n: usize,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    x: Scalar,
    j: usize,
) -> Seq<Scalar> {
    values.push_owned(vector_value(n, &bit_vector(n, segments, about.about_cap, masks, j), x))
}

/// B_j(x), bit by bit: at τ the commitments, at ζ the values.
pub fn bits_at(
    about: &CertificateAbout,
    n: usize,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    x: Scalar,
) -> Seq<Scalar> {
    let mut values = Seq::<Scalar>::new(0);
    for j in 0..about.about_bits {
        values = bits_at_step(values, about, n, segments, masks, x, j);
    }
    values
}

/// V^(x).
pub fn masked_values_at(n: usize, segments: &Seq<KnownSegment>, masks: &CertificateMasks, x: Scalar) -> Scalar {
    all_values_at(n, segments, x) + rows_vanishing(n, x) * mask_value(&masks.masks_values, x)
}

/// β_D V^ - β_1 A^_1 - Σ β_p A_p at ωx, times s(x): at ζ the value e.
pub fn next_value(
    about: &CertificateAbout,
    n: usize,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
    x: Scalar,
) -> Scalar {
    let y = domain_point(n, 1) * x;
    let sums_mask = beta_moment(about, drawn, 0) * rows_vanishing(n, y) * mask_value(&masks.masks_sums, y);
    unguarded_value(n, x)
        * (beta_order(about, drawn) * masked_values_at(n, segments, masks, y)
            - sums_mask
            - all_sums_at(about, segments, drawn, n, y))
}

/// All relations at x, combined by the β.
pub fn relation_value(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
    x: Scalar,
) -> Scalar {
    let n = sheet_size(sheet_log(items));
    let bit_values = bits_at(about, n, segments, masks, x);
    let v = masked_values_at(n, segments, masks, x);
    let combined = combined_values_at(n, segments, &drawn.drawn_rhos, x);
    let cap = scalar_of_number(about.about_cap) * last_rows_value(n, items, x);
    let identity = identity_value(n, items, &drawn.drawn_rhos, x);
    let sums_mask = beta_moment(about, drawn, 0) * rows_vanishing(n, x) * mask_value(&masks.masks_sums, x);
    next_value(about, n, segments, masks, drawn, x)
        + bits_relation(&bit_values, &drawn.drawn_betas)
        + beta_order(about, drawn) * (cap - v - weighted_bits(&bit_values))
        + beta_support(about, drawn) * (combined - identity * v)
        + all_sums_at(about, segments, drawn, n, x)
        + sums_mask
        - powers_combined(about, drawn, v) * combined
}

/// Q(x): the combined relation by Z, for x off the domain.
pub fn quotient_value(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
    x: Scalar,
) -> Scalar {
    let n = sheet_size(sheet_log(items));
    relation_value(about, items, segments, masks, drawn, x) * scalar_inverse(rows_vanishing(n, x))
}

/// What a certificate of known segments must be under given challenges, but for its encodings and
/// its opening, as whoever has the trapdoor makes it.
pub fn unopened_certificate(
    tau: Scalar,
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
) -> Certificate {
    let n = sheet_size(sheet_log(items));
    let zeta = drawn.drawn_zeta;
    Certificate {
        certificate_bits: unencoded_points(&bits_at(about, n, segments, masks, tau)),
        certificate_values_mask: unencoded_point(mask_value(&masks.masks_values, tau)),
        certificate_sums_mask: unencoded_point(mask_value(&masks.masks_sums, tau)),
        certificate_quotient: unencoded_point(quotient_value(about, items, segments, masks, drawn, tau)),
        certificate_bit_values: bits_at(about, n, segments, masks, zeta),
        certificate_value: masked_values_at(n, segments, masks, zeta),
        certificate_next: next_value(about, n, segments, masks, drawn, zeta),
        certificate_scalar_bytes: Seq::<u8>::new(0),
        certificate_opening: FoldedOpening { folded_quotient: g1_identity(), folded_witness: g1_identity() },
        certificate_opening_bytes: Seq::<u8>::new(0),
    }
}

/// The folded opening of a certificate under given challenges.
pub fn certificate_opening_of(
    tau: Scalar,
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    gammas: &Seq<Scalar>,
    z: Scalar,
    shown: &Certificate,
) -> FoldedOpening {
    fold_known_claims(tau, &certificate_claims(about, items, drawn, shown), gammas, z)
}
