//! The ledger: values of the keys that a block names, as they were at t and as its transactions leave them
//! (`aardvark_spec::block::phases`).

use std::collections::BTreeMap;

use crate::data::bytes::{Key, Value};
use crate::data::operation::Operation;
use crate::data::rejection::Fault;
use crate::phases::program::{Program, Values};
use crate::state::array::NetChanges;

/// A key that a transaction names, with its value at version t.
pub type Resolved = (Key, Option<Value>);

/// Values before and after the transactions that have run so far.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: BTreeMap<Key, Entry>,
    inserted: u64,
    deleted: u64,
}

#[derive(Debug)]
struct Entry {
    before: Option<Value>,
    now: Option<Value>,
}

impl Entry {
    /// What the key adds to and takes from the number of slots.
    fn counts(&self) -> (u64, u64) {
        match (&self.before, &self.now) {
            (None, Some(_)) => (1, 0),
            (Some(_), None) => (0, 1),
            _ => (0, 0),
        }
    }
}

/// The values of one transaction's keys while it runs: nothing reaches the ledger unless all steps succeed.
struct Running<'a> {
    ledger: &'a Ledger,
    resolved: &'a [Resolved],
    set: BTreeMap<Key, Option<Value>>,
}

impl Values for Running<'_> {
    fn get(&self, key: &Key) -> Option<Value> {
        if let Some(value) = self.set.get(key) {
            return value.clone();
        }
        if let Some(entry) = self.ledger.entries.get(key) {
            return entry.now.clone();
        }
        before(self.resolved, key)
    }

    fn set(&mut self, key: &Key, value: Option<Value>) {
        self.set.insert(key.clone(), value);
    }
}

fn before(resolved: &[Resolved], key: &Key) -> Option<Value> {
    resolved.iter().find(|(named, _)| named == key).and_then(|(_, value)| value.clone())
}

impl Ledger {
    /// Runs one transaction, all or nothing, and gives what undoes it.
    pub(crate) fn run(&mut self, operations: &[Operation], resolved: &[Resolved]) -> Result<Undo, Fault> {
        let mut running = Running { ledger: self, resolved, set: BTreeMap::new() };
        operations.run(&mut running).map_err(|(index, reason)| match operations.get(index) {
            Some(operation) => Fault::operation(reason, index, operation.key()),
            None => Fault::whole(reason),
        })?;
        let set = running.set;
        let mut previous = Vec::with_capacity(set.len());
        for (key, now) in set {
            let earlier = self.entries.get(&key).map(|entry| entry.now.clone());
            self.put(&key, || before(resolved, &key), now);
            previous.push((key, earlier));
        }
        Ok(Undo(previous))
    }

    /// Takes back the transaction that ran last.
    pub(crate) fn undo(&mut self, undo: Undo) {
        for (key, earlier) in undo.0 {
            match earlier {
                Some(value) => self.put(&key, || None, value),
                None => {
                    let removed = self.entries.remove(&key);
                    self.uncount(removed.as_ref());
                }
            }
        }
    }

    /// Number of slots after the transactions so far, of an array with `size` slots.
    pub(crate) fn size_after(&self, size: u64) -> u64 {
        (size + self.inserted).saturating_sub(self.deleted)
    }

    /// The net effect of all transactions, per key.
    pub(crate) fn net_changes(self) -> NetChanges {
        let mut changes = NetChanges::default();
        for (key, Entry { before, now }) in self.entries {
            changes.push(key, before.as_ref(), now.as_ref());
        }
        changes
    }

    fn put(&mut self, key: &Key, before: impl FnOnce() -> Option<Value>, now: Option<Value>) {
        let old = self.entries.remove(key);
        self.uncount(old.as_ref());
        let before = old.map_or_else(before, |entry| entry.before);
        let entry = Entry { before, now };
        let (inserted, deleted) = entry.counts();
        self.inserted += inserted;
        self.deleted += deleted;
        self.entries.insert(key.clone(), entry);
    }

    fn uncount(&mut self, entry: Option<&Entry>) {
        if let Some((inserted, deleted)) = entry.map(Entry::counts) {
            self.inserted -= inserted;
            self.deleted -= deleted;
        }
    }
}

/// What a transaction's keys held in the ledger before it ran; `None` where they did not stand there.
#[derive(Debug)]
pub(crate) struct Undo(Vec<(Key, Option<Option<Value>>)>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::rejection::Reason;

    fn put(key: &str, value: &str) -> Operation {
        Operation::Put(key.into(), value.into())
    }

    fn present(key: &str, value: &str) -> Resolved {
        (key.into(), Some(value.into()))
    }

    #[test]
    fn effects_are_net_per_key() {
        let mut ledger = Ledger::default();
        let resolved =
            [present("d", "1"), present("r", "1"), present("s", "1"), ("c".into(), None), ("n".into(), None)];
        let first = [Operation::Delete("d".into()), Operation::Delete("r".into()), put("c", "1"), put("n", "1")];
        let second = [put("r", "2"), Operation::Delete("n".into()), put("s", "1")];
        ledger.run(&first, &resolved).unwrap();
        ledger.run(&second, &resolved).unwrap();
        assert_eq!(ledger.size_after(10), 10);
        let changes = ledger.net_changes();
        assert_eq!(changes.updates, [("r".into(), "2".into())]);
        assert_eq!(changes.inserts, [("c".into(), "1".into())]);
        assert_eq!(changes.deletes, [Key::from("d")]);
    }

    #[test]
    fn a_transaction_that_fails_late_leaves_nothing() {
        let mut ledger = Ledger::default();
        let operations = [put("a", "1"), Operation::Require("b".into(), Some("x".into()))];
        let fault = ledger.run(&operations, &[("a".into(), None), ("b".into(), None)]).unwrap_err();
        assert_eq!(fault, Fault::operation(Reason::RequireFailed, 1, &"b".into()));
        assert_eq!(ledger.net_changes(), NetChanges::default());
    }

    #[test]
    fn undoing_a_transaction_restores_values_and_counts() {
        let mut ledger = Ledger::default();
        ledger.run(&[put("a", "1")], &[("a".into(), None)]).unwrap();
        let undo = ledger.run(&[Operation::Delete("a".into()), put("b", "1")], &[("b".into(), None)]).unwrap();
        assert_eq!(ledger.size_after(5), 6);
        ledger.undo(undo);
        assert_eq!(ledger.size_after(5), 6);
        assert_eq!(ledger.net_changes().inserts, [("a".into(), "1".into())]);
    }
}
