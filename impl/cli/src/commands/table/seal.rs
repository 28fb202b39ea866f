//! `aardvark table seal DIR NAME VALUE`

use std::path::PathBuf;

use aardvark_aggregates::key::encode_value;
use aardvark_tables::Keeper;
use aardvark_tables::source::fields::parse_key_value;
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::report::{Report, Rows};
use crate::store::{Patience, open};

/// `aardvark table seal`
#[derive(Debug, Args)]
pub struct Seal {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// A value of the first key column: keys below it are closed for good.
    pub below: String,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Closes keys.
///
/// # Errors
/// A value that is none of the first key column's, or not above the one before.
pub fn run(arguments: &Seal) -> Result<Report, Failure> {
    let Seal { dir, name, below, patience } = arguments;
    let mut keeper = Keeper::open(open(dir, *patience)?, dir)?;
    let schema = keeper.schema(name)?;
    let first = schema.keys.first().ok_or_else(|| Failure::Usage("the table has no key column".to_owned()))?;
    let refused = |error: aardvark_aggregates::KeyError| Failure::Usage(format!("{below:?}: {error}"));
    let value = parse_key_value(0, first, below).map_err(refused)?;
    let mut watermark = Vec::new();
    encode_value(0, first, &value, &mut watermark).map_err(refused)?;
    let version = keeper.seal(name, watermark)?;
    let rows = Rows::new()
        .row("table", name.clone())
        .row("closed below", format!("{} = {below}", first.name))
        .row("version", version.to_string());
    Ok(Report::done(rows.to_text(), json!({ "table": name, "closed_below": below, "version": version })))
}
