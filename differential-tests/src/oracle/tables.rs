//! The oracle's word on tables: answers, certificates, comparisons, changes of keys, steps of runs.

use aardvark_oracle::{Safety, TableRequest};

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// The oracle says what the specification says, word for word; whether it was asked.
///
/// # Errors
/// Where it says something else.
pub fn table(safety: Safety, asked: &TableRequest<'_>) -> Result<bool, Mismatch> {
    if !is_built() {
        return Ok(false);
    }
    let said = ask(|process| process.oracle.table(safety, asked))?;
    agree(asked.name(), &asked.judged(), &said, &mut Tally::default())?;
    Ok(true)
}
