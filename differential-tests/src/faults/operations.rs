//! Faults in operations and in how much a transaction holds.

use aardvark_dictionary::{Block, Claim, Key, Operation, Slot, Value};

use super::pick::pick;
use super::surroundings::Surroundings;
use crate::plan::{Fault, FaultKind};
use crate::setting::{LONGEST_KEY, key_of};

/// Does a fault to one transaction.
pub(super) fn commit(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    let parameters = &around.builder.archive.setting().parameters;
    let limits = &parameters.limits;
    let Some(transaction) = pick(&mut block.transactions, fault.transaction) else {
        return;
    };
    match fault.kind {
        FaultKind::NoOperations => transaction.operations.clear(),
        FaultKind::ForeignKey => transaction.operations.push(Operation::Put(key_of(fault.how), Value::from("f"))),
        FaultKind::ManyOperations => fill(&mut transaction.operations, limits.transaction_operations),
        FaultKind::ManyClaims => {
            if transaction.claims.is_empty() {
                transaction.claims.push(Claim { position: 0, slot: Slot::lone_sentinel(), opening: [0; 48] });
            }
            fill(&mut transaction.claims, limits.transaction_claims);
        }
        FaultKind::ManyBytes => {
            let longest = Value::from(vec![9; usize::from(parameters.max_value_length)]);
            let wordy = Operation::Require(key_of(fault.how), Some(longest));
            for _ in 0..limits.transaction_operations.min(256) {
                if transaction.encoded_length() as u64 <= u64::from(limits.transaction_bytes) {
                    transaction.operations.push(wordy.clone());
                }
            }
            // Alone, so that the block's own limit, which is looked at first, does not hide it.
            block.transactions = vec![transaction.clone()];
        }
        _ => {
            if let Some(operation) = pick(&mut transaction.operations, fault.item) {
                *operation = faulty(operation, fault, parameters.max_value_length);
            }
        }
    }
}

/// Copies the last item until there is one more than the limit.
fn fill<T: Clone>(items: &mut Vec<T>, limit: u32) {
    let wanted = (limit as usize + 1).min(1024);
    if let Some(last) = items.last().cloned() {
        items.resize(wanted.max(items.len()), last);
    }
}

fn faulty(operation: &Operation, fault: &Fault, max_value_length: u16) -> Operation {
    let key = operation.key().clone();
    let long_key = || Key::from(vec![b'a'; usize::from(LONGEST_KEY) + 1 + usize::from(fault.how % 2) * 251]);
    let long_value = || Value::from(vec![1; usize::from(max_value_length) + 1]);
    match fault.kind {
        FaultKind::EmptyKey => with_key(operation, Key::empty()),
        FaultKind::LongOperationKey => with_key(operation, long_key()),
        FaultKind::LongOperationValue if fault.how.is_multiple_of(2) => Operation::Require(key, Some(long_value())),
        FaultKind::LongOperationValue => Operation::Put(key, long_value()),
        FaultKind::ZeroAmount if fault.how.is_multiple_of(2) => Operation::Add(key, 0),
        FaultKind::ZeroAmount => Operation::Sub(key, 0),
        _ => with_key(operation, key_of(fault.how)),
    }
}

fn with_key(operation: &Operation, key: Key) -> Operation {
    match operation {
        Operation::Require(_, value) => Operation::Require(key, value.clone()),
        Operation::Put(_, value) => Operation::Put(key, value.clone()),
        Operation::Delete(_) => Operation::Delete(key),
        Operation::Add(_, amount) => Operation::Add(key, *amount),
        Operation::Sub(_, amount) => Operation::Sub(key, *amount),
    }
}
