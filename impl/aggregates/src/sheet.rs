//! The layout of a sheet: segments that share one domain and are certified together
//! (`aardvark_spec::table::sheet`, `domain_values`).
//!
//! | positions | hold |
//! |---|---|
//! | 0, the origin | 0 in values; the total in sums |
//! | 1 ..= N-4 | segments, ascending, with at least one free position before each |
//! | N-3, the guard | 0 |
//! | N-2, N-1, the masks | random scalars, which take no part in any relation |

use aardvark_algebra::ff::{BatchInverter, Field};
use aardvark_algebra::{Domain, Scalar};
use thiserror::Error;

use crate::record::Record;

/// The least logarithm of a domain's size.
pub const MIN_LOG: usize = 3;
/// The greatest logarithm of a domain's size.
pub const MAX_LOG: usize = 11;
/// The greatest logarithm of a domain's size where three powers have sums: the quotient of a
/// certificate then has three times the size as its degree.
pub const MAX_LOG_THREE_MOMENTS: usize = 10;
/// The most segments of a sheet.
pub const MAX_SEGMENTS: usize = 1022;
/// The most powers that have sums.
pub const MAX_MOMENTS: usize = 3;

/// Why segments make no sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SheetFault {
    /// There are none, or more than a sheet has.
    #[error("{0} segments make no sheet")]
    Count(usize),
    /// The domain's size is none, or not for this number of moments.
    #[error("no sheet has 2^{0} positions with these moments")]
    Size(usize),
    /// A segment is on another domain, empty, too early, or too late.
    #[error("segment {0} has no place in the sheet")]
    Place(usize),
    /// A segment has another number of sums than the table has moments.
    #[error("segment {0} has another number of sums")]
    Sums(usize),
    /// A segment continues a run, and is not the first of a sheet that is linked to the one before.
    #[error("segment {0} continues a run")]
    Continues(usize),
    /// The first segment of a sheet that is linked to a segment before begins a run.
    #[error("a sheet that continues a run begins with the first segment of one")]
    Begins,
    /// The record that a sheet is linked to has no place on a domain.
    #[error("the record of the segment before has no place on a domain")]
    Link,
}

/// The most rows of a segment on a domain of 2^log positions.
pub const fn capacity(log: usize) -> usize {
    (1 << log) - 4
}

/// The greatest logarithm of a domain's size for so many moments.
pub const fn max_log(moments: usize) -> usize {
    if moments >= MAX_MOMENTS { MAX_LOG_THREE_MOMENTS } else { MAX_LOG }
}

/// Whether records make a sheet of a table with so many moments; the logarithm of its size.
///
/// # Errors
/// [`SheetFault`].
pub fn check_layout(records: &[&Record], moments: usize) -> Result<usize, SheetFault> {
    let log = usize::from(records.first().ok_or(SheetFault::Count(0))?.log);
    if records.len() > MAX_SEGMENTS {
        return Err(SheetFault::Count(records.len()));
    }
    if !(1..=MAX_MOMENTS).contains(&moments) || !(MIN_LOG..=max_log(moments)).contains(&log) {
        return Err(SheetFault::Size(log));
    }
    let guard = (1 << log) - 3;
    let mut free = 1;
    for (k, record) in records.iter().enumerate() {
        let (first, rows) = (usize::from(record.first), usize::from(record.rows));
        if usize::from(record.log) != log || rows == 0 || first < free || first + rows > guard {
            return Err(SheetFault::Place(k));
        }
        if record.sums.len() != moments {
            return Err(SheetFault::Sums(k));
        }
        free = first + rows + 1;
    }
    Ok(log)
}

/// The Lagrange polynomials at a point off the domain, and what is made of them.
pub(crate) struct DomainValues {
    /// L_i(x), i < N.
    pub(crate) lagrange: Vec<Scalar>,
}

impl DomainValues {
    /// `None` where the point lies on the domain.
    pub(crate) fn new(domain: &Domain, x: Scalar) -> Option<Self> {
        let whole = x.pow_vartime([domain.size() as u64]) - Scalar::ONE;
        if bool::from(whole.is_zero()) {
            return None;
        }
        let mut inverses: Vec<Scalar> = domain.powers().iter().map(|power| x - power).collect();
        let mut scratch = inverses.clone();
        BatchInverter::invert_with_external_scratch(&mut inverses, &mut scratch);
        let scale = whole * domain.size_inverse();
        let lagrange = domain.powers().iter().zip(inverses).map(|(power, inverse)| scale * power * inverse).collect();
        Some(Self { lagrange })
    }

    /// L_i(x); 0 where there is no such position.
    pub(crate) fn at(&self, i: usize) -> Scalar {
        self.lagrange.get(i).copied().unwrap_or(Scalar::ZERO)
    }

    /// The sum of L_i(x) over so many positions.
    pub(crate) fn interval(&self, first: usize, count: usize) -> Scalar {
        self.lagrange.iter().skip(first).take(count).sum()
    }

    /// s(x).
    pub(crate) fn unguarded(&self) -> Scalar {
        Scalar::ONE - self.at(self.lagrange.len() - 3)
    }
}

/// Z(x) = (x^N - 1) / ((x - ω^(N-2)) (x - ω^(N-1))), for x off the domain.
pub(crate) fn rows_vanishing(domain: &Domain, x: Scalar) -> Scalar {
    let whole = x.pow_vartime([domain.size() as u64]) - Scalar::ONE;
    let masks = (x - domain.inverse_element(2)) * (x - domain.inverse_element(1));
    whole * Option::<Scalar>::from(masks.invert()).unwrap_or(Scalar::ZERO)
}
