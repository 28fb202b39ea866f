//! The phases through which every block goes, in the order of `docs/format.md`.

pub mod block;
pub mod checks;
pub mod execution;
pub mod openings;
pub mod program;
pub mod resolution;
pub mod tail;
