//! A keeper that lies to a chain.
#![allow(clippy::unwrap_used, clippy::panic)]

pub mod forger;
pub mod lies;
