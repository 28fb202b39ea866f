//! `aardvark node archive`

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use aardvark_node::archive::{AskedServers, ChainOptions, Limits, Listening, Options, Serving, run as serve};
use aardvark_node::openings::{ReplicaOptions, ServerList};
use aardvark_node::reload::{Changeable, Reloads};
use clap::Args;
use serde_json::json;

use crate::configuration_arguments::Configuration;
use crate::failure::Failure;
use crate::logging::Logging;
use crate::mebibytes::bytes_of_mib;
use crate::object_storage::{Access, store_at};
use crate::print::{self, Lines};
use crate::reload::{self, Reloaded};
use crate::report::{Report, Rows};

/// `aardvark node archive`
#[derive(Debug, Args)]
pub struct NodeArchive {
    /// Folder of the archive; with --rpc it is made where there is none. With --store and without
    /// --rpc it is not needed: where it is given, stored openings (`aardvark archive jobs start DIR
    /// openings --store URL`) and the cache of the scheme's parameters are in it.
    #[arg(long, value_name = "DIR", required_unless_present = "store")]
    pub dir: Option<PathBuf>,
    /// The archive's store on object storage, file:///FOLDER or s3://BUCKET/PREFIX, instead of a
    /// file in --dir. With --rpc this process writes it, and fences whoever wrote it before;
    /// without, it reads what another process writes and follows that. Endpoint, region and keys of
    /// S3 are taken from the environment (AWS_ENDPOINT, AWS_REGION, AWS_ACCESS_KEY_ID,
    /// AWS_SECRET_ACCESS_KEY). Only with the feature object-storage.
    #[arg(long, value_name = "URL", conflicts_with = "snapshot")]
    pub store: Option<String>,
    /// Follow the chain of this CometBFT node; several are asked in turn.
    #[arg(long, value_name = "URL", requires_all = ["genesis", "dir"])]
    pub rpc: Vec<String>,
    /// The chain's genesis.json.
    #[arg(long, value_name = "FILE", requires = "rpc")]
    pub genesis: Option<PathBuf>,
    /// The file of the chain's first content, where genesis.json has its digest; by default
    /// genesis-content.bin beside it.
    #[arg(long, value_name = "FILE", requires = "genesis")]
    pub content: Option<PathBuf>,
    /// Take blocks from this archive first, for those that the nodes do not have any more; they are
    /// believed for nothing.
    #[arg(long, value_name = "URL", requires = "rpc")]
    pub from: Option<String>,
    /// Begin a new archive from this backup (`aardvark archive backup`) of another one instead of
    /// from genesis, once every commitment is computed anew and the chain's validators signed for
    /// the root.
    #[arg(long, value_name = "FILE", requires = "rpc")]
    pub snapshot: Option<PathBuf>,
    /// How many versions before the latest stay readable in a new archive, if more than the window.
    #[arg(long, value_name = "R", requires = "rpc", default_value = "0")]
    pub retention: u64,
    /// Keep the chain's records (times, what roots are over) of so many heights only, the newest;
    /// those of versions that stay readable in any case. 0: of all.
    #[arg(long, value_name = "HEIGHTS", requires = "rpc", default_value = "0")]
    pub retain_records: u64,
    /// Address and port to listen on; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
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
    /// Memory for openings that are kept up to date instead of computed anew, in MiB: 100 bytes a
    /// key, and as much again where all was written lately.
    #[arg(long, value_name = "MIB", default_value = "256")]
    pub openings: u32,
    /// Prepare the openings of all vectors before the first request, so that proofs are fast from
    /// the start: some fifteen minutes of one core for a million keys.
    #[arg(long)]
    pub warm: bool,
    /// Ask these servers (`aardvark node openings`) for openings instead of computing them:
    /// NAME=URL between commas, or a file with one a line, which is read again on SIGHUP.
    #[arg(long, value_name = "LIST", conflicts_with = "warm")]
    pub opening_servers: Option<String>,
    /// Compute the openings that none of those servers gives; otherwise requests that need them are
    /// refused until one does.
    #[arg(long, requires = "opening_servers")]
    pub compute_openings: bool,
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

impl NodeArchive {
    /// What it takes anew while it runs.
    ///
    /// # Errors
    /// What cannot be taken, in words.
    pub fn reloaded(&self) -> Result<Reloaded, String> {
        let servers = self.opening_servers.as_deref().map(|list| ServerList::of_argument(list).read()).transpose();
        let changeable = Changeable {
            connections: self.connections.get(),
            connections_per_address: self.connections_per_address.get(),
            servers: servers.map_err(|error| error.to_string())?,
        };
        Ok(Reloaded { filter: self.logging.filter(self.access_log)?, changeable: Some(changeable) })
    }
}

/// Serves an archive until the process is told to end. Says where it listens as soon as it does.
///
/// # Errors
/// An archive that cannot be opened, an address that cannot be listened on.
pub fn run(arguments: &NodeArchive, json: bool) -> Result<Report, Failure> {
    let set_filter = arguments.logging.begin(arguments.access_log).map_err(Failure::Logging)?;
    let reloads = Reloads::default();
    reload::begin(set_filter, reloads.clone());
    let limits = Limits {
        connections: arguments.connections.get(),
        connections_per_address: arguments.connections_per_address.get(),
        ..Limits::default()
    };
    let chain = arguments.genesis.as_ref().map(|genesis| ChainOptions {
        nodes: arguments.rpc.clone(),
        genesis: genesis.clone(),
        content: arguments.content.clone(),
        from: arguments.from.clone(),
        retention: arguments.retention,
        retain_records: arguments.retain_records,
        snapshot: arguments.snapshot.clone(),
    });
    let opening_servers = arguments.opening_servers.as_deref().map(|list| AskedServers {
        servers: ServerList::of_argument(list),
        options: ReplicaOptions { compute: arguments.compute_openings, ..ReplicaOptions::default() },
    });
    let access = if chain.is_some() { Access::Write } else { Access::Read };
    let store = arguments.store.as_deref().map(|url| store_at(url, access)).transpose()?;
    let options = Options {
        directory: arguments.dir.clone().unwrap_or_default(),
        store,
        listen: arguments.listen,
        operations: arguments.operations,
        opening_bytes: bytes_of_mib(arguments.openings),
        warm: arguments.warm,
        limits,
        opening_servers,
        chain,
        reloads,
        keeper: None,
    };
    Ok(ended(serve(&options, |listening| unheard(say(&listening, json)))?))
}

/// `aardvark archive follow`
///
/// # Errors
/// As [`run`], and where there is no chain to follow.
pub fn follow(arguments: &NodeArchive, json: bool) -> Result<Report, Failure> {
    if arguments.rpc.is_empty() {
        let said = "archive follow follows a chain: give it --rpc and --genesis";
        return Err(Failure::Usage(said.to_owned()));
    }
    run(arguments, json)
}

/// `aardvark archive front`
///
/// # Errors
/// As [`run`], and where it would write, or there is no store that another process writes.
pub fn front(arguments: &NodeArchive, json: bool) -> Result<Report, Failure> {
    let said = match (&arguments.store, arguments.rpc.is_empty()) {
        (None, _) => "archive front reads what another process writes: give it --store",
        (Some(_), false) => "archive front follows a store and no chain: leave --rpc out, or say archive follow",
        (Some(_), true) => return run(arguments, json),
    };
    Err(Failure::Usage(said.to_owned()))
}

/// How the serving ended.
pub fn ended(serving: Serving) -> Report {
    let said = match serving {
        Serving::Finished => "all requests were answered",
        Serving::CutOff => "requests that took too long were cut off",
    };
    Report::done(Rows::new().row("ended", said).to_text(), json!({ "ended": said }))
}

/// Where it listens, on standard output.
pub fn say(Listening { public, operations }: &Listening, json: bool) -> std::io::Result<()> {
    let operations = operations.map(|address| address.to_string());
    if json {
        let mut said = json!({ "listening": public.to_string() });
        if let Some(address) = operations {
            said["operations"] = json!(address);
        }
        return print::json(&said.to_string());
    }
    let lines = Lines::default().and(format!("listening   http://{public}/"));
    match operations {
        Some(address) => lines.and(format!("operations  http://{address}/")).print(),
        None => lines.print(),
    }
}

/// An archive serves also where nobody reads what it prints.
pub fn unheard(_printed: std::io::Result<()>) {}
