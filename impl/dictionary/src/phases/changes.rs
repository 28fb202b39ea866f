//! Changes of a block: for each key that it names its value before and after, and what they do to
//! the array (`aardvark_spec::dictionary::changes`).

use std::collections::BTreeMap;

use aardvark_algebra::integers::u64_of_usize;

use crate::data::bytes::{Key, Value};
use crate::state::array::{Draft, DraftError, Slots};

/// What a block changes, net per key. Each group is in ascending key order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NetChanges {
    /// Present before and after, with another value.
    pub updates: Vec<(Key, Value)>,
    /// Absent before, present after.
    pub inserts: Vec<(Key, Value)>,
    /// Present before, absent after.
    pub deletes: Vec<Key>,
}

impl NetChanges {
    /// Number of keys that change.
    pub fn count(&self) -> usize {
        self.updates.len() + self.inserts.len() + self.deletes.len()
    }

    /// Number of slots after the changes, of an array with `size` slots.
    pub fn size_after(&self, size: u64) -> u64 {
        size.saturating_add(u64_of_usize(self.inserts.len())).saturating_sub(u64_of_usize(self.deletes.len()))
    }

    /// Files one key's change under its kind; keys must come in ascending order.
    pub fn push(&mut self, key: &Key, before: Option<&Value>, after: Option<&Value>) {
        self.push_as(NetChange::of(before, after), key, after);
    }

    /// Files one key's change, which comes to this, under its kind.
    pub(crate) fn push_as(&mut self, change: Option<NetChange>, key: &Key, after: Option<&Value>) {
        match (change, after) {
            (Some(NetChange::Update), Some(after)) => self.updates.push((key.clone(), after.clone())),
            (Some(NetChange::Insert), Some(after)) => self.inserts.push((key.clone(), after.clone())),
            (Some(NetChange::Delete), None) => self.deletes.push(key.clone()),
            _ => {}
        }
    }
}

/// What a key's change comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetChange {
    /// Present before and after, with another value.
    Update,
    /// Absent before, present after.
    Insert,
    /// Present before, absent after.
    Delete,
}

impl NetChange {
    /// Of a key with these values before and after; `None` where they are the same.
    pub fn of(before: Option<&Value>, after: Option<&Value>) -> Option<Self> {
        match (before, after) {
            (Some(before), Some(after)) => (before != after).then_some(Self::Update),
            (None, Some(_)) => Some(Self::Insert),
            (Some(_), None) => Some(Self::Delete),
            (None, None) => None,
        }
    }
}

impl<S: Slots> Draft<'_, S> {
    /// Applies a block's net changes: updates, then inserts, then deletes
    /// (`aardvark_spec::dictionary::changes::apply_changes`).
    ///
    /// # Errors
    /// [`DraftError`] where a needed slot is unknown; the draft is then of no use.
    pub fn apply(&mut self, changes: &NetChanges) -> Result<(), DraftError<S::Error>> {
        changes.updates.iter().try_for_each(|(key, value)| self.update(key, value))?;
        changes.inserts.iter().try_for_each(|(key, value)| self.insert(key, value))?;
        changes.deletes.iter().try_for_each(|key| self.delete(key))
    }
}

/// Values before and after the transactions that have run so far, by key
/// (`aardvark_spec::dictionary::changes::ChangeMap`).
#[derive(Debug, Default)]
pub(crate) struct ChangeMap {
    changes: BTreeMap<Key, Change>,
    inserted: u64,
    deleted: u64,
}

#[derive(Debug)]
struct Change {
    before: Option<Value>,
    after: Option<Value>,
}

impl Change {
    /// What the key adds to and takes from the number of slots.
    fn counts(&self) -> (u64, u64) {
        match (&self.before, &self.after) {
            (None, Some(_)) => (1, 0),
            (Some(_), None) => (0, 1),
            _ => (0, 0),
        }
    }
}

impl ChangeMap {
    /// The value that a key has now; the outer `None` says that no transaction has set it yet.
    pub(crate) fn after(&self, key: &Key) -> Option<&Option<Value>> {
        self.changes.get(key).map(|change| &change.after)
    }

    /// Sets a key's value; `before` is asked for its value before the block where no transaction
    /// has set it yet.
    pub(crate) fn put(&mut self, key: &Key, before: impl FnOnce() -> Option<Value>, after: Option<Value>) {
        let old = self.changes.remove(key);
        self.uncount(old.as_ref());
        let before = old.map_or_else(before, |change| change.before);
        let change = Change { before, after };
        let (inserted, deleted) = change.counts();
        self.inserted += inserted;
        self.deleted += deleted;
        self.changes.insert(key.clone(), change);
    }

    /// Takes a key out again, as if no transaction had set it.
    pub(crate) fn remove(&mut self, key: &Key) {
        let removed = self.changes.remove(key);
        self.uncount(removed.as_ref());
    }

    /// Number of slots after the transactions so far, of an array with `size` slots.
    pub(crate) fn size_after(&self, size: u64) -> u64 {
        size.saturating_add(self.inserted).saturating_sub(self.deleted)
    }

    /// The net effect of all transactions, per key.
    pub(crate) fn net_changes(self) -> NetChanges {
        let mut net = NetChanges::default();
        for (key, Change { before, after }) in self.changes {
            net.push(&key, before.as_ref(), after.as_ref());
        }
        net
    }

    fn uncount(&mut self, change: Option<&Change>) {
        if let Some((inserted, deleted)) = change.map(Change::counts) {
            self.inserted -= inserted;
            self.deleted -= deleted;
        }
    }
}

#[cfg(test)]
mod tests;
