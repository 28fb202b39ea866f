//! What the tests of the contracts share: a chain to run them on, the ABI, proofs as JSON.

pub mod abi;
pub mod chain;
pub mod proofs;
pub mod samples;
