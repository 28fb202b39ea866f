//! The oracle's word on answers to readers.

use aardvark_oracle::{AnswerRequest, Safety, SetupSource, specified_answer};
use aardvark_spec::answer::answer_reason::AnswerRefusal;
use aardvark_spec::answer::scan::Answer;

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// The oracle says of a proof what the specification says, word for word, the reason's class too;
/// whether it was asked.
///
/// # Errors
/// Where it says something else.
pub fn answer(
    safety: Safety,
    setup: &SetupSource,
    asked: &AnswerRequest<'_>,
    specified: &Result<Answer, AnswerRefusal>,
) -> Result<bool, Mismatch> {
    if !is_built() {
        return Ok(false);
    }
    let said = ask(|process| process.oracle.answer(safety, setup, asked))?;
    agree(asked.name(), &specified_answer(specified), &said, &mut Tally::default())?;
    Ok(true)
}
