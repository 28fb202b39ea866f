//! Reading bytes from outside: what an encoding says, or why the bytes are none.
//!
//! Each decoder takes a byte string and gives a value with the bytes behind it, or a reason. Every
//! value has one encoding, and a decoder takes no other. [`applied_bytes`] goes on to what the
//! bytes do.

// Why bytes are not an encoding.
pub mod decode_reason;

// Numbers and strings.
pub mod cursor;

// Slots.
pub mod slot_decoder;

// Operations.
pub mod operation_decoder;

// Claims and transactions.
pub mod transaction_decoder;

// Blocks with openings.
pub mod block_decoder;

// Aggregated blocks.
pub mod aggregated_decoder;

// Signed transactions.
pub mod signed_decoder;

// Blocks of a chain.
pub mod chain_decoder;

// Records of the window.
pub mod record_decoder;

// Snapshots.
pub mod snapshot_decoder;

// Import blocks.
pub mod import_decoder;

// What blocks do that were received as bytes.
pub mod applied_bytes;

// What is believed of transactions and snapshots that were received as bytes.
pub mod checked_bytes;
