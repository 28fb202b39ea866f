//! Signers, as policies look at them: public keys and the accounts that they own.

use crate::base::bytes::*;
use hacspec_lib::*;

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

/// One step of [`is_listed`].
pub fn is_listed_step(found: bool, entry: &ByteString, k: &ByteString) -> bool {
    found || bytes_equal(entry, k)
}

/// Whether a public key, or an account, stands in a list.
pub fn is_listed(listed: &Seq<ByteString>, k: &ByteString) -> bool {
    let mut found = false;
    for i in 0..listed.len() {
        found = is_listed_step(found, &listed[i], k);
    }
    found
}
