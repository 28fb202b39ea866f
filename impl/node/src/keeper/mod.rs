//! A keeper as a service: an archive that has the rows of its tables, and answers of them
//! (`docs/tables.md`).
//!
//! What it serves besides is the archive's, with the archive's limits. A keeper that answers
//! strangers may refuse what is about too few rows, and give its answers at a pace that does not
//! show how long they took.

use std::path::Path;
use std::time::{Duration, Instant};

use aardvark_aggregates::ProverSetup;
use aardvark_archive::Snapshot;
use aardvark_dictionary::DictionaryId;
use aardvark_tables::{Answered, AnsweredError, Answerer, Certificates, TablesError, Vault};

/// How a keeper answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeeperOptions {
    /// The fewest rows that an answer, or what it differs in from answers before, may be about.
    pub min_rows: Option<u64>,
    /// Answers are given after a multiple of this time.
    pub answer_time: Option<Duration>,
}

/// The rows, and how they are answered of.
pub struct Keeping {
    vault: Vault,
    setup: ProverSetup,
    answered: Option<Answered>,
    answer_time: Option<Duration>,
}

/// Why a keeper does not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeepingError {
    /// The vault, or the setup.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// What was answered before.
    #[error(transparent)]
    Answered(#[from] AnsweredError),
}

impl Keeping {
    /// Opens the vault of an archive's directory.
    ///
    /// # Errors
    /// [`KeepingError`].
    pub fn open(
        directory: &Path,
        dictionary: &DictionaryId,
        KeeperOptions { min_rows, answer_time }: &KeeperOptions,
    ) -> Result<Self, KeepingError> {
        let vault = Vault::open_read_only(directory, dictionary).map_err(TablesError::from)?;
        let setup = ProverSetup::ethereum(Some(&Vault::folder(directory))).map_err(TablesError::from)?;
        let answered = min_rows.map(|least| Answered::open(directory, dictionary, least)).transpose()?;
        let answer_time = answer_time.filter(|time| !time.is_zero());
        Ok(Self { vault, setup, answered, answer_time })
    }

    /// What answers of a state of the archive are made of.
    pub(crate) fn answerer<'a>(&'a self, archive: &'a Snapshot, certificates: &'a Certificates) -> Answerer<'a> {
        Answerer { archive, vault: &self.vault, certificates, setup: &self.setup }
    }

    /// The answers that were given, where it matters.
    pub(crate) fn answered(&self) -> Option<&Answered> {
        self.answered.as_ref()
    }

    /// When an answer is given that was asked for at a moment and is ready at another.
    pub(crate) fn given_at(&self, asked: Instant, ready: Instant) -> Instant {
        let Some(time) = self.answer_time else { return ready };
        let took = ready.saturating_duration_since(asked).as_nanos();
        let times = took.div_ceil(time.as_nanos().max(1)).max(1);
        asked + time.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX))
    }
}
