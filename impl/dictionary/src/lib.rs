//! The versioned authenticated dictionary, from the side that verifies.
//!
//! Archives that nobody trusts hold the data; a [`Validator`] holds one commitment per N keys and
//! still never acts on a wrong value. This crate is pure: no I/O, no clock; parallel work runs on
//! the caller's rayon pool and never changes a result.
//!
//! The data walks in one direction: bytes → [`Transaction`] → [`Claim`]s → one batch verification →
//! which claims are current ([`window`]) → the [`view`] → [`execution`] → net [`changes`] →
//! [`mod@array`] → writes → commitments. Three floors, of which none knows those above it: *data*,
//! the *state* of a validator, and the *phases*, which are functions of parts of the state. On top
//! stand [`Validator`] and what it proposes. Concepts have the names of `aardvark_spec`'s;
//! `docs/format.md` has the bytes and the order of checks.
//!
//! A validator from genesis, one transaction with its claim, one block:
//!
//! ```
//! use std::sync::Arc;
//! use aardvark_commitment::{Ceremony, Kzg, Scheme, VectorCommitment};
//! use aardvark_dictionary::*;
//!
//! // What everyone agrees on: name and salt, parameters, the digest of the setup, first content.
//! let scheme = Arc::new(Scheme::Kzg(Kzg::new(Ceremony::ethereum()?, 4)?));
//! let parameters = Parameters { vector_size: 4, ..Parameters::default() };
//! let keys = ["a", "b", "c", "d", "e", "f", "g"];
//! let content: Vec<(Key, Value)> = keys.map(|key| (key.into(), "old".into())).to_vec();
//! let identity = Identity::new("an example", [0; 32])?;
//! let genesis = Genesis::new(identity, parameters, scheme.setup_digest(), content)?;
//! let mut validator = Validator::new(&genesis, Arc::clone(&scheme))?;
//!
//! // An archive, which nobody trusts, has the slots. "b" stands behind the sentinel and "a".
//! let slots: Vec<Slot> = genesis.slots().collect();
//! let scalars: Vec<_> = slots[0..4].iter().map(Slot::scalar).collect();
//! let opening = scheme.open(&scalars, 2)?.to_bytes();
//! let claim = Claim { position: 2, slot: slots[2].clone(), opening };
//!
//! // A client attaches the claim to what it wants done.
//! let operations = vec![Operation::Put("b".into(), "new".into())];
//! let (nonce, claims) = ([0; 16], vec![claim]);
//! let transaction = Transaction { first_valid: 1, last_valid: 11, nonce, operations, claims };
//! assert!(validator.check(&transaction).is_ok());
//!
//! // A false value is refused, with the reason, and leaves no trace.
//! let mut forged = transaction.clone();
//! forged.claims[0].slot.value = "forged".into();
//! let block = Block { version: 1, transactions: vec![forged], tail_vectors: vec![] };
//! assert_eq!(validator.apply(&block).unwrap_err().reason, Reason::OpeningFalse);
//!
//! assert_eq!(validator.version(), 0);
//!
//! // So is a block's encoding that is cut short, where it was cut.
//! let proposal = validator.propose(vec![transaction], &[], 1 << 20);
//! let bytes = proposal.block.encode();
//! let cut = Block::decode(&bytes[..9], validator.parameters());
//! assert!(matches!(cut, Err(DecodeError::Truncated { offset: 9, .. })));
//!
//! let block = Block::decode(&bytes, validator.parameters())?;
//! let effects = validator.apply(&block)?;
//! assert_eq!((effects.version, effects.writes.len()), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

mod data;
mod phases;
mod state;

// Blocks on a whole array, without claims
pub mod import;
// A node's knowledge of the dictionary
mod block_draft;
mod proposal;
pub mod validator;

// What there is
pub use data::{bytes, claim, operation, slot};
// How it travels, and why it is refused
pub use data::{aggregated_block, block, codec, import_block, rejection, transaction};
// What a dictionary agrees on
pub use data::{genesis, identity, parameters};
// The dense array
pub use state::{array, slot_map};
// What a validator remembers, sees and is asked to prove
pub use state::{commitment_tree, replay, root, tail, view, window};
// A validator's state as bytes
pub use state::state_bytes;
// What a block does
pub use phases::{changes, execution};

pub use aggregated_block::AggregatedBlock;
pub use block::{Block, TailVector};
pub use block_draft::{Carriage, PostponedCause};
pub use bytes::{Key, Value};
pub use claim::{Claim, Unopened};
pub use codec::DecodeError;
pub use genesis::{Genesis, GenesisError};
pub use identity::{ContentHasher, DictionaryId, Identity, NameError};
pub use import_block::{Change, ImportBlock};
pub use operation::Operation;
pub use parameters::{Limits, ParameterError, Parameters};
pub use phases::Execution;
pub use proposal::{Candidates, Choice, Postponed, Proposal};
pub use rejection::{Item, Phase, Reason, Rejection};
pub use slot::Slot;
pub use state::plain::{StateError, ValidatorState};
pub use transaction::{Transaction, TransactionId};
pub use validator::{Effects, Validator};
