//! The certificate of a sheet: each segment's rows are integers from 0 to the cap in ascending
//! order, nothing else stands in its vector, and its sums are the suffix sums of the rows' powers.
//!
//! With V = Σ V_k, V_ρ = Σ ρ_k V_k, A_p = Σ ρ_k A_(p,k), V^ = V + Z R_v, A^_1 = A_1 + Z R_1, these
//! vanish on the domain but for its masks; combined by the β they are Z Q:
//!
//! ```text
//! bits     (β_j)   B_j² - B_j
//! order    (β_D)   s(X) V^(ωX) - V^(X) + cap last(X) - Σ 2^j B_j(X)
//! support  (β_S)   V_ρ - id V^
//! sums     (β_1)   A^_1(X) - s(X) A^_1(ωX) - V_ρ(X)
//!          (β_p)   A_p(X) - s(X) A_p(ωX) - V_ρ(X) V^(X)^(p-1)
//! ```
//!
//! The verifier draws ζ and has one folded opening show the claims
//! (B_j, ζ, b_j), (V^, ζ, v), (Lin, ζ, lin), (E, ωζ, e). What is hashed is in
//! [`crate::table::certificate_transcript`]. Source: docs/tables.md, "The certificate".

use crate::base::group::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::commitment::kzg::*;
use crate::table::certificate_transcript::*;
use crate::table::domain_values::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// Why a certificate is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateFault {
    /// The segments make no sheet, or one that certificates do not cover.
    SheetIllegal,
    /// There are not as many bits as the table has.
    BitsMismatched,
    /// The point ζ lies on the domain.
    ZetaOnDomain,
    /// The folded opening does not show the claims.
    CertificateFalse,
}

/// One step of [`values_sum`].
pub fn values_sum_step(total: G1, placed: &SheetItem) -> G1 {
    g1_add(total, placed.item_record.record_values.held_element)
}

/// V: the sum of the commitments to the values.
pub fn values_sum(items: &Seq<SheetItem>) -> G1 {
    let mut total = g1_identity();
    for k in 0..items.len() {
        total = values_sum_step(total, &items[k]);
    }
    total
}

/// One step of [`values_combined`].
pub fn values_combined_step(total: G1, placed: &SheetItem, rho: Scalar) -> G1 {
    g1_add(total, g1_scale(rho, placed.item_record.record_values.held_element))
}

/// V_ρ.
pub fn values_combined(items: &Seq<SheetItem>, rhos: &Seq<Scalar>) -> G1 {
    let mut total = g1_identity();
    for k in 0..items.len() {
        total = values_combined_step(total, &items[k], scalar_at(rhos, k));
    }
    total
}

/// The commitment to the sums of the powers i + 1 of a segment; the identity where there is none.
pub fn sums_element_of(placed: &SheetItem, i: usize) -> G1 {
    if i < placed.item_record.record_sums.len() {
        placed.item_record.record_sums[i].held_element
    } else {
        g1_identity()
    }
}

/// One step of [`sums_combined`].
pub fn sums_combined_step(total: G1, placed: &SheetItem, rho: Scalar, i: usize) -> G1 {
    g1_add(total, g1_scale(rho, sums_element_of(placed, i)))
}

/// A_(i + 1).
pub fn sums_combined(items: &Seq<SheetItem>, rhos: &Seq<Scalar>, i: usize) -> G1 {
    let mut total = g1_identity();
    for k in 0..items.len() {
        total = sums_combined_step(total, &items[k], scalar_at(rhos, k), i);
    }
    total
}

/// One step of [`moments_combined`].
pub fn moments_combined_step(
    total: G1,
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    i: usize,
) -> G1 {
    g1_add(total, g1_scale(beta_moment(about, drawn, i), sums_combined(items, &drawn.drawn_rhos, i)))
}

/// Σ β_p A_p.
pub fn moments_combined(about: &CertificateAbout, items: &Seq<SheetItem>, drawn: &CertificateChallenges) -> G1 {
    let mut total = g1_identity();
    for i in 0..about.about_moments {
        total = moments_combined_step(total, about, items, drawn, i);
    }
    total
}

/// One step of [`powers_combined`].
pub fn powers_combined_step(
    total: Scalar,
    about: &CertificateAbout,
    drawn: &CertificateChallenges,
    v: Scalar,
    i: usize,
) -> Scalar {
    total + beta_moment(about, drawn, i) * scalar_power(v, i)
}

/// Σ β_p v^(p-1).
pub fn powers_combined(about: &CertificateAbout, drawn: &CertificateChallenges, v: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for i in 0..about.about_moments {
        total = powers_combined_step(total, about, drawn, v, i);
    }
    total
}

/// One step of [`bits_relation`].
pub fn bits_relation_step(total: Scalar, bit: Scalar, beta: Scalar) -> Scalar {
    total + beta * (bit * bit - bit)
}

/// Σ β_j (b_j² - b_j).
pub fn bits_relation(bit_values: &Seq<Scalar>, betas: &Seq<Scalar>) -> Scalar {
    let mut total = scalar_zero();
    for j in 0..bit_values.len() {
        total = bits_relation_step(total, bit_values[j], scalar_at(betas, j));
    }
    total
}

/// One step of [`weighted_bits`].
pub fn weighted_bits_step(total: Scalar, bit: Scalar) -> Scalar {
    total + total + bit
}

/// Σ 2^j b_j.
pub fn weighted_bits(bit_values: &Seq<Scalar>) -> Scalar {
    let mut total = scalar_zero();
    for j in 0..bit_values.len() {
        total = weighted_bits_step(total, scalar_at(bit_values, bit_values.len() - 1 - j));
    }
    total
}

/// Lin: what of the relations is linear in the commitments, at ζ.
pub fn linear_commitment(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    shown: &Certificate,
) -> G1 {
    let vanishing = rows_vanishing(sheet_size(sheet_log(items)), drawn.drawn_zeta);
    let sums_mask = g1_scale(beta_moment(about, drawn, 0) * vanishing, shown.certificate_sums_mask.held_element);
    let factor = beta_support(about, drawn) - powers_combined(about, drawn, shown.certificate_value);
    let combined = g1_scale(factor, values_combined(items, &drawn.drawn_rhos));
    let relations = g1_add(g1_add(moments_combined(about, items, drawn), sums_mask), combined);
    g1_subtract(relations, g1_scale(vanishing, shown.certificate_quotient.held_element))
}

/// lin: what Lin must be at ζ.
pub fn linear_value(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    shown: &Certificate,
) -> Scalar {
    let n = sheet_size(sheet_log(items));
    let cap = scalar_of_number(about.about_cap) * last_rows_value(n, items, drawn.drawn_zeta);
    let order = cap - shown.certificate_value - weighted_bits(&shown.certificate_bit_values);
    let identity = identity_value(n, items, &drawn.drawn_rhos, drawn.drawn_zeta);
    scalar_zero()
        - (bits_relation(&shown.certificate_bit_values, &drawn.drawn_betas) + beta_order(about, drawn) * order
            - beta_support(about, drawn) * identity * shown.certificate_value
            + shown.certificate_next)
}

/// V^ at a point, whose Z is given: V + Z R_v.
pub fn masked_values(items: &Seq<SheetItem>, shown: &Certificate, vanishing: Scalar) -> G1 {
    g1_add(values_sum(items), g1_scale(vanishing, shown.certificate_values_mask.held_element))
}

/// E: what of the relations is at ωζ.
pub fn next_commitment(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    shown: &Certificate,
) -> G1 {
    let n = sheet_size(sheet_log(items));
    let vanishing = rows_vanishing(n, domain_point(n, 1) * drawn.drawn_zeta);
    let sums_mask = g1_scale(beta_moment(about, drawn, 0) * vanishing, shown.certificate_sums_mask.held_element);
    let order = g1_scale(beta_order(about, drawn), masked_values(items, shown, vanishing));
    let sums = g1_add(sums_mask, moments_combined(about, items, drawn));
    g1_scale(unguarded_value(n, drawn.drawn_zeta), g1_subtract(order, sums))
}

/// One step of [`bit_claims`].
pub fn bit_claims_step(claimed: Seq<FoldedClaim>, shown: &Certificate, zeta: Scalar, j: usize) -> Seq<FoldedClaim> {
    claimed.push_owned(FoldedClaim {
        folded_commitment: shown.certificate_bits[j].held_element,
        folded_point: zeta,
        folded_value: scalar_at(&shown.certificate_bit_values, j),
    })
}

/// The claims (B_j, ζ, b_j).
pub fn bit_claims(shown: &Certificate, zeta: Scalar) -> Seq<FoldedClaim> {
    let mut claimed = Seq::<FoldedClaim>::new(0);
    for j in 0..shown.certificate_bits.len() {
        claimed = bit_claims_step(claimed, shown, zeta, j);
    }
    claimed
}

/// All claims of a certificate, in the fold's order.
pub fn certificate_claims(
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    shown: &Certificate,
) -> Seq<FoldedClaim> {
    let n = sheet_size(sheet_log(items));
    let zeta = drawn.drawn_zeta;
    let masked = masked_values(items, shown, rows_vanishing(n, zeta));
    bit_claims(shown, zeta)
        .push_owned(FoldedClaim {
            folded_commitment: masked,
            folded_point: zeta,
            folded_value: shown.certificate_value,
        })
        .push_owned(FoldedClaim {
            folded_commitment: linear_commitment(about, items, drawn, shown),
            folded_point: zeta,
            folded_value: linear_value(about, items, drawn, shown),
        })
        .push_owned(FoldedClaim {
            folded_commitment: next_commitment(about, items, drawn, shown),
            folded_point: domain_point(n, 1) * zeta,
            folded_value: shown.certificate_next,
        })
}

/// Whether a certificate holds under these challenges: those of the fold are `gammas` and `z`.
pub fn verify_certificate_drawn(
    setup: &KzgSetup,
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    drawn: &CertificateChallenges,
    gammas: &Seq<Scalar>,
    z: Scalar,
    shown: &Certificate,
) -> Result<(), CertificateFault> {
    if !sheet_legal(sheet_log(items), about.about_moments, items) {
        Err(CertificateFault::SheetIllegal)
    } else if shown.certificate_bits.len() != about.about_bits || shown.certificate_bit_values.len() != about.about_bits
    {
        Err(CertificateFault::BitsMismatched)
    } else if on_domain(sheet_size(sheet_log(items)), drawn.drawn_zeta) {
        Err(CertificateFault::ZetaOnDomain)
    } else if verify_fold(setup, &certificate_claims(about, items, drawn, shown), gammas, z, &shown.certificate_opening)
    {
        Ok(())
    } else {
        Err(CertificateFault::CertificateFalse)
    }
}

/// Whether a certificate holds for the segments of a sheet, under the challenges that are drawn for
/// it.
pub fn verify_certificate(
    setup: &KzgSetup,
    about: &CertificateAbout,
    items: &Seq<SheetItem>,
    shown: &Certificate,
) -> Result<(), CertificateFault> {
    let s0 = certificate_seed(&certificate_statement(about, items));
    let s1 = certificate_bits_seed(&s0, shown);
    let s2 = certificate_quotient_seed(&s1, shown);
    let s3 = certificate_values_seed(&s2, shown);
    let drawn = certificate_challenges(about, items.len(), &s0, &s1, &s2);
    let gammas = fold_gammas(&s3, about.about_bits + 3);
    let z = fold_point(&s3, &shown.certificate_opening_bytes);
    verify_certificate_drawn(setup, about, items, &drawn, &gammas, z, shown)
}
