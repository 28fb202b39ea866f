//! Rows for their owners: `POST /v1/tables/{name}/row`, with its proof, and
//! `POST /v1/tables/{name}/rows`, the list to choose from. Both take an id and its tag, and say the
//! same to a wrong tag as to an id that there is not.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aardvark_aggregates::Schema;
use aardvark_algebra::integers::u32_or_max;
use aardvark_archive::Snapshot;
use aardvark_tables::number::show_number;
use aardvark_tables::source::fields::shown_value;
use aardvark_tables::{AnswerParts, Candidates, FoundRow, OwnerAsked};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::archive::answer_length;
use crate::archive::costs::Client;
use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::proving::{Answer, Source, Wanted};
use crate::archive::service::Service;
use crate::archive::shared_archive::SharedArchive;
use crate::keeper::Keeping;

use super::extract::{JsonBody, Segment};
use super::status;
use super::table_answers::{TableAnswerJson, certificate_bytes, tie, written};

/// How many slots are looked up, about.
const LOOK_UPS: usize = 1024;
/// What a row's answer takes of one core's time besides what is looked at: three openings.
const WHOLE: Duration = Duration::from_millis(110);
/// What each place that is looked at takes: its segment is read, and its texts are hashed.
const LOOKED_AT: Duration = Duration::from_millis(3);
/// Claims of an answer: schema, run, segment.
const CLAIMS: usize = 3;
/// Most bytes of a value that these claims have.
const VALUE: usize = 1 << 10;
/// Most bytes of a path over a segment's texts, and of what stands around a row.
const PATH: usize = 4 << 10;
/// Most bytes of a query for a row, and of a row in a list.
const LISTED: usize = 8 << 10;
/// Most rows in a list.
const MOST_LISTED: usize = 1024;
/// Most bytes of a character in JSON.
const ESCAPED: usize = 6;
/// Most bytes of an id or a tag.
const LONGEST_TEXT: usize = 65_535;

/// Which row its owner asks for.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowRequest {
    /// The version; the newest by default.
    version: Option<u64>,
    /// The row's id: the text of its first row column.
    id: String,
    /// The row's tag, of at least 16 bytes.
    tag: String,
    /// Only rows of this value column.
    column: Option<String>,
    /// Only rows with such keys, as behind `where` of a query.
    r#where: Option<String>,
    /// Where these are several: the one with this number in the list, from 1.
    number: Option<usize>,
    /// The certificates of the row's run, too.
    #[serde(default)]
    certificates: bool,
    /// What ties the claims to the state root, too.
    #[serde(default)]
    root: bool,
}

/// Which rows their owner lists.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowsRequest {
    /// The version; the newest by default.
    version: Option<u64>,
    /// The rows' id: the text of their first row column.
    id: String,
    /// The rows' tag, of at least 16 bytes.
    tag: String,
    /// Only rows of this value column.
    column: Option<String>,
    /// Only rows with such keys, as behind `where` of a query.
    r#where: Option<String>,
}

/// The rows of an owner: the keeper's word.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnRowsJson {
    version: u64,
    /// In the order of columns and keys; at most 1,024.
    rows: Vec<OwnRowJson>,
}

/// A row of an owner.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnRowJson {
    /// The query that its proof answers.
    query: String,
    column: String,
    key: Vec<String>,
    /// As it was written.
    value: String,
    run: u32,
    revision: u32,
    segment: u32,
    /// Its index in its segment.
    rank: u32,
}

/// The proof of a row for its owner.
#[utoipa::path(post, path = "/v1/tables/{name}/row", tag = "Tables", request_body = RowRequest,
    params(("name" = String, Path, description = "The table's name")),
    responses((status = 200, body = TableAnswerJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn row(
    State(service): State<Service>,
    client: Client,
    Segment(table): Segment<String>,
    JsonBody(asked): JsonBody<RowRequest>,
) -> Result<Response, ApiError> {
    given(&service, client, table, asked, false).await
}

/// The rows of an owner, to choose one of.
#[utoipa::path(post, path = "/v1/tables/{name}/rows", tag = "Tables", request_body = RowsRequest,
    params(("name" = String, Path, description = "The table's name")),
    responses((status = 200, body = OwnRowsJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn rows(
    State(service): State<Service>,
    client: Client,
    Segment(table): Segment<String>,
    JsonBody(RowsRequest { version, id, tag, column, r#where }): JsonBody<RowsRequest>,
) -> Result<Response, ApiError> {
    let asked = RowRequest { version, id, tag, column, r#where, number: None, certificates: false, root: false };
    given(&service, client, table, asked, true).await
}

/// The answer to an owner, at the keeper's pace.
async fn given(
    service: &Service,
    client: Client,
    table: String,
    asked: RowRequest,
    listed: bool,
) -> Result<Response, ApiError> {
    let keeper = service.keeper.clone().ok_or(ApiError::NoVault)?;
    let begun = Instant::now();
    let answer = match asked.id.len().max(asked.tag.len()) > LONGEST_TEXT {
        true => Err(ApiError::BadRequest(format!("an id or a tag has at most {LONGEST_TEXT} bytes"))),
        false => {
            let shared = Arc::clone(&service.shared);
            service.prove(client, OwnRow { shared, keeper: Arc::clone(&keeper), table, asked, listed }).await
        }
    };
    // What was found and what was refused are given at the same pace.
    tokio::time::sleep_until(keeper.given_at(begun, Instant::now()).into()).await;
    match &answer {
        Ok(_) => service.metrics.table_rows.inc(),
        Err(ApiError::NoSuchRow) => service.metrics.rows_refused.inc(),
        Err(_) => 0,
    };
    let (answer, held) = answer?;
    let mut response = service.budget.json_of(held, answer.body);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// What an owner asks for.
#[derive(Clone)]
struct OwnRow {
    shared: Arc<SharedArchive>,
    keeper: Arc<Keeping>,
    table: String,
    asked: RowRequest,
    /// Whether the list is asked for, and no proof.
    listed: bool,
}

impl OwnRow {
    fn asked<'a>(&'a self, tag_column: &'a str, version: u64) -> OwnerAsked<'a> {
        let RowRequest { id, tag, column, r#where, .. } = &self.asked;
        OwnerAsked {
            table: &self.table,
            id,
            tag,
            tag_column,
            column: column.as_deref(),
            condition: r#where.as_deref(),
            version,
        }
    }
}

/// What may be the owner's.
struct RowPlan {
    candidates: Candidates,
    /// Most bytes of the texts of one of them.
    texts: usize,
    /// Most bytes of the certificates of one's run.
    certificates: usize,
}

impl Wanted for OwnRow {
    type Plan = RowPlan;

    fn version(&self) -> Option<u64> {
        self.asked.version
    }

    fn is_rooted(&self) -> bool {
        self.asked.root
    }

    fn look_ups(&self) -> usize {
        LOOK_UPS
    }

    /// Nothing is compared here, and nothing read that depends on whether the id is there.
    fn plan(&self, archive: &Snapshot, version: u64) -> Result<(RowPlan, Duration), ApiError> {
        let tag_column = self.keeper.tag_column().ok_or(ApiError::NoRows)?;
        let vault = self.keeper.vault()?;
        let answerer = self.keeper.answerer(&vault, archive, self.shared.certificates());
        let candidates = answerer.candidates(&self.asked(tag_column, version))?.ok_or(ApiError::NoRows)?;
        let looked_at = LOOKED_AT.saturating_mul(u32_or_max(candidates.len()));
        let texts = if self.listed { 0 } else { answerer.longest_candidate(&candidates)? };
        let mut certificates = 0;
        if self.asked.certificates {
            for head in candidates.heads() {
                let run = answerer.head_of(candidates.schema(), head, version)?;
                let bytes = certificate_bytes(&self.shared, candidates.schema(), run.as_slice(), version)?;
                certificates = certificates.max(bytes);
            }
        }
        Ok((RowPlan { candidates, texts, certificates }, WHOLE.saturating_add(looked_at)))
    }

    fn longest(&self, RowPlan { candidates, texts, certificates }: &RowPlan, path: Option<usize>) -> usize {
        if self.listed {
            return LISTED.saturating_mul(1 + candidates.len().min(MOST_LISTED));
        }
        answer_length::proofs(2)
            .saturating_add(answer_length::unknown_claims(CLAIMS, VALUE, path))
            .saturating_add(LISTED + PATH)
            .saturating_add(texts.saturating_mul(ESCAPED))
            .saturating_add(*certificates)
    }

    fn prove(self, source: &Source<'_>, RowPlan { candidates, .. }: RowPlan) -> Result<Answer, ApiError> {
        let Source { shared, archive, version } = *source;
        let tag_column = self.keeper.tag_column().ok_or(ApiError::NoRows)?;
        let vault = self.keeper.vault()?;
        let answerer = self.keeper.answerer(&vault, archive, shared.certificates());
        let owned = answerer.owned(&candidates, &self.asked(tag_column, version))?;
        if owned.is_empty() {
            return Err(ApiError::NoSuchRow);
        }
        if self.listed {
            let rows = owned.iter().take(MOST_LISTED).map(|row| listed(candidates.schema(), row)).collect();
            let body = status::written(&OwnRowsJson { version, rows })?.into_bytes();
            return Ok(Answer { body, next: None });
        }
        let row = match (owned.as_slice(), self.asked.number) {
            ([row], None) => row,
            (several, None) => return Err(ApiError::SeveralRows(several.len())),
            (rows, Some(number)) => {
                let chosen = number.checked_sub(1).and_then(|place| rows.get(place));
                chosen.ok_or_else(|| ApiError::BadRequest(format!("number {number}: from 1 to {}", rows.len())))?
            }
        };
        let parts = AnswerParts { certificates: self.asked.certificates, root: None };
        let mut answer = answerer.row(&self.table, row, version, &parts)?.0;
        if self.asked.root {
            tie(&mut answer, source)?;
        }
        written(&answer)
    }
}

fn listed(schema: &Schema, row: &FoundRow) -> OwnRowJson {
    let column = schema.values.get(usize::from(row.column));
    let (lowest, scale) = column.map_or((0, 0), |column| (column.lowest, column.scale));
    OwnRowJson {
        query: row.query.clone(),
        column: column.map_or_else(String::new, |column| column.name.clone()),
        key: row.key.iter().map(shown_value).collect(),
        value: show_number(i128::from(lowest) + i128::from(row.value), scale),
        run: row.run,
        revision: row.place.segment.revision,
        segment: row.place.segment.segment,
        rank: row.place.row,
    }
}
