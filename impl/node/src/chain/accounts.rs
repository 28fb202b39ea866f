//! The policy `accounts`: money.
//!
//! A key is the SHA-256 of its owner's public key, a value a balance. Operations are `Require`, `Add`, `Sub`, and `Delete` right
//! after the requirement that the balance is zero. Owners sign what takes from them, `Sub` and `Delete`. In each transaction the sum of
//! what is added equals the sum of what is subtracted, so that the total supply never changes: the only operation
//! that could drop a balance is allowed on zeros only.

use std::collections::BTreeSet;

use aardvark_dictionary::{Genesis, Key, Operation, Transaction, Value};
use sha2::{Digest as _, Sha256};

use crate::chain::{ChainGenesisError, SignerSignature, TxCode};

/// Bytes of an account's key.
const ACCOUNT_BYTES: usize = 32;

/// The key of the account that a public key owns.
pub fn account_key(public_key: &[u8; 32]) -> Key {
    let digest: [u8; ACCOUNT_BYTES] = Sha256::digest(public_key).into();
    Key::from(digest.as_slice())
}

pub(super) fn check(transaction: &Transaction, signatures: &[SignerSignature]) -> Result<(), TxCode> {
    let operations = &transaction.operations;
    if operations.iter().any(|operation| operation.key().len() != ACCOUNT_BYTES) {
        return Err(TxCode::KeyNotAccount);
    }
    let mut owners = BTreeSet::new();
    let mut previous = None;
    for operation in operations {
        match operation {
            Operation::Require(_, _) | Operation::Add(_, _) => {}
            Operation::Sub(key, _) => {
                owners.insert(key.clone());
            }
            Operation::Delete(key) => {
                if !previous.is_some_and(|previous| requires_zero(previous, key)) {
                    return Err(TxCode::DeleteUnguarded);
                }
                owners.insert(key.clone());
            }
            Operation::Put(_, _) => return Err(TxCode::OperationForbidden),
        }
        previous = Some(operation);
    }
    if sums(operations).is_none_or(|(added, subtracted)| added != subtracted) {
        return Err(TxCode::SumsDiffer);
    }
    signed_by(&owners, signatures)
}

/// The signers are the owners, no more and no fewer.
fn signed_by(owners: &BTreeSet<Key>, signatures: &[SignerSignature]) -> Result<(), TxCode> {
    let signers: BTreeSet<Key> = signatures.iter().map(|signature| account_key(&signature.public_key)).collect();
    if !owners.is_subset(&signers) {
        return Err(TxCode::SignerMissing);
    }
    if signers.len() > owners.len() { Err(TxCode::SignerSuperfluous) } else { Ok(()) }
}

/// What is added and what is subtracted; `None` where 128 bits are too few.
fn sums(operations: &[Operation]) -> Option<(u128, u128)> {
    let (mut added, mut subtracted) = (0u128, 0u128);
    for operation in operations {
        match operation {
            Operation::Add(_, amount) => added = added.checked_add((*amount).into())?,
            Operation::Sub(_, amount) => subtracted = subtracted.checked_add((*amount).into())?,
            _ => {}
        }
    }
    Some((added, subtracted))
}

fn requires_zero(operation: &Operation, key: &Key) -> bool {
    matches!(operation, Operation::Require(required, Some(value)) if required == key && **value == [0; 8])
}

/// Genesis holds accounts with balances, and nothing else.
pub(super) fn check_genesis(genesis: &Genesis) -> Result<(), ChainGenesisError> {
    let is_account = |(key, value): &&(Key, Value)| key.len() == ACCOUNT_BYTES && value.len() == 8;
    match genesis.entries().iter().find(|entry| !is_account(entry)) {
        Some((key, _)) => Err(ChainGenesisError::NotAnAccount(key.clone())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn owner(seed: u8) -> [u8; 32] {
        [seed; 32]
    }

    fn account(seed: u8) -> Key {
        account_key(&owner(seed))
    }

    fn check_of(operations: Vec<Operation>, signers: &[u8]) -> Result<(), TxCode> {
        let transaction = Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] };
        let signer = |seed: &u8| SignerSignature { public_key: owner(*seed), signature: [0; 64] };
        check(&transaction, &signers.iter().map(signer).collect::<Vec<_>>())
    }

    fn sub(seed: u8, amount: u64) -> Operation {
        Operation::Sub(account(seed), amount)
    }

    fn add(seed: u8, amount: u64) -> Operation {
        Operation::Add(account(seed), amount)
    }

    fn zero(seed: u8) -> Operation {
        Operation::Require(account(seed), Some([0; 8].as_slice().into()))
    }

    #[test]
    fn a_payment_is_signed_by_who_pays_and_by_nobody_else() {
        assert_eq!(check_of(vec![sub(1, 5), add(2, 5)], &[1]), Ok(()));
        assert_eq!(check_of(vec![sub(1, 5), add(2, 5)], &[]), Err(TxCode::SignerMissing));
        assert_eq!(check_of(vec![sub(1, 5), add(2, 5)], &[2]), Err(TxCode::SignerMissing));
        assert_eq!(check_of(vec![sub(1, 5), add(2, 5)], &[1, 2]), Err(TxCode::SignerSuperfluous));
        assert_eq!(check_of(vec![sub(1, 5), sub(3, 5), add(2, 10)], &[1]), Err(TxCode::SignerMissing));
    }

    #[test]
    fn nothing_is_made_and_nothing_is_lost() {
        assert_eq!(check_of(vec![sub(1, 5), add(2, 6)], &[1]), Err(TxCode::SumsDiffer));
        assert_eq!(check_of(vec![sub(1, 6), add(2, 5)], &[1]), Err(TxCode::SumsDiffer));
        // 2^64 + 1 added against 1 subtracted: equal in 64 bits only.
        let wraps = vec![sub(1, 1), add(2, u64::MAX), add(3, 2)];
        assert_eq!(check_of(wraps, &[1]), Err(TxCode::SumsDiffer));
        let put = Operation::Put(account(1), [255; 8].as_slice().into());
        assert_eq!(check_of(vec![put], &[1]), Err(TxCode::OperationForbidden));
    }

    #[test]
    fn an_account_is_deleted_only_right_after_the_requirement_that_it_is_zero() {
        let delete = || Operation::Delete(account(1));
        assert_eq!(check_of(vec![sub(1, 5), zero(1), delete(), add(2, 5)], &[1]), Ok(()));
        assert_eq!(check_of(vec![zero(1), delete()], &[]), Err(TxCode::SignerMissing));
        let unguarded = [
            vec![delete()],
            vec![zero(2), delete()],
            vec![zero(1), add(1, 5), delete(), sub(3, 5)],
            vec![Operation::Require(account(1), None), delete()],
            vec![Operation::Require(account(1), Some("".into())), delete()],
        ];
        for operations in unguarded {
            assert_eq!(check_of(operations, &[1, 3]), Err(TxCode::DeleteUnguarded));
        }
    }

    #[test]
    fn every_key_is_an_account() {
        let short = |operation: fn(Key) -> Operation| check_of(vec![operation("k".into())], &[]);
        assert_eq!(short(|key| Operation::Require(key, None)), Err(TxCode::KeyNotAccount));
        assert_eq!(short(|key| Operation::Add(key, 1)), Err(TxCode::KeyNotAccount));
        assert_eq!(short(|key| Operation::Sub(key, 1)), Err(TxCode::KeyNotAccount));
        assert_eq!(short(Operation::Delete), Err(TxCode::KeyNotAccount));
    }

    /// Runs operations on balances as the dictionary does, all or nothing (`docs/format.md`, Operations).
    fn run(balances: &BTreeMap<Key, u64>, operations: &[Operation]) -> Option<BTreeMap<Key, u64>> {
        let mut balances = balances.clone();
        for operation in operations {
            let now = balances.get(operation.key()).copied();
            let after = match operation {
                Operation::Require(_, value) => {
                    let holds = value.as_deref().map(|value| value.to_vec()) == now.map(|n| n.to_be_bytes().to_vec());
                    if !holds {
                        return None;
                    }
                    now
                }
                Operation::Add(_, amount) => Some(now.unwrap_or(0).checked_add(*amount)?),
                Operation::Sub(_, amount) => Some(now?.checked_sub(*amount)?),
                Operation::Delete(_) => None,
                Operation::Put(_, value) => Some(u64::from_be_bytes(value.to_vec().try_into().ok()?)),
            };
            match after {
                Some(after) => balances.insert(operation.key().clone(), after),
                None => balances.remove(operation.key()),
            };
        }
        Some(balances)
    }

    fn operation() -> impl Strategy<Value = Operation> {
        let amount = prop_oneof![1..5u64, Just(u64::MAX), Just(u64::MAX - 3)];
        (0..4u8, 0..6u8, amount).prop_map(|(seed, kind, amount)| match kind {
            0 => zero(seed),
            1 => Operation::Delete(account(seed)),
            2 => Operation::Put(account(seed), amount.to_be_bytes().as_slice().into()),
            3 | 4 => sub(seed, amount),
            _ => add(seed, amount),
        })
    }

    /// Half of the cases: a payment and its like, which pass more often than random operations do.
    fn operations() -> impl Strategy<Value = Vec<Operation>> {
        let payment = (0..4u8, 0..4u8, 1..5u64, any::<bool>()).prop_map(|(from, to, amount, close)| {
            let mut operations = vec![sub(from, amount)];
            if close {
                operations.extend([zero(from), Operation::Delete(account(from))]);
            }
            operations.push(add(to, amount));
            operations
        });
        prop_oneof![prop::collection::vec(operation(), 1..6), payment]
    }

    proptest! {
        #[test]
        fn whatever_passes_keeps_the_total_supply(
            transactions in prop::collection::vec(operations(), 1..20),
            balances in prop::collection::vec(0..10u64, 4),
        ) {
            let mut balances: BTreeMap<_, _> = (0..4u8).zip(balances).map(|(seed, n)| (account(seed), n)).collect();
            let supply = |balances: &BTreeMap<Key, u64>| balances.values().map(|n| u128::from(*n)).sum::<u128>();
            let before = supply(&balances);
            for operations in transactions {
                // With the signatures that it asks for.
                let takes = |operation: &&Operation| matches!(operation, Operation::Sub(_, _) | Operation::Delete(_));
                let owners: BTreeSet<_> = operations.iter().filter(takes).map(Operation::key).collect();
                let signers: Vec<u8> = (0..4).filter(|seed| owners.contains(&account(*seed))).collect();
                if check_of(operations.clone(), &signers).is_ok()
                    && let Some(after) = run(&balances, &operations)
                {
                    balances = after;
                }
                prop_assert_eq!(supply(&balances), before);
            }
        }
    }
}
