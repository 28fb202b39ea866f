//! Runs the proofs' oracle: the specification as it was translated to Coq and extracted.
//!
//! The theorems of `proofs/` are about Coq definitions that the translator makes of `spec/`. The
//! same definitions, with scalars modulo r, are extracted to an OCaml program, the oracle, and this
//! crate talks to it over pipes: it gives it the specification's values, answers its questions for
//! hashes, and says what it answered. Where the answer differs from what the specification says,
//! the translator, the extraction or Coq's table for big numbers is wrong.
//!
//! `make -C proofs oracle` builds the program; [`Oracle::start`] finds it, and says so when it is
//! not there.
//!
//! ```no_run
//! use aardvark_oracle::{Oracle, Safety, specified_judgement};
//! # fn example(setup: &aardvark_spec::commitment::scheme::Setup,
//! #     genesis: &aardvark_spec::dictionary::genesis::Genesis,
//! #     block: &aardvark_spec::block::block_data::Block, tau: aardvark_spec::base::scalar::Scalar)
//! #     -> Result<(), aardvark_oracle::OracleError> {
//! let mut oracle = Oracle::start()?;
//! oracle.genesis(Safety::Skip, 1, tau, genesis)?;
//! let state = aardvark_spec::block::state::genesis_state(setup, genesis);
//! let answer = oracle.judge(Safety::Ask, block)?;
//! assert_eq!(answer.text, specified_judgement(&aardvark_spec::block::validator::apply_block(setup, &state, block)));
//! assert_eq!(answer.safe, Some(true));
//! if answer.accepted {
//!     oracle.advance()?;
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

// Values as tokens.
mod answers;
mod encoded;
mod requests;
mod table_values;
pub mod tokens;

// The process.
pub mod chunks;
pub mod decoders;
pub mod keys;
pub mod mixnet;
pub mod parts;
pub mod policies;
pub mod process;
pub mod readers;
pub mod received;
pub mod tables;
pub mod views;

pub use answers::{
    specified_changes, specified_check, specified_genesis, specified_import, specified_judgement, specified_map,
    specified_received, specified_received_import, specified_received_snapshot, specified_received_transaction,
};
pub use chunks::ChunkRequest;
pub use decoders::{DecodeRequest, specified_decoding};
pub use keys::DealtKeys;
pub use mixnet::{MixnetRequest, Shown};
pub use parts::Part;
pub use policies::PolicyRequest;
pub use process::{Answer, Oracle, OracleError, Safety, Stateless};
pub use readers::{AnswerRequest, SetupSource, specified_answer};
pub use received::ReceivedRequest;
pub use tables::TableRequest;
pub use views::view_text;
