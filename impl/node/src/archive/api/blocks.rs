//! Blocks: `/v1/blocks`, `/v1/blocks/{height}`, `/v1/blocks/{height}/raw`,
//! `/v1/blocks/{height}/certificates`.

use aardvark_algebra::integers::{usize_of_u32, usize_or_max};
use aardvark_archive::{BlockKind, LoggedBlock, Snapshot};
use aardvark_chain::{TableCertificate, encode_certificates};
use aardvark_dictionary::{Operation, Transaction};
use aardvark_proof::hex_text::encode;
use aardvark_tables::TablesError;
use aardvark_tables::certificates::StoredCertificate;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use utoipa::{IntoParams, ToSchema};

use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::reply::Reserved;
use crate::archive::service::Service;
use crate::archive::shared_archive::{SharedArchive, SharedArchiveError};

use super::extract::{Parameters, Segment};
use super::status::written;

/// Blocks of one answer, unless asked for another number.
const LAST: u64 = 10;
/// Most blocks of one answer.
const MOST: u64 = 100;

/// Bytes that a block's byte takes as JSON and while that is made, at most.
const JSON_BYTES: usize = 8;

/// How many blocks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LastParameter {
    /// So many, up to 100; 10 by default.
    last: Option<u64>,
    /// Only those below this height; the header `link` (`rel="next"`) of an answer has it for the
    /// one after.
    before: Option<u64>,
}

/// A block.
#[derive(Serialize, ToSchema)]
pub(crate) struct BlockJson {
    /// Height on the chain; that of the version.
    height: u64,
    /// The version that it made.
    version: u64,
    /// `genesis`, `transactions` or `import`.
    kind: &'static str,
    /// When it was proposed; null where there is no chain.
    time: Option<String>,
    /// The state root of the version; null where it is not known.
    root: Option<String>,
    /// Number of slots after it.
    size: u64,
    /// Its bytes in the archive's log.
    bytes: u64,
    /// Transactions whose effects the version has; for an import its changes, for genesis its
    /// entries.
    accepted: u64,
    /// Transactions that the chain's block held besides.
    rejected: u64,
    /// The transactions, in order; left out of lists, and where there are none by the block's kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    transactions: Option<Vec<TransactionJson>>,
}

/// A transaction of a block.
#[derive(Serialize, ToSchema)]
struct TransactionJson {
    id: String,
    first_valid: u64,
    last_valid: u64,
    /// As in a transaction of the command line, keys and values in hexadecimal, amounts as decimal
    /// strings.
    #[schema(value_type = Vec<Object>)]
    operations: Vec<Json>,
}

/// The last blocks, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Blocks {
    blocks: Vec<BlockJson>,
}

/// A block with its transactions.
#[utoipa::path(get, path = "/v1/blocks/{height}", tag = "Blocks", params(("height" = u64, Path, description = "The height")),
    responses((status = 200, body = BlockJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn block(State(service): State<Service>, Segment(height): Segment<u64>) -> Result<Response, ApiError> {
    let held = reserve(&service, height, JSON_BYTES).await?;
    let text = service.ask_bulk(move |shared, archive| {
        let transactions = match archive.version_info(height)?.kind {
            BlockKind::Genesis | BlockKind::Import => None,
            BlockKind::Transactions | BlockKind::Aggregated => match archive.block(height)? {
                LoggedBlock::Transactions(block) => Some(transactions_json(archive, &block.transactions)),
                LoggedBlock::Aggregated(block) => Some(transactions_json(archive, &block.block.transactions)),
                LoggedBlock::Genesis(_) | LoggedBlock::Import(_) => None,
            },
        };
        written(&BlockJson { transactions, ..summary(shared, archive, height)? })
    });
    Ok(service.budget.json_of(held, text.await?.into_bytes()))
}

/// Takes room for a block's answer before it is made: so many bytes for each of the block's.
async fn reserve(service: &Service, height: u64, bytes: usize) -> Result<Reserved, ApiError> {
    let length = service.ask(move |_, archive| Ok(archive.version_info(height)?.block_bytes)).await?;
    service.budget.reserve(usize_or_max(length).saturating_mul(bytes))
}

/// A block's bytes as the log has them.
#[utoipa::path(get, path = "/v1/blocks/{height}/raw", tag = "Blocks", params(("height" = u64, Path, description = "The height")),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = "4XX", body = ErrorJson)))]
pub(super) async fn raw(State(service): State<Service>, Segment(height): Segment<u64>) -> Result<Response, ApiError> {
    let held = reserve(&service, height, 1).await?;
    let bytes = service.ask_bulk(move |_, archive| Ok(archive.block_bytes(height)?)).await?;
    Ok(service.budget.bytes_of(held, bytes))
}

/// The certificates of tables that a block's transactions brought, as far as the archive has them.
#[utoipa::path(get, path = "/v1/blocks/{height}/certificates", tag = "Blocks", params(("height" = u64, Path, description = "The height")),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = "4XX", body = ErrorJson)))]
pub(super) async fn certificates(
    State(service): State<Service>,
    Segment(height): Segment<u64>,
) -> Result<Response, ApiError> {
    // They count against a block's bytes.
    let most = service.ask(move |_, archive| {
        archive.version_info(height)?;
        Ok(archive.parameters().limits.block_bytes)
    });
    let held = service.budget.reserve(usize_of_u32(most.await?))?;
    let bytes = service.ask_bulk(move |shared, _| {
        let stored = shared.certificates().of_version(height).map_err(TablesError::from)?;
        let brought = |StoredCertificate { heads, certificate }| {
            // A sheet has at most 1,022 segments.
            TableCertificate { segments: u16::try_from(heads.len()).unwrap_or(u16::MAX), certificate }
        };
        Ok(encode_certificates(&stored.into_iter().map(brought).collect::<Vec<_>>()))
    });
    Ok(service.budget.bytes_of(held, bytes.await?))
}

/// The last blocks, the newest first.
#[utoipa::path(get, path = "/v1/blocks", tag = "Blocks", params(LastParameter),
    responses((status = 200, body = Blocks), (status = "4XX", body = ErrorJson)))]
pub(super) async fn last(
    State(service): State<Service>,
    Parameters(LastParameter { last, before }): Parameters<LastParameter>,
) -> Result<Response, ApiError> {
    let last = last.unwrap_or(LAST);
    if last > MOST {
        return Err(ApiError::BadRequest(format!("{last} blocks; one answer has at most {MOST}")));
    }
    let (text, next) = service
        .ask(move |shared, archive| {
            let end = archive.version().saturating_add(1).min(before.unwrap_or(u64::MAX));
            let begin = end.saturating_sub(last);
            let blocks =
                (begin..end).rev().map(|height| summary(shared, archive, height)).collect::<Result<Vec<_>, _>>()?;
            Ok((written(&Blocks { blocks })?, (begin > 0 && last > 0).then_some(begin)))
        })
        .await?;
    let mut answer = service.budget.json(text)?;
    let link =
        next.map(|before| HeaderValue::from_str(&format!("</v1/blocks?last={last}&before={before}>; rel=\"next\"")));
    if let Some(Ok(link)) = link {
        answer.headers_mut().insert(header::LINK, link);
    }
    Ok(answer)
}

fn summary(shared: &SharedArchive, archive: &Snapshot, height: u64) -> Result<BlockJson, ApiError> {
    let info = archive.version_info(height)?;
    let record =
        shared.records().map(|records| records.get(height)).transpose().map_err(SharedArchiveError::from)?.flatten();
    let root = match &record {
        Some(record) => Some(record.parts.root()),
        None => shared.root_parts(archive, height).ok().map(|parts| parts.root()),
    };
    let rejected = record.as_ref().map_or(0, |record| record.rejected);
    Ok(BlockJson {
        height,
        version: height,
        kind: match info.kind {
            BlockKind::Genesis => "genesis",
            BlockKind::Transactions | BlockKind::Aggregated => "transactions",
            BlockKind::Import => "import",
        },
        time: record.and_then(|record| record.time),
        root: root.map(|root| encode(&root)),
        size: info.size,
        bytes: info.block_bytes,
        accepted: info.items,
        rejected,
        transactions: None,
    })
}

fn transactions_json<O>(archive: &Snapshot, transactions: &[Transaction<O>]) -> Vec<TransactionJson> {
    transactions.iter().map(|transaction| transaction_json(archive, transaction)).collect()
}

fn transaction_json<O>(archive: &Snapshot, transaction: &Transaction<O>) -> TransactionJson {
    TransactionJson {
        id: encode(&transaction.id(archive.id()).0),
        first_valid: transaction.first_valid,
        last_valid: transaction.last_valid,
        operations: transaction.operations.iter().map(operation_json).collect(),
    }
}

fn operation_json(operation: &Operation) -> Json {
    let key = encode(operation.key());
    match operation {
        Operation::Require(_, value) => {
            json!({ "require": { "key": key, "value": value.as_ref().map(|value| encode(value)) } })
        }
        Operation::Put(_, value) => json!({ "put": { "key": key, "value": encode(value) } }),
        Operation::Delete(_) => json!({ "delete": { "key": key } }),
        Operation::Add(_, amount) => json!({ "add": { "key": key, "amount": amount.to_string() } }),
        Operation::Sub(_, amount) => json!({ "sub": { "key": key, "amount": amount.to_string() } }),
    }
}
