//! Proofs of answers: many keys, ranges, neighbours (`aardvark_spec::answer::answer_prover`).

use aardvark_proof::scan::Scan;
use aardvark_proof::{AnswerProof, Question, Region};

use crate::array_at::ArrayAt;
use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::prove::Found;
use crate::snapshot::Snapshot;

impl Snapshot {
    /// Proves the answer to a question at a version, for who trusts the commitments of that
    /// version. A range without a limit has a claim for every entry.
    ///
    /// # Errors
    /// [`ArchiveError::IllegalQuestion`], and as [`Snapshot::prove`].
    pub fn prove_answer(&self, question: &Question, version: u64) -> Result<AnswerProof, ArchiveError> {
        let found = self.slots_of_answer(question, version)?;
        self.answer_proof(question.clone(), version, found)
    }

    /// The slots that answer a question at a version, in their order.
    pub(crate) fn slots_of_answer(&self, question: &Question, version: u64) -> Result<Vec<Found>, ArchiveError> {
        self.check_question(question)?;
        self.at(version, |array| self.chain(array, question))
    }

    /// Opens the slots that answer a question.
    pub(crate) fn answer_proof(
        &self,
        question: Question,
        version: u64,
        found: Vec<Found>,
    ) -> Result<AnswerProof, ArchiveError> {
        Ok(AnswerProof {
            dictionary: *self.id(),
            scheme: self.parameters().scheme,
            vector_size: self.parameters().vector_size,
            version,
            question,
            claims: self.claims(version, found)?,
            folded_opening: None,
            tie: None,
        })
    }

    pub(crate) fn check_question(&self, question: &Question) -> Result<(), ArchiveError> {
        match question {
            Question::Region(Region::Keys(keys)) => keys.iter().try_for_each(|key| self.check_key(key))?,
            Question::Region(Region::Range(_)) => (),
            Question::Predecessor(key) | Question::Successor(key) => self.check_key(key)?,
        }
        if question.is_legal() { Ok(()) } else { Err(ArchiveError::IllegalQuestion) }
    }

    /// The slots that answer a question, in their order.
    pub(crate) fn chain(&self, array: &ArrayAt<'_>, question: &Question) -> Result<Vec<Found>, ArchiveError> {
        let region = match question {
            Question::Region(region) => region,
            Question::Predecessor(key) => return Ok(vec![array.preceding_slot(key)?]),
            Question::Successor(key) => return Ok(vec![array.covering_slot(key)?]),
        };
        let (mut scan, mut found) = (Scan::new(region), Vec::new());
        while let Some(wanted) = scan.wanted() {
            self.work.check()?;
            let (position, slot) = array.covering_slot(wanted)?;
            let gap = |_| Damage::new(Place::Slot(position), DamageKind::Invalid("a gap before it"));
            scan.step(&slot).map_err(gap)?;
            found.push((position, slot));
        }
        Ok(found)
    }
}
