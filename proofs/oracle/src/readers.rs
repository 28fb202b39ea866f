//! Requests about answers to readers: the verifiers of answers, plain, under a root alone, and with
//! folded openings.
//!
//! An [`AnswerRequest`] is what a verifier is given. [`Oracle::answer`] asks the oracle,
//! [`AnswerRequest::judged`] the specification.

use aardvark_spec::answer::answer_proof::{AnswerProof, TiedVector, Trusted};
use aardvark_spec::answer::answer_reason::{AnswerRefusal, ReasonClass, class_of_reason};
use aardvark_spec::answer::folded_answer::{FoldedAnswerProof, verify_folded_answer};
use aardvark_spec::answer::folded_rooted_answer::{FoldedRootedProof, verify_folded_rooted_answer};
use aardvark_spec::answer::question::{Question, Region};
use aardvark_spec::answer::rooted_answer::{DictionaryIdentity, RootedProof, verify_rooted_answer};
use aardvark_spec::answer::scan;
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::commitment::folded_opening::FoldedClaimBytes;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::dictionary::key_map::KeyEntry;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// What a setup is made from.
#[derive(Clone, Copy, Debug)]
pub struct SetupSource {
    /// The scheme's number.
    pub scheme: u8,
    /// τ or α.
    pub trapdoor: Scalar,
    /// N.
    pub vector_size: usize,
}

/// What a verifier of answers is given.
#[derive(Clone, Copy, Debug)]
pub enum AnswerRequest<'a> {
    /// A proof with an opening a claim: `verify_answer`.
    Plain {
        /// What is trusted.
        trusted: &'a Trusted,
        /// What is asked.
        question: &'a Question,
        /// The proof.
        proof: &'a AnswerProof,
    },
    /// A proof under a root alone: `verify_rooted_answer`.
    Rooted {
        /// The root.
        root: &'a ByteString,
        /// What is asked.
        question: &'a Question,
        /// The proof.
        proof: &'a RootedProof,
    },
    /// A proof with folded openings: `verify_folded_answer`.
    Folded {
        /// What is trusted.
        trusted: &'a Trusted,
        /// What is asked.
        question: &'a Question,
        /// The proof.
        proof: &'a FoldedAnswerProof,
        /// The claims as the fold's challenges bind them.
        bound_claims: &'a Seq<FoldedClaimBytes>,
    },
    /// A proof with folded openings under a root alone: `verify_folded_rooted_answer`.
    FoldedRooted {
        /// The root.
        root: &'a ByteString,
        /// What is asked.
        question: &'a Question,
        /// The proof.
        proof: &'a FoldedRootedProof,
        /// The claims as the fold's challenges bind them.
        bound_claims: &'a Seq<FoldedClaimBytes>,
    },
}

impl Oracle {
    /// What the oracle says of a proof. Neither state nor setup of a genesis is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn answer(
        &mut self,
        safety: Safety,
        setup: &SetupSource,
        asked: &AnswerRequest<'_>,
    ) -> Result<Answer, OracleError> {
        let mut line = request(asked.name(), safety);
        line.setup_source(setup);
        asked.put(&mut line);
        self.ask(line)
    }
}

impl AnswerRequest<'_> {
    /// The request's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Plain { .. } => "answer",
            Self::Rooted { .. } => "rooted",
            Self::Folded { .. } => "folded",
            Self::FoldedRooted { .. } => "folded_rooted",
        }
    }

    fn put(&self, line: &mut Line) {
        match self {
            Self::Plain { trusted, question, proof } => {
                line.trusted(trusted);
                line.question(question);
                line.proof(proof);
            }
            Self::Rooted { root, question, proof } => {
                line.bytes(root);
                line.question(question);
                line.identity(&proof.rooted_identity);
                line.proof(&proof.rooted_proof);
            }
            Self::Folded { trusted, question, proof, bound_claims } => {
                line.trusted(trusted);
                line.question(question);
                line.folded_proof(proof, bound_claims);
            }
            Self::FoldedRooted { root, question, proof, bound_claims } => {
                line.bytes(root);
                line.question(question);
                line.identity(&proof.folded_identity);
                line.folded_proof(&proof.folded_proof, bound_claims);
            }
        }
    }

    /// What the specification says of it, on a setup.
    ///
    /// # Errors
    /// Where the specification refuses the proof.
    pub fn judged(&self, setup: &Setup) -> Result<scan::Answer, AnswerRefusal> {
        match self {
            Self::Plain { trusted, question, proof } => verify_answer(setup, trusted, question, proof),
            Self::Rooted { root, question, proof } => verify_rooted_answer(setup, root, question, proof),
            Self::Folded { trusted, question, proof, bound_claims } => {
                verify_folded_answer(setup, trusted, question, proof, bound_claims)
            }
            Self::FoldedRooted { root, question, proof, bound_claims } => {
                verify_folded_rooted_answer(setup, root, question, proof, bound_claims)
            }
        }
    }
}

/// What the oracle should say where the specification says this.
pub fn specified_answer(judged: &Result<scan::Answer, AnswerRefusal>) -> String {
    let mut line = Line::default();
    match judged {
        Ok(answer) => {
            line.word("accepted");
            line.answer(answer);
        }
        Err(refusal) => {
            line.word("refused");
            line.word(&format!("{:?}", refusal.refusal_reason));
            line.number(match class_of_reason(&refusal.refusal_reason) {
                ReasonClass::ClassMalformed => 0u8,
                ReasonClass::ClassOther => 1,
                ReasonClass::ClassFalse => 2,
            });
            line.option(refusal.refusal_item.as_ref(), |line, item| line.size(*item));
        }
    }
    line.text()
}

impl Line {
    /// What is trusted.
    pub(crate) fn trusted(&mut self, trusted: &Trusted) {
        match trusted {
            Trusted::TrustedCommitments(known) => {
                self.word("commitments");
                self.bytes(&known.known_dictionary);
                self.size(known.known_vector_size);
                self.size(known.known_version);
                self.size(known.known_size);
                self.elements(&known.known_commitments);
            }
            Trusted::TrustedRoot(known) => {
                self.word("root");
                self.bytes(&known.root_dictionary);
                self.size(known.root_vector_size);
                self.bytes(&known.root_digest);
            }
        }
    }

    fn question(&mut self, question: &Question) {
        match question {
            Question::AskRegion(Region::RegionKeys(keys)) => {
                self.word("keys");
                self.list(keys, Self::bytes);
            }
            Question::AskRegion(Region::RegionRange(range)) => {
                self.word("range");
                self.bytes(&range.range_from);
                self.bytes(&range.range_to);
                self.option(range.range_limit.as_ref(), |line, limit| line.size(*limit));
            }
            Question::AskPredecessor(key) => {
                self.word("predecessor");
                self.bytes(key);
            }
            Question::AskSuccessor(key) => {
                self.word("successor");
                self.bytes(key);
            }
        }
    }

    /// A proof.
    pub(crate) fn proof(&mut self, proof: &AnswerProof) {
        self.bytes(&proof.proof_dictionary);
        self.size(proof.proof_vector_size);
        self.size(proof.proof_version);
        self.question(&proof.proof_question);
        self.list(&proof.proof_claims, Self::claim);
        self.option(proof.proof_tie.as_ref(), |line, tie| {
            line.root_parts(&tie.tie_parts);
            line.list(&tie.tie_vectors, Self::tied_vector);
        });
    }

    fn folded_proof(&mut self, proof: &FoldedAnswerProof, bound_claims: &Seq<FoldedClaimBytes>) {
        self.proof(&proof.unopened_proof);
        self.bytes(&proof.received_quotient);
        self.opening(&proof.decoded_quotient);
        self.opening(&proof.decoded_witness);
        self.list(bound_claims, |line, claim| {
            line.bytes(&claim.bound_commitment);
            line.bytes(&claim.bound_point);
            line.bytes(&claim.bound_value);
        });
    }

    fn tied_vector(&mut self, vector: &TiedVector) {
        self.size(vector.tied_number);
        self.bytes(&vector.tied_bytes);
        self.opening(&vector.tied_commitment);
        self.list(&vector.tied_path, Self::bytes);
    }

    fn identity(&mut self, identity: &DictionaryIdentity) {
        self.bytes(&identity.identity_name);
        self.bytes(&identity.identity_salt);
        self.parameters(&identity.identity_parameters);
        self.bytes(&identity.identity_setup_digest);
        self.bytes(&identity.identity_content_digest);
        self.bytes(&identity.identity_binding);
    }

    fn answer(&mut self, answer: &scan::Answer) {
        let entry = |line: &mut Self, entry: &KeyEntry| {
            line.bytes(&entry.entry_key);
            line.bytes(&entry.entry_value);
        };
        match answer {
            scan::Answer::AnswerKeys(answers) => {
                self.word("keys");
                self.list(answers, |line, answer| {
                    line.bytes(&answer.answered_key);
                    line.option(answer.answered_value.as_ref(), Self::bytes);
                });
            }
            scan::Answer::AnswerRange(found) => {
                self.word("range");
                self.key_map(&found.range_entries);
                self.option(found.range_resume.as_ref(), Self::bytes);
            }
            scan::Answer::AnswerPredecessor(found) => {
                self.word("predecessor");
                self.option(found.as_ref(), entry);
            }
            scan::Answer::AnswerSuccessor(found) => {
                self.word("successor");
                self.option(found.as_ref(), Self::bytes);
            }
        }
    }
}
