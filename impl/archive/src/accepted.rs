//! A block that the dictionary's rules accept, and that is not in the store yet.
//!
//! Checking a block takes far longer than storing what it did. A node that answers while it follows
//! a chain checks with a validator of its own, and stops answering only for the storing.

use aardvark_dictionary::{AggregatedBlock, Block, Effects, Rejection, Transaction, TransactionId, Validator};

use crate::records::BlockKind;

/// What a block did, and how the log will have it.
#[derive(Clone, Debug)]
pub struct Accepted {
    pub(crate) applied: Effects,
    pub(crate) kind: BlockKind,
    pub(crate) bytes: Vec<u8>,
    /// Transactions that enter the replay set, with their `last_valid`.
    pub(crate) entered: Vec<(TransactionId, u64)>,
    /// Where the validator's tail starts after the block.
    pub(crate) tail_start: u64,
}

impl Accepted {
    /// Has a validator take an aggregated block.
    ///
    /// # Errors
    /// The [`Rejection`] of the first phase that fails; the validator is then unchanged.
    pub fn aggregated(validator: &mut Validator, block: &AggregatedBlock) -> Result<Self, Rejection> {
        let applied = validator.apply_aggregated(block)?;
        let (kind, bytes) = (BlockKind::Aggregated, block.encode());
        Ok(Self::new(kind, bytes, &block.block.transactions, applied, validator.tail().start()))
    }

    /// What the block did.
    pub fn applied(&self) -> &Effects {
        &self.applied
    }

    /// What a plain block did.
    pub(crate) fn plain(block: &Block, applied: Effects, tail_start: u64) -> Self {
        Self::new(BlockKind::Transactions, block.encode(), &block.transactions, applied, tail_start)
    }

    fn new<O>(
        kind: BlockKind,
        bytes: Vec<u8>,
        transactions: &[Transaction<O>],
        applied: Effects,
        tail_start: u64,
    ) -> Self {
        let last_valid = transactions.iter().map(|transaction| transaction.last_valid);
        let entered = applied.transactions.iter().copied().zip(last_valid).collect();
        Self { applied, kind, bytes, entered, tail_start }
    }
}
