//! Programs: what a transaction does to current values (`aardvark_spec::block::map`, design section 5, Operations).
//!
//! [`Operation`]s are the program that transactions carry. Others plug in behind [`Program`]: whatever names its keys
//! up front and turns current values into new ones, all or nothing.

use crate::data::bytes::{Key, Value};
use crate::data::operation::Operation;
use crate::data::rejection::Reason;

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
            .try_for_each(|(index, operation)| step(operation, values).map_err(|reason| (index, reason)))
    }
}

fn step(operation: &Operation, values: &mut dyn Values) -> Result<(), Reason> {
    match operation {
        Operation::Require(key, required) if values.get(key) == *required => {}
        Operation::Require(_, _) => return Err(Reason::RequireFailed),
        Operation::Put(key, value) => values.set(key, Some(value.clone())),
        Operation::Delete(key) => values.set(key, None),
        Operation::Add(key, amount) => {
            let sum = match values.get(key) {
                None => *amount,
                Some(value) => number(&value)?.checked_add(*amount).ok_or(Reason::Overflow)?,
            };
            values.set(key, Some(number_value(sum)));
        }
        Operation::Sub(key, amount) => {
            let value = values.get(key).ok_or(Reason::AbsentKey)?;
            let difference = number(&value)?.checked_sub(*amount).ok_or(Reason::Underflow)?;
            values.set(key, Some(number_value(difference)));
        }
    }
    Ok(())
}

/// Reads an 8-byte big-endian integer.
///
/// # Errors
/// [`Reason::NotANumber`] for any other length.
pub fn number(value: &[u8]) -> Result<u64, Reason> {
    value.try_into().map(u64::from_be_bytes).map_err(|_| Reason::NotANumber)
}

/// The value that holds a number.
pub fn number_value(number: u64) -> Value {
    Value::from(number.to_be_bytes().as_slice())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

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
        let mut values = BTreeMap::from([("n".into(), number_value(5)), ("t".into(), "text".into())]);
        operations.run(&mut values).map(|()| values)
    }

    #[test]
    fn an_absent_key_counts_as_zero_for_add_and_fails_sub() {
        assert_eq!(run(&[Operation::Add("x".into(), 3)]).unwrap()[b"x".as_slice()], number_value(3));
        assert_eq!(run(&[Operation::Sub("x".into(), 3)]), Err((0, Reason::AbsentKey)));
    }

    #[test]
    fn zero_stays_as_a_value() {
        assert_eq!(run(&[Operation::Sub("n".into(), 5)]).unwrap()[b"n".as_slice()], number_value(0));
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
                Operation::Require("n".into(), Some(number_value(0))),
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
}
