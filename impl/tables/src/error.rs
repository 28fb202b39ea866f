//! What goes wrong with tables.

use aardvark_aggregates::answer::prover::AnswerProverError;
use aardvark_aggregates::{AnswerError, CertificateError, PolicyFault, ProverError, QueryError, SchemaError};
use aardvark_archive::ArchiveError;
use aardvark_commitment::CommitmentError;
use thiserror::Error;

use crate::certificates::CertificatesError;
use crate::source::SourceError;
use crate::vault::VaultError;

/// Why a table cannot be made, imported into or audited.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// A name that no table can have.
    #[error("{0:?} is no name of a table: 1 to 32 characters of a-z 0-9 _ -")]
    Name(String),
    /// There is no table of this name.
    #[error("there is no table {0}")]
    NoTable(String),
    /// There is one already.
    #[error("there is a table {0} already")]
    Exists(String),
    /// The table's schema is none.
    #[error("the schema: {0}")]
    Schema(#[from] SchemaError),
    /// The dictionary takes no keys or values as long as tables have them.
    #[error("the dictionary takes keys of {keys} and values of {values} bytes; tables need 176 and 1,024")]
    Parameters {
        /// Its longest key.
        keys: u16,
        /// Its longest value.
        values: u16,
    },
    /// No sheet has so many positions.
    #[error("sheets of {0} positions: a power of two from 8 to {1}")]
    SheetSize(usize, usize),
    /// The rows of a source.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A change that the table does not allow.
    #[error("{0}")]
    Policy(#[from] PolicyFault),
    /// The vault.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The certificates.
    #[error(transparent)]
    Certificates(#[from] CertificatesError),
    /// The dictionary.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The setup.
    #[error(transparent)]
    Setup(#[from] CommitmentError),
    /// A certificate that could not be made.
    #[error("a certificate could not be made: {0}")]
    Prover(#[from] ProverError),
    /// A certificate that was made and does not hold: nothing was written.
    #[error("a certificate that was made does not hold: {0}; nothing was written")]
    OwnCertificate(CertificateError),
    /// An amendment has fewer rows of a key than the key has runs, which the table does not allow
    /// to be deleted.
    #[error("{rows} rows amend a key of {runs} runs, which cannot be deleted: there have to be as many rows")]
    TooFewRows {
        /// The rows.
        rows: usize,
        /// The runs.
        runs: usize,
    },
    /// A key has more runs than numbers for them.
    #[error("a key has no numbers left for runs")]
    TooManyRuns,
    /// A text of a row is longer than a leaf takes.
    #[error("a text of a row is longer than 65,535 bytes, or there are more than 255")]
    TextTooLong,
    /// The text is no query of the table.
    #[error("the query: {0}")]
    Query(#[from] QueryError),
    /// A chain takes no transaction as long as one run needs.
    #[error("the chain takes no transaction as long as one run needs")]
    Limits,
    /// Under the key of a run stands what another keeper has written.
    #[error(
        "under the key 0x{0} stands what another keeper has written; `table resume --give-up` drops what is not applied"
    )]
    Taken(String),
    /// The same, and what was sent under that key may still be applied, should the other go.
    #[error(
        "under the key 0x{key} stands what another keeper has written; what was sent may be applied up to version \
         {version}: after that `table resume` puts the rows under another number, or drops them (--give-up)"
    )]
    TakenAfterSending {
        /// The key.
        key: String,
        /// The last version that may hold what was sent.
        version: u64,
    },
    /// A chain's rules refuse a transaction.
    #[error("the chain refuses it: {0}")]
    Refused(String),
    /// Transactions were made again and again, and none was applied.
    #[error("nothing was applied, however often it was sent, last for this reason: {0}; the same command goes on")]
    NotApplied(String),
    /// What was sent may still be applied.
    #[error("what was sent may be applied up to version {0}: it can be given up after that")]
    MayCome(u64),
    /// The vault is one of a chain's tables, and a write to the chain is under way.
    #[error("a write to the chain is under way in this vault; `table resume` goes on with it")]
    UnderWay,
    /// A query for an owner's row, which is shown by its id and not by a box.
    #[error("the query: a row is not shown to who asks a query")]
    RowQuery,
    /// The archive's slots are no scan of the box.
    #[error("the archive's slots do not cover the table")]
    Scan,
    /// The box has more runs than an answer may have.
    #[error("the box has more than {0} runs; ask of less at a time")]
    RunsExceeded(usize),
    /// An id, or the one that is read in its place, has more rows than are looked at.
    #[error("this id has {0} rows or more, more than are looked at")]
    PlacesExceeded(usize),
    /// The vault has no rows of a run that the dictionary has.
    #[error("the vault has not the rows of every run in the box")]
    NoRows,
    /// No certificate is about a run as it is: the archive has lost it, or never had one.
    #[error("there is no certificate of the run 0x{0}; `table audit` says which runs have none")]
    NoCertificate(String),
    /// An answer that could not be made.
    #[error("an answer could not be made: {0}")]
    Answer(#[from] AnswerProverError),
    /// An answer that was made and does not hold: it is not given.
    #[error("an answer that was made does not hold: {0}; it is not given")]
    OwnAnswer(AnswerError),
    /// Rows that cannot be written.
    #[error("writing rows failed: {0}")]
    Output(#[from] std::io::Error),
    /// The system has no random bytes.
    #[error("no randomness: {0}")]
    Random(String),
}
