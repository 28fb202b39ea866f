//! `GET /v1/proof/{key}` and `POST /v1/proofs`.

use std::time::Duration;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_archive::{Plan, Snapshot};
use aardvark_dictionary::Key;
use aardvark_proof::hex_text::HexBytes;
use aardvark_proof::key_text::{Notation, parse_key};
use aardvark_proof::proof_json::{self, Proof, ProofJson};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::archive::answer_length;
use crate::archive::costs::Client;
use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::proving::{Answer, Source, Wanted};
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

/// A proof for each of some keys.
#[derive(Clone, Debug)]
struct Proofs {
    version: Option<u64>,
    root: bool,
    /// Keys whose covering slots are proved.
    keys: Vec<Key>,
    /// Keys of which is proved what a deletion needs.
    deletes: Vec<Key>,
    /// Whether they are written as a list with their version.
    listed: bool,
}

impl Wanted for Proofs {
    type Plan = Plan;

    fn version(&self) -> Option<u64> {
        self.version
    }

    fn is_rooted(&self) -> bool {
        self.root
    }

    fn look_ups(&self) -> usize {
        self.keys.len() + self.deletes.len()
    }

    fn plan(&self, archive: &Snapshot, version: u64) -> Result<(Plan, Duration), ApiError> {
        let plan = archive.plan(&self.keys, &self.deletes, version)?;
        let cost = plan.cost();
        Ok((plan, cost))
    }

    fn longest(&self, plan: &Plan, path: Option<usize>) -> usize {
        // The list has its version and, behind each proof, a comma.
        let around = answer_length::proofs(1 + self.look_ups());
        let keys = answer_length::keys(self.keys.iter().chain(&self.deletes));
        around.saturating_add(keys).saturating_add(answer_length::claims(plan.slots(), path))
    }

    fn prove(self, source: &Source<'_>, plan: Plan) -> Result<Answer, ApiError> {
        let Source { shared, archive, version } = *source;
        let keys = self.keys.into_iter().chain(self.deletes);
        let text = |(key, claims)| written(&shared.proof(archive, key, version, claims, self.root)?);
        let texts = keys.zip(archive.claims_of(plan)?).map(text).collect::<Result<Vec<_>, ApiError>>()?;
        let text = match self.listed {
            true => format!("{{\"version\":{version},\"proofs\":[{}]}}", texts.join(",")),
            false => texts.concat(),
        };
        Ok(Answer { body: text.into_bytes(), next: None })
    }
}

/// A proof that a key has a value, or that it is absent.
#[utoipa::path(get, path = "/v1/proof/{key}", tag = "Proofs",
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
    let (answer, held) = service.prove(client, Proofs { version, root, keys, deletes, listed: false }).await?;
    service.metrics.proofs.inc();
    Ok(service.budget.json_of(held, answer.body))
}

/// Proofs of many keys at one version, one for each.
#[utoipa::path(post, path = "/v1/proofs", tag = "Proofs", request_body = ProofsRequest,
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
    let wanted = Proofs { version, root, keys: keys(request.keys), deletes: keys(request.deletes), listed: true };
    let (answer, held) = service.prove(client, wanted).await?;
    service.metrics.proofs.inc_by(u64_of_usize(count));
    Ok(service.budget.json_of(held, answer.body))
}

fn written(proof: &Proof) -> Result<String, ApiError> {
    proof_json::write_line(proof).map_err(|error| ApiError::Damaged(error.to_string()))
}
