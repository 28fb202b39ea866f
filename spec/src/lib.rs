//! The executable hacspec specification of Aardvark.
#![forbid(unsafe_code)]
// hacspec's macros name a feature of hacspec's own compiler.
#![allow(unexpected_cfgs)]
// hacspec's style: loops over indices, and matches where Rust has combinators.
#![allow(
    clippy::implicit_saturating_sub,
    clippy::let_unit_value,
    clippy::manual_div_ceil,
    clippy::manual_is_multiple_of,
    clippy::manual_map,
    clippy::match_like_matches_macro,
    clippy::needless_range_loop,
    clippy::redundant_pattern_matching
)]

// Conversions between integer types: the primitives.
pub mod integers;

// Byte strings, their order, numbers as bytes.
pub mod bytes;

// The scalar field.
pub mod scalar;

// SHA-256 and what is made of it.
pub mod hash;

// A key, its value, the next key.
pub mod slot;

// The finite map from positions to slots.
pub mod slot_map;

// The dense array: update, insert, delete.
pub mod dictionary;

// What the two schemes share.
pub mod commitment;

// KZG in the exponent.
pub mod kzg;

// Libert-Yung in the exponent.
pub mod libert_yung;

// The choice between the two.
pub mod scheme;

// The coefficients of a batch.
pub mod challenge;

// The finite map from keys to values.
pub mod key_map;

// Reasons of refusals.
pub mod rejection;

// What a transaction asks for.
pub mod operation;

// Parameters and the dictionary id.
pub mod genesis;

// Net changes and their effect on the array.
pub mod changes;

// Positions that a version changed.
pub mod writes;

// Vectors and their commitments.
pub mod vectors;

// The W latest versions.
pub mod window;

// The plaintext of the last slots.
pub mod tail;

// Claims and transactions.
pub mod transaction;

// What a validator holds.
pub mod state;

// A block of transactions.
pub mod block_data;

// What a validator knows of the array.
pub mod view;

// Phases 1 to 6, a transaction each.
pub mod checks;

// Phases 8 and 9: resolution and operations.
pub mod execution;

// Blocks: all phases in order.
pub mod block;

// A validator: check a transaction, apply a block.
pub mod validator;

// Import blocks.
pub mod import;

// What it all means: transactions on an ordinary map.
pub mod map;

// What an honest archive claims.
pub mod prover;

// Outside of the translated subset: conversions for tests and comparisons.
pub mod convert;
