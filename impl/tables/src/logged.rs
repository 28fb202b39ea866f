//! What the blocks of a dictionary's log change.

use aardvark_archive::LoggedBlock;
use aardvark_dictionary::{Key, Operation, Transaction};

/// Changes that happen at once: of a transaction, of an import, of a genesis.
pub(crate) type Step = Vec<(Key, Option<Vec<u8>>)>;

/// What a block of the log changes, step by step.
pub(crate) fn steps(block: LoggedBlock) -> Vec<Step> {
    match block {
        LoggedBlock::Genesis(entries) => {
            vec![entries.into_iter().map(|(key, value)| (key, Some(value.to_vec()))).collect()]
        }
        LoggedBlock::Import(block) => {
            let changed = block.changes.into_iter();
            vec![changed.map(|change| (change.key, change.value.map(|value| value.to_vec()))).collect()]
        }
        LoggedBlock::Transactions(block) => block.transactions.into_iter().map(of_transaction).collect(),
        LoggedBlock::Aggregated(block) => block.block.transactions.into_iter().map(of_transaction).collect(),
    }
}

fn of_transaction<O>(transaction: Transaction<O>) -> Step {
    let operations = transaction.operations.into_iter();
    let change = |operation| match operation {
        Operation::Put(key, value) => Some((key, Some(value.to_vec()))),
        Operation::Delete(key) => Some((key, None)),
        // A number in the place of a schema or a head is none of them.
        Operation::Add(key, amount) | Operation::Sub(key, amount) => Some((key, Some(amount.to_be_bytes().to_vec()))),
        Operation::Require(..) => None,
    };
    operations.filter_map(change).collect()
}
