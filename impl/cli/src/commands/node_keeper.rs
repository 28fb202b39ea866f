//! `aardvark node keeper`

use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use aardvark_node::archive::{ChainOptions, Limits, Options, run as serve};
use aardvark_node::keeper::KeeperOptions;
use aardvark_node::reload::{Changeable, Reloads};
use clap::Args;

use super::node_archive::{ended, say, unheard};
use crate::configuration_arguments::Configuration;
use crate::failure::Failure;
use crate::logging::Logging;
use crate::mebibytes::bytes_of_mib;
use crate::reload::{self, Reloaded};
use crate::report::Report;

/// How long a request may take: a statistic of thousands of runs takes seconds.
const REQUEST: Duration = Duration::from_secs(120);
/// Time of one core that a request may take by its estimate.
const COST: Duration = Duration::from_secs(60);

/// `aardvark node keeper`
#[derive(Debug, Args)]
pub struct NodeKeeper {
    /// Folder of the dictionary, with the vault; nobody can write to it meanwhile. With --genesis,
    /// the folder of an archive that follows a chain, made where there is none.
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// Folder of the vault, if it is another one. On a chain it can be written to between two
    /// answers.
    #[arg(long, value_name = "DIR")]
    pub vault: Option<PathBuf>,
    /// Follow a chain: CometBFT's genesis.json.
    #[arg(long, value_name = "FILE", requires = "rpc")]
    pub genesis: Option<PathBuf>,
    /// With --genesis: the file of the chain's first content, where genesis.json has its digest.
    #[arg(long, value_name = "FILE", requires = "genesis")]
    pub content: Option<PathBuf>,
    /// With --genesis: RPC of a node of CometBFT; several are asked in turn.
    #[arg(long, value_name = "URL", requires = "genesis")]
    pub rpc: Vec<String>,
    /// With --genesis: how many versions before the latest stay readable in a new archive, if more
    /// than the window.
    #[arg(long, value_name = "R", requires = "genesis", default_value = "0")]
    pub retention: u64,
    /// Address and port to listen on; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Give no answer that is about fewer rows, by itself or together with answers before. What was
    /// answered is remembered in the vault, from the first time that this is given.
    #[arg(long, value_name = "K")]
    pub min_rows: Option<NonZeroU64>,
    /// Give answers after a multiple of so many milliseconds, whatever they took.
    #[arg(long, value_name = "MS")]
    pub answer_time: Option<NonZeroU64>,
    /// Show a row to who knows its id and its tag, the text of this row column, of at least 16
    /// bytes; without this no rows are shown.
    #[arg(long, value_name = "COLUMN")]
    pub tag_column: Option<String>,
    /// Address and port for the operator: /metrics, /healthz, /readyz; nobody else should reach it.
    #[arg(long, value_name = "ADDRESS")]
    pub operations: Option<SocketAddr>,
    /// Most connections at a time; more need a higher limit of open files.
    #[arg(long, value_name = "N", default_value = "4096")]
    pub connections: NonZeroUsize,
    /// Most connections of one client, an address or an IPv6 /64, at a time; behind a reverse
    /// proxy, which all clients share, as many as --connections.
    #[arg(long, value_name = "N", default_value = "256")]
    pub connections_per_address: NonZeroUsize,
    /// Memory for openings that are kept up to date instead of computed anew, in MiB.
    #[arg(long, value_name = "MIB", default_value = "256")]
    pub openings: u32,
    /// Log each request that is answered: its id, the client, the route without the key, status and
    /// time.
    #[arg(long)]
    pub access_log: bool,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
    /// What else says all this.
    #[command(flatten)]
    pub configuration: Configuration,
}

impl NodeKeeper {
    /// What it takes anew while it runs.
    ///
    /// # Errors
    /// What cannot be taken, in words.
    pub fn reloaded(&self) -> Result<Reloaded, String> {
        let changeable = Changeable {
            connections: self.connections.get(),
            connections_per_address: self.connections_per_address.get(),
            servers: None,
        };
        Ok(Reloaded { filter: self.logging.filter(self.access_log)?, changeable: Some(changeable) })
    }
}

/// Serves a dictionary with the rows of its tables until the process is told to end. Says where it
/// listens as soon as it does.
///
/// # Errors
/// An archive or vault that cannot be opened, an address that cannot be listened on.
pub fn run(arguments: &NodeKeeper, json: bool) -> Result<Report, Failure> {
    let set_filter = arguments.logging.begin(arguments.access_log).map_err(Failure::Logging)?;
    let reloads = Reloads::default();
    reload::begin(set_filter, reloads.clone());
    let limits = Limits::default();
    let limits = Limits {
        connections: arguments.connections.get(),
        connections_per_address: arguments.connections_per_address.get(),
        request: REQUEST,
        request_cost: COST,
        client_cost: COST.max(limits.client_cost),
        all_costs: COST.saturating_mul(2).max(limits.all_costs),
        ..limits
    };
    let chain = arguments.genesis.as_ref().map(|genesis| ChainOptions {
        nodes: arguments.rpc.clone(),
        genesis: genesis.clone(),
        content: arguments.content.clone(),
        from: None,
        retention: arguments.retention,
        retain_records: 0,
        snapshot: None,
    });
    let keeper = KeeperOptions {
        vault: arguments.vault.clone(),
        vault_on_demand: chain.is_some(),
        min_rows: arguments.min_rows.map(NonZeroU64::get),
        answer_time: arguments.answer_time.map(|time| Duration::from_millis(time.get())),
        tag_column: arguments.tag_column.clone(),
    };
    let options = Options {
        directory: arguments.dir.clone(),
        opening_servers: None,
        store: None,
        listen: arguments.listen,
        operations: arguments.operations,
        opening_bytes: bytes_of_mib(arguments.openings),
        warm: false,
        limits,
        chain,
        reloads,
        keeper: Some(keeper),
    };
    Ok(ended(serve(&options, |listening| unheard(say(&listening, json)))?))
}
