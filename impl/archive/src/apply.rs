//! Blocks of transactions: the validator checks them, then the store takes what they did.

use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_dictionary::tail::tail_needed;
use aardvark_dictionary::{AggregatedBlock, Block, Effects, Operation, Proposal, Transaction, Validator};

use crate::accepted::Accepted;
use crate::archive::Archive;
use crate::commit::VersionChanges;
use crate::error::ArchiveError;
use crate::records::{self, VersionInfo};

impl Archive {
    /// The validator of the newest version: all that a node without the data knows.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`], [`ArchiveError::State`].
    pub fn validator(&self) -> Result<Validator, ArchiveError> {
        match &self.validator {
            Some(validator) => Ok(validator.clone()),
            None => self.restored_validator(),
        }
    }

    /// Builds a block of the next version from transactions, with the tail vectors that it needs.
    /// It takes [`Archive::apply`] to make the version.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`]. Transactions that fail are no error: the proposal reports them.
    pub fn propose(&mut self, transactions: Vec<Transaction>) -> Result<Proposal, ArchiveError> {
        let limit = self.parameters().limits.block_bytes;
        self.propose_within(transactions, usize_or_max(limit))
    }

    /// [`Archive::propose`], with a block of at most `byte_limit` bytes.
    ///
    /// # Errors
    /// As [`Archive::propose`].
    pub fn propose_within(
        &mut self,
        transactions: Vec<Transaction>,
        byte_limit: usize,
    ) -> Result<Proposal, ArchiveError> {
        let tail_vectors = self.tail_vectors(self.tail_vectors_at_most(&transactions))?;
        let validator = self.take_validator()?;
        let proposal = validator.propose(transactions, &tail_vectors, byte_limit);
        self.validator = Some(validator);
        Ok(proposal)
    }

    /// Takes a block of the next version, whole or not at all: the validator checks it, then slots,
    /// index, commitments, replay set and log change in one durable transaction.
    ///
    /// # Errors
    /// [`ArchiveError::Rejected`] where the dictionary's rules refuse it;
    /// [`ArchiveError::NotCommitted`] where the store fails. The version before then stands.
    pub fn apply(&mut self, block: &Block) -> Result<Effects, ArchiveError> {
        let mut validator = self.take_validator()?;
        let applied = match validator.apply(block) {
            Ok(applied) => applied,
            Err(rejection) => {
                self.validator = Some(validator);
                return Err(ArchiveError::Rejected(rejection));
            }
        };
        // Where the store fails, the validator is ahead of it, and dropped.
        let accepted = Accepted::plain(block, applied, validator.tail().start());
        self.commit_accepted(&accepted)?;
        self.validator = Some(validator);
        Ok(accepted.applied)
    }

    /// Takes an aggregated block of the next version, as [`Archive::apply`] takes a plain one. The
    /// log has it as it is.
    ///
    /// # Errors
    /// As [`Archive::apply`].
    pub fn apply_aggregated(&mut self, block: &AggregatedBlock) -> Result<Effects, ArchiveError> {
        let mut validator = self.take_validator()?;
        let accepted = match Accepted::aggregated(&mut validator, block) {
            Ok(accepted) => accepted,
            Err(rejection) => {
                self.validator = Some(validator);
                return Err(ArchiveError::Rejected(rejection));
            }
        };
        self.commit_accepted(&accepted)?;
        self.validator = Some(validator);
        Ok(accepted.applied)
    }

    /// Stores what a validator at this archive's version has accepted: slots, index, commitments,
    /// replay set and log change in one durable transaction. For a node whose validator moves on
    /// while the archive is read.
    ///
    /// # Errors
    /// [`ArchiveError::OutOfOrder`] where it makes another version than the next;
    /// [`ArchiveError::Damaged`] where the slots that it replaces are others;
    /// [`ArchiveError::NotCommitted`] where the store fails.
    pub fn store_accepted(&mut self, accepted: &Accepted) -> Result<(), ArchiveError> {
        let Effects { version, previous_size, .. } = accepted.applied;
        if (version, previous_size) != (self.version + 1, self.info.size) {
            return Err(ArchiveError::OutOfOrder { offered: version, version: self.version });
        }
        self.validator = None;
        self.commit_accepted(accepted)
    }

    fn commit_accepted(&mut self, accepted: &Accepted) -> Result<(), ArchiveError> {
        let Accepted { applied, kind, bytes, entered, tail_start } = accepted;
        let info = VersionInfo {
            size: applied.size,
            tail_start: *tail_start,
            kind: *kind,
            items: u64_of_usize(entered.len()),
            block_bytes: u64_of_usize(bytes.len()),
            link: records::link(&self.info.link, bytes),
        };
        self.commit(&VersionChanges {
            version: applied.version,
            previous_size: applied.previous_size,
            info,
            block: bytes,
            writes: &applied.writes,
            commitments: &applied.commitments,
            applied: entered,
            vector_size: self.parameters().positions_per_vector(),
            retention: self.retention(),
            genesis_record: None,
        })
    }

    /// The kept validator, or one restored from the store. Whoever takes it puts it back while it
    /// fits the store.
    fn take_validator(&mut self) -> Result<Validator, ArchiveError> {
        match self.validator.take() {
            Some(validator) => Ok(validator),
            None => self.restored_validator(),
        }
    }

    /// How many tail vectors a block needs at most: as if every delete found its key, and nothing
    /// were inserted.
    fn tail_vectors_at_most(&self, transactions: &[Transaction]) -> u64 {
        let operations = transactions.iter().flat_map(|transaction| &transaction.operations);
        let deletes = operations.filter(|operation| matches!(operation, Operation::Delete(_))).count();
        let left = self.info.size.saturating_sub(u64_of_usize(deletes)).max(1);
        tail_needed(self.info.tail_start, left, self.parameters().positions_per_vector())
    }
}
