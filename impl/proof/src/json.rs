//! What the JSON formats share: a format number, refusal of everything unknown, errors that name
//! the file.
//!
//! JSON is for people and is never hashed, so two texts may mean one proof. Still, unknown and
//! repeated fields are refused: a reader and a machine must not see different things in one text.
//! The parser refuses nesting deeper than 128, and all that it allocates is bounded by the text,
//! whose length is limited before it is read.

use aardvark_commitment::UnknownScheme;
use serde::{Deserialize, Deserializer};

use crate::hex_text::HexError;
use crate::key_text::{KeyTextError, MAX_KEY_BYTES, MAX_VALUE_BYTES};
use crate::strict_json::ObjectOnly;

/// The format number of proofs for one key, and of commitments.
pub const FORMAT: u64 = 1;

/// The format number of proofs of answers.
pub const ANSWER_FORMAT: u64 = 2;

/// Why JSON text is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// Not JSON, or another value than an object.
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
    /// Not an object of this format.
    #[error("{field}: {problem}")]
    Field {
        /// The field, from the outermost one: `claims[0].slot.next`.
        field: String,
        /// What is wrong with it.
        problem: serde_json::Error,
    },
    /// Another format than the one that we read.
    #[error("format {found}, where this program reads format {wanted}")]
    UnknownFormat {
        /// The text's.
        found: u64,
        /// The one that is read here.
        wanted: u64,
    },
    /// A scheme that we do not know.
    #[error(transparent)]
    UnknownScheme(#[from] UnknownScheme),
    /// A field whose value no dictionary has.
    #[error("{field} has {length} bytes; at most {most} are possible")]
    TooLong {
        /// The field.
        field: &'static str,
        /// Its bytes.
        length: usize,
        /// The most there can be.
        most: usize,
    },
    /// A number that no dictionary has.
    #[error("{0}")]
    Number(String),
    /// Openings of single claims beside one for all, or neither.
    #[error("either each claim has an opening, or the proof has a folded opening and no claim has one")]
    Openings,
    /// Hexadecimal that is none.
    #[error("{0}: {1}")]
    Hex(&'static str, HexError),
    /// A key or value in an operation.
    #[error("operation {0}: {1}")]
    Operation(usize, KeyTextError),
    /// More items than any transaction may have.
    #[error("{0} {1}; a transaction has at most {2}")]
    TooMany(usize, &'static str, usize),
}

/// Reads a text that is one object of a format. Errors name the field.
///
/// # Errors
/// [`JsonError::Malformed`], [`JsonError::Field`].
pub fn read_object<'de, T: Deserialize<'de>>(text: &'de [u8]) -> Result<T, JsonError> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut json, &mut track);
    let read = T::deserialize(ObjectOnly(tracked));
    let value = read.map_err(|problem| match track.path().to_string() {
        whole if whole == "." => JsonError::Malformed(problem),
        field => JsonError::Field { field, problem },
    })?;
    json.end()?;
    Ok(value)
}

/// Refuses another format than the wanted one before anything else is looked at: other formats may
/// have other fields.
pub fn check_format(text: &[u8], wanted: u64) -> Result<(), JsonError> {
    #[derive(Deserialize)]
    struct FormatOnly {
        format: u64,
    }
    match read_object::<FormatOnly>(text)?.format {
        found if found == wanted => Ok(()),
        found => Err(JsonError::UnknownFormat { found, wanted }),
    }
}

/// The bytes of a slot's key or next key, refused where no dictionary allows so many.
pub fn checked_key(bytes: Vec<u8>, field: &'static str) -> Result<Vec<u8>, JsonError> {
    checked_length(bytes, field, MAX_KEY_BYTES)
}

/// The bytes of a slot's value, refused where no dictionary allows so many.
pub fn checked_value(bytes: Vec<u8>, field: &'static str) -> Result<Vec<u8>, JsonError> {
    checked_length(bytes, field, MAX_VALUE_BYTES)
}

fn checked_length(bytes: Vec<u8>, field: &'static str, most: usize) -> Result<Vec<u8>, JsonError> {
    match bytes.len() {
        length if length > most => Err(JsonError::TooLong { field, length, most }),
        _ => Ok(bytes),
    }
}

/// `null` or text, where leaving the field out is an error: what deletes or requires absence must
/// say so.
pub fn present_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// A field that may be left out, and is no `null`.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
