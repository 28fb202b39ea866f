#![forbid(unsafe_code)]
//! The baselines of the benchmarks.
//!
//! Measured beside the commitments that ship, and kept here, where nothing that ships depends on
//! them.

pub mod baselines;
