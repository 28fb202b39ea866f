//! Who asks: the commitments of one version and the table's schema, and nothing else.

use std::sync::Arc;

use aardvark_aggregates::{Answer, AnswerError, Certificates, Outcome, Query, Schema};
use aardvark_commitment::{Commitment, Scheme};
use aardvark_dictionary::DictionaryId;
use aardvark_proof::{KnownCommitments, Trusted};
use aardvark_tables::{Keeper, TablesError};

use super::meters::TABLE;
use crate::failure::Failure;

/// Somebody who asks.
pub struct Asker {
    dictionary: DictionaryId,
    /// The version whose commitments are trusted.
    pub version: u64,
    schema: Schema,
    scheme: Arc<Scheme>,
    size: u64,
    commitments: Vec<Commitment>,
}

impl Asker {
    /// Who believes the newest commitments of a dictionary.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn of_keeper(keeper: &Keeper) -> Result<Self, Failure> {
        let archive = keeper.archive();
        let version = archive.version();
        Ok(Self {
            dictionary: *archive.id(),
            version,
            schema: keeper.schema(TABLE)?,
            scheme: archive.scheme()?.clone(),
            size: archive.size(),
            commitments: archive.commitments(version)?,
        })
    }

    /// The asker's own query.
    ///
    /// # Errors
    /// A text that is no query of the table.
    pub fn query(&self, text: &str) -> Result<Query, Failure> {
        Ok(Query::parse(TABLE, text, &self.schema).map_err(TablesError::Query)?)
    }

    /// What an answer says, with the certificates of all runs that it uses.
    ///
    /// # Errors
    /// A text that is no query; inside, why the answer does not hold.
    pub fn verify(&self, text: &str, answer: &Answer) -> Result<Result<Outcome, AnswerError>, Failure> {
        let trusted = Trusted::Commitments(KnownCommitments {
            dictionary: self.dictionary,
            scheme: &self.scheme,
            version: self.version,
            size: self.size,
            commitments: &self.commitments,
        });
        Ok(answer.verify(&self.query(text)?, &trusted, Certificates::Required))
    }
}
