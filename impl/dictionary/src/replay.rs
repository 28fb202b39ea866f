//! The replay set: identities of applied transactions that their interval would still let in
//! (`aardvark_spec::validator`, design section 5).

use std::collections::{BTreeMap, HashSet};

use crate::transaction::TransactionId;

/// Identities with the last version that could hold them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplaySet {
    ids: HashSet<TransactionId>,
    by_last_valid: BTreeMap<u64, Vec<TransactionId>>,
}

impl ReplaySet {
    /// Whether a transaction was applied and could be applied again.
    pub fn contains(&self, id: &TransactionId) -> bool {
        self.ids.contains(id)
    }

    /// How many identities are kept.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Identities with their `last_valid`, by `last_valid` and then by identity.
    pub fn entries(&self) -> Vec<(TransactionId, u64)> {
        let mut entries = Vec::with_capacity(self.ids.len());
        for (last_valid, ids) in &self.by_last_valid {
            let mut ids = ids.clone();
            ids.sort_unstable();
            entries.extend(ids.into_iter().map(|id| (id, *last_valid)));
        }
        entries
    }

    /// Enters the transactions of block `version`; those with `last_valid < version` leave.
    pub(crate) fn advance(&mut self, version: u64, applied: impl Iterator<Item = (TransactionId, u64)>) {
        for (id, last_valid) in applied {
            self.ids.insert(id);
            self.by_last_valid.entry(last_valid).or_default().push(id);
        }
        let kept = self.by_last_valid.split_off(&version);
        let expired = std::mem::replace(&mut self.by_last_valid, kept);
        for id in expired.into_values().flatten() {
            self.ids.remove(&id);
        }
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
        assert!(replay.contains(&id));
        replay.advance(6, std::iter::empty());
        assert_eq!(replay.entries(), [(id, 6)]);
        replay.advance(7, std::iter::empty());
        assert!(replay.is_empty() && !replay.contains(&id));
    }
}
