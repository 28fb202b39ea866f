//! What the archive is at: `/v1/status`, `/v1/commitments`, `/v1/tail`, `/metrics`.

use aardvark_algebra::integers::{u64_of_usize, u64_or_max};
use aardvark_archive::Snapshot;
use aardvark_proof::commitments_json::CommitmentsJson;
use aardvark_proof::hex_text::encode;
use aardvark_proof::proof_json::SlotJson;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::metrics::Sample;
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

/// Prometheus' text.
#[utoipa::path(get, path = "/metrics", tag = "Archive", responses((status = 200, body = String, content_type = "text/plain")))]
pub(super) async fn metrics(State(service): State<Service>) -> Result<Response, ApiError> {
    let waiting = u64_of_usize(service.waiting_requests());
    let costs = u64_or_max(service.costs.entered().as_millis());
    let gauges = service.ask_status(move |shared, archive| Ok(gauges(shared, archive, [waiting, costs]))).await?;
    let text = service.metrics.text(&gauges).map_err(|error| ApiError::Damaged(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

fn gauges(shared: &SharedArchive, archive: &Snapshot, [waiting, costs]: [u64; 2]) -> Vec<Sample> {
    let openings = archive.opening_statistics();
    let mut gauges = vec![
        Sample::gauge("aardvark_requests_waiting", "Requests that wait for the archive or are worked on.", waiting),
        Sample::gauge(
            "aardvark_requests_cost_milliseconds",
            "Time of one processor that the long requests at hand take, by their estimates.",
            costs,
        ),
        Sample::gauge("aardvark_version", "The newest version.", archive.version()),
        Sample::gauge("aardvark_oldest_version", "The oldest version that can be read.", archive.oldest_version()),
        Sample::gauge("aardvark_slots", "Slots at the newest version, the sentinel included.", archive.size()),
        Sample::counter("aardvark_openings_held_total", "Openings answered from held ones.", openings.held),
        Sample::counter("aardvark_openings_fresh_total", "Openings computed from their vectors.", openings.fresh),
        Sample::counter(
            "aardvark_snapshots_total",
            "Snapshots of a vector's openings made.",
            openings.snapshots + openings.refreshes,
        ),
        Sample::gauge("aardvark_openings_bytes", "Bytes of held openings.", openings.bytes),
    ];
    let following = shared.following();
    if let Following::UpToDate { height } | Following::CatchingUp { height: Some(height), .. } = following {
        gauges.push(Sample::gauge("aardvark_chain_height", "The height of the chain that is followed.", height));
    }
    if following != Following::Nothing {
        let stopped = u64::from(matches!(following, Following::Stopped { .. }));
        gauges.push(Sample::gauge(
            "aardvark_stopped",
            "1 where the archive cannot follow its chain any more.",
            stopped,
        ));
    }
    gauges
}

pub(super) fn written<T: Serialize>(answer: &T) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(|error| ApiError::Damaged(error.to_string()))
}
