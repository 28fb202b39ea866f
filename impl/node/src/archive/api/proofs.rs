//! `GET /v1/proof/{key}` and `POST /v1/proofs`.

use aardvark_dictionary::Key;
use aardvark_proof::hex_text::HexBytes;
use aardvark_proof::key_text::{Notation, parse_key};
use aardvark_proof::proof_json::{self, Proof, ProofJson};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::archive::costs::Client;
use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::proving::{Proved, Wanted};
use crate::archive::service::Service;

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
    client: Client,
    Segment(key): Segment<String>,
    Parameters(ProofParameters { version, delete, root }): Parameters<ProofParameters>,
) -> Result<Response, ApiError> {
    let key = parse_key(&key, Notation::TextOrHex).map_err(|error| ApiError::BadKey(error.to_string()))?;
    let (keys, deletes) = if delete { (Vec::new(), vec![key]) } else { (vec![key], Vec::new()) };
    let wanted = Wanted { version, root, keys, deletes };
    let text = service.prove(client, wanted, |proved| Ok(texts(proved)?.concat())).await?;
    service.metrics.proofs.inc();
    service.budget.json(text)
}

/// Proofs of many keys at one version.
#[utoipa::path(post, path = "/v1/proofs", request_body = ProofsRequest,
    responses((status = 200, body = ProofsAnswer), (status = "4XX", body = ErrorJson)))]
pub(super) async fn proofs(
    State(service): State<Service>,
    client: Client,
    JsonBody(request): JsonBody<ProofsRequest>,
) -> Result<Response, ApiError> {
    let count = request.keys.len() + request.deletes.len();
    if count > service.limits.keys {
        let most = service.limits.keys;
        return Err(ApiError::BadRequest(format!("{count} keys; one request has at most {most}")));
    }
    let keys = |keys: Vec<HexBytes>| keys.into_iter().map(|HexBytes(key)| Key::from(key)).collect();
    let ProofsRequest { version, root, .. } = request;
    let wanted = Wanted { version, root, keys: keys(request.keys), deletes: keys(request.deletes) };
    let text = service.prove(client, wanted, many).await?;
    service.metrics.proofs.inc_by(u64::try_from(count).unwrap_or(u64::MAX));
    service.budget.json(text)
}

fn many(proved: Proved<'_>) -> Result<String, ApiError> {
    let version = proved.version;
    Ok(format!("{{\"version\":{version},\"proofs\":[{}]}}", texts(proved)?.join(",")))
}

/// The proofs as JSON, in the order of what was wanted.
fn texts(proved: Proved<'_>) -> Result<Vec<String>, ApiError> {
    let Proved { shared, archive, version, wanted, claims } = proved;
    let keys = wanted.keys.into_iter().chain(wanted.deletes);
    let text = |(key, claims)| written(&shared.proof(archive, key, version, claims, wanted.root)?);
    keys.zip(claims).map(text).collect()
}

fn written(proof: &Proof) -> Result<String, ApiError> {
    proof_json::write_line(proof).map_err(|error| ApiError::Damaged(error.to_string()))
}
