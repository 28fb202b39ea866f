//! Certificates of rows that are known: what each point and scalar of an honest one must be, under
//! given masks and challenges, as whoever has the trapdoor makes it.
//!
//! The point \[p(τ)\]_1 of a polynomial p is the multiple of the generator by its value at τ; the
//! quotient's is the combined relation at τ by Z(τ). Source: docs/tables.md, "The certificate".

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::certificate::*;
use crate::table::domain_values::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
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

/// One step of [`claim_openings`].
pub fn claim_openings_step(opened: Seq<G1>, tau: Scalar, claim: &FoldedClaim) -> Seq<G1> {
    opened.push_owned(open_folded_claim(tau, claim))
}

/// The openings of claims by themselves, as whoever has the trapdoor makes them.
pub fn claim_openings(tau: Scalar, claimed: &Seq<FoldedClaim>) -> Seq<G1> {
    let mut opened = Seq::<G1>::new(0);
    for i in 0..claimed.len() {
        opened = claim_openings_step(opened, tau, &claimed[i]);
    }
    opened
}

/// The folded opening of a certificate's claims.
pub fn fold_certificate(tau: Scalar, claimed: &Seq<FoldedClaim>, gammas: &Seq<Scalar>, z: Scalar) -> FoldedOpening {
    let opened = claim_openings(tau, claimed);
    FoldedOpening {
        folded_quotient: fold_quotient(&opened, gammas),
        folded_witness: fold_witness(claimed, &opened, gammas, z),
    }
}

/// The multiple of the generator, without an encoding.
pub fn unencoded_point(factor: Scalar) -> TablePoint {
    TablePoint { held_element: g1_multiple(factor), held_bytes: Seq::<u8>::new(0) }
}

/// One step of [`unencoded_points`].
pub fn unencoded_points_step(points: Seq<TablePoint>, factor: Scalar) -> Seq<TablePoint> {
    points.push_owned(unencoded_point(factor))
}

/// Multiples of the generator, without encodings.
pub fn unencoded_points(factors: &Seq<Scalar>) -> Seq<TablePoint> {
    let mut points = Seq::<TablePoint>::new(0);
    for i in 0..factors.len() {
        points = unencoded_points_step(points, factors[i]);
    }
    points
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
    fold_certificate(tau, &certificate_claims(about, items, drawn, shown), gammas, z)
}
