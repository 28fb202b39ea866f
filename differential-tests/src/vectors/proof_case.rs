//! A proof of an answer with its verdict, as the file has it.

use std::collections::BTreeMap;

use aardvark_dictionary::Key;
use aardvark_proof::{Answer, Entry, KeyRange, Question, Region};
use serde::{Deserialize, Serialize};

use super::hex_text::Hex;

/// Something that is trusted, a question, and a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofCase {
    /// What is trusted: a name in the file's `trusted`.
    pub trusted: String,
    /// What is asked.
    pub question: QuestionJson,
    /// The proof as JSON of format 2; null where the test is about bytes alone.
    pub proof: Option<String>,
    /// The same as bytes; null where the text is no proof.
    pub bytes: Option<Hex>,
    /// What must come of it.
    pub expected: Expected,
    /// What comes of it for a verifier that demands openings in the subgroup, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<Expected>,
}

/// What a verifier believes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trusted {
    /// The commitments of a version, as `aardvark commitments` writes them.
    Commitments(CommitmentsJson),
    /// A state root, and what a proof without an identity does not say of it.
    Root(RootJson),
    /// A state root alone.
    RootAlone(Hex),
}

/// The commitments of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitmentsJson {
    /// 1.
    pub format: u32,
    /// The dictionary's id.
    pub dictionary: Hex,
    /// `kzg`.
    pub scheme: String,
    /// N.
    pub vector_size: u32,
    /// The version.
    pub version: u64,
    /// The number of slots.
    pub slots: u64,
    /// One commitment a vector.
    pub commitments: Vec<Hex>,
}

/// A state root with the dictionary that it is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootJson {
    /// The root.
    pub root: Hex,
    /// The dictionary's id.
    pub dictionary: Hex,
    /// `kzg`.
    pub scheme: String,
    /// N.
    pub vector_size: u32,
}

/// A question, as in proofs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuestionJson {
    /// The values of keys.
    Keys(Vec<Hex>),
    /// The entries of a range.
    Range(RangeJson),
    /// The greatest live key below this one.
    Predecessor(Hex),
    /// The least live key above this one.
    Successor(Hex),
}

/// A range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeJson {
    /// Its least key.
    pub from: Hex,
    /// The least key above it; empty for no end.
    pub to: Hex,
    /// The most entries that are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// What must come of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// It answers.
    Answer(AnswerJson),
    /// It is refused.
    Refused(RefusedJson),
}

/// Why a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedJson {
    /// The reason, or `Unreadable` where text or bytes are no proof.
    pub reason: String,
    /// Its class.
    pub class: ClassJson,
    /// The claim or tied vector that gave it, from 0; null where it is the proof as a whole.
    pub item: Option<usize>,
}

/// The class of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClassJson {
    /// The proof is none of the format's.
    Malformed,
    /// It is about something else.
    Other,
    /// It says what is not so, or does not prove it.
    False,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerJson {
    /// Each key with its value.
    Keys(Vec<KeyAnswerJson>),
    /// The entries of a range.
    Range(RangeAnswerJson),
    /// The predecessor; null where there is none.
    Predecessor(Option<EntryJson>),
    /// The successor; null where there is none.
    Successor(Option<Hex>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyAnswerJson {
    /// The key.
    pub key: Hex,
    /// Its value; null where the key is absent.
    pub value: Option<Hex>,
}

/// The entries of a range, and where to go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeAnswerJson {
    /// The entries, ascending.
    pub entries: Vec<EntryJson>,
    /// The key from which to go on, where the limit was reached.
    pub resume: Option<Hex>,
}

/// A live key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryJson {
    /// The key.
    pub key: Hex,
    /// Its value.
    pub value: Hex,
}

/// What is trusted, by name.
pub type TrustedByName = BTreeMap<String, Trusted>;

impl From<&Question> for QuestionJson {
    fn from(question: &Question) -> Self {
        match question {
            Question::Region(Region::Keys(keys)) => Self::Keys(keys.iter().map(Hex::from).collect()),
            Question::Region(Region::Range(KeyRange { from, to, limit })) => {
                Self::Range(RangeJson { from: from.into(), to: to.into(), limit: *limit })
            }
            Question::Predecessor(key) => Self::Predecessor(key.into()),
            Question::Successor(key) => Self::Successor(key.into()),
        }
    }
}

impl QuestionJson {
    /// The question.
    pub fn question(&self) -> Question {
        let key = |bytes: &Hex| Key::from(bytes.0.clone());
        match self {
            Self::Keys(keys) => Question::Region(Region::Keys(keys.iter().map(key).collect())),
            Self::Range(RangeJson { from, to, limit }) => Question::range(key(from), key(to), *limit),
            Self::Predecessor(asked) => Question::Predecessor(key(asked)),
            Self::Successor(asked) => Question::Successor(key(asked)),
        }
    }
}

impl From<&Answer> for AnswerJson {
    fn from(answer: &Answer) -> Self {
        let entry = |Entry { key, value }: &Entry| EntryJson { key: key.into(), value: value.into() };
        match answer {
            Answer::Keys(answers) => {
                let pair = |answer: &aardvark_proof::KeyAnswer| KeyAnswerJson {
                    key: (&answer.key).into(),
                    value: answer.value.as_ref().map(Hex::from),
                };
                Self::Keys(answers.iter().map(pair).collect())
            }
            Answer::Range(found) => Self::Range(RangeAnswerJson {
                entries: found.entries.iter().map(entry).collect(),
                resume: found.resume.as_ref().map(Hex::from),
            }),
            Answer::Predecessor(found) => Self::Predecessor(found.as_ref().map(entry)),
            Answer::Successor(found) => Self::Successor(found.as_ref().map(Hex::from)),
        }
    }
}
