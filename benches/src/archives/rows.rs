//! Rows of the table: rates, and what they are compared with.

use crate::error::BenchError;
use crate::measure::row::Row;
use crate::measure::statistics::Samples;

/// The table's name in rows.
pub const TABLE: &str = "archives";

/// The complaint that there is nothing to make a row of.
pub fn nothing() -> BenchError {
    BenchError::Wrong("nothing was measured".to_owned())
}

/// So much work a second, from amounts and what each took.
pub fn rate((scheme, operation): (&'static str, &'static str), rounds: &[(usize, Samples)]) -> Result<Row, BenchError> {
    let each = rounds.iter().filter(|(count, _)| *count > 0);
    let each: Samples = each.flat_map(|(count, samples)| samples.runs().map(|taken| taken.per(*count))).collect();
    let (wall, cpu) = each.wall().zip(each.cpu()).ok_or_else(nothing)?;
    let amount: usize = rounds.iter().map(|(count, _)| count).sum();
    let row = Row::counted(TABLE, scheme, operation, "1/s", 0.0).with_spread(wall.rate(1.0));
    Ok(Row { cpu_median: Some(cpu.rate(1.0).median), ..row.iterations(amount as u64) })
}

/// With the ratio to the paper's method, by CPU time.
pub fn compared(row: Row, paper: f64) -> Row {
    let ratio = row.cpu_median.unwrap_or(0.0) / paper;
    row.compared("paper prove", ratio)
}
