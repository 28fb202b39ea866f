//! Tables of a server: what it says is believed only as far as it is proved.
//!
//! ```text
//! URL -> answer -> verified under what is trusted, as `table verify` does -> printed
//!               -> without: what is public is printed as the server's word, a statistic not at all
//! ```

pub mod audit;
pub mod public;
pub mod query;
mod ring;
pub mod row;

use std::path::{Path, PathBuf};
use std::time::Duration;

use aardvark_aggregates::answer::{Answer, json};
use aardvark_aggregates::scan::runs_in_box;
use aardvark_aggregates::schema::name_legal;
use aardvark_aggregates::{Basis, Head, Outcome, OwnerTexts, Query, Schema, TableKey};
use aardvark_client::ArchiveClient;
use aardvark_client::archive::is_missing_version;
use aardvark_client::light::Fault;
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::without_credentials;
use aardvark_proof::Reason;
use aardvark_tables::TablesError;
use clap::Args;
use serde_json::{Value, json};

use super::listing::Run;
use super::trust::TrustArguments;
use super::trusted_side::TrustedSide;
use super::verify::verdict;
use crate::anchor::{Anchor, CommitmentsFile, TrustedNote, parse_root};
use crate::answer_refusal::AnswerRefusal;
use crate::answer_report::merge;
use crate::commands::client::failure::ClientFailure;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::output_file::write_file;
use crate::report::Rows;

/// How long each answer of a node is waited for, at most, in seconds.
const NODE_TIMEOUT: u64 = 10;
/// How often, and after which pause, a server is asked again that has not the version of a header
/// yet.
const AGAIN: (u32, Duration) = (20, Duration::from_millis(500));

/// How a server is asked, and what is trusted of its dictionary.
#[derive(Debug, Args)]
pub struct Server {
    /// Where a URL is asked: the commitments to verify under, the trusted side.
    #[arg(long, value_name = "FILE", group = "anchor")]
    pub commitments: Option<PathBuf>,
    /// Where a URL is asked: a signed note with the state root to verify under.
    #[arg(long, value_name = "FILE", group = "anchor", requires = "publishers")]
    pub note: Option<PathBuf>,
    /// Whose signature the note must have, as NAME+HASH+KEY: the trusted side. Given several times,
    /// all of them must have signed.
    #[arg(long = "publisher", id = "publishers", value_name = "KEY", requires = "note")]
    pub publishers: Vec<String>,
    /// Where a URL is asked: a header that is trusted.
    #[command(flatten)]
    pub trust: TrustArguments,
    /// How long to wait for one answer of a URL.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub timeout: u64,
}

impl Server {
    /// What is trusted, for a version if one is typed.
    fn trusted(&self, root: Option<&str>, version: Option<u64>) -> Result<Option<TrustedSide>, Failure> {
        if let Some(header) = self.trust.header(version, self.timeout.min(NODE_TIMEOUT))? {
            return Ok(Some(header.into()));
        }
        let anchor = match (&self.commitments, root, &self.note) {
            (Some(path), _, _) => Anchor::Commitments(CommitmentsFile::read(path)?),
            (_, Some(root), _) => Anchor::Root(parse_root(root)?),
            (_, _, Some(path)) => Anchor::Note(TrustedNote::of_typed(path, &self.publishers)?),
            (None, None, None) => return Ok(None),
        };
        Ok(Some(anchor.into()))
    }

    /// Whether anything is trusted.
    fn has_trust(&self, root: Option<&str>) -> bool {
        self.commitments.is_some() || self.note.is_some() || self.trust.trust.is_some() || root.is_some()
    }
}

/// A server of tables, and what is trusted of its dictionary.
pub struct Remote {
    client: ArchiveClient,
    trusted: Option<TrustedSide>,
    /// The version that is asked for: the typed one, or that of what is trusted.
    version: Option<u64>,
}

/// The address, where what was typed as a folder is one.
fn url_of(place: &Path) -> Option<&str> {
    place.to_str().filter(|text| text.starts_with("http://") || text.starts_with("https://"))
}

impl Remote {
    /// The server that was typed in the place of a folder, asked at a version if one is typed, with
    /// what is trusted; a root is one as typed. `None` where it is a folder.
    ///
    /// # Errors
    /// An address that is none, what is trusted that cannot be read; something trusted beside a
    /// folder.
    pub fn of(
        place: &Path,
        server: &Server,
        root: Option<&str>,
        version: Option<u64>,
    ) -> Result<Option<Self>, Failure> {
        let Some(url) = url_of(place) else {
            let usage = "--commitments, --root HASH, --note and --trust are for a URL; `table verify` checks a file";
            return if server.has_trust(root) { Err(Failure::Usage(usage.to_owned())) } else { Ok(None) };
        };
        let options = HttpOptions { timeout: Duration::from_secs(server.timeout), ..HttpOptions::default() };
        let client = ArchiveClient::new(url, options)
            .map_err(|error| ClientFailure::Address(without_credentials(url), error))?;
        let trusted = server.trusted(root, version)?;
        let of_trusted = trusted.as_ref().map(TrustedSide::version).transpose()?.flatten();
        let remote = Self { client, trusted, version: version.or(of_trusted) };
        of_trusted.map_or(Ok(()), |of_trusted| remote.check_version(of_trusted))?;
        Ok(Some(remote))
    }

    /// Whether what is trusted is a root, so that answers have to be tied to it.
    fn is_rooted(&self) -> bool {
        self.trusted.as_ref().is_some_and(TrustedSide::is_rooted)
    }

    /// Asks, and asks again while the server has not the version yet that a header has.
    fn ask<T>(&self, ask: impl Fn(&ArchiveClient) -> Result<T, Fault>) -> Result<T, Failure> {
        let (mut left, pause) = AGAIN;
        loop {
            match ask(&self.client) {
                Err(fault) if is_missing_version(&fault) && left > 0 && self.is_of_header() => {
                    left -= 1;
                    self.client.wait(pause);
                }
                answer => return answer.map_err(|fault| self.failed(fault)),
            }
        }
    }

    fn is_of_header(&self) -> bool {
        self.trusted.as_ref().is_some_and(TrustedSide::is_header)
    }

    fn failed(&self, fault: Fault) -> Failure {
        Failure::TableServer(self.client.url().to_owned(), Box::new(fault))
    }

    /// What the answer rests on that was shown.
    fn rests_on(&self) -> String {
        match &self.trusted {
            Some(trusted) if trusted.basis(false) == Basis::Consensus => {
                format!("{}; that runs are in order, on the chain's consensus", trusted.name())
            }
            Some(trusted) => {
                let name = trusted.name();
                format!("{name}; that runs are in order, on whoever checked their certificates")
            }
            None => "the server's word: nothing was verified; --commitments FILE, --root HASH or --trust verify it"
                .to_owned(),
        }
    }

    /// Which header or note is trusted, for people and as JSON.
    fn told(&self, rows: Rows, said: &mut Value) -> Rows {
        match &self.trusted {
            Some(trusted) => trusted.told(rows, said),
            None => rows,
        }
    }

    /// Whether an answer is about the version that was asked for.
    fn check_version(&self, found: u64) -> Result<(), AnswerRefusal> {
        match self.version {
            Some(asked) if asked != found => Err(AnswerRefusal::AboutAnother {
                reason: Reason::OtherVersion,
                what: "version",
                found: found.to_string(),
                trusted_from: "the question is",
                trusted: asked.to_string(),
            }),
            _ => Ok(()),
        }
    }
}

/// An answer that was read, and what it says of the asker's query. Where nothing is trusted,
/// nothing of it is verified, and there is no outcome.
struct Judged {
    query: Query,
    answer: Answer,
    outcome: Option<Outcome>,
}

/// Reads the text of an answer and verifies it under what is trusted, where something is.
fn judged(name: &str, text: &str, bytes: &[u8], certificates: bool, remote: &Remote) -> Result<Judged, Failure> {
    let answer = read(bytes, remote)?;
    // The schema that the answer claims; that it is the table's is part of what is verified.
    let schema = answer.claimed_schema().map_err(TablesError::Schema)?;
    let query = Query::parse(name, text, &schema).map_err(TablesError::Query)?;
    let outcome = verified(&query, &answer, certificates, &OwnerTexts::default(), remote)?;
    Ok(Judged { query, answer, outcome })
}

fn read(bytes: &[u8], remote: &Remote) -> Result<Answer, Failure> {
    json::read(bytes).map_err(|error| Failure::Json(remote.client.url().to_owned(), error))
}

/// What an answer says under what is trusted; `None` where nothing is.
fn verified(
    query: &Query,
    answer: &Answer,
    certificates: bool,
    owner: &OwnerTexts,
    remote: &Remote,
) -> Result<Option<Outcome>, Failure> {
    let Some(trusted) = &remote.trusted else { return Ok(None) };
    remote.check_version(answer.version)?;
    Ok(Some(trusted.verify(query, answer, certificates, owner)?))
}

/// An answer that is given: what it says, what was not verified, and the file that it is in.
fn given(
    Judged { query, answer, outcome }: &Judged,
    certificates: bool,
    owner: &OwnerTexts,
    output: Option<&Path>,
    remote: &Remote,
) -> Result<(Rows, Value), Failure> {
    let (mut rows, mut said) = match (outcome, &remote.trusted) {
        (Some(outcome), Some(trusted)) => verdict(query, answer, outcome, owner, trusted.basis(certificates)),
        _ => (
            Rows::new().row("verdict", "not verified").row("version", answer.version.to_string()),
            json!({
                "result": "not verified", "version": answer.version, "dictionary": encode(&answer.dictionary.0),
            }),
        ),
    };
    rows = remote.told(rows, &mut said);
    if let Some(path) = output {
        let written = json::write(answer).map_err(|error| Failure::Json("the answer".to_owned(), error))?;
        write_file(path, &written)?;
        rows = rows.row("written to", path.display().to_string());
    }
    let server = remote.client.url();
    merge(&mut said, json!({ "server": server }));
    Ok((rows.row("server", server), said))
}

/// Refuses to ask for what could neither be believed nor kept.
fn check_use(remote: &Remote, output: Option<&Path>) -> Result<(), Failure> {
    let usage = "a server is not believed: give --commitments FILE, --root HASH, --note FILE or --trust HEIGHT:HASH, \
                 or -o FILE to verify its answer later";
    match (&remote.trusted, output) {
        (None, None) => Err(Failure::Usage(usage.to_owned())),
        _ => Ok(()),
    }
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
