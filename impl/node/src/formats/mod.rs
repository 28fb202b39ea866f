//! What travels between clients, archives and validators, as text. JSON is never hashed.

pub use aardvark_proof::{commitments_json, hex_text, json, key_text, proof_json, root_json, transaction_json};

pub mod tail_json;
