//! `aardvark table seal DIR NAME VALUE`

use std::path::PathBuf;

use aardvark_aggregates::Schema;
use aardvark_aggregates::key::encode_value;
use aardvark_tables::Keeper;
use aardvark_tables::source::fields::parse_key_value;
use clap::Args;
use serde_json::json;

use super::on_chain::OnChain;
use crate::failure::Failure;
use crate::report::{Report, Rows};
use crate::store::{Patience, open};

/// `aardvark table seal`
#[derive(Debug, Args)]
pub struct Seal {
    /// Folder of the dictionary; with --signer, of the vault.
    pub dir: PathBuf,
    /// The table's name.
    pub name: String,
    /// A value of the first key column: keys below it are closed for good.
    pub below: String,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// Where the table is one of a chain.
    #[command(flatten)]
    pub chain: OnChain,
}

/// Closes keys.
///
/// # Errors
/// A value that is none of the first key column's, or not above the one before.
pub fn run(arguments: &Seal) -> Result<Report, Failure> {
    let Seal { dir, name, below, patience, chain } = arguments;
    let (version, column) = if chain.is_meant() {
        let (mut keeper, mut ledger) = chain.open(dir)?;
        let schema = keeper.schema(&mut ledger, name)?;
        let (watermark, column) = watermark(&schema, below)?;
        let written = keeper.seal(&mut ledger, name, watermark)?;
        ledger.reach(written.done.version);
        (written.done.version, column)
    } else {
        let mut keeper = Keeper::open(open(dir, *patience)?, dir)?;
        let (watermark, column) = watermark(&keeper.schema(name)?, below)?;
        (keeper.seal(name, watermark)?, column)
    };
    let rows = Rows::new()
        .row("table", name.clone())
        .row("closed below", format!("{column} = {below}"))
        .row("version", version.to_string());
    Ok(Report::done(rows.to_text(), json!({ "table": name, "closed_below": below, "version": version })))
}

/// A value of the first key column as bytes, and the column's name.
fn watermark(schema: &Schema, below: &str) -> Result<(Vec<u8>, String), Failure> {
    let first = schema.keys.first().ok_or_else(|| Failure::Usage("the table has no key column".to_owned()))?;
    let refused = |error: aardvark_aggregates::KeyError| Failure::Usage(format!("{below:?}: {error}"));
    let value = parse_key_value(0, first, below).map_err(refused)?;
    let mut watermark = Vec::new();
    encode_value(0, first, &value, &mut watermark).map_err(refused)?;
    Ok((watermark, first.name.clone()))
}
