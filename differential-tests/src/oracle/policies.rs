//! The oracle's word on policies: before signatures, and behind the openings.

use aardvark_oracle::{PolicyRequest, Safety};

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// The oracle says what the specification says, word for word; whether it was asked.
///
/// # Errors
/// Where it says something else, or that the specification panics.
pub fn policy(safety: Safety, asked: &PolicyRequest<'_>) -> Result<bool, Mismatch> {
    if !is_built() {
        return Ok(false);
    }
    let said = ask(|process| process.oracle.policy(safety, asked))?;
    agree(asked.name(), &asked.judged(), &said, &mut Tally::default())?;
    Ok(true)
}
