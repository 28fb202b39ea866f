//! A signed note with its verdict, as the file has it.

use serde::{Deserialize, Serialize};

use super::hex_text::Hex;
use super::proof_case::ClassJson;

/// A note, and the keys that must have signed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteCase {
    /// The keys, as text.
    pub keys: Vec<String>,
    /// The note; null where it is not UTF-8.
    pub note: Option<String>,
    /// Its bytes, where it is not UTF-8.
    pub bytes: Option<Hex>,
    /// What must come of it.
    pub expected: NoteExpected,
}

/// What must come of a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteExpected {
    /// All of the keys have signed it.
    Signed(SignedJson),
    /// It is refused.
    Refused(RefusedNoteJson),
}

/// What a note says that all keys have signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedJson {
    /// The dictionary's name.
    pub origin: String,
    /// The version.
    pub version: u64,
    /// The root.
    pub root: Hex,
    /// The names of keys that the note names besides, ascending, each once.
    pub others: Vec<String>,
}

/// Why a note is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedNoteJson {
    /// `NotSigned`, `SignatureFalse`, or `Unreadable` where note or key is none.
    pub reason: String,
    /// Its class.
    pub class: ClassJson,
}
