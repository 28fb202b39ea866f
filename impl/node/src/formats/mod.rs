//! What people and machines write down about a dictionary, as text: keys and values, proofs, commitments, transactions.
//!
//! The command line reads and writes files of these formats; the archive's server answers with them; clients read those
//! answers. JSON is never hashed.

pub mod commitments_json;
pub mod hex_text;
pub mod json;
pub mod key_text;
pub mod proof_json;
pub mod root_json;
pub mod tail_json;
pub mod transaction_json;
