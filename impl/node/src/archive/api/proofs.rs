//! `GET /v1/proof/{key}` and `POST /v1/proofs`.

use std::sync::atomic::Ordering;

use aardvark_archive::Archive;
use aardvark_dictionary::{Claim, Key};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::service::Service;
use crate::archive::shelf::Shelf;
use crate::formats::hex_text::HexBytes;
use crate::formats::key_text::{Notation, parse_key};
use crate::formats::proof_json::{self, Proof, ProofJson};

use super::extract::{JsonBody, Parameters, Segment};

/// What to prove of one key.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProofParameters {
    /// The version; the newest by default.
    version: Option<u64>,
    /// What a deletion needs: the predecessor's claim too, where the key is present.
    #[serde(default)]
    delete: bool,
    /// What ties the claims to the state root, too.
    #[serde(default)]
    root: bool,
}

/// What to prove of many keys.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofsRequest {
    /// The version; the newest by default.
    version: Option<u64>,
    /// What ties the claims to the state root, too.
    #[serde(default)]
    root: bool,
    /// Keys in hexadecimal.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    keys: Vec<HexBytes>,
    /// Keys in hexadecimal, of which is proved what a deletion needs.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    deletes: Vec<HexBytes>,
}

/// The proofs of many keys: those of `keys`, then those of `deletes`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; proofs are written one by one")]
pub(crate) struct ProofsAnswer {
    version: u64,
    proofs: Vec<ProofJson>,
}

/// A proof that a key has a value, or that it is absent.
#[utoipa::path(get, path = "/v1/proof/{key}",
    params(("key" = String, Path, description = "The key: text, or hexadecimal behind 0x"), ProofParameters),
    responses((status = 200, body = ProofJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn proof(
    State(service): State<Service>,
    Segment(key): Segment<String>,
    Parameters(ProofParameters { version, delete, root }): Parameters<ProofParameters>,
) -> Result<Response, ApiError> {
    let key = parse_key(&key, Notation::TextOrHex).map_err(|error| ApiError::BadKey(error.to_string()))?;
    let text = service.ask(move |shelf, archive| {
        let version = version.unwrap_or(archive.version());
        let claims = if delete { archive.prove_delete(&key, version)? } else { vec![archive.prove(&key, version)?] };
        written(&shelf.proof(archive, key, version, claims, root)?)
    });
    let text = text.await?;
    service.metrics.proofs.fetch_add(1, Ordering::Relaxed);
    service.budget.json(text)
}

/// Proofs of many keys at one version.
#[utoipa::path(post, path = "/v1/proofs", request_body = ProofsRequest,
    responses((status = 200, body = ProofsAnswer), (status = "4XX", body = ErrorJson)))]
pub(super) async fn proofs(
    State(service): State<Service>,
    JsonBody(request): JsonBody<ProofsRequest>,
) -> Result<Response, ApiError> {
    let count = request.keys.len() + request.deletes.len();
    if count > service.limits.keys {
        let most = service.limits.keys;
        return Err(ApiError::BadRequest(format!("{count} keys; one request has at most {most}")));
    }
    let text = service.ask(move |shelf, archive| many(shelf, archive, request)).await?;
    service.metrics.proofs.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
    service.budget.json(text)
}

fn many(shelf: &Shelf, archive: &Archive, request: ProofsRequest) -> Result<String, ApiError> {
    let version = request.version.unwrap_or(archive.version());
    let [keys, deletes] = [request.keys, request.deletes]
        .map(|keys| keys.into_iter().map(|HexBytes(key)| Key::from(key)).collect::<Vec<Key>>());
    let of_keys = archive.prove_many(&keys, version)?.into_iter().map(|claim| vec![claim]);
    let of_deletes = archive.prove_delete_many(&deletes, version)?;
    let claims: Vec<Vec<Claim>> = of_keys.chain(of_deletes).collect();
    let mut text = format!("{{\"version\":{version},\"proofs\":[");
    for (number, (key, claims)) in keys.into_iter().chain(deletes).zip(claims).enumerate() {
        if number > 0 {
            text.push(',');
        }
        text.push_str(&written(&shelf.proof(archive, key, version, claims, request.root)?)?);
    }
    text.push_str("]}");
    Ok(text)
}

fn written(proof: &Proof) -> Result<String, ApiError> {
    proof_json::write_line(proof).map_err(|error| ApiError::Damaged(error.to_string()))
}
