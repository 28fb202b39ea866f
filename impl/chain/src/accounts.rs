//! The policy `accounts`: balances that only their owners spend, and fees
//! (`aardvark_spec::policy::accounts`).
//!
//! A key is the SHA-256 of its owner's public key, a value a balance. Operations are `Require`,
//! `Add`, `Sub`, and `Delete` right after the requirement that the balance is zero. Owners sign
//! what takes from them, `Sub` and `Delete`. In each transaction the sum of what is added equals
//! the sum of what is subtracted, so that the total supply never changes: the only operation that
//! could drop a balance is allowed on zeros only.
//!
//! Every transaction has somebody who pays: at least one `Sub`, and a [`Fee`] that is added to one
//! account.
//!
//! **No account holds less than the minimum**, which is decided without any state: whatever a
//! transaction does to an account, the last of its operations that changes it is an `Add` of at
//! least the minimum, after which the balance is at least that, since what an `Add` adds to is
//! never negative; or the `Delete`, after which there is no account. What no operation touches
//! stays as it was, and genesis begins so. An account of which something is to be left is therefore
//! paid back its minimum at the end: `Sub(payer, amount + fee + minimum) .. Add(payer, minimum)`.
//! The account of fees alone may hold less. So there are never more accounts than the supply
//! divided by the minimum, and that one.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_dictionary::{Genesis, Key, Operation, Transaction, Value};
use sha2::{Digest as _, Sha256};

use crate::code::TxCode;
use crate::fees::Fee;
use crate::genesis_error::ChainGenesisError;
use crate::signed::SignerSignature;

/// Bytes of an account's key.
const ACCOUNT_BYTES: usize = 32;

/// What the policy asks of transactions, as genesis says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accounts {
    /// What a transaction pays, and to whom.
    pub fee: Fee,
    /// The least that an account holds.
    pub minimum: u64,
}

/// The key of the account that a public key owns.
pub fn account_key(public_key: &[u8; 32]) -> Key {
    Key::from(account_id(public_key).as_slice())
}

/// The bytes of that key.
pub fn account_id(public_key: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(public_key).into()
}

impl Accounts {
    /// The key of the account that fees go to.
    pub fn fee_account(&self) -> Key {
        Key::from(self.fee.account.as_slice())
    }

    /// What genesis says, in the order of the fields, each of fixed width
    /// ([`Policy::encode`](crate::Policy::encode)).
    pub(crate) fn encode(&self) -> Vec<u8> {
        let Fee { account, base, byte, claim, operation } = self.fee;
        let numbers = [base, byte, claim, operation, self.minimum];
        account.into_iter().chain(numbers.into_iter().flat_map(u64::to_be_bytes)).collect()
    }

    pub(crate) fn check<O>(&self, transaction: &Transaction<O>, signatures: &[SignerSignature]) -> Result<(), TxCode> {
        let operations = &transaction.operations;
        if operations.iter().any(|operation| operation.key().len() != ACCOUNT_BYTES) {
            return Err(TxCode::KeyNotAccount);
        }
        let owners = owners(operations)?;
        if !operations.iter().any(|operation| matches!(operation, Operation::Sub(_, _))) {
            return Err(TxCode::PayerMissing);
        }
        if sums(operations).is_none_or(|(added, subtracted)| added != subtracted) {
            return Err(TxCode::SumsDiffer);
        }
        signed_by(&owners, signatures)?;
        if self.fee.paid(operations) < self.fee.of(transaction) {
            return Err(TxCode::FeeTooLow);
        }
        if self.keeps_minimum(operations) { Ok(()) } else { Err(TxCode::BelowMinimum) }
    }

    /// Whether each account, but that of fees, is left by an `Add` of at least the minimum, or
    /// deleted.
    fn keeps_minimum(&self, operations: &[Operation]) -> bool {
        let mut last: BTreeMap<&Key, &Operation> = BTreeMap::new();
        for operation in operations.iter().filter(|operation| !matches!(operation, Operation::Require(_, _))) {
            last.insert(operation.key(), operation);
        }
        last.into_iter().filter(|(key, _)| ***key != self.fee.account).all(|(_, operation)| match operation {
            Operation::Add(_, amount) => *amount >= self.minimum,
            operation => matches!(operation, Operation::Delete(_)),
        })
    }

    /// Genesis holds accounts with balances, none below the minimum, and among them that of fees;
    /// and nothing else.
    pub(crate) fn check_genesis(&self, genesis: &Genesis) -> Result<(), ChainGenesisError> {
        if self.minimum == 0 {
            return Err(ChainGenesisError::NoMinimum);
        }
        for (key, value) in genesis.entries() {
            let balance = balance(value).filter(|_| key.len() == ACCOUNT_BYTES);
            let balance = balance.ok_or_else(|| ChainGenesisError::NotAnAccount(key.clone()))?;
            if balance < self.minimum {
                return Err(ChainGenesisError::BelowMinimum(key.clone()));
            }
        }
        let fees = self.fee_account();
        let has_fees = genesis.entries().iter().any(|(key, _)| *key == fees);
        if has_fees { Ok(()) } else { Err(ChainGenesisError::NoFeeAccount(fees)) }
    }
}

/// Those from whom something is taken, who have to sign.
fn owners(operations: &[Operation]) -> Result<BTreeSet<Key>, TxCode> {
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
    Ok(owners)
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

/// The number that a value is; `None` where it has not eight bytes.
fn balance(value: &Value) -> Option<u64> {
    <[u8; 8]>::try_from(&**value).ok().map(u64::from_be_bytes)
}

#[cfg(test)]
mod tests;
