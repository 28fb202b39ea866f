//! `aardvark client trust`: a header by height and hash, as `--trust` takes it.
//!
//! It is the nodes' word, unless the genesis file's validators signed it: then it is theirs.

use std::path::Path;
use std::time::Duration;

use aardvark_chain::ChainGenesis;
use aardvark_client::light::{AnnouncedHeader, GenesisValidators, KnownValidators, announced_header};
use aardvark_client::rpc::{HttpOptions, RpcClient};
use serde_json::json;

use crate::commands::client::args::Trust;
use crate::commands::client::failure::ClientFailure;
use crate::commands::client::network::LARGEST_GENESIS;
use crate::failure::Failure;
use crate::input::read_file;
use crate::print::{Lines, error_line};
use crate::report::Report;

/// Asks nodes for a header.
///
/// # Errors
/// A node that does not answer, one that says otherwise than the first, or, with a genesis file, a
/// header that its validators have not signed.
pub fn run(arguments: &Trust) -> Result<Report, Failure> {
    let options = HttpOptions { timeout: Duration::from_secs(arguments.timeout), ..HttpOptions::default() };
    let nodes = arguments.nodes.iter().map(|url| RpcClient::new(url, options)).collect::<Result<Vec<_>, _>>();
    let nodes = nodes.map_err(ClientFailure::from)?;
    let genesis = arguments.genesis.as_deref().map(validators).transpose()?;
    let genesis = genesis.as_ref().map(|(chain_id, validators)| (chain_id.as_str(), validators));
    let header = announced_header(&nodes, arguments.height, genesis).map_err(ClientFailure::from)?;
    Ok(report(&header, &nodes, genesis.is_some()))
}

/// The chain's id and its validators, by the user's own genesis file.
fn validators(path: &Path) -> Result<(String, KnownValidators), Failure> {
    let bytes = read_file(path, LARGEST_GENESIS)?;
    let (chain_id, genesis) = ChainGenesis::from_genesis_file(&bytes)?;
    let validators = GenesisValidators::from_genesis_file(&bytes);
    let validators = validators.map_err(|error| ClientFailure::Usage(format!("{}: {error}", path.display())))?;
    Ok((chain_id, KnownValidators::of_genesis(&validators, genesis.council().is_some())))
}

/// The header alone on its line, and on standard error what it rests on.
fn report(header: &AnnouncedHeader, nodes: &[RpcClient], is_signed: bool) -> Report {
    let AnnouncedHeader { point, chain_id, time } = header;
    let urls: Vec<&str> = nodes.iter().map(RpcClient::url).collect();
    error_line(&match is_signed {
        true => format!("signed by the genesis file's validators of {chain_id}, {time}"),
        false => {
            format!("the word of {}: compare it with somebody whom you trust, or give --genesis FILE", urls.join(", "))
        }
    });
    let json = json!({
        "result": "holds",
        "trust": point.to_string(),
        "height": point.height,
        "hash": hex::encode_upper(point.hash),
        "chain_id": chain_id,
        "time": time.to_rfc3339(),
        "rpc": urls,
        "signed": is_signed,
    });
    Report::done(Lines::default().and(point.to_string()), json)
}
