//! `POST /v1/openings` of an opening server ([`crate::openings`]).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_archive::{ArchiveError, Snapshot};
use aardvark_commitment::points::POINT_BYTES;
use aardvark_proof::hex_text::encode;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};

use crate::archive::costs::Client;
use crate::archive::error::ApiError;
use crate::archive::proving::{Answer, Source, Wanted};
use crate::archive::service::Service;
use crate::archive::shared_archive::SharedArchive;
use crate::archive::vector_owner::VectorOwner;
use crate::openings::{OpeningsRequest, ServerState};

/// Openings that somebody asks for, of vectors that this server owns.
struct Openings(OpeningsRequest);

impl Wanted for Openings {
    type Plan = ();

    fn version(&self) -> Option<u64> {
        Some(self.0.version)
    }

    fn is_rooted(&self) -> bool {
        false
    }

    /// Nothing is looked up by its key.
    fn look_ups(&self) -> usize {
        0
    }

    fn plan(&self, archive: &Snapshot, version: u64) -> Result<((), Duration), ApiError> {
        let cost = archive.cost_of_positions(version, &self.0.positions).map_err(|error| match error {
            ArchiveError::VersionOutOfRange { asked, oldest, .. } if asked < oldest => {
                ApiError::VersionGone { asked, oldest }
            }
            ArchiveError::VersionOutOfRange { asked, newest, .. } => ApiError::NotHereYet { asked, newest },
            other => other.into(),
        })?;
        Ok(((), cost))
    }

    fn longest(&self, (): &(), _: Option<usize>) -> usize {
        POINT_BYTES * self.0.positions.len()
    }

    fn prove(self, source: &Source<'_>, (): ()) -> Result<Answer, ApiError> {
        let openings = source.archive.openings(source.version, &self.0.positions)?;
        // Positions ascend, and so do the openings.
        Ok(Answer { body: openings.values().flat_map(|opening| opening.to_bytes()).collect(), next: None })
    }
}

/// The openings at positions of vectors that this server owns.
pub(super) async fn openings(
    State(service): State<Service>,
    client: Client,
    Extension(owner): Extension<Arc<VectorOwner>>,
    body: Bytes,
) -> Result<Response, ApiError> {
    let request = OpeningsRequest::decode(&body).map_err(|error| ApiError::BadRequest(error.to_string()))?;
    let archive = service.shared.archive();
    check(&archive, &owner, &request)?;
    if request.version > archive.version() {
        let owner = Arc::clone(&owner);
        let look = move |_: &SharedArchive, _: &Snapshot| {
            owner.follower().look_again();
            Ok(())
        };
        service.ask_status(look).await?;
    }
    let count = request.positions.len();
    let (answer, held) = service.prove(client, Openings(request)).await?;
    service.metrics.proofs.inc_by(u64_of_usize(count));
    Ok(service.budget.bytes_of(held, answer.body))
}

/// What the server is at, for fronts that look whether it is there.
pub(super) async fn state(State(service): State<Service>) -> Response {
    let archive = service.shared.archive();
    Json(ServerState { dictionary: encode(&archive.id().0), version: archive.version() }).into_response()
}

/// Whether the request is of this dictionary, and of vectors that this server owns.
fn check(archive: &Snapshot, owner: &VectorOwner, request: &OpeningsRequest) -> Result<(), ApiError> {
    if request.dictionary != *archive.id() {
        return Err(ApiError::OtherDictionary);
    }
    let vector_size = archive.parameters().positions_per_vector();
    let vectors: BTreeSet<u64> = request.positions.iter().map(|position| position / vector_size).collect();
    match vectors.into_iter().find(|vector| !owner.owns(*vector)) {
        Some(vector) => Err(ApiError::NotOwned(vector)),
        None => Ok(()),
    }
}
