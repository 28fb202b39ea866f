//! `aardvark node openings`

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use aardvark_archive::Archive;
use aardvark_node::archive::{Limits, OpeningsOptions, run_openings};
use aardvark_node::openings::ServerList;
use aardvark_node::reload::{Changeable, Reloads};
use clap::Args;

use crate::commands::node_archive::{ended, say, unheard};
use crate::configuration_arguments::Configuration;
use crate::failure::Failure;
use crate::logging::Logging;
use crate::mebibytes::bytes_of_mib;
use crate::object_storage::{Access, store_at};
use crate::reload::{self, Reloaded};
use crate::report::Report;

/// `aardvark node openings`
#[derive(Debug, Args)]
pub struct NodeOpenings {
    /// Folder of an archive that no process writes to. With --store a folder that is there, with
    /// what lies beside the store: the openings that `aardvark archive jobs start DIR openings
    /// --store URL` has stored, and the cache of the scheme's parameters.
    #[arg(long, value_name = "DIR", required_unless_present = "store")]
    pub dir: Option<PathBuf>,
    /// The store on object storage of an archive that another process writes, file:///FOLDER or
    /// s3://BUCKET/PREFIX, as `aardvark node archive --store` has it.
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// The name of this server, by which the list of servers gives it vectors.
    #[arg(long, value_name = "NAME")]
    pub server: String,
    /// All opening servers: NAME=URL between commas, or a file with one a line, which is read again
    /// on SIGHUP. All of them and all fronts have the same list.
    #[arg(long, value_name = "LIST")]
    pub servers: String,
    /// Address and port to listen on, for fronts; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
    pub listen: SocketAddr,
    /// Address and port for the operator: /metrics, /healthz, /readyz; nobody else should reach it.
    #[arg(long, value_name = "ADDRESS")]
    pub operations: Option<SocketAddr>,
    /// Most connections at a time.
    #[arg(long, value_name = "N", default_value = "1024")]
    pub connections: NonZeroUsize,
    /// Memory for openings that are kept up to date instead of computed anew, in MiB: 100 bytes a
    /// key that it owns, and as much again where all was written lately.
    #[arg(long, value_name = "MIB", default_value = "256")]
    pub openings: u32,
    /// Prepare the openings of all its vectors while it answers: up to a second of one core for
    /// each vector of 1,024 keys.
    #[arg(long)]
    pub warm: bool,
    /// Log each request that is answered.
    #[arg(long)]
    pub access_log: bool,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
    /// What else says all this.
    #[command(flatten)]
    pub configuration: Configuration,
}

impl NodeOpenings {
    /// What it takes anew while it runs.
    ///
    /// # Errors
    /// What cannot be taken, in words: also a list that does not have this server.
    pub fn reloaded(&self) -> Result<Reloaded, String> {
        let connections = self.connections.get();
        let servers = ServerList::of_argument(&self.servers).read_with(&self.server);
        let servers = Some(servers.map_err(|error| error.to_string())?);
        let changeable = Changeable { connections, connections_per_address: connections, servers };
        Ok(Reloaded { filter: self.logging.filter(self.access_log)?, changeable: Some(changeable) })
    }
}

/// Serves openings until the process is told to end. Says where it listens as soon as it does.
///
/// # Errors
/// An archive that cannot be opened, a list that is none or does not name this server, an address
/// that cannot be listened on.
pub fn run(arguments: &NodeOpenings, json: bool) -> Result<Report, Failure> {
    let set_filter = arguments.logging.begin(arguments.access_log).map_err(Failure::Logging)?;
    let reloads = Reloads::default();
    reload::begin(set_filter, reloads.clone());
    let connections = arguments.connections.get();
    let options = OpeningsOptions {
        name: arguments.server.clone(),
        servers: ServerList::of_argument(&arguments.servers),
        listen: arguments.listen,
        operations: arguments.operations,
        opening_bytes: bytes_of_mib(arguments.openings),
        warm: arguments.warm,
        reloads,
        // Fronts are few, and each has many connections.
        limits: Limits { connections, connections_per_address: connections, ..Limits::default() },
    };
    let archive = match (&arguments.store, &arguments.dir) {
        (Some(url), Some(beside)) => store_at(url, Access::Read)?.open_beside(beside)?,
        (Some(url), None) => store_at(url, Access::Read)?.open()?,
        (None, dir) => Archive::builder().open_read_only(dir.as_deref().unwrap_or(Path::new("")))?,
    };
    Ok(ended(run_openings(archive, &options, |listening| unheard(say(&listening, json)))?))
}
