//! Making certificates.
//!
//! The polynomials are held by their values on the domain and by their coefficients. The combined
//! relation is evaluated on a coset of twice the domain's size (four times with three moments),
//! where it is divided by Z point by point; the commitments to bits are sums of selected points;
//! W and W' take one multi-scalar multiplication each. [`super::naive`] does the same by the book.
//!
//! Everything secret passes through variable-time arithmetic: who can time a keeper learns of it.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, Scalar, batch_to_affine, msm};
use aardvark_commitment::{FoldedOpening, Opening};
use thiserror::Error;

use super::Certificate;
use super::statement::{About, SheetItem, check_items};
use super::transcript::{self, Betas};
use crate::bits::BitVectors;
use crate::coset::Coset;
use crate::fold::{challenges, fold_point};
use crate::masks::CertificateMasks;
use crate::polynomial::{add_scaled, divided_by_point, evaluate, product, rows_vanishing};
use crate::segment::KnownSegment;
use crate::setup::SheetSetup;
use crate::sheet::{DomainValues, SheetFault, rows_vanishing as rows_vanishing_at};

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProverError {
    /// The records make no sheet.
    #[error(transparent)]
    Sheet(#[from] SheetFault),
    /// Segments, records or masks do not fit each other or the setup.
    #[error("segments, records, masks and setup do not fit each other")]
    Mismatch,
    /// The numbers of a segment do not ascend from 0 to the cap, or a step has too many bits.
    #[error("the rows of segment {0} do not ascend within the bounds")]
    Order(usize),
    /// The relations do not hold, or a challenge lies on the domain: the records are not those of
    /// the segments.
    #[error("the rows do not satisfy the relations")]
    Relations,
}

/// A certificate for the segments of a sheet, with given masks. The records are those that
/// [`KnownSegment::commit`] makes of the segments.
///
/// # Errors
/// [`ProverError`].
pub fn prove(
    setup: &SheetSetup,
    about: &About,
    items: &[SheetItem],
    segments: &[KnownSegment],
    masks: &CertificateMasks,
) -> Result<Certificate, ProverError> {
    check(setup, about, items, segments, masks)?;
    let steps = steps(segments, about.cap, setup.domain.size());
    let rows = Rows { setup, about, items, segments, masks, steps };
    rows.prove().filter(|(_, exact)| *exact).map(|(certificate, _)| certificate).ok_or(ProverError::Relations)
}

/// Whether the rows may have a certificate.
pub(super) fn check(
    setup: &SheetSetup,
    about: &About,
    items: &[SheetItem],
    segments: &[KnownSegment],
    masks: &CertificateMasks,
) -> Result<(), ProverError> {
    let log = check_items(about, items)?;
    let fits = |(item, segment): (&SheetItem, &KnownSegment)| {
        usize::from(item.record.first) == segment.first
            && usize::from(item.record.rows) == segment.numbers.len()
            && segment.sums_masks.len() == about.moments
    };
    if setup.domain.size() != 1 << log
        || items.len() != segments.len()
        || !items.iter().zip(segments).all(fits)
        || masks.bits.len() != about.bits
        || setup.powers.len() < quotient_length(about, setup.domain.size())
    {
        return Err(ProverError::Mismatch);
    }
    let in_order = |segment: &KnownSegment| {
        segment.numbers.is_sorted()
            && segment.numbers.last().is_none_or(|last| *last <= about.cap)
            && (about.bits >= 64 || about.cap >> about.bits == 0)
    };
    match segments.iter().position(|segment| !in_order(segment)) {
        Some(k) => Err(ProverError::Order(k)),
        None => Ok(()),
    }
}

/// The number whose bits stand at each position: the step from there to the next, and what is left
/// to the cap at a last row. Modulo 2^64, where the rows do not ascend.
pub(super) fn steps(segments: &[KnownSegment], cap: u64, size: usize) -> Vec<u64> {
    let mut steps = vec![0u64; size];
    for KnownSegment { first, numbers, .. } in segments {
        let targets = steps.iter_mut().skip(first.saturating_sub(1));
        let ends = numbers.iter().copied().chain([cap]);
        let begins = core::iter::once(0).chain(numbers.iter().copied());
        targets.zip(ends.zip(begins)).for_each(|(step, (end, begin))| *step = end.wrapping_sub(begin));
    }
    steps
}

/// How many coefficients Q has at most.
pub(super) fn quotient_length(about: &About, size: usize) -> usize {
    if about.moments <= 2 { size + 2 } else { 2 * size + 2 }
}

/// What a certificate is made of.
pub(super) struct Rows<'a> {
    pub(super) setup: &'a SheetSetup,
    pub(super) about: &'a About,
    pub(super) items: &'a [SheetItem],
    pub(super) segments: &'a [KnownSegment],
    pub(super) masks: &'a CertificateMasks,
    pub(super) steps: Vec<u64>,
}

/// The polynomials of the rows by their coefficients.
pub(super) struct Polynomials {
    /// V.
    pub(super) values: Vec<Scalar>,
    /// V_ρ.
    pub(super) combined: Vec<Scalar>,
    /// A_p, from p = 1 on.
    pub(super) sums: Vec<Vec<Scalar>>,
}

/// The public polynomials by their values on the domain.
pub(super) struct Publics {
    /// Σ L_i over the last rows.
    pub(super) last: Vec<Scalar>,
    /// id.
    pub(super) identity: Vec<Scalar>,
    /// s.
    pub(super) unguarded: Vec<Scalar>,
}

impl Rows<'_> {
    fn domain(&self) -> &Domain {
        &self.setup.domain
    }

    /// B_j.
    pub(super) fn bits(&self) -> BitVectors<'_> {
        let numbers = self.steps.get(..self.steps.len().saturating_sub(2)).unwrap_or_default();
        BitVectors::new(numbers, &self.masks.bits)
    }

    /// V, V_ρ, A_p.
    pub(super) fn polynomials(&self, rhos: &[Scalar]) -> Polynomials {
        let size = self.domain().size();
        let (mut values, mut combined) = (Vec::new(), Vec::new());
        let mut sums = vec![Vec::new(); self.about.moments];
        for (segment, rho) in self.segments.iter().zip(rhos) {
            let vector = segment.values(size);
            add_scaled(&mut values, &vector, Scalar::ONE);
            add_scaled(&mut combined, &vector, *rho);
            for (sum, power) in sums.iter_mut().zip(1u32..) {
                add_scaled(sum, &segment.sums(size, power), *rho);
            }
        }
        let coefficients = |vector: &Vec<Scalar>| self.domain().ifft(vector);
        let sums = sums.iter().map(coefficients).collect();
        Polynomials { values: coefficients(&values), combined: coefficients(&combined), sums }
    }

    /// A polynomial with Z R besides, R a mask.
    pub(super) fn masked(&self, polynomial: &[Scalar], mask: &[Scalar; 3]) -> Vec<Scalar> {
        let mut sum = polynomial.to_vec();
        add_scaled(&mut sum, &product(&rows_vanishing(self.domain()), mask), Scalar::ONE);
        sum
    }

    /// last, id and s.
    pub(super) fn publics(&self, rhos: &[Scalar]) -> Publics {
        let size = self.domain().size();
        let (mut last, mut identity) = (vec![Scalar::ZERO; size], vec![Scalar::ZERO; size]);
        let mut unguarded = vec![Scalar::ONE; size];
        unguarded.iter_mut().rev().skip(2).take(1).for_each(|guard| *guard = Scalar::ZERO);
        for (KnownSegment { first, numbers, .. }, rho) in self.segments.iter().zip(rhos) {
            last.iter_mut().skip(first + numbers.len() - 1).take(1).for_each(|end| *end = Scalar::ONE);
            identity.iter_mut().skip(*first).take(numbers.len()).for_each(|row| *row = *rho);
        }
        Publics { last, identity, unguarded }
    }

    /// The certificate, and whether its quotient is a polynomial: where it is not, the rows break a
    /// relation, and the certificate is false. `None` where a challenge meets the domain.
    pub(super) fn prove(&self) -> Option<(Certificate, bool)> {
        let Self { setup, about, items, masks, .. } = self;
        let (s0, rhos) = transcript::begin(about, items);
        let mut points = self.bits().commitments(&setup.basis);
        let masks_of = [&masks.values, &masks.sums];
        points.extend(masks_of.map(|coefficients| msm(&setup.powers, coefficients)));
        let mut points: Vec<Opening> =
            batch_to_affine(&points).into_iter().map(Opening::from_point_unchecked).collect();
        let (sums_mask, values_mask) = (points.pop()?, points.pop()?);
        let bits = points;

        let (s1, betas) = transcript::after_bits(about, &s0, &bits, [&values_mask, &sums_mask]);
        let polynomials = self.polynomials(&rhos);
        let (quotient, exact) = self.quotient(&polynomials, &self.publics(&rhos), &betas);
        let quotient_point = self.commit(&quotient);

        let (s2, zeta) = transcript::after_quotient(&s1, &quotient_point);
        let at_zeta = DomainValues::new(self.domain(), zeta)?;
        let bit_values = self.bits().values(&at_zeta.lagrange);
        let mut values = polynomials.values.clone();
        add_scaled(&mut values, &masks.values, rows_vanishing_at(self.domain(), zeta));
        let value = evaluate(&values, &zeta);
        let next_point = zeta * self.domain().omega();
        let after = self.next_polynomial(&polynomials, &betas, at_zeta.unguarded(), next_point);
        let next = evaluate(&after, &next_point);

        let s3 = transcript::after_values(&s2, bit_values.iter().chain([&value, &next]));
        let gammas = challenges(&s3, about.bits + 3);
        let linear = self.linear_polynomial(&polynomials, &betas, &quotient, zeta, value);
        let here = self.folded_at_zeta(&gammas, &values, &linear);
        let here = divided_by_point(&here, &zeta);
        let mut there = divided_by_point(&after, &next_point);
        let last_gamma = gammas.last().copied().unwrap_or(Scalar::ZERO);
        there.iter_mut().for_each(|coefficient| *coefficient *= last_gamma);

        let mut both = here.clone();
        add_scaled(&mut both, &there, Scalar::ONE);
        let w = self.commit(&both);
        let z = fold_point(&s3, &w);
        let inverse = |point: Scalar| Option::<Scalar>::from((z - point).invert());
        let mut both = Vec::new();
        add_scaled(&mut both, &here, inverse(zeta)?);
        add_scaled(&mut both, &there, inverse(next_point)?);
        let opening = FoldedOpening { quotient: w, witness: self.commit(&both) };
        let quotient = quotient_point;
        Some((Certificate { bits, values_mask, sums_mask, quotient, bit_values, value, next, opening }, exact))
    }

    fn commit(&self, coefficients: &[Scalar]) -> Opening {
        let sum = msm(&self.setup.powers, coefficients);
        Opening::from_point_unchecked(aardvark_algebra::group::Curve::to_affine(&sum))
    }

    /// E: s(ζ) (β_D V - Σ β_p A_p), and the masks times Z(ωζ), which is constant.
    pub(super) fn next_polynomial(
        &self,
        rows: &Polynomials,
        betas: &Betas,
        unguarded: Scalar,
        next_point: Scalar,
    ) -> Vec<Scalar> {
        let there = unguarded * rows_vanishing_at(self.domain(), next_point);
        let beta_1 = betas.sums.first().copied().unwrap_or(Scalar::ZERO);
        let mut sum = Vec::new();
        add_scaled(&mut sum, &rows.values, unguarded * betas.order);
        add_scaled(&mut sum, &self.masks.values, there * betas.order);
        rows.sums.iter().zip(&betas.sums).for_each(|(sums, beta)| add_scaled(&mut sum, sums, -(unguarded * beta)));
        add_scaled(&mut sum, &self.masks.sums, -(there * beta_1));
        sum
    }

    /// Lin, its masks times Z(ζ), which is constant.
    pub(super) fn linear_polynomial(
        &self,
        rows: &Polynomials,
        betas: &Betas,
        quotient: &[Scalar],
        zeta: Scalar,
        value: Scalar,
    ) -> Vec<Scalar> {
        let here = rows_vanishing_at(self.domain(), zeta);
        let beta_1 = betas.sums.first().copied().unwrap_or(Scalar::ZERO);
        let mut sum = Vec::new();
        let mut power = Scalar::ONE;
        for (sums, beta) in rows.sums.iter().zip(&betas.sums) {
            add_scaled(&mut sum, sums, *beta);
            add_scaled(&mut sum, &rows.combined, -(power * beta));
            power *= value;
        }
        add_scaled(&mut sum, &self.masks.sums, beta_1 * here);
        add_scaled(&mut sum, &rows.combined, betas.support);
        add_scaled(&mut sum, quotient, -here);
        sum
    }

    /// Σ γ_j B_j + γ V^ + γ' Lin.
    fn folded_at_zeta(&self, gammas: &[Scalar], values: &[Scalar], linear: &[Scalar]) -> Vec<Scalar> {
        let mut sum = self.bits().combined(self.domain(), gammas);
        let mut rest = gammas.iter().skip(self.about.bits);
        let mut add = |polynomial: &[Scalar]| {
            rest.next().into_iter().for_each(|gamma| add_scaled(&mut sum, polynomial, *gamma));
        };
        add(values);
        add(linear);
        sum
    }

    /// Q by its coefficients, and whether the relation is divisible by Z.
    fn quotient(&self, rows: &Polynomials, publics: &Publics, betas: &Betas) -> (Vec<Scalar>, bool) {
        let Some(coset) = Coset::new(self.domain(), if self.about.moments <= 2 { 2 } else { 4 }) else {
            return (Vec::new(), false);
        };
        let on_coset = |vector: &[Scalar]| coset.values(&self.domain().ifft(vector));
        let values = coset.values(&self.masked(&rows.values, &self.masks.values));
        let combined = coset.values(&rows.combined);
        let masked = rows.sums.iter().take(1).map(|sum| coset.values(&self.masked(sum, &self.masks.sums)));
        let sums: Vec<Vec<Scalar>> = masked.chain(rows.sums.iter().skip(1).map(|sum| coset.values(sum))).collect();
        let last = on_coset(&publics.last);
        let identity = on_coset(&publics.identity);
        let unguarded = on_coset(&publics.unguarded);
        let bits = self.bits().relation_on(self.domain(), &coset, &betas.bits, betas.order);
        let cap = Scalar::from(self.about.cap);
        let relation = |i: usize| -> Option<Scalar> {
            let next = coset.next(i);
            let (value, after) = (*values.get(i)?, *values.get(next)?);
            let (combined, unguarded) = (*combined.get(i)?, *unguarded.get(i)?);
            let order = unguarded * after - value + cap * last.get(i)?;
            let mut sum = *bits.get(i)? + betas.order * order;
            sum += betas.support * (combined - *identity.get(i)? * value);
            let mut power = combined;
            for (sums, beta) in sums.iter().zip(&betas.sums) {
                sum += *beta * (*sums.get(i)? - unguarded * sums.get(next)? - power);
                power *= value;
            }
            Some(sum)
        };
        let relation: Vec<Scalar> = (0..coset.size()).map(|i| relation(i).unwrap_or(Scalar::ZERO)).collect();
        let mut quotient = coset.coefficients(&coset.by_vanishing(self.domain(), &relation));
        let length = quotient_length(self.about, self.domain().size());
        let exact = quotient.iter().skip(length).all(|coefficient| bool::from(coefficient.is_zero()));
        quotient.truncate(length);
        (quotient, exact)
    }
}
