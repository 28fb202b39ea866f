//! Answers about tables: `POST /v1/tables/{name}/scan`, which every archive has, and
//! `POST /v1/tables/{name}/query`, for which it needs the rows.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aardvark_aggregates::answer::json;
use aardvark_aggregates::answer::prover::answer_count;
use aardvark_aggregates::query::{Function, Query};
use aardvark_aggregates::scan::runs_in_box;
use aardvark_aggregates::{Answer as TableAnswer, Head, Schema, TableKey};
use aardvark_algebra::integers::u32_or_max;
use aardvark_archive::{Plan, Snapshot};
use aardvark_dictionary::{Key, Slot};
use aardvark_proof::proof_json::ClaimJson;
use aardvark_tables::answer::{ground, keys_to_prove, query_of};
use aardvark_tables::{AnswerParts, TablesError};
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::archive::answer_length;
use crate::archive::costs::Client;
use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::proving::{Answer, Source, Wanted};
use crate::archive::service::Service;
use crate::archive::shared_archive::SharedArchive;
use crate::keeper::Keeping;

use super::extract::{JsonBody, Segment};

/// How many slots a scan looks up, about: so many that it waits among what takes longer.
const LOOK_UPS: usize = 1024;
/// What an answer takes of one core's time besides its openings.
const WHOLE: Duration = Duration::from_millis(50);
/// What each segment adds to it where it is added up.
const ADDED: Duration = Duration::from_micros(300);
/// What each segment adds to it that is compared, and what a cut looks up in its run.
const COMPARED: Duration = Duration::from_millis(2);
/// What the opening of a segment that is shown takes, which the plan does not know yet.
const SHOWN: Duration = Duration::from_millis(20);
/// Segments of a run that an answer shows at most besides the first.
const MOST_SHOWN: usize = 2;
/// Most bytes of what stands of a run in an answer besides its claim: two comparisons' items, a
/// split, three totals.
const OF_RUN: usize = 1024;
/// Most bytes of what stands once in each thousand runs: the bits of comparisons.
const OF_CHUNK: usize = 16 << 10;
/// Most bytes of a segment: its rank, and a record with three sums.
const SEGMENT: usize = 256;
/// Most bytes of a certificate.
const CERTIFICATE: usize = 16 << 10;
/// Most bytes of a run in a certificate's statement.
const STATED: usize = 1 << 10;
/// Most bytes of a character in JSON.
const ESCAPED: usize = 6;

/// Which runs to show.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScanRequest {
    /// The version; the newest by default.
    version: Option<u64>,
    /// The value column.
    column: String,
    /// Conditions on key columns, as behind `where` of a query; all runs by default.
    r#where: Option<String>,
    /// What ties the claims to the state root, too.
    #[serde(default)]
    root: bool,
}

/// What to answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryRequest {
    /// The version; the newest by default.
    version: Option<u64>,
    /// The query, such as `sum(power) where time between 100 and 109 group by town`.
    query: String,
    /// The certificates of the runs that it uses, too.
    #[serde(default)]
    certificates: bool,
    /// What ties the claims to the state root, too.
    #[serde(default)]
    root: bool,
}

/// An answer of format 1 (docs/tables.md).
#[derive(ToSchema)]
#[expect(dead_code, reason = "a description; the answer's own module writes it")]
pub(crate) struct TableAnswerJson {
    /// 1.
    format: u64,
    /// The dictionary's id.
    dictionary: String,
    version: u64,
    table: String,
    query: String,
    /// The claim of the schema.
    schema: ClaimJson,
    /// The claims of the scan.
    runs: Vec<ClaimJson>,
    /// The sums of powers, group by group.
    totals: Option<Vec<Vec<String>>>,
    /// The cut of the rows at a rank.
    cut: Option<Object>,
    comparisons: Option<Vec<String>>,
    row: Option<Object>,
    /// W and W'.
    opening: Option<String>,
    certificates: Option<Vec<Object>>,
    root: Option<Object>,
}

/// An object that docs/tables.md describes.
#[derive(ToSchema)]
struct Object {}

/// The runs of a box, as the answer to a query for how many rows they have.
#[utoipa::path(post, path = "/v1/tables/{name}/scan", tag = "Tables", request_body = ScanRequest,
    params(("name" = String, Path, description = "The table's name")),
    responses((status = 200, body = TableAnswerJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn scan(
    State(service): State<Service>,
    client: Client,
    Segment(table): Segment<String>,
    JsonBody(ScanRequest { version, column, r#where, root }): JsonBody<ScanRequest>,
) -> Result<Response, ApiError> {
    let text = match r#where {
        Some(conditions) => format!("count({column}) where {conditions}"),
        None => format!("count({column})"),
    };
    let shared = Arc::clone(&service.shared);
    let asked = TableQuery { shared, table, text, version, certificates: false, root, keeper: None };
    let (answer, held) = service.prove(client, asked).await?;
    service.metrics.proofs.inc();
    Ok(service.budget.json_of(held, answer.body))
}

/// The answer to a query, with its proof.
#[utoipa::path(post, path = "/v1/tables/{name}/query", tag = "Tables", request_body = QueryRequest,
    params(("name" = String, Path, description = "The table's name")),
    responses((status = 200, body = TableAnswerJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn query(
    State(service): State<Service>,
    client: Client,
    Segment(table): Segment<String>,
    JsonBody(QueryRequest { version, query, certificates, root }): JsonBody<QueryRequest>,
) -> Result<Response, ApiError> {
    let keeper = service.keeper.clone().ok_or(ApiError::NoVault)?;
    let (shared, rows) = (Arc::clone(&service.shared), Some(Arc::clone(&keeper)));
    let asked = TableQuery { shared, table, text: query, version, certificates, root, keeper: rows };
    let begun = Instant::now();
    let answer = service.prove(client, asked).await;
    // What was found and what was refused are given at the same pace.
    tokio::time::sleep_until(keeper.given_at(begun, Instant::now()).into()).await;
    match &answer {
        Ok(_) => service.metrics.table_answers.inc(),
        Err(ApiError::TooFewRows(_)) => service.metrics.too_few_rows.inc(),
        Err(_) => 0,
    };
    let (answer, held) = answer?;
    Ok(service.budget.json_of(held, answer.body))
}

/// A query of a table.
#[derive(Clone)]
struct TableQuery {
    shared: Arc<SharedArchive>,
    table: String,
    text: String,
    version: Option<u64>,
    certificates: bool,
    root: bool,
    /// Who has the rows; without one only what is public of the runs is shown.
    keeper: Option<Arc<Keeping>>,
}

/// What a query asks of the archive.
struct TablePlan {
    query: Query,
    /// The runs in its box.
    runs: Vec<(Key, Head)>,
    plan: Plan,
    /// Segments that are shown at most besides each run's first.
    shown: usize,
    /// Most bytes of the certificates that are asked for.
    certificates: usize,
}

impl Wanted for TableQuery {
    type Plan = TablePlan;

    fn version(&self) -> Option<u64> {
        self.version
    }

    fn is_rooted(&self) -> bool {
        self.root
    }

    fn look_ups(&self) -> usize {
        LOOK_UPS
    }

    fn plan(&self, archive: &Snapshot, version: u64) -> Result<(TablePlan, Duration), ApiError> {
        let query = query_of(archive, &self.table, &self.text, version)?;
        if query.function() == Function::Row {
            return Err(TablesError::RowQuery.into());
        }
        if self.keeper.is_none() && query.function() != (Function::Totals { powers: 0 }) {
            return Err(ApiError::BadQuery("a scan asks for how many rows there are".to_owned()));
        }
        let keys = keys_to_prove(archive, &query, version)?;
        let plan = archive.plan(&keys, &[], version)?;
        let runs = runs(&query, plan.slots().skip(1))?;
        let totals = matches!(query.function(), Function::Totals { .. });
        let segments = runs.iter().fold(0u32, |sum, (_, head)| sum.saturating_add(head.segments()));
        let long = runs.iter().filter(|(_, head)| head.segments() > 1).count();
        let shown = if totals { 0 } else { long.saturating_mul(MOST_SHOWN) };
        // Totals add all segments up; of an order, the first and those that are shown are compared.
        let work_of_runs = match totals {
            true => ADDED.saturating_mul(segments),
            false => COMPARED.saturating_mul(u32_or_max(runs.len().saturating_add(shown))),
        };
        let work = match &self.keeper {
            None => Duration::ZERO,
            Some(_) => WHOLE.saturating_add(work_of_runs).saturating_add(SHOWN.saturating_mul(u32_or_max(shown))),
        };
        let cost = plan.cost().saturating_add(work);
        let certificates =
            if self.certificates { certificate_bytes(&self.shared, query.schema(), &runs, version)? } else { 0 };
        Ok((TablePlan { query, runs, plan, shown, certificates }, cost))
    }

    fn longest(&self, TablePlan { runs, plan, shown, certificates, .. }: &TablePlan, path: Option<usize>) -> usize {
        let around = answer_length::proofs(2).saturating_add(ESCAPED * self.text.len());
        let numbers = (*certificates)
            .saturating_add(runs.len().saturating_mul(OF_RUN))
            .saturating_add((1 + runs.len() / 500) * OF_CHUNK);
        let claims = answer_length::claims(plan.slots(), path)
            .saturating_add(answer_length::unknown_claims(*shown, SEGMENT, path));
        around.saturating_add(numbers).saturating_add(claims)
    }

    fn prove(self, source: &Source<'_>, TablePlan { query, runs, plan, .. }: TablePlan) -> Result<Answer, ApiError> {
        let Source { shared, archive, version } = *source;
        if let Some(answered) = self.keeper.as_ref().and_then(|keeper| keeper.answered()) {
            answered.enter(&query, &runs)?;
        }
        let claims: Vec<_> = archive.claims_of(plan)?.into_iter().flatten().collect();
        let ground = ground(archive, version, claims)?;
        let mut answer = match &self.keeper {
            Some(keeper) => {
                let parts = AnswerParts { certificates: self.certificates, root: None };
                let vault = keeper.vault()?;
                let answerer = keeper.answerer(&vault, archive, shared.certificates());
                answerer.answer(&query, &self.text, ground, &parts)?.0
            }
            None => answer_count(&query, &self.text, ground).map_err(TablesError::from)?,
        };
        if self.root {
            tie(&mut answer, source)?;
        }
        written(&answer)
    }
}

/// Ties an answer to the state root.
pub(super) fn tie(answer: &mut TableAnswer, Source { shared, archive, version }: &Source<'_>) -> Result<(), ApiError> {
    let claims: Vec<_> =
        core::iter::once(&answer.schema).chain(&answer.runs).chain(&answer.segments).cloned().collect();
    answer.tie = Some(shared.tie(archive, *version, &claims)?);
    Ok(())
}

/// An answer as text.
pub(super) fn written(answer: &TableAnswer) -> Result<Answer, ApiError> {
    let text = json::write_line(answer).map_err(|error| ApiError::Damaged(error.to_string()))?;
    Ok(Answer { body: text.into_bytes(), next: None })
}

/// Most bytes of the certificates of runs of a table at a version, as text.
pub(super) fn certificate_bytes(
    shared: &SharedArchive,
    schema: &Schema,
    runs: &[(Key, Head)],
    version: u64,
) -> Result<usize, ApiError> {
    let certificates = shared.certificates();
    let mut sheets = BTreeMap::new();
    for (key, head) in runs {
        for segment in 0..head.segments() {
            let place = segment_place(schema, key, head, segment);
            let Some(place) = certificates.of_head(&place, version).map_err(TablesError::from)? else { break };
            if let Entry::Vacant(new) = sheets.entry(place) {
                let stored = certificates.at(place).map_err(TablesError::from)?;
                new.insert(CERTIFICATE + stored.map_or(0, |stored| stored.heads.len() * STATED));
            }
        }
    }
    Ok(sheets.into_values().sum())
}

/// The key of a segment of a run: for the first, and where the head's key is none, that of the
/// head.
fn segment_place(schema: &Schema, key: &Key, head: &Head, segment: u32) -> Vec<u8> {
    match TableKey::from_bytes(key, schema) {
        Ok(TableKey::Head { table, column, columns, run }) if segment > 0 => {
            TableKey::Segment { table, column, columns, run, revision: head.revision, segment }.to_bytes()
        }
        _ => key.to_vec(),
    }
}

/// The runs that slots show to be in a query's box.
fn runs<'s>(query: &Query, slots: impl Iterator<Item = &'s Slot>) -> Result<Vec<(Key, Head)>, ApiError> {
    let slots: Vec<&Slot> = slots.collect();
    let places = runs_in_box(&query.key_box(), slots.iter().copied()).map_err(|_| TablesError::Scan)?;
    let moments = query.value_column().map_or(0, |column| usize::from(column.moments));
    let run = |place: usize| {
        let slot = slots.get(place)?;
        Some((slot.key.clone(), Head::from_bytes(&slot.value, moments).ok()?))
    };
    let malformed = || ApiError::BadQuery("a key in the box is no run".to_owned());
    places.into_iter().map(|place| run(place).ok_or_else(malformed)).collect()
}
