//! Requests about the keys that a mixnet's servers deal.

use aardvark_spec::mixnet::key_generation::{GeneratedKeys, dealing_authors, generate_keys};
use aardvark_spec::mixnet::key_posts::{
    KeyComplaint, KeyDealing, KeyTerms, KeyVerdict, PostedPoint, valid_dealings, verdict_holds,
};
use aardvark_spec::mixnet::linear_relation::LinearProof;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// What dealings and verdicts come to.
#[derive(Clone, Debug)]
pub struct DealtKeys {
    /// The dealers whose dealings are valid.
    pub valid: Seq<usize>,
    /// Of each verdict, whether it is valid.
    pub held: Vec<bool>,
    /// The keys.
    pub keys: Option<GeneratedKeys>,
}

impl DealtKeys {
    /// What the specification says.
    pub fn specified(terms: &KeyTerms, dealings: &Seq<KeyDealing>, verdicts: &Seq<KeyVerdict>) -> Self {
        let valid = valid_dealings(terms, dealings);
        let held = verdicts.native_slice().iter().map(|verdict| verdict_holds(terms, &valid, verdict));
        Self { valid: dealing_authors(&valid), held: held.collect(), keys: generate_keys(terms, dealings, verdicts) }
    }

    /// As the oracle writes it.
    pub fn text(&self) -> String {
        let mut line = Line::default();
        line.sizes(&self.valid);
        line.size(self.held.len());
        self.held.iter().for_each(|held| line.flag(*held));
        line.option(self.keys.as_ref(), |line, keys| {
            line.sizes(&keys.generated_dealers);
            line.list(&keys.generated_committed, Line::elements);
            line.bytes(&keys.generated_digest);
        });
        line.text()
    }
}

impl Oracle {
    /// What the oracle says of dealings and verdicts. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn mixnet_keys(
        &mut self,
        safety: Safety,
        terms: &KeyTerms,
        dealings: &Seq<KeyDealing>,
        verdicts: &Seq<KeyVerdict>,
    ) -> Result<Answer, OracleError> {
        let mut line = request("mixnet_keys", safety);
        line.bytes(&terms.keys_ceremony);
        line.size(terms.keys_threshold);
        line.size(terms.keys_count);
        line.list(&terms.keys_transports, Line::posted_point);
        line.list(dealings, Line::key_dealing);
        line.list(verdicts, |line, verdict| {
            line.size(verdict.verdict_author);
            line.list(&verdict.verdict_complaints, Line::key_complaint);
        });
        self.ask(line)
    }
}

impl Line {
    fn posted_point(&mut self, point: &PostedPoint) {
        self.element(point.posted_element);
        self.bytes(&point.posted_bytes);
    }

    pub(crate) fn linear_proof(&mut self, proof: &LinearProof) {
        self.elements(&proof.linear_first);
        self.scalars(&proof.linear_responses);
    }

    fn key_dealing(&mut self, dealing: &KeyDealing) {
        self.size(dealing.deal_author);
        self.list(&dealing.deal_committed, Self::elements);
        self.bytes(&dealing.deal_list);
        self.list(&dealing.deal_randomised, Self::posted_point);
        self.list(&dealing.deal_sealed, Self::scalars);
        self.bytes(&dealing.deal_statement);
        self.linear_proof(&dealing.deal_proof);
        self.bytes(&dealing.deal_first);
    }

    fn key_complaint(&mut self, complaint: &KeyComplaint) {
        self.size(complaint.complaint_dealer);
        self.posted_point(&complaint.complaint_shared);
        self.linear_proof(&complaint.complaint_proof);
        self.bytes(&complaint.complaint_first);
    }
}
