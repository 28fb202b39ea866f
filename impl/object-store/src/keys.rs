//! Keys of the engine: the number of a table in a byte, then the key in the table.

use std::ops::Bound;

use aardvark_archive::store::{Bounds, Table};

/// A range of the engine's keys.
pub(crate) type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// The engine's key of a table's key.
pub(crate) fn row(table: Table, key: &[u8]) -> Vec<u8> {
    let mut row = Vec::with_capacity(1 + key.len());
    row.push(table as u8);
    row.extend_from_slice(key);
    row
}

/// The table's key of one of the engine's.
pub(crate) fn of_table(row: &[u8]) -> Vec<u8> {
    row.get(1..).unwrap_or_default().to_vec()
}

/// The engine's range of a table's range.
pub(crate) fn range(table: Table, (lower, upper): Bounds<'_>) -> Range {
    let lower = match lower {
        Bound::Unbounded => Bound::Included(vec![table as u8]),
        bound => bound.map(|key| row(table, key)),
    };
    let upper = match upper {
        Bound::Unbounded => Bound::Excluded(vec![table as u8 + 1]),
        bound => bound.map(|key| row(table, key)),
    };
    (lower, upper)
}

/// Whether no key can be in a range. The engine panics when it is asked for such a one.
pub(crate) fn is_empty((lower, upper): &Range) -> bool {
    match (lower, upper) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(lower), Bound::Included(upper)) => lower > upper,
        (Bound::Included(lower), Bound::Excluded(upper)) | (Bound::Excluded(lower), Bound::Included(upper)) => {
            lower >= upper
        }
        // Between a key and the same with a zero byte there is none.
        (Bound::Excluded(lower), Bound::Excluded(upper)) => {
            lower >= upper || upper.strip_prefix(lower.as_slice()) == Some(&[0])
        }
    }
}
