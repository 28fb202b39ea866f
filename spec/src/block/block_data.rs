//! A block of transactions, and its length.

use crate::block::tail::*;
use crate::block::transaction::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// A block of transactions.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// b, the version that the block leads to.
    pub block_version: usize,
    /// The transactions, in order.
    pub transactions: Seq<Transaction>,
    /// The vectors below the validators' tail, the highest first.
    pub tail_vectors: Seq<Seq<Slot>>,
}

/// Sums over the transactions of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockTotals {
    /// The number of operations.
    pub total_operations: usize,
    /// The number of claims.
    pub total_claims: usize,
    /// The bytes of the transactions, with a length of 4 bytes before each.
    pub total_length: usize,
}

/// One step of [`block_totals`].
pub fn block_totals_step(totals: BlockTotals, tx: &Transaction) -> BlockTotals {
    BlockTotals {
        total_operations: totals.total_operations + tx.operations.len(),
        total_claims: totals.total_claims + tx.claims.len(),
        total_length: totals.total_length + 4 + transaction_length(tx),
    }
}

/// The sums over the transactions of a block.
pub fn block_totals(block: &Block) -> BlockTotals {
    let mut totals = BlockTotals { total_operations: 0, total_claims: 0, total_length: 0 };
    for x in 0..block.transactions.len() {
        totals = block_totals_step(totals, &block.transactions[x]);
    }
    totals
}

/// The length of the encoded block, in bytes: format, version, transactions, tail vectors.
pub fn block_length(block: &Block) -> usize {
    let totals = block_totals(block);
    1 + 8 + 4 + totals.total_length + 4 + vectors_length(&block.tail_vectors)
}
