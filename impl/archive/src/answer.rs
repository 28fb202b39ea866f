//! Answers without proofs, for who trusts the archive: what [`Snapshot::prove_answer`] would prove.

use aardvark_proof::Question;
use aardvark_proof::scan::{Answer, answer_of_slots};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::snapshot::Snapshot;

impl Snapshot {
    /// The answer to a question at a version. A range without a limit gives every entry: ask for
    /// some at a time, and go on where the answer says.
    ///
    /// # Errors
    /// As [`Snapshot::prove_answer`].
    pub fn answer(&self, question: &Question, version: u64) -> Result<Answer, ArchiveError> {
        self.check_question(question)?;
        let found = self.at(version, |array| self.chain(array, question))?;
        let gap = |_| Damage::new(Place::Version(version), DamageKind::Invalid("slots that leave a gap"));
        Ok(answer_of_slots(question, found.iter().map(|(_, slot)| slot)).map_err(gap)?)
    }
}
