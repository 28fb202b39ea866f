//! An ordinary map on which transactions run one after the other: what a block means
//! (docs/design.md, section 5). It is written without a look at specification or implementation.

use std::collections::BTreeMap;

use aardvark_dictionary::{Key, Operation, Value};

/// Keys and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrdinaryMap(pub BTreeMap<Key, Value>);

impl OrdinaryMap {
    /// Runs operations in order, all or nothing; whether they succeeded.
    pub fn run(&mut self, operations: &[Operation]) -> bool {
        let mut after = self.0.clone();
        let succeeded = operations.iter().all(|operation| step(&mut after, operation).is_some());
        if succeeded {
            self.0 = after;
        }
        succeeded
    }

    /// The value of a key.
    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.0.get(key)
    }
}

fn step(map: &mut BTreeMap<Key, Value>, operation: &Operation) -> Option<()> {
    match operation {
        Operation::Require(key, required) => (map.get(key) == required.as_ref()).then_some(()),
        Operation::Put(key, value) => {
            map.insert(key.clone(), value.clone());
            Some(())
        }
        Operation::Delete(key) => {
            map.remove(key);
            Some(())
        }
        Operation::Add(key, amount) => {
            let before = map.get(key).map_or(Some(0), number)?;
            map.insert(key.clone(), value_of_number(before.checked_add(*amount)?));
            Some(())
        }
        Operation::Sub(key, amount) => {
            let before = number(map.get(key)?)?;
            map.insert(key.clone(), value_of_number(before.checked_sub(*amount)?));
            Some(())
        }
    }
}

/// The number that a value of eight bytes holds.
pub fn number(value: &Value) -> Option<u64> {
    <[u8; 8]>::try_from(&**value).ok().map(u64::from_be_bytes)
}

/// The value that holds a number.
pub fn value_of_number(number: u64) -> Value {
    Value::from(number.to_be_bytes().as_slice())
}
