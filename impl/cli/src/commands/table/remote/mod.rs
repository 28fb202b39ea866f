//! Tables of a server: what it says is believed only as far as it is proved.
//!
//! ```text
//! URL -> answer -> verified under --commitments FILE -> printed
//!               -> without them: what is public is printed as the server's word, a statistic not at all
//! ```

pub mod audit;
pub mod public;
pub mod query;
mod ring;

use std::path::{Path, PathBuf};
use std::time::Duration;

use aardvark_aggregates::answer::{Answer, Certificates, json};
use aardvark_aggregates::scan::runs_in_box;
use aardvark_aggregates::schema::name_legal;
use aardvark_aggregates::{Head, Outcome, Query, Schema, TableKey};
use aardvark_client::ArchiveClient;
use aardvark_client::light::Fault;
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::without_credentials;
use aardvark_tables::TablesError;
use clap::Args;

use super::listing::Run;
use crate::anchor::CommitmentsFile;
use crate::answer_refusal::AnswerRefusal;
use crate::commands::client::failure::ClientFailure;
use crate::failure::Failure;

/// How a server is asked, and what is trusted of its dictionary.
#[derive(Debug, Args)]
pub struct Server {
    /// Where a URL is asked: the commitments to verify under, the trusted side.
    #[arg(long, value_name = "FILE")]
    pub commitments: Option<PathBuf>,
    /// How long to wait for one answer of a URL.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub timeout: u64,
}

/// A server of tables, and what is trusted of its dictionary.
pub struct Remote {
    client: ArchiveClient,
    commitments: Option<CommitmentsFile>,
}

/// The address, where what was typed as a folder is one.
fn url_of(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| text.starts_with("http://") || text.starts_with("https://"))
}

impl Remote {
    /// The server that was typed in the place of a folder; `None` where it is a folder.
    ///
    /// # Errors
    /// An address that is none, commitments that cannot be read; commitments beside a folder.
    pub fn of(place: &Path, server: &Server) -> Result<Option<Self>, Failure> {
        let Some(url) = url_of(place) else {
            return match server.commitments {
                Some(_) => Err(Failure::Usage("--commitments is for a URL; `table verify` checks a file".to_owned())),
                None => Ok(None),
            };
        };
        let options = HttpOptions { timeout: Duration::from_secs(server.timeout), ..HttpOptions::default() };
        let client = ArchiveClient::new(url, options)
            .map_err(|error| ClientFailure::Address(without_credentials(url), error))?;
        let commitments = server.commitments.as_deref().map(CommitmentsFile::read).transpose()?;
        Ok(Some(Self { client, commitments }))
    }

    /// The version to ask: the one that was typed, or that of the commitments.
    fn version(&self, typed: Option<u64>) -> Result<Option<u64>, Failure> {
        match (typed, &self.commitments) {
            (Some(version), _) => Ok(Some(version)),
            (None, Some(file)) => Ok(Some(file.known()?.version)),
            (None, None) => Ok(None),
        }
    }

    fn failed(&self, fault: Fault) -> Failure {
        Failure::TableServer(self.client.url().to_owned(), Box::new(fault))
    }

    /// What the answer rests on that was shown.
    fn rests_on(&self) -> &'static str {
        match self.commitments {
            Some(_) => "the commitments; that runs are in order, on whoever checked their certificates",
            None => "the server's word: nothing was verified; --commitments FILE verifies it",
        }
    }
}

/// An answer that was read, and what it says of the asker's query. Without commitments nothing of
/// it is verified, and there is no outcome.
struct Judged {
    query: Query,
    answer: Answer,
    outcome: Option<Outcome>,
}

/// Reads the text of an answer and verifies it under commitments, where there are some.
fn judged(name: &str, text: &str, bytes: &[u8], certificates: bool, remote: &Remote) -> Result<Judged, Failure> {
    let answer = json::read(bytes).map_err(|error| Failure::Json(remote.client.url().to_owned(), error))?;
    // The schema that the answer claims; that it is the table's is part of what is verified.
    let schema = answer.claimed_schema().map_err(TablesError::Schema)?;
    let query = Query::parse(name, text, &schema).map_err(TablesError::Query)?;
    let Some(file) = &remote.commitments else { return Ok(Judged { query, answer, outcome: None }) };
    let known = file.known()?;
    let scheme = known.verifier()?;
    let trusted = known.trusted(&scheme).map_err(AnswerRefusal::from)?;
    let looked_at = if certificates { Certificates::Required } else { Certificates::Ignored };
    let outcome = answer.verify(&query, &trusted, looked_at).map_err(Failure::TableAnswer)?;
    Ok(Judged { query, answer, outcome: Some(outcome) })
}

/// The runs that an answer shows.
fn runs_of(Judged { query, answer, .. }: &Judged, schema: &Schema) -> Result<Vec<Run>, Failure> {
    let slots = || answer.runs.iter().map(|claim| &claim.slot);
    let places = runs_in_box(&query.key_box(), slots()).map_err(|_| TablesError::Scan)?;
    let moments = query.value_column().map_or(0, |column| usize::from(column.moments));
    let run = |place: usize| {
        let slot = &answer.runs.get(place)?.slot;
        let TableKey::Head { column, columns, run, .. } = TableKey::from_bytes(&slot.key, schema).ok()? else {
            return None;
        };
        Some(Run { column, columns, run, head: Head::from_bytes(&slot.value, moments).ok()? })
    };
    places.into_iter().map(|place| run(place).ok_or_else(|| TablesError::Scan.into())).collect()
}

/// A name that tables have: it stands in the address that is asked.
fn checked_name(name: &str) -> Result<&str, Failure> {
    if name_legal(name.as_bytes()) { Ok(name) } else { Err(TablesError::Name(name.to_owned()).into()) }
}
