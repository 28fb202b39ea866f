//! What the blocks of a dictionary's log change.

use aardvark_aggregates::TableKey;
use aardvark_archive::{LoggedBlock, Snapshot};
use aardvark_dictionary::{Key, Operation, Transaction};

use crate::error::TablesError;

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

/// How many heads and segments of tables a version of an archive put: each certificate of the
/// version is about one of them at least, and each of them has one.
///
/// # Errors
/// [`TablesError::Archive`] where the log has no such version, or cannot be read.
pub fn segments_put(archive: &Snapshot, version: u64) -> Result<u64, TablesError> {
    let is_put = |(key, value): &(Key, Option<Vec<u8>>)| {
        let of_run = TableKey::split_prefix(key).is_ok_and(|(_, rest)| matches!(rest, [1 | 2, ..]));
        of_run && value.is_some()
    };
    Ok(steps(archive.block(version)?).iter().flatten().filter(|change| is_put(change)).count() as u64)
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
