//! What travels on a chain, and the rules that validators, archives and clients share
//! (`docs/network.md`).
//!
//! ```text
//! genesis.json -> ChainGenesis { Genesis, Policy }   <- genesis-content.bin, where that is large
//! client       -> SignedTransaction -> bytes -> CheckTx
//! proposer     -> ChainBlock { AggregatedBlock, signatures } -> CometBFT's list -> ChainBlock
//! ```
//!
//! Who may write is two questions: does the [`Policy`] let these signers do these operations, and
//! are their signatures true? Both are answered in CheckTx and again, by everyone, in
//! ProcessProposal, always in the order policy, then signatures: the first costs nothing.
//! [`TxCode`] names every way to fail with a number, so that results agree on all validators.
//!
//! Nothing here opens a connection, and of files only that of large first content
//! ([`content_file`]).
//!
//! ```
//! use aardvark_chain::{Policy, SignedTransaction, TxCode};
//! use aardvark_dictionary::{DictionaryId, Limits, Operation, Transaction};
//! use ed25519_dalek::SigningKey;
//!
//! let dictionary = DictionaryId([1; 32]);
//! let [publisher, stranger] = [7, 8].map(|seed| SigningKey::from_bytes(&[seed; 32]));
//! let policy = Policy::Publisher([publisher.verifying_key().to_bytes()].into());
//!
//! let operations = vec![Operation::Put("curl".into(), "8.5".into())];
//! let (first_valid, last_valid, nonce, claims) = (1, 9, [0; 16], vec![]);
//! let transaction = Transaction { first_valid, last_valid, nonce, operations, claims };
//! let signed = SignedTransaction::sign(transaction.clone(), &dictionary, &[publisher]);
//! let received = SignedTransaction::decode(&signed.encode(), &Limits::default())?;
//! assert_eq!(policy.check(&received.transaction, &received.signatures, &[]), Ok(()));
//! assert!(received.verify_signatures(&dictionary));
//!
//! // Signed by somebody else, or for another dictionary, it is refused.
//! let foreign = SignedTransaction::sign(transaction, &dictionary, &[stranger]);
//! let refused = policy.check(&foreign.transaction, &foreign.signatures, &[]);
//! assert_eq!(refused, Err(TxCode::SignerSuperfluous));
//! assert!(!received.verify_signatures(&DictionaryId([2; 32])));
//! # Ok::<(), aardvark_dictionary::DecodeError>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// Results
mod code;
mod event;
// Genesis
pub mod content_file;
mod content_json;
mod genesis;
mod genesis_error;
mod parameters_json;
mod policy_json;
// Who may write, and what it costs
mod accounts;
pub mod board;
mod fees;
mod gas;
mod listed;
mod policy;
pub mod tables;
// Who decides
mod council;
pub mod validator_change;
// Transactions and blocks
mod block;
mod signed;
mod table_certificate;

pub use accounts::{Accounts, account_id, account_key};
pub use block::{ChainBlock, ChainBlockError, ListedTransaction};
pub use code::TxCode;
pub use council::Council;
pub use event::{Attribute, EVENT_TYPE, Event, ID_ATTRIBUTE, Notice, OUTCOME_ATTRIBUTE};
pub use fees::Fee;
pub use gas::{BlockLimits, gas};
pub use genesis::ChainGenesis;
pub use genesis_error::ChainGenesisError;
pub use policy::Policy;
pub use signed::{SignedTransaction, SignerSignature};
pub use table_certificate::{TableCertificate, certificates_length, decode_certificates, encode_certificates};
pub use validator_change::{SignedChange, ValidatorChange, ValidatorSet};
