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
        super::proofs::proof,
        super::proofs::proofs,
        super::answers::range,
        super::answers::answer,
        super::tables::list,
        super::tables::schema,
        super::tables::certificates,
        super::table_answers::scan,
        super::table_answers::query,
        super::table_rows::row,
        super::table_rows::rows,
        super::blocks::block,
        super::blocks::raw,
        super::blocks::certificates,
        super::blocks::last,
    ),
    tags(
        (name = "Proofs", description = "What keys and ranges are, each answer with its proof"),
        (name = "Versions", description = "What a version is: its commitments, and its tail"),
        (name = "Tables", description = "Tables of private rows: what is public of them, and a keeper's statistics"),
        (name = "Blocks", description = "What made the versions"),
        (name = "Archive", description = "What this archive is at"),
    )
)]
struct Description;

/// `/openapi.json`
pub(super) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}
