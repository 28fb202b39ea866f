//! The policy of a chain, one of two kinds.

use crate::base::bytes::*;
use crate::block::transaction::*;
use crate::policy::accounts::*;
use crate::policy::policy_reason::*;
use crate::policy::publisher::*;
use hacspec_lib::*;

/// Which signers may do which operations.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Balances that only their owners spend.
    PolicyAccounts(AccountsPolicy),
    /// The public keys of those who may write anything.
    PolicyPublisher(Seq<ByteString>),
}

/// A signer: a public key and the account that it owns, the key's SHA-256.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signer {
    /// The public key, 32 bytes.
    pub signer_public_key: ByteString,
    /// The account, 32 bytes.
    pub signer_account: ByteString,
}

/// One step of [`signing_accounts`].
pub fn signing_accounts_step(found_accounts: Seq<ByteString>, signer: &Signer) -> Seq<ByteString> {
    found_accounts.push_owned(signer.signer_account.clone())
}

/// The accounts of signers.
pub fn signing_accounts(signed_by: &Seq<Signer>) -> Seq<ByteString> {
    let mut found_accounts = Seq::<ByteString>::new(0);
    for i in 0..signed_by.len() {
        found_accounts = signing_accounts_step(found_accounts, &signed_by[i]);
    }
    found_accounts
}

/// One step of [`public_keys_of`].
pub fn public_keys_of_step(found_keys: Seq<ByteString>, signer: &Signer) -> Seq<ByteString> {
    found_keys.push_owned(signer.signer_public_key.clone())
}

/// The public keys of signers.
pub fn public_keys_of(signed_by: &Seq<Signer>) -> Seq<ByteString> {
    let mut found_keys = Seq::<ByteString>::new(0);
    for i in 0..signed_by.len() {
        found_keys = public_keys_of_step(found_keys, &signed_by[i]);
    }
    found_keys
}

/// Whether a policy lets the signers do a transaction; or the first rule that is broken.
pub fn check_policy(policy: &Policy, tx: &Transaction, signed_by: &Seq<Signer>) -> Result<(), PolicyReason> {
    match policy {
        Policy::PolicyAccounts(rule) => check_accounts(rule, tx, &signing_accounts(signed_by)),
        Policy::PolicyPublisher(publishers) => check_publisher(publishers, &public_keys_of(signed_by)),
    }
}
