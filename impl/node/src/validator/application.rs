//! The ABCI application: its state, what CometBFT asks of it once a block is decided (Info,
//! InitChain, FinalizeBlock, Commit), and who answers the rest.
//!
//! The state in memory moves on in FinalizeBlock, the one on disk in Commit. Should CometBFT end
//! between the two and come back, what it asks next takes the state from disk again
//! ([`Application::rewind`]), so that the block is replayed on what it was decided on.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use aardvark_algebra::integers::i64_or_max;
use aardvark_chain::ChainGenesis;
use aardvark_chain::content_file::content_path;
use aardvark_dictionary::{AggregatedBlock, Effects, Validator};
use tendermint_proto::v0_38::abci::{
    RequestApplySnapshotChunk, RequestCheckTx, RequestFinalizeBlock, RequestInitChain, RequestLoadSnapshotChunk,
    RequestOfferSnapshot, RequestPrepareProposal, RequestProcessProposal, ResponseApplySnapshotChunk, ResponseCheckTx,
    ResponseCommit, ResponseFinalizeBlock, ResponseInfo, ResponseInitChain, ResponseListSnapshots,
    ResponseLoadSnapshotChunk, ResponseOfferSnapshot, ResponsePrepareProposal, ResponseProcessProposal,
    response_offer_snapshot::Result as Offered, response_process_proposal::ProposalStatus,
};
use tendermint_proto::v0_38::types::{BlockParams, ConsensusParams, VersionParams};

use crate::fail_point;
use crate::validator::chain::Chain;
use crate::validator::fatal::Fatal;
use crate::validator::judgement::{ExecutedBlock, judge};
use crate::validator::lock::lock;
use crate::validator::mempool::{Mempool, batches};
use crate::validator::metrics::Metrics;
use crate::validator::options::{StartError, ValidatorOptions};
use crate::validator::proposing::{Proposed, Proposer};
use crate::validator::pruning::Pruning;
use crate::validator::results;
use crate::validator::snapshots::Snapshots;
use crate::validator::state_sync::StateSync;
use crate::validator::store::{BlockEffects, StateStore};
use crate::validator::tails::Tails;
use crate::validator::upgrades::Upgrades;

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
        let (id, genesis) = ChainGenesis::from_genesis_file(&genesis)?;
        std::fs::create_dir_all(&options.home).map_err(StartError::of(&options.home))?;
        let chain = Chain::of_genesis(id, &genesis, &options.home.join("basis"), options.table_bytes)?;
        let store = StateStore::open(&options.store()).map_err(Fatal::from)?;
        let head = store.head(&chain.dictionary).map_err(Fatal::from)?;
        let (held, version) = head.map_or((Vec::new(), 0), |head| (head.upgrades, head.version));
        let upgrades = Arc::new(Upgrades::agreed(&options.upgrades, &held, version)?);
        let loaded = store.load(&chain.parameters, &chain.dictionary, &chain.scheme).map_err(Fatal::from)?;
        let state = match loaded {
            Some(state) => state,
            None => {
                let genesis = genesis.complete(&content_path(&options.genesis, options.content.as_deref()))?;
                let state = genesis.validator(Arc::clone(&chain.scheme))?;
                store.write_whole(&state, state.root(), &upgrades).map_err(Fatal::from)?;
                state
            }
        };
        if let Some(wanted) = options.halt_height.filter(|wanted| state.version() > *wanted) {
            return Err(StartError::PastHalt { held: state.version(), wanted });
        }
        let folder = options.snapshots();
        let snapshots = Snapshots::open(folder.clone(), options.snapshot_interval, Arc::clone(&upgrades));
        let snapshots = snapshots.map_err(StartError::of(&folder))?;
        Ok(Self {
            mempool: Mempool::of(&chain),
            metrics: Metrics::default(),
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
        let root = if head.version == 0 { Vec::new() } else { head.root.to_vec() };
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
        let app_hash = self.state().root().to_vec().into();
        // CometBFT takes the version of its first header from Info, and that of the state after
        // `cometbft rollback` from these.
        let version = Some(VersionParams { app: self.upgrades.version_at(1) });
        // What CometBFT reaps for a proposal is bounded by both; ours were checked to fit.
        let limits = &self.chain.block_limits;
        let block = Some(BlockParams { max_bytes: i64_or_max(limits.max_bytes), max_gas: i64_or_max(limits.max_gas) });
        let consensus_params = Some(ConsensusParams { block, version, ..ConsensusParams::default() });
        Ok(ResponseInitChain { consensus_params, validators: Vec::new(), app_hash })
    }

    /// CheckTx for all that have arrived, in order, on all cores; the state is locked anew for each
    /// batch.
    pub(super) fn check_txs(&self, requests: &[RequestCheckTx]) -> Vec<ResponseCheckTx> {
        let check = |batch| self.mempool.check(&self.chain, &self.state(), batch);
        let answers: Vec<_> = batches(requests).flat_map(check).collect();
        self.metrics.checked(&answers);
        answers
    }

    /// PrepareProposal: a block that every validator accepts; one without transactions where none
    /// can be made.
    pub(super) fn prepare_proposal(&self, request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, Fatal> {
        self.rewind()?;
        let limit = usize::try_from(request.max_tx_bytes).unwrap_or(0);
        let state = self.state();
        let proposed = match u64::try_from(request.height) {
            Ok(height) if height == state.version() + 1 => self.proposer(&state).propose(&request.txs, limit),
            _ => None,
        };
        let txs = proposed.as_ref().map(|proposed| proposed.txs.clone()).unwrap_or_default();
        *lock(&self.proposed) = proposed;
        Ok(ResponsePrepareProposal { txs })
    }

    /// Who proposes, at a state.
    pub(super) fn proposer<'a>(&'a self, state: &'a Validator) -> Proposer<'a> {
        Proposer { chain: &self.chain, state, mempool: &self.mempool, tails: &self.tails }
    }

    /// ProcessProposal: accepts what is valid, and keeps the judgement for FinalizeBlock.
    pub(super) fn process_proposal(&self, request: &RequestProcessProposal) -> Result<ResponseProcessProposal, Fatal> {
        self.rewind()?;
        let answer = |status: ProposalStatus| ResponseProcessProposal { status: status.into() };
        let state = self.state();
        let height = u64::try_from(request.height).unwrap_or(0);
        if height != state.version() + 1 {
            return Ok(answer(ProposalStatus::Reject));
        }
        let proposed = lock(&self.proposed).take();
        let executed = match proposed.filter(|proposed| proposed.height == height && proposed.txs == request.txs) {
            Some(Proposed { executed, .. }) => Ok(ExecutedBlock { hash: request.hash.to_vec(), ..executed }),
            None => judge(&state, &self.chain, height, &request.txs, &request.hash),
        };
        self.metrics.judged(executed.is_ok());
        Ok(match executed {
            Ok(executed) => {
                *lock(&self.executed) = Some(executed);
                answer(ProposalStatus::Accept)
            }
            Err(refusal) => {
                tracing::warn!(height, %refusal, proposer = %hex::encode(&request.proposer_address), "refused a proposal");
                answer(ProposalStatus::Reject)
            }
        })
    }

    /// FinalizeBlock: total. A block that breaks the rules is applied as one without transactions.
    pub(super) fn finalize_block(&self, request: &RequestFinalizeBlock) -> Result<ResponseFinalizeBlock, Fatal> {
        self.rewind()?;
        let height = self.next_height(request.height)?;
        fail_point::pass("before-finalize", height);
        *lock(&self.proposed) = None;
        let known =
            lock(&self.executed).take().filter(|executed| !executed.hash.is_empty() && executed.hash == request.hash);
        let executed = match known {
            Some(executed) => Ok(executed),
            None => judge(&self.state(), &self.chain, height, &request.txs, &request.hash),
        };
        let keeps_rules = executed.is_ok();
        let (executed, tx_results) = match executed {
            Ok(executed) => {
                let version = self.upgrades.version_at(height);
                let results = results::applied(&executed, request.txs.len(), version);
                (executed, results)
            }
            Err(refusal) => {
                tracing::error!(height, %refusal, "a block was decided that breaks the rules: applied as empty");
                (self.empty(height)?, results::refused(&refusal, request.txs.len()))
            }
        };
        let root = self.apply(executed)?;
        self.metrics.decided(&tx_results, keeps_rules);
        fail_point::pass("after-finalize", height);
        let app_hash = root.to_vec().into();
        let consensus_param_updates = self.upgrades.announced_at(height).map(|app| {
            tracing::info!(height, app_version = app, "announced the app version of the blocks after this one");
            ConsensusParams { version: Some(VersionParams { app }), ..ConsensusParams::default() }
        });
        Ok(ResponseFinalizeBlock { tx_results, app_hash, consensus_param_updates, ..ResponseFinalizeBlock::default() })
    }

    /// Commit: what FinalizeBlock did goes to disk, whole, before CometBFT hears of it.
    pub(super) fn commit(&self) -> Result<ResponseCommit, Fatal> {
        let Uncommitted { block, root } = lock(&self.uncommitted).take().ok_or(Fatal::NothingToCommit)?;
        let height = block.effects.version;
        fail_point::pass("before-commit", height);
        let state = self.state();
        self.store.write_block(&state, &block, root, &self.upgrades)?;
        self.metrics.committed();
        fail_point::pass("after-commit", height);
        self.snapshots.take_if_due(&state)?;
        fail_point::pass("after-snapshot", height);
        self.tails.follow(&state);
        self.mempool.begin(height);
        tracing::debug!(height, root = %hex::encode(root), writes = block.effects.writes.len(), "committed");
        let retained = self.pruning.retain_height(height, self.snapshots.oldest());
        Ok(ResponseCommit { retain_height: i64_or_max(retained) })
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
        if let Some(validator) = restored {
            let height = validator.version();
            self.restore(validator)?;
            tracing::info!(height, "restored a snapshot");
        }
        Ok(answer)
    }

    /// Takes over a state that a snapshot brought and a root certifies.
    fn restore(&self, validator: Validator) -> Result<(), Fatal> {
        self.store.write_whole(&validator, validator.root(), &self.upgrades)?;
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
