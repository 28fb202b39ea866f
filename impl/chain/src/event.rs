//! The events of a transaction, by which CometBFT's index finds it: by our id, by who signed it,
//! and by the accounts that it changes.
//!
//! A block's bytes are not the submitted ones, so the hash that CometBFT gives a submitted
//! transaction finds nothing; the hash of the bytes in the block does
//! ([`SignedTransaction::block_hash`](crate::SignedTransaction::block_hash)). Events are bounded in
//! number, whatever a transaction does.

use aardvark_dictionary::{Key, Operation, Transaction, TransactionId};

use crate::code::TxCode;
use crate::policy::Policy;
use crate::signed::SignerSignature;

/// The type of the event that every transaction has.
pub const EVENT_TYPE: &str = "aardvark";
/// The attribute with the transaction's id, hexadecimal without prefix.
pub const ID_ATTRIBUTE: &str = "id";
/// The attribute with the name of the [`TxCode`].
pub const OUTCOME_ATTRIBUTE: &str = "outcome";
/// The attribute with a signer's public key, hexadecimal without prefix; once for each of the first
/// [`MOST_SIGNERS`]. Under the policy `board` those who signed its posts.
pub const SIGNER_ATTRIBUTE: &str = "signer";
/// The type of the event of each of the first [`MOST_TRANSFERS`] changes of an account, where it is
/// applied.
pub const TRANSFER_TYPE: &str = "transfer";
/// The attribute of a transfer with the account that changes, hexadecimal without prefix.
pub const ACCOUNT_ATTRIBUTE: &str = "account";
/// The same account once more, where it pays.
pub const FROM_ATTRIBUTE: &str = "from";
/// The same account once more, where it is paid.
pub const TO_ATTRIBUTE: &str = "to";
/// The attribute of a transfer with how much, decimal; not indexed.
pub const AMOUNT_ATTRIBUTE: &str = "amount";

/// Signers of a transaction that its event names.
pub const MOST_SIGNERS: usize = 8;
/// Transfers of a transaction that have an event.
pub const MOST_TRANSFERS: usize = 32;

/// An event as CometBFT takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its type.
    pub kind: &'static str,
    /// Its attributes, in order.
    pub attributes: Vec<Attribute>,
}

/// An attribute of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// Whether it can be searched for.
    pub indexed: bool,
}

/// What events tell of a transaction of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    id: TransactionId,
    signers: Vec<[u8; 32]>,
    transfers: Vec<Transfer>,
}

/// A change of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Transfer {
    account: Key,
    is_paid: bool,
    amount: u64,
}

impl Notice {
    /// What is told of a transaction with this id. Transfers are those of accounts: other policies
    /// have none.
    pub fn of<O>(
        id: TransactionId,
        transaction: &Transaction<O>,
        signatures: &[SignerSignature],
        policy: &Policy,
    ) -> Self {
        let transfer = |operation: &Operation| match operation {
            Operation::Add(key, amount) => Some(Transfer { account: key.clone(), is_paid: true, amount: *amount }),
            Operation::Sub(key, amount) => Some(Transfer { account: key.clone(), is_paid: false, amount: *amount }),
            _ => None,
        };
        let has_accounts = policy.accounts().is_some();
        let operations = transaction.operations.iter().filter(|_| has_accounts);
        Self {
            id,
            signers: policy.signers(transaction, signatures).into_iter().take(MOST_SIGNERS).collect(),
            transfers: operations.filter_map(transfer).take(MOST_TRANSFERS).collect(),
        }
    }

    /// The events of the transaction once its outcome is known: `aardvark.id='…'` finds it. What is
    /// not applied moves nothing.
    pub fn events(&self, outcome: TxCode) -> Vec<Event> {
        let named = [(ID_ATTRIBUTE, hex::encode(self.id.0)), (OUTCOME_ATTRIBUTE, outcome.name().to_owned())];
        let signers = self.signers.iter().map(|signer| (SIGNER_ATTRIBUTE, hex::encode(signer)));
        let attributes = named.into_iter().chain(signers).map(|(key, value)| indexed(key, value)).collect();
        let transfers = self.transfers.iter().filter(|_| outcome == TxCode::Applied).map(Transfer::event);
        std::iter::once(Event { kind: EVENT_TYPE, attributes }).chain(transfers).collect()
    }
}

impl Transfer {
    fn event(&self) -> Event {
        let account = hex::encode(&*self.account);
        let side = if self.is_paid { TO_ATTRIBUTE } else { FROM_ATTRIBUTE };
        let amount = Attribute { key: AMOUNT_ATTRIBUTE, value: self.amount.to_string(), indexed: false };
        let attributes = vec![indexed(ACCOUNT_ATTRIBUTE, account.clone()), indexed(side, account), amount];
        Event { kind: TRANSFER_TYPE, attributes }
    }
}

fn indexed(key: &'static str, value: String) -> Attribute {
    Attribute { key, value, indexed: true }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn payment(payees: u8) -> Transaction {
        let account = |seed: u8| Key::from([seed; 32].as_slice());
        let paid = (0..payees).map(|seed| Operation::Add(account(seed), 2));
        let operations = std::iter::once(Operation::Sub(account(255), 2 * u64::from(payees))).chain(paid).collect();
        Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: Vec::new() }
    }

    fn signatures(count: u8) -> Vec<SignerSignature> {
        (0..count).map(|seed| SignerSignature { public_key: [seed; 32], signature: [0; 64] }).collect()
    }

    fn publisher() -> Policy {
        Policy::Publisher(BTreeSet::from([[0; 32]]))
    }

    #[test]
    fn events_are_bounded_whatever_a_transaction_does() {
        let notice = Notice {
            transfers: (0..100).map(|amount| Transfer { account: Key::default(), is_paid: true, amount }).collect(),
            ..Notice::of(TransactionId([1; 32]), &payment(200), &signatures(200), &publisher())
        };
        assert_eq!(notice.events(TxCode::Applied)[0].attributes.len(), 2 + MOST_SIGNERS);
        assert_eq!(notice.events(TxCode::BlockRefused).len(), 1);
    }

    #[test]
    fn other_policies_than_accounts_have_no_transfers() {
        let notice = Notice::of(TransactionId([1; 32]), &payment(3), &signatures(1), &publisher());
        let events = notice.events(TxCode::Applied);
        assert_eq!(events.len(), 1);
        let keys: Vec<_> = events[0].attributes.iter().map(|attribute| attribute.key).collect();
        assert_eq!(keys, [ID_ATTRIBUTE, OUTCOME_ATTRIBUTE, SIGNER_ATTRIBUTE]);
    }
}
