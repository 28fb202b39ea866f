//! What certificates are made of: the rows of a sheet's segments, their masks, and their
//! polynomials.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, G1Affine, Scalar};
use thiserror::Error;

use super::link::{self, KnownLink};
use super::statement::{About, SheetItem, check_items};
use super::transcript::Betas;
use crate::bits::BitVectors;
use crate::masks::CertificateMasks;
use crate::polynomial::{add_scaled, product, rows_vanishing};
use crate::segment::{KnownSegment, raised};
use crate::setup::SheetSetup;
use crate::sheet::{SheetFault, rows_vanishing as rows_vanishing_at};

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

/// Whether the rows may have a certificate.
fn check(rows: &Rows<'_>) -> Result<(), ProverError> {
    let Rows { setup, about, link, items, segments, masks, .. } = rows;
    let log = check_items(about, link.map(|link| link.record), items)?;
    let fits = |(item, segment): (&SheetItem, &KnownSegment)| {
        usize::from(item.record.first) == segment.first
            && usize::from(item.record.rows) == segment.numbers.len()
            && segment.sums_masks.len() == about.moments
    };
    if setup.domain.size() != 1 << log
        || items.len() != segments.len()
        || !items.iter().zip(*segments).all(fits)
        || link.is_some_and(|link| !link.fits())
        || masks.bits.len() != about.bits
        || rows.powers().len() < rows.longest()
    {
        return Err(ProverError::Mismatch);
    }
    let last_before = link.map_or(0, KnownLink::last);
    if segments.first().and_then(|segment| segment.numbers.first()).is_some_and(|first| *first < last_before) {
        return Err(ProverError::Order(0));
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
/// to the cap at a last row; to the first row from the last one before, where there is a link.
/// Modulo 2^64, where the rows do not ascend.
pub(super) fn steps(segments: &[KnownSegment], last_before: u64, cap: u64, size: usize) -> Vec<u64> {
    let mut steps = vec![0u64; size];
    for (k, KnownSegment { first, numbers, .. }) in segments.iter().enumerate() {
        let targets = steps.iter_mut().skip(first.saturating_sub(1));
        let ends = numbers.iter().copied().chain([cap]);
        let begins = core::iter::once(if k == 0 { last_before } else { 0 }).chain(numbers.iter().copied());
        targets.zip(ends.zip(begins)).for_each(|(step, (end, begin))| *step = end.wrapping_sub(begin));
    }
    steps
}

/// How many coefficients Q has at most, but for what a link adds.
pub(super) fn quotient_length(about: &About, size: usize) -> usize {
    if about.moments <= 2 { size + 2 } else { 2 * size + 2 }
}

/// What a certificate is made of.
pub(super) struct Rows<'a> {
    pub(super) setup: &'a SheetSetup,
    pub(super) about: &'a About,
    pub(super) link: Option<&'a KnownLink<'a>>,
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

impl<'a> Rows<'a> {
    /// What the certificate is to be made of, once it fits together.
    pub(super) fn new(
        setup: &'a SheetSetup,
        about: &'a About,
        link: Option<&'a KnownLink<'a>>,
        items: &'a [SheetItem],
        segments: &'a [KnownSegment],
        masks: &'a CertificateMasks,
    ) -> Result<Self, ProverError> {
        let steps = steps(segments, link.map_or(0, KnownLink::last), about.cap, setup.domain.size());
        let rows = Self { setup, about, link, items, segments, masks, steps };
        check(&rows)?;
        Ok(rows)
    }

    pub(super) fn domain(&self) -> &Domain {
        &self.setup.domain
    }

    /// The powers of τ, of the greater domain where there are two.
    pub(super) fn powers(&self) -> &[G1Affine] {
        let own = &self.setup.powers;
        self.link.map(|link| &link.setup.powers).filter(|linked| linked.len() > own.len()).unwrap_or(own)
    }

    /// The most coefficients of a polynomial that is committed to.
    fn longest(&self) -> usize {
        let linked = self.link.map_or(0, |link| link.setup.domain.size() + 2);
        linked.max(quotient_length(self.about, self.domain().size()))
    }

    /// κ; 1 where there is no link.
    pub(super) fn shift(&self) -> Scalar {
        let of_link = |known: &KnownLink<'_>| link::shift(self.domain(), &known.setup.domain, known.record, self.items);
        self.link.map_or(Scalar::ONE, of_link)
    }

    /// λ by its values on the domain; 0 where there is no link.
    pub(super) fn link_lagrange(&self) -> Vec<Scalar> {
        let mut vector = vec![Scalar::ZERO; self.domain().size()];
        if self.link.is_some() {
            vector.iter_mut().skip(link::link_position(self.items)).take(1).for_each(|one| *one = Scalar::ONE);
        }
        vector
    }

    /// What the link opens: P + Z'(κζ) R_l at κζ. `None` where κζ lies on the domain of the segment
    /// before.
    pub(super) fn opened_link(&self, known: &KnownLink<'_>, zeta: Scalar) -> Option<(Vec<Scalar>, Scalar)> {
        let (domain, point) = (&known.setup.domain, self.shift() * zeta);
        let off = point.pow_vartime([domain.size() as u64]) != Scalar::ONE;
        off.then(|| (known.masked(rows_vanishing_at(domain, point)), point))
    }

    /// B_j.
    pub(super) fn bits(&self) -> BitVectors<'_> {
        let numbers = self.steps.get(..self.steps.len().saturating_sub(2)).unwrap_or_default();
        BitVectors::new(numbers, &self.masks.bits)
    }

    /// V, V_ρ, A_p.
    pub(super) fn polynomials(&self, rhos: &[Scalar]) -> Polynomials {
        let combined = self.combined(rhos, 1, |segment| Some(segment.values_masks));
        let sums = (1u32..).zip(0..self.about.moments).map(|(power, place)| {
            let mut sums = self.combined(rhos, power, |segment| segment.sums_masks.get(place).copied());
            // A sum of suffix sums is the suffix sum of the sums.
            let mut total = Scalar::ZERO;
            for element in sums.iter_mut().rev().skip(2) {
                total += *element;
                *element = total;
            }
            self.domain().ifft(&sums)
        });
        let sums = sums.collect();
        let values = self.combined(&vec![Scalar::ONE; rhos.len()], 1, |segment| Some(segment.values_masks));
        Polynomials { values: self.domain().ifft(&values), combined: self.domain().ifft(&combined), sums }
    }

    /// Σ ρ_k of the segments' vectors: a power of their rows, and the masks of each.
    fn combined(
        &self,
        rhos: &[Scalar],
        power: u32,
        masks: impl Fn(&KnownSegment) -> Option<[Scalar; 2]>,
    ) -> Vec<Scalar> {
        let mut sum = vec![Scalar::ZERO; self.domain().size()];
        for (segment, rho) in self.segments.iter().zip(rhos) {
            let rows = sum.iter_mut().skip(segment.first).zip(&segment.numbers);
            rows.for_each(|(element, number)| *element += *rho * raised(*number, power));
            let masked = sum.iter_mut().rev().zip(masks(segment).into_iter().flat_map(|pair| pair.into_iter().rev()));
            masked.for_each(|(element, mask)| *element += *rho * mask);
        }
        sum
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
        for (SheetItem { record, .. }, rho) in self.items.iter().zip(rhos) {
            let (first, rows) = (usize::from(record.first), usize::from(record.rows));
            last.iter_mut().skip(first + rows - 1).take(1).for_each(|end| *end = Scalar::ONE);
            identity.iter_mut().skip(first).take(rows).for_each(|row| *row = *rho);
        }
        Publics { last, identity, unguarded }
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
}
