//! What somebody without honour sends to a network.

// Each test file uses its share; where a helper fails, the test shall.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod floods;
pub mod forgeries;
pub mod liar;
pub mod lies;
pub mod points;
