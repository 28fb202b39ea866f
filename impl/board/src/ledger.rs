//! Where a board's posts are written: into an archive of its own, or on a chain of the policy
//! `board` (`docs/network.md`), which the board's process follows as an archive does.
//!
//! On a chain a post goes to a node as a transaction that nobody signs, since posts are signed
//! themselves; what became of it is seen in the archive that follows, never believed of a node.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aardvark_archive::{ArchiveError, Snapshot};
use aardvark_chain::board::operations_of;
use aardvark_chain::{ChainGenesis, Policy, SignedTransaction, TxCode};
use aardvark_client::make::assemble;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::submit::{self, SubmitError, broadcast};
use aardvark_dictionary::{Claim, Key, Operation, Reason, Transaction};
use aardvark_mixnet::PostKey;
use aardvark_mixnet::identity::AuthorKey;
use aardvark_node::archive::{ChainOptions, DaemonError, Follower, SharedArchive, open_to_follow};

use crate::error::BoardError;
use crate::wire::Pair;

/// For how many versions a transaction on a chain is good.
const LASTS: u64 = 20;
/// How long a post is waited for on a chain.
const PATIENCE: Duration = Duration::from_secs(45);
/// How long until the archive has what a node refused a post for.
const CATCH_UP: Duration = Duration::from_secs(10);
/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// Who writes.
#[derive(Clone, Debug)]
pub(crate) enum Ledger {
    /// This process, into its archive.
    Own,
    /// A chain.
    Chain(Arc<ChainLedger>),
}

/// A chain to write to.
#[derive(Debug)]
pub(crate) struct ChainLedger {
    nodes: Vec<RpcClient>,
    window: u32,
    /// Whose ceremonies the chain takes.
    pub(crate) organisers: Vec<AuthorKey>,
}

/// Posts that are to be sent to a chain, once the board is left to others.
pub(crate) struct Sending {
    ledger: Arc<ChainLedger>,
    shared: Arc<SharedArchive>,
    posts: Vec<(PostKey, Pair)>,
}

impl ChainLedger {
    /// The archive of a chain in a directory, its follower, and where posts go.
    pub(crate) fn open(
        directory: &Path,
        chain: &ChainOptions,
    ) -> Result<(Arc<SharedArchive>, Follower, Self), BoardError> {
        let genesis = std::fs::read(&chain.genesis)?;
        let bad_genesis = |source| DaemonError::Genesis { path: chain.genesis.clone(), source };
        let (_, genesis) = ChainGenesis::from_genesis_file(&genesis).map_err(bad_genesis)?;
        let Policy::Board { organisers } = genesis.policy() else { return Err(BoardError::OtherPolicy) };
        let (shared, follower) = open_to_follow(directory, chain, None)?;
        let nodes = chain.nodes.iter().map(|node| RpcClient::new(node, HttpOptions::default()));
        let nodes = nodes.collect::<Result<Vec<_>, _>>().map_err(DaemonError::from)?;
        let window = genesis.genesis().parameters().window;
        Ok((shared, follower, Self { nodes, window, organisers: organisers.iter().copied().collect() }))
    }
}

/// The claims about the keys of operations at the newest version, each position once.
fn claims(archive: &Snapshot, operations: &[Operation]) -> Result<Vec<Claim>, ArchiveError> {
    let mut keys: Vec<Key> = operations.iter().map(|operation| operation.key().clone()).collect();
    keys.sort_unstable();
    keys.dedup();
    archive.prove_many(&keys, archive.version())
}

/// A transaction of operations on what is the newest version.
pub(crate) fn transaction(
    archive: &Snapshot,
    operations: Vec<Operation>,
    window: u32,
) -> Result<Transaction, ArchiveError> {
    let claims = claims(archive, &operations)?;
    // Who sends the same posts at the same version sends the same transaction.
    Ok(assemble(operations, claims, archive.version(), (window, Some(LASTS)), [0; 16]))
}

/// What the archive has of a post.
enum Found {
    /// This one.
    Same,
    /// Another one under its key.
    Other,
    /// A gate that is closed.
    Closed,
    /// Nothing.
    Nothing,
}

fn look(archive: &Snapshot, key: &PostKey, value: &[u8]) -> Result<Found, ArchiveError> {
    let mut gates = key.gates().into_iter().map(|gate| Key::from(gate.to_bytes()));
    let own = gates.next().map_or(Ok(None), |own| archive.get(&own, archive.version()))?;
    match own {
        Some(there) if *there == *value => return Ok(Found::Same),
        Some(_) => return Ok(Found::Other),
        None => {}
    }
    for gate in gates {
        if archive.get(&gate, archive.version())?.is_some() {
            return Ok(Found::Closed);
        }
    }
    Ok(Found::Nothing)
}

impl Sending {
    pub(crate) fn new(ledger: Arc<ChainLedger>, shared: Arc<SharedArchive>, posts: Vec<(PostKey, Pair)>) -> Self {
        Self { ledger, shared, posts }
    }

    /// All of these as one; none where there are none.
    pub(crate) fn together(sendings: Vec<Self>) -> Option<Self> {
        sendings.into_iter().reduce(|mut all, sending| {
            all.posts.extend(sending.posts);
            all
        })
    }

    /// Sends the posts as one transaction, and waits until the archive has them.
    ///
    /// # Errors
    /// [`BoardError`]: what the chain says, or what stands in the posts' place; `NotYet` where
    /// nothing came of it in time.
    pub(crate) fn send(self) -> Result<(), BoardError> {
        let archive = self.shared.archive();
        let mut operations = Vec::new();
        for (key, (_, value)) in &self.posts {
            let admission = key.admission().map(|admission| Key::from(admission.to_bytes()));
            let admission = admission.map(|key| archive.get(&key, archive.version())).transpose()?;
            let admission = admission.map(|value| value.ok_or(BoardError::NotAdmitted)).transpose()?;
            operations.extend(operations_of(key, value, admission.as_deref()));
        }
        let transaction = transaction(&archive, operations, self.ledger.window)?;
        let last_valid = transaction.last_valid;
        let bytes = SignedTransaction::sign(transaction, archive.id(), &[]).encode();
        let failed = TxCode::Rejected(Reason::RequireFailed).number();
        match broadcast(&self.ledger.nodes, &bytes) {
            Ok(_) => self.wait(last_valid, PATIENCE),
            // A node can be ahead of the archive.
            Err(SubmitError::Rejected { code, .. }) if code == failed => match self.wait(last_valid, CATCH_UP) {
                Err(BoardError::NotYet) => Err(BoardError::GateClosed),
                waited => waited,
            },
            Err(SubmitError::Rejected { code, .. }) => Err(BoardError::ChainRefused(submit::name(code))),
            Err(error) => Err(BoardError::ChainSilent(error.to_string())),
        }
    }

    fn wait(&self, last_valid: u64, patience: Duration) -> Result<(), BoardError> {
        let end = Instant::now() + patience;
        loop {
            let archive = self.shared.archive();
            let mut there = 0;
            for (key, (_, value)) in &self.posts {
                match look(&archive, key, value)? {
                    Found::Same => there += 1,
                    Found::Other => return Err(BoardError::SlotConflict),
                    Found::Closed => return Err(BoardError::GateClosed),
                    Found::Nothing => {}
                }
            }
            if there == self.posts.len() {
                return Ok(());
            }
            if archive.version() >= last_valid || Instant::now() >= end {
                return Err(BoardError::NotYet);
            }
            std::thread::sleep(PAUSE);
        }
    }
}
