//! How a test of the file is put together.

use aardvark_proof::{AnswerProof, Question, answer_bytes, answer_json};

use super::book::{Library, Version};
use super::{
    AnswerJson, ClassJson, CommitmentsJson, Expected, ProofCase, RefusedJson, RootJson, Trusted, TrustedByName,
};
use crate::vectors::file::Hex;
use crate::vectors::flags::Flag;

/// Tests with their comments and flags.
pub(super) type Tests = Vec<(String, Vec<Flag>, ProofCase)>;

/// The tests so far.
pub(super) struct Maker<'a> {
    pub(super) library: &'a Library,
    tests: Tests,
    trusted: TrustedByName,
}

/// What is trusted of a version.
#[derive(Clone, Copy)]
pub(super) enum Anchor<'a> {
    Commitments(&'a Version),
    Root(&'a Version),
    RootAlone(&'a Version),
}

impl Anchor<'_> {
    fn version(&self) -> &Version {
        match self {
            Self::Commitments(version) | Self::Root(version) | Self::RootAlone(version) => version,
        }
    }

    /// The honest proof for whoever trusts this.
    pub(super) fn prove(&self, question: &Question) -> AnswerProof {
        match self {
            Self::Commitments(version) => version.prove(question),
            Self::Root(version) => version.prove_rooted(question),
            Self::RootAlone(version) => version.prove_alone(question),
        }
    }

    /// What an ordinary map answers.
    pub(super) fn answer(&self, question: &Question) -> Expected {
        Expected::Answer(AnswerJson::from(&self.version().answer(question)))
    }

    fn name(&self) -> String {
        let version = self.version();
        let (name, number) = (version.genesis.identity().name(), version.number);
        match self {
            Self::Commitments(_) => format!("{name}/{number}/commitments"),
            Self::Root(_) => format!("{name}/{number}/root"),
            Self::RootAlone(_) => format!("{name}/{number}/root alone"),
        }
    }

    fn trusted(&self) -> Trusted {
        let version = self.version();
        let (dictionary, scheme) = (version.genesis.dictionary_id().0.into(), "kzg".to_owned());
        let vector_size = version.genesis.parameters().vector_size;
        match self {
            Self::Commitments(_) => Trusted::Commitments(CommitmentsJson {
                format: 1,
                dictionary,
                scheme,
                vector_size,
                version: version.number,
                slots: version.slots.len() as u64,
                commitments: version.commitments.iter().map(|commitment| commitment.to_bytes().into()).collect(),
            }),
            Self::Root(_) => {
                Trusted::Root(RootJson { root: version.parts.root().into(), dictionary, scheme, vector_size })
            }
            Self::RootAlone(_) => Trusted::RootAlone(version.parts.root().into()),
        }
    }
}

/// A refusal of a false proof.
pub(super) fn is_false(reason: &str, item: impl Into<Option<usize>>) -> Expected {
    refused(reason, ClassJson::False, item.into())
}

/// A refusal of what is none of the format's proofs.
pub(super) fn is_malformed(reason: &str, item: impl Into<Option<usize>>) -> Expected {
    refused(reason, ClassJson::Malformed, item.into())
}

/// A refusal of a proof about something else.
pub(super) fn is_other(reason: &str) -> Expected {
    refused(reason, ClassJson::Other, None)
}

fn refused(reason: &str, class: ClassJson, item: Option<usize>) -> Expected {
    Expected::Refused(RefusedJson { reason: reason.to_owned(), class, item })
}

/// A proof's JSON on one line.
pub(super) fn text_of(proof: &AnswerProof) -> String {
    // No string of a proof has a blank in it.
    answer_json::write(proof).expect("JSON").split_whitespace().collect()
}

/// A proof's bytes, where it has some.
fn bytes_of(proof: &AnswerProof) -> Option<Hex> {
    // A question that nobody can ask has no encoding.
    answer_bytes::encode(proof).ok().map(Hex)
}

impl<'a> Maker<'a> {
    pub(super) fn new(library: &'a Library) -> Self {
        Self { library, tests: Tests::new(), trusted: TrustedByName::new() }
    }

    pub(super) fn finish(self) -> (Tests, TrustedByName) {
        (self.tests, self.trusted)
    }

    fn push(&mut self, comment: &str, flags: &[Flag], anchor: Anchor<'_>, case: ProofCase) {
        self.trusted.entry(anchor.name()).or_insert_with(|| anchor.trusted());
        self.tests.push((comment.to_owned(), flags.to_vec(), case));
    }

    /// A true proof.
    pub(super) fn holds(&mut self, comment: &str, flags: &[Flag], anchor: Anchor<'_>, asked: &Question) {
        self.judged(comment, flags, anchor, asked, &anchor.prove(asked), anchor.answer(asked));
    }

    /// A true proof with one opening for its claims.
    pub(super) fn holds_together(&mut self, comment: &str, flags: &[Flag], anchor: Anchor<'_>, asked: &Question) {
        let proof = anchor.version().together(anchor.prove(asked));
        self.judged(comment, flags, anchor, asked, &proof, anchor.answer(asked));
    }

    /// What comes of a proof that a function makes of the true one.
    pub(super) fn lie(
        &mut self,
        comment: &str,
        flags: &[Flag],
        anchor: Anchor<'_>,
        asked: &Question,
        expected: Expected,
        change: impl FnOnce(&mut AnswerProof),
    ) {
        let mut proof = anchor.prove(asked);
        change(&mut proof);
        self.judged(comment, flags, anchor, asked, &proof, expected);
    }

    /// What comes of a proof.
    pub(super) fn judged(
        &mut self,
        comment: &str,
        flags: &[Flag],
        anchor: Anchor<'_>,
        asked: &Question,
        proof: &AnswerProof,
        expected: Expected,
    ) {
        let case = ProofCase {
            trusted: anchor.name(),
            question: asked.into(),
            proof: Some(text_of(proof)),
            bytes: bytes_of(proof),
            expected,
            strict: None,
        };
        self.push(comment, flags, anchor, case);
    }

    /// The verdict of a verifier that demands the subgroup on the latest test.
    pub(super) fn strictly(&mut self, expected: Expected) {
        if let Some((_, _, case)) = self.tests.last_mut() {
            case.strict = Some(expected);
        }
    }

    /// Text, or bytes, that are no proof.
    pub(super) fn unreadable(
        &mut self,
        comment: &str,
        flags: &[Flag],
        anchor: Anchor<'_>,
        asked: &Question,
        written: Result<String, Vec<u8>>,
    ) {
        let (proof, bytes) = match written {
            Ok(text) => (Some(text), None),
            Err(bytes) => (None, Some(Hex(bytes))),
        };
        let expected = is_malformed("Unreadable", None);
        let case = ProofCase { trusted: anchor.name(), question: asked.into(), proof, bytes, expected, strict: None };
        self.push(comment, flags, anchor, case);
    }
}
