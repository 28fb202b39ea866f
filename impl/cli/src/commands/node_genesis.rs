//! `aardvark node genesis`

use std::path::PathBuf;

use aardvark_dictionary::{Key, Parameters, Value};
use aardvark_node::chain::{ChainGenesis, Policy, account_key};
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::{decode_array, encode};
use crate::input::read_file;
use crate::report::{Report, Rows, counted};

/// Most bytes of a genesis file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// `aardvark node genesis`
#[derive(Debug, Args)]
pub struct NodeGenesis {
    /// CometBFT's genesis.json, as `cometbft init` makes it: its app_state is written.
    pub file: PathBuf,
    /// Slots per vector, a power of two up to 4096.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub vector_size: u32,
    /// For how many versions, which are blocks, a proof stays good.
    #[arg(long, value_name = "W", default_value_t = 300)]
    pub window: u32,
    /// Seconds from block to block, as CometBFT's timeout_commit sets them: with the window they say how long a proof lives.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub block_time: f64,
    /// Policy publisher: an ed25519 public key, 0x and 32 bytes, that may write anything; several may be given.
    #[arg(long = "publisher", value_name = "KEY", value_parser = decode_array::<32>, required_unless_present = "accounts")]
    pub publishers: Vec<[u8; 32]>,
    /// Policy accounts: the ed25519 public key of an owner, and what the account begins with; several may be given.
    #[arg(long = "account", value_name = "KEY=AMOUNT", value_parser = parse_account, conflicts_with = "publishers")]
    pub accounts: Vec<([u8; 32], u64)>,
}

fn parse_account(text: &str) -> Result<([u8; 32], u64), String> {
    let (key, amount) = text.split_once('=').ok_or("an account is written KEY=AMOUNT")?;
    let key = decode_array(key).map_err(|error| error.to_string())?;
    Ok((key, amount.parse().map_err(|error| format!("{amount:?} is no amount: {error}"))?))
}

/// Writes a chain's beginning into CometBFT's genesis file.
///
/// # Errors
/// A file that is no genesis file or cannot be written, and what no chain can begin with.
pub fn run(arguments: &NodeGenesis) -> Result<Report, Failure> {
    let name = arguments.file.display().to_string();
    let not_json = |error: serde_json::Error| Failure::Genesis(error.into());
    let mut file: serde_json::Value =
        serde_json::from_slice(&read_file(&arguments.file, MOST_BYTES)?).map_err(not_json)?;
    let chain = chain_genesis(arguments)?;
    if let Some(file) = file.as_object_mut() {
        file.insert("app_state".to_owned(), chain.to_app_state());
    }
    let text = serde_json::to_vec_pretty(&file).map_err(not_json)?;
    // What is written must be what a validator reads.
    ChainGenesis::from_genesis_file(&text)?;
    std::fs::write(&arguments.file, text).map_err(|source| Failure::Output { name, source })?;
    Ok(report(arguments, &chain))
}

fn chain_genesis(arguments: &NodeGenesis) -> Result<ChainGenesis, Failure> {
    let NodeGenesis { vector_size, window, .. } = *arguments;
    let parameters = Parameters { vector_size, window, ..Parameters::default() };
    if arguments.accounts.is_empty() {
        let keys = arguments.publishers.iter().copied().collect();
        return Ok(ChainGenesis::new(parameters, Policy::Publisher(keys), Vec::new())?);
    }
    let account =
        |(owner, amount): &([u8; 32], u64)| (account_key(owner), Value::from(amount.to_be_bytes().as_slice()));
    let mut entries: Vec<(Key, Value)> = arguments.accounts.iter().map(account).collect();
    entries.sort_unstable();
    Ok(ChainGenesis::new(parameters, Policy::Accounts, entries)?)
}

fn report(arguments: &NodeGenesis, chain: &ChainGenesis) -> Report {
    let id = encode(&chain.genesis().dictionary_id().0);
    let seconds = f64::from(arguments.window) * arguments.block_time;
    let rows = Rows::new()
        .row("dictionary", id.clone())
        .row("window", counted(u64::from(arguments.window), "version", "versions"))
        .row("a proof lives", format!("{seconds:.0} s, at a block every {} s", arguments.block_time))
        .row("keys", counted(chain.genesis().entries().len() as u64, "key", "keys"));
    let json = json!({ "dictionary": id, "window": arguments.window, "proof_seconds": seconds });
    Report::done(rows.to_text(), json)
}
