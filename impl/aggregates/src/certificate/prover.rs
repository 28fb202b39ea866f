//! Making certificates.
//!
//! The polynomials are held by their values on the domain and by their coefficients. The combined
//! relation is evaluated on a coset of twice the domain's size (four times with three moments),
//! where it is divided by Z point by point; the commitments to bits are sums of selected points;
//! W and W' take one multi-scalar multiplication each. What a link adds is in [`super::link`].
//! [`super::naive`] does the same by the book.
//!
//! Everything secret passes through variable-time arithmetic: who can time a keeper learns of it.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{Scalar, msm_in_subgroup};
use aardvark_commitment::{FoldedOpening, Opening};

use super::link::{self, KnownLink};
use super::rows::{Polynomials, Publics, Rows, quotient_length};
use super::statement::{About, SheetItem};
use super::transcript::{self, Betas};
use super::{Certificate, LinkPart};
use crate::coset::Coset;
use crate::fold::{challenges, fold_point};
use crate::masks::CertificateMasks;
use crate::polynomial::{add_scaled, divided_by_point, evaluate};
use crate::segment::KnownSegment;
use crate::setup::SheetSetup;
use crate::sheet::{DomainValues, rows_vanishing as rows_vanishing_at};

pub use super::rows::ProverError;

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
    prove_behind(setup, about, None, items, segments, masks)
}

/// [`prove`], where the first segment may continue a run behind a segment that is given.
///
/// # Errors
/// [`ProverError`].
pub fn prove_behind(
    setup: &SheetSetup,
    about: &About,
    link: Option<&KnownLink<'_>>,
    items: &[SheetItem],
    segments: &[KnownSegment],
    masks: &CertificateMasks,
) -> Result<Certificate, ProverError> {
    let rows = Rows::new(setup, about, link, items, segments, masks)?;
    rows.prove().filter(|(_, exact)| *exact).map(|(certificate, _)| certificate).ok_or(ProverError::Relations)
}

impl Rows<'_> {
    /// The certificate, and whether its quotient is a polynomial: where it is not, the rows break a
    /// relation, and the certificate is false. `None` where a challenge meets the domain.
    pub(super) fn prove(&self) -> Option<(Certificate, bool)> {
        let Self { setup, about, items, masks, .. } = self;
        let (s0, rhos) = transcript::begin(about, self.link.map(|link| link.record), items);
        let bits = self.bits().commitments(setup);
        let masks_of = [&masks.values, &masks.sums].into_iter().chain(self.link.iter().map(|link| &link.mask));
        let mask_points: Vec<Opening> = masks_of.map(|coefficients| self.commit(coefficients)).collect();

        let (s1, betas) = transcript::after_bits(about, &s0, &bits, mask_points.iter());
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
        let before = match self.link {
            Some(known) => Some(self.opened_link(known, zeta)?),
            None => None,
        };
        let link_value = before.as_ref().map(|(polynomial, point)| evaluate(polynomial, point));

        let scalars = bit_values.iter().chain([&value, &next]).chain(&link_value);
        let s3 = transcript::after_values(&s2, scalars);
        let gammas = challenges(&s3, about.bits + 4);
        let linear = self.linear_polynomial(&polynomials, &betas, &quotient, zeta, value);
        let here = self.folded_at_zeta(&gammas, &values, &linear);
        let here = divided_by_point(&here, &zeta);
        let mut parts = vec![(here, zeta)];
        let others = core::iter::once((after, next_point)).chain(before);
        for ((polynomial, point), gamma) in others.zip(gammas.iter().skip(about.bits + 2)) {
            let mut part = divided_by_point(&polynomial, &point);
            part.iter_mut().for_each(|coefficient| *coefficient *= gamma);
            parts.push((part, point));
        }

        let mut sum = Vec::new();
        parts.iter().for_each(|(part, _)| add_scaled(&mut sum, part, Scalar::ONE));
        let w = self.commit(&sum);
        let z = fold_point(&s3, &w);
        let mut sum = Vec::new();
        for (part, point) in &parts {
            add_scaled(&mut sum, part, Option::<Scalar>::from((z - point).invert())?);
        }
        let opening = FoldedOpening { quotient: w, witness: self.commit(&sum) };
        let (values_mask, sums_mask) = (*mask_points.first()?, *mask_points.get(1)?);
        let link = mask_points.get(2).zip(link_value).map(|(mask, value)| LinkPart { mask: *mask, value });
        let quotient = quotient_point;
        Some((Certificate { bits, values_mask, sums_mask, quotient, bit_values, value, next, link, opening }, exact))
    }

    fn commit(&self, coefficients: &[Scalar]) -> Opening {
        Opening::from_point_unchecked(msm_in_subgroup(self.powers(), coefficients).to_affine())
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
        let begins = on_coset(&self.link_lagrange());
        let last_before = Scalar::from(self.link.map_or(0, KnownLink::last));
        let identity = on_coset(&publics.identity);
        let unguarded = on_coset(&publics.unguarded);
        let bits = self.bits().relation_on(self.domain(), &coset, &betas.bits, betas.order);
        let cap = Scalar::from(self.about.cap);
        let relation = |i: usize| -> Option<Scalar> {
            let next = coset.next(i);
            let (value, after) = (*values.get(i)?, *values.get(next)?);
            let (combined, unguarded) = (*combined.get(i)?, *unguarded.get(i)?);
            let order = unguarded * after - value + cap * last.get(i)? - last_before * begins.get(i)?;
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
        if let Some(known) = self.link {
            let part = known.quotient(self.domain(), link::link_position(self.items), self.shift());
            add_scaled(&mut quotient, &part, -betas.order);
        }
        (quotient, exact)
    }
}
