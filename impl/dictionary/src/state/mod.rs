//! What a validator holds at a version, and what it can look up there.

pub mod array;
pub mod commitment_tree;
pub mod plain;
pub mod record;
pub mod replay;
pub mod root;
pub mod slot_map;
pub mod tail;
pub mod view;
pub mod window;
