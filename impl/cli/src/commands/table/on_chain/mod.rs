//! Tables of a chain: DIR is the folder of the vault, and a key signs what is put.

pub mod import;
pub mod ledger;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aardvark_archive::StoreError;
use aardvark_client::light::{LightOptions, TrustPoint};
use aardvark_tables::chain::ChainStep;
use aardvark_tables::vault::VaultError;
use aardvark_tables::{ChainKeeper, TablesError};
use clap::Args;

use self::ledger::ChainLedger;
use crate::commands::client::args::Network;
use crate::failure::Failure;
use crate::progress::Bar;

/// How long to wait for a vault that a keeper has open for an answer.
const VAULT: Duration = Duration::from_secs(20);
/// How long between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// Where the table is one of a chain.
#[derive(Debug, Args)]
pub struct OnChain {
    /// A key's file that signs, as `client keygen` makes it: the table is one of a chain then, and
    /// DIR the folder of its vault.
    #[arg(long = "signer", value_name = "FILE", requires = "chain_nodes", requires = "chain_archives")]
    pub signers: Vec<PathBuf>,
    /// With --signer: RPC of a node of CometBFT; several are asked in turn.
    #[arg(long = "rpc", id = "chain_nodes", value_name = "URL", requires = "signers")]
    pub nodes: Vec<String>,
    /// With --signer: an archive of the chain; several are asked in turn.
    #[arg(long = "archive", id = "chain_archives", value_name = "URL", requires = "signers")]
    pub archives: Vec<String>,
    /// With --signer: the chain's genesis.json, from somebody you trust; else a node is asked.
    #[arg(long, value_name = "FILE", requires = "signers")]
    pub genesis: Option<PathBuf>,
    /// With --signer: a header that you trust: what archives say is proved from it then, and not
    /// left to validators.
    #[arg(long, value_name = "HEIGHT:HASH", requires = "signers")]
    pub trust: Option<TrustPoint>,
    /// With --trust: RPC of another node, with which headers are compared.
    #[arg(long = "witness", id = "chain_witnesses", value_name = "URL", requires = "trust")]
    pub witnesses: Vec<String>,
    /// With --trust: compare headers with nobody: a fork then stays unseen.
    #[arg(long, conflicts_with = "chain_witnesses", requires = "trust")]
    pub without_witness: bool,
    /// With --signer: for how many versions a transaction is good, if fewer than the window.
    #[arg(long, value_name = "N", requires = "signers")]
    pub versions: Option<u64>,
    /// With --signer: how long to wait for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub timeout: u64,
}

impl OnChain {
    /// Whether the table is one of a chain.
    pub fn is_meant(&self) -> bool {
        !self.signers.is_empty()
    }

    /// The keeper of the chain's tables whose vault is in a folder, and the chain.
    ///
    /// # Errors
    /// Nobody who says what the chain is, a key that cannot be read, a vault that cannot be opened.
    pub fn open(&self, dir: &Path) -> Result<(ChainKeeper, ChainLedger), Failure> {
        let ledger = ChainLedger::open(self.network(), &self.signers, self.versions)?;
        let begun = Instant::now();
        loop {
            match ChainKeeper::open(dir, ledger.dictionary(), ledger.parameters()?) {
                Err(TablesError::Vault(VaultError::Store(StoreError::InUse))) if begun.elapsed() < VAULT => {
                    std::thread::sleep(PAUSE);
                }
                opened => return Ok((opened?, ledger)),
            }
        }
    }

    fn network(&self) -> Network {
        let options = LightOptions::default();
        Network {
            nodes: self.nodes.clone(),
            archives: self.archives.clone(),
            witnesses: self.witnesses.clone(),
            without_witness: self.without_witness,
            trust: self.trust,
            state: None,
            genesis: self.genesis.clone(),
            max_age: options.max_age.as_secs(),
            trusting_period: options.trusting_period.as_secs(),
            clock_drift: options.clock_drift.as_secs(),
            timeout: self.timeout,
            server_time: options.server_time.as_secs(),
        }
    }
}

/// Shows how far a write to a chain is.
pub fn show(bar: &Bar, step: ChainStep) {
    match step {
        ChainStep::Read(_) => {}
        ChainStep::Certified(done, total) | ChainStep::Applied(done, total) => bar.count(done, total),
    }
}
