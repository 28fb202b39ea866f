//! Specification against implementation: generators of histories, comparisons, vectors.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests through and through: a broken premise must stop them"
)]

// What a generator draws
pub mod plan;
pub mod strategies;
// What plans are interpreted in
pub mod archive;
pub mod build;
pub mod faults;
pub mod opening_rule;
pub mod ordinary_map;
pub mod points;
pub mod setting;
// Both sides
pub mod compare;
pub mod convert;
pub mod imports;
pub mod pair;
pub mod proposals;
// What was met, and what should have been said
pub mod coverage;
pub mod expected;
pub mod observe;
pub mod run;
pub mod scene;
// Many histories
pub mod campaign;
// For other implementations
pub mod vectors;
