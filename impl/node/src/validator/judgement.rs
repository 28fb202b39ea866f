//! Validates a block of the chain, for ProcessProposal, and for FinalizeBlock where that was not
//! asked before.
//!
//! The order is: the list's form, how much work it is, policy and signatures, then the block's
//! rules with **one** batch for all openings and no bisection, since an aggregated block is true or
//! false as a whole; and under the policy `tables` what needs points, with one batch for all
//! certificates. The first thing that fails ends it.

use aardvark_chain::{ChainBlock, ChainBlockError, Notice, gas};
use aardvark_dictionary::{Execution, Rejection, TransactionId, Validator};

use crate::validator::chain::Chain;

/// A block that was found valid, kept from ProcessProposal to FinalizeBlock.
pub(super) struct ExecutedBlock {
    /// CometBFT's hash of the block.
    pub(super) hash: Vec<u8>,
    /// The block's transactions with their `last_valid`.
    pub(super) identities: Vec<(TransactionId, u64)>,
    /// What events tell of them.
    pub(super) notices: Vec<Notice>,
    /// The work of each.
    pub(super) work: Vec<u64>,
    /// What the block does to the state.
    pub(super) execution: Execution,
}

/// Why a block is refused, and what is told of the transactions that it held, where it could be
/// read.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) reason: Reason,
    pub(super) notices: Vec<Notice>,
}

impl Refusal {
    /// Which of the block's transactions the reason names.
    pub(super) fn offender(&self) -> Option<usize> {
        match &self.reason {
            Reason::Chain(ChainBlockError::Forbidden { transaction, .. }) => Some(*transaction),
            Reason::Chain(_) => None,
            Reason::Dictionary(rejection) => rejection.transaction,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.reason.fmt(formatter)
    }
}

/// Why a block is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum Reason {
    #[error(transparent)]
    Chain(#[from] ChainBlockError),
    #[error(transparent)]
    Dictionary(#[from] Rejection),
}

/// Judges the block of a height, which must follow the state's version, and changes nothing.
pub(super) fn judge<T: AsRef<[u8]>>(
    state: &Validator,
    chain: &Chain,
    height: u64,
    txs: &[T],
    hash: &[u8],
) -> Result<ExecutedBlock, Refusal> {
    let block = ChainBlock::from_txs(height, txs, &chain.parameters)
        .map_err(|error| Refusal { reason: error.into(), notices: Vec::new() })?;
    let transactions = &block.aggregated.block.transactions;
    let identities: Vec<_> =
        transactions.iter().map(|transaction| (transaction.id(&chain.dictionary), transaction.last_valid)).collect();
    let told = identities.iter().zip(transactions).zip(&block.signatures);
    let notices: Vec<_> = told
        .map(|(((id, _), transaction), signatures)| Notice::of(*id, transaction, signatures, &chain.policy))
        .collect();
    match judge_block(state, chain, &block) {
        Ok(execution) => {
            let work = block.listed().map(|one| gas(one.transaction, one.signatures.len(), one.certificates)).collect();
            Ok(ExecutedBlock { hash: hash.to_vec(), identities, notices, work, execution })
        }
        Err(reason) => Err(Refusal { reason, notices }),
    }
}

/// The block's rules, once it is read.
fn judge_block(state: &Validator, chain: &Chain, block: &ChainBlock) -> Result<Execution, Reason> {
    block.authorize(&chain.policy, &chain.block_limits, &chain.dictionary)?;
    let execution = state.execute_aggregated(&block.aggregated)?;
    // Who the writers of a table are stands in the state: only now is it known that they signed.
    if let Some(verifier) = &chain.tables {
        block.certify(&chain.dictionary, verifier)?;
    }
    Ok(execution)
}
