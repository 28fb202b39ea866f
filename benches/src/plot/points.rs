//! Points of figures, from rows.

use std::collections::BTreeMap;

use crate::measure::row::Row;

/// Points of the rows that are wanted, by ascending x.
pub fn points(rows: &[Row], wanted: impl Fn(&Row) -> Option<(f64, f64)>) -> Vec<(f64, f64)> {
    let found: BTreeMap<u64, (f64, f64)> =
        rows.iter().filter_map(wanted).map(|point| (point.0 as u64, point)).collect();
    found.into_values().collect()
}
