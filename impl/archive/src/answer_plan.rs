//! Answers in two steps: the slots are looked up, and what their openings cost is said before any
//! is computed. For servers, which refuse what costs too much.

use std::time::Duration;

use aardvark_proof::{AnswerProof, Question};

use crate::error::ArchiveError;
use crate::prove::Found;
use crate::snapshot::Snapshot;

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
}

impl Snapshot {
    /// Looks up the slots that answer a question, and says what it would cost to prove them.
    ///
    /// # Errors
    /// As [`Snapshot::prove_answer`].
    pub fn plan_answer(&self, question: &Question, version: u64) -> Result<AnswerPlan, ArchiveError> {
        let found = self.slots_of_answer(question, version)?;
        let cost = self.cost_of_openings(version, found.iter().map(|(position, _)| *position))?;
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
