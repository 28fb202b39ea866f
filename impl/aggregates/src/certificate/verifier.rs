//! Verifying certificates (`aardvark_spec::table::certificate::verify_certificate`).
//!
//! One folded opening shows the claims (B_j, ζ, b_j), (V^, ζ, v), (Lin, ζ, lin), (E, ωζ, e), whose
//! commitments are combinations of the records' and the certificate's points:
//!
//! ```text
//! V^  = V + Z(ζ) R_v
//! Lin = Σ β_p A_p + β_1 Z(ζ) R_1 + (β_S - Σ β_p v^(p-1)) V_ρ - Z(ζ) Q
//! lin = -[ Σ β_j (b_j² - b_j) + β_D (cap last(ζ) - v - Σ 2^j b_j) - β_S id(ζ) v + e ]
//! E   = s(ζ) [ β_D (V + Z(ωζ) R_v) - β_1 Z(ωζ) R_1 - Σ β_p A_p ]
//! ```
//!
//! Where the first segment continues a run, lin has β_D λ(ζ) m besides, and (P + Z'(κζ) R_l, κζ, m)
//! is shown too (`aardvark_spec::table::linked_certificate`).

use aardvark_algebra::ff::Field;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{Domain, G1Affine, Scalar, TaggedHash};

use super::link;
use super::statement::{About, SheetItem, check_items, statement_behind};
use super::transcript::{self, Betas};
use super::{Certificate, CertificateError};
use crate::fold::{CombinedClaim, FoldEquation, TableVerifier};
use crate::record::Record;
use crate::sheet::{DomainValues, SheetFault, rows_vanishing};

/// Domain separation tag of a batch's seed, which binds every byte of its statements and
/// certificates.
const BATCH_TAG: &str = "AARDVARK-V1-TABLE-BATCH";

/// Places of a certificate's points in the list that the claims speak of; behind them stand R_l and
/// P where there is a link, and the records' points, segment by segment, values before sums.
struct Places {
    bits: usize,
    moments: usize,
    linked: bool,
}

impl Places {
    fn values_mask(&self) -> usize {
        self.bits
    }

    fn sums_mask(&self) -> usize {
        self.bits + 1
    }

    fn quotient(&self) -> usize {
        self.bits + 2
    }

    fn link_mask(&self) -> usize {
        self.bits + 3
    }

    fn link_values(&self) -> usize {
        self.bits + 4
    }

    fn values(&self, k: usize) -> usize {
        self.bits + 3 + 2 * usize::from(self.linked) + k * (1 + self.moments)
    }

    fn sums(&self, k: usize, i: usize) -> usize {
        self.values(k) + 1 + i
    }
}

impl TableVerifier {
    /// Whether a certificate holds for the segments of a sheet.
    ///
    /// # Errors
    /// [`CertificateError`]: the segments make no sheet, or the certificate is not for so many
    /// bits, or false.
    pub fn verify_certificate(
        &self,
        about: &About,
        items: &[SheetItem],
        certificate: &Certificate,
    ) -> Result<(), CertificateError> {
        self.verify_sheet(&CertifiedSheet { about, link: None, items, certificate })
    }

    /// Whether a certificate holds for the segments of a sheet, of which the first may continue a
    /// run. That the record before it is the one in the dictionary, and is certified itself, is for
    /// the caller to see.
    ///
    /// # Errors
    /// As [`TableVerifier::verify_certificate`].
    pub fn verify_sheet(&self, sheet: &CertifiedSheet<'_>) -> Result<(), CertificateError> {
        if self.holds(&equation(sheet)?) { Ok(()) } else { Err(CertificateError::False) }
    }

    /// Whether certificates hold for many sheets, by one pairing check. One that is malformed does
    /// not.
    pub fn certificates_hold(&self, sheets: &[CertifiedSheet<'_>]) -> bool {
        let equations: Result<Vec<FoldEquation>, CertificateError> = sheets.par_iter().map(equation).collect();
        equations.is_ok_and(|equations| {
            let mut seed = TaggedHash::new(BATCH_TAG);
            for sheet in sheets {
                seed.update(statement_behind(sheet.about, sheet.link, sheet.items));
                seed.update(sheet.certificate.to_bytes());
            }
            self.all_hold(&seed.finalize(), &equations)
        })
    }

    /// [`TableVerifier::verify_certificate`] for many sheets, with one pairing check for all. Where
    /// it fails, bisection finds the first that does not hold: its checks are together about as
    /// much work as the first.
    ///
    /// # Errors
    /// The place of the first that does not hold, and why.
    pub fn verify_certificates(&self, sheets: &[CertifiedSheet<'_>]) -> Result<(), (usize, CertificateError)> {
        if self.certificates_hold(sheets) {
            return Ok(());
        }
        let (mut from, mut part) = (0, sheets);
        while part.len() > 1 {
            let (left, right) = part.split_at(part.len() / 2);
            (from, part) = if self.certificates_hold(left) { (from + left.len(), right) } else { (from, left) };
        }
        if let Some(Err(error)) = part.first().map(|sheet| self.verify_sheet(sheet)) {
            return Err((from, error));
        }
        // A batch was wrong about its part, which happens once in 2^128: the single checks say.
        let verdicts = sheets.par_iter().map(|sheet| self.verify_sheet(sheet));
        let verdicts: Vec<Result<(), CertificateError>> = verdicts.collect();
        verdicts.into_iter().enumerate().try_for_each(|(place, verdict)| verdict.map_err(|error| (place, error)))
    }
}

/// A sheet of a batch.
#[derive(Clone, Copy, Debug)]
pub struct CertifiedSheet<'a> {
    /// What its certificate is about, besides the segments.
    pub about: &'a About,
    /// The record of the segment before the first, where that one continues a run: the
    /// dictionary's, and certified itself.
    pub link: Option<&'a Record>,
    /// The segments.
    pub items: &'a [SheetItem],
    /// The certificate.
    pub certificate: &'a Certificate,
}

/// The equation that a certificate has to satisfy.
pub(crate) fn equation(sheet: &CertifiedSheet<'_>) -> Result<FoldEquation, CertificateError> {
    let CertifiedSheet { about, link, items, certificate } = *sheet;
    let log = check_items(about, link, items)?;
    let found = certificate.bits.len();
    if found != about.bits || certificate.bit_values.len() != about.bits {
        return Err(CertificateError::Bits { found, expected: about.bits });
    }
    if certificate.link.is_some() != link.is_some() {
        return Err(CertificateError::Link);
    }
    let (s0, rhos) = transcript::begin(about, link, items);
    let (s1, betas) = transcript::after_bits(about, &s0, &certificate.bits, certificate.masks());
    let (s2, zeta) = transcript::after_quotient(&s1, &certificate.quotient);
    let s3 = transcript::after_values(&s2, certificate.scalars());
    let domain = Domain::new(1 << log).map_err(|_| SheetFault::Size(log))?;
    let at_zeta = DomainValues::new(&domain, zeta).ok_or(CertificateError::ZetaOnDomain)?;

    let at_link = link.map(|previous| at_link(previous, items, &domain, zeta)).transpose()?;

    let drawn = Drawn { rhos, betas, zeta, at_zeta: &at_zeta, at_link, domain: &domain };
    let claims = claims(about, items, certificate, &drawn);
    let masks = [&certificate.values_mask, &certificate.sums_mask, &certificate.quotient];
    let masks = masks.into_iter().chain(certificate.link.iter().map(|link| &link.mask));
    let own = certificate.bits.iter().chain(masks).map(|point| *point.point());
    let own = own.chain(link.map(|previous| *previous.values.point()));
    let recorded = items.iter().flat_map(|item| core::iter::once(&item.record.values).chain(&item.record.sums));
    let points: Vec<G1Affine> = own.chain(recorded.map(|commitment| *commitment.point())).collect();
    FoldEquation::new(&s3, &points, &claims, &certificate.opening).ok_or(CertificateError::False)
}

/// κζ, and Z' there.
struct AtLink {
    point: Scalar,
    vanishing: Scalar,
}

fn at_link(previous: &Record, items: &[SheetItem], domain: &Domain, zeta: Scalar) -> Result<AtLink, CertificateError> {
    let previous_domain = Domain::new(1 << previous.log).map_err(|_| SheetFault::Link)?;
    let point = link::shift(domain, &previous_domain, previous, items) * zeta;
    if point.pow_vartime([previous_domain.size() as u64]) == Scalar::ONE {
        return Err(CertificateError::ZetaOnDomain);
    }
    Ok(AtLink { point, vanishing: rows_vanishing(&previous_domain, point) })
}

/// The challenges, and the domain at ζ.
struct Drawn<'a> {
    rhos: Vec<Scalar>,
    betas: Betas,
    zeta: Scalar,
    at_zeta: &'a DomainValues,
    at_link: Option<AtLink>,
    domain: &'a Domain,
}

/// The claims of a certificate, in the fold's order.
fn claims(about: &About, items: &[SheetItem], shown: &Certificate, drawn: &Drawn<'_>) -> Vec<CombinedClaim> {
    let Drawn { rhos, betas, zeta, at_zeta, at_link, domain } = drawn;
    let places = Places { bits: about.bits, moments: about.moments, linked: at_link.is_some() };
    let beta_1 = betas.sums.first().copied().unwrap_or(Scalar::ZERO);
    let powers: Scalar = betas.sums.iter().rev().fold(Scalar::ZERO, |sum, beta| sum * shown.value + beta);
    let next_point = *zeta * domain.omega();
    let (here, there) = (rows_vanishing(domain, *zeta), rows_vanishing(domain, next_point));
    let unguarded = at_zeta.unguarded();

    let bits = shown.bit_values.iter().enumerate();
    let mut claims: Vec<CombinedClaim> =
        bits.map(|(j, bit)| CombinedClaim { terms: vec![(j, Scalar::ONE)], point: *zeta, value: *bit }).collect();
    let mut values = vec![(places.values_mask(), here)];
    let mut linear = vec![(places.sums_mask(), beta_1 * here), (places.quotient(), -here)];
    let mut next = vec![
        (places.values_mask(), unguarded * betas.order * there),
        (places.sums_mask(), -(unguarded * beta_1 * there)),
    ];
    for (k, rho) in rhos.iter().enumerate() {
        values.push((places.values(k), Scalar::ONE));
        linear.push((places.values(k), (betas.support - powers) * rho));
        next.push((places.values(k), unguarded * betas.order));
        for (i, beta) in betas.sums.iter().enumerate() {
            linear.push((places.sums(k, i), *beta * rho));
            next.push((places.sums(k, i), -(unguarded * beta * rho)));
        }
    }
    let linear_value = linear_value(about, items, shown, drawn);
    claims.push(CombinedClaim { terms: values, point: *zeta, value: shown.value });
    claims.push(CombinedClaim { terms: linear, point: *zeta, value: linear_value });
    claims.push(CombinedClaim { terms: next, point: next_point, value: shown.next });
    if let (Some(at_link), Some(link)) = (at_link, &shown.link) {
        let terms = vec![(places.link_values(), Scalar::ONE), (places.link_mask(), at_link.vanishing)];
        claims.push(CombinedClaim { terms, point: at_link.point, value: link.value });
    }
    claims
}

/// lin.
fn linear_value(about: &About, items: &[SheetItem], shown: &Certificate, drawn: &Drawn<'_>) -> Scalar {
    let Drawn { rhos, betas, at_zeta, .. } = drawn;
    let (mut last, mut identity) = (Scalar::ZERO, Scalar::ZERO);
    for (SheetItem { record, .. }, rho) in items.iter().zip(rhos) {
        let (first, rows) = (usize::from(record.first), usize::from(record.rows));
        last += at_zeta.at(first + rows - 1);
        identity += *rho * at_zeta.interval(first, rows);
    }
    let bits: Scalar = shown.bit_values.iter().zip(&betas.bits).map(|(bit, beta)| *beta * (bit.square() - bit)).sum();
    let step = weighted(&shown.bit_values);
    let begins = at_zeta.at(link::link_position(items));
    let before = shown.link.as_ref().map_or(Scalar::ZERO, |link| begins * link.value);
    let order = Scalar::from(about.cap) * last - shown.value - before - step;
    -(bits + betas.order * order - betas.support * identity * shown.value + shown.next)
}

/// Σ 2^j b_j.
pub(super) fn weighted(bits: &[Scalar]) -> Scalar {
    bits.iter().rev().fold(Scalar::ZERO, |sum, bit| sum.double() + bit)
}
