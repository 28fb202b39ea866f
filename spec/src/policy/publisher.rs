//! The policy `publisher`: the listed public keys may write anything, each of them alone.
//!
//! Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::policy::policy_reason::*;
use crate::policy::signers::*;
use hacspec_lib::*;

/// One step of [`all_listed`].
pub fn all_listed_step(all_are: bool, publishers: &Seq<ByteString>, public_key: &ByteString) -> bool {
    all_are && is_listed(publishers, public_key)
}

/// Whether all signers are publishers.
pub fn all_listed(publishers: &Seq<ByteString>, signing_keys: &Seq<ByteString>) -> bool {
    let mut all_are = true;
    for i in 0..signing_keys.len() {
        all_are = all_listed_step(all_are, publishers, &signing_keys[i]);
    }
    all_are
}

/// Whether the policy lets these public keys' owners do a transaction, whatever it does.
pub fn check_publisher(publishers: &Seq<ByteString>, signing_keys: &Seq<ByteString>) -> Result<(), PolicyReason> {
    if signing_keys.len() == 0 {
        Err(PolicyReason::SignerMissing)
    } else if all_listed(publishers, signing_keys) {
        Ok(())
    } else {
        Err(PolicyReason::SignerSuperfluous)
    }
}
