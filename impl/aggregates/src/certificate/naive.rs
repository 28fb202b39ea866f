//! The slow twin of [`super::prover`]: relations as products of polynomials, divided by Z as at
//! school, and every claim opened by itself.

use aardvark_algebra::ff::Field;
use aardvark_algebra::fft::naive::evaluate;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{Scalar, msm};
use aardvark_commitment::{FoldedOpening, Opening};

use super::link::{KnownLink, link_position};
use super::rows::{Polynomials, ProverError, Rows};
use super::statement::{About, SheetItem};
use super::transcript::{self, Betas};
use super::verifier::weighted;
use super::{Certificate, LinkPart};
use crate::fold::{challenges, fold_point};
use crate::masks::CertificateMasks;
use crate::polynomial::{add_scaled, divided, divided_by_point, product, rows_vanishing};
use crate::segment::KnownSegment;
use crate::setup::SheetSetup;
use crate::sheet::{DomainValues, rows_vanishing as vanishing_at};

/// [`super::prover::prove`], slowly: the same certificate.
///
/// # Errors
/// As there.
pub fn prove(
    setup: &SheetSetup,
    about: &About,
    items: &[SheetItem],
    segments: &[KnownSegment],
    masks: &CertificateMasks,
) -> Result<Certificate, ProverError> {
    prove_behind(setup, about, None, items, segments, masks)
}

/// [`super::prover::prove_behind`], slowly.
///
/// # Errors
/// As there.
pub fn prove_behind(
    setup: &SheetSetup,
    about: &About,
    link: Option<&KnownLink<'_>>,
    items: &[SheetItem],
    segments: &[KnownSegment],
    masks: &CertificateMasks,
) -> Result<Certificate, ProverError> {
    slowly(&Rows::new(setup, about, link, items, segments, masks)?).ok_or(ProverError::Relations)
}

/// A polynomial, and what it is at.
struct Opened {
    polynomial: Vec<Scalar>,
    point: Scalar,
}

fn slowly(rows: &Rows<'_>) -> Option<Certificate> {
    let Rows { setup, about, items, masks, .. } = rows;
    let commit = |p: &[Scalar]| Opening::from_point_unchecked(msm(rows.powers(), p).to_affine());
    let (s0, rhos) = transcript::begin(about, rows.link.map(|link| link.record), items);
    let bits: Vec<Vec<Scalar>> = (0..about.bits).map(|j| setup.domain.ifft(&rows.bits().vector(j))).collect();
    let bit_points: Vec<Opening> = bits.iter().map(|bit| commit(bit)).collect();
    let (values_mask, sums_mask) = (commit(&masks.values), commit(&masks.sums));
    let link_mask = rows.link.map(|link| commit(&link.mask));
    let mask_points = [&values_mask, &sums_mask].into_iter().chain(&link_mask);
    let (s1, betas) = transcript::after_bits(about, &s0, &bit_points, mask_points);

    let quotient = divided(&relation(rows, &rhos, &bits, &betas), &rows_vanishing(&setup.domain))?;
    let quotient_point = commit(&quotient);
    let (s2, zeta) = transcript::after_quotient(&s1, &quotient_point);
    let unguarded = DomainValues::new(&setup.domain, zeta)?.unguarded();
    let next_point = zeta * setup.domain.omega();

    let polynomials = polynomials(rows, &rhos);
    let mut values = polynomials.values.clone();
    add_scaled(&mut values, &masks.values, vanishing_at(&setup.domain, zeta));
    let value = evaluate(&values, &zeta);
    let after = rows.next_polynomial(&polynomials, &betas, unguarded, next_point);
    let next = evaluate(&after, &next_point);
    let linear = rows.linear_polynomial(&polynomials, &betas, &quotient, zeta, value);
    let bit_values: Vec<Scalar> = bits.iter().map(|bit| evaluate(bit, &zeta)).collect();
    let before = match rows.link {
        Some(known) => Some(rows.opened_link(known, zeta)?),
        None => None,
    };
    let link_value = before.as_ref().map(|(polynomial, point)| evaluate(polynomial, point));
    let s3 = transcript::after_values(&s2, bit_values.iter().chain([&value, &next]).chain(&link_value));

    let at_zeta = bits.into_iter().chain([values, linear]).map(|polynomial| (polynomial, zeta));
    let elsewhere = core::iter::once((after, next_point)).chain(before);
    let opened: Vec<Opened> =
        at_zeta.chain(elsewhere).map(|(polynomial, point)| Opened { polynomial, point }).collect();
    let gammas = challenges(&s3, opened.len());
    let fold = |factor: &dyn Fn(Scalar, Scalar) -> Option<Scalar>| {
        let mut sum = Vec::new();
        for (Opened { polynomial, point }, gamma) in opened.iter().zip(&gammas) {
            add_scaled(&mut sum, &divided_by_point(polynomial, point), factor(*gamma, *point)?);
        }
        Some(commit(&sum))
    };
    let w = fold(&|gamma, _| Some(gamma))?;
    let z = fold_point(&s3, &w);
    let witness = fold(&|gamma, point| Option::<Scalar>::from((z - point).invert()).map(|inverse| gamma * inverse))?;
    let opening = FoldedOpening { quotient: w, witness };
    let (bits, quotient) = (bit_points, quotient_point);
    let link = link_mask.zip(link_value).map(|(mask, value)| LinkPart { mask, value });
    Some(Certificate { bits, values_mask, sums_mask, quotient, bit_values, value, next, link, opening })
}

/// V, V_ρ, A_p, segment by segment.
fn polynomials(rows: &Rows<'_>, rhos: &[Scalar]) -> Polynomials {
    let domain = &rows.setup.domain;
    let (mut values, mut combined) = (Vec::new(), Vec::new());
    let mut sums = vec![Vec::new(); rows.about.moments];
    for (segment, rho) in rows.segments.iter().zip(rhos) {
        let vector = segment.values(domain.size());
        add_scaled(&mut values, &vector, Scalar::ONE);
        add_scaled(&mut combined, &vector, *rho);
        for (sum, power) in sums.iter_mut().zip(1u32..) {
            add_scaled(sum, &segment.sums(domain.size(), power), *rho);
        }
    }
    let sums = sums.iter().map(|sum| domain.ifft(sum)).collect();
    Polynomials { values: domain.ifft(&values), combined: domain.ifft(&combined), sums }
}

/// The combined relation.
fn relation(rows: &Rows<'_>, rhos: &[Scalar], bits: &[Vec<Scalar>], betas: &Betas) -> Vec<Scalar> {
    let domain = &rows.setup.domain;
    let (polynomials, publics) = (polynomials(rows, rhos), rows.publics(rhos));
    // p(ωX)
    let shifted = |p: &[Scalar]| -> Vec<Scalar> { p.iter().enumerate().map(|(i, c)| *c * domain.element(i)).collect() };
    let values = rows.masked(&polynomials.values, &rows.masks.values);
    let unguarded = domain.ifft(&publics.unguarded);
    let mut sum = Vec::new();
    for (bit, beta) in bits.iter().zip(&betas.bits) {
        add_scaled(&mut sum, &product(bit, bit), *beta);
        add_scaled(&mut sum, bit, -*beta);
    }
    add_scaled(&mut sum, &product(&unguarded, &shifted(&values)), betas.order);
    add_scaled(&mut sum, &values, -betas.order);
    add_scaled(&mut sum, &domain.ifft(&publics.last), betas.order * Scalar::from(rows.about.cap));
    if let Some(known) = rows.link {
        let shifted = known.shifted(rows.shift());
        let mut begins = vec![Scalar::ZERO; domain.size()];
        begins.iter_mut().skip(link_position(rows.items)).take(1).for_each(|one| *one = Scalar::ONE);
        add_scaled(&mut sum, &product(&domain.ifft(&begins), &shifted), -betas.order);
    }
    let coefficient = |i: usize| {
        let at: Vec<Scalar> = bits.iter().map(|bit| bit.get(i).copied().unwrap_or(Scalar::ZERO)).collect();
        weighted(&at)
    };
    add_scaled(&mut sum, &(0..domain.size()).map(coefficient).collect::<Vec<_>>(), -betas.order);
    add_scaled(&mut sum, &polynomials.combined, betas.support);
    add_scaled(&mut sum, &product(&domain.ifft(&publics.identity), &values), -betas.support);
    let mut power = polynomials.combined.clone();
    for (p, (sums, beta)) in polynomials.sums.iter().zip(&betas.sums).enumerate() {
        let sums = if p == 0 { rows.masked(sums, &rows.masks.sums) } else { sums.clone() };
        add_scaled(&mut sum, &sums, *beta);
        add_scaled(&mut sum, &product(&unguarded, &shifted(&sums)), -*beta);
        add_scaled(&mut sum, &power, -*beta);
        power = product(&power, &values);
    }
    sum
}
