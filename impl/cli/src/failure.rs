//! The error type of all commands: message and exit code.

use std::io;

use aardvark_aggregates::AnswerError;
use aardvark_algebra::kernel::KernelError;
use aardvark_archive::backup::BackupError;
use aardvark_archive::{ArchiveError, JobError, StoreError};
use aardvark_client::light::Fault;
use aardvark_commitment::CommitmentError;
use aardvark_node::archive::DaemonError;
use aardvark_node::validator::StartError;
use aardvark_note::NoteError;
use aardvark_proof::Class;
use aardvark_tables::TablesError;
use aardvark_tables::certificates::CertificatesError;
use aardvark_tables::source::SourceError;
use aardvark_tables::vault::VaultError;
use serde_json::{Value, json};

use crate::answer_refusal::AnswerRefusal;
use crate::hints;
use crate::import::ImportError;
use crate::import::debian::DebianError;
use crate::input::InputError;
use crate::json::JsonError;
use crate::key_text::KeyTextError;
use crate::object_storage::ObjectStorageError;
use crate::report::Verdict;
use crate::verification::Refusal;

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A key on the command line.
    #[error(transparent)]
    Key(#[from] KeyTextError),
    /// A file that cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A file that cannot be written.
    #[error("{name}: {source}")]
    Output {
        /// The file.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// A JSON file that is malformed.
    #[error("{0}: {1}")]
    Json(String, JsonError),
    /// A file that is something else than it was given for.
    #[error("{0}: {1}")]
    AnotherFile(String, String),
    /// A file to import that is malformed.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A package index that is malformed.
    #[error(transparent)]
    Debian(#[from] DebianError),
    /// A proof that does not hold.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A proof of an answer that does not hold.
    #[error(transparent)]
    Answer(#[from] AnswerRefusal),
    /// A note that is none, or is not signed as it has to be.
    #[error("{0}: {1}")]
    Note(String, NoteError),
    /// A key of a publisher, or a name for one.
    #[error(transparent)]
    Publisher(#[from] NoteError),
    /// A store on object storage that is none, or that this program does not have.
    #[error(transparent)]
    ObjectStorage(#[from] ObjectStorageError),
    /// What was asked for does not go together.
    #[error("{0}")]
    Usage(String),
    /// An archive that does not do what it was asked.
    #[error("{}", hints::of_archive(.0))]
    Archive(#[from] ArchiveError),
    /// A job that is not done.
    #[error(transparent)]
    Job(JobError),
    /// A table that does not do what it was asked.
    #[error(transparent)]
    Table(Box<TablesError>),
    /// An answer of a table that does not hold.
    #[error("{0}")]
    TableAnswer(AnswerError),
    /// A server of tables that does not answer, or refuses.
    #[error("{0}: {1}")]
    TableServer(String, Box<Fault>),
    /// Slots that are not one ring.
    #[error("the slots are not one ring: {0}")]
    Ring(String),
    /// A file of rows that are none of a table's.
    #[error("{0}, {1}")]
    Rows(String, Box<SourceError>),
    /// An archive's server that does not start, or stops.
    #[error(transparent)]
    Server(#[from] DaemonError),
    /// An import that stopped after some of its blocks.
    #[error("{failure}; what stands before it ({taken} changes) is imported, up to version {version}")]
    Stopped {
        /// Why it stopped.
        failure: Box<Failure>,
        /// Changes of the file that are imported.
        taken: u64,
        /// The version that they make.
        version: u64,
    },
    /// A folder whose name is none for a dictionary.
    #[error("{0}: the folder's name is none for a dictionary; give one with --name")]
    NoName(String),
    /// The system has no random bytes.
    #[error("no randomness: {0}")]
    Random(String),
    /// A demonstration of something that did not come true.
    #[error("the demonstration failed: {0}")]
    Broken(String),
    /// First content that deletes.
    #[error("{0}: a dictionary begins with keys and values, and this deletes {1}")]
    Deletes(String, aardvark_dictionary::Key),
    /// A kernel that there is not, or not on this machine.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// Levels of a log that are none.
    #[error("{0}")]
    Logging(String),
    /// An operator's address that cannot be listened on.
    #[error("--operations {address}: {source}")]
    Operations {
        /// The address.
        address: std::net::SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A backup that a server does not give.
    #[error("{0}: {1}")]
    Download(String, String),
    /// A chain's genesis that is none.
    #[error(transparent)]
    Genesis(#[from] aardvark_chain::ChainGenesisError),
    /// A validator that does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A validator that cannot go on.
    #[error(transparent)]
    Serve(#[from] aardvark_node::validator::ServeError),
    /// A client that got no answer, or whose transaction was refused.
    #[error(transparent)]
    Client(#[from] crate::commands::client::failure::ClientFailure),
    /// A ceremony of the mixnet.
    #[error(transparent)]
    Mixnet(#[from] crate::commands::mixnet::failure::MixnetFailure),
    /// The commitment scheme could not be set up.
    #[error(transparent)]
    Scheme(#[from] CommitmentError),
}

impl From<aardvark_board::proved::ProvedError> for Failure {
    fn from(error: aardvark_board::proved::ProvedError) -> Self {
        Self::Mixnet(error.into())
    }
}

impl Failure {
    /// The demonstration's own complaint: what was to be shown did not come true.
    pub fn broken(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }

    /// The exit code that the failure has.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Refused(refusal) => refusal.verdict(),
            Self::Answer(refusal) => refusal.verdict(),
            Self::Note(_, error) if error.class() == Class::False => Verdict::False,
            Self::Broken(_) => Verdict::False,
            Self::Client(failure) => failure.verdict(),
            Self::Mixnet(failure) => failure.verdict(),
            Self::Stopped { failure, .. } => failure.verdict(),
            Self::Output { source, .. } => of_system(source),
            Self::Archive(error) | Self::Server(DaemonError::Archive(error)) => of_archive(error),
            Self::Server(DaemonError::Backup(error)) => of_backup(error),
            Self::Server(DaemonError::OtherRoot { .. }) => Verdict::False,
            Self::Table(error) => of_table(error),
            Self::TableAnswer(error) => match error.class() {
                Class::False => Verdict::False,
                _ => Verdict::Malformed,
            },
            Self::TableServer(_, fault) => of_server(fault),
            Self::Ring(_) => Verdict::False,
            Self::Rows(_, error) => match &**error {
                SourceError::Io(error) | SourceError::Sorting(error) => of_system(error),
                SourceError::Database(_) => Verdict::Failed,
                _ => Verdict::Malformed,
            },
            Self::Server(DaemonError::Listen { .. } | DaemonError::Stopped(_))
            | Self::Download(..)
            | Self::Serve(_)
            | Self::Operations { .. }
            | Self::Start(StartError::Fatal(_))
            | Self::Job(JobError::TakenOver(_))
            | Self::Random(_) => Verdict::Failed,
            _ => Verdict::Malformed,
        }
    }

    /// What JSON adds to the message.
    pub fn details(&self) -> Value {
        match self {
            Self::Refused(refusal) => json!({ "reason": refusal.name() }),
            Self::Answer(refusal) => json!({ "reason": refusal.name() }),
            Self::Note(_, error) | Self::Publisher(error) => json!({ "reason": error.name() }),
            Self::TableAnswer(error) => json!({ "reason": error.reason.name() }),
            Self::Usage(_) => json!({ "reason": "Usage" }),
            Self::Client(failure) => failure.details(),
            Self::Mixnet(failure) => failure.details(),
            Self::Stopped { taken, version, .. } => json!({ "changes": taken, "version": version }),
            _ => json!({}),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Archive(error) => Self::Archive(error),
            error => Self::Job(error),
        }
    }
}

impl From<TablesError> for Failure {
    fn from(error: TablesError) -> Self {
        match error {
            TablesError::Archive(error) => Self::Archive(error),
            error => Self::Table(Box::new(error)),
        }
    }
}

/// What a server refuses as wrongly asked is malformed, as it is where the folder is asked.
fn of_server(fault: &Fault) -> Verdict {
    const WRONGLY_ASKED: [&str; 9] = [
        "no_such_table",
        "bad_query",
        "no_such_version",
        "bad_request",
        "no_vault",
        "not_found",
        "no_such_row",
        "several_rows",
        "no_rows",
    ];
    match fault {
        Fault::Malformed(_) => Verdict::Malformed,
        Fault::Refused { code, .. } if WRONGLY_ASKED.contains(&code.as_str()) => Verdict::Malformed,
        _ => Verdict::Failed,
    }
}

fn of_table(error: &TablesError) -> Verdict {
    match error {
        TablesError::Archive(error)
        | TablesError::Vault(VaultError::Write(error))
        | TablesError::Certificates(CertificatesError::Write(error)) => of_archive(error),
        TablesError::Vault(VaultError::Store(error)) | TablesError::Certificates(CertificatesError::Store(error)) => {
            of_store(error)
        }
        TablesError::Vault(VaultError::File { source, .. })
        | TablesError::Certificates(CertificatesError::File { source, .. }) => of_system(source),
        TablesError::Output(error) => of_system(error),
        TablesError::Refused(_) => Verdict::False,
        TablesError::OwnCertificate(_)
        | TablesError::Prover(_)
        | TablesError::Answer(_)
        | TablesError::OwnAnswer(_)
        | TablesError::NoCertificate(_)
        | TablesError::Scan
        | TablesError::NotApplied(_)
        | TablesError::MayCome(_)
        | TablesError::Random(_) => Verdict::Failed,
        _ => Verdict::Malformed,
    }
}

/// A store that is busy or full is no fault of what was asked.
fn of_archive(error: &ArchiveError) -> Verdict {
    match error {
        ArchiveError::NotCommitted { .. } => Verdict::Failed,
        ArchiveError::Store(error) | ArchiveError::Open { source: error, .. } => of_store(error),
        ArchiveError::File { source, .. } => of_system(source),
        _ => Verdict::Malformed,
    }
}

/// A backup that says what is not so is false; one that is none, or not whole, is malformed.
fn of_backup(error: &BackupError) -> Verdict {
    match error {
        BackupError::Archive(error) => of_archive(error),
        BackupError::Io(error) => of_system(error),
        BackupError::Contradiction(_) | BackupError::OtherRoot { .. } | BackupError::OtherHead => Verdict::False,
        _ => Verdict::Malformed,
    }
}

fn of_store(error: &StoreError) -> Verdict {
    match error {
        StoreError::InUse | StoreError::Full(_) | StoreError::Closed => Verdict::Failed,
        StoreError::Fenced | StoreError::Unavailable(_) => Verdict::Failed,
        StoreError::Io(error) => of_system(error),
        _ => Verdict::Malformed,
    }
}

/// What the system refuses for the name that was given is malformed; else the work failed.
fn of_system(error: &io::Error) -> Verdict {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound
        | Kind::NotADirectory
        | Kind::IsADirectory
        | Kind::InvalidFilename
        | Kind::InvalidInput
        | Kind::InvalidData
        | Kind::UnexpectedEof => Verdict::Malformed,
        _ => Verdict::Failed,
    }
}
