//! How values came to be: a key's at every version that can be read, and all that two versions
//! differ in.

use std::collections::BTreeSet;

use aardvark_dictionary::{Key, Transaction, Value};

use crate::error::ArchiveError;
use crate::read::LoggedBlock;
use crate::snapshot::Snapshot;

/// What a key was from a version on, until the next of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueSince {
    /// The version.
    pub version: u64,
    /// The value; `None` where the key was absent.
    pub value: Option<Value>,
}

/// A key that has two values at two versions, or is absent at one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key.
    pub key: Key,
    /// What it was at the first version.
    pub before: Option<Value>,
    /// What it was at the second.
    pub after: Option<Value>,
}

impl Snapshot {
    /// What a key was at the oldest version that can be read, and at each later one that changed
    /// it. Every version costs a look-up.
    ///
    /// # Errors
    /// As [`Snapshot::get`].
    pub fn history(&self, key: &Key) -> Result<Vec<ValueSince>, ArchiveError> {
        let mut history: Vec<ValueSince> = Vec::new();
        for version in self.oldest_version()..=self.version() {
            let value = self.get(key, version)?;
            if history.last().is_none_or(|last| last.value != value) {
                history.push(ValueSince { version, value });
            }
        }
        Ok(history)
    }

    /// What two versions differ in, by key; the second may be the older one. The blocks between
    /// them name every key that can differ, so that the cost is theirs and not the dictionary's.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn differences(&self, first: u64, second: u64) -> Result<Vec<Difference>, ArchiveError> {
        self.check_version(first)?;
        self.check_version(second)?;
        let mut named = BTreeSet::new();
        for version in first.min(second) + 1..=first.max(second) {
            self.work.check()?;
            match self.block(version)? {
                LoggedBlock::Genesis(entries) => named.extend(entries.into_iter().map(|(key, _)| key)),
                LoggedBlock::Import(block) => named.extend(block.changes.into_iter().map(|change| change.key)),
                LoggedBlock::Transactions(block) => name_keys(&block.transactions, &mut named),
                LoggedBlock::Aggregated(block) => name_keys(&block.block.transactions, &mut named),
            }
        }
        let mut differences = Vec::new();
        for key in named {
            let (before, after) = (self.get(&key, first)?, self.get(&key, second)?);
            if before != after {
                differences.push(Difference { key, before, after });
            }
        }
        Ok(differences)
    }
}

/// The keys that transactions name.
fn name_keys<O>(transactions: &[Transaction<O>], named: &mut BTreeSet<Key>) {
    let operations = transactions.iter().flat_map(|transaction| &transaction.operations);
    named.extend(operations.map(|operation| operation.key().clone()));
}
