//! A block that the dictionary's rules accept, and that is not in the store yet.
//!
//! Checking a block takes far longer than storing what it did. A node that answers while it follows a chain checks with a
//! validator of its own, and stops answering only for the storing.

use aardvark_dictionary::{AggregatedBlock, Applied, Block, Rejection, TransactionId, Validator};

use crate::records::BlockKind;

/// What a block did, and how the log will have it.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub(crate) applied: Applied,
    pub(crate) kind: BlockKind,
    pub(crate) bytes: Vec<u8>,
    /// Transactions that enter the replay set, with their `last_valid`.
    pub(crate) entered: Vec<(TransactionId, u64)>,
    /// Where the validator's tail starts after the block.
    pub(crate) tail_start: u64,
}

/// A block in either form.
pub(crate) enum Candidate<'a> {
    Plain(&'a Block),
    Aggregated(&'a AggregatedBlock),
}

impl Accepted {
    /// Has a validator take an aggregated block.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails; the validator is then unchanged.
    pub fn aggregated(validator: &mut Validator, block: &AggregatedBlock) -> Result<Self, Rejection> {
        let applied = validator.apply_aggregated(block)?;
        Ok(Self::new(Candidate::Aggregated(block), applied, validator.tail().start()))
    }

    /// What the block did.
    pub fn applied(&self) -> &Applied {
        &self.applied
    }

    pub(crate) fn new(block: Candidate<'_>, applied: Applied, tail_start: u64) -> Self {
        let (kind, bytes, transactions) = match block {
            Candidate::Plain(block) => (BlockKind::Transactions, block.encode(), &block.transactions),
            Candidate::Aggregated(block) => (BlockKind::Aggregated, block.encode(), &block.block.transactions),
        };
        let last_valid = transactions.iter().map(|transaction| transaction.last_valid);
        let entered = applied.transactions.iter().copied().zip(last_valid).collect();
        Self { applied, kind, bytes, entered, tail_start }
    }
}
