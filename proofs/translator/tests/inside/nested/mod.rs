//! A folder of modules.

pub mod deep;
pub mod deeper;
