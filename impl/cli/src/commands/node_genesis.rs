//! `aardvark node genesis`

use std::collections::BTreeSet;
use std::path::PathBuf;

use aardvark_algebra::integers::u8_or_max;
use aardvark_chain::content_file::{self, content_path};
use aardvark_chain::{
    Accounts, BlockLimits, ChainGenesis, ChainGenesisError, Council, Fee, Policy, account_id, account_key,
};
use aardvark_dictionary::{Change, Key, Parameters, Value};
use clap::Args;
use serde_json::json;

use crate::commands::init::random_salt;
use crate::failure::Failure;
use crate::hex_text::{decode_array, encode};
use crate::import::{Format, Header, Reading, changes};
use crate::input::{Input, read_file};
use crate::notation::notation;
use crate::report::{Report, Rows, counted};

/// Most bytes of a genesis file that is read: CometBFT takes no more.
const MOST_BYTES: u64 = i32::MAX as u64;
/// First content of more bytes goes into a file of its own.
const MOST_LISTED: usize = 1 << 20;

/// `aardvark node genesis`
#[derive(Debug, Args)]
pub struct NodeGenesis {
    /// CometBFT's genesis.json, as `cometbft init` makes it: its app_state is written.
    pub file: PathBuf,
    /// 32 bytes that no other chain has, 0x and 64 digits; drawn at random by default. The same
    /// salt, with all else the same, makes the same genesis again.
    #[arg(long, value_name = "HEX", value_parser = decode_array::<32>)]
    pub salt: Option<[u8; 32]>,
    /// Slots per vector, a power of two up to 4096.
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub vector_size: u32,
    /// For how many versions, which are blocks, a proof stays good.
    #[arg(long, value_name = "W", default_value_t = 300)]
    pub window: u32,
    /// Seconds from block to block, as CometBFT's timeout_commit sets them: with the window they
    /// say how long a proof lives.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub block_time: f64,
    /// Policy publisher: an ed25519 public key, 0x and 32 bytes, that may write anything; several
    /// may be given.
    #[arg(long = "publisher", value_name = "KEY", value_parser = decode_array::<32>, required_unless_present_any = ["accounts", "fee_account", "creators", "organisers"])]
    pub publishers: Vec<[u8; 32]>,
    /// Policy tables: an ed25519 public key, 0x and 32 bytes, that may create tables; several may
    /// be given. Who may write to a table its schema says.
    #[arg(long = "creator", value_name = "KEY", value_parser = decode_array::<32>, conflicts_with_all = ["publishers", "accounts", "fee_account"])]
    pub creators: Vec<[u8; 32]>,
    /// Policy board: an ed25519 public key, 0x and 32 bytes, that may begin ceremonies of a mixnet;
    /// several may be given. Who may post in a ceremony its organiser says.
    #[arg(long = "organiser", value_name = "KEY", value_parser = decode_array::<32>, conflicts_with_all = ["publishers", "creators", "accounts", "fee_account", "content"])]
    pub organisers: Vec<[u8; 32]>,
    /// Policy accounts: the ed25519 public key of an owner, and what the account begins with;
    /// several may be given.
    #[arg(long = "account", value_name = "KEY=AMOUNT", value_parser = parse_account, conflicts_with = "publishers")]
    pub accounts: Vec<([u8; 32], u64)>,
    /// Policy accounts: the owner, among those of --account and --content, whose account fees are
    /// added to; the first of --account if it is left out.
    #[arg(long, value_name = "KEY", value_parser = decode_array::<32>, conflicts_with = "publishers")]
    pub fee_account: Option<[u8; 32]>,
    /// Policy accounts: what any transaction pays.
    #[arg(long, value_name = "AMOUNT", default_value_t = 10)]
    pub fee_base: u64,
    /// Policy accounts: what a transaction pays for each byte, without openings.
    #[arg(long, value_name = "AMOUNT", default_value_t = 0)]
    pub fee_byte: u64,
    /// Policy accounts: what a transaction pays for each claim.
    #[arg(long, value_name = "AMOUNT", default_value_t = 1)]
    pub fee_claim: u64,
    /// Policy accounts: what a transaction pays for each operation.
    #[arg(long, value_name = "AMOUNT", default_value_t = 1)]
    pub fee_operation: u64,
    /// Policy accounts: the least that an account holds, so that there are at most supply / minimum
    /// accounts.
    #[arg(long, value_name = "AMOUNT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub minimum: u64,
    /// The most work in a block, about microseconds of one core: fit it to the block time and to
    /// the slowest validator.
    #[arg(long, value_name = "GAS", default_value_t = BlockLimits::default().max_gas)]
    pub max_gas: u64,
    /// The most bytes of a block.
    #[arg(long, value_name = "BYTES", default_value_t = BlockLimits::default().max_bytes)]
    pub max_bytes: u64,
    /// An ed25519 public key, 0x and 32 bytes, of a member of the council that may change the
    /// validators; several may be given. Without any the validators are those of genesis for ever.
    #[arg(long = "council", value_name = "KEY", value_parser = decode_array::<32>)]
    pub council: Vec<[u8; 32]>,
    /// How many members of the council have to sign a change; more than half by default.
    #[arg(long, value_name = "K", requires = "council", value_parser = clap::value_parser!(u8).range(1..))]
    pub council_threshold: Option<u8>,
    /// What the dictionary begins with, as `aardvark import` reads it; up to 1 MiB is listed in
    /// genesis.json, more is written beside it, to genesis-content.bin, which every new validator
    /// and archive needs. Under the policy accounts it is accounts and their balances.
    #[arg(long, value_name = "FILE")]
    pub content: Option<PathBuf>,
    /// The content's format; by default its name's ending tells.
    #[arg(long, requires = "content")]
    pub format: Option<Format>,
    /// The first line of CSV content is a header: skip it.
    #[arg(long, requires = "content", conflicts_with = "no_header")]
    pub header: bool,
    /// The first line of CSV content is data, also where it looks like a header.
    #[arg(long, requires = "content")]
    pub no_header: bool,
    /// Take keys and values that begin with 0x for text.
    #[arg(long, requires = "content")]
    pub text: bool,
    /// Write the content to a file of its own, however small it is.
    #[arg(long, requires = "content")]
    pub content_file: bool,
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
    let chain_id = file.get("chain_id").and_then(serde_json::Value::as_str);
    let chain = chain_genesis(arguments, chain_id.ok_or(ChainGenesisError::Missing("chain_id"))?)?;
    let beside = content_path(&arguments.file, None);
    let is_large = content_file::length(chain.genesis().entries()) > MOST_LISTED;
    let chain = if is_large || arguments.content_file { chain.with_content_file() } else { chain };
    let app_state = chain.to_app_state();
    let filed = app_state.get("content_digest").is_some();
    if let Some(file) = file.as_object_mut() {
        file.insert("app_state".to_owned(), app_state);
    }
    let text = serde_json::to_vec_pretty(&file).map_err(not_json)?;
    if filed {
        content_file::write(&beside, chain.genesis().entries()).map_err(ChainGenesisError::from)?;
    }
    // What is written must be what a validator reads.
    let (_, read) = ChainGenesis::from_genesis_file(&text)?;
    if read.council() != chain.council() || read.complete(&beside)?.genesis() != chain.genesis() {
        return Err(ChainGenesisError::Content.into());
    }
    std::fs::write(&arguments.file, text).map_err(|source| Failure::Output { name, source })?;
    Ok(report(arguments, &chain, filed.then_some(beside)))
}

fn chain_genesis(arguments: &NodeGenesis, chain: &str) -> Result<ChainGenesis, Failure> {
    let NodeGenesis { vector_size, window, max_bytes, max_gas, .. } = *arguments;
    let salt = arguments.salt.map_or_else(random_salt, Ok)?;
    let parameters = Parameters { vector_size, window, ..Parameters::default() };
    let mut entries = first_content(arguments)?;
    let account =
        |(owner, amount): &([u8; 32], u64)| (account_key(owner), Value::from(amount.to_be_bytes().as_slice()));
    entries.extend(arguments.accounts.iter().map(account));
    entries.sort_unstable();
    let chain = ChainGenesis::new(chain, salt, parameters, policy(arguments), entries)?;
    Ok(chain.with_block_limits(BlockLimits { max_bytes, max_gas })?.with_council(council(arguments)?))
}

fn council(arguments: &NodeGenesis) -> Result<Option<Council>, Failure> {
    let members: BTreeSet<[u8; 32]> = arguments.council.iter().copied().collect();
    if members.is_empty() {
        return Ok(None);
    }
    let majority = u8_or_max(members.len() / 2 + 1);
    Ok(Some(Council::new(arguments.council_threshold.unwrap_or(majority), members)?))
}

fn policy(arguments: &NodeGenesis) -> Policy {
    if !arguments.creators.is_empty() {
        return Policy::Tables { creators: arguments.creators.iter().copied().collect() };
    }
    if !arguments.organisers.is_empty() {
        return Policy::Board { organisers: arguments.organisers.iter().copied().collect() };
    }
    let first = arguments.accounts.first().map(|(owner, _)| *owner);
    let Some(fees) = arguments.fee_account.or(first) else {
        return Policy::Publisher(arguments.publishers.iter().copied().collect());
    };
    let NodeGenesis { fee_base: base, fee_byte: byte, fee_claim: claim, fee_operation: operation, minimum, .. } =
        *arguments;
    let fee = Fee { account: account_id(&fees), base, byte, claim, operation };
    Policy::Accounts(Accounts { fee, minimum })
}

/// The entries of the file, ascending. A key that stands twice is refused where the genesis is
/// made.
fn first_content(arguments: &NodeGenesis) -> Result<Vec<(Key, Value)>, Failure> {
    let Some(path) = &arguments.content else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    let header = Header::of_options(arguments.header, arguments.no_header);
    let reading = Reading { format: arguments.format, header, notation: notation(arguments.text) };
    for change in changes(Input::open(path)?, path, reading)? {
        let Change { key, value } = change?;
        let value = value.ok_or_else(|| Failure::Deletes(path.display().to_string(), key.clone()))?;
        entries.push((key, value));
    }
    entries.sort_unstable();
    Ok(entries)
}

fn report(arguments: &NodeGenesis, chain: &ChainGenesis, beside: Option<PathBuf>) -> Report {
    let id = encode(&chain.genesis().dictionary_id().0);
    let seconds = f64::from(arguments.window) * arguments.block_time;
    let rows = Rows::new()
        .row("chain", chain.genesis().identity().name())
        .row("dictionary", id.clone())
        .row("window", counted(u64::from(arguments.window), "version", "versions"))
        .row("a proof lives", format!("{seconds:.0} s, at a block every {} s", arguments.block_time))
        .row("keys", counted(chain.content_entries(), "key", "keys"));
    let beside = beside.map(|path| path.display().to_string());
    let rows = match &beside {
        Some(path) => rows.row("content", format!("{path}, which every new validator and archive needs")),
        None => rows,
    };
    let json = json!({ "chain": chain.genesis().identity().name(), "dictionary": id, "window": arguments.window, "proof_seconds": seconds,
        "keys": chain.content_entries(), "content": beside });
    Report::done(rows.to_text(), json)
}
