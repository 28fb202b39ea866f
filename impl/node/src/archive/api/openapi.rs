//! The interface's description, from the handlers' own.

use axum::Json;
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(
    info(title = "Aardvark archive", description = "Proofs from an archive that nobody needs to trust."),
    paths(
        super::status::status,
        super::status::commitments,
        super::status::tail,
        super::status::metrics,
        super::proofs::proof,
        super::proofs::proofs,
        super::blocks::block,
        super::blocks::raw,
        super::blocks::last,
    )
)]
struct Description;

/// `/openapi.json`
pub(super) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}
