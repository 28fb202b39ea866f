//! What an owner holds against the row that it is shown: the texts that it gave, its id and its tag
//! among them.
//!
//! An answer shows that a run has some texts at a position, and that no other texts stand there.
//! Whose they are only the owner knows. A tag is at least 16 random bytes that nobody else was
//! given; an id alone does not tell an owner's row from one that was made up for it.

use super::outcome::{Finding, Outcome};
use super::reason::{AnswerError, TableReason};

/// The texts that an owner gave, by the numbers of their row columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerTexts(Vec<(usize, String)>);

impl OwnerTexts {
    /// Some texts, each with the number of its row column.
    pub fn new(texts: impl IntoIterator<Item = (usize, String)>) -> Self {
        Self(texts.into_iter().collect())
    }

    /// Whether there are none, so that nothing is held against the row.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Outcome {
    /// Whether the row that was shown has the owner's texts.
    ///
    /// # Errors
    /// [`TableReason::TextMismatched`] with the number of the first row column that has another
    /// text; [`TableReason::PartsMismatched`] where the answer is not about a row.
    pub fn check_owner(&self, owner: &OwnerTexts) -> Result<(), AnswerError> {
        let Finding::Row(row) = &self.finding else {
            return Err(AnswerError::whole(TableReason::PartsMismatched));
        };
        let differs = |(column, text): &&(usize, String)| row.texts.get(*column) != Some(text);
        match owner.0.iter().find(differs) {
            Some((column, _)) => Err(AnswerError::item(TableReason::TextMismatched, *column)),
            None => Ok(()),
        }
    }
}
