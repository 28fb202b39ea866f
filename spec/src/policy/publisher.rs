//! The policy `publisher`: the listed public keys may write anything, each of them alone.
//!
//! Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::policy::policy_reason::*;
use hacspec_lib::*;

/// One step of [`is_listed`].
pub fn is_listed_step(found: bool, listed_key: &ByteString, public_key: &ByteString) -> bool {
    found || bytes_equal(listed_key, public_key)
}

/// Whether a public key is a publisher's.
pub fn is_listed(publishers: &Seq<ByteString>, public_key: &ByteString) -> bool {
    let mut found = false;
    for i in 0..publishers.len() {
        found = is_listed_step(found, &publishers[i], public_key);
    }
    found
}

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
