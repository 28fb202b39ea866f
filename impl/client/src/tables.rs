//! What a client asks of an archive's tables, and of their keeper. What comes back is text that
//! nothing was checked of but its length, for `aardvark_aggregates` to judge.

use std::io::Read;

use aardvark_dictionary::Key;
use aardvark_proof::AnswerProof;
use aardvark_proof::answer_json;
use aardvark_proof::hex_text::{HexBytes, encode};
use serde::{Deserialize, Serialize};

use crate::archive::{ArchiveClient, json};
use crate::light::Fault;
use crate::rpc::at_most;
use crate::rpc::http::Ask;

/// Most bytes of an answer about a table, as its format has it.
const LARGEST_ANSWER: usize = 64 << 20;
/// Most bytes of a list of names.
const LARGEST_LIST: usize = 1 << 20;
/// Most names in one answer, as the archive's interface has it.
const MOST_TABLES: usize = 1024;
/// Most rows of an owner in one list, as the archive's interface has it.
const MOST_ROWS: usize = 1024;
/// The code of a keeper that has several rows of an owner, of which none was chosen.
const SEVERAL_ROWS: &str = "several_rows";
/// Most bytes of a list of rows.
const LARGEST_ROWS: usize = 16 << 20;
/// Certificates that are asked for at a time. Those of sheets with a thousand runs have 400 kB.
const CERTIFICATES: usize = 64;
/// Entries of a range that are asked for at a time.
pub const MOST_ENTRIES: u64 = 1024;

/// Which runs of a table are asked for.
#[derive(Serialize)]
pub struct ScanAsked<'a> {
    /// The version; the newest by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The value column.
    pub column: &'a str,
    /// Conditions on key columns.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub conditions: Option<&'a str>,
    /// Whether what ties the claims to the state root is asked for.
    pub root: bool,
}

/// Which statistic is asked for.
#[derive(Serialize)]
pub struct QueryAsked<'a> {
    /// The version; the newest by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The query's text.
    pub query: &'a str,
    /// Whether the certificates of the runs are asked for.
    pub certificates: bool,
    /// Whether what ties the claims to the state root is.
    pub root: bool,
}

/// Which row its owner asks for.
#[derive(Clone, Copy, Serialize)]
pub struct RowAsked<'a> {
    /// The version; the newest by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The row's id.
    pub id: &'a str,
    /// The row's tag.
    pub tag: &'a str,
    /// Only rows of this value column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<&'a str>,
    /// Only rows with such keys.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub conditions: Option<&'a str>,
    /// What is asked for besides which rows; nothing where they are listed.
    #[serde(flatten)]
    pub one: Option<OneRow>,
}

/// How one row is asked for.
#[derive(Clone, Copy, Serialize)]
pub struct OneRow {
    /// Where there are several: the one with this number, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// Whether the certificates of its run are asked for.
    pub certificates: bool,
    /// Whether what ties the claims to the state root is.
    pub root: bool,
}

/// Rows of an owner: the keeper's word.
#[derive(Debug, Deserialize)]
pub struct OwnRows {
    /// The version.
    pub version: u64,
    /// The rows.
    #[serde(deserialize_with = "at_most::<_, _, MOST_ROWS>")]
    pub rows: Vec<OwnRow>,
}

/// A row of an owner.
#[derive(Debug, Deserialize, Serialize)]
pub struct OwnRow {
    /// The query that its proof answers.
    pub query: String,
    /// Its value column.
    pub column: String,
    /// Its key, a text for each key column.
    pub key: Vec<String>,
    /// Its number, as it was written.
    pub value: String,
    /// Its run.
    pub run: u32,
    /// The run's revision.
    pub revision: u32,
    /// Its segment.
    pub segment: u32,
    /// Its index in the segment.
    pub rank: u32,
}

/// Names of tables: the archive's word.
#[derive(Debug, Deserialize)]
pub struct TableNames {
    /// The version.
    pub version: u64,
    /// The names.
    #[serde(deserialize_with = "at_most::<_, _, MOST_TABLES>")]
    pub tables: Vec<String>,
    /// The name behind which there are more.
    pub next: Option<String>,
}

/// A certificate with what it says that it is about.
#[derive(Debug, Deserialize)]
pub struct ShownCertificate {
    /// The statement's bytes.
    pub statement: HexBytes,
    /// The certificate's bytes.
    pub certificate: HexBytes,
}

/// Certificates of a table.
#[derive(Debug, Deserialize)]
pub struct CertificatesPage {
    /// The certificates.
    #[serde(deserialize_with = "at_most::<_, _, CERTIFICATES>")]
    pub certificates: Vec<ShownCertificate>,
    /// The place behind which there are more.
    pub next: Option<String>,
}

impl ArchiveClient {
    /// The names of tables behind a name, at a version or the newest.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn table_names(&self, version: Option<u64>, after: Option<&str>) -> Result<TableNames, Fault> {
        let version = version.map(|version| format!("version={version}"));
        let after = after.map(|after| format!("after={}", escaped(after)));
        let query: Vec<String> = [version, after].into_iter().flatten().collect();
        let path = format!("/v1/tables?{}", query.join("&"));
        self.ask(Ask::Get(&path), LARGEST_LIST, |body| json::<TableNames>(body))
    }

    /// The proof of a table's schema, at a version or the newest, tied to the root or not.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn table_schema(&self, table: &str, version: Option<u64>, root: bool) -> Result<AnswerProof, Fault> {
        let version = version.map(|version| format!("&version={version}")).unwrap_or_default();
        let path = format!("/v1/tables/{}?root={root}{version}", escaped(table));
        self.ask(Ask::Get(&path), LARGEST_LIST, proof)
    }

    /// The runs of a table, as the text of an answer.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn table_scan(&self, table: &str, asked: &ScanAsked<'_>) -> Result<Vec<u8>, Fault> {
        self.post_of_table(table, "scan", asked)
    }

    /// The text of the answer to a query.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn table_query(&self, table: &str, asked: &QueryAsked<'_>) -> Result<Vec<u8>, Fault> {
        self.post_of_table(table, "query", asked)
    }

    /// The text of the answer that shows a row to its owner.
    ///
    /// # Errors
    /// [`Fault`]; [`are_several_rows`] tells the keeper that has more than one.
    pub fn table_row(&self, table: &str, asked: &RowAsked<'_>) -> Result<Vec<u8>, Fault> {
        self.post_of_table(table, "row", asked)
    }

    /// The rows of an owner, of which none is proved.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn table_rows(&self, table: &str, asked: &RowAsked<'_>) -> Result<OwnRows, Fault> {
        let body = serde_json::to_vec(&RowAsked { one: None, ..*asked });
        let body = body.map_err(|error| Fault::Malformed(error.to_string()))?;
        let path = format!("/v1/tables/{}/rows", escaped(table));
        self.ask(Ask::Post(&path, &body), LARGEST_ROWS, |body| json::<OwnRows>(body))
    }

    /// The certificates of a table behind a place, as another page named it.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn table_certificates(&self, table: &str, after: Option<&str>) -> Result<CertificatesPage, Fault> {
        let after = after.map(|after| format!("&after={}", escaped(after))).unwrap_or_default();
        let path = format!("/v1/tables/{}/certificates?limit={CERTIFICATES}{after}", escaped(table));
        self.ask(Ask::Get(&path), LARGEST_ANSWER, |body| json::<CertificatesPage>(body))
    }

    /// One proof of the entries of a version, or the newest, from a key on, at most
    /// [`MOST_ENTRIES`], with one opening for all of them, tied to the root or not.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn entries_from(&self, from: &Key, version: Option<u64>, root: bool) -> Result<AnswerProof, Fault> {
        let from = encode(from);
        let version = version.map(|version| format!("&version={version}")).unwrap_or_default();
        let path = format!("/v1/range?from={from}&limit={MOST_ENTRIES}&together=true&root={root}{version}");
        self.ask(Ask::Get(&path), LARGEST_ANSWER, proof)
    }

    fn post_of_table<T: Serialize>(&self, table: &str, what: &str, asked: &T) -> Result<Vec<u8>, Fault> {
        let body = serde_json::to_vec(asked).map_err(|error| Fault::Malformed(error.to_string()))?;
        let path = format!("/v1/tables/{}/{what}", escaped(table));
        self.ask(Ask::Post(&path, &body), LARGEST_ANSWER, |body| text(body))
    }
}

/// Whether a keeper said that more than one row is the owner's.
pub fn are_several_rows(fault: &Fault) -> bool {
    matches!(fault, Fault::Refused { code, .. } if code == SEVERAL_ROWS)
}

fn text(body: &mut dyn Read) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    body.read_to_end(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

fn proof(body: &mut dyn Read) -> Result<AnswerProof, String> {
    answer_json::read(&text(body)?).map_err(|error| error.to_string())
}

/// Text as it stands in a path or behind `?`.
fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(byte).collect()
}
