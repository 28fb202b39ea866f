//! The ABCI application: its state, what CometBFT asks of it once a block is decided (Info,
//! InitChain, FinalizeBlock, Commit), and who answers the rest.
//!
//! The state in memory moves on in FinalizeBlock, the one on disk in Commit. Should CometBFT end
//! between the two and come back, what it asks next takes the state from disk again
//! ([`Application::rewind`]), so that the block is replayed on what it was decided on.

mod undecided;

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use aardvark_algebra::integers::i64_or_max;
use aardvark_chain::content_file::content_path;
use aardvark_chain::validator_change::app_hash;
use aardvark_chain::{ChainGenesis, ChainGenesisError, ValidatorSet};
use aardvark_dictionary::{AggregatedBlock, Effects, Validator};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestFinalizeBlock, RequestInitChain, RequestLoadSnapshotChunk, RequestOfferSnapshot,
    ResponseApplySnapshotChunk, ResponseCommit, ResponseFinalizeBlock, ResponseInfo, ResponseInitChain,
    ResponseListSnapshots, ResponseLoadSnapshotChunk, ResponseOfferSnapshot, ResponseQuery,
    response_offer_snapshot::Result as Offered,
};
use tendermint_proto::v0_38::types::{BlockParams, ConsensusParams, VersionParams};

use crate::fail_point;
use crate::validator::chain::Chain;
use crate::validator::fatal::Fatal;
use crate::validator::judgement::{ExecutedBlock, judge};
use crate::validator::lock::lock;
use crate::validator::mempool::Mempool;
use crate::validator::metrics::Metrics;
use crate::validator::options::{StartError, ValidatorOptions};
use crate::validator::proposing::Proposed;
use crate::validator::pruning::Pruning;
use crate::validator::results;
use crate::validator::snapshots::Snapshots;
use crate::validator::state_sync::{Restored, StateSync};
use crate::validator::store::{BlockEffects, StateStore};
use crate::validator::tails::Tails;
use crate::validator::upgrades::Upgrades;
use crate::validator::{validator_sets, written};

/// What Query is asked for the validators by.
const VALIDATORS_PATH: &str = "/validators";

/// A block that is applied in memory and not on disk.
struct Uncommitted {
    block: BlockEffects,
    root: [u8; 32],
}

/// The ABCI application: one for all of CometBFT's connections.
pub struct Application {
    chain: Chain,
    tails: Tails,
    snapshots: Snapshots,
    pruning: Pruning,
    state_sync: StateSync,
    pub(super) mempool: Mempool,
    pub(super) metrics: Metrics,
    executed: Mutex<Option<ExecutedBlock>>,
    proposed: Mutex<Option<Proposed>>,
    halt_height: Option<u64>,
    upgrades: Arc<Upgrades>,
    store: StateStore,
    state: RwLock<Validator>,
    /// The validators after the state's block, on a chain with a council.
    validators: Mutex<Option<ValidatorSet>>,
    uncommitted: Mutex<Option<Uncommitted>>,
}

impl Application {
    /// Opens the store, or begins at version 0.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn open(options: &ValidatorOptions) -> Result<Self, StartError> {
        let genesis = std::fs::read(&options.genesis).map_err(StartError::of(&options.genesis))?;
        let pruning = Pruning::new(options.retain_blocks, &genesis);
        let file = genesis;
        let (id, genesis) = ChainGenesis::from_genesis_file(&file)?;
        std::fs::create_dir_all(&options.home).map_err(StartError::of(&options.home))?;
        let chain = Chain::of_genesis(id, &genesis, &options.home.join("basis"), options.table_bytes)?;
        let store = StateStore::open(&options.store()).map_err(Fatal::from)?;
        let head = store.head(&chain.dictionary).map_err(Fatal::from)?;
        let (held, version) = head.map_or((Vec::new(), 0), |head| (head.upgrades, head.version));
        let upgrades = Arc::new(Upgrades::agreed(&options.upgrades, &held, version)?);
        let loaded = store.load(&chain.parameters, &chain.dictionary, &chain.scheme).map_err(Fatal::from)?;
        let (state, validators) = match loaded {
            Some(state) => (state, store.validators().map_err(Fatal::from)?),
            None => {
                let genesis = genesis.complete(&content_path(&options.genesis, options.content.as_deref()))?;
                let state = genesis.validator(Arc::clone(&chain.scheme))?;
                let validators = validator_sets::of_genesis(chain.council.as_ref(), &file);
                let validators = validators.map_err(ChainGenesisError::Validators)?;
                store.write_whole(&state, state.root(), &upgrades, validators.as_ref()).map_err(Fatal::from)?;
                (state, validators)
            }
        };
        if let Some(wanted) = options.halt_height.filter(|wanted| state.version() > *wanted) {
            return Err(StartError::PastHalt { held: state.version(), wanted });
        }
        let metrics = Metrics::default();
        metrics.committed(written::read(&store.database).map_err(Fatal::from)?.unwrap_or_default());
        let folder = options.snapshots();
        let snapshots = Snapshots::open(folder.clone(), options.snapshot_interval, Arc::clone(&upgrades));
        let snapshots = snapshots.map_err(StartError::of(&folder))?;
        Ok(Self {
            mempool: Mempool::of(&chain),
            metrics,
            chain,
            tails: Tails::start(&options.archives)?,
            snapshots,
            pruning,
            state_sync: StateSync::new(folder, Arc::clone(&upgrades)),
            executed: Mutex::new(None),
            proposed: Mutex::new(None),
            halt_height: options.halt_height,
            upgrades,
            store,
            state: RwLock::new(state),
            validators: Mutex::new(validators),
            uncommitted: Mutex::new(None),
        })
    }

    /// The latest version in memory, for those who start the process.
    pub fn version(&self) -> u64 {
        self.state().version()
    }

    /// The height at which the validator has halted: it commits none after this.
    pub fn halted(&self) -> Option<u64> {
        // A block that is not on disk may be taken back.
        let is_committed = lock(&self.uncommitted).is_none();
        self.halt_height.filter(|height| is_committed && self.version() >= *height)
    }

    /// The heights at which the chain goes over to newer app versions.
    pub(super) fn upgrades(&self) -> &Upgrades {
        &self.upgrades
    }

    /// The last height that the validator is to commit.
    pub(super) fn halt_height(&self) -> Option<u64> {
        self.halt_height
    }

    /// The chain's name.
    pub fn chain_id(&self) -> &str {
        &self.chain.id
    }

    /// The validators after the last block in memory; `None` on a chain without a council.
    pub(super) fn validators(&self) -> Option<ValidatorSet> {
        lock(&self.validators).clone()
    }

    /// The state as it is now, for reading.
    pub(super) fn state(&self) -> RwLockReadGuard<'_, Validator> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, Validator> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Info: the last height that is on disk. CometBFT replays what comes after. Changes nothing:
    /// anyone who reaches a node's RPC asks it at any time (`/abci_info`), also between
    /// FinalizeBlock and Commit.
    pub(super) fn info(&self) -> Result<ResponseInfo, Fatal> {
        let head = self.store.head(&self.chain.dictionary)?.ok_or(Fatal::NothingToCommit)?;
        let validators = self.store.validators()?;
        let root = if head.version == 0 { Vec::new() } else { self.app_hash(head.root, validators.as_ref()) };
        Ok(ResponseInfo {
            data: "aardvark".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            app_version: self.upgrades.version_at(head.version + 1),
            last_block_height: i64_or_max(head.version),
            last_block_app_hash: root.into(),
        })
    }

    /// Asked what comes before a block: whether there may be another one. Where a block was
    /// finalized and CometBFT asks this instead of its Commit, it ended between the two and has
    /// come back, and the state is taken from disk again.
    pub(super) fn rewind(&self) -> Result<(), Fatal> {
        if lock(&self.uncommitted).take().is_some() {
            *lock(&self.executed) = None;
            *lock(&self.proposed) = None;
            let Chain { parameters, dictionary, scheme, .. } = &self.chain;
            let stored = self.store.load(parameters, dictionary, scheme)?;
            *self.state_mut() = stored.ok_or(Fatal::NothingToCommit)?;
            *lock(&self.validators) = self.store.validators()?;
        }
        self.halted().map_or(Ok(()), |height| Err(Fatal::Halted(height)))
    }

    /// InitChain: CometBFT must begin the chain that the genesis file here describes.
    pub(super) fn init_chain(&self, request: &RequestInitChain) -> Result<ResponseInitChain, Fatal> {
        self.rewind()?;
        if request.initial_height > 1 {
            return Err(Fatal::OtherChain("its first height is not 1"));
        }
        if request.chain_id != self.chain.id {
            return Err(Fatal::OtherChain("its name differs"));
        }
        let genesis = ChainGenesis::from_app_state(&request.chain_id, &request.app_state_bytes)?;
        if !self.chain.is_of(&genesis) {
            return Err(Fatal::OtherChain("its app_state differs"));
        }
        let begins_with = validator_sets::powers_of(&request.validators);
        if lock(&self.validators).as_ref().is_some_and(|set| Some(set.powers()) != begins_with.as_ref()) {
            return Err(Fatal::OtherChain("its validators differ"));
        }
        let app_hash = self.app_hash(self.state().root(), lock(&self.validators).as_ref()).into();
        // CometBFT takes the version of its first header from Info, and that of the state after
        // `cometbft rollback` from these.
        let version = Some(VersionParams { app: self.upgrades.version_at(1) });
        // What CometBFT reaps for a proposal is bounded by both; ours were checked to fit.
        let limits = &self.chain.block_limits;
        let block = Some(BlockParams { max_bytes: i64_or_max(limits.max_bytes), max_gas: i64_or_max(limits.max_gas) });
        let consensus_params = Some(ConsensusParams { block, version, ..ConsensusParams::default() });
        Ok(ResponseInitChain { consensus_params, validators: Vec::new(), app_hash })
    }

    /// The app hash of a state with this root and these validators after it.
    fn app_hash(&self, root: [u8; 32], validators: Option<&ValidatorSet>) -> Vec<u8> {
        app_hash(root, self.chain.council.as_ref().zip(validators))
    }

    /// FinalizeBlock: total. A block that breaks the rules is applied as one without transactions.
    pub(super) fn finalize_block(&self, request: &RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, Fatal> {
        self.rewind()?;
        let height = self.next_height(request.height)?;
        fail_point::pass("before-finalize", height);
        *lock(&self.proposed) = None;
        let known =
            lock(&self.executed).take().filter(|executed| !executed.hash.is_empty() && executed.hash == request.hash);
        let before = self.validators();
        let decided = validator_sets::decide(&self.chain, before.as_ref(), &request.misbehavior, &request.txs, height);
        let rest = decided.rest;
        let executed = match known {
            Some(executed) => Ok(executed),
            None => judge(&self.state(), &self.chain, height, rest, &request.hash),
        };
        let keeps_rules = executed.is_ok();
        let (executed, results) = match executed {
            Ok(executed) => {
                let version = self.upgrades.version_at(height);
                let results = results::applied(&executed, rest.len(), version);
                (executed, results)
            }
            Err(refusal) => {
                tracing::error!(height, %refusal, "a block was decided that breaks the rules: applied as empty");
                (self.empty(height)?, results::refused(&refusal, rest.len()))
            }
        };
        let tx_results: Vec<_> = decided.result().into_iter().chain(results).collect();
        let validator_updates = validator_sets::updates(before.as_ref(), decided.set.as_ref());
        let root = self.apply(executed)?;
        let app_hash = self.app_hash(root, decided.set.as_ref()).into();
        *lock(&self.validators) = decided.set;
        self.metrics.decided(&tx_results, keeps_rules);
        fail_point::pass("after-finalize", height);
        let consensus_param_updates = self.upgrades.announced_at(height).map(|app| {
            tracing::info!(height, app_version = app, "announced the app version of the blocks after this one");
            ConsensusParams { version: Some(VersionParams { app }), ..ConsensusParams::default() }
        });
        Ok(ResponseFinalizeBlock {
            tx_results,
            app_hash,
            consensus_param_updates,
            validator_updates,
            ..ResponseFinalizeBlock::default()
        })
    }

    /// Commit: what FinalizeBlock did goes to disk, whole, before CometBFT hears of it.
    pub(super) fn commit(&self) -> Result<ResponseCommit, Fatal> {
        let Uncommitted { block, root } = lock(&self.uncommitted).take().ok_or(Fatal::NothingToCommit)?;
        let height = block.effects.version;
        fail_point::pass("before-commit", height);
        let state = self.state();
        let validators = self.validators();
        self.store.write_block(&state, &block, root, &self.upgrades, validators.as_ref())?;
        self.metrics.committed(written::now());
        fail_point::pass("after-commit", height);
        self.snapshots.take_if_due(&state, validators.as_ref())?;
        fail_point::pass("after-snapshot", height);
        self.tails.follow(&state);
        self.mempool.begin(height);
        tracing::debug!(height, root = %hex::encode(root), writes = block.effects.writes.len(), "committed");
        let retained = self.pruning.retain_height(height, self.snapshots.oldest());
        Ok(ResponseCommit { retain_height: i64_or_max(retained) })
    }

    /// Query: the validators after the last block in memory, by the path `/validators`; there is no
    /// data to answer anything else from.
    pub(super) fn query(&self, path: &str) -> ResponseQuery {
        let refused = |log: &str| ResponseQuery { code: 1, log: log.to_owned(), ..ResponseQuery::default() };
        match self.validators().map(|set| set.encode()) {
            Some(value) if path == VALIDATORS_PATH => ResponseQuery { value: value.into(), ..ResponseQuery::default() },
            None if path == VALIDATORS_PATH => refused("the chain has no council: its validators are those of genesis"),
            _ => refused("a validator has no data: ask an archive"),
        }
    }

    /// ListSnapshots.
    pub(super) fn list_snapshots(&self) -> ResponseListSnapshots {
        ResponseListSnapshots { snapshots: self.snapshots.list() }
    }

    /// LoadSnapshotChunk.
    pub(super) fn load_snapshot_chunk(&self, request: &RequestLoadSnapshotChunk) -> ResponseLoadSnapshotChunk {
        let chunk = self.snapshots.chunk(request.height, request.format, request.chunk);
        ResponseLoadSnapshotChunk { chunk: chunk.into() }
    }

    /// OfferSnapshot: none after the last height that is to be committed.
    pub(super) fn offer_snapshot(&self, request: RequestOfferSnapshot) -> Result<ResponseOfferSnapshot, Fatal> {
        let height = request.snapshot.as_ref().map_or(0, |snapshot| snapshot.height);
        if self.halt_height.is_some_and(|last| height > last) {
            return Ok(ResponseOfferSnapshot { result: Offered::Reject.into() });
        }
        self.state_sync.offer(&self.chain, request)
    }

    /// ApplySnapshotChunk; after the last one the state of the snapshot is this application's.
    pub(super) fn apply_snapshot_chunk(
        &self,
        request: RequestApplySnapshotChunk,
    ) -> Result<ResponseApplySnapshotChunk, Fatal> {
        let (answer, restored) = self.state_sync.apply_chunk(&self.chain, request)?;
        if let Some(restored) = restored {
            let height = restored.validator.version();
            self.restore(restored)?;
            tracing::info!(height, "restored a snapshot");
        }
        Ok(answer)
    }

    /// Takes over a state that a snapshot brought and a root certifies.
    fn restore(&self, restored: Restored) -> Result<(), Fatal> {
        let Restored { validator, validators } = restored;
        self.store.write_whole(&validator, validator.root(), &self.upgrades, validators.as_ref())?;
        *self.state_mut() = validator;
        *lock(&self.validators) = validators;
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

    fn empty(&self, height: u64) -> Result<ExecutedBlock, Fatal> {
        let mut block = AggregatedBlock::default();
        block.block.version = height;
        let execution = self.state().execute_aggregated(&block)?;
        Ok(ExecutedBlock { hash: Vec::new(), identities: Vec::new(), notices: Vec::new(), work: Vec::new(), execution })
    }

    fn apply(&self, executed: ExecutedBlock) -> Result<[u8; 32], Fatal> {
        let mut state = self.state_mut();
        let previous_tail_start = state.tail().start();
        let expected = state.version() + 1;
        let effects: Option<Effects> = state.apply_executed(executed.execution);
        let effects = effects.ok_or(Fatal::Height { expected, found: -1 })?;
        let root = state.root();
        drop(state);
        let block = BlockEffects { effects, identities: executed.identities, previous_tail_start };
        *lock(&self.uncommitted) = Some(Uncommitted { block, root });
        Ok(root)
    }
}
