//! `aardvark table import DIR NAME SOURCE`

use std::path::{Path, PathBuf};
use std::time::Instant;

use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::source::fields::ColumnNames;
use aardvark_tables::source::jsonl::JsonSource;
use aardvark_tables::{ImportOptions, ImportStep, Keeper, Renewal, RowSource, TablesError};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::failure::Failure;
use crate::input::Input;
use crate::progress::Bar;
use crate::report::{Report, Rows, count, counted, duration};
use crate::store::{Patience, open};

/// What a source of rows looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Comma-separated values, whose header names the columns.
    Csv,
    /// One JSON object a line, whose fields are columns.
    Jsonl,
}

/// `aardvark table import`
#[derive(Debug, Args)]
pub struct Import {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// The file, plain or compressed with gzip, zstd or LZ4; - is standard input.
    pub source: PathBuf,
    /// What the file looks like; by default its name tells, and CSV otherwise.
    #[arg(long, value_enum)]
    pub format: Option<RowFormat>,
    /// What a column of the table is called in the file.
    #[arg(long = "map", value_name = "COLUMN=NAME", value_parser = parse_mapping)]
    pub map: Vec<(String, String)>,
    /// The most positions of a sheet, a power of two: rows that are certified together.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub sheet: usize,
    /// Let rows behind the last row of a run continue it: also of more rows than a sheet has room
    /// for. The rows are held in memory.
    #[arg(long)]
    pub extend: bool,
    /// Put the rows in the place of those that their keys have, as the next revision. The rows are
    /// held in memory.
    #[arg(long, conflicts_with = "extend")]
    pub amend: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

fn parse_mapping(text: &str) -> Result<(String, String), String> {
    let (column, name) = text.split_once('=').ok_or("a mapping is COLUMN=NAME")?;
    Ok((column.to_owned(), name.to_owned()))
}

/// The format that a file's name suggests.
fn format_of(path: &Path) -> RowFormat {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = [".lz4", ".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let is_json = [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending));
    if is_json { RowFormat::Jsonl } else { RowFormat::Csv }
}

/// Imports the rows of a file, all or none.
///
/// # Errors
/// A row that is none of the table's, by line and column; a failure of a store.
pub fn run(arguments: &Import) -> Result<Report, Failure> {
    let start = Instant::now();
    let Import { dir, name, source, map, sheet, patience, .. } = arguments;
    let mut keeper = Keeper::open(open(dir, *patience)?, dir)?;
    let schema = keeper.schema(name)?;
    let bar = Bar::new("import");
    let input = Input::open(source)?;
    let watch = bar.reading(input.length);
    let Input { name: file, reader, .. } = input.watched(watch).decompressed()?;
    let names: ColumnNames = map.iter().cloned().collect();
    let failed = |error: TablesError| match error {
        TablesError::Source(error) => Failure::Rows(file.clone(), Box::new(error)),
        error => error.into(),
    };
    let mut rows: Box<dyn RowSource> = match arguments.format.unwrap_or_else(|| format_of(source)) {
        RowFormat::Csv => Box::new(CsvSource::new(reader, &schema, &names).map_err(|error| failed(error.into()))?),
        RowFormat::Jsonl => Box::new(JsonSource::new(reader, &schema, &names)),
    };
    let options = ImportOptions { sheet: *sheet, ..ImportOptions::default() };
    let mut progress = |step| match step {
        ImportStep::Read(_) => {}
        ImportStep::Certified(done, total) => bar.count(done, total),
        ImportStep::Archive(progress) => bar.show(progress),
    };
    let renewal = match (arguments.extend, arguments.amend) {
        (true, _) => Some(Renewal::Extend),
        (_, true) => Some(Renewal::Amend),
        _ => None,
    };
    let report = match renewal {
        Some(renewal) => keeper.renew(name, &schema, rows.as_mut(), renewal, &options, &mut progress),
        None => keeper.import(name, &schema, rows.as_mut(), &options, &mut progress),
    };
    let report = report.map_err(failed)?;
    drop(bar);
    let text = Rows::new()
        .row("table", name.clone())
        .row("imported", format!("{} in {}", counted(report.rows, "row", "rows"), counted(report.runs, "run", "runs")))
        .row("certificates", count(report.sheets))
        .row("version", report.version.to_string())
        .row("time", duration(start.elapsed()));
    let json = json!({
        "table": name,
        "rows": report.rows,
        "runs": report.runs,
        "certificates": report.sheets,
        "version": report.version,
        "seconds": start.elapsed().as_secs_f64(),
    });
    Ok(Report::done(text.to_text(), json))
}
