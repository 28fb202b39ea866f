//! Certificates of known rows that continue a run: what each point and scalar of an honest one must
//! be, under given masks and challenges, as whoever has the trapdoor makes it.
//!
//! As [`crate::table::certificate_prover`], but for the step to the first row, which is from the
//! last row of the segment before, and for the mask of that one. Source: docs/tables.md, "Links".

use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::certificate::*;
use crate::table::certificate_prover::*;
use crate::table::certificate_transcript::*;
use crate::table::domain_values::*;
use crate::table::known_points::*;
use crate::table::known_segment::*;
use crate::table::linked_certificate::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// What the prover knows of the segment before.
#[derive(Clone, Debug, Default)]
pub struct KnownLink {
    /// Its record.
    pub link_record: RunRecord,
    /// Its rows and masks.
    pub link_rows: KnownSegment,
    /// The three coefficients of R_l.
    pub link_masks: Seq<Scalar>,
}

/// The last row's number of the segment before.
pub fn link_number(known_link: &KnownLink) -> u128 {
    number_at(&known_link.link_rows, last_row_position(&known_link.link_record))
}

/// The number whose bits stand at position i.
pub fn linked_order_step(known_link: &KnownLink, segments: &Seq<KnownSegment>, cap: u128, i: usize) -> u128 {
    let unlinked = order_step(segments, cap, i);
    let begins = segments.len() > 0 && segments[0usize].known_first == i + 1;
    if begins && unlinked >= link_number(known_link) { unlinked - link_number(known_link) } else { unlinked }
}

/// Element i of B_j: a mask, or bit j of the step at position i.
pub fn linked_bit_element(
    n: usize,
    known_link: &KnownLink,
    segments: &Seq<KnownSegment>,
    cap: u128,
    masks: &CertificateMasks,
    j: usize,
    i: usize,
) -> Scalar {
    if i >= mask_position(n) {
        bit_element(n, segments, cap, masks, j, i)
    } else {
        scalar_of_number(halved(linked_order_step(known_link, segments, cap, i), j) % 2)
    }
}

/// One step of [`linked_bit_vector`].
pub fn linked_bit_vector_step(
    vector: Seq<Scalar>,
    n: usize,
    known_link: &KnownLink,
    segments: &Seq<KnownSegment>,
    cap: u128,
    masks: &CertificateMasks,
    j: usize,
    i: usize,
) -> Seq<Scalar> {
    vector.push_owned(linked_bit_element(n, known_link, segments, cap, masks, j, i))
}

/// B_j on the domain.
pub fn linked_bit_vector(
    n: usize,
    known_link: &KnownLink,
    segments: &Seq<KnownSegment>,
    cap: u128,
    masks: &CertificateMasks,
    j: usize,
) -> Seq<Scalar> {
    let mut vector = Seq::<Scalar>::new(0);
    for i in 0..n {
        vector = linked_bit_vector_step(vector, n, known_link, segments, cap, masks, j, i);
    }
    vector
}

/// One step of [`linked_bits_at`].
pub fn linked_bits_at_step(
    values: Seq<Scalar>,
    about: &CertificateAbout,
    n: usize,
    known_link: &KnownLink,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    x: Scalar,
    j: usize,
) -> Seq<Scalar> {
    values.push_owned(vector_value(n, &linked_bit_vector(n, known_link, segments, about.about_cap, masks, j), x))
}

/// B_j(x), bit by bit: at τ the commitments, at ζ the values.
pub fn linked_bits_at(
    about: &CertificateAbout,
    n: usize,
    known_link: &KnownLink,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    x: Scalar,
) -> Seq<Scalar> {
    let mut values = Seq::<Scalar>::new(0);
    for j in 0..about.about_bits {
        values = linked_bits_at_step(values, about, n, known_link, segments, masks, x, j);
    }
    values
}

/// P^(y).
pub fn masked_previous_at(known_link: &KnownLink, y: Scalar) -> Scalar {
    let n = sheet_size(known_link.link_record.record_log);
    values_at(n, &known_link.link_rows, y) + rows_vanishing(n, y) * mask_value(&known_link.link_masks, y)
}

/// All relations at x, combined by the β.
pub fn linked_relation_value(
    about: &CertificateAbout,
    known_link: &KnownLink,
    items: &Seq<SheetItem>,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
    x: Scalar,
) -> Scalar {
    let n = sheet_size(sheet_log(items));
    let bit_values = linked_bits_at(about, n, known_link, segments, masks, x);
    let v = masked_values_at(n, segments, masks, x);
    let combined = combined_values_at(n, segments, &drawn.drawn_rhos, x);
    let cap = scalar_of_number(about.about_cap) * last_rows_value(n, items, x);
    let before =
        link_lagrange(items, x) * masked_previous_at(known_link, link_shift(&known_link.link_record, items) * x);
    let identity = identity_value(n, items, &drawn.drawn_rhos, x);
    let sums_mask = beta_moment(about, drawn, 0) * rows_vanishing(n, x) * mask_value(&masks.masks_sums, x);
    next_value(about, n, segments, masks, drawn, x)
        + bits_relation(&bit_values, &drawn.drawn_betas)
        + beta_order(about, drawn) * (cap - v - before - weighted_bits(&bit_values))
        + beta_support(about, drawn) * (combined - identity * v)
        + all_sums_at(about, segments, drawn, n, x)
        + sums_mask
        - powers_combined(about, drawn, v) * combined
}

/// Q(x): the combined relation by Z, for x off the domain.
pub fn linked_quotient_value(
    about: &CertificateAbout,
    known_link: &KnownLink,
    items: &Seq<SheetItem>,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
    x: Scalar,
) -> Scalar {
    let n = sheet_size(sheet_log(items));
    linked_relation_value(about, known_link, items, segments, masks, drawn, x) * scalar_inverse(rows_vanishing(n, x))
}

/// What a certificate of known segments must be under given challenges, but for its encodings and
/// its opening, as whoever has the trapdoor makes it.
pub fn unopened_linked_certificate(
    tau: Scalar,
    about: &CertificateAbout,
    known_link: &KnownLink,
    items: &Seq<SheetItem>,
    segments: &Seq<KnownSegment>,
    masks: &CertificateMasks,
    drawn: &CertificateChallenges,
) -> LinkedCertificate {
    let n = sheet_size(sheet_log(items));
    let zeta = drawn.drawn_zeta;
    let unlinked = unopened_certificate(tau, about, items, segments, masks, drawn);
    let quotient = linked_quotient_value(about, known_link, items, segments, masks, drawn, tau);
    LinkedCertificate {
        linked_body: Certificate {
            certificate_bits: unencoded_points(&linked_bits_at(about, n, known_link, segments, masks, tau)),
            certificate_values_mask: unlinked.certificate_values_mask,
            certificate_sums_mask: unlinked.certificate_sums_mask,
            certificate_quotient: unencoded_point(quotient),
            certificate_bit_values: linked_bits_at(about, n, known_link, segments, masks, zeta),
            certificate_value: unlinked.certificate_value,
            certificate_next: unlinked.certificate_next,
            certificate_scalar_bytes: Seq::<u8>::new(0),
            certificate_opening: unlinked.certificate_opening,
            certificate_opening_bytes: Seq::<u8>::new(0),
        },
        linked_mask: unencoded_point(mask_value(&known_link.link_masks, tau)),
        linked_value: masked_previous_at(known_link, link_shift(&known_link.link_record, items) * zeta),
        linked_value_bytes: Seq::<u8>::new(0),
    }
}

/// The folded opening of a certificate under given challenges.
pub fn linked_opening_of(
    tau: Scalar,
    about: &CertificateAbout,
    known_link: &KnownLink,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    gammas: &Seq<Scalar>,
    z: Scalar,
    shown: &LinkedCertificate,
) -> FoldedOpening {
    fold_known_claims(tau, &linked_claims(about, &known_link.link_record, items, drawn, shown), gammas, z)
}
