//! What a board's posts say of a ceremony: its stage, what is valid, and who broke the rules.
//!
//! A pure function of a *set* of posts. A post before its stage is pending: it is judged once what
//! the stage stands on is final. So everybody who has the posts has the same view.
//!
//! | stage | ends when |
//! |---|---|
//! | dealing, verdicts | each server has posted or is absent; t dealers remain |
//! | open | `close`, with the least number of valid inputs |
//! | mixing | each server has posted or is absent; t layers are valid |
//! | decrypting | t shares are valid |
//! | done | |

mod admission;
mod asked;
mod memo;
mod mixing;
mod query_state;
mod setup;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use crate::ceremony::Ceremony;
use crate::post::{CeremonyName, Posts};

use admission::{Admitted, terms};
pub use admission::{PostFault, has_receipts, is_authorised};
pub use memo::Memo;
pub use query_state::{Asked, AskedStage};
pub use state::{Rows, Stage, View};

/// Judges a stage's posts; whether the next stage is to be judged.
type Judge = fn(&mut View, &Admitted<'_>) -> bool;

impl Memo {
    /// What posts say of a ceremony: the same as [`View::of`] says.
    pub fn view(&mut self, name: &CeremonyName, posts: &Posts) -> Result<Option<View>, PostFault> {
        self.begin();
        let view = View::judged(name, posts, self);
        self.forget_the_rest();
        view
    }

    /// The terms of a ceremony alone.
    pub fn terms(&mut self, name: &CeremonyName, posts: &Posts) -> Option<Ceremony> {
        terms(name, posts, self).ok().flatten()
    }
}

impl View {
    /// What posts say of a ceremony; `None` without its terms. Judges every post; who looks again
    /// and again does so with a [`Memo`].
    pub fn of(name: &CeremonyName, posts: &Posts) -> Result<Option<Self>, PostFault> {
        Self::judged(name, posts, &Memo::without_memory())
    }

    /// What posts say of a ceremony, judging those that the memo does not know.
    fn judged(name: &CeremonyName, posts: &Posts, memo: &Memo) -> Result<Option<Self>, PostFault> {
        let Some(ceremony) = terms(name, posts, memo)? else { return Ok(None) };
        let admitted = Admitted::of(name, &ceremony, posts, memo);
        let digest = ceremony.digest(&name.dictionary, &name.terms_key().to_bytes());
        let mut view = Self {
            name: *name,
            digest,
            accepted: digest,
            ceremony,
            stage: Stage::Dealing,
            faults: admitted.faults.clone(),
            missing: admitted.missing.clone(),
            written: admitted.keys().collect(),
            dealings: BTreeMap::new(),
            keys: None,
            posted_inputs: 0,
            rows: None,
            layers: Vec::new(),
            turn: None,
            agreed: BTreeSet::new(),
            shares: BTreeMap::new(),
            outputs: None,
            values: Vec::new(),
            asked: Vec::new(),
            unasked: 0,
        };
        view.judge(&admitted);
        view.faults.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(Some(view))
    }

    /// Goes through the stages as far as the posts reach.
    fn judge(&mut self, posts: &Admitted<'_>) {
        let stages: [(Stage, Judge); 6] = [
            (Stage::Dealing, Self::judge_dealings),
            (Stage::Verdicts, Self::judge_verdicts),
            (Stage::Open, Self::judge_inputs),
            (Stage::Mixing, Self::judge_layers),
            (Stage::Decrypting, Self::judge_shares),
            (Stage::Done, Self::judge_queries),
        ];
        for (stage, judge) in stages {
            self.stage = stage;
            // A stage that goes no further says so, or has said that the ceremony is void.
            if !judge(self, posts) {
                return;
            }
        }
    }
}
