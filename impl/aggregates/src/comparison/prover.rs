//! Making comparisons.
//!
//! With y_k the row's number, item k's part of the combined relation is divided without a Fourier
//! transform, since L'_k (V^_k(κ_k X) - y_k) = Z_(H') (ω'^k / N') (V^_k(κ_k X) - y_k) / (X - ω'^k)
//! and Z_(H') is Z' times the two masks' factors. What is left has a degree below 2 N', and is
//! divided on a coset. [`super::naive`] does the same by the book.
//!
//! Everything secret passes through variable-time arithmetic: who can time a keeper learns of it.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, msm_in_subgroup};
use aardvark_commitment::{CommitmentError, Opening};
use thiserror::Error;

use super::relocation::Relocation;
use super::transcript::{self, Betas};
use super::verifier::signed;
use super::{ComparedRow, Comparison, ComparisonError};
use crate::bits::BitVectors;
use crate::coset::Coset;
use crate::fold_prover::OpenedPolynomial;
use crate::masks::ComparisonMasks;
use crate::polynomial::{add_scaled, divided_by_point, evaluate, product, rows_vanishing};
use crate::segment::KnownSegment;
use crate::setup::{ProverSetup, SheetSetup};
use crate::sheet::{DomainValues, MIN_LOG};

/// Why there is no comparison.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComparisonProverError {
    /// The items are no rows, or a challenge lies on a domain.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// Items, segments and masks do not fit each other.
    #[error("items, segments and masks do not fit each other")]
    Mismatch,
    /// A row lies on the wrong side of its threshold, or farther from it than the bits reach.
    #[error("row {0} does not compare as is said")]
    Side(usize),
    /// The setup has too few powers.
    #[error(transparent)]
    Setup(#[from] CommitmentError),
}

/// A comparison, with what the fold of its answer has to show.
#[derive(Clone)]
pub struct ProvedComparison<'a> {
    /// The comparison.
    pub comparison: Comparison,
    /// s3, which the seed of the answer's fold binds.
    pub seed: [u8; 32],
    /// The polynomials of the claims, in the fold's order.
    pub opened: Vec<OpenedPolynomial<'a>>,
}

/// Comparison number `number` of an answer: the items are rows of these segments, one an item, of
/// numbers of so many bits.
///
/// # Errors
/// [`ComparisonProverError`].
pub fn prove<'a>(
    setup: &ProverSetup,
    bits: usize,
    answer_seed: &[u8; 32],
    number: u32,
    items: &[ComparedRow],
    segments: &[&'a KnownSegment],
    masks: &ComparisonMasks,
) -> Result<ProvedComparison<'a>, ComparisonProverError> {
    let relocation = Relocation::new(items)?;
    let differences = differences(bits, items, segments, masks, relocation.domain.size())?;
    let compared = Compared {
        small: setup.domain(relocation.domain.size().trailing_zeros() as usize)?,
        powers: powers(setup, items, &relocation)?,
        bits: BitVectors::new(&differences, &masks.bits),
        relocation,
        items,
        segments,
        masks,
        differences: &differences,
    };
    compared.prove(answer_seed, number)
}

/// The numbers whose bits stand at the positions of H' but its masks, once all fits.
pub(super) fn differences(
    bits: usize,
    items: &[ComparedRow],
    segments: &[&KnownSegment],
    masks: &ComparisonMasks,
    size: usize,
) -> Result<Vec<u64>, ComparisonProverError> {
    let fits = items.len() == segments.len() && masks.rows.len() == items.len() && masks.bits.len() == bits;
    if !fits || bits > 64 {
        return Err(ComparisonProverError::Mismatch);
    }
    let difference = |(k, (item, segment)): (usize, (&ComparedRow, &&KnownSegment))| {
        let number = usize::from(item.position).checked_sub(segment.first).and_then(|row| segment.numbers.get(row));
        let number = *number.ok_or(ComparisonProverError::Mismatch)?;
        let wide = |difference: &u64| bits >= 64 || difference >> bits == 0;
        item.difference(number).filter(wide).ok_or(ComparisonProverError::Side(k))
    };
    let numbers = items.iter().zip(segments).enumerate().map(difference);
    let mut numbers: Vec<u64> = numbers.collect::<Result<_, _>>()?;
    numbers.resize(size - 2, 0);
    Ok(numbers)
}

/// As many powers as the largest of the domains asks for.
pub(super) fn powers<'s>(
    setup: &'s ProverSetup,
    items: &[ComparedRow],
    relocation: &Relocation,
) -> Result<&'s [G1Affine], CommitmentError> {
    let log = items.iter().map(|item| usize::from(item.record.log)).max().unwrap_or(MIN_LOG);
    let own = relocation.domain.size().trailing_zeros() as usize;
    Ok(&setup.sheet(log.max(own))?.powers)
}

/// What a comparison is made of.
pub(super) struct Compared<'a, 'k> {
    pub(super) relocation: Relocation,
    /// The setup of H'.
    pub(super) small: &'a SheetSetup,
    pub(super) powers: &'a [G1Affine],
    pub(super) items: &'a [ComparedRow],
    pub(super) segments: &'a [&'k KnownSegment],
    pub(super) masks: &'a ComparisonMasks,
    pub(super) differences: &'a [u64],
    pub(super) bits: BitVectors<'a>,
}

impl<'k> Compared<'_, 'k> {
    pub(super) fn prove(
        &self,
        answer_seed: &[u8; 32],
        number: u32,
    ) -> Result<ProvedComparison<'k>, ComparisonProverError> {
        let domain = &self.relocation.domain;
        let bits = self.bits.commitments(self.small);
        let of_rows = self.masks.rows.par_iter().map(|mask| msm_in_subgroup(self.powers, mask));
        let masks = batch_to_affine(&of_rows.collect::<Vec<G1Projective>>());
        let masks: Vec<Opening> = masks.into_iter().map(Opening::from_point_unchecked).collect();

        let c0 = transcript::begin(answer_seed, number, self.items);
        let (s1, betas) = transcript::after_bits(&c0, &bits, &masks);
        let quotient = self.quotient(&betas)?;
        let quotient_point = Opening::from_point_unchecked(msm_in_subgroup(self.powers, &quotient).to_affine());

        let (s2, zeta) = transcript::after_quotient(&s1, &quotient_point);
        let at_zeta = DomainValues::new(domain, zeta).ok_or(ComparisonError::PointOnDomain)?;
        let bit_values = self.bits.values(&at_zeta.lagrange);
        let relocated = self.relocation.points(self.items, zeta)?;
        let rows: Vec<OpenedPolynomial<'k>> = relocated
            .iter()
            .zip(self.items.iter().zip(self.segments))
            .zip(&self.masks.rows)
            .map(|(((point, vanishing), (item, segment)), mask)| OpenedPolynomial {
                rows: Some((segment, 1 << item.record.log)),
                coefficients: mask.map(|coefficient| coefficient * vanishing).to_vec(),
                point: *point,
            })
            .collect();
        let values: Vec<Scalar> = rows.par_iter().map(|row| evaluate(&row.all_coefficients(), &row.point)).collect();

        let mut opened: Vec<OpenedPolynomial<'k>> = (0..bits.len())
            .map(|j| OpenedPolynomial { rows: None, coefficients: domain.ifft(&self.bits.vector(j)), point: zeta })
            .collect();
        opened.extend(rows);
        opened.push(OpenedPolynomial { rows: None, coefficients: quotient, point: zeta });
        let comparison = Comparison { bits, masks, quotient: quotient_point, bit_values, values };
        let seed = transcript::after_values(&s2, comparison.scalars());
        Ok(ProvedComparison { comparison, seed, opened })
    }

    /// Q by its coefficients.
    fn quotient(&self, betas: &Betas) -> Result<Vec<Scalar>, ComparisonProverError> {
        let domain = &self.relocation.domain;
        let numbered: Vec<usize> = (0..self.items.len()).collect();
        let of_items = |part: &[usize]| -> Result<Vec<Scalar>, ComparisonError> {
            let mut sum = Vec::new();
            part.iter().try_for_each(|k| self.add_item(&mut sum, *k))?;
            Ok(sum)
        };
        let parts: Vec<Vec<Scalar>> = numbered.par_chunks(64).map(of_items).collect::<Result<_, _>>()?;
        let mut of_items = Vec::new();
        parts.iter().for_each(|part| add_scaled(&mut of_items, part, betas.difference));
        let masks = product(&[-domain.inverse_element(2), Scalar::ONE], &[-domain.inverse_element(1), Scalar::ONE]);
        let mut quotient = product(&of_items, &masks);

        let coset = Coset::new(domain, 2).ok_or(ComparisonProverError::Mismatch)?;
        let differences: Vec<Scalar> = self.differences.iter().map(|difference| Scalar::from(*difference)).collect();
        let differences = coset.values(&domain.ifft(&differences));
        let mut relation = self.bits.relation_on(domain, &coset, &betas.bits, betas.difference);
        add_scaled(&mut relation, &differences, betas.difference);
        let mut of_bits = coset.coefficients(&coset.by_vanishing(domain, &relation));
        of_bits.truncate(domain.size() + 1);
        add_scaled(&mut quotient, &of_bits, Scalar::ONE);
        Ok(quotient)
    }

    /// Adds σ_k (ω'^k / N') (V^_k(κ_k X) - y_k) / (X - ω'^k).
    fn add_item(&self, sum: &mut Vec<Scalar>, k: usize) -> Result<(), ComparisonError> {
        let (Some(item), Some(segment), Some(mask)) = (self.items.get(k), self.segments.get(k), self.masks.rows.get(k))
        else {
            return Err(ComparisonError::Rows);
        };
        let (domain, rows) = (&self.relocation.domain, self.relocation.of(item)?);
        let coefficients = relocated(rows, segment, mask, self.relocation.factor(item, k));
        let factor = signed(item.side, domain.element(k) * domain.size_inverse());
        add_scaled(sum, &divided_by_point(&coefficients, &domain.element(k)), factor);
        Ok(())
    }
}

/// V^(κ X) by its coefficients.
pub(super) fn relocated(
    rows: &aardvark_algebra::Domain,
    segment: &KnownSegment,
    mask: &[Scalar; 3],
    kappa: Scalar,
) -> Vec<Scalar> {
    let mut coefficients = rows.ifft(&segment.values(rows.size()));
    add_scaled(&mut coefficients, &product(&rows_vanishing(rows), mask), Scalar::ONE);
    let mut power = Scalar::ONE;
    for coefficient in &mut coefficients {
        *coefficient *= power;
        power *= kappa;
    }
    coefficients
}
