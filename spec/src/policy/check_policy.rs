//! The policy of a chain, one of two kinds.

use crate::base::bytes::*;
use crate::block::transaction::*;
use crate::policy::accounts::*;
use crate::policy::policy_reason::*;
use crate::policy::publisher::*;
use crate::policy::signers::*;
use hacspec_lib::*;

/// Which signers may do which operations.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Balances that only their owners spend.
    PolicyAccounts(AccountsPolicy),
    /// The public keys of those who may write anything.
    PolicyPublisher(Seq<ByteString>),
}

/// Whether a policy lets the signers do a transaction; or the first rule that is broken.
pub fn check_policy(policy: &Policy, tx: &Transaction, signed_by: &Seq<Signer>) -> Result<(), PolicyReason> {
    match policy {
        Policy::PolicyAccounts(rule) => check_accounts(rule, tx, &signing_accounts(signed_by)),
        Policy::PolicyPublisher(publishers) => check_publisher(publishers, &public_keys_of(signed_by)),
    }
}
