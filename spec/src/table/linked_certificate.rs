//! The certificate of a sheet whose first segment continues a run: what
//! [`crate::table::certificate`] says of its segments, and that the first row of the first one is
//! at least the last row of the segment before.
//!
//! P are the values of the segment before, on a domain H' of N' elements with generator ω', its
//! last row at position last'. P^ = P + Z' R_l, λ = L_(first_0 - 1),
//! κ = ω'^last' / ω^(first_0 - 1). In the place of the relation of order stands
//!
//! ```text
//! order (β_D)   s(X) V^(ωX) - V^(X) + cap last(X) - λ(X) P^(κX) - Σ 2^j B_j(X)
//! ```
//!
//! and one more claim is shown, (P + Z'(κζ) R_l, κζ, m). That P is in order is for the certificate
//! of the segment before to say, which the verifier is told is that of the dictionary.
//!
//! ```text
//! statement = .. u8 log2 N || u8 1 || record of the segment before || u16 K || ..
//! s1 = H("AARDVARK-V1-CERTIFICATE-BITS", s0 || B_j* || R_v || R_1 || R_l)
//! s3 = H("AARDVARK-V1-CERTIFICATE-VALUES", s2 || b_j* || v || e || m)
//! ```
//!
//! The rest is as in [`crate::table::certificate_transcript`]. Source: docs/tables.md, "Links".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::commitment::kzg::*;
use crate::table::certificate::*;
use crate::table::certificate_transcript::*;
use crate::table::domain_values::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// A certificate of a sheet that continues a run.
#[derive(Clone, Debug, Default)]
pub struct LinkedCertificate {
    /// What it has as any certificate.
    pub linked_body: Certificate,
    /// The commitment to R_l.
    pub linked_mask: TablePoint,
    /// m.
    pub linked_value: Scalar,
    /// The encoding of m: 32 bytes, highest first.
    pub linked_value_bytes: ByteString,
}

/// The position before the first segment's first row.
pub fn link_position(items: &Seq<SheetItem>) -> usize {
    if items.len() > 0 && items[0usize].item_record.record_first >= 1 {
        items[0usize].item_record.record_first - 1
    } else {
        0
    }
}

/// The position of a segment's last row; 0 where it has none.
pub fn last_row_position(previous: &RunRecord) -> usize {
    if previous.record_rows >= 1 { previous.record_first + previous.record_rows - 1 } else { 0 }
}

/// κ.
pub fn link_shift(previous: &RunRecord, items: &Seq<SheetItem>) -> Scalar {
    let own = domain_point(sheet_size(sheet_log(items)), link_position(items));
    domain_point(sheet_size(previous.record_log), last_row_position(previous)) * scalar_inverse(own)
}

/// λ(x).
pub fn link_lagrange(items: &Seq<SheetItem>, x: Scalar) -> Scalar {
    lagrange_value(sheet_size(sheet_log(items)), link_position(items), x)
}

/// One step of [`linked_items_legal`].
pub fn linked_items_legal_step(legal: bool, moments: usize, placed: &SheetItem, k: usize) -> bool {
    let continues = if k == 0 { placed.item_segment >= 1 } else { placed.item_segment == 0 };
    legal && continues && placed.item_record.record_sums.len() == moments
}

/// Whether the first item continues a run and the others begin theirs, each with as many sums as
/// the table has moments.
pub fn linked_items_legal(moments: usize, items: &Seq<SheetItem>) -> bool {
    let mut legal = true;
    for k in 0..items.len() {
        legal = linked_items_legal_step(legal, moments, &items[k], k);
    }
    legal
}

/// Whether a record may be that of the segment before.
pub fn link_legal(moments: usize, previous: &RunRecord) -> bool {
    let placed = match layout_after(1, previous.record_log, previous) {
        None => false,
        Some(_) => true,
    };
    previous.record_log >= MIN_SHEET_LOG
        && previous.record_log <= max_sheet_log(moments)
        && previous.record_sums.len() == moments
        && placed
}

/// Whether segments make a sheet that continues a run.
pub fn linked_sheet_legal(log: usize, moments: usize, previous: &RunRecord, items: &Seq<SheetItem>) -> bool {
    moments >= 1
        && moments <= 3
        && log >= MIN_SHEET_LOG
        && log <= max_sheet_log(moments)
        && items.len() >= 1
        && items.len() <= MAX_SHEET_ITEMS
        && linked_items_legal(moments, items)
        && link_legal(moments, previous)
        && sheet_layout_legal(log, items)
}

/// All that a certificate is about, as bytes, where a segment with this record comes before.
pub fn linked_statement(about: &CertificateAbout, previous: &RunRecord, items: &Seq<SheetItem>) -> ByteString {
    let mut statement = u8_bytes(1)
        .concat(&about.about_dictionary)
        .concat(&bytes8(&about.about_table))
        .concat(&u8_bytes(about.about_column))
        .concat(&about.about_schema)
        .concat(&u8_bytes(sheet_log(items)))
        .concat(&u8_bytes(1))
        .concat(&encode_run_record(previous))
        .concat(&u16_bytes(items.len()));
    for k in 0..items.len() {
        statement = certificate_statement_step(statement, &items[k]);
    }
    statement
}

/// s1, once the bits and the masks are fixed.
pub fn linked_bits_seed(s0: &ByteString, shown: &LinkedCertificate) -> ByteString {
    let fixed = encode_table_points(&shown.linked_body.certificate_bits)
        .concat(&shown.linked_body.certificate_values_mask.held_bytes)
        .concat(&shown.linked_body.certificate_sums_mask.held_bytes)
        .concat(&shown.linked_mask.held_bytes);
    tagged_hash(&tag_certificate_bits(), &s0.concat(&fixed))
}

/// s3, once the values are fixed.
pub fn linked_values_seed(s2: &ByteString, shown: &LinkedCertificate) -> ByteString {
    let fixed = shown.linked_body.certificate_scalar_bytes.concat(&shown.linked_value_bytes);
    tagged_hash(&tag_certificate_values(), &s2.concat(&fixed))
}

/// lin: what Lin must be at ζ.
pub fn linked_linear_value(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    shown: &LinkedCertificate,
) -> Scalar {
    let linked = beta_order(about, drawn) * link_lagrange(items, drawn.drawn_zeta) * shown.linked_value;
    linear_value(about, items, drawn, &shown.linked_body) + linked
}

/// P^ at a point, whose Z' is given: P + Z' R_l.
pub fn masked_previous(previous: &RunRecord, shown: &LinkedCertificate, vanishing: Scalar) -> G1 {
    g1_add(previous.record_values.held_element, g1_scale(vanishing, shown.linked_mask.held_element))
}

/// All claims of a certificate that continues a run, in the fold's order.
pub fn linked_claims(
    about: &CertificateAbout,
    previous: &RunRecord,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    shown: &LinkedCertificate,
) -> Seq<FoldedClaim> {
    let n = sheet_size(sheet_log(items));
    let zeta = drawn.drawn_zeta;
    let at_link = link_shift(previous, items) * zeta;
    let link_vanishing = rows_vanishing(sheet_size(previous.record_log), at_link);
    bit_claims(&shown.linked_body, zeta)
        .push_owned(FoldedClaim {
            folded_commitment: masked_values(items, &shown.linked_body, rows_vanishing(n, zeta)),
            folded_point: zeta,
            folded_value: shown.linked_body.certificate_value,
        })
        .push_owned(FoldedClaim {
            folded_commitment: linear_commitment(about, items, drawn, &shown.linked_body),
            folded_point: zeta,
            folded_value: linked_linear_value(about, items, drawn, shown),
        })
        .push_owned(FoldedClaim {
            folded_commitment: next_commitment(about, items, drawn, &shown.linked_body),
            folded_point: domain_point(n, 1) * zeta,
            folded_value: shown.linked_body.certificate_next,
        })
        .push_owned(FoldedClaim {
            folded_commitment: masked_previous(previous, shown, link_vanishing),
            folded_point: at_link,
            folded_value: shown.linked_value,
        })
}

/// Whether ζ lies on the sheet's domain, or κζ on that of the segment before.
pub fn linked_zeta_on_domain(previous: &RunRecord, items: &Seq<SheetItem>, zeta: Scalar) -> bool {
    on_domain(sheet_size(sheet_log(items)), zeta)
        || on_domain(sheet_size(previous.record_log), link_shift(previous, items) * zeta)
}

/// Whether a certificate that continues a run holds under these challenges: those of the fold are
/// `gammas` and `z`.
pub fn verify_linked_drawn(
    setup: &KzgSetup,
    about: &CertificateAbout,
    previous: &RunRecord,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    gammas: &Seq<Scalar>,
    z: Scalar,
    shown: &LinkedCertificate,
) -> Result<(), CertificateFault> {
    let body = shown.linked_body.clone();
    if !linked_sheet_legal(sheet_log(items), about.about_moments, previous, items) {
        Err(CertificateFault::SheetIllegal)
    } else if body.certificate_bits.len() != about.about_bits || body.certificate_bit_values.len() != about.about_bits {
        Err(CertificateFault::BitsMismatched)
    } else if linked_zeta_on_domain(previous, items, drawn.drawn_zeta) {
        Err(CertificateFault::ZetaOnDomain)
    } else if verify_fold(
        setup,
        &linked_claims(about, previous, items, drawn, shown),
        gammas,
        z,
        &body.certificate_opening,
    ) {
        Ok(())
    } else {
        Err(CertificateFault::CertificateFalse)
    }
}

/// Whether a certificate holds for the segments of a sheet of which the first continues a run
/// behind the segment with the record `previous`, under the challenges that are drawn for it.
pub fn verify_linked_certificate(
    setup: &KzgSetup,
    about: &CertificateAbout,
    previous: &RunRecord,
    items: &Seq<SheetItem>,
    shown: &LinkedCertificate,
) -> Result<(), CertificateFault> {
    let s0 = certificate_seed(&linked_statement(about, previous, items));
    let s1 = linked_bits_seed(&s0, shown);
    let s2 = certificate_quotient_seed(&s1, &shown.linked_body);
    let s3 = linked_values_seed(&s2, shown);
    let drawn = certificate_challenges(about, items.len(), &s0, &s1, &s2);
    let gammas = fold_gammas(&s3, about.about_bits + 4);
    let z = fold_point(&s3, &shown.linked_body.certificate_opening_bytes);
    verify_linked_drawn(setup, about, previous, items, &drawn, &gammas, z, shown)
}
