//! Who may write: the policy that genesis chooses (`docs/network.md`).

use std::collections::BTreeSet;

use aardvark_dictionary::{Genesis, Transaction};

use crate::chain::{Accounts, ChainGenesisError, SignerSignature, TxCode};

/// Which signers may do which operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Keys are hashes of public keys, values are balances: money that only its owner spends and nobody makes.
    Accounts(Accounts),
    /// These public keys may write anything, each of them alone: a package index. They pay nothing; the work
    /// of a block is limited for them too.
    Publisher(BTreeSet<[u8; 32]>),
}

impl Policy {
    /// Whether the signers may have this transaction done. **Whether their signatures are true is not looked at**:
    /// [`SignedTransaction::verify_signatures`](crate::chain::SignedTransaction::verify_signatures) comes after, since it costs more.
    ///
    /// A signer that is not asked for is refused: nobody may burden a transaction with further signatures on its way.
    ///
    /// # Errors
    /// The first rule that is broken, as its [`TxCode`].
    pub fn check(&self, transaction: &Transaction, signatures: &[SignerSignature]) -> Result<(), TxCode> {
        match self {
            Self::Accounts(accounts) => accounts.check(transaction, signatures),
            Self::Publisher(keys) => {
                if signatures.is_empty() {
                    return Err(TxCode::SignerMissing);
                }
                let all_listed = signatures.iter().all(|signature| keys.contains(&signature.public_key));
                if all_listed { Ok(()) } else { Err(TxCode::SignerSuperfluous) }
            }
        }
    }

    /// What the policy `accounts` asks, where it is that one.
    pub fn accounts(&self) -> Option<&Accounts> {
        match self {
            Self::Accounts(accounts) => Some(accounts),
            Self::Publisher(_) => None,
        }
    }

    /// Whether a chain with this policy can begin with this content.
    ///
    /// # Errors
    /// [`ChainGenesisError`] names the key that cannot be there.
    pub(super) fn check_genesis(&self, genesis: &Genesis) -> Result<(), ChainGenesisError> {
        match self {
            Self::Accounts(accounts) => accounts.check_genesis(genesis),
            Self::Publisher(keys) if keys.is_empty() => Err(ChainGenesisError::NoPublisher),
            Self::Publisher(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::Operation;

    use super::*;

    #[test]
    fn a_publisher_writes_anything_and_nobody_else_anything() {
        let policy = Policy::Publisher(BTreeSet::from([[1; 32], [2; 32]]));
        let operations = vec![Operation::Put("k".into(), "v".into()), Operation::Delete("l".into())];
        let transaction = Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] };
        let check = |keys: &[u8]| {
            let signer = |key: &u8| SignerSignature { public_key: [*key; 32], signature: [0; 64] };
            policy.check(&transaction, &keys.iter().map(signer).collect::<Vec<_>>())
        };
        assert_eq!(check(&[1]), Ok(()));
        assert_eq!(check(&[1, 2]), Ok(()));
        assert_eq!(check(&[]), Err(TxCode::SignerMissing));
        assert_eq!(check(&[3]), Err(TxCode::SignerSuperfluous));
        assert_eq!(check(&[1, 3]), Err(TxCode::SignerSuperfluous));
    }
}
