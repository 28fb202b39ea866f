//! Where rows go: JSON, one row a line, or aligned text.

use crate::error::BenchError;
use crate::measure::machine;
use crate::measure::row::Row;

/// Prints rows as they come, and keeps them for the figures.
#[derive(Debug)]
pub struct Report {
    json: bool,
    rows: Vec<Row>,
}

impl Report {
    /// A report as JSON or as text.
    pub fn new(json: bool) -> Self {
        if !json {
            println!("{}", machine::description());
            println!(
                "{:<11} {:<14} {:<22} {:>9} {:>3} {:>12} {:>12} {:>12} {:>12} {:<13} comparison",
                "table", "scheme", "operation", "size", "thr", "median", "min", "max", "cpu", "unit"
            );
        }
        Self { json, rows: Vec::new() }
    }

    /// Prints and keeps a row.
    ///
    /// # Errors
    /// Where the row counts a wrong result, or is not a number: such a row is not printed.
    pub fn add(&mut self, row: Row) -> Result<(), BenchError> {
        let numbers = [row.median, row.min, row.max];
        if row.errors > 0 || !numbers.iter().all(|number| number.is_finite()) {
            return Err(BenchError::Wrong(format!("{} of {}: {} errors", row.operation, row.scheme, row.errors)));
        }
        match self.json {
            true => println!("{}", serde_json::to_string(&row)?),
            false => println!("{}", text(&row)),
        }
        self.rows.push(row);
        Ok(())
    }

    /// All rows so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

fn text(row: &Row) -> String {
    let comparison = match (&row.baseline, row.ratio) {
        (Some(baseline), Some(ratio)) => format!("{ratio:.4} of {baseline}"),
        (Some(baseline), None) => baseline.clone(),
        _ => String::new(),
    };
    let cpu = row.cpu_median.map_or_else(String::new, number);
    let line = format!(
        "{:<11} {:<14} {:<22} {:>9} {:>3} {:>12} {:>12} {:>12} {:>12} {:<13} {comparison}",
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
fn number(value: f64) -> String {
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

    #[test]
    fn a_row_with_errors_is_refused() {
        let row = Row::counted("table1", "kzg", "verify", "us", 1.0);
        let mut report = Report { json: true, rows: Vec::new() };
        assert!(report.add(Row { errors: 1, ..row.clone() }).is_err());
        assert!(report.add(Row { median: f64::NAN, ..row }).is_err());
        assert!(report.rows().is_empty());
    }
}
