//! The slow twin of [`super::prover`]: the relations as products of polynomials, divided by Z' as
//! at school.

use aardvark_algebra::ff::Field;
use aardvark_algebra::fft::naive::evaluate;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{Scalar, msm};
use aardvark_commitment::Opening;

use super::prover::{ComparisonProverError, differences, powers, relocated};
use super::relocation::Relocation;
use super::transcript;
use super::verifier::signed;
use super::{ComparedRow, Comparison, ComparisonError};
use crate::bits::BitVectors;
use crate::masks::ComparisonMasks;
use crate::polynomial::{add_scaled, divided, product, rows_vanishing};
use crate::segment::KnownSegment;
use crate::setup::ProverSetup;

/// [`super::prover::prove`], slowly: the same comparison.
///
/// # Errors
/// As there.
pub fn prove(
    setup: &ProverSetup,
    bits: usize,
    answer_seed: &[u8; 32],
    number: u32,
    items: &[ComparedRow],
    segments: &[&KnownSegment],
    masks: &ComparisonMasks,
) -> Result<Comparison, ComparisonProverError> {
    let relocation = Relocation::new(items)?;
    let domain = &relocation.domain;
    let differences = differences(bits, items, segments, masks, domain.size())?;
    let powers = powers(setup, items, &relocation)?;
    let commit = |p: &[Scalar]| Opening::from_point_unchecked(msm(powers, p).to_affine());
    let vectors = BitVectors::new(&differences, &masks.bits);
    let polynomials: Vec<Vec<Scalar>> = (0..bits).map(|j| domain.ifft(&vectors.vector(j))).collect();
    let points: Vec<Opening> = polynomials.iter().map(|bit| commit(bit)).collect();
    let mask_points: Vec<Opening> = masks.rows.iter().map(|mask| commit(mask)).collect();

    let c0 = transcript::begin(answer_seed, number, items);
    let (s1, betas) = transcript::after_bits(&c0, &points, &mask_points);
    let mut relation = Vec::new();
    for ((bit, beta), weight) in polynomials.iter().zip(&betas.bits).zip(0..) {
        add_scaled(&mut relation, &product(bit, bit), *beta);
        add_scaled(&mut relation, bit, -*beta);
        add_scaled(&mut relation, bit, -(betas.difference * Scalar::from(1u64 << weight)));
    }
    let mut rows = Vec::new();
    for (k, ((item, segment), mask)) in items.iter().zip(segments).zip(&masks.rows).enumerate() {
        let mut difference = relocated(relocation.of(item)?, segment, mask, relocation.factor(item, k));
        add_scaled(&mut difference, &[Scalar::from(item.threshold)], -Scalar::ONE);
        let mut lagrange = vec![Scalar::ZERO; domain.size()];
        lagrange.iter_mut().skip(k).take(1).for_each(|element| *element = Scalar::ONE);
        let factor = signed(item.side, betas.difference);
        add_scaled(&mut relation, &product(&domain.ifft(&lagrange), &difference), factor);
        rows.push(difference);
    }
    let quotient = divided(&relation, &rows_vanishing(domain)).ok_or(ComparisonProverError::Mismatch)?;
    let quotient_point = commit(&quotient);

    let (_, zeta) = transcript::after_quotient(&s1, &quotient_point);
    if zeta.pow_vartime([domain.size() as u64]) == Scalar::ONE {
        return Err(ComparisonError::PointOnDomain.into());
    }
    let values = rows.iter().zip(items).map(|(row, item)| evaluate(row, &zeta) + Scalar::from(item.threshold));
    Ok(Comparison {
        bit_values: polynomials.iter().map(|bit| evaluate(bit, &zeta)).collect(),
        values: values.collect(),
        bits: points,
        masks: mask_points,
        quotient: quotient_point,
    })
}
