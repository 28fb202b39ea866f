//! Proofs of answers as JSON, format 2: many keys, a range, a neighbour, and one key too.
//!
//! ```json
//! { "format": 2, "dictionary": "0x…", "scheme": "kzg", "vector_size": 1024, "version": 7,
//!   "question": { "range": { "from": "0x…", "to": "0x…", "limit": 100 } },
//!   "claims": [ { "position": 4711, "slot": { "key": "0x…", "value": "0x…", "next": "0x…" }, "opening": "0x…" }, … ],
//!   "root": { "size": 12345, "tail_start": 12288, "commitment_root": "0x…", "tail_digest": "0x…",
//!             "replay_digest": "0x…", "window_digest": "0x…",
//!             "vectors": [ { "number": 4, "commitment": "0x…", "path": ["0x…", …] } ] } }
//! ```
//!
//! A question is one of `{ "keys": ["0x…", …] }`, `{ "range": … }` with an empty `to` for no end
//! and without `limit` for all entries, `{ "predecessor": "0x…" }` and `{ "successor": "0x…" }`.
//! The field `root` is there where the claims are tied to a state root; in it, for those who know
//! the root alone, `identity`.
//!
//! With a field `"folded_opening": "0x… 96 bytes"` behind the claims no claim has an opening of its
//! own; without it each has one.

use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_dictionary::{Claim, DictionaryId, Key, Slot};
use serde::{Deserialize, Serialize};

use crate::answer_proof::{AnswerProof, RootTie};
use crate::hex_text::{HexArray, HexBytes};
use crate::json::{ANSWER_FORMAT, JsonError, check_format, checked_key, given, read_object};
use crate::proof_json::SlotJson;
use crate::question::{KeyRange, Question, Region};
use crate::strict_json::object_types;

/// Most bytes of a proof's text or encoding: a range of 10,000 entries at maximal lengths has about
/// 50 MB as text.
pub const LARGEST_ANSWER: u64 = 64 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerJson {
    format: u64,
    dictionary: HexArray<32>,
    scheme: String,
    vector_size: u32,
    version: u64,
    question: QuestionJson,
    claims: Vec<AnswerClaimJson>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    folded_opening: Option<HexArray<FOLDED_BYTES>>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    root: Option<RootTie>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct AnswerClaimJson {
    position: u64,
    slot: SlotJson,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    opening: Option<HexArray<48>>,
}

/// A question as JSON; archives are asked with the same.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuestionJson {
    /// Keys, strictly ascending.
    Keys(Vec<HexBytes>),
    /// The keys of a range.
    Range(RangeJson),
    /// The greatest key below this one.
    Predecessor(HexBytes),
    /// The least key above this one.
    Successor(HexBytes),
}

/// A range as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RangeJson {
    from: HexBytes,
    to: HexBytes,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
}

object_types!(AnswerClaimJson, RangeJson);

/// The proof as indented JSON, without a line break at the end.
///
/// # Errors
/// None for the types above; the serializer's signature has one.
pub fn write(proof: &AnswerProof) -> Result<String, JsonError> {
    Ok(serde_json::to_string_pretty(&AnswerJson::from(proof))?)
}

/// The same on one line.
///
/// # Errors
/// As [`write()`].
pub fn write_line(proof: &AnswerProof) -> Result<String, JsonError> {
    Ok(serde_json::to_string(&AnswerJson::from(proof))?)
}

/// Reads a proof. What it says is only checked for its form: lengths of keys and values, and
/// nothing that is unknown, missing or repeated.
///
/// # Errors
/// Anything that is not exactly one proof of format 2.
pub fn read(text: &[u8]) -> Result<AnswerProof, JsonError> {
    check_format(text, ANSWER_FORMAT)?;
    read_object::<AnswerJson>(text)?.try_into()
}

impl From<&AnswerProof> for AnswerJson {
    fn from(proof: &AnswerProof) -> Self {
        Self {
            format: ANSWER_FORMAT,
            dictionary: HexArray(proof.dictionary.0),
            scheme: proof.scheme.to_string(),
            vector_size: proof.vector_size,
            version: proof.version,
            question: QuestionJson::from(&proof.question),
            claims: proof.claims.iter().map(|claim| claim_json(claim, proof.folded_opening.is_some())).collect(),
            folded_opening: proof.folded_opening.map(HexArray),
            root: proof.tie.clone(),
        }
    }
}

impl TryFrom<AnswerJson> for AnswerProof {
    type Error = JsonError;

    fn try_from(json: AnswerJson) -> Result<Self, JsonError> {
        let folded = json.folded_opening.is_some();
        Ok(Self {
            dictionary: DictionaryId(json.dictionary.0),
            scheme: json.scheme.parse()?,
            vector_size: json.vector_size,
            version: json.version,
            question: Question::try_from(json.question)?,
            claims: json.claims.into_iter().map(|claim| claim_of(claim, folded)).collect::<Result<_, _>>()?,
            folded_opening: json.folded_opening.map(|opening| opening.0),
            tie: json.root,
        })
    }
}

fn claim_json(claim: &Claim, folded: bool) -> AnswerClaimJson {
    let opening = (!folded).then_some(HexArray(claim.opening));
    AnswerClaimJson { position: claim.position, slot: SlotJson::from(&claim.slot), opening }
}

/// A claim, with an opening of its own unless there is one for all.
fn claim_of(json: AnswerClaimJson, folded: bool) -> Result<Claim, JsonError> {
    let opening = match (json.opening, folded) {
        (Some(opening), false) => opening.0,
        (None, true) => [0; 48],
        (Some(_), true) | (None, false) => return Err(JsonError::Openings),
    };
    Ok(Claim { position: json.position, slot: Slot::try_from(json.slot)?, opening })
}

impl From<&Question> for QuestionJson {
    fn from(question: &Question) -> Self {
        let bytes = |key: &Key| HexBytes(key.to_vec());
        match question {
            Question::Region(Region::Keys(keys)) => Self::Keys(keys.iter().map(bytes).collect()),
            Question::Region(Region::Range(KeyRange { from, to, limit })) => {
                Self::Range(RangeJson { from: bytes(from), to: bytes(to), limit: *limit })
            }
            Question::Predecessor(key) => Self::Predecessor(bytes(key)),
            Question::Successor(key) => Self::Successor(bytes(key)),
        }
    }
}

impl TryFrom<QuestionJson> for Question {
    type Error = JsonError;

    fn try_from(json: QuestionJson) -> Result<Self, JsonError> {
        let key = |bytes: HexBytes| checked_key(bytes.0, "a key of the question").map(Key::from);
        Ok(match json {
            QuestionJson::Keys(keys) => {
                Self::Region(Region::Keys(keys.into_iter().map(key).collect::<Result<_, _>>()?))
            }
            QuestionJson::Range(RangeJson { from, to, limit }) => {
                Self::Region(Region::Range(KeyRange { from: key(from)?, to: key(to)?, limit }))
            }
            QuestionJson::Predecessor(bytes) => Self::Predecessor(key(bytes)?),
            QuestionJson::Successor(bytes) => Self::Successor(key(bytes)?),
        })
    }
}
