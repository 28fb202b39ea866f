//! Resolves a client command's arguments: nodes, archives, trust, and the dictionary's genesis.

use std::path::Path;
use std::time::Duration;

use aardvark_chain::ChainGenesis;
use aardvark_client::light::{Accusation, LightClient, LightOptions, TrustPoint, TrustState, Updated, Witnesses};
use aardvark_client::rpc::http::without_credentials;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::{ArchiveClient, Known, Reader};

use crate::commands::client::args::Network;
use crate::commands::client::failure::ClientFailure;
use crate::failure::Failure;
use crate::input::read_file;
use crate::print::error_line;

/// Most bytes of a genesis file: CometBFT takes no more.
pub const LARGEST_GENESIS: u64 = i32::MAX as u64;

/// The servers of a network.
pub struct Servers {
    /// The nodes.
    pub nodes: Vec<RpcClient>,
    /// The archives.
    pub archives: Vec<ArchiveClient>,
    witnesses: Witnesses,
}

impl Servers {
    /// The servers whose addresses were typed.
    pub fn of(network: &Network) -> Result<Self, ClientFailure> {
        let options = HttpOptions { timeout: Duration::from_secs(network.timeout), ..HttpOptions::default() };
        let nodes =
            |urls: &[String]| urls.iter().map(|url| RpcClient::new(url, options)).collect::<Result<Vec<_>, _>>();
        let archive = |url: &String| {
            ArchiveClient::new(url, options).map_err(|error| ClientFailure::Address(without_credentials(url), error))
        };
        let witnesses = match network.without_witness {
            true => Witnesses::Nobody,
            false => Witnesses::Compare(nodes(&network.witnesses)?),
        };
        let archives = network.archives.iter().map(archive).collect::<Result<_, _>>()?;
        Ok(Self { nodes: nodes(&network.nodes)?, archives, witnesses })
    }
}

/// Whether a header is trusted to begin with.
pub fn has_trust(network: &Network) -> bool {
    network.trust.is_some() || network.state.as_deref().is_some_and(Path::exists)
}

/// A reader from the trusted header on, and those who did not have it.
pub fn reader(network: &Network, servers: &Servers) -> Result<(Reader, Vec<Accusation>), Failure> {
    let (light, saved, refused) = light(network, servers)?;
    let known = match &network.genesis {
        Some(path) => Some(known_from_file(path, Some(light.trusted().chain_id()))?),
        None => saved.and_then(|saved| saved.facts).map(Known::of_facts),
    };
    Ok((Reader::new(light, servers.archives.clone(), known), refused))
}

/// A light client from the trusted header on, the state that it begins with, and those who did not
/// have the header.
pub fn light(
    network: &Network,
    servers: &Servers,
) -> Result<(LightClient, Option<TrustState>, Vec<Accusation>), Failure> {
    let saved = network.state.as_deref().map(TrustState::load).transpose().map_err(ClientFailure::from)?.flatten();
    let point = newer(network.trust, saved.as_ref().map(|saved| saved.point))?;
    if let Witnesses::Compare(witnesses) = &servers.witnesses
        && witnesses.is_empty()
    {
        let usage = "give the RPC of a second node with --witness, or decide for --without-witness";
        return Err(ClientFailure::Usage(usage.to_owned()).into());
    }
    let options = LightOptions {
        trusting_period: Duration::from_secs(network.trusting_period),
        clock_drift: Duration::from_secs(network.clock_drift),
        max_age: Duration::from_secs(network.max_age),
        server_time: Duration::from_secs(network.server_time),
    };
    let (light, refused) = LightClient::start(&point, servers.nodes.clone(), servers.witnesses.clone(), options)
        .map_err(ClientFailure::from)?;
    let node = light.trusted().chain_id().to_owned();
    if let Some(saved) = saved.as_ref().filter(|saved| saved.chain_id != node) {
        return Err(ClientFailure::AnotherChain { file: saved.chain_id.clone(), node }.into());
    }
    Ok((light, saved, refused))
}

/// The later of two trusted headers.
fn newer(typed: Option<TrustPoint>, saved: Option<TrustPoint>) -> Result<TrustPoint, ClientFailure> {
    match (typed, saved) {
        (None, None) => Err(ClientFailure::Usage("say which header you trust: --trust HEIGHT:HASH".to_owned())),
        (Some(typed), Some(saved)) if typed.height == saved.height && typed.hash != saved.hash => {
            Err(ClientFailure::Usage(format!("the state file has {saved}, which contradicts --trust {typed}")))
        }
        (Some(typed), Some(saved)) => Ok(if typed.height > saved.height { typed } else { saved }),
        (Some(point), None) | (None, Some(point)) => Ok(point),
    }
}

/// What the user's own genesis file says.
///
/// # Errors
/// A file that is no genesis, or that of another chain.
pub fn known_from_file(path: &Path, chain_id: Option<&str>) -> Result<Known, Failure> {
    let (found, genesis) = ChainGenesis::from_genesis_file(&read_file(path, LARGEST_GENESIS)?)?;
    if let Some(node) = chain_id.filter(|chain_id| *chain_id != found) {
        return Err(ClientFailure::AnotherChain { file: found, node: node.to_owned() }.into());
    }
    Ok(Known::of_genesis(&genesis))
}

/// What is known of the dictionary without a trusted header: the user's genesis, or a node's word.
pub fn known(network: &Network, servers: &Servers) -> Result<Known, Failure> {
    if let Some(path) = &network.genesis {
        return known_from_file(path, None);
    }
    let mut refused = Vec::new();
    for node in &servers.nodes {
        match Known::from_node(node, None) {
            Ok(known) => return Ok(known),
            Err(accusation) => refused.push(accusation),
        }
    }
    Err(ClientFailure::NoGenesis(refused).into())
}

/// Writes the newest header into the state file, where one is kept, with what is known of the
/// dictionary.
pub fn keep(network: &Network, updated: &Updated, known: Option<&Known>) -> Result<(), ClientFailure> {
    let Some(path) = &network.state else { return Ok(()) };
    let header = &updated.header;
    let point = TrustPoint { height: header.height(), hash: header.hash() };
    let state = TrustState { chain_id: header.chain_id().to_owned(), point, facts: known.map(|known| known.facts) };
    Ok(state.save(path)?)
}

/// Names those who were not believed.
pub fn say(refused: &[Accusation]) {
    for accusation in refused {
        error_line(&format!("refused: {accusation}"));
    }
}
