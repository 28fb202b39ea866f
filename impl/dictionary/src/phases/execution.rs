//! Phase 9: running the operations (`aardvark_spec::block::execution`, docs/design.md, section 5,
//! Operations).
//!
//! [`Operation`]s are the program that transactions carry. Others plug in behind [`Program`]:
//! whatever names its keys up front and turns current values into new ones, all or nothing. Current
//! is what the block's latest operation on a key left, or else what resolution found.

use std::collections::BTreeMap;

use crate::data::bytes::{Key, Value};
use crate::data::operation::{Operation, number_of_value, value_of_number};
use crate::data::rejection::{Fault, Reason, Rejection};
use crate::data::transaction::Transaction;
use crate::phases::changes::ChangeMap;
use crate::phases::resolution::Contents;

/// Current values of the keys that a program names.
pub trait Values {
    /// The value of a key, or absent.
    fn get(&self, key: &Key) -> Option<Value>;

    /// Sets a key's value, or with `None` removes it.
    fn set(&mut self, key: &Key, value: Option<Value>);
}

/// Something that reads and writes values of keys it names up front.
pub trait Program {
    /// Runs on current values.
    ///
    /// # Errors
    /// The reason and the index of the step that fails; the caller then discards what was set.
    fn run(&self, values: &mut dyn Values) -> Result<(), (usize, Reason)>;
}

impl Program for [Operation] {
    fn run(&self, values: &mut dyn Values) -> Result<(), (usize, Reason)> {
        self.iter()
            .enumerate()
            .try_for_each(|(index, operation)| run_action(operation, values).map_err(|reason| (index, reason)))
    }
}

fn run_action(operation: &Operation, values: &mut dyn Values) -> Result<(), Reason> {
    match operation {
        Operation::Require(key, required) if values.get(key) == *required => {}
        Operation::Require(_, _) => return Err(Reason::RequireFailed),
        Operation::Put(key, value) => values.set(key, Some(value.clone())),
        Operation::Delete(key) => values.set(key, None),
        Operation::Add(key, amount) => {
            let sum = match values.get(key) {
                None => *amount,
                Some(value) => number_of_value(&value)?.checked_add(*amount).ok_or(Reason::Overflow)?,
            };
            values.set(key, Some(value_of_number(sum)));
        }
        Operation::Sub(key, amount) => {
            let value = values.get(key).ok_or(Reason::AbsentKey)?;
            let difference = number_of_value(&value)?.checked_sub(*amount).ok_or(Reason::Underflow)?;
            values.set(key, Some(value_of_number(difference)));
        }
    }
    Ok(())
}

/// The values of one transaction's keys while it runs: nothing reaches the changes unless all steps
/// succeed.
struct Running<'a> {
    changes: &'a ChangeMap,
    contents: &'a [(Key, Option<Value>)],
    set: BTreeMap<Key, Option<Value>>,
}

impl Values for Running<'_> {
    fn get(&self, key: &Key) -> Option<Value> {
        if let Some(value) = self.set.get(key) {
            return value.clone();
        }
        if let Some(value) = self.changes.after(key) {
            return value.clone();
        }
        before(self.contents, key)
    }

    fn set(&mut self, key: &Key, value: Option<Value>) {
        self.set.insert(key.clone(), value);
    }
}

fn before(contents: &[(Key, Option<Value>)], key: &Key) -> Option<Value> {
    contents.iter().find(|(named, _)| named == key).and_then(|(_, value)| value.clone())
}

/// What a transaction's keys held in the changes before it ran; `None` where no transaction had set
/// them.
#[derive(Debug)]
pub(crate) struct Undo(Vec<(Key, Option<Option<Value>>)>);

impl Undo {
    /// Takes back the transaction that ran last.
    pub(crate) fn take_back(self, changes: &mut ChangeMap) {
        for (key, earlier) in self.0 {
            match earlier {
                Some(value) => changes.put(&key, || None, value),
                None => changes.remove(&key),
            }
        }
    }
}

/// Phase 9 for one transaction: runs it, all or nothing, and gives what undoes it.
pub(crate) fn run_operations(
    changes: &mut ChangeMap,
    operations: &[Operation],
    contents: &[(Key, Option<Value>)],
) -> Result<Undo, Fault> {
    let mut running = Running { changes, contents, set: BTreeMap::new() };
    operations.run(&mut running).map_err(|(index, reason)| match operations.get(index) {
        Some(operation) => Fault::operation(reason, index, operation.key()),
        None => Fault::whole(reason),
    })?;
    let set = running.set;
    let mut previous = Vec::with_capacity(set.len());
    for (key, now) in set {
        let earlier = changes.after(&key).cloned();
        changes.put(&key, || before(contents, &key), now);
        previous.push((key, earlier));
    }
    Ok(Undo(previous))
}

/// Phase 9 for a block, whose transactions' keys had these contents at t.
pub(crate) fn run_block<O>(transactions: &[Transaction<O>], resolved: &[Contents]) -> Result<ChangeMap, Rejection> {
    let mut changes = ChangeMap::default();
    for (index, (transaction, contents)) in transactions.iter().zip(resolved).enumerate() {
        run_operations(&mut changes, &transaction.operations, contents)
            .map_err(|fault| Rejection::in_transaction(index, fault))?;
    }
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::operation::value_of_number;
    use crate::phases::changes::NetChanges;

    impl Values for BTreeMap<Key, Value> {
        fn get(&self, key: &Key) -> Option<Value> {
            BTreeMap::get(self, key).cloned()
        }

        fn set(&mut self, key: &Key, value: Option<Value>) {
            match value {
                Some(value) => drop(self.insert(key.clone(), value)),
                None => drop(self.remove(key)),
            }
        }
    }

    fn run(operations: &[Operation]) -> Result<BTreeMap<Key, Value>, (usize, Reason)> {
        let mut values = BTreeMap::from([("n".into(), value_of_number(5)), ("t".into(), "text".into())]);
        operations.run(&mut values).map(|()| values)
    }

    #[test]
    fn an_absent_key_counts_as_zero_for_add_and_fails_sub() {
        assert_eq!(run(&[Operation::Add("x".into(), 3)]).unwrap()[b"x".as_slice()], value_of_number(3));
        assert_eq!(run(&[Operation::Sub("x".into(), 3)]), Err((0, Reason::AbsentKey)));
    }

    #[test]
    fn zero_stays_as_a_value() {
        assert_eq!(run(&[Operation::Sub("n".into(), 5)]).unwrap()[b"n".as_slice()], value_of_number(0));
    }

    #[test]
    fn arithmetic_that_leaves_eight_bytes_fails() {
        assert_eq!(run(&[Operation::Add("n".into(), u64::MAX)]), Err((0, Reason::Overflow)));
        assert_eq!(run(&[Operation::Sub("n".into(), 6)]), Err((0, Reason::Underflow)));
        assert_eq!(run(&[Operation::Add("t".into(), 1)]), Err((0, Reason::NotANumber)));
    }

    #[test]
    fn a_payment_that_empties_an_account_is_aborted_by_a_deposit() {
        let payment = |deposit: &[Operation]| {
            let empties = [
                Operation::Sub("n".into(), 5),
                Operation::Require("n".into(), Some(value_of_number(0))),
                Operation::Delete("n".into()),
                Operation::Add("b".into(), 5),
            ];
            run(&[deposit, &empties].concat())
        };
        assert_eq!(payment(&[]).unwrap().get(b"n".as_slice()), None);
        assert_eq!(payment(&[Operation::Add("n".into(), 1)]), Err((2, Reason::RequireFailed)));
    }

    #[test]
    fn a_requirement_of_absence_holds_only_for_absent_keys() {
        assert!(run(&[Operation::Require("x".into(), None)]).is_ok());
        assert_eq!(run(&[Operation::Require("n".into(), None)]), Err((0, Reason::RequireFailed)));
        assert_eq!(run(&[Operation::Delete("x".into()), Operation::Require("x".into(), None)]).map(|_| ()), Ok(()));
    }

    fn put(key: &str, value: &str) -> Operation {
        Operation::Put(key.into(), value.into())
    }

    fn present(key: &str, value: &str) -> (Key, Option<Value>) {
        (key.into(), Some(value.into()))
    }

    #[test]
    fn effects_are_net_per_key() {
        let mut changes = ChangeMap::default();
        let resolved =
            [present("d", "1"), present("r", "1"), present("s", "1"), ("c".into(), None), ("n".into(), None)];
        let first = [Operation::Delete("d".into()), Operation::Delete("r".into()), put("c", "1"), put("n", "1")];
        let second = [put("r", "2"), Operation::Delete("n".into()), put("s", "1")];
        run_operations(&mut changes, &first, &resolved).unwrap();
        run_operations(&mut changes, &second, &resolved).unwrap();
        assert_eq!(changes.size_after(10), 10);
        let net = changes.net_changes();
        assert_eq!(net.updates, [("r".into(), "2".into())]);
        assert_eq!(net.inserts, [("c".into(), "1".into())]);
        assert_eq!(net.deletes, [Key::from("d")]);
    }

    #[test]
    fn a_transaction_that_fails_late_leaves_nothing() {
        let mut changes = ChangeMap::default();
        let operations = [put("a", "1"), Operation::Require("b".into(), Some("x".into()))];
        let fault = run_operations(&mut changes, &operations, &[("a".into(), None), ("b".into(), None)]).unwrap_err();
        assert_eq!(fault, Fault::operation(Reason::RequireFailed, 1, &"b".into()));
        assert_eq!(changes.net_changes(), NetChanges::default());
    }

    #[test]
    fn undoing_a_transaction_restores_values_and_counts() {
        let mut changes = ChangeMap::default();
        run_operations(&mut changes, &[put("a", "1")], &[("a".into(), None)]).unwrap();
        let undo = run_operations(&mut changes, &[Operation::Delete("a".into()), put("b", "1")], &[("b".into(), None)])
            .unwrap();
        assert_eq!(changes.size_after(5), 6);
        undo.take_back(&mut changes);
        assert_eq!(changes.size_after(5), 6);
        assert_eq!(changes.net_changes().inserts, [("a".into(), "1".into())]);
    }
}
