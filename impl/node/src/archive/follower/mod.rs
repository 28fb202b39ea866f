//! The follower: block after block from CometBFT's RPC, applied by our own validator, compared with
//! the chain's app hashes.
//!
//! ```text
//! node: header H with its commit, transactions of H
//!    1. the header is this chain's, and more than two thirds of its validators' power signed it
//!       (who they are the header before announced)
//!    2. its app hash = root of version H - 1, which is ours         (header H certifies version H - 1)
//!    3. the transactions are those of its data_hash
//!    4. the block, by the chain's rules, or else the empty one -> validator -> version H
//!    5. record of H (root's parts, time), then the archive's durable transaction
//! ```
//!
//! The validators are those of the genesis file and, where the chain has a council, those who
//! follow from them header by header ([`KnownValidators`]), recorded where they change. So a node
//! can keep a block back but not make one up: what it shows is what the validators decided, or it
//! is named and the next one asked. Once a node has nothing new the next one is asked, so that one
//! which keeps blocks back is not asked alone.
//!
//! The version that a block gives is computed here; the next header is the first that certifies it.
//! One that the validators signed and that says otherwise means that they, or this archive, do not
//! follow the rules: then the follower stops and says so. A process that dies anywhere goes on
//! where the store is: the validator is made from the archive anew.
//!
//! Blocks that no node has any more, and only those, come from another archive's log
//! ([`other_archive`]); every commitment is computed anew, and the first header that a node does
//! have must be signed, and fit. The certificates of tables come with them, verified for what the
//! block's transactions put; where there are none that hold, `table audit` names what is missing.

mod brought;
mod certified;
mod error;
mod headers;
mod other_archive;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_aggregates::TableVerifier;
use aardvark_algebra::integers::u64_of_usize;
use aardvark_archive::Accepted;
use aardvark_chain::ChainBlock;
use aardvark_chain::validator_change::split_change;
use aardvark_client::light::{HeaderFault, KnownValidators};
use aardvark_client::rpc::RpcClient;
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{AggregatedBlock, Block, Validator};
use aardvark_tables::certificates::StoredCertificate;

use crate::fail_point;

use super::chain_records::ChainRecord;
use super::shared_archive::{Following, SharedArchive};

use headers::Certified;

pub(crate) use certified::certified_root;
pub use error::FollowError;
pub use headers::FollowedChain;
pub use other_archive::OtherArchive;

/// How often a node is asked whether there is a new block.
const POLL: Duration = Duration::from_millis(100);
/// The first pause after trouble with every node; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Follows a chain and keeps a shared archive up to date.
pub struct Follower {
    shared: Arc<SharedArchive>,
    chain: FollowedChain,
    nodes: Vec<Node>,
    /// Where blocks come from that no node has.
    other: Option<OtherArchive>,
    validator: Validator,
    /// What the root of the validator's version is over.
    parts: RootParts,
    /// The validators of the last height whose header is believed, or after it.
    known: KnownValidators,
    /// The node that is asked first.
    first: usize,
    /// The chain's height, as the node said that answered last.
    height: u64,
    /// Whether the store failed, and has to be opened anew.
    failed: bool,
    /// Who verifies certificates, under the policy `tables`.
    tables: Option<TableVerifier>,
}

/// What a decided list comes to.
struct Decided {
    accepted: Accepted,
    /// Transactions without effects.
    rejected: u64,
    /// The certificates of the others.
    certificates: Vec<StoredCertificate>,
}

/// A node that is asked.
struct Node {
    rpc: RpcClient,
    /// Its height, as it said last.
    height: u64,
    /// The last height at which it was said in the log that it lied.
    accused: u64,
    /// Until when others are asked first.
    rests_until: Instant,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A version was stored.
    Advanced,
    /// There is no further block yet.
    UpToDate,
}

impl Follower {
    /// A follower for a shared archive, which must be of the chain's dictionary.
    ///
    /// # Errors
    /// [`FollowError`] where it is not, where the validator cannot be restored, or the records are
    /// of another chain.
    pub fn new(
        shared: Arc<SharedArchive>,
        chain: FollowedChain,
        nodes: Vec<RpcClient>,
        other: Option<OtherArchive>,
    ) -> Result<Self, FollowError> {
        let validator = shared.archive().validator()?;
        if *validator.id() != chain.genesis.genesis().dictionary_id() {
            return Err(FollowError::OtherDictionary);
        }
        let parts = validator.root_parts();
        if let Some(records) = shared.records() {
            records.set_chain_id(&chain.id)?;
            // Genesis has no block, so nothing else records it.
            if records.get(validator.version())?.is_none() {
                records.put(&ChainRecord { time: None, parts: parts.clone(), rejected: 0 })?;
            }
        }
        shared.set_following(Following::CatchingUp { height: None, trouble: None });
        let nodes =
            nodes.into_iter().map(|rpc| Node { rpc, height: 0, accused: 0, rests_until: Instant::now() }).collect();
        let tables = chain.genesis.policy().verifier()?;
        let known = chain.known_validators(&shared, validator.version())?;
        Ok(Self { shared, chain, nodes, other, validator, parts, known, first: 0, height: 0, failed: false, tables })
    }

    /// Follows until told to end, or until it cannot go on; then the shared archive says why.
    pub fn run(mut self, end: &AtomicBool) {
        let mut pause = FIRST_PAUSE;
        while !end.load(Ordering::Relaxed) {
            match self.step() {
                Ok(Step::Advanced) => pause = FIRST_PAUSE,
                Ok(Step::UpToDate) => {
                    pause = FIRST_PAUSE;
                    sleep(POLL);
                }
                Err(error) if error.is_final() => {
                    tracing::error!(%error, "the archive cannot follow the chain any more");
                    return self.shared.set_following(Following::Stopped { reason: error.to_string() });
                }
                Err(error) => {
                    tracing::warn!(%error, "trying again");
                    let height = (self.height > 0).then_some(self.height);
                    self.shared.set_following(Following::CatchingUp { height, trouble: Some(error.to_string()) });
                    sleep(pause);
                    pause = (2 * pause).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Opens the store and the records anew, and goes on from what is stored.
    fn begin_anew(&mut self) -> Result<(), FollowError> {
        self.shared.reopen()?;
        self.validator = self.shared.archive().validator()?;
        self.parts = self.validator.root_parts();
        self.known = self.chain.known_validators(&self.shared, self.parts.version)?;
        tracing::info!(version = self.parts.version, "the store is opened anew");
        Ok(())
    }

    /// Takes the next block, from the first node that has it and fits. After a failure of the
    /// store, that is opened anew first.
    ///
    /// # Errors
    /// [`FollowError`]; one that is not final may go away by itself.
    pub fn step(&mut self) -> Result<Step, FollowError> {
        if self.failed {
            self.begin_anew()?;
        }
        let step = self.take_next();
        self.failed = step.as_ref().is_err_and(FollowError::is_of_the_store);
        step
    }

    fn take_next(&mut self) -> Result<Step, FollowError> {
        let next = self.validator.version() + 1;
        let mut troubles = Vec::new();
        for place in self.turns() {
            let asked = Instant::now();
            match self.step_with(place, next) {
                Ok(step) => {
                    // Who has nothing new is not asked twice in a row.
                    self.first = if step == Step::Advanced { place } else { place + 1 };
                    self.say_where();
                    return Ok(step);
                }
                Err(error) if error.is_ours() => return Err(error),
                Err(error) => {
                    self.rest(place, asked);
                    self.accuse(place, next, &error);
                    troubles.push(error);
                }
            }
        }
        if let Some(step) = self.take_elsewhere(next, &troubles)? {
            self.say_where();
            return Ok(step);
        }
        Err(FollowError::all(troubles))
    }

    /// The nodes in turn, those that rest last.
    fn turns(&self) -> Vec<usize> {
        let (now, count) = (Instant::now(), self.nodes.len());
        let mut places: Vec<usize> = (0..count).map(|turn| (self.first + turn) % count).collect();
        places.sort_by_key(|place| self.nodes.get(*place).is_some_and(|node| node.rests_until > now));
        places
    }

    /// A node that failed rests ten times as long as it took, while others answer: who keeps the
    /// archive waiting keeps it for a tenth of its time at most.
    fn rest(&mut self, place: usize, asked: Instant) {
        if let Some(node) = self.nodes.get_mut(place) {
            node.rests_until = Instant::now() + (10 * asked.elapsed()).max(FIRST_PAUSE);
        }
    }

    fn step_with(&mut self, place: usize, next: u64) -> Result<Step, FollowError> {
        let Some((node, mut height)) = self.nodes.get(place).map(|node| (node.rpc.clone(), node.height)) else {
            return Ok(Step::UpToDate);
        };
        if next > height {
            let status = node.status()?;
            self.chain.is_of(&node, &status.chain_id)?;
            height = status.latest_height;
            if let Some(node) = self.nodes.get_mut(place) {
                node.height = height;
            }
        }
        let step = if next > height { Step::UpToDate } else { self.take_from(&node, next)? };
        self.height = height.max(self.validator.version());
        Ok(step)
    }

    /// Says in the log that a node lies, once a height.
    fn accuse(&mut self, place: usize, next: u64, error: &FollowError) {
        if let Some(node) = self.nodes.get_mut(place)
            && error.is_lie()
            && node.accused != next
        {
            node.accused = next;
            tracing::warn!(%error, "the next node is asked");
        }
    }

    fn take_from(&mut self, node: &RpcClient, next: u64) -> Result<Step, FollowError> {
        let certified = self.chain.certified_header(&self.known, node, next, self.parts.root())?;
        let block = node.block(Some(next))?;
        let (shown, signed) = (block.header.hash(), certified.header.hash());
        if shown != signed {
            let fault = HeaderFault::conflict(next, &shown, &signed);
            return Err(FollowError::Header { url: node.url().to_owned(), fault });
        }
        if !block.has_the_transactions_of_its_header() {
            return Err(FollowError::Transactions { url: node.url().to_owned(), height: next });
        }
        let decided = self.decide(next, &block.transactions)?;
        self.store(&decided, Some(certified))
    }

    /// The other archive's block, where nodes say that they do not have it: what a node has is
    /// certain, what is only logged is not. The header is looked at where a node still has that.
    fn take_elsewhere(&mut self, next: u64, troubles: &[FollowError]) -> Result<Option<Step>, FollowError> {
        let is_gone = |trouble: &FollowError| matches!(trouble, FollowError::Rpc(error) if error.is_refusal());
        if !troubles.iter().any(is_gone) {
            return Ok(None);
        }
        let Some(other) = &self.other else { return Ok(None) };
        let Some(block) = other.block(next, &self.validator)? else { return Ok(None) };
        let brought = self.tables.as_ref().map(|_| brought::ask(other, &block, &self.validator)).transpose()?;
        let mut header = None;
        for node in &self.nodes {
            match self.chain.certified_header(&self.known, &node.rpc, next, self.parts.root()) {
                Ok(found) => header = Some(found),
                Err(contradiction @ FollowError::AppHash { .. }) => return Err(contradiction),
                Err(_) => {}
            }
        }
        let accepted = Accepted::aggregated(&mut self.validator, &block);
        let accepted = accepted.map_err(|rejection| FollowError::LoggedBlock { height: next, rejection })?;
        let certificates = match (&self.tables, brought) {
            (Some(verifier), Some(brought)) => brought::that_hold(block, brought, self.validator.id(), verifier),
            _ => Vec::new(),
        };
        let decided = Decided { accepted, rejected: 0, certificates };
        self.store(&decided, header).map(Some)
    }

    /// What validators do with a decided list of transactions: the block, or, where it breaks any
    /// rule, the empty one.
    fn decide(&mut self, height: u64, transactions: &[Vec<u8>]) -> Result<Decided, FollowError> {
        // A change of validators is theirs to judge, and headers say who they are.
        let (_, transactions) = split_change(self.chain.genesis.council(), transactions);
        let block = ChainBlock::from_txs(height, transactions, self.validator.parameters());
        let block = block.and_then(|block| {
            let genesis = &self.chain.genesis;
            block.authorize(genesis.policy(), genesis.block_limits(), self.validator.id())?;
            if let Some(verifier) = &self.tables {
                block.certify(self.validator.id(), verifier)?;
            }
            Ok(block)
        });
        if let Ok(block) = block
            && let Ok(accepted) = Accepted::aggregated(&mut self.validator, &block.aggregated)
        {
            return Ok(Decided { accepted, rejected: 0, certificates: brought::kept(&block) });
        }
        let empty = AggregatedBlock { block: Block { version: height, ..Block::default() }, points: Vec::new() };
        let accepted = Accepted::aggregated(&mut self.validator, &empty);
        let accepted = accepted.map_err(|rejection| FollowError::EmptyBlock { height, rejection })?;
        // The first of the list is the frame.
        let rejected = u64_of_usize(transactions.len().saturating_sub(1));
        Ok(Decided { accepted, rejected, certificates: Vec::new() })
    }

    fn store(&mut self, decided: &Decided, certified: Option<Certified>) -> Result<Step, FollowError> {
        let Decided { accepted, rejected, certificates } = decided;
        let time = certified.as_ref().map(|certified| certified.header.time.to_rfc3339());
        self.parts = self.validator.root_parts();
        let height = self.parts.version;
        fail_point::pass("before-record", height);
        self.shared.record(&ChainRecord { time, parts: self.parts.clone(), rejected: *rejected })?;
        let next = certified.map(|certified| certified.next);
        if let (Some(next), Some(records)) =
            (next.as_ref().filter(|next| !next.is_same_set(&self.known)), self.shared.records())
        {
            records.put_validators(next)?;
        }
        if self.tables.is_some() {
            self.shared.certificates().put(height, certificates)?;
        }
        fail_point::pass("after-record", height);
        self.shared.archive_mut().store_accepted(accepted)?;
        if let Some(next) = next {
            self.known = next;
        }
        fail_point::pass("after-store", height);
        Ok(Step::Advanced)
    }

    fn say_where(&self) {
        let height = self.height;
        let behind = height.saturating_sub(self.validator.version());
        self.shared.set_following(match behind {
            0 | 1 => Following::UpToDate { height },
            _ => Following::CatchingUp { height: Some(height), trouble: None },
        });
    }
}
