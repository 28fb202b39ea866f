//! The executable specification of Aardvark, in hacspec: the single source of truth.
//!
//! The implementation is compared with it block by block, and theorems are about its translation to
//! Coq. It says in code what `docs/design.md` says in words, and where `docs/format.md` and this
//! crate differ, this crate is right.
//!
//! # The way of the data
//!
//! ```text
//! bytes -> decoder, within limits -> block: transactions, points or openings, tail vectors
//! transaction -> checks (phases 1 to 6) -> view: claims, tail, window -> execution (8, 9) -> net changes -> writes
//!             -> state': commitments, window, tail, replay set
//! question, proof -> form, what it is about -> root and paths -> positions, openings -> chain of slots -> answer
//! ```
//!
//! Three functions are the whole of a block, each for one kind:
//!
//! - [`block::drawn_block::apply_aggregated_block`]: aggregated blocks, which a network's
//!   validators apply, under the challenges that are drawn for them;
//! - [`block::validator::apply_block`]: plain blocks, each claim with its opening;
//! - [`block::import::apply_import`]: imports, which stand in an archive's own log only.
//!
//! [`decoding::applied_bytes`] has them from received bytes on: [`apply_chain_list`] is what a
//! validator does with the list of byte strings that consensus decides on;
//! [`decoding::checked_bytes`] has what a mempool and one who joins do. [`block::map`] is what
//! the transactions of a block must amount to. [`answer::verify::verify_answer`] is what a reader
//! calls, [`answer::ideal_answer`] what that must amount to; [`policy::check_policy`] says who may
//! write on a chain. Begin with [`dictionary::slot`], then [`dictionary::array`],
//! [`dictionary::window`] and [`block::view`].
//!
//! [`apply_chain_list`]: decoding::applied_bytes::apply_chain_list
//!
//! # Groups in the exponent
//!
//! A group element is represented by its discrete logarithm, and the pairing is multiplication; but
//! elements are types of their own ([`base::group`]), whose exponents only that file sees. With a
//! setup whose trapdoor is known, every group element of an implementation must be (this
//! specification's exponent) times the generator, byte for byte; tests have the exponent from
//! [`base::group::known_exponent`]. What lives in the curve only is outside: encodings, subgroups,
//! the pairing itself. An opening whose bytes break the format is
//! [`commitment::opening::Opening::Malformed`] here.
//!
//! # The subset
//!
//! Pure functions; `let`, `if`, `match`, `for` over a range; `Option`, `Result` and `?`; structs
//! with named fields. Nothing else: no traits of our own, closures, `while`, early `return`, macros
//! (but one, for the field), assignment to fields or elements.
//!
//! - A function has at most one loop and one `let mut`. The loop's body is one call, `acc =
//!   name_step(acc, ..)`, and the step is public: an induction over the loop has a name for what it
//!   does.
//! - `?` stands in top-level `let`s only. In loops the accumulator is the `Result`, and the step
//!   matches on it.
//! - Names of functions, types, variants and fields are unique in the crate, and no local variable
//!   has the name of any.
//! - Definitions come before their uses: folders in the order below, files in the order of their
//!   folder's `mod.rs`.
//! - `a - b` stands under a guard, and an index is a loop's variable or has been checked.
//! - References are arguments only; `match` looks through them. `clone` means nothing.
//! - [`base::integers`] holds the conversions between integer types, [`dictionary::slot_map`] and
//!   [`dictionary::key_map`] the finite maps.
//!
//! Machine integers keep their overflow checks wherever the specification runs.
#![forbid(unsafe_code)]
// hacspec's macros name a feature of hacspec's own compiler.
#![allow(unexpected_cfgs)]
// hacspec's style: loops over indices, matches and comparisons where Rust has combinators, and what
// a function is about as arguments of their own.
#![allow(
    clippy::implicit_saturating_sub,
    clippy::let_unit_value,
    clippy::manual_div_ceil,
    clippy::manual_is_multiple_of,
    clippy::manual_map,
    clippy::manual_range_contains,
    clippy::match_like_matches_macro,
    clippy::needless_range_loop,
    clippy::redundant_pattern_matching,
    clippy::too_many_arguments
)]

// Byte strings, integers, scalars, the hash.
pub mod base;

// Vector commitments.
pub mod commitment;

// The array, its changes and its window.
pub mod dictionary;

// Transactions, blocks, states.
pub mod block;

// Answers to readers.
pub mod answer;

// Reading bytes from outside.
pub mod decoding;

// Shuffles whose answers are traceable.
pub mod mixnet;

// Tables of private rows.
pub mod table;

// Who may write on a chain.
pub mod policy;

// Field arithmetic as the kernel does it.
pub mod kernel;

// Outside of the translated subset: conversions for tests and comparisons.
pub mod convert;
