//! Whether a block of the chain is valid: ProcessProposal's question, and FinalizeBlock's where it did not ask before.
//!
//! The order is: the list's form, how much work it is, policy and signatures, then the block's rules with **one** batch for all openings and no bisection,
//! since an aggregated block is true or false as a whole. The first thing that fails ends it.

use aardvark_chain::{ChainBlock, ChainBlockError, Notice};
use aardvark_dictionary::{Execution, Rejection, Validator};

use crate::validator::application::{Judged, Rules};

/// Why a block is refused, and what is told of the transactions that it held, where it could be read.
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
    rules: &Rules,
    height: u64,
    txs: &[T],
    hash: &[u8],
) -> Result<Judged, Refusal> {
    let block = ChainBlock::from_txs(height, txs, &rules.parameters)
        .map_err(|error| Refusal { reason: error.into(), notices: Vec::new() })?;
    let transactions = &block.aggregated.block.transactions;
    let identities: Vec<_> =
        transactions.iter().map(|transaction| (transaction.id(&rules.id), transaction.last_valid)).collect();
    let told = identities.iter().zip(transactions).zip(&block.signatures);
    let notices: Vec<_> = told
        .map(|(((id, _), transaction), signatures)| Notice::of(*id, transaction, signatures, &rules.policy))
        .collect();
    let outcome = judge_block(state, rules, &block);
    match outcome {
        Ok(execution) => Ok(Judged { hash: hash.to_vec(), identities, notices, execution }),
        Err(reason) => Err(Refusal { reason, notices }),
    }
}

/// The block's rules, once it is read.
fn judge_block(state: &Validator, rules: &Rules, block: &ChainBlock) -> Result<Execution, Reason> {
    block.authorize(&rules.policy, &rules.block_limits, &rules.id)?;
    Ok(state.execute_aggregated(&block.aggregated)?)
}
