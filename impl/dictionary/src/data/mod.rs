//! What travels and what is agreed on: plain data and its canonical bytes.

pub mod aggregated_block;
pub mod block;
pub mod bytes;
pub mod claim;
pub mod codec;
pub mod genesis;
pub mod identity;
pub mod import_block;
pub mod operation;
pub mod parameters;
pub mod rejection;
pub mod root_parts;
pub mod slot;
pub mod transaction;
