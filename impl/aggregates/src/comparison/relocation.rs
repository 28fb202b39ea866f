//! The domains of a comparison, and where each item is looked at.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, Scalar};

use super::{ComparedRow, ComparisonError, MAX_COMPARED};
use crate::sheet::{MAX_LOG, MIN_LOG, rows_vanishing};

/// The elements of H' for so many items: the least power of two of at least max(4, m + 2).
pub(super) fn size(items: usize) -> usize {
    (items + 2).next_power_of_two().max(4)
}

/// H', and the domains of the items' segments.
pub(super) struct Relocation {
    /// H'.
    pub(super) domain: Domain,
    segments: BTreeMap<u8, Domain>,
}

impl Relocation {
    /// The domains of items, which have to be rows of segments that fit their domains.
    pub(super) fn new(items: &[ComparedRow]) -> Result<Self, ComparisonError> {
        if items.is_empty() || items.len() > MAX_COMPARED {
            return Err(ComparisonError::Rows);
        }
        let mut segments = BTreeMap::new();
        for item in items {
            let (log, record) = (usize::from(item.record.log), &item.record);
            let behind = usize::from(record.first) + usize::from(record.rows);
            if !(MIN_LOG..=MAX_LOG).contains(&log) || record.first == 0 || behind > (1 << log) - 3 || !item.is_row() {
                return Err(ComparisonError::Rows);
            }
            if let Entry::Vacant(place) = segments.entry(record.log) {
                place.insert(Domain::new(1 << log).map_err(|_| ComparisonError::Rows)?);
            }
        }
        let domain = Domain::new(size(items.len())).map_err(|_| ComparisonError::Rows)?;
        Ok(Self { domain, segments })
    }

    /// κ_k.
    pub(super) fn factor(&self, item: &ComparedRow, k: usize) -> Scalar {
        let place = self.segments.get(&item.record.log);
        let place = place.map_or(Scalar::ZERO, |domain| domain.element(usize::from(item.position)));
        place * self.domain.inverse_element(k)
    }

    /// κ_k ζ and Z_k there, item by item.
    pub(super) fn points(&self, items: &[ComparedRow], zeta: Scalar) -> Result<Vec<(Scalar, Scalar)>, ComparisonError> {
        let at = |(k, item): (usize, &ComparedRow)| {
            let point = self.factor(item, k) * zeta;
            let domain = self.segments.get(&item.record.log).ok_or(ComparisonError::Rows)?;
            if point.pow_vartime([domain.size() as u64]) == Scalar::ONE {
                return Err(ComparisonError::PointOnDomain);
            }
            Ok((point, rows_vanishing(domain, point)))
        };
        items.iter().enumerate().map(at).collect()
    }

    /// The domain of an item's segment.
    pub(super) fn of(&self, item: &ComparedRow) -> Result<&Domain, ComparisonError> {
        self.segments.get(&item.record.log).ok_or(ComparisonError::Rows)
    }
}
