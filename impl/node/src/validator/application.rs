//! The application's state, and what CometBFT asks of it once a block is decided: Info, InitChain, FinalizeBlock, Commit.
//!
//! The state in memory moves on in FinalizeBlock, the one on disk in Commit. Should CometBFT end between the two and come
//! back, what it asks next takes the state from disk again ([`Application::rewind`]), so that the block is replayed on what it was
//! decided on.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use aardvark_chain::content_file::content_path;
use aardvark_chain::{BlockLimits, ChainGenesis, ChainGenesisError, Notice, Policy};
use aardvark_commitment::Scheme;
use aardvark_dictionary::{
    AggregatedBlock, DictionaryId, Effects, Execution, Parameters, StateError, TransactionId, Validator, ValidatorState,
};
use prost::bytes::Bytes;
use tendermint_proto::v0_38::abci::{
    RequestFinalizeBlock, RequestInitChain, ResponseCommit, ResponseFinalizeBlock, ResponseInfo, ResponseInitChain,
};
use tendermint_proto::v0_38::types::{BlockParams, ConsensusParams, VersionParams};

use crate::fail_point;
use crate::validator::fatal::Fatal;
use crate::validator::judgement::{Refusal, judge};
use crate::validator::results;
use crate::validator::snapshots::{Restoring, Snapshots};
use crate::validator::store::{StateStore, Step};
use crate::validator::tails::Tails;
use crate::validator::waiting::Waiting;

/// The version of the application's rules, for CometBFT's headers.
const APP_VERSION: u64 = 1;

/// What a validator is started with.
#[derive(Clone, Debug)]
pub struct ValidatorOptions {
    /// Folder of the store and the snapshots.
    pub home: PathBuf,
    /// CometBFT's genesis.json.
    pub genesis: PathBuf,
    /// The file of the first content, where genesis.json has its digest; beside genesis.json where none is named.
    pub content: Option<PathBuf>,
    /// Archives to ask for tail vectors, in this order.
    pub archives: Vec<String>,
    /// A snapshot every so many blocks; 0: none.
    pub snapshot_interval: u64,
    /// Most bytes of tables that make committing faster; 0: none.
    pub table_bytes: usize,
}

/// Why a validator does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A file or folder.
    #[error("{path}: {source}")]
    File {
        /// Its path.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The genesis file.
    #[error("the genesis file: {0}")]
    Genesis(#[from] ChainGenesisError),
    /// The store.
    #[error(transparent)]
    Fatal(#[from] Fatal),
    /// An archive's address.
    #[error("an archive's address: {0}")]
    Archive(#[from] aardvark_client::rpc::http::HttpError),
}

/// What never changes while a chain lives.
pub(super) struct Rules {
    pub(super) chain_id: String,
    pub(super) policy: Policy,
    pub(super) block_limits: BlockLimits,
    pub(super) id: DictionaryId,
    pub(super) parameters: Parameters,
    /// Number of slots at version 0.
    pub(super) genesis_size: u64,
    scheme: Arc<Scheme>,
}

impl Rules {
    /// The validator of a state that may come from anywhere: whether it is the right one is its root's matter.
    pub(super) fn validator(&self, state: ValidatorState) -> Result<Validator, StateError> {
        Validator::from_state(self.parameters.clone(), self.id, Arc::clone(&self.scheme), state)
    }
}

/// A block that was found valid, kept from ProcessProposal to FinalizeBlock.
pub(super) struct Judged {
    /// CometBFT's hash of the block.
    pub(super) hash: Vec<u8>,
    pub(super) identities: Vec<(TransactionId, u64)>,
    pub(super) notices: Vec<Notice>,
    pub(super) execution: Execution,
}

/// A list that was proposed here, with its judgement: CometBFT asks for it next, as it asks everybody.
pub(super) struct Proposed {
    pub(super) height: u64,
    pub(super) txs: Vec<Bytes>,
    pub(super) judged: Judged,
}

/// A block that is applied in memory and not on disk.
struct Pending {
    step: Step,
    root: [u8; 32],
}

/// The ABCI application: one for all of CometBFT's connections.
pub struct Application {
    pub(super) rules: Rules,
    pub(super) tails: Tails,
    pub(super) snapshots: Snapshots,
    pub(super) restoring: Mutex<Option<Restoring>>,
    pub(super) judged: Mutex<Option<Judged>>,
    pub(super) proposed: Mutex<Option<Proposed>>,
    pub(super) waiting: Mutex<Waiting>,
    store: StateStore,
    state: RwLock<Validator>,
    pending: Mutex<Option<Pending>>,
}

impl Application {
    /// Opens the store, or begins at version 0.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn open(options: &ValidatorOptions) -> Result<Self, StartError> {
        let file = |path: &PathBuf| {
            let path = path.clone();
            move |source| StartError::File { path, source }
        };
        let genesis = std::fs::read(&options.genesis).map_err(file(&options.genesis))?;
        let (chain_id, genesis) = ChainGenesis::from_genesis_file(&genesis)?;
        std::fs::create_dir_all(&options.home).map_err(file(&options.home))?;
        let scheme = Arc::new(genesis.scheme(Some(&options.home.join("basis")), options.table_bytes)?);
        let rules = Rules {
            chain_id,
            policy: genesis.policy().clone(),
            block_limits: *genesis.block_limits(),
            id: genesis.genesis().dictionary_id(),
            parameters: genesis.genesis().parameters().clone(),
            genesis_size: u64::try_from(genesis.genesis().entries().len()).unwrap_or(u64::MAX).saturating_add(1),
            scheme,
        };
        let store = StateStore::open(&options.home.join("state.redb")).map_err(Fatal::from)?;
        let loaded = store.load(&rules.parameters, &rules.id, &rules.scheme).map_err(Fatal::from)?;
        let state = match loaded {
            Some(state) => state,
            None => {
                let genesis = genesis.complete(&content_path(&options.genesis, options.content.as_deref()))?;
                let state = genesis.validator(Arc::clone(&rules.scheme))?;
                store.write_whole(&state, state.root()).map_err(Fatal::from)?;
                state
            }
        };
        let folder = options.home.join("snapshots");
        let snapshots = Snapshots::open(folder.clone(), options.snapshot_interval).map_err(file(&folder))?;
        Ok(Self {
            waiting: Mutex::new(Waiting::new(rules.block_limits.max_gas)),
            rules,
            tails: Tails::start(&options.archives)?,
            snapshots,
            restoring: Mutex::new(None),
            judged: Mutex::new(None),
            proposed: Mutex::new(None),
            store,
            state: RwLock::new(state),
            pending: Mutex::new(None),
        })
    }

    /// The latest version in memory, for those who start the process.
    pub fn version(&self) -> u64 {
        self.state().version()
    }

    /// The chain's name.
    pub fn chain_id(&self) -> &str {
        &self.rules.chain_id
    }

    /// The state as it is now, for reading.
    pub(super) fn state(&self) -> RwLockReadGuard<'_, Validator> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, Validator> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Info: the last height that is on disk. CometBFT replays what comes after. Changes nothing: anyone who reaches a node's RPC asks
    /// it at any time (`/abci_info`), also between FinalizeBlock and Commit.
    pub(super) fn info(&self) -> Result<ResponseInfo, Fatal> {
        let head = self.store.head(&self.rules.id)?.ok_or(Fatal::NothingToCommit)?;
        let root = if head.version == 0 { Vec::new() } else { head.root.to_vec() };
        Ok(ResponseInfo {
            data: "aardvark".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            app_version: APP_VERSION,
            last_block_height: i64::try_from(head.version).unwrap_or(i64::MAX),
            last_block_app_hash: root.into(),
        })
    }

    /// Takes the state from disk again where a block was finalized and CometBFT, instead of its Commit, asks what comes before a
    /// block: it ended between the two and has come back.
    pub(super) fn rewind(&self) -> Result<(), Fatal> {
        if lock(&self.pending).take().is_some() {
            *lock(&self.judged) = None;
            *lock(&self.proposed) = None;
            let stored = self.store.load(&self.rules.parameters, &self.rules.id, &self.rules.scheme)?;
            *self.state_mut() = stored.ok_or(Fatal::NothingToCommit)?;
        }
        Ok(())
    }

    /// InitChain: CometBFT must begin the chain that the genesis file here describes.
    pub(super) fn init_chain(&self, request: &RequestInitChain) -> Result<ResponseInitChain, Fatal> {
        self.rewind()?;
        if request.initial_height > 1 {
            return Err(Fatal::OtherChain("its first height is not 1"));
        }
        if request.chain_id != self.rules.chain_id {
            return Err(Fatal::OtherChain("its name differs"));
        }
        let genesis = ChainGenesis::from_app_state(&request.chain_id, &request.app_state_bytes)?;
        let Rules { id, policy, block_limits, .. } = &self.rules;
        if genesis.genesis().dictionary_id() != *id
            || genesis.policy() != policy
            || genesis.block_limits() != block_limits
        {
            return Err(Fatal::OtherChain("its app_state differs"));
        }
        let app_hash = self.state().root().to_vec().into();
        // CometBFT takes the version of its first header from Info, and that of the state after `cometbft rollback` from these.
        let version = Some(VersionParams { app: APP_VERSION });
        // What CometBFT reaps for a proposal is bounded by both; ours were checked to fit.
        let number = |limit: u64| i64::try_from(limit).unwrap_or(i64::MAX);
        let block =
            Some(BlockParams { max_bytes: number(block_limits.max_bytes), max_gas: number(block_limits.max_gas) });
        let consensus_params = Some(ConsensusParams { block, version, ..ConsensusParams::default() });
        Ok(ResponseInitChain { consensus_params, validators: Vec::new(), app_hash })
    }

    /// FinalizeBlock: total. A block that breaks the rules is applied as one without transactions.
    pub(super) fn finalize_block(&self, request: &RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, Fatal> {
        self.rewind()?;
        let height = self.next_height(request.height)?;
        fail_point::pass("before-finalize", height);
        *lock(&self.proposed) = None;
        let known = lock(&self.judged).take().filter(|judged| !judged.hash.is_empty() && judged.hash == request.hash);
        let judged = match known {
            Some(judged) => Ok(judged),
            None => judge(&self.state(), &self.rules, height, &request.txs, &request.hash),
        };
        let (judged, tx_results) = match judged {
            Ok(judged) => {
                let results = results::applied(&judged.notices, request.txs.len());
                (judged, results)
            }
            Err(refusal) => {
                tracing::error!(height, %refusal, "a block was decided that breaks the rules: applied as empty");
                (self.empty(height)?, results::refused(&refusal, request.txs.len()))
            }
        };
        let root = self.apply(judged)?;
        fail_point::pass("after-finalize", height);
        let app_hash = root.to_vec().into();
        Ok(ResponseFinalizeBlock { tx_results, app_hash, ..ResponseFinalizeBlock::default() })
    }

    /// Commit: what FinalizeBlock did goes to disk, whole, before CometBFT hears of it.
    pub(super) fn commit(&self) -> Result<ResponseCommit, Fatal> {
        let Pending { step, root } = lock(&self.pending).take().ok_or(Fatal::NothingToCommit)?;
        let height = step.applied.version;
        fail_point::pass("before-commit", height);
        let state = self.state();
        self.store.write_step(&state, &step, root)?;
        fail_point::pass("after-commit", height);
        self.snapshots.take_if_due(&state)?;
        fail_point::pass("after-snapshot", height);
        self.tails.follow(&state);
        lock(&self.waiting).begin(height);
        tracing::debug!(height, root = %hex::encode(root), writes = step.applied.writes.len(), "committed");
        Ok(ResponseCommit { retain_height: 0 })
    }

    /// Takes over a state that a snapshot brought and a root certifies.
    pub(super) fn restore(&self, validator: Validator) -> Result<(), Fatal> {
        self.store.write_whole(&validator, validator.root())?;
        *self.state_mut() = validator;
        Ok(())
    }

    /// The height that follows, where it is the one that was decided.
    fn next_height(&self, found: i64) -> Result<u64, Fatal> {
        let expected = self.state().version() + 1;
        match u64::try_from(found) {
            Ok(height) if height == expected => Ok(height),
            _ => Err(Fatal::Height { expected, found }),
        }
    }

    fn empty(&self, height: u64) -> Result<Judged, Fatal> {
        let mut block = AggregatedBlock::default();
        block.block.version = height;
        let execution = self.state().execute_aggregated(&block)?;
        Ok(Judged { hash: Vec::new(), identities: Vec::new(), notices: Vec::new(), execution })
    }

    fn apply(&self, judged: Judged) -> Result<[u8; 32], Fatal> {
        let mut state = self.state_mut();
        let previous_tail_start = state.tail().start();
        let expected = state.version() + 1;
        let applied: Option<Effects> = state.apply_executed(judged.execution);
        let applied = applied.ok_or(Fatal::Height { expected, found: -1 })?;
        let root = state.root();
        drop(state);
        let step = Step { applied, identities: judged.identities, previous_tail_start };
        *lock(&self.pending) = Some(Pending { step, root });
        Ok(root)
    }
}

/// Whoever panicked with the lock ends the process; what it guards is never looked at half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reason.fmt(formatter)
    }
}
