//! `GET /v1/range` and `POST /v1/answer`: one proof for whatever a question asks.

use std::time::Duration;

use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_archive::{AnswerForm, AnswerPlan, Snapshot};
use aardvark_dictionary::Key;
use aardvark_proof::answer_json::{self, QuestionJson};
use aardvark_proof::hex_text::encode;
use aardvark_proof::key_text::{Notation, parse_key};
use aardvark_proof::proof_json::ClaimJson;
use aardvark_proof::scan::answer_of_slots;
use aardvark_proof::{Answer as Found, AnswerProof, KeyRange, Question, RangeAnswer, Region};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::archive::answer_length;
use crate::archive::costs::Client;
use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::proving::{Answer, Source, Wanted};
use crate::archive::service::Service;

use super::extract::{JsonBody, Parameters};

/// Entries of a range in one answer, unless asked for another number.
const ENTRIES: u64 = 100;

/// Which entries to prove.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RangeParameters {
    /// The least key of the range: text, or hexadecimal behind 0x; from the first key on by
    /// default.
    #[serde(default)]
    from: String,
    /// The least key above the range; no end by default.
    #[serde(default)]
    to: String,
    /// At most so many entries, up to 1024; 100 by default.
    limit: Option<u64>,
    /// The version; the newest by default.
    version: Option<u64>,
    /// What ties the claims to the state root, too, and what the dictionary's id is over.
    #[serde(default)]
    root: bool,
    /// One opening of 96 bytes for all claims.
    #[serde(default)]
    together: bool,
}

/// What to prove.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerRequest {
    /// The version; the newest by default.
    version: Option<u64>,
    /// What ties the claims to the state root, too, and what the dictionary's id is over.
    #[serde(default)]
    root: bool,
    /// One opening of 96 bytes for all claims.
    #[serde(default)]
    together: bool,
    /// At most 1024 keys; a range without a limit has that of `/v1/range`.
    #[schema(value_type = QuestionDescription)]
    question: QuestionJson,
}

/// A question; keys in hexadecimal.
#[derive(ToSchema)]
#[schema(as = QuestionJson, rename_all = "lowercase")]
#[expect(dead_code, reason = "a description; the proof's own module has the question")]
enum QuestionDescription {
    /// Keys, strictly ascending: each with its value, or absent.
    Keys(Vec<String>),
    /// The entries of a range.
    Range(RangeDescription),
    /// The greatest key below this one.
    Predecessor(String),
    /// The least key above this one.
    Successor(String),
}

/// A range from one key up to, and not including, another; `0x` for no end.
#[derive(ToSchema)]
#[schema(as = RangeJson)]
#[expect(dead_code, reason = "a description; the proof's own module has the range")]
struct RangeDescription {
    from: String,
    to: String,
    limit: Option<u64>,
}

/// A proof of format 2.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; the proof's own module writes it")]
pub(crate) struct AnswerProofJson {
    /// 2.
    format: u64,
    /// The dictionary's id.
    dictionary: String,
    scheme: String,
    vector_size: u32,
    version: u64,
    question: QuestionDescription,
    /// The claims, in the order in which their slots answer.
    claims: Vec<ClaimJson>,
    /// One opening for all claims, which then have none of their own, where it was asked for.
    folded_opening: Option<String>,
    /// What ties the claims to the state root, where it was asked for.
    root: Option<RootTieJson>,
}

/// What ties claims to a state root: what that is over, and the commitments of the claims' vectors.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; the proof's own module writes it")]
struct RootTieJson {
    size: u64,
    tail_start: u64,
    commitment_root: String,
    tail_digest: String,
    replay_digest: String,
    window_digest: String,
    vectors: Vec<TiedVectorJson>,
    identity: DictionaryIdentityJson,
}

/// What the dictionary's id is over.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; the proof's own module writes it")]
struct DictionaryIdentityJson {
    name: String,
    salt: String,
    parameters: String,
    setup_digest: String,
    content_digest: String,
    binding: String,
}

/// The commitment of a vector and its path.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; the proof's own module writes it")]
struct TiedVectorJson {
    number: u64,
    commitment: String,
    path: Vec<String>,
}

/// In what form a proof is wanted.
#[derive(Clone, Copy, Debug)]
struct Form {
    root: bool,
    together: bool,
}

/// One proof for a question.
#[derive(Clone, Debug)]
struct Asked {
    version: Option<u64>,
    form: Form,
    question: Question,
    /// The most slots that can answer it.
    most: usize,
}

impl Wanted for Asked {
    type Plan = AnswerPlan;

    fn version(&self) -> Option<u64> {
        self.version
    }

    fn is_rooted(&self) -> bool {
        self.form.root
    }

    fn look_ups(&self) -> usize {
        self.most
    }

    fn plan(&self, archive: &Snapshot, version: u64) -> Result<(AnswerPlan, Duration), ApiError> {
        let plan = archive.plan_answer(&self.question, version)?;
        let fold = if self.form.together { plan.cost_of_fold() } else { Duration::ZERO };
        let cost = plan.cost().saturating_add(fold);
        Ok((plan, cost))
    }

    fn longest(&self, plan: &AnswerPlan, path: Option<usize>) -> usize {
        let keys = match &self.question {
            Question::Region(Region::Keys(keys)) => answer_length::keys(keys.iter()),
            Question::Region(Region::Range(range)) => answer_length::keys([&range.from, &range.to].into_iter()),
            Question::Predecessor(key) | Question::Successor(key) => answer_length::keys([key].into_iter()),
        };
        answer_length::proofs(1).saturating_add(keys).saturating_add(answer_length::claims(plan.slots(), path))
    }

    fn prove(self, source: &Source<'_>, plan: AnswerPlan) -> Result<Answer, ApiError> {
        let Source { shared, archive, version } = *source;
        let form = AnswerForm { together: self.form.together, root: None };
        let mut proof = archive.in_form(archive.answer_of(plan)?, &form)?;
        if self.form.root {
            proof.tie = Some(shared.tie(archive, version, &proof.claims)?);
        }
        let text = answer_json::write_line(&proof).map_err(|error| ApiError::Damaged(error.to_string()))?;
        Ok(Answer { body: text.into_bytes(), next: next(&proof, self.form) })
    }
}

impl Asked {
    /// A question within the limits of an answer.
    fn within(service: &Service, version: Option<u64>, form: Form, mut question: Question) -> Result<Self, ApiError> {
        let most = u64_of_usize(service.limits.keys);
        let count = match &mut question {
            Question::Region(Region::Keys(keys)) => u64_of_usize(keys.len()),
            Question::Region(Region::Range(range)) => *range.limit.get_or_insert(ENTRIES.min(most)),
            Question::Predecessor(_) | Question::Successor(_) => 1,
        };
        if count > most {
            return Err(ApiError::BadRequest(format!("{count} keys or entries; one answer has at most {most}")));
        }
        Ok(Self { version, form, question, most: usize_or_max(count) })
    }
}

/// The entries of a range, as one proof. Where there are more, the header `link` says where to ask
/// on, at the same version.
#[utoipa::path(get, path = "/v1/range", tag = "Proofs", params(RangeParameters),
    responses((status = 200, body = AnswerProofJson,
        headers(("link" = Option<String>, description = "the rest of the range, with rel=\"next\""))),
        (status = "4XX", body = ErrorJson)))]
pub(super) async fn range(
    State(service): State<Service>,
    client: Client,
    Parameters(parameters): Parameters<RangeParameters>,
) -> Result<Response, ApiError> {
    let RangeParameters { from, to, limit, version, root, together } = parameters;
    let question = Question::range(end(&from)?, end(&to)?, limit);
    answered(&service, client, Asked::within(&service, version, Form { root, together }, question)?).await
}

/// The answer to any question about keys, a range or a key's neighbours, as one proof.
#[utoipa::path(post, path = "/v1/answer", tag = "Proofs", request_body = AnswerRequest,
    responses((status = 200, body = AnswerProofJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn answer(
    State(service): State<Service>,
    client: Client,
    JsonBody(AnswerRequest { version, root, together, question }): JsonBody<AnswerRequest>,
) -> Result<Response, ApiError> {
    let question = Question::try_from(question).map_err(|error| ApiError::BadRequest(error.to_string()))?;
    answered(&service, client, Asked::within(&service, version, Form { root, together }, question)?).await
}

/// The proof of a key's value, of format 2.
pub(super) async fn of_key(
    service: &Service,
    client: Client,
    key: Key,
    version: Option<u64>,
    root: bool,
) -> Result<Response, ApiError> {
    let form = Form { root, together: false };
    answered(service, client, Asked::within(service, version, form, Question::key(key))?).await
}

async fn answered(service: &Service, client: Client, asked: Asked) -> Result<Response, ApiError> {
    let (answer, held) = service.prove(client, asked).await?;
    service.metrics.proofs.inc();
    let reply = service.budget.json_of(held, answer.body);
    Ok(match answer.next {
        Some(next) => ([(header::LINK, format!("<{next}>; rel=\"next\""))], reply).into_response(),
        None => reply,
    })
}

/// An end of a range; the empty one is none.
fn end(text: &str) -> Result<Key, ApiError> {
    match text {
        "" | "0x" => Ok(Key::empty()),
        key => parse_key(key, Notation::TextOrHex).map_err(|error| ApiError::BadKey(error.to_string())),
    }
}

/// Where to ask on, relative to the path that was asked: for what the limit left out, at the same
/// version.
fn next(proof: &AnswerProof, Form { root, together }: Form) -> Option<String> {
    let Question::Region(Region::Range(KeyRange { to, limit: Some(limit), .. })) = &proof.question else {
        return None;
    };
    let slots = proof.claims.iter().map(|claim| &claim.slot);
    let Ok(Found::Range(RangeAnswer { resume: Some(from), .. })) = answer_of_slots(&proof.question, slots) else {
        return None;
    };
    let [from, to] = [&from, to].map(|key| encode(key));
    let version = proof.version;
    Some(format!("range?from={from}&to={to}&limit={limit}&version={version}&root={root}&together={together}"))
}
