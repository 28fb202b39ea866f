//! What a comparison claims (`aardvark_spec::table::comparison::claims_of_comparison`).
//!
//! ```text
//! (B_j, ζ, b_j)    (C_k + Z_k(κ_k ζ) R_k, κ_k ζ, v_k)    (Q, ζ, q)
//! q = [ Σ β_j (b_j² - b_j) + β_D (Σ σ_k L'_k(ζ) (v_k - x_k) - Σ 2^j b_j) ] / Z'(ζ)
//! ```
//!
//! The fold of the answer shows these claims, with all others of the answer.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{G1Affine, Scalar};

use super::relocation::Relocation;
use super::transcript::{self, Betas};
use super::{ComparedRow, Comparison, ComparisonError, Side};
use crate::fold::CombinedClaim;
use crate::sheet::{DomainValues, rows_vanishing};

/// What a comparison claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparisonClaims {
    /// The points that the claims speak of.
    pub points: Vec<G1Affine>,
    /// The claims, in the fold's order.
    pub claims: Vec<CombinedClaim>,
    /// s3, which the seed of the answer's fold binds.
    pub seed: [u8; 32],
}

/// What comparison number `number` of an answer claims of these items, for numbers of so many bits.
///
/// # Errors
/// [`ComparisonError`].
pub fn claims(
    bits: usize,
    answer_seed: &[u8; 32],
    number: u32,
    items: &[ComparedRow],
    shown: &Comparison,
) -> Result<ComparisonClaims, ComparisonError> {
    let relocation = Relocation::new(items)?;
    let shaped = shown.bits.len() == bits
        && shown.bit_values.len() == bits
        && shown.masks.len() == items.len()
        && shown.values.len() == items.len();
    if !shaped {
        return Err(ComparisonError::Shape);
    }
    let c0 = transcript::begin(answer_seed, number, items);
    let (s1, betas) = transcript::after_bits(&c0, &shown.bits, &shown.masks);
    let (s2, zeta) = transcript::after_quotient(&s1, &shown.quotient);
    let seed = transcript::after_values(&s2, shown.scalars());

    let at_zeta = DomainValues::new(&relocation.domain, zeta).ok_or(ComparisonError::PointOnDomain)?;
    let relocated = relocation.points(items, zeta)?;
    let (masks, quotient, rows) = (bits, bits + items.len(), bits + items.len() + 1);
    let bit_claims = shown.bit_values.iter().enumerate();
    let mut claims: Vec<CombinedClaim> =
        bit_claims.map(|(j, bit)| CombinedClaim { terms: vec![(j, Scalar::ONE)], point: zeta, value: *bit }).collect();
    for (k, ((point, vanishing), value)) in relocated.iter().zip(&shown.values).enumerate() {
        let terms = vec![(rows + k, Scalar::ONE), (masks + k, *vanishing)];
        claims.push(CombinedClaim { terms, point: *point, value: *value });
    }
    let vanishing = rows_vanishing(&relocation.domain, zeta);
    let inverse = Option::<Scalar>::from(vanishing.invert()).ok_or(ComparisonError::PointOnDomain)?;
    let value = relation(items, shown, &betas, &at_zeta) * inverse;
    claims.push(CombinedClaim { terms: vec![(quotient, Scalar::ONE)], point: zeta, value });

    let own = shown.bits.iter().chain(&shown.masks).chain([&shown.quotient]).map(|point| *point.point());
    let points = own.chain(items.iter().map(|item| *item.record.values.point())).collect();
    Ok(ComparisonClaims { points, claims, seed })
}

/// The combined relation at ζ.
fn relation(items: &[ComparedRow], shown: &Comparison, betas: &Betas, at_zeta: &DomainValues) -> Scalar {
    let bits: Scalar = shown.bit_values.iter().zip(&betas.bits).map(|(bit, beta)| *beta * (bit.square() - bit)).sum();
    let weighted = shown.bit_values.iter().rev().fold(Scalar::ZERO, |sum, bit| sum.double() + bit);
    let difference = |(k, (item, value)): (usize, (&ComparedRow, &Scalar))| {
        at_zeta.at(k) * signed(item.side, *value - Scalar::from(item.threshold))
    };
    let differences: Scalar = items.iter().zip(&shown.values).enumerate().map(difference).sum();
    bits + betas.difference * (differences - weighted)
}

/// σ y.
pub(super) fn signed(side: Side, y: Scalar) -> Scalar {
    match side {
        Side::AtLeast => y,
        Side::AtMost => -y,
    }
}
