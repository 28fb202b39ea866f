//! What the archive is at: `/v1/status`, `/v1/commitments`, `/v1/tail`.

use aardvark_archive::Snapshot;
use aardvark_proof::commitments_json::CommitmentsJson;
use aardvark_proof::hex_text::encode;
use aardvark_proof::proof_json::SlotJson;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::pieces::{CommitmentPieces, TailPieces};
use crate::archive::service::Service;
use crate::archive::shared_archive::{Following, SharedArchive, SharedArchiveError};

use super::extract::Parameters;

/// Most whole vectors below the tail in one answer.
const MOST_VECTORS: u64 = 256;

/// A version.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct VersionParameter {
    /// The version; the newest by default.
    version: Option<u64>,
}

/// A version, and how much below its tail.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TailParameters {
    /// The version; the newest by default.
    version: Option<u64>,
    /// At most so many whole vectors below the tail, up to 256.
    #[serde(default)]
    vectors: u64,
}

/// What the archive is, and what it is at.
#[derive(Serialize, ToSchema)]
pub(crate) struct Status {
    /// The dictionary's id.
    dictionary: String,
    /// The chain's id, where there is a chain.
    chain_id: Option<String>,
    /// The vector commitment.
    scheme: &'static str,
    /// N.
    vector_size: u32,
    /// W.
    window: u32,
    /// The newest version.
    version: u64,
    /// The oldest version that can be read.
    oldest_version: u64,
    /// The oldest version whose root is known.
    oldest_root: u64,
    /// Number of slots, the sentinel included.
    size: u64,
    /// `serving`, `catching_up`, `following` or `stopped`.
    state: &'static str,
    /// The chain's height, where it is known.
    chain_height: Option<u64>,
    /// What keeps the archive from following, if anything does.
    error: Option<String>,
}

/// The tail, and whole vectors below it, the nearest first.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; the answer is written piece by piece")]
struct Tail {
    version: u64,
    /// The position of the tail's first slot.
    start: u64,
    slots: Vec<SlotJson>,
    vectors: Vec<Vec<SlotJson>>,
}

/// What the archive is, and what it is at.
#[utoipa::path(get, path = "/v1/status", tag = "Archive", responses((status = 200, body = Status), (status = "4XX", body = ErrorJson)))]
pub(super) async fn status(State(service): State<Service>) -> Result<Response, ApiError> {
    let text = service.ask_status(|shared, archive| written(&status_of(shared, archive)?)).await?;
    service.budget.json(text)
}

fn status_of(shared: &SharedArchive, archive: &Snapshot) -> Result<Status, ApiError> {
    let (state, chain_height, error) = match shared.following() {
        Following::Nothing => ("serving", None, None),
        Following::CatchingUp { height, trouble } => ("catching_up", height, trouble),
        Following::UpToDate { height } => ("following", Some(height), None),
        Following::Stopped { reason } => ("stopped", None, Some(reason)),
    };
    let chain_id =
        shared.records().map(|records| records.chain_id()).transpose().map_err(SharedArchiveError::from)?.flatten();
    let parameters = archive.parameters();
    Ok(Status {
        dictionary: encode(&archive.id().0),
        chain_id,
        scheme: parameters.scheme.name(),
        vector_size: parameters.vector_size,
        window: parameters.window,
        version: archive.version(),
        oldest_version: archive.oldest_version(),
        oldest_root: shared.oldest_root(archive)?,
        size: archive.size(),
        state,
        chain_height,
        error,
    })
}

/// What a validator knows: the commitments of a version.
#[utoipa::path(get, path = "/v1/commitments", tag = "Versions", params(VersionParameter),
    responses((status = 200, body = CommitmentsJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn commitments(
    State(service): State<Service>,
    Parameters(VersionParameter { version }): Parameters<VersionParameter>,
) -> Result<Response, ApiError> {
    let pieces =
        service.ask_bulk(move |_, archive| CommitmentPieces::new(archive, version.unwrap_or(archive.version())));
    service.json_in_pieces(pieces.await?).await
}

/// The last slots in plaintext.
#[utoipa::path(get, path = "/v1/tail", tag = "Versions", params(TailParameters),
    responses((status = 200, body = Tail), (status = "4XX", body = ErrorJson)))]
pub(super) async fn tail(
    State(service): State<Service>,
    Parameters(TailParameters { version, vectors }): Parameters<TailParameters>,
) -> Result<Response, ApiError> {
    if vectors > MOST_VECTORS {
        return Err(ApiError::BadRequest(format!("{vectors} vectors; one answer has at most {MOST_VECTORS}")));
    }
    let pieces = service
        .ask_bulk(move |_, archive| Ok(TailPieces::new(archive, version.unwrap_or(archive.version()), vectors)?));
    service.json_in_pieces(pieces.await?).await
}

pub(super) fn written<T: Serialize>(answer: &T) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(|error| ApiError::Damaged(error.to_string()))
}
