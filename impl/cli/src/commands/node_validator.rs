//! `aardvark node validator`

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use aardvark_node::reload::Reloads;
use aardvark_node::validator::{Address, Application, Upgrade, ValidatorOptions, roll_back, serve};
use clap::Args;

use crate::configuration_arguments::Configuration;
use crate::failure::Failure;
use crate::logging::Logging;
use crate::mebibytes::bytes_of_mib;
use crate::print::Lines;
use crate::reload::{self, Reloaded};
use crate::report::Report;

/// `aardvark node validator`
#[derive(Debug, Args)]
pub struct NodeValidator {
    /// Folder of the validator's state, made where it is not there.
    #[arg(long, value_name = "DIR")]
    pub home: PathBuf,
    /// CometBFT's genesis.json, with the chain's app_state.
    #[arg(long, value_name = "FILE")]
    pub genesis: PathBuf,
    /// The file of the first content, where genesis.json has its digest; by default
    /// genesis-content.bin beside it.
    #[arg(long, value_name = "FILE")]
    pub content: Option<PathBuf>,
    /// Where CometBFT finds the validator (its `proxy_app`): tcp://host:port, or unix:///path.
    #[arg(long, value_name = "ADDRESS", default_value = "tcp://127.0.0.1:26658")]
    pub listen: Address,
    /// Address and port for the operator: /metrics, /healthz, /readyz; nobody else should reach it.
    #[arg(long, value_name = "ADDRESS")]
    pub operations: Option<SocketAddr>,
    /// An archive, http://host:port, that gives the tail vectors that deletes can need; several are
    /// asked in turn.
    #[arg(long = "archive", value_name = "URL")]
    pub archives: Vec<String>,
    /// Blocks between two state-sync snapshots; 0: none.
    #[arg(long, value_name = "BLOCKS", default_value_t = 100)]
    pub snapshot_interval: u64,
    /// Have CometBFT delete blocks further back than so many, but for those that evidence of
    /// misbehaviour may be about or that follow the oldest snapshot; 0: all stay.
    #[arg(long, value_name = "BLOCKS", default_value_t = 0)]
    pub retain_blocks: u64,
    /// Memory for tables that make commitments faster to update, in MiB; 0: none.
    #[arg(long, value_name = "MIB", default_value_t = 0)]
    pub tables: u32,
    /// Commit this height and end, with exit code 0: no block after it is proposed, voted for or
    /// applied. For an upgrade that all validators make at one height.
    #[arg(long, value_name = "HEIGHT", value_parser = clap::value_parser!(u64).range(1..))]
    pub halt_height: Option<u64>,
    /// Go over to an app version: this height announces it, and the next one is the first under its
    /// rules. The same on all validators, and for who joins; before the height it may be given at
    /// any time, and after it stays. Several for several versions, in order.
    #[arg(long, value_name = "VERSION=HEIGHT")]
    pub upgrade_at: Vec<Upgrade>,
    /// Go back to this height and end, as `cometbft rollback` did with CometBFT's state and
    /// printed; neither may run. Goes back one block at most, and does nothing where the validator
    /// is not above it.
    #[arg(long, value_name = "HEIGHT")]
    pub rollback: Option<u64>,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
    /// What else says all this.
    #[command(flatten)]
    pub configuration: Configuration,
}

impl NodeValidator {
    /// What it takes anew while it runs.
    ///
    /// # Errors
    /// What cannot be taken, in words.
    pub fn reloaded(&self) -> Result<Reloaded, String> {
        Ok(Reloaded { filter: self.logging.filter(false)?, changeable: None })
    }
}

/// Runs the ABCI application of one validator until the process is told to end, or has come to the
/// height that it is to halt at.
///
/// # Errors
/// A genesis file or a state that cannot be used, an address that cannot be listened at, and what a
/// validator cannot go on after.
pub fn run(arguments: &NodeValidator) -> Result<Report, Failure> {
    let set_filter = arguments.logging.begin(false).map_err(Failure::Logging)?;
    reload::begin(set_filter, Reloads::default());
    let options = ValidatorOptions {
        home: arguments.home.clone(),
        genesis: arguments.genesis.clone(),
        content: arguments.content.clone(),
        archives: arguments.archives.clone(),
        snapshot_interval: arguments.snapshot_interval,
        retain_blocks: arguments.retain_blocks,
        table_bytes: bytes_of_mib(arguments.tables),
        halt_height: arguments.halt_height,
        upgrades: arguments.upgrade_at.clone(),
    };
    if let Some(height) = arguments.rollback {
        let height = roll_back(&options, height)?;
        let json = serde_json::json!({ "height": height });
        return Ok(Report::done(Lines::default().and(format!("the validator is at height {height}")), json));
    }
    let application = Arc::new(Application::open(&options)?);
    if let Some(address) = arguments.operations {
        let listening = |source| Failure::Operations { address, source };
        let address = application.tell(address).map_err(listening)?;
        tracing::info!(operations = %address, "telling the operator");
    }
    tracing::info!(chain = application.chain_id(), version = application.version(), "waiting for CometBFT");
    let height = serve(&application, &arguments.listen)?;
    let json = serde_json::json!({ "halted": height });
    Ok(Report::done(Lines::default().and(format!("the validator halted at height {height}")), json))
}
