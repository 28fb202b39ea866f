//! Rows as aligned text.

use crate::measure::row::Row;

/// The names of the columns.
pub fn header() -> String {
    format!(
        "{:<11} {:<14} {:<24} {:>9} {:>3} {:>12} {:>12} {:>12} {:>12} {:<13} comparison",
        "table", "scheme", "operation", "size", "thr", "median", "min", "max", "cpu", "unit"
    )
}

/// One line.
pub fn line(row: &Row) -> String {
    let experiment = row.experiment.map(|name| format!("[{name}]"));
    let groups = row.groups.map(|groups| format!("{groups} groups"));
    let bytes = row.bytes.filter(|_| row.unit != "bytes").map(|bytes| format!("{bytes} bytes"));
    let compared = match (&row.baseline, row.ratio) {
        (Some(baseline), Some(ratio)) => Some(format!("{ratio:.4} of {baseline}")),
        (Some(baseline), None) => Some(baseline.clone()),
        _ => row.role.map(str::to_owned),
    };
    let comparison: Vec<String> = [experiment, groups, bytes, compared].into_iter().flatten().collect();
    let comparison = comparison.join(" ");
    let cpu = row.cpu_median.map_or_else(String::new, number);
    let line = format!(
        "{:<11} {:<14} {:<24} {:>9} {:>3} {:>12} {:>12} {:>12} {:>12} {:<13} {comparison}",
        row.table,
        row.scheme,
        row.operation,
        row.size,
        row.threads,
        number(row.median),
        number(row.min),
        number(row.max),
        cpu,
        row.unit,
    );
    line.trim_end().to_owned()
}

/// Four significant digits, and no exponent.
pub fn number(value: f64) -> String {
    let magnitude = value.abs();
    let whole = value.fract() == 0.0 && magnitude < 1e15;
    let decimals = match magnitude {
        _ if whole => 0,
        1000.0.. => 0,
        100.0.. => 1,
        10.0.. => 2,
        1.0.. => 3,
        _ => 5,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_or_are_whole() {
        let texts = [48.0, 1_234_567.8, 12.345, 0.012_345, 3.0].map(number);
        assert_eq!(texts, ["48", "1234568", "12.35", "0.01235", "3"]);
    }
}
