//! The commands, one file each. A command takes its arguments and gives a [`Report`](crate::report::Report) or a
//! [`Failure`](crate::failure::Failure); printing and exit codes are `main`'s.

pub mod completions;
pub mod verify;
