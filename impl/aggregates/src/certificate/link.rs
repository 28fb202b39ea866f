//! Sheets whose first segment continues a run (`aardvark_spec::table::linked_certificate`).
//!
//! P are the values of the segment before, on a domain of N' elements with generator ω', its last
//! row y at position last'. With P^ = P + Z' R_l, λ = L_(first_0 - 1) and κ = ω'^last' /
//! ω^(first_0 - 1), the relation of order has besides - λ(X) P^(κX): the first row is at least y.
//! The prover divides this part without a Fourier transform, since
//!
//! ```text
//! λ (P^(κX) - y) / Z = ω^(first_0 - 1) / N (X - ω^(N-2)) (X - ω^(N-1)) (P^(κX) - y) / (X - ω^(first_0 - 1))
//! ```

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, Scalar};

use super::statement::SheetItem;
use crate::polynomial::{add_scaled, divided_by_point, product, rows_vanishing};
use crate::record::Record;
use crate::segment::KnownSegment;
use crate::setup::SheetSetup;

/// The segment before the first one of a sheet, as its keeper knows it.
#[derive(Clone)]
pub struct KnownLink<'a> {
    /// Its record.
    pub record: &'a Record,
    /// Its rows and masks.
    pub segment: &'a KnownSegment,
    /// The setup of its domain.
    pub setup: &'a SheetSetup,
    /// The coefficients of R_l. Three, since three things are seen of it: its commitment, its value
    /// at κζ, and its share in the quotient's commitment.
    pub mask: [Scalar; 3],
}

/// The position before the first row of a sheet's first segment.
pub(super) fn link_position(items: &[SheetItem]) -> usize {
    items.first().map_or(0, |item| usize::from(item.record.first).saturating_sub(1))
}

/// κ, for the domains of a sheet and of the segment before.
pub(super) fn shift(domain: &Domain, previous_domain: &Domain, previous: &Record, items: &[SheetItem]) -> Scalar {
    let last = usize::from(previous.first) + usize::from(previous.rows);
    previous_domain.element(last.saturating_sub(1)) * domain.inverse_element(link_position(items))
}

impl KnownLink<'_> {
    /// Whether record, rows and setup belong together.
    pub(super) fn fits(&self) -> bool {
        usize::from(self.record.first) == self.segment.first
            && usize::from(self.record.rows) == self.segment.numbers.len()
            && self.segment.numbers.is_sorted()
            && self.setup.domain.size().checked_shr(u32::from(self.record.log)) == Some(1)
    }

    /// y.
    pub(super) fn last(&self) -> u64 {
        self.segment.numbers.last().copied().unwrap_or(0)
    }

    /// P.
    pub(super) fn values(&self) -> Vec<Scalar> {
        self.setup.domain.ifft(&self.segment.values(self.setup.domain.size()))
    }

    /// P + factor R_l.
    pub(super) fn masked(&self, factor: Scalar) -> Vec<Scalar> {
        let mut sum = self.values();
        add_scaled(&mut sum, &self.mask, factor);
        sum
    }

    /// P^(κX).
    pub(super) fn shifted(&self, shift: Scalar) -> Vec<Scalar> {
        let mut sum = self.values();
        add_scaled(&mut sum, &product(&rows_vanishing(&self.setup.domain), &self.mask), Scalar::ONE);
        let mut power = Scalar::ONE;
        for coefficient in &mut sum {
            *coefficient *= power;
            power *= shift;
        }
        sum
    }

    /// λ (P^(κX) - y) / Z, for the sheet's domain and its position before the first row.
    pub(super) fn quotient(&self, domain: &Domain, position: usize, shift: Scalar) -> Vec<Scalar> {
        let root = domain.element(position);
        let steps = divided_by_point(&self.shifted(shift), &root);
        let masks = [domain.inverse_element(2), domain.inverse_element(1)];
        let factors = [masks[0] * masks[1], -(masks[0] + masks[1]), Scalar::ONE];
        let scale = root * domain.size_inverse();
        product(&steps, &factors.map(|factor| factor * scale))
    }
}
