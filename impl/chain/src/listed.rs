//! Lists of those who may sign.

use crate::code::TxCode;
use crate::signed::SignerSignature;

/// Whether somebody signed, and all who did are listed.
pub(crate) fn listed(signatures: &[SignerSignature], is_listed: impl Fn(&[u8; 32]) -> bool) -> Result<(), TxCode> {
    match signatures.iter().all(|signature| is_listed(&signature.public_key)) {
        _ if signatures.is_empty() => Err(TxCode::SignerMissing),
        true => Ok(()),
        false => Err(TxCode::SignerSuperfluous),
    }
}
