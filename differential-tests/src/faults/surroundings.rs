//! What faults can draw on.

use aardvark_dictionary::Transaction;

use crate::build::Builder;

/// What faults can draw on.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The honest archive and the tail.
    pub builder: Builder<'a>,
    /// The transactions applied so far, oldest first.
    pub applied: &'a [Transaction],
}
