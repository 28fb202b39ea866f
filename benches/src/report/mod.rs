//! Where rows go: JSON, one row a line, or aligned text; and with `--save` both, as files.
//!
//! Under the rows of a table stand its notes, and what its numbers must reach ([`targets`]): in the
//! text only, since machines read the rows.

pub mod targets;
mod text;

use std::path::Path;

use aardvark_algebra::Kernel;

use crate::error::BenchError;
use crate::measure::machine;
use crate::measure::row::Row;

/// Prints rows as they come, and keeps them for the figures and files.
#[derive(Debug)]
pub struct Report {
    json: bool,
    rows: Vec<Row>,
    /// Everything that the text has so far.
    lines: Vec<String>,
}

impl Report {
    /// A report as JSON or as text.
    pub fn new(json: bool) -> Self {
        let mut report = Self { json, rows: Vec::new(), lines: Vec::new() };
        report.say(format!("{}, kernel {}", machine::description(), Kernel::in_use().name()));
        report.say(text::header());
        report
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
        if self.json {
            println!("{}", serde_json::to_string(&row)?);
        }
        self.say(text::line(&row));
        self.rows.push(row);
        Ok(())
    }

    /// A sentence under the table.
    pub fn note(&mut self, note: &str) {
        self.say(format!("note: {note}"));
    }

    /// What the rows so far had to reach, and whether they did.
    pub fn compare_with_targets(&mut self) {
        let lines: Vec<String> = targets::compare(&self.rows).iter().map(ToString::to_string).collect();
        if !lines.is_empty() {
            self.say(targets::header());
            lines.into_iter().for_each(|line| self.say(line));
        }
    }

    /// All rows so far.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Writes `TABLE.txt` and `TABLE.jsonl` into a directory that is made if it is not there;
    /// nothing if there is no row.
    pub fn save(&self, directory: &Path) -> Result<(), BenchError> {
        let Some(table) = self.rows.first().map(|row| row.table) else { return Ok(()) };
        let rows: Vec<String> = self.rows.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        std::fs::create_dir_all(directory).map_err(|source| BenchError::io(directory.display().to_string(), source))?;
        for (extension, lines) in [("txt", &self.lines), ("jsonl", &rows)] {
            let path = directory.join(table).with_extension(extension);
            let written = std::fs::write(&path, lines.join("\n") + "\n");
            written.map_err(|source| BenchError::io(path.display().to_string(), source))?;
        }
        Ok(())
    }

    fn say(&mut self, line: String) {
        if !self.json {
            println!("{line}");
        }
        self.lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report { json: true, rows: Vec::new(), lines: Vec::new() }
    }

    #[test]
    fn a_row_with_errors_is_refused() {
        let row = Row::counted("table1", "kzg", "verify", "us", 1.0);
        let mut report = report();
        assert!(report.add(Row { errors: 1, ..row.clone() }).is_err());
        assert!(report.add(Row { median: f64::NAN, ..row }).is_err());
        assert!(report.rows().is_empty() && report.lines.is_empty());
    }

    #[test]
    fn saved_files_hold_every_row_and_the_text_its_notes_too() {
        let mut report = report();
        report.add(Row::counted("sizes", "kzg", "claim", "bytes", 132.0)).unwrap();
        report.note("one claim");
        let directory = tempfile::tempdir().unwrap();
        report.save(&directory.path().join("results")).unwrap();
        let read = |name: &str| std::fs::read_to_string(directory.path().join("results").join(name)).unwrap();
        assert!(read("sizes.txt").contains("132") && read("sizes.txt").ends_with("note: one claim\n"));
        let rows = read("sizes.jsonl");
        assert_eq!(rows.lines().count(), 1);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&rows).unwrap()["median"], 132.0);
    }
}
