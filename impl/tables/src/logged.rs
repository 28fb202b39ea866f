//! What the blocks of a dictionary's log change.

use aardvark_archive::LoggedBlock;
use aardvark_dictionary::{Key, Operation, Transaction};

/// What a block of the log changes, in its order.
pub(crate) fn changes(block: LoggedBlock) -> Vec<(Key, Option<Vec<u8>>)> {
    match block {
        LoggedBlock::Genesis(entries) => entries.into_iter().map(|(key, value)| (key, Some(value.to_vec()))).collect(),
        LoggedBlock::Import(block) => {
            block.changes.into_iter().map(|change| (change.key, change.value.map(|value| value.to_vec()))).collect()
        }
        LoggedBlock::Transactions(block) => of_transactions(block.transactions),
        LoggedBlock::Aggregated(block) => of_transactions(block.block.transactions),
    }
}

fn of_transactions<O>(transactions: Vec<Transaction<O>>) -> Vec<(Key, Option<Vec<u8>>)> {
    let operations = transactions.into_iter().flat_map(|transaction| transaction.operations);
    let change = |operation| match operation {
        Operation::Put(key, value) => Some((key, Some(value.to_vec()))),
        Operation::Delete(key) => Some((key, None)),
        // A number in the place of a schema or a head is none of them.
        Operation::Add(key, amount) | Operation::Sub(key, amount) => Some((key, Some(amount.to_be_bytes().to_vec()))),
        Operation::Require(..) => None,
    };
    operations.filter_map(change).collect()
}
