//! The executable specification of Aardvark, in hacspec: the single source of truth.
//!
//! The implementation is compared with it block by block, and theorems are about its translation to Coq. It says in code
//! what `docs/design.md` says in words, and where `docs/format.md` and this crate differ, this crate is right.
//!
//! # The way of the data
//!
//! ```text
//! transaction -> checks (phases 1 to 6) -> view: claims, tail, window -> execution (8, 9) -> net changes -> writes
//!                                                                          -> state': commitments, window, tail, replay set
//! question, proof -> form, what it is about -> root and paths -> positions, openings -> chain of slots -> answer
//! ```
//!
//! [`validator::apply_block`] is the whole of a block, [`map`] what it must amount to; [`answer::verify_answer`] is what a
//! reader calls, [`ideal_answer`] what that must amount to. Begin with [`slot`], then
//! [`dictionary`], [`window`] and [`view`].
//!
//! # Groups in the exponent
//!
//! A group element is its discrete logarithm, a scalar, and the pairing is multiplication. With a setup whose trapdoor is
//! known, every group element of an implementation must be (this specification's exponent) times the generator, byte for
//! byte. What lives in the curve only is outside: encodings, subgroups, the pairing itself. An opening whose bytes break the
//! format is [`commitment::Opening::Malformed`] here.
//!
//! # The subset
//!
//! Pure functions; `let`, `if`, `match`, `for` over a range; `Option`, `Result` and `?`; structs with named fields. Nothing
//! else: no traits of our own, closures, `while`, early `return`, macros (but one, for the field), assignment to fields or
//! elements.
//!
//! - A function has at most one loop and one `let mut`. The loop's body is one call, `acc = name_step(acc, ..)`, and the step
//!   is public: an induction over the loop has a name for what it does.
//! - `?` stands in top-level `let`s only. In loops the accumulator is the `Result`, and the step matches on it.
//! - Names of functions, types, variants and fields are unique in the crate, and no local variable has the name of any.
//! - Definitions come before their uses, files in the order below.
//! - `a - b` stands under a guard, and an index is a loop's variable or has been checked.
//! - References are arguments only; `match` looks through them. `clone` means nothing.
//! - [`integers`] holds the conversions between integer types, [`slot_map`] and [`key_map`] the finite maps.
//!
//! Machine integers keep their overflow checks wherever the specification runs.
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

// The challenges of an aggregation.
pub mod aggregation;

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

// Blocks whose openings are aggregated.
pub mod aggregated_block;

// Import blocks.
pub mod import;

// What it all means: transactions on an ordinary map.
pub mod map;

// What an honest archive claims.
pub mod prover;

// The tree over the commitments, and paths to one of them.
pub mod commitment_tree;

// The digest of a state.
pub mod root;

// What is asked: keys, ranges, neighbours.
pub mod question;

// The answer that a chain of slots gives.
pub mod scan;

// The answer that a map gives.
pub mod ideal_answer;

// Why a proof does not hold.
pub mod answer_reason;

// What a verifier believes, and what it is given.
pub mod answer_proof;

// What is known before any opening is looked at.
pub mod answer_basis;

// Verifying an answer.
pub mod answer;

// What an honest archive answers with.
pub mod answer_prover;

// Outside of the translated subset: conversions for tests and comparisons.
pub mod convert;
