//! The replay set: identities of applied transactions that their interval would still let in
//! (`aardvark_spec::block::validator`, docs/design.md, section 5).

use std::collections::{BTreeMap, HashSet};

use crate::data::transaction::TransactionId;

/// Identities, by the last version that could hold them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplaySet {
    by_last_valid: BTreeMap<u64, HashSet<TransactionId>>,
}

impl ReplaySet {
    /// Whether a transaction was applied and could be applied again.
    #[must_use]
    pub fn contains(&self, id: &TransactionId) -> bool {
        self.by_last_valid.values().any(|ids| ids.contains(id))
    }

    /// [`ReplaySet::contains`] for an identity whose transaction is at hand: `last_valid` is part
    /// of what the identity is a hash of, so there is one place to look, however long the window.
    pub(crate) fn contains_until(&self, id: &TransactionId, last_valid: u64) -> bool {
        self.by_last_valid.get(&last_valid).is_some_and(|ids| ids.contains(id))
    }

    /// How many identities are kept.
    pub fn len(&self) -> usize {
        self.by_last_valid.values().map(HashSet::len).sum()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Identities with their `last_valid`, by `last_valid` and then by identity.
    pub fn entries(&self) -> Vec<(TransactionId, u64)> {
        let mut entries = Vec::with_capacity(self.len());
        for (last_valid, ids) in &self.by_last_valid {
            let mut ids: Vec<_> = ids.iter().copied().collect();
            ids.sort_unstable();
            entries.extend(ids.into_iter().map(|id| (id, *last_valid)));
        }
        entries
    }

    /// Enters the transactions of block `version`; those with `last_valid < version` leave.
    pub(crate) fn advance(&mut self, version: u64, applied: impl Iterator<Item = (TransactionId, u64)>) {
        for (id, last_valid) in applied {
            self.by_last_valid.entry(last_valid).or_default().insert(id);
        }
        self.by_last_valid = self.by_last_valid.split_off(&version);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_stays_until_its_interval_is_over() {
        let mut replay = ReplaySet::default();
        let id = TransactionId([1; 32]);
        replay.advance(5, [(id, 6)].into_iter());
        assert!(replay.contains(&id) && replay.contains_until(&id, 6) && !replay.contains_until(&id, 7));
        replay.advance(6, std::iter::empty());
        assert_eq!(replay.entries(), [(id, 6)]);
        replay.advance(7, std::iter::empty());
        assert!(replay.is_empty() && !replay.contains(&id));
    }
}
