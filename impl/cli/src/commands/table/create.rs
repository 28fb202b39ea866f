//! `aardvark table create DIR NAME`

use std::path::PathBuf;

use aardvark_aggregates::{KeyColumn, Schema};
use aardvark_tables::Keeper;
use clap::Args;
use serde_json::json;

use super::columns::{ValueRange, parse_key_column, parse_value_column};
use super::listing::columns;
use super::on_chain::OnChain;
use super::schema_json;
use crate::failure::Failure;
use crate::hex_text::decode_array;
use crate::input::read_file;
use crate::report::{Report, Rows};
use crate::store::{Patience, open};

/// `aardvark table create`
#[derive(Debug, Args)]
pub struct Create {
    /// Folder of the dictionary; with --signer, of the vault.
    pub dir: PathBuf,
    /// The table's name: 1 to 32 of a-z 0-9 _ -
    pub name: String,
    /// A JSON file that says all columns, as `table show --json` prints it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["keys", "values", "rows", "bits", "moments", "append_only", "deletable", "writers"])]
    pub schema: Option<PathBuf>,
    /// A public key column, time first: a name and u8 to u64, i8 to i64, or text and its bytes.
    #[arg(long = "key", value_name = "NAME:TYPE", value_parser = parse_key_column)]
    pub keys: Vec<KeyColumn>,
    /// A column of private numbers: a name, the lowest and the highest.
    #[arg(long = "value", value_name = "NAME:LOW..=HIGH", value_parser = parse_value_column, required_unless_present = "schema")]
    pub values: Vec<ValueRange>,
    /// A column of private text; the first is the id that rows are asked for by.
    #[arg(long = "row", value_name = "NAME")]
    pub rows: Vec<String>,
    /// Bits of all value columns: 8, 16, .., 64; by default the least that their numbers fit.
    #[arg(long, value_name = "B")]
    pub bits: Option<u8>,
    /// How many powers of all value columns have sums: 1 for means, 2 for variances, 3.
    #[arg(long, value_name = "P", default_value_t = 2)]
    pub moments: u8,
    /// Never replace or delete a run.
    #[arg(long, conflicts_with = "deletable")]
    pub append_only: bool,
    /// Let runs be deleted.
    #[arg(long)]
    pub deletable: bool,
    /// An Ed25519 key that may write on a chain, 0x and 64 digits.
    #[arg(long = "writer", value_name = "HEX", value_parser = decode_array::<32>)]
    pub writers: Vec<[u8; 32]>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
    /// Where the table is one of a chain.
    #[command(flatten)]
    pub chain: OnChain,
}

impl Create {
    fn schema(&self) -> Result<Schema, Failure> {
        if let Some(path) = &self.schema {
            let malformed = |what| Failure::AnotherFile(path.display().to_string(), what);
            return schema_json::read(&read_file(path, schema_json::LARGEST_SCHEMA)?).map_err(malformed);
        }
        Ok(Schema {
            append_only: self.append_only,
            deletable: self.deletable,
            writers: self.writers.clone(),
            keys: self.keys.clone(),
            values: self.values.iter().map(|range| range.column(self.bits, self.moments)).collect(),
            rows: self.rows.clone(),
            watermark: Vec::new(),
        })
    }
}

/// Makes a table.
///
/// # Errors
/// A schema that is not legal, a table that there is already, a store that cannot be written.
pub fn run(arguments: &Create) -> Result<Report, Failure> {
    let schema = arguments.schema()?;
    if arguments.chain.is_meant() && schema.writers.is_empty() {
        return Err(Failure::Usage("nobody could write to it: say whose keys may, with --writer KEY".to_owned()));
    }
    if schema.values.is_empty() {
        return Err(Failure::Usage("a table needs a column of numbers".to_owned()));
    }
    let version = if arguments.chain.is_meant() {
        let (mut keeper, mut ledger) = arguments.chain.open(&arguments.dir)?;
        let written = keeper.create(&mut ledger, &arguments.name, &schema)?;
        ledger.reach(written.done.version);
        written.done.version
    } else {
        let mut keeper = Keeper::open(open(&arguments.dir, arguments.patience)?, &arguments.dir)?;
        keeper.create(&arguments.name, &schema)?
    };
    let rows = Rows::new().row("table", arguments.name.clone());
    let rows = columns(rows, &schema).row("version", version.to_string());
    let json = json!({ "table": arguments.name, "schema": schema_json::write(&schema), "version": version });
    Ok(Report::done(rows.to_text(), json))
}
