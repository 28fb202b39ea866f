//! What somebody without honour sends to a network.

// Where a helper fails, the test shall.
#![allow(clippy::unwrap_used, clippy::panic)]

pub mod floods;
pub mod forgeries;
pub mod points;
