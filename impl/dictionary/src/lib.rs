//! The versioned authenticated dictionary, from the side that verifies.
//!
//! Archives that nobody trusts hold the data; a [`Validator`] holds one commitment per N keys and still never acts on
//! a wrong value. This crate is pure: no I/O, no clock; parallel work runs on the caller's rayon pool and never
//! changes a result.
//!
//! The data walks in one direction: bytes → [`Transaction`] → [`Claim`]s → one batch verification → which claims are
//! current ([`window`]) → the [`view`] → [`program`] → net changes → [`mod@array`] → writes → commitments.
//! Modules have the names of `aardvark_spec`'s; `docs/format.md` has the bytes and the order of checks.
//!
//! A validator from genesis, one transaction with its claim, one block:
//!
//! ```
//! use std::sync::Arc;
//! use aardvark_commitment::{Ceremony, Kzg, Scheme, VectorCommitment};
//! use aardvark_dictionary::*;
//!
//! // What everyone agrees on: name and salt, parameters, the digest of the setup, and the first content.
//! let scheme = Arc::new(Scheme::Kzg(Kzg::new(Ceremony::ethereum()?, 4)?));
//! let parameters = Parameters { vector_size: 4, ..Parameters::default() };
//! let content: Vec<(Key, Value)> = ["a", "b", "c", "d", "e", "f", "g"].map(|key| (key.into(), "old".into())).to_vec();
//! let identity = Identity::new("an example", [0; 32])?;
//! let genesis = Genesis::new(identity, parameters, scheme.setup_digest(), content)?;
//! let mut validator = Validator::new(&genesis, Arc::clone(&scheme))?;
//!
//! // An archive, which nobody trusts, has the slots. "b" stands at position 2, after the sentinel and "a".
//! let slots: Vec<Slot> = genesis.slots().collect();
//! let scalars: Vec<_> = slots[0..4].iter().map(Slot::scalar).collect();
//! let opening = scheme.open(&scalars, 2)?.to_bytes();
//! let claim = Claim { position: 2, slot: slots[2].clone(), opening };
//!
//! // A client attaches the claim to what it wants done.
//! let operations = vec![Operation::Put("b".into(), "new".into())];
//! let transaction = Transaction { first_valid: 1, last_valid: 11, nonce: [0; 16], operations, claims: vec![claim] };
//! assert!(validator.check(&transaction).is_ok());
//!
//! // A false value is refused, with the reason, and leaves no trace.
//! let mut forged = transaction.clone();
//! forged.claims[0].slot.value = "forged".into();
//! let block = Block { version: 1, transactions: vec![forged], tail_vectors: vec![] };
//! assert_eq!(validator.apply(&block).unwrap_err().reason, Reason::OpeningFalse);
//!
//! let proposal = validator.propose(vec![transaction], &[], 1 << 20);
//! let applied = validator.apply(&proposal.block)?;
//! assert_eq!((applied.version, applied.writes.len()), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

mod block_draft;
mod data;
pub mod import;
mod phases;
mod proposal;
mod state;
pub mod validator;

pub use data::{
    aggregated_block, block, bytes, claim, codec, genesis, identity, operation, parameters, rejection, slot,
    transaction,
};
pub use phases::program;
pub use state::{array, commitment_tree, replay, root, slot_map, tail, view, window};

pub use aggregated_block::AggregatedBlock;
pub use block::{Block, Change, ImportBlock, TailVector};
pub use bytes::{Key, Value};
pub use claim::Claim;
pub use codec::DecodeError;
pub use genesis::{DictionaryId, Genesis, GenesisError};
pub use identity::{ContentHasher, Identity, NameError};
pub use operation::Operation;
pub use parameters::{Limits, ParameterError, Parameters};
pub use proposal::{Candidates, Carriage, Choice, Postponed, PostponedCause, Proposal};
pub use rejection::{Item, Phase, Reason, Rejection};
pub use slot::Slot;
pub use state::plain::{StateError, ValidatorState};
pub use transaction::{Transaction, TransactionId};
pub use validator::{Applied, Validated, Validator};
