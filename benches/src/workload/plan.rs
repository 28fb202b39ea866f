//! What is done in each block, and how stale the claim for it is: the paper's workload (section
//! 8.1).
//!
//! Keys of 32 bytes, values of 8. *modify*: uniform random existing keys; *insert*: new random
//! keys; *delete*: a random permutation of the genesis keys. Each transaction does one thing; its
//! claims are for a version that is uniform among the latest max(W, 1). All of it is known before
//! the first block, so an archive that stands at version v can make at once all claims of that
//! version that later blocks will bring.

use aardvark_dictionary::{Operation, Transaction};
use clap::ValueEnum;

use crate::error::BenchError;
use crate::workload::random::{Random, key};

/// What every transaction of a history does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Puts a new value at an existing key.
    Modify,
    /// Puts a value at a new key.
    Insert,
    /// Deletes an existing key.
    Delete,
}

impl Kind {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modify => "modify",
            Self::Insert => "insert",
            Self::Delete => "delete",
        }
    }
}

/// The sizes of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Keys at genesis.
    pub keys: u64,
    /// W.
    pub window: u32,
    /// Blocks before the first that is of interest, which fill the window.
    pub history: u64,
    /// Blocks of interest.
    pub blocks: u64,
    /// Transactions in every block.
    pub transactions: u64,
}

/// One transaction before it has claims. Block `i` of a plan makes version `i + 1`.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it does.
    pub operation: Operation,
    /// The version of its claims.
    pub claimed_at: u64,
    /// Tells it apart.
    pub nonce: [u8; 16],
}

impl Step {
    /// The transaction, still without claims.
    pub fn transaction(&self, window: u32) -> Transaction {
        let first_valid = self.claimed_at + 1;
        Transaction {
            first_valid,
            last_valid: first_valid + u64::from(window),
            nonce: self.nonce,
            operations: vec![self.operation.clone()],
            claims: Vec::new(),
        }
    }
}

/// Plans all blocks: `shape.history`, then `shape.blocks`.
///
/// # Errors
/// Where deletes would need more keys than there are, or there is nothing to modify.
pub fn plan(kind: Kind, shape: &Shape, seed: u64) -> Result<Vec<Vec<Step>>, BenchError> {
    let blocks = shape.history + shape.blocks;
    let total = blocks * shape.transactions;
    let wanted = match kind {
        Kind::Modify => 1,
        Kind::Insert => 0,
        Kind::Delete => total,
    };
    if shape.keys < wanted {
        let text = format!("{} needs at least {wanted} keys, not {}", kind.name(), shape.keys);
        return Err(BenchError::Options(text));
    }
    let mut random = Random::new(seed);
    let mut victims: Vec<u64> = if kind == Kind::Delete { (0..shape.keys).collect() } else { Vec::new() };
    random.shuffle(&mut victims);
    let operation = |number: u64, random: &mut Random| match kind {
        Kind::Modify => Operation::Put(key(random.below(shape.keys)), random.value()),
        Kind::Insert => Operation::Put(key(shape.keys + number), random.value()),
        Kind::Delete => Operation::Delete(key(victims.get(number as usize).copied().unwrap_or(0))),
    };
    let versions = u64::from(shape.window.max(1));
    let block = |block: u64| {
        let numbers = block * shape.transactions..(block + 1) * shape.transactions;
        let step = |number: u64| {
            let claimed_at = block.saturating_sub(random.below(versions));
            let mut nonce = [0; 16];
            nonce[..8].copy_from_slice(&number.to_be_bytes());
            Step { operation: operation(number, &mut random), claimed_at, nonce }
        };
        numbers.map(step).collect()
    };
    Ok((0..blocks).map(block).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const SHAPE: Shape = Shape { keys: 40, window: 3, history: 2, blocks: 2, transactions: 10 };

    #[test]
    fn claims_are_of_the_latest_versions_and_of_all_of_them() {
        let blocks = plan(Kind::Modify, &Shape { transactions: 100, ..SHAPE }, 7).unwrap();
        let versions: BTreeSet<u64> = blocks[3].iter().map(|step| step.claimed_at).collect();
        assert_eq!(versions, BTreeSet::from([1, 2, 3]));
        assert!(blocks[0].iter().all(|step| step.claimed_at == 0));
    }

    #[test]
    fn no_key_is_deleted_or_inserted_twice() {
        for kind in [Kind::Insert, Kind::Delete] {
            let blocks = plan(kind, &SHAPE, 7).unwrap();
            let keys: BTreeSet<_> = blocks.iter().flatten().map(|step| step.operation.key().clone()).collect();
            assert_eq!(keys.len(), 40);
        }
    }

    #[test]
    fn more_deletes_than_keys_are_refused() {
        assert!(plan(Kind::Delete, &Shape { keys: 39, ..SHAPE }, 7).is_err());
    }
}
