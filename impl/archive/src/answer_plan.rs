//! Answers in two steps: the slots are looked up, and what their openings cost is said before any
//! is computed. For servers, which refuse what costs too much.

use std::time::Duration;

use aardvark_algebra::integers::u32_or_max;
use aardvark_dictionary::Slot;
use aardvark_proof::{AnswerProof, Question};

use crate::error::ArchiveError;
use crate::prove::Found;
use crate::snapshot::Snapshot;

/// What a fold takes of one core's time, whatever the number of its claims, and for each of them:
/// decoding its opening and its vector's commitment, hashing it, its part of two multi-scalar
/// multiplications. On one core of a shared and busy x86-64 machine 1, 16, 64, 256 and 1,024 claims
/// of vectors of 64 slots took 0.3, 1.5, 4.1, 11 and 37 ms.
const FOLD_COST: Duration = Duration::from_micros(500);
const FOLD_COST_OF_CLAIM: Duration = Duration::from_micros(60);

/// The slots that answer a question at a version, and what their openings cost.
#[derive(Clone, Debug)]
pub struct AnswerPlan {
    question: Question,
    version: u64,
    found: Vec<Found>,
    cost: Duration,
}

impl AnswerPlan {
    /// Time of one core that the openings take, about; as of [`Plan::cost`](crate::Plan::cost).
    pub fn cost(&self) -> Duration {
        self.cost
    }

    /// Time of one core that it takes besides to put one opening in the place of the claims' own
    /// ([`AnswerForm::together`](crate::AnswerForm::together)), about.
    pub fn cost_of_fold(&self) -> Duration {
        FOLD_COST.saturating_add(FOLD_COST_OF_CLAIM.saturating_mul(u32_or_max(self.found.len())))
    }

    /// The slots that answer the question.
    pub fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.found.iter().map(|(_, slot)| slot)
    }
}

impl Snapshot {
    /// Looks up the slots that answer a question, and says what it would cost to prove them.
    ///
    /// # Errors
    /// As [`Snapshot::prove_answer`].
    pub fn plan_answer(&self, question: &Question, version: u64) -> Result<AnswerPlan, ArchiveError> {
        let found = self.slots_of_answer(question, version)?;
        let cost = self.source.cost(self, version, &found)?;
        let cost = Duration::try_from_secs_f64(cost / 1e6).unwrap_or(Duration::MAX);
        Ok(AnswerPlan { question: question.clone(), version, found, cost })
    }

    /// The proof that a plan is for.
    ///
    /// # Errors
    /// As [`Snapshot::prove_answer`].
    pub fn answer_of(&self, plan: AnswerPlan) -> Result<AnswerProof, ArchiveError> {
        self.answer_proof(plan.question, plan.version, plan.found)
    }
}
