//! Who may write: the policy that genesis chooses (`docs/network.md`;
//! `aardvark_spec::policy::check_policy`).

use std::collections::BTreeSet;

use aardvark_aggregates::TableVerifier;
use aardvark_algebra::integers::u32_or_max;
use aardvark_commitment::CommitmentError;
use aardvark_dictionary::{DictionaryId, Genesis, Transaction};

use crate::accounts::Accounts;
use crate::board;
use crate::code::TxCode;
use crate::genesis_error::ChainGenesisError;
use crate::listed::listed;
use crate::signed::{SignerSignature, are_true};
use crate::table_certificate::TableCertificate;
use crate::tables;

/// The number of the encoding that [`Policy::encode`] writes: another field, another number.
const ENCODING: u8 = 1;

/// Which signers may do which operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Keys are hashes of public keys, values are balances: money that only its owner spends and
    /// nobody makes.
    Accounts(Accounts),
    /// These public keys may write anything, each of them alone: a package index. They pay nothing;
    /// the work of a block is limited for them too.
    Publisher(BTreeSet<[u8; 32]>),
    /// Tables of private rows, and nothing else, each written by those whom its schema lists
    /// ([`tables`]). They pay nothing either.
    Tables {
        /// The public keys of those who may create tables, each of them alone.
        creators: BTreeSet<[u8; 32]>,
    },
    /// Posts of mixnets' ceremonies, and nothing else, by those whom their organisers admit
    /// ([`board`]). They pay nothing either.
    Board {
        /// The public keys of those who may begin ceremonies.
        organisers: BTreeSet<[u8; 32]>,
    },
}

impl Policy {
    /// Whether the signers may have this transaction done, which brings these certificates: under
    /// the policy `tables` what needs no point is looked at, and [`tables::judge`] comes behind the
    /// openings; under any other there are none. **Whether their signatures are true is
    /// not looked at**: [`Policy::signatures_hold`] comes after, since it costs more.
    ///
    /// A signer that is not asked for is refused: nobody may burden a transaction with further
    /// signatures on its way.
    ///
    /// # Errors
    /// The first rule that is broken, as its [`TxCode`].
    pub fn check<O>(
        &self,
        transaction: &Transaction<O>,
        signatures: &[SignerSignature],
        certificates: &[TableCertificate],
    ) -> Result<(), TxCode> {
        match self {
            Self::Tables { creators } => return tables::check(creators, transaction, signatures, certificates),
            Self::Accounts(accounts) => accounts.check(transaction, signatures)?,
            Self::Publisher(keys) => listed(signatures, |key| keys.contains(key))?,
            Self::Board { organisers } => board::check(organisers, transaction, signatures)?,
        }
        if certificates.is_empty() { Ok(()) } else { Err(TxCode::CertificateMalformed) }
    }

    /// Whether every signature is true that the transaction stands on: those over its id, and under
    /// the policy `board` those of the posts. Each costs a scalar multiplication.
    #[must_use]
    pub fn signatures_hold<O>(
        &self,
        transaction: &Transaction<O>,
        signatures: &[SignerSignature],
        dictionary: &DictionaryId,
    ) -> bool {
        match self {
            Self::Board { organisers } => board::are_signed(organisers, transaction, dictionary),
            Self::Accounts(_) | Self::Publisher(_) | Self::Tables { .. } => {
                are_true(transaction, signatures, dictionary)
            }
        }
    }

    /// On whom the work of a transaction is counted: its signers, under the policy `board` those
    /// who signed its posts. Whether their signatures are true is not looked at.
    pub fn signers<O>(&self, transaction: &Transaction<O>, signatures: &[SignerSignature]) -> Vec<[u8; 32]> {
        match self {
            Self::Board { .. } => board::authors(transaction),
            Self::Accounts(_) | Self::Publisher(_) | Self::Tables { .. } => {
                signatures.iter().map(|signature| signature.public_key).collect()
            }
        }
    }

    /// Who verifies certificates under the policy `tables`; nobody under any other.
    ///
    /// # Errors
    /// [`CommitmentError`] where the ceremony cannot be used.
    pub fn verifier(&self) -> Result<Option<TableVerifier>, CommitmentError> {
        match self {
            Self::Tables { .. } => TableVerifier::ethereum().map(Some),
            Self::Accounts(_) | Self::Publisher(_) | Self::Board { .. } => Ok(None),
        }
    }

    /// What the policy `accounts` asks, where it is that one.
    pub fn accounts(&self) -> Option<&Accounts> {
        match self {
            Self::Accounts(accounts) => Some(accounts),
            Self::Publisher(_) | Self::Tables { .. } | Self::Board { .. } => None,
        }
    }

    /// The policy as the dictionary id binds it: the encoding's number, the kind's, then its
    /// fields, each of fixed width or behind its number, so that two policies never have the same
    /// bytes.
    ///
    /// ```text
    /// u8 1 | u8 1 | fee account (32) | u64 base | u64 byte | u64 claim | u64 operation | u64 minimum       accounts
    /// u8 1 | u8 2 | u32 number | public key (32)*                                            publisher, keys ascending
    /// u8 1 | u8 3 | u32 number | public key (32)*                tables, creators ascending
    /// u8 1 | u8 4 | u32 number | public key (32)*                board, organisers ascending
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Accounts(accounts) => [[ENCODING, 1].as_slice(), &accounts.encode()].concat(),
            Self::Publisher(keys) => encode_keys(2, keys),
            Self::Tables { creators } => encode_keys(3, creators),
            Self::Board { organisers } => encode_keys(4, organisers),
        }
    }

    /// Whether a chain with this policy can begin with this content.
    ///
    /// # Errors
    /// [`ChainGenesisError`] names the key that cannot be there.
    pub(crate) fn check_genesis(&self, genesis: &Genesis) -> Result<(), ChainGenesisError> {
        match self {
            Self::Accounts(accounts) => accounts.check_genesis(genesis),
            Self::Publisher(keys) if keys.is_empty() => Err(ChainGenesisError::NoPublisher),
            Self::Publisher(_) => Ok(()),
            Self::Tables { creators } => tables::check_genesis(creators, genesis),
            Self::Board { organisers } => board::check_genesis(organisers, genesis),
        }
    }
}

/// A policy of this kind that lists public keys.
fn encode_keys(kind: u8, keys: &BTreeSet<[u8; 32]>) -> Vec<u8> {
    let mut bytes = vec![ENCODING, kind];
    bytes.extend(u32_or_max(keys.len()).to_be_bytes());
    bytes.extend(keys.iter().flatten());
    bytes
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::Operation;

    use super::*;
    use crate::fees::Fee;

    #[test]
    fn each_policy_has_bytes_of_its_own() {
        let publisher = |keys: &[u8]| Policy::Publisher(keys.iter().map(|key| [*key; 32]).collect());
        let tables = |keys: &[u8]| Policy::Tables { creators: keys.iter().map(|key| [*key; 32]).collect() };
        assert_eq!(tables(&[7]).encode(), [[1, 3, 0, 0, 0, 1].as_slice(), &[7; 32]].concat());
        let board = Policy::Board { organisers: [[7; 32]].into() };
        assert_eq!(board.encode(), [[1, 4, 0, 0, 0, 1].as_slice(), &[7; 32]].concat());
        let fee = Fee { account: [9; 32], base: 1, byte: 2, claim: 3, operation: 4 };
        let accounts = Accounts { fee, minimum: 5 };
        let numbers = (1_u64..=5).flat_map(u64::to_be_bytes).collect::<Vec<_>>();
        let encoded = Policy::Accounts(accounts.clone()).encode();
        assert_eq!(encoded, [[1, 1].as_slice(), &[9; 32], &numbers].concat());
        assert_eq!(publisher(&[7]).encode(), [[1, 2, 0, 0, 0, 1].as_slice(), &[7; 32]].concat());
        let with = |fee: Fee, minimum: u64| Policy::Accounts(Accounts { fee, minimum });
        let all = [
            Policy::Accounts(accounts),
            with(Fee { account: [8; 32], ..fee }, 5),
            with(Fee { base: 0, ..fee }, 5),
            with(Fee { byte: 0, ..fee }, 5),
            with(Fee { claim: 0, ..fee }, 5),
            with(Fee { operation: 0, ..fee }, 5),
            with(fee, 0),
            publisher(&[1]),
            publisher(&[2]),
            publisher(&[1, 2]),
            publisher(&[1, 3]),
            tables(&[1]),
            tables(&[1, 2]),
            board,
        ];
        let bytes: BTreeSet<_> = all.iter().map(Policy::encode).collect();
        assert_eq!(bytes.len(), all.len());
        assert_eq!(publisher(&[2, 1]).encode(), publisher(&[1, 2]).encode());
    }

    #[test]
    fn a_publisher_writes_anything_and_nobody_else_anything() {
        let policy = Policy::Publisher(BTreeSet::from([[1; 32], [2; 32]]));
        let operations = vec![Operation::Put("k".into(), "v".into()), Operation::Delete("l".into())];
        let transaction: Transaction =
            Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] };
        let check = |keys: &[u8]| {
            let signer = |key: &u8| SignerSignature { public_key: [*key; 32], signature: [0; 64] };
            policy.check(&transaction, &keys.iter().map(signer).collect::<Vec<_>>(), &[])
        };
        assert_eq!(check(&[1]), Ok(()));
        let certificate = TableCertificate { segments: 1, certificate: vec![] };
        let signed = [SignerSignature { public_key: [1; 32], signature: [0; 64] }];
        assert_eq!(policy.check(&transaction, &signed, &[certificate]), Err(TxCode::CertificateMalformed));
        assert_eq!(check(&[1, 2]), Ok(()));
        assert_eq!(check(&[]), Err(TxCode::SignerMissing));
        assert_eq!(check(&[3]), Err(TxCode::SignerSuperfluous));
        assert_eq!(check(&[1, 3]), Err(TxCode::SignerSuperfluous));
    }
}
