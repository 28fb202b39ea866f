//! What is public of the dictionary's tables: their names, schemas and certificates.

use aardvark_aggregates::TableKey;
use aardvark_dictionary::Key;
use aardvark_proof::hex_text::encode;
use aardvark_tables::keeper::table_names_behind;
use aardvark_tables::{CertificatePlace, PlacedCertificate, certificates_behind, schema_of};
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::archive::costs::Client;
use crate::archive::error::{ApiError, ErrorJson};
use crate::archive::service::Service;

use super::answers::{self, AnswerProofJson};
use super::extract::{Parameters, Segment};
use super::status::written;

/// Most names of tables in one answer.
const MOST_TABLES: usize = 1024;
/// Certificates that are looked at for one answer, unless asked for another number.
const CERTIFICATES: usize = 64;
/// Most certificates in one answer.
const MOST_CERTIFICATES: usize = 1024;

/// Which tables to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TablesParameters {
    /// The version; the newest by default.
    version: Option<u64>,
    /// Only those behind this one, in the order of their keys.
    after: Option<String>,
}

/// The names of tables.
#[derive(Serialize, ToSchema)]
pub(crate) struct TablesJson {
    version: u64,
    tables: Vec<String>,
    /// Where there may be more: the name to ask on behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// How to prove a schema.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SchemaParameters {
    /// The version; the newest by default.
    version: Option<u64>,
    /// What ties the claim to the state root, too.
    #[serde(default)]
    root: bool,
}

/// Which certificates to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CertificatesParameters {
    /// Only those behind this place, as `next` names it.
    after: Option<String>,
    /// At most so many entries are looked at, up to 1024; 64 by default.
    limit: Option<usize>,
}

/// Certificates of a table, in the order in which they were written.
#[derive(Serialize, ToSchema)]
pub(crate) struct CertificatesJson {
    /// The newest version.
    version: u64,
    certificates: Vec<PlacedCertificateJson>,
    /// Where there may be more: the place to ask on behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A certificate with what it is about.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlacedCertificateJson {
    /// The version that put what it is about.
    version: u64,
    statement: String,
    certificate: String,
}

/// The names of the dictionary's tables: the archive's word.
#[utoipa::path(get, path = "/v1/tables", tag = "Tables", params(TablesParameters),
    responses((status = 200, body = TablesJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn list(
    State(service): State<Service>,
    Parameters(TablesParameters { version, after }): Parameters<TablesParameters>,
) -> Result<Response, ApiError> {
    let text = service.ask_bulk(move |_, archive| {
        let version = version.unwrap_or(archive.version());
        let (tables, next) = table_names_behind(archive, version, after.as_deref(), MOST_TABLES)?;
        written(&TablesJson { version, tables, next })
    });
    service.budget.json(text.await?)
}

/// The proof of a table's schema, which is the value of the schema's key.
#[utoipa::path(get, path = "/v1/tables/{name}", tag = "Tables",
    params(("name" = String, Path, description = "The table's name"), SchemaParameters),
    responses((status = 200, body = AnswerProofJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn schema(
    State(service): State<Service>,
    client: Client,
    Segment(name): Segment<String>,
    Parameters(SchemaParameters { version, root }): Parameters<SchemaParameters>,
) -> Result<Response, ApiError> {
    let key = Key::from(TableKey::Schema { table: name.clone() }.to_bytes());
    let version = service.ask(move |_, archive| {
        let version = version.unwrap_or(archive.version());
        schema_of(archive, &name, version)?.ok_or(ApiError::NoSuchTable(name))?;
        Ok(version)
    });
    let version = version.await?;
    answers::of_key(&service, client, key, Some(version), root).await
}

/// The certificates of a table, with what they are about: who has all of them, and the table's
/// runs, need not believe that they were checked.
#[utoipa::path(get, path = "/v1/tables/{name}/certificates", tag = "Tables",
    params(("name" = String, Path, description = "The table's name"), CertificatesParameters),
    responses((status = 200, body = CertificatesJson), (status = "4XX", body = ErrorJson)))]
pub(super) async fn certificates(
    State(service): State<Service>,
    Segment(name): Segment<String>,
    Parameters(CertificatesParameters { after, limit }): Parameters<CertificatesParameters>,
) -> Result<Response, ApiError> {
    let limit = limit.unwrap_or(CERTIFICATES);
    if limit == 0 || limit > MOST_CERTIFICATES {
        return Err(ApiError::BadRequest(format!("limit {limit}: from 1 to {MOST_CERTIFICATES}")));
    }
    let after = after.map(|text| place(&text).ok_or_else(|| ApiError::BadRequest(format!("after: no place {text:?}"))));
    let after = after.transpose()?;
    let text = service.ask_bulk(move |shared, archive| {
        let (found, next) = certificates_behind(archive, shared.certificates(), &name, after, limit)?;
        let certificates = found.into_iter().map(PlacedCertificateJson::from).collect();
        let next = next.map(|CertificatePlace { version, place }| format!("{version}.{place}"));
        written(&CertificatesJson { version: archive.version(), certificates, next })
    });
    service.budget.json(text.await?)
}

/// `VERSION.NUMBER`
fn place(text: &str) -> Option<CertificatePlace> {
    let (version, place) = text.split_once('.')?;
    Some(CertificatePlace { version: version.parse().ok()?, place: place.parse().ok()? })
}

impl From<PlacedCertificate> for PlacedCertificateJson {
    fn from(PlacedCertificate { place, stated }: PlacedCertificate) -> Self {
        let [statement, certificate] = [&stated.statement, &stated.certificate].map(|bytes| encode(bytes));
        Self { version: place.version, statement, certificate }
    }
}
