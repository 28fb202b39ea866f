//! What is trusted of a dictionary, and the check of answers about its tables under it: one for
//! files, as `table verify` reads them, and for what a server says.

use aardvark_aggregates::answer::Certificates;
use aardvark_aggregates::{Answer, Basis, Outcome, OwnerTexts, Query};
use aardvark_dictionary::DictionaryId;
use aardvark_proof::{Answer as ProvedAnswer, AnswerProof, Question, Strictness};
use serde_json::{Value, json};

use super::trust::TrustedHeader;
use crate::anchor::Anchor;
use crate::answer_report::merge;
use crate::answers::{Stated, under_anchor, verify_answer};
use crate::failure::Failure;
use crate::report::Rows;

/// What is trusted: commitments, a root, a note, or the root of a header.
pub struct TrustedSide {
    anchor: Anchor,
    header: Option<TrustedHeader>,
}

impl From<Anchor> for TrustedSide {
    fn from(anchor: Anchor) -> Self {
        Self { anchor, header: None }
    }
}

impl From<TrustedHeader> for TrustedSide {
    fn from(header: TrustedHeader) -> Self {
        Self { anchor: Anchor::Root(header.root()), header: Some(header) }
    }
}

impl TrustedSide {
    /// What is trusted, in words.
    pub fn name(&self) -> &'static str {
        match (&self.anchor, &self.header) {
            (_, Some(_)) => "the header",
            (Anchor::Commitments(_), None) => "the commitments",
            (Anchor::Root(_), None) => "the root",
            (Anchor::Note(_), None) => "the note",
        }
    }

    /// On whose word it rests that the runs of an answer under this are in order, where their
    /// certificates were verified with it or were not.
    pub fn basis(&self, certificates: bool) -> Basis {
        match (self.header.as_ref().is_some_and(TrustedHeader::checks_tables), certificates) {
            (true, _) => Basis::Consensus,
            (false, true) => Basis::Certificates,
            (false, false) => Basis::Audit,
        }
    }

    /// Whether answers have to be tied to a state root.
    pub fn is_rooted(&self) -> bool {
        !matches!(self.anchor, Anchor::Commitments(_))
    }

    /// Whether it is a header, which a server may have later than a node.
    pub fn is_header(&self) -> bool {
        self.header.is_some()
    }

    /// The version that it is of; a root alone does not say.
    ///
    /// # Errors
    /// Commitments that cannot be read.
    pub fn version(&self) -> Result<Option<u64>, Failure> {
        Ok(match (&self.anchor, &self.header) {
            (_, Some(header)) => Some(header.version()),
            (Anchor::Commitments(file), None) => Some(file.known()?.version),
            (Anchor::Note(note), None) => Some(note.statement.version()),
            (Anchor::Root(_), None) => None,
        })
    }

    /// Whether something may be what is trusted, by what it says of itself.
    fn check_about(&self, dictionary: &DictionaryId, version: u64) -> Result<(), Failure> {
        Ok(self.header.as_ref().map_or(Ok(()), |header| header.check(dictionary, version))?)
    }

    /// What an answer says of the asker's query, with the certificates of its runs or without, and
    /// with the texts that the owner of its row holds against it.
    ///
    /// # Errors
    /// Commitments that cannot be read; an answer that is malformed, about something else or false.
    pub fn verify(
        &self,
        query: &Query,
        answer: &Answer,
        certificates: bool,
        owner: &OwnerTexts,
    ) -> Result<Outcome, Failure> {
        self.check_about(&answer.dictionary, answer.version)?;
        let looked_at = if certificates { Certificates::Required } else { Certificates::Ignored };
        let stated = Stated { version: answer.version, identity: answer.identity() };
        under_anchor(&self.anchor, &stated, |trusted| {
            let outcome = answer.verify(query, trusted, looked_at).map_err(Failure::TableAnswer)?;
            if !owner.is_empty() {
                outcome.check_owner(owner).map_err(Failure::TableAnswer)?;
            }
            Ok(outcome)
        })
    }

    /// What a proof of the dictionary answers to a question.
    ///
    /// # Errors
    /// As [`TrustedSide::verify`].
    pub fn verify_proof(&self, question: &Question, proof: &AnswerProof) -> Result<ProvedAnswer, Failure> {
        self.check_about(&proof.dictionary, proof.version)?;
        verify_answer(&self.anchor, question, proof, Strictness::default())
    }

    /// How many slots the dictionary has at the version of a proof that was verified.
    ///
    /// # Errors
    /// Commitments that cannot be read.
    pub fn slots(&self, proof: &AnswerProof) -> Result<Option<u64>, Failure> {
        match &self.anchor {
            Anchor::Commitments(file) => Ok(Some(file.known()?.slots)),
            // The root is over it.
            Anchor::Root(_) | Anchor::Note(_) => Ok(proof.tie.as_ref().map(|tie| tie.size)),
        }
    }

    /// Which header or note it is, for people and as JSON.
    pub fn told(&self, rows: Rows, said: &mut Value) -> Rows {
        let rows = match &self.header {
            Some(header) => {
                merge(said, json!({ "header": header.json() }));
                header.rows(rows)
            }
            None => rows,
        };
        match &self.anchor {
            Anchor::Note(note) => {
                merge(said, json!({ "note": note.json() }));
                note.rows(rows)
            }
            Anchor::Commitments(_) | Anchor::Root(_) => rows,
        }
    }
}
