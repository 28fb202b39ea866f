//! The versioned authenticated dictionary, from the side that verifies.
//!
//! Archives that nobody trusts hold the data; a [`Validator`] holds one commitment per N keys and still never acts on
//! a wrong value. This crate is pure: no I/O, no clock; parallel work runs on the caller's rayon pool and never
//! changes a result.
//!
//! The data walks in one direction: bytes → [`Transaction`] → [`Claim`]s → one batch verification → which claims are
//! current ([`window`]) → the [`view`] → [`program`] → net changes → [`array`] → writes → commitments.
//! Modules have the names of `aardvark_spec`'s; `docs/format.md` has the bytes and the order of checks.

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// What there is
pub mod bytes;
pub mod claim;
pub mod operation;
pub mod slot;
// How it travels
pub mod block;
pub mod codec;
pub mod transaction;
// What a dictionary agrees on
pub mod genesis;
pub mod parameters;
// The dense array
pub mod array;
pub mod import;
pub mod slot_map;
// What a validator remembers and sees
pub mod replay;
pub mod tail;
pub mod view;
pub mod window;
// What a block does
mod effects;
mod ledger;
mod openings;
pub mod program;
mod proposal;
pub mod rejection;
mod resolution;
pub mod state;
mod static_checks;
mod tail_check;
pub mod validator;

pub use block::{Block, Change, ImportBlock, TailVector};
pub use bytes::{Key, Value};
pub use claim::Claim;
pub use codec::DecodeError;
pub use genesis::{DictionaryId, Genesis, GenesisError};
pub use operation::Operation;
pub use parameters::{Limits, ParameterError, Parameters};
pub use proposal::{Postponed, PostponedCause, Proposal};
pub use rejection::{Item, Phase, Reason, Rejection};
pub use slot::Slot;
pub use state::{StateError, ValidatorState};
pub use transaction::{Transaction, TransactionId};
pub use validator::{Applied, Validator};
