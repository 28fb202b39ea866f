//! Baselines: vector commitments that the tables compare with, and that nothing depends on.
//!
//! Their openings are not one point each, and a Merkle tree is not updated from a delta, so they
//! have traits of their own ([`Baseline`], [`Updatable`]) beside
//! [`VectorCommitment`](aardvark_commitment::VectorCommitment).

pub mod merkle;
pub mod multilinear;
mod scheme;
mod updatable;

pub use merkle::Merkle;
pub use multilinear::Multilinear;
pub use scheme::{Baseline, Claim};
pub use updatable::Updatable;
