//! `aardvark table import DIR NAME SOURCE`

use std::path::{Path, PathBuf};
use std::time::Instant;

use aardvark_aggregates::Schema;
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::source::fields::ColumnNames;
use aardvark_tables::source::jsonl::JsonSource;
#[cfg(feature = "parquet")]
use aardvark_tables::source::parquet::ParquetSource;
#[cfg(feature = "sql")]
use aardvark_tables::source::sql::SqlSource;
use aardvark_tables::{ImportOptions, ImportStep, Keeper, Renewal, RowSource, TablesError};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::on_chain::import::Asked;
use super::on_chain::{self, OnChain};
use crate::failure::Failure;
use crate::input::Input;
#[cfg(feature = "parquet")]
use crate::input::InputError;
#[cfg(feature = "sql")]
use crate::input::{STANDARD_INPUT, read_file};
use crate::progress::Bar;
use crate::report::{Report, Rows, count, counted, duration};
use crate::store::{Patience, open};

/// The most bytes of a database's URL.
#[cfg(feature = "sql")]
const LONGEST_URL: u64 = 1 << 16;

/// What a source of rows looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Comma-separated values, whose header names the columns.
    Csv,
    /// One JSON object a line, whose fields are columns.
    Jsonl,
    /// A Parquet file of flat columns.
    Parquet,
    /// What a query of SQLite, PostgreSQL or MySQL gives.
    Sql,
}

/// `aardvark table import`
#[derive(Debug, Args)]
pub struct Import {
    /// Folder of the dictionary; with --signer, of the vault.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// The file, plain or compressed with gzip, zstd or LZ4, or the URL of a database (sqlite:,
    /// postgres:, mysql:); - is standard input, which gives the rows or the URL.
    pub source: PathBuf,
    /// What the source looks like; by default its name tells, and CSV otherwise.
    #[arg(long, value_enum)]
    pub format: Option<RowFormat>,
    /// What to ask of a database: one SELECT, whose columns are the table's.
    #[arg(long, value_name = "SELECT")]
    pub query: Option<String>,
    /// What a column of the table is called in the file.
    #[arg(long = "map", value_name = "COLUMN=NAME", value_parser = parse_mapping)]
    pub map: Vec<(String, String)>,
    /// The most positions of a sheet, a power of two: rows that are certified together.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub sheet: usize,
    /// Let rows behind the last row of a run continue it: also of more rows than a sheet has room
    /// for.
    #[arg(long)]
    pub extend: bool,
    /// Put the rows in the place of those that their keys have, as the next revision.
    #[arg(long, conflicts_with = "extend")]
    pub amend: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// On a chain: put the rows also where the same rows were put before.
    #[arg(long, requires = "signers")]
    pub again: bool,
    /// Where the table is one of a chain.
    #[command(flatten)]
    pub chain: OnChain,
}

fn parse_mapping(text: &str) -> Result<(String, String), String> {
    let (column, name) = text.split_once('=').ok_or("a mapping is COLUMN=NAME")?;
    Ok((column.to_owned(), name.to_owned()))
}

/// The format that a source's name suggests.
fn format_of(path: &Path) -> RowFormat {
    let whole = path.to_string_lossy();
    let schemes = ["sqlite:", "postgres:", "postgresql:", "mysql:", "mariadb:"];
    if schemes.iter().any(|scheme| whole.starts_with(scheme)) {
        return RowFormat::Sql;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    if name.ends_with(".parquet") {
        return RowFormat::Parquet;
    }
    let name = [".lz4", ".gz", ".zst"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    let is_json = [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending));
    if is_json { RowFormat::Jsonl } else { RowFormat::Csv }
}

/// Where rows come from.
struct Opened {
    /// What errors call it.
    name: String,
    rows: Box<dyn RowSource>,
}

impl Import {
    /// What becomes of the runs of the rows' keys; `None` where they stay.
    fn renewal(&self) -> Option<Renewal> {
        match (self.extend, self.amend) {
            (true, _) => Some(Renewal::Extend),
            (_, true) => Some(Renewal::Amend),
            _ => None,
        }
    }

    /// What the source looks like.
    fn format(&self) -> RowFormat {
        self.format.unwrap_or_else(|| format_of(&self.source))
    }

    /// Opens the source.
    fn open(&self, schema: &Schema, bar: &Bar) -> Result<Opened, Failure> {
        let names: ColumnNames = self.map.iter().cloned().collect();
        let format = self.format();
        if self.query.is_some() != (format == RowFormat::Sql) {
            return Err(Failure::Usage("--query is what is asked of a database, and only of one".to_owned()));
        }
        match format {
            RowFormat::Csv | RowFormat::Jsonl => self.text(format, schema, &names, bar),
            RowFormat::Parquet => self.parquet(schema, &names),
            RowFormat::Sql => self.sql(schema, &names),
        }
    }

    fn text(&self, format: RowFormat, schema: &Schema, names: &ColumnNames, bar: &Bar) -> Result<Opened, Failure> {
        let input = Input::open(&self.source)?;
        let watch = bar.reading(input.length);
        let Input { name, reader, .. } = input.watched(watch).decompressed()?;
        let rows: Box<dyn RowSource> = if format == RowFormat::Jsonl {
            Box::new(JsonSource::new(reader, schema, names))
        } else {
            let source = CsvSource::new(reader, schema, names);
            Box::new(source.map_err(|error| Failure::Rows(name.clone(), Box::new(error)))?)
        };
        Ok(Opened { name, rows })
    }

    #[cfg(feature = "parquet")]
    fn parquet(&self, schema: &Schema, names: &ColumnNames) -> Result<Opened, Failure> {
        let name = self.source.display().to_string();
        let file = std::fs::File::open(&self.source);
        let file = file.map_err(|source| InputError::Read { name: name.clone(), source })?;
        let rows = ParquetSource::new(file, schema, names);
        let rows = rows.map_err(|error| Failure::Rows(name.clone(), Box::new(error)))?;
        Ok(Opened { name, rows: Box::new(rows) })
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(&self, _: &Schema, _: &ColumnNames) -> Result<Opened, Failure> {
        Err(Failure::Usage("this build reads no Parquet files; build it with --features parquet".to_owned()))
    }

    #[cfg(feature = "sql")]
    fn sql(&self, schema: &Schema, names: &ColumnNames) -> Result<Opened, Failure> {
        let name = "the query".to_owned();
        let url = if self.source == Path::new(STANDARD_INPUT) {
            let bytes = read_file(&self.source, LONGEST_URL)?;
            String::from_utf8_lossy(&bytes).trim().to_owned()
        } else {
            self.source.to_string_lossy().into_owned()
        };
        let rows = SqlSource::open(&url, self.query.as_deref().unwrap_or_default(), schema, names);
        let rows = rows.map_err(|error| Failure::Rows(name.clone(), Box::new(error)))?;
        Ok(Opened { name, rows: Box::new(rows) })
    }

    #[cfg(not(feature = "sql"))]
    fn sql(&self, _: &Schema, _: &ColumnNames) -> Result<Opened, Failure> {
        Err(Failure::Usage("this build reads no databases; build it with --features sql".to_owned()))
    }
}

/// Imports the rows of a source, all or none.
///
/// # Errors
/// A row that is none of the table's, by line and column; a failure of a store.
pub fn run(arguments: &Import) -> Result<Report, Failure> {
    let start = Instant::now();
    let Import { dir, name, sheet, patience, .. } = arguments;
    if arguments.chain.is_meant() {
        let (renewal, again) = (arguments.renewal(), arguments.again);
        let asked = Asked { chain: &arguments.chain, dir, name, sheet: *sheet, renewal, again };
        let open = |schema: &Schema, bar: &Bar| arguments.open(schema, bar).map(|opened| (opened.name, opened.rows));
        return on_chain::import::run(&asked, open);
    }
    let mut keeper = Keeper::open(open(dir, *patience)?, dir)?;
    let schema = keeper.schema(name)?;
    let bar = Bar::new("import");
    let mut source = arguments.open(&schema, &bar)?;
    let is_counted = matches!(arguments.format(), RowFormat::Parquet | RowFormat::Sql);
    let options = ImportOptions { sheet: *sheet, ..ImportOptions::default() };
    let mut progress = |step| match step {
        ImportStep::Read(rows) if is_counted => bar.rows(rows),
        // Bytes are shown as they are read.
        ImportStep::Read(_) => {}
        ImportStep::Certified(done, total) => bar.count(done, total),
        ImportStep::Archive(progress) => bar.show(progress),
    };
    let report = match arguments.renewal() {
        Some(renewal) => keeper.renew(name, &schema, source.rows.as_mut(), renewal, &options, &mut progress),
        None => keeper.import(name, &schema, source.rows.as_mut(), &options, &mut progress),
    };
    let report = report.map_err(|error| match error {
        TablesError::Source(error) => Failure::Rows(source.name.clone(), Box::new(error)),
        error => error.into(),
    })?;
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
