//! A walk over a range of the engine's entries, from either end.

use std::ops::Bound;

use aardvark_archive::StoreError;
use aardvark_archive::store::Entry;
use slatedb::{DbIterator, IterationOrder};

use crate::held::Rows;
use crate::keys::{self, Range};

/// After so many entries from one end a walk fetches more at a time.
const LONG_WALK: u64 = 64;
/// Bytes that a long walk fetches at a time.
const AHEAD_BYTES: usize = 1 << 20;

/// A walk that ends at its first failure. What was returned from one end narrows the range of the
/// other.
pub(crate) struct SlateEntries {
    rows: Rows,
    /// What was not returned yet.
    left: Range,
    ascending: End,
    descending: End,
    ended: bool,
}

/// One end of a walk.
struct End {
    order: IterationOrder,
    scan: Option<DbIterator>,
    returned: u64,
}

impl End {
    fn new(order: IterationOrder) -> Self {
        Self { order, scan: None, returned: 0 }
    }
}

impl SlateEntries {
    pub(crate) fn new(rows: Rows, left: Range) -> Self {
        let (ascending, descending) = (End::new(IterationOrder::Ascending), End::new(IterationOrder::Descending));
        Self { rows, left, ascending, descending, ended: false }
    }

    fn step(&mut self, order: IterationOrder) -> Option<Result<Entry, StoreError>> {
        if self.ended {
            return None;
        }
        let found = self.find(order).transpose();
        self.ended = !matches!(found, Some(Ok(_)));
        found
    }

    fn find(&mut self, order: IterationOrder) -> Result<Option<Entry>, StoreError> {
        if keys::is_empty(&self.left) {
            return Ok(None);
        }
        let end = match order {
            IterationOrder::Ascending => &mut self.ascending,
            IterationOrder::Descending => &mut self.descending,
        };
        if end.returned == LONG_WALK {
            end.scan = None;
        }
        let scan = match &mut end.scan {
            Some(scan) => scan,
            none => {
                let ahead = if end.returned < LONG_WALK { 1 } else { AHEAD_BYTES };
                none.insert(self.rows.scan(self.left.clone(), end.order, ahead)?)
            }
        };
        let Some((row, value)) = self.rows.next(scan)? else {
            return Ok(None);
        };
        if !is_within(&row, &self.left) {
            return Ok(None);
        }
        end.returned += 1;
        let key = keys::of_table(&row);
        match order {
            IterationOrder::Ascending => self.left.0 = Bound::Excluded(row),
            IterationOrder::Descending => self.left.1 = Bound::Excluded(row),
        }
        Ok(Some((key, value)))
    }
}

/// Whether the other end has not returned it yet.
fn is_within(row: &[u8], (lower, upper): &Range) -> bool {
    let above = match lower {
        Bound::Included(lower) => row >= lower.as_slice(),
        Bound::Excluded(lower) => row > lower.as_slice(),
        Bound::Unbounded => true,
    };
    let below = match upper {
        Bound::Included(upper) => row <= upper.as_slice(),
        Bound::Excluded(upper) => row < upper.as_slice(),
        Bound::Unbounded => true,
    };
    above && below
}

impl Iterator for SlateEntries {
    type Item = Result<Entry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(IterationOrder::Ascending)
    }
}

impl DoubleEndedIterator for SlateEntries {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(IterationOrder::Descending)
    }
}
