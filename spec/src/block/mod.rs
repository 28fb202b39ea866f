//! Transactions and blocks: the phases of their validation, the state that they change, and its
//! root.

// Reasons of refusals.
pub mod rejection;

// What a transaction asks for.
pub mod operation;

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
pub mod phases;

// A validator: check a transaction, apply a block.
pub mod validator;

// Blocks whose openings are aggregated, under given challenges.
pub mod aggregated_block;

// The same under the challenges that are drawn for them.
pub mod drawn_block;

// Import blocks.
pub mod import;

// What it all means: transactions on an ordinary map.
pub mod map;

// What an honest archive claims.
pub mod prover;

// The digest of a state.
pub mod root;
