//! Comparisons: rows of segments, of any domains, are at least or at most given thresholds.
//!
//! Item k < m is the row at position pos_k of a segment with the values V_k on a domain of N_k
//! elements; σ_k = 1 where the row is to be at least x_k, and -1 where it is to be at most x_k. The
//! rows are relocated into a domain H' of N' elements, N' the least power of two of at least max(4,
//! m + 2), with generator ω' and Lagrange polynomials L'_k: with κ_k = ω_k^(pos_k) / ω'^k and
//! V^_k = V_k + Z_k R_k, these vanish on H' but for its masks; combined by the β they are Z' Q:
//!
//! ```text
//! bits        (β_j)   B_j² - B_j
//! comparison  (β_D)   Σ_k σ_k L'_k(X) (V^_k(κ_k X) - x_k) - Σ_j 2^j B_j(X)
//! ```
//!
//! So each σ_k (row - x_k) is a number of l bits, hence not negative: rows and thresholds are below
//! 2^64, and l is at most 64. The verifier draws ζ and has the fold of the answer show the claims
//! (B_j, ζ, b_j), (C_k + Z_k(κ_k ζ) R_k, κ_k ζ, v_k), (Q, ζ, q), whose q is the combined relation
//! at ζ by Z'(ζ). The seeds of comparison number i, of the answer's seed a0:
//!
//! ```text
//! item = u32 run || u32 segment || record || u16 pos || u8 (0 at least, 1 at most) || u64 x
//! c0 = H("AARDVARK-V1-COMPARISON", a0 || u32 i || item*)
//! s1 = H("AARDVARK-V1-COMPARISON-BITS", c0 || B_j* || R_k*)         β = challenge(s1, 0 ..= l)
//! s2 = H("AARDVARK-V1-COMPARISON-QUOTIENT", s1 || Q)                ζ = challenge(s2, 0)
//! s3 = H("AARDVARK-V1-COMPARISON-VALUES", s2 || b_j* || v_k*)       for the answer's fold
//! ```
//!
//! Source: docs/tables.md, "Comparisons".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::certificate::*;
use crate::table::domain_values::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// The most items of a comparison.
pub const MAX_COMPARED: usize = 1022;
/// The domain of the most items has 4 times 2 to this many elements.
pub const MAX_DOUBLINGS: usize = 8;
/// Thresholds are below 2^64.
pub const THRESHOLD_BOUND: u128 = 18_446_744_073_709_551_616;

/// A row that is compared.
#[derive(Clone, Debug, Default)]
pub struct ComparedRow {
    /// The place of its run among those of the answer.
    pub compared_run: usize,
    /// The number of its segment within the run; 0 for the first.
    pub compared_segment: usize,
    /// The segment's record.
    pub compared_record: RunRecord,
    /// The row's position on the record's domain.
    pub compared_position: usize,
    /// Whether it is to be at most the threshold, instead of at least.
    pub compared_at_most: bool,
    /// The threshold.
    pub compared_threshold: u128,
}

/// A comparison: its points and its scalars.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The commitments to B_j.
    pub comparison_bits: Seq<TablePoint>,
    /// The commitments to R_k.
    pub comparison_masks: Seq<TablePoint>,
    /// The commitment to Q.
    pub comparison_quotient: TablePoint,
    /// b_j.
    pub comparison_bit_values: Seq<Scalar>,
    /// v_k.
    pub comparison_values: Seq<Scalar>,
    /// The encodings of b_j and v_k: 32 bytes each, highest first.
    pub comparison_scalar_bytes: ByteString,
}

/// Why a comparison is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonFault {
    /// There are no items, or too many, or one is no row of its segment.
    ItemsIllegal,
    /// There are not as many bits, masks or values as there have to be.
    ComparisonMisshapen,
    /// ζ lies on H', or κ_k ζ on the domain of item k.
    PointOnDomain,
}

/// The challenges of a comparison.
#[derive(Clone, Debug, Default)]
pub struct ComparisonChallenges {
    /// β: one a bit, then β_D.
    pub compared_betas: Seq<Scalar>,
    /// ζ.
    pub compared_zeta: Scalar,
}

/// The tag of the first seed.
pub fn tag_comparison() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-COMPARISON")
}

/// The tag of the second seed.
pub fn tag_comparison_bits() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-COMPARISON-BITS")
}

/// The tag of the third seed.
pub fn tag_comparison_quotient() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-COMPARISON-QUOTIENT")
}

/// The tag of the fourth seed.
pub fn tag_comparison_values() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-COMPARISON-VALUES")
}

/// `u32 run || u32 segment || record || u16 pos || u8 (0 at least, 1 at most) || u64 x`.
pub fn encode_compared_row(compared: &ComparedRow) -> ByteString {
    u32_bytes(compared.compared_run)
        .concat(&u32_bytes(compared.compared_segment))
        .concat(&encode_run_record(&compared.compared_record))
        .concat(&u16_bytes(compared.compared_position))
        .concat(&u8_bytes(if compared.compared_at_most { 1 } else { 0 }))
        .concat(&big_endian(compared.compared_threshold, 8))
}

/// One step of [`encode_compared_rows`].
pub fn encode_compared_rows_step(encoded: ByteString, compared: &ComparedRow) -> ByteString {
    encoded.concat(&encode_compared_row(compared))
}

/// The items as bytes, one after the other.
pub fn encode_compared_rows(items: &Seq<ComparedRow>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for k in 0..items.len() {
        encoded = encode_compared_rows_step(encoded, &items[k]);
    }
    encoded
}

/// c0 of comparison number i, of an answer's seed.
pub fn comparison_seed(answer_seed: &ByteString, i: usize, items: &Seq<ComparedRow>) -> ByteString {
    let bound = answer_seed.concat(&u32_bytes(i)).concat(&encode_compared_rows(items));
    tagged_hash(&tag_comparison(), &bound)
}

/// s1, once the bits and the masks are fixed.
pub fn comparison_bits_seed(c0: &ByteString, shown: &Comparison) -> ByteString {
    let fixed = encode_table_points(&shown.comparison_bits).concat(&encode_table_points(&shown.comparison_masks));
    tagged_hash(&tag_comparison_bits(), &c0.concat(&fixed))
}

/// s2, once the quotient is fixed.
pub fn comparison_quotient_seed(s1: &ByteString, shown: &Comparison) -> ByteString {
    tagged_hash(&tag_comparison_quotient(), &s1.concat(&shown.comparison_quotient.held_bytes))
}

/// s3, once the values are fixed.
pub fn comparison_values_seed(s2: &ByteString, shown: &Comparison) -> ByteString {
    tagged_hash(&tag_comparison_values(), &s2.concat(&shown.comparison_scalar_bytes))
}

/// The challenges from s1 and s2, for so many bits.
pub fn comparison_challenges(bits: usize, s1: &ByteString, s2: &ByteString) -> ComparisonChallenges {
    ComparisonChallenges { compared_betas: fold_gammas(s1, bits + 1), compared_zeta: fold_challenge(s2, 0) }
}

/// One step of [`comparison_size`].
pub fn comparison_size_step(least: usize, items: usize) -> usize {
    if least >= items + 2 { least } else { least * 2 }
}

/// N': the least power of two of at least max(4, m + 2), for at most 1,022 items.
pub fn comparison_size(items: usize) -> usize {
    let mut least = 4;
    for _i in 0..MAX_DOUBLINGS {
        least = comparison_size_step(least, items);
    }
    least
}

/// κ_k x: where the polynomial of item k is looked at for the point x of H'.
pub fn relocated_point(n: usize, compared: &ComparedRow, k: usize, x: Scalar) -> Scalar {
    let place = domain_point(sheet_size(compared.compared_record.record_log), compared.compared_position);
    place * scalar_inverse(domain_point(n, k)) * x
}

/// σ_k y.
pub fn signed_value(compared: &ComparedRow, y: Scalar) -> Scalar {
    if compared.compared_at_most { scalar_zero() - y } else { y }
}

/// One step of [`compared_differences`].
pub fn compared_differences_step(
    total: Scalar,
    n: usize,
    compared: &ComparedRow,
    found: Scalar,
    x: Scalar,
    k: usize,
) -> Scalar {
    let difference = found - scalar_of_number(compared.compared_threshold);
    total + lagrange_value(n, k, x) * signed_value(compared, difference)
}

/// Σ σ_k L'_k(x) (v_k - x_k), of values v_k of V^_k at κ_k x.
pub fn compared_differences(n: usize, items: &Seq<ComparedRow>, values: &Seq<Scalar>, x: Scalar) -> Scalar {
    let mut total = scalar_zero();
    for k in 0..items.len() {
        total = compared_differences_step(total, n, &items[k], scalar_at(values, k), x, k);
    }
    total
}

/// The combined relation at x, of the values of B_j there, and of V^_k at κ_k x.
pub fn comparison_relation(
    items: &Seq<ComparedRow>,
    betas: &Seq<Scalar>,
    bit_values: &Seq<Scalar>,
    values: &Seq<Scalar>,
    x: Scalar,
) -> Scalar {
    let differences = compared_differences(comparison_size(items.len()), items, values, x);
    bits_relation(bit_values, betas) + scalar_at(betas, bit_values.len()) * (differences - weighted_bits(bit_values))
}

/// q: what Q must be at x off H', of the same values.
pub fn comparison_quotient_value(
    items: &Seq<ComparedRow>,
    betas: &Seq<Scalar>,
    bit_values: &Seq<Scalar>,
    values: &Seq<Scalar>,
    x: Scalar,
) -> Scalar {
    let vanishing = rows_vanishing(comparison_size(items.len()), x);
    comparison_relation(items, betas, bit_values, values, x) * scalar_inverse(vanishing)
}

/// Whether an item is a row of a segment that has a place on its domain.
pub fn compared_row_legal(compared: &ComparedRow) -> bool {
    let log = compared.compared_record.record_log;
    let first = compared.compared_record.record_first;
    let placed = match layout_after(1, log, &compared.compared_record) {
        None => false,
        Some(_) => true,
    };
    placed
        && log >= MIN_SHEET_LOG
        && log <= MAX_SHEET_LOG
        && compared.compared_position >= first
        && compared.compared_position - first < compared.compared_record.record_rows
        && compared.compared_threshold < THRESHOLD_BOUND
}

/// One step of [`compared_rows_legal`].
pub fn compared_rows_legal_step(legal: bool, compared: &ComparedRow) -> bool {
    legal && compared_row_legal(compared)
}

/// Whether there is a compared, and not too many, each a row of its segment.
pub fn compared_rows_legal(items: &Seq<ComparedRow>) -> bool {
    let mut legal = items.len() >= 1 && items.len() <= MAX_COMPARED;
    for k in 0..items.len() {
        legal = compared_rows_legal_step(legal, &items[k]);
    }
    legal
}

/// One step of [`compared_on_domain`].
pub fn compared_on_domain_step(found: bool, n: usize, compared: &ComparedRow, zeta: Scalar, k: usize) -> bool {
    found || on_domain(sheet_size(compared.compared_record.record_log), relocated_point(n, compared, k, zeta))
}

/// Whether ζ lies on H', or κ_k ζ on the domain of item k.
pub fn compared_on_domain(items: &Seq<ComparedRow>, zeta: Scalar) -> bool {
    let n = comparison_size(items.len());
    let mut found = on_domain(n, zeta);
    for k in 0..items.len() {
        found = compared_on_domain_step(found, n, &items[k], zeta, k);
    }
    found
}

/// One step of [`comparison_bit_claims`].
pub fn comparison_bit_claims_step(
    claimed: Seq<FoldedClaim>,
    shown: &Comparison,
    zeta: Scalar,
    j: usize,
) -> Seq<FoldedClaim> {
    claimed.push_owned(FoldedClaim {
        folded_commitment: shown.comparison_bits[j].held_element,
        folded_point: zeta,
        folded_value: scalar_at(&shown.comparison_bit_values, j),
    })
}

/// The claims (B_j, ζ, b_j).
pub fn comparison_bit_claims(shown: &Comparison, zeta: Scalar) -> Seq<FoldedClaim> {
    let mut claimed = Seq::<FoldedClaim>::new(0);
    for j in 0..shown.comparison_bits.len() {
        claimed = comparison_bit_claims_step(claimed, shown, zeta, j);
    }
    claimed
}

/// The commitment to R_k; the identity where there is none.
pub fn comparison_mask_at(shown: &Comparison, k: usize) -> G1 {
    if k < shown.comparison_masks.len() { shown.comparison_masks[k].held_element } else { g1_identity() }
}

/// One step of [`compared_row_claims`].
pub fn compared_row_claims_step(
    claimed: Seq<FoldedClaim>,
    n: usize,
    compared: &ComparedRow,
    shown: &Comparison,
    zeta: Scalar,
    k: usize,
) -> Seq<FoldedClaim> {
    let point = relocated_point(n, compared, k, zeta);
    let vanishing = rows_vanishing(sheet_size(compared.compared_record.record_log), point);
    let mask = g1_scale(vanishing, comparison_mask_at(shown, k));
    claimed.push_owned(FoldedClaim {
        folded_commitment: g1_add(compared.compared_record.record_values.held_element, mask),
        folded_point: point,
        folded_value: scalar_at(&shown.comparison_values, k),
    })
}

/// The claims (C_k + Z_k(κ_k ζ) R_k, κ_k ζ, v_k), behind others.
pub fn compared_row_claims(
    before: Seq<FoldedClaim>,
    items: &Seq<ComparedRow>,
    shown: &Comparison,
    zeta: Scalar,
) -> Seq<FoldedClaim> {
    let n = comparison_size(items.len());
    let mut claimed = before;
    for k in 0..items.len() {
        claimed = compared_row_claims_step(claimed, n, &items[k], shown, zeta, k);
    }
    claimed
}

/// All claims of a comparison, in the fold's order.
pub fn comparison_claims(
    items: &Seq<ComparedRow>,
    drawn: &ComparisonChallenges,
    shown: &Comparison,
) -> Seq<FoldedClaim> {
    let zeta = drawn.compared_zeta;
    compared_row_claims(comparison_bit_claims(shown, zeta), items, shown, zeta).push_owned(FoldedClaim {
        folded_commitment: shown.comparison_quotient.held_element,
        folded_point: zeta,
        folded_value: comparison_quotient_value(
            items,
            &drawn.compared_betas,
            &shown.comparison_bit_values,
            &shown.comparison_values,
            zeta,
        ),
    })
}

/// What a comparison of numbers of so many bits claims under these challenges, for the fold of its
/// answer to show; or why it is not accepted.
pub fn claims_of_comparison(
    bits: usize,
    items: &Seq<ComparedRow>,
    drawn: &ComparisonChallenges,
    shown: &Comparison,
) -> Result<Seq<FoldedClaim>, ComparisonFault> {
    let shaped = shown.comparison_bits.len() == bits
        && shown.comparison_bit_values.len() == bits
        && shown.comparison_masks.len() == items.len()
        && shown.comparison_values.len() == items.len();
    if !compared_rows_legal(items) {
        Err(ComparisonFault::ItemsIllegal)
    } else if !shaped {
        Err(ComparisonFault::ComparisonMisshapen)
    } else if compared_on_domain(items, drawn.compared_zeta) {
        Err(ComparisonFault::PointOnDomain)
    } else {
        Ok(comparison_claims(items, drawn, shown))
    }
}
