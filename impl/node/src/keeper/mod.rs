//! A keeper as a service: an archive that has the rows of its tables, and answers of them
//! (`docs/tables.md`).
//!
//! What it serves besides is the archive's, with the archive's limits. A keeper that answers
//! strangers may refuse what is about too few rows, and give its answers at a pace that does not
//! show how long they took.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use aardvark_aggregates::ProverSetup;
use aardvark_archive::Snapshot;
use aardvark_dictionary::DictionaryId;
use aardvark_tables::vault::VaultError;
use aardvark_tables::{Answered, AnsweredError, Answerer, Certificates, TablesError, Vault};

/// How a keeper answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeeperOptions {
    /// The folder of the vault; the archive's where none is named.
    pub vault: Option<PathBuf>,
    /// Whether the vault is opened for each answer and closed behind it, so that another process
    /// can write to it between two answers: on a chain, where the archive goes on by itself.
    pub vault_on_demand: bool,
    /// The fewest rows that an answer, or what it differs in from answers before, may be about.
    pub min_rows: Option<u64>,
    /// Answers are given after a multiple of this time.
    pub answer_time: Option<Duration>,
    /// The row column that holds the tag which entitles to a row: to who knows the tag and the id,
    /// rows of tables with such a column are shown. Without it no rows are.
    pub tag_column: Option<String>,
}

/// The rows, and how they are answered of.
pub struct Keeping {
    vault: Rows,
    setup: ProverSetup,
    answered: Option<Answered>,
    answer_time: Option<Duration>,
    tag_column: Option<String>,
}

/// The vault, as it is opened.
enum Rows {
    /// Once for all answers.
    Held(Arc<Vault>),
    /// For answers that overlap.
    OnDemand { directory: PathBuf, dictionary: DictionaryId, open: Mutex<Weak<Vault>> },
}

impl Rows {
    fn open(&self) -> Result<Arc<Vault>, VaultError> {
        let (directory, dictionary, open) = match self {
            Self::Held(vault) => return Ok(Arc::clone(vault)),
            Self::OnDemand { directory, dictionary, open } => (directory, dictionary, open),
        };
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vault) = open.upgrade() {
            return Ok(vault);
        }
        let vault = Arc::new(Vault::open_read_only(directory, dictionary)?);
        *open = Arc::downgrade(&vault);
        Ok(vault)
    }
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
    /// Opens the vault of an archive's directory, or the one that is named.
    ///
    /// # Errors
    /// [`KeepingError`].
    pub fn open(
        directory: &Path,
        dictionary: &DictionaryId,
        KeeperOptions { vault, vault_on_demand, min_rows, answer_time, tag_column }: &KeeperOptions,
    ) -> Result<Self, KeepingError> {
        let directory = vault.as_deref().unwrap_or(directory);
        let vault = if *vault_on_demand {
            let (directory, dictionary) = (directory.to_owned(), *dictionary);
            Rows::OnDemand { directory, dictionary, open: Mutex::default() }
        } else {
            Rows::Held(Arc::new(Vault::open_read_only(directory, dictionary).map_err(TablesError::from)?))
        };
        // Where there is no vault yet, nothing is kept beside it either.
        let folder = Vault::folder(directory);
        let setup = ProverSetup::ethereum(folder.exists().then_some(folder.as_path()));
        let setup = setup.map_err(TablesError::from)?.with_tables();
        let answered = min_rows.map(|least| Answered::open(directory, dictionary, least)).transpose()?;
        let answer_time = answer_time.filter(|time| !time.is_zero());
        Ok(Self { vault, setup, answered, answer_time, tag_column: tag_column.clone() })
    }

    /// The vault, which is open as long as this is held.
    ///
    /// # Errors
    /// [`TablesError::Vault`] where it cannot be opened: another process may be writing to it.
    pub(crate) fn vault(&self) -> Result<Arc<Vault>, TablesError> {
        Ok(self.vault.open()?)
    }

    /// What answers of a state of the archive are made of.
    pub(crate) fn answerer<'a>(
        &'a self,
        vault: &'a Vault,
        archive: &'a Snapshot,
        certificates: &'a Certificates,
    ) -> Answerer<'a> {
        Answerer { archive, vault, certificates, setup: &self.setup }
    }

    /// The answers that were given, where it matters.
    pub(crate) fn answered(&self) -> Option<&Answered> {
        self.answered.as_ref()
    }

    /// The row column of tags, where rows are shown to their owners.
    pub(crate) fn tag_column(&self) -> Option<&str> {
        self.tag_column.as_deref()
    }

    /// When an answer is given that was asked for at a moment and is ready at another.
    pub(crate) fn given_at(&self, asked: Instant, ready: Instant) -> Instant {
        let Some(time) = self.answer_time else { return ready };
        let took = ready.saturating_duration_since(asked).as_nanos();
        let times = took.div_ceil(time.as_nanos().max(1)).max(1);
        asked + time.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX))
    }
}
