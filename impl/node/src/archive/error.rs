//! Errors as clients see them: a status, a code for programs, a sentence for people.

use std::time::Duration;

use aardvark_archive::{ArchiveError, StoreError};
use aardvark_commitment::CommitmentError;
use aardvark_tables::certificates::CertificatesError;
use aardvark_tables::vault::VaultError;
use aardvark_tables::{AnsweredError, TablesError};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::shared_archive::SharedArchiveError;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// Parameters or a body that are not what the interface has.
    #[error("{0}")]
    BadRequest(String),
    /// Something that no key is.
    #[error("{0}")]
    BadKey(String),
    /// A version that cannot be read.
    #[error("{0}")]
    NoSuchVersion(String),
    /// A version whose root is not known here.
    #[error("the root of version {asked} is not known here; known are those from {oldest}")]
    NoRoot {
        /// The version asked for.
        asked: u64,
        /// The oldest version with a root.
        oldest: u64,
    },
    /// A table that the dictionary does not have.
    #[error("there is no table {0}")]
    NoSuchTable(String),
    /// A text that is no query of the table.
    #[error("{0}")]
    BadQuery(String),
    /// An answer about fewer rows than the keeper allows.
    #[error("{0}")]
    TooFewRows(String),
    /// No row has this id and this tag: whether one has the id is not said.
    #[error("no row has this id and this tag")]
    NoSuchRow,
    /// More than one row has the id and tag.
    #[error("{0} rows have this id and tag: choose one by column, where or number")]
    SeveralRows(usize),
    /// A keeper that shows no rows of the table from afar.
    #[error("this keeper shows owners no rows of this table over HTTP")]
    NoRows,
    /// A question that only a keeper of rows can answer.
    #[error("this archive has no rows: ask the table's keeper")]
    NoVault,
    /// A path that the interface does not have.
    #[error("there is no such path; /openapi.json has those that there are")]
    NotFound,
    /// A method that the path does not have.
    #[error("this path has no such method")]
    MethodNotAllowed,
    /// A request that took too long.
    #[error("the request took longer than the server lets it")]
    Timeout,
    /// A body that is too long.
    #[error("the body is longer than {0} bytes")]
    TooLarge(usize),
    /// A body that is not JSON by its header.
    #[error("the body must be application/json")]
    UnsupportedMediaType,
    /// A request that would take longer than one may.
    #[error(
        "by its estimate this takes {:.1} s of one processor, and one request may take {:.1} s: ask for fewer keys at a time",
        cost.as_secs_f64(), most.as_secs_f64()
    )]
    TooCostly {
        /// What it takes, about.
        cost: Duration,
        /// What one request may take.
        most: Duration,
    },
    /// No room to wait.
    #[error("more requests wait than this server lets wait; try again, or ask another archive")]
    Busy,
    /// Openings of a vector that other servers own.
    #[error("this server does not own vector {0}")]
    NotOwned(u64),
    /// Openings of another dictionary.
    #[error("this server has the openings of another dictionary")]
    OtherDictionary,
    /// Openings at a version that the server does not have yet.
    #[error("version {asked} is not here yet; the newest here is {newest}")]
    NotHereYet {
        /// The version asked for.
        asked: u64,
        /// The newest version.
        newest: u64,
    },
    /// Openings at a version that is not kept any more.
    #[error("version {asked} is gone; the oldest here is {oldest}")]
    VersionGone {
        /// The version asked for.
        asked: u64,
        /// The oldest version.
        oldest: u64,
    },
    /// No opening server gives what a proof needs.
    #[error("{0}; try again, or ask another archive")]
    NoOpenings(String),
    /// The store is closed: it failed, and is to be opened anew.
    #[error("{0}; try again, or ask another archive")]
    Unavailable(String),
    /// The store is damaged or fails.
    #[error("{0}")]
    Damaged(String),
}

/// The body of an error.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorJson {
    /// What is wrong, for people.
    error: String,
    /// What is wrong, for programs.
    code: &'static str,
}

impl ApiError {
    /// The status and the code.
    pub fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad_request"),
            Self::BadKey(_) => (StatusCode::BAD_REQUEST, "bad_key"),
            Self::NoSuchVersion(_) => (StatusCode::NOT_FOUND, "no_such_version"),
            Self::NoRoot { .. } => (StatusCode::NOT_FOUND, "no_root"),
            Self::NoSuchTable(_) => (StatusCode::NOT_FOUND, "no_such_table"),
            Self::BadQuery(_) => (StatusCode::BAD_REQUEST, "bad_query"),
            Self::TooFewRows(_) => (StatusCode::FORBIDDEN, "too_few_rows"),
            Self::NoSuchRow => (StatusCode::NOT_FOUND, "no_such_row"),
            Self::SeveralRows(_) => (StatusCode::BAD_REQUEST, "several_rows"),
            Self::NoRows => (StatusCode::FORBIDDEN, "no_rows"),
            Self::NoVault => (StatusCode::NOT_FOUND, "no_vault"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::Timeout => (StatusCode::REQUEST_TIMEOUT, "timeout"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            Self::UnsupportedMediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"),
            Self::TooCostly { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "too_costly"),
            Self::Busy => (StatusCode::TOO_MANY_REQUESTS, "busy"),
            Self::NotOwned(_) => (StatusCode::MISDIRECTED_REQUEST, "not_owned"),
            Self::OtherDictionary => (StatusCode::NOT_FOUND, "other_dictionary"),
            Self::NotHereYet { .. } => (StatusCode::CONFLICT, "not_here_yet"),
            Self::VersionGone { .. } => (StatusCode::GONE, "version_gone"),
            Self::NoOpenings(_) => (StatusCode::SERVICE_UNAVAILABLE, "no_openings"),
            Self::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            Self::Damaged(_) => (StatusCode::INTERNAL_SERVER_ERROR, "damaged"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code) = self.status();
        let mut response = (status, Json(ErrorJson { error: self.to_string(), code })).into_response();
        if matches!(self, Self::Busy | Self::Unavailable(_) | Self::NoOpenings(_)) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<ArchiveError> for ApiError {
    fn from(error: ArchiveError) -> Self {
        match &error {
            ArchiveError::VersionOutOfRange { .. } => Self::NoSuchVersion(error.to_string()),
            ArchiveError::Ended => Self::Timeout,
            ArchiveError::EmptyKey | ArchiveError::KeyTooLong { .. } => Self::BadKey(error.to_string()),
            ArchiveError::NoOpenings { .. } => Self::NoOpenings(error.to_string()),
            ArchiveError::PositionOutOfRange { .. } => Self::BadRequest(error.to_string()),
            ArchiveError::IllegalQuestion | ArchiveError::Commitment(CommitmentError::NotFolding) => {
                Self::BadRequest(error.to_string())
            }
            ArchiveError::Store(StoreError::Closed) => Self::Unavailable(error.to_string()),
            _ => Self::Damaged(error.to_string()),
        }
    }
}

impl From<TablesError> for ApiError {
    fn from(error: TablesError) -> Self {
        match error {
            TablesError::NoTable(name) | TablesError::Name(name) => Self::NoSuchTable(name),
            TablesError::Query(_)
            | TablesError::RowQuery
            | TablesError::RunsExceeded(_)
            | TablesError::PlacesExceeded(_) => Self::BadQuery(error.to_string()),
            TablesError::Archive(error) => error.into(),
            TablesError::Vault(VaultError::Store(StoreError::InUse)) => {
                Self::Unavailable("somebody is writing to the vault".to_owned())
            }
            TablesError::Vault(VaultError::Missing(_)) => Self::NoVault,
            TablesError::Certificates(CertificatesError::Store(StoreError::Closed)) => {
                Self::Unavailable(error.to_string())
            }
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl From<AnsweredError> for ApiError {
    fn from(error: AnsweredError) -> Self {
        match error {
            AnsweredError::TooFewRows(_) | AnsweredError::OtherRevision(_) => Self::TooFewRows(error.to_string()),
            AnsweredError::Store(error) => error.into(),
            error => Self::Damaged(error.to_string()),
        }
    }
}

impl From<SharedArchiveError> for ApiError {
    fn from(error: SharedArchiveError) -> Self {
        match error {
            SharedArchiveError::Archive(error) => error.into(),
            SharedArchiveError::NoRoot { asked, oldest } => Self::NoRoot { asked, oldest },
            SharedArchiveError::Records(error) if error.is_closed() => Self::Unavailable(error.to_string()),
            SharedArchiveError::Records(error) => Self::Damaged(error.to_string()),
            SharedArchiveError::Certificates(error) => TablesError::from(error).into(),
            SharedArchiveError::Json(error) => Self::Damaged(error.to_string()),
        }
    }
}
