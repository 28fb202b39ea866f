//! The interface: a path each, a module for what belongs together. `docs/network.md` has the table.

#![allow(unused_qualifications, reason = "what utoipa's macro writes has them")]

mod access_log;
mod answers;
mod blocks;
mod caching;
mod extract;
mod openapi;
mod openings;
mod page;
mod proofs;
mod status;
mod table_answers;
mod table_rows;
mod tables;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use tower_http::cors::{Any, CorsLayer};
use tracing::Instrument as _;

use super::costs::Client;
use super::error::ApiError;
use super::service::Service;
use super::vector_owner::VectorOwner;
use crate::openings::{OpeningsRequest, PATH};
use crate::request_id::{REQUEST_ID, RequestId};

/// Answers from here on are compressed where the client takes that.
const COMPRESSED: u64 = 16 << 10;
/// How long a browser may remember that it may ask.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);

/// The router of a service: all paths, counted and timed out.
pub fn router(service: &Service) -> Router {
    router_beside(service, Router::new())
}

/// The router of a service that answers on other paths too, within the same limits of time. A path
/// there that takes a body says how long that may be.
pub fn router_beside(service: &Service, more: Router) -> Router {
    Router::new()
        .route("/", get(page::page))
        .route("/page.js", get(page::script))
        .route("/page.css", get(page::style))
        .route("/favicon.svg", get(page::icon))
        .route("/v1/status", get(status::status))
        .route("/v1/commitments", get(status::commitments))
        .route("/v1/tail", get(status::tail))
        .route("/v1/proof/{key}", get(proofs::proof))
        .route("/v1/proofs", post(proofs::proofs))
        .route("/v1/range", get(answers::range))
        .route("/v1/answer", post(answers::answer))
        .route("/v1/tables", get(tables::list))
        .route("/v1/tables/{name}", get(tables::schema))
        .route("/v1/tables/{name}/certificates", get(tables::certificates))
        .route("/v1/tables/{name}/scan", post(table_answers::scan))
        .route("/v1/tables/{name}/query", post(table_answers::query))
        .route("/v1/tables/{name}/row", post(table_rows::row))
        .route("/v1/tables/{name}/rows", post(table_rows::rows))
        .route("/v1/blocks", get(blocks::last))
        .route("/v1/blocks/{height}", get(blocks::block))
        .route("/v1/blocks/{height}/raw", get(blocks::raw))
        .route("/v1/blocks/{height}/certificates", get(blocks::certificates))
        .route("/openapi.json", get(openapi::openapi))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(DefaultBodyLimit::max(service.limits.body))
        .layer(middleware::from_fn_with_state(service.clone(), caching::cached))
        .with_state(service.clone())
        .merge(more)
        .layer(compressed())
        .layer(middleware::from_fn_with_state(service.clone(), counted))
        .layer(read_from_anywhere())
}

/// The router of an opening server: openings of the vectors that it owns, and nothing else.
pub fn openings_router(service: &Service, owner: Arc<VectorOwner>) -> Router {
    Router::new()
        .route(PATH, post(openings::openings).get(openings::state))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(DefaultBodyLimit::max(OpeningsRequest::MOST_BYTES))
        .layer(Extension(owner))
        .with_state(service.clone())
        .layer(middleware::from_fn_with_state(service.clone(), counted))
}

/// Compresses answers of which that saves much; a proof is sent sooner than it is compressed.
fn compressed() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(SizeAbove::new(COMPRESSED))
}

/// Lets pages of any origin read what an archive says: who the visitor is changes nothing of it, so
/// no credentials go with it. A row is shown for the tag in the request, whoever sends that.
fn read_from_anywhere() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE])
        .expose_headers([header::LINK, header::RETRY_AFTER, header::ETAG, REQUEST_ID])
        .max_age(REMEMBERED)
}

/// Answers within the time that a request may take, counts, and enters the request in the log of
/// accesses. What the log says on the way has the request's id.
async fn counted(State(service): State<Service>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned()).unwrap_or_default();
    let (id, method) = (RequestId::of(request.headers()), request.method().clone());
    let client = request.extensions().get::<Client>().copied();
    let span = tracing::info_span!("request", id = %id);
    let answer = tokio::time::timeout(service.limits.request, id.clone().during(next.run(request)));
    let answer = answer.instrument(span).await;
    let mut response = answer.unwrap_or_else(|_| ApiError::Timeout.into_response());
    let (status, took) = (response.status(), begun.elapsed());
    service.metrics.request(&path, status, took);
    access_log::enter(&id, client, &method, &path, status, took);
    response.headers_mut().insert(REQUEST_ID, id.header());
    response
}
