//! Answers as JSON, format 1.
//!
//! ```json
//! { "format": 1, "dictionary": "0x…", "version": 12, "table": "meters",
//!   "query": "sum(power) where time between 100 and 109",
//!   "schema": { claim }, "runs": [ claims ], "segments": [ claims ],
//!   "totals": [["517", "14203"]], "opening": "0x… 96 bytes",
//!   "cut": { "splits": [2, 0, 5], "low": { "run": 0, "value": "31" }, "high": { "run": 2, "value": "33" } },
//!   "comparisons": ["0x…"],
//!   "row": { "position": 17, "value": "31", "salt": "0x…", "text": ["…"], "path": ["0x…"] },
//!   "certificates": [ { "statement": "0x…", "certificate": "0x…" } ],
//!   "root": { as in a proof } }
//! ```
//!
//! Claims are those of a proof, each with its opening. Numbers that may pass 2^53 are decimal
//! strings without leading zeros: totals, for each group S_1 and on; a row's value, its distance
//! from the column's lowest. Hexadecimal is lower-case. Parts that the query's function does not
//! ask for are absent, and so are certificates and root where they were not asked for. Unknown and
//! repeated fields are refused. The result is not in it: it follows.

use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_dictionary::{Claim, DictionaryId};
use aardvark_proof::RootTie;
use aardvark_proof::hex_text::{HexArray, HexBytes};
use aardvark_proof::json::{JsonError, check_format, given, read_object};
use aardvark_proof::object_types;
use aardvark_proof::proof_json::ClaimJson;
use num::BigUint;
use serde::{Deserialize, Serialize};

use super::row::SALT_BYTES;
use super::runs::MAX_RUNS;
use super::{Answer, ShownRow, StatedCertificate};
use crate::cut::{Cut, CutEnd};
use crate::query::MAX_TEXT;

/// The format's number.
pub const FORMAT: u64 = 1;
/// Most bytes of an answer's text.
pub const LARGEST_ANSWER: u64 = 64 << 20;
/// The most digits of a total: it is below 2^256.
const TOTAL_DIGITS: usize = 78;
/// The most digits of a row's value.
const VALUE_DIGITS: usize = 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerJson {
    format: u64,
    dictionary: HexArray<32>,
    version: u64,
    table: String,
    query: String,
    schema: ClaimJson,
    runs: Vec<ClaimJson>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    segments: Option<Vec<ClaimJson>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    totals: Option<Vec<Vec<String>>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    cut: Option<CutJson>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    comparisons: Option<Vec<HexBytes>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    row: Option<RowJson>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    opening: Option<HexArray<FOLDED_BYTES>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    certificates: Option<Vec<CertificateJson>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    root: Option<RootTie>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct CutJson {
    splits: Vec<u64>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    low: Option<EndJson>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    high: Option<EndJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct EndJson {
    run: u32,
    value: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct RowJson {
    position: u16,
    value: String,
    salt: HexArray<SALT_BYTES>,
    text: Vec<String>,
    path: Vec<HexArray<32>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct CertificateJson {
    statement: HexBytes,
    certificate: HexBytes,
}

object_types!(CutJson, EndJson, RowJson, CertificateJson);

/// The answer as indented JSON, without a line break at the end.
///
/// # Errors
/// None for the types above; the serializer's signature has one.
pub fn write(answer: &Answer) -> Result<String, JsonError> {
    Ok(serde_json::to_string_pretty(&AnswerJson::from(answer))?)
}

/// The same on one line.
///
/// # Errors
/// As [`write()`].
pub fn write_line(answer: &Answer) -> Result<String, JsonError> {
    Ok(serde_json::to_string(&AnswerJson::from(answer))?)
}

/// Reads an answer. What it says is only checked for its form.
///
/// # Errors
/// Anything that is not exactly one answer of format 1.
pub fn read(text: &[u8]) -> Result<Answer, JsonError> {
    check_format(text, FORMAT)?;
    read_object::<AnswerJson>(text)?.try_into()
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> Self {
        let totals = || answer.totals.iter().map(|group| group.iter().map(BigUint::to_string).collect()).collect();
        let certificates = || answer.certificates.iter().map(CertificateJson::from).collect();
        Self {
            format: FORMAT,
            dictionary: HexArray(answer.dictionary.0),
            version: answer.version,
            table: answer.table.clone(),
            query: answer.query.clone(),
            schema: ClaimJson::from(&answer.schema),
            runs: answer.runs.iter().map(ClaimJson::from).collect(),
            segments: (!answer.segments.is_empty()).then(|| answer.segments.iter().map(ClaimJson::from).collect()),
            totals: (!answer.totals.is_empty()).then(totals),
            cut: answer.cut.as_ref().map(CutJson::from),
            comparisons: (!answer.comparisons.is_empty())
                .then(|| answer.comparisons.iter().cloned().map(HexBytes).collect()),
            row: answer.row.as_ref().map(RowJson::from),
            opening: answer.opening.map(HexArray),
            certificates: (!answer.certificates.is_empty()).then(certificates),
            root: answer.tie.clone(),
        }
    }
}

impl From<&Cut> for CutJson {
    fn from(cut: &Cut) -> Self {
        let end = |end: CutEnd| EndJson { run: end.run, value: end.value.to_string() };
        Self { splits: cut.splits.clone(), low: cut.low.map(end), high: cut.high.map(end) }
    }
}

impl From<&ShownRow> for RowJson {
    fn from(row: &ShownRow) -> Self {
        Self {
            position: row.position,
            value: row.value.to_string(),
            salt: HexArray(row.salt),
            text: row.texts.clone(),
            path: row.path.iter().copied().map(HexArray).collect(),
        }
    }
}

impl From<&StatedCertificate> for CertificateJson {
    fn from(stated: &StatedCertificate) -> Self {
        let StatedCertificate { statement, certificate } = stated;
        Self { statement: HexBytes(statement.clone()), certificate: HexBytes(certificate.clone()) }
    }
}

impl TryFrom<AnswerJson> for Answer {
    type Error = JsonError;

    fn try_from(json: AnswerJson) -> Result<Self, JsonError> {
        if json.query.len() > MAX_TEXT {
            let length = json.query.len();
            return Err(JsonError::TooLong { field: "query", length, most: MAX_TEXT });
        }
        // A scan shows at most one gap beside each run, and one more.
        let most = 2 * MAX_RUNS + 1;
        if json.runs.len() > most {
            return Err(JsonError::Number(format!("{} runs; an answer has at most {most}", json.runs.len())));
        }
        let present = |empty: bool, field: &str| {
            if empty { Err(JsonError::Number(format!("{field}: absent where there are none"))) } else { Ok(()) }
        };
        // Of a run at most those with the rows on both sides of its split are shown.
        if json.segments.as_ref().is_some_and(|segments| segments.len() > 2 * MAX_RUNS) {
            return Err(JsonError::Number(format!("segments; an answer shows at most {}", 2 * MAX_RUNS)));
        }
        present(json.segments.as_ref().is_some_and(Vec::is_empty), "segments")?;
        present(json.totals.as_ref().is_some_and(Vec::is_empty), "totals")?;
        present(json.comparisons.as_ref().is_some_and(Vec::is_empty), "comparisons")?;
        present(json.certificates.as_ref().is_some_and(Vec::is_empty), "certificates")?;
        let total = |text: &String| number(text, TOTAL_DIGITS);
        let group = |group: &Vec<String>| group.iter().map(total).collect::<Result<Vec<_>, _>>();
        let certificate =
            |json: CertificateJson| StatedCertificate { statement: json.statement.0, certificate: json.certificate.0 };
        Ok(Self {
            dictionary: DictionaryId(json.dictionary.0),
            version: json.version,
            table: json.table,
            query: json.query,
            schema: Claim::try_from(json.schema)?,
            runs: json.runs.into_iter().map(Claim::try_from).collect::<Result<_, _>>()?,
            segments: json.segments.into_iter().flatten().map(Claim::try_from).collect::<Result<_, _>>()?,
            totals: json.totals.iter().flatten().map(group).collect::<Result<_, _>>()?,
            cut: json.cut.map(Cut::try_from).transpose()?,
            comparisons: json.comparisons.into_iter().flatten().map(|bytes| bytes.0).collect(),
            row: json.row.map(ShownRow::try_from).transpose()?,
            opening: json.opening.map(|opening| opening.0),
            certificates: json.certificates.into_iter().flatten().map(certificate).collect(),
            tie: json.root,
        })
    }
}

impl TryFrom<CutJson> for Cut {
    type Error = JsonError;

    fn try_from(json: CutJson) -> Result<Self, JsonError> {
        let end = |end: EndJson| -> Result<CutEnd, JsonError> {
            let wrong = |_| JsonError::Number(format!("{} is no number of a row", end.value));
            Ok(CutEnd { run: end.run, value: u64::try_from(&number(&end.value, VALUE_DIGITS)?).map_err(wrong)? })
        };
        Ok(Self { splits: json.splits, low: json.low.map(end).transpose()?, high: json.high.map(end).transpose()? })
    }
}

impl TryFrom<RowJson> for ShownRow {
    type Error = JsonError;

    fn try_from(json: RowJson) -> Result<Self, JsonError> {
        let wrong = |_| JsonError::Number(format!("{} is no number of a row", json.value));
        Ok(Self {
            position: json.position,
            value: u64::try_from(&number(&json.value, VALUE_DIGITS)?).map_err(wrong)?,
            salt: json.salt.0,
            texts: json.text,
            path: json.path.into_iter().map(|digest| digest.0).collect(),
        })
    }
}

/// A decimal number without sign and leading zeros.
fn number(text: &str, most: usize) -> Result<BigUint, JsonError> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = !text.is_empty() && text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if canonical && digits { text.parse().ok() } else { None };
    number.ok_or_else(|| JsonError::Number(format!("{text:?} is no decimal number of at most {most} digits")))
}
