//! Histories to measure on: planned, claimed by an honest archive, and checked.

pub mod archive;
pub mod claims;
pub mod history;
pub mod plan;
pub mod prover;
pub mod random;
