//! The policy `tables`: shapes and certificates of writes, hostile ones among them, and who may
//! write.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]
#![allow(clippy::indexing_slicing, reason = "tests know how long their lists are")]

mod scene;
mod shapes;
mod sheets;
