//! Figures from rows, as SVG and PNG.

mod chart;
mod figures;
mod points;
mod tables;

use std::path::Path;

use crate::error::BenchError;
use crate::measure::row::Row;

/// Draws every figure for which there are rows, into a directory that is made if it is not there;
/// says what was drawn.
pub fn draw(directory: &Path, rows: &[Row]) -> Result<(), BenchError> {
    std::fs::create_dir_all(directory).map_err(|source| BenchError::io(directory.display().to_string(), source))?;
    for figure in figures::all(rows) {
        for path in figure.draw(directory)? {
            eprintln!("drew {}", path.display());
        }
    }
    Ok(())
}
