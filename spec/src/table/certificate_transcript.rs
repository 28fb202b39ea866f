//! What a certificate is about, what it consists of, and the challenges that its bytes draw.
//!
//! ```text
//! statement = u8 1 || dictionary (32) || bytes8(table) || u8 column || schema digest (32) || u8 log2 N || u8 0
//!             || u16 K || (key columns || u32 run || u32 revision || u32 segment || record)*
//! s0 = H("AARDVARK-V1-CERTIFICATE", statement)                       ρ_k = challenge(s0, k)
//! s1 = H("AARDVARK-V1-CERTIFICATE-BITS", s0 || B_j* || R_v || R_1)    β   = challenge(s1, 0 ..)
//! s2 = H("AARDVARK-V1-CERTIFICATE-QUOTIENT", s1 || Q)                 ζ   = challenge(s2, 0)
//! s3 = H("AARDVARK-V1-CERTIFICATE-VALUES", s2 || b_j* || v || e)      the fold's seed
//! ```
//!
//! β_j stand at j < bits, β_D at bits, β_S at bits + 1, β_p at bits + 1 + p. Sheets that continue
//! runs (links) have no certificates yet. Source: docs/tables.md, "The certificate".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::commitment::folded_opening::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use hacspec_lib::*;

/// What a certificate is about, besides the segments.
#[derive(Clone, Debug, Default)]
pub struct CertificateAbout {
    /// The dictionary's id, 32 bytes.
    pub about_dictionary: ByteString,
    /// The table's name.
    pub about_table: ByteString,
    /// The number of the value column.
    pub about_column: usize,
    /// The digest of the schema, 32 bytes.
    pub about_schema: ByteString,
    /// How many bits a step between two rows has at most.
    pub about_bits: usize,
    /// The greatest number of a row.
    pub about_cap: u128,
    /// How many powers of the rows have sums.
    pub about_moments: usize,
}

/// A certificate: its points, its scalars, its folded opening.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    /// The commitments to B_j.
    pub certificate_bits: Seq<TablePoint>,
    /// The commitment to R_v.
    pub certificate_values_mask: TablePoint,
    /// The commitment to R_1.
    pub certificate_sums_mask: TablePoint,
    /// The commitment to Q.
    pub certificate_quotient: TablePoint,
    /// b_j.
    pub certificate_bit_values: Seq<Scalar>,
    /// v.
    pub certificate_value: Scalar,
    /// e.
    pub certificate_next: Scalar,
    /// The encodings of b_j, v and e: 32 bytes each, highest first.
    pub certificate_scalar_bytes: ByteString,
    /// W and W'.
    pub certificate_opening: FoldedOpening,
    /// The encoding of W.
    pub certificate_opening_bytes: ByteString,
}

/// The challenges of a certificate but for those of its fold.
#[derive(Clone, Debug, Default)]
pub struct CertificateChallenges {
    /// ρ_k, one a segment.
    pub drawn_rhos: Seq<Scalar>,
    /// β: one a bit, then β_D, β_S, and one a moment.
    pub drawn_betas: Seq<Scalar>,
    /// ζ.
    pub drawn_zeta: Scalar,
}

/// The tag of the first seed.
pub fn tag_certificate() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-CERTIFICATE")
}

/// The tag of the second seed.
pub fn tag_certificate_bits() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-CERTIFICATE-BITS")
}

/// The tag of the third seed.
pub fn tag_certificate_quotient() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-CERTIFICATE-QUOTIENT")
}

/// The tag of the fold's seed.
pub fn tag_certificate_values() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-CERTIFICATE-VALUES")
}

/// `key columns || u32 run || u32 revision || u32 segment || record`.
pub fn encode_sheet_item(placed: &SheetItem) -> ByteString {
    placed
        .item_columns
        .concat(&u32_bytes(placed.item_run))
        .concat(&u32_bytes(placed.item_revision))
        .concat(&u32_bytes(placed.item_segment))
        .concat(&encode_run_record(&placed.item_record))
}

/// One step of [`certificate_statement`].
pub fn certificate_statement_step(statement: ByteString, placed: &SheetItem) -> ByteString {
    statement.concat(&encode_sheet_item(placed))
}

/// All that a certificate is about, as bytes.
pub fn certificate_statement(about: &CertificateAbout, items: &Seq<SheetItem>) -> ByteString {
    let mut statement = u8_bytes(1)
        .concat(&about.about_dictionary)
        .concat(&bytes8(&about.about_table))
        .concat(&u8_bytes(about.about_column))
        .concat(&about.about_schema)
        .concat(&u8_bytes(sheet_log(items)))
        .concat(&u8_bytes(0))
        .concat(&u16_bytes(items.len()));
    for k in 0..items.len() {
        statement = certificate_statement_step(statement, &items[k]);
    }
    statement
}

/// s0, of the statement.
pub fn certificate_seed(statement: &ByteString) -> ByteString {
    tagged_hash(&tag_certificate(), statement)
}

/// s1, once the bits and the masks are fixed.
pub fn certificate_bits_seed(s0: &ByteString, shown: &Certificate) -> ByteString {
    let fixed = encode_table_points(&shown.certificate_bits)
        .concat(&shown.certificate_values_mask.held_bytes)
        .concat(&shown.certificate_sums_mask.held_bytes);
    tagged_hash(&tag_certificate_bits(), &s0.concat(&fixed))
}

/// s2, once the quotient is fixed.
pub fn certificate_quotient_seed(s1: &ByteString, shown: &Certificate) -> ByteString {
    tagged_hash(&tag_certificate_quotient(), &s1.concat(&shown.certificate_quotient.held_bytes))
}

/// s3, once the values are fixed.
pub fn certificate_values_seed(s2: &ByteString, shown: &Certificate) -> ByteString {
    tagged_hash(&tag_certificate_values(), &s2.concat(&shown.certificate_scalar_bytes))
}

/// How many β there are.
pub fn beta_count(about: &CertificateAbout) -> usize {
    about.about_bits + 2 + about.about_moments
}

/// The challenges from the first three seeds.
pub fn certificate_challenges(
    about: &CertificateAbout,
    segments: usize,
    s0: &ByteString,
    s1: &ByteString,
    s2: &ByteString,
) -> CertificateChallenges {
    CertificateChallenges {
        drawn_rhos: fold_gammas(s0, segments),
        drawn_betas: fold_gammas(s1, beta_count(about)),
        drawn_zeta: fold_challenge(s2, 0),
    }
}

/// β_D.
pub fn beta_order(about: &CertificateAbout, drawn: &CertificateChallenges) -> Scalar {
    scalar_at(&drawn.drawn_betas, about.about_bits)
}

/// β_S.
pub fn beta_support(about: &CertificateAbout, drawn: &CertificateChallenges) -> Scalar {
    scalar_at(&drawn.drawn_betas, about.about_bits + 1)
}

/// β_(i + 1), of the sums of the powers i + 1.
pub fn beta_moment(about: &CertificateAbout, drawn: &CertificateChallenges, i: usize) -> Scalar {
    scalar_at(&drawn.drawn_betas, about.about_bits + 2 + i)
}
