//! `aardvark table row DIR NAME ID`

use std::path::PathBuf;

use aardvark_aggregates::{Finding, Schema};
use aardvark_tables::number::show_number;
use aardvark_tables::source::fields::{shown_key, shown_value};
use aardvark_tables::{FoundRow, Keeper, TablesError, schema_of};
use clap::Args;
use serde_json::{Value, json};

use super::query::{answer_parts, given, tied_or_trusted};
use super::remote::{self, Remote, Server};
use crate::answer_report::merge;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark table row`
#[derive(Debug, Args)]
pub struct Row {
    /// Folder of the dictionary, with the vault; or the URL of a keeper.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// The row's id: the text of its first row column.
    pub id: String,
    /// Where a URL is asked: the row's tag, which the keeper wants to know and the row has to have,
    /// and the row column that it stands in.
    #[arg(long, value_name = "COLUMN=TEXT")]
    pub tag: Option<String>,
    /// Only rows of this value column.
    #[arg(long, value_name = "COLUMN")]
    pub column: Option<String>,
    /// Only rows with such keys, as in a query: `time = 100 and town = 'Bern'`.
    #[arg(long = "where", value_name = "CONDITIONS")]
    pub condition: Option<String>,
    /// Where the id has several rows: the one with this number in the list, from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub number: Option<u64>,
    /// At this version; the newest by default.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Bring along the certificate of the row's run, for `table verify --certificates`.
    #[arg(long)]
    pub certificates: bool,
    /// Tie the answer to the state root, for `table verify --root`, `--note` and `--trust`; it is
    /// verified under a root then, and no longer under commitments. Where a URL is asked: with 0x
    /// and 64 digits, the state root to verify under, the trusted side.
    #[arg(long, value_name = "HASH", num_args = 0..=1, default_missing_value = "", group = "anchor")]
    pub root: Option<String>,
    /// The file that the answer is written to, for `table verify`.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// How a server is asked.
    #[command(flatten)]
    pub server: Server,
}

/// Shows an owner its row, with a proof; where the id has several, lists them.
///
/// # Errors
/// A table or id that there is not; an answer that is to be written where the id has several rows.
pub fn run(arguments: &Row) -> Result<Report, Failure> {
    let Row { dir, name, id, column, condition, number, version, output, patience, .. } = arguments;
    let (column, condition) = (column.as_deref(), condition.as_deref());
    let (tied, trusted) = tied_or_trusted(arguments.root.as_deref());
    if let Some(remote) = Remote::of(dir, &arguments.server, trusted, *version)? {
        let parts = remote::query::Parts { certificates: arguments.certificates, root: tied };
        let wanted = remote::row::Wanted { id, tag: arguments.tag.as_deref(), column, condition, number: *number };
        return remote::row::run(&remote, name, &wanted, parts, output.as_deref());
    }
    if arguments.tag.is_some() {
        return Err(Failure::Usage("--tag is for a URL; `table verify --row` holds a tag against a file".to_owned()));
    }
    let keeper = Keeper::open_read_only(open_read_only(dir, *patience)?, dir)?;
    let version = version.unwrap_or(keeper.archive().version());
    let none = || TablesError::NoTable(name.clone());
    let schema = schema_of(keeper.archive(), name, version)?.ok_or_else(none)?;
    let found = keeper.rows_of(name, id, version, column, condition)?;
    let place = number.map_or(0, |number| usize::try_from(number - 1).unwrap_or(usize::MAX));
    let row = match (found.as_slice(), number) {
        ([], _) => return Err(Failure::Usage(format!("there is no row of {id:?} here"))),
        (rows, None) if rows.len() > 1 && output.is_some() => {
            let several = rows.len();
            let text = format!("{several} rows of {id:?} stand here; choose one with --where, --column or --number");
            return Err(Failure::Usage(text));
        }
        (rows, None) if rows.len() > 1 => return Ok(list(name, &schema, rows, version)),
        (rows, _) => rows.get(place).ok_or_else(|| Failure::Usage(format!("{id:?} has {} rows here", rows.len())))?,
    };
    let parts = answer_parts(&keeper, version, arguments.certificates, tied)?;
    let (answer, outcome) = keeper.row(name, row, version, &parts)?;
    let rows = schema.rows.iter().zip(&row.texts).fold(Rows::new(), |rows, (name, text)| rows.row(name, text));
    let rows = rows.row("key", shown_key(&schema, &row.key)).row(value_name(&schema, row), value_of(&schema, row));
    // Of all rows of the run, where those that were found are counted by segment.
    let rank = match &outcome.finding {
        Finding::Row(shown) => shown.rank,
        _ => u64::from(row.place.row),
    };
    let place = format!("row {} of run {}, revision {}", rank + 1, row.run, row.place.segment.revision);
    let rows = rows.row("stands as", place).row("query", &row.query);
    let mut json = shown(&schema, row);
    merge(
        &mut json,
        json!({ "rank": rank, "table": name, "version": version, "dictionary": encode(&outcome.dictionary.0) }),
    );
    given(rows, json, &answer, &outcome, output.as_deref())
}

/// Rows of an id, of which none is proved.
fn list(name: &str, schema: &Schema, found: &[FoundRow], version: u64) -> Report {
    let line = |rows: Rows, (number, row): (usize, &FoundRow)| {
        let value = format!("{} {}", value_name(schema, row), value_of(schema, row));
        rows.row((number + 1).to_string(), format!("{}: {value}", shown_key(schema, &row.key)))
    };
    let rows = found.iter().enumerate().fold(Rows::new(), line);
    let rows = rows.row("version", version.to_string()).row("to prove one", "--number N -o FILE");
    let listed: Vec<Value> = found.iter().map(|row| shown(schema, row)).collect();
    Report::done(rows.to_text(), json!({ "table": name, "version": version, "rows": listed }))
}

fn value_name<'a>(schema: &'a Schema, row: &FoundRow) -> &'a str {
    schema.values.get(usize::from(row.column)).map_or("", |column| column.name.as_str())
}

/// A row's number as it was written.
fn value_of(schema: &Schema, row: &FoundRow) -> String {
    let column = schema.values.get(usize::from(row.column));
    let (lowest, scale) = column.map_or((0, 0), |column| (column.lowest, column.scale));
    show_number(i128::from(lowest) + i128::from(row.value), scale)
}

fn shown(schema: &Schema, row: &FoundRow) -> Value {
    json!({
        "query": row.query,
        "column": value_name(schema, row),
        "key": row.key.iter().map(shown_value).collect::<Vec<_>>(),
        "value": value_of(schema, row),
        "text": row.texts,
        "run": row.run,
        "revision": row.place.segment.revision,
        "segment": row.place.segment.segment,
        "rank": row.place.row,
    })
}
