//! Parameters and bodies, with refusals in the interface's own form.

use aardvark_algebra::integers::u64_of_usize;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use http_body::Body as _;
use serde::de::DeserializeOwned;

use crate::archive::costs::Client;
use crate::archive::error::ApiError;
use crate::archive::service::Service;

/// The parameters behind `?`.
pub(super) struct Parameters<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Service> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, service).await {
            Ok(Query(parameters)) => Ok(Self(parameters)),
            Err(rejection) => Err(ApiError::BadRequest(rejection.body_text())),
        }
    }
}

impl FromRequestParts<Service> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Service) -> Result<Self, ApiError> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// What stands in the path.
pub(super) struct Segment<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Service> for Segment<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, service).await {
            Ok(Path(segment)) => Ok(Self(segment)),
            Err(rejection) => Err(ApiError::BadRequest(rejection.body_text())),
        }
    }
}

/// A body of JSON, within the limit of bytes; nesting is limited by the parser.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Service> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, service: &Service) -> Result<Self, ApiError> {
        let media_type = request.headers().get(header::CONTENT_TYPE).and_then(|media_type| media_type.to_str().ok());
        let essence = media_type.and_then(|media_type| media_type.split(';').next()).map(str::trim);
        if !essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
            return Err(ApiError::UnsupportedMediaType);
        }
        // A length that is announced is refused at once, not when so many bytes have come.
        if request.body().size_hint().lower() > u64_of_usize(service.limits.body) {
            return Err(ApiError::TooLarge(service.limits.body));
        }
        let bytes = Bytes::from_request(request, service).await.map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::TooLarge(service.limits.body),
            _ => ApiError::BadRequest(rejection.body_text()),
        })?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok(Self(body)),
            Err(error) => Err(ApiError::BadRequest(error.to_string())),
        }
    }
}
