//! What a validator knows, as JSON, format 1: the trusted side of a verification.
//!
//! ```json
//! { "format": 1, "dictionary": "0x…", "scheme": "kzg", "vector_size": 1024, "version": 7, "slots": 12345,
//!   "commitments": ["0x…", …] }
//! ```
//!
//! There is one commitment a vector, ceil(slots / vector_size) of them. Reading keeps them as text:
//! a verification uses one or two, and decodes only those.

use aardvark_commitment::{Commitment, CommitmentError, Scheme, SchemeKind, VectorCommitment};
use aardvark_dictionary::DictionaryId;
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

use crate::answer_proof::{KnownCommitments, KnownVector, KnownVectors, Trusted};
use crate::hex_text::{HexArray, decode_array, encode};
use crate::json::{FORMAT, JsonError, check_format, read_object};
use crate::setup::verifier;

/// Most bytes of the file: the commitments of a thousand million keys at the default vector size
/// have a tenth of it.
pub const LARGEST_COMMITMENTS: u64 = 1 << 30;

/// The commitments of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitments {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// Its vector commitment.
    pub scheme: SchemeKind,
    /// Its N.
    pub vector_size: u32,
    /// The version.
    pub version: u64,
    /// Its number of slots, the sentinel included.
    pub slots: u64,
    /// The commitments of its vectors, 48 bytes each, in order.
    pub commitments: Vec<[u8; 48]>,
}

/// The commitments of one version, as they stand in the file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitmentsText<'a> {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// Its vector commitment.
    pub scheme: SchemeKind,
    /// Its N, a power of two from 1 to 4096.
    pub vector_size: u32,
    /// The version.
    pub version: u64,
    /// Its number of slots, at least 1.
    pub slots: u64,
    commitments: Vec<&'a str>,
}

impl CommitmentsText<'_> {
    /// All commitments, 48 bytes each, in order.
    ///
    /// # Errors
    /// Text that is not 48 bytes in hexadecimal.
    pub fn decoded(&self) -> Result<Vec<[u8; 48]>, JsonError> {
        let decoded = self.commitments.iter().map(|text| decode_array(text));
        decoded.collect::<Result<_, _>>().map_err(|error| JsonError::Hex("a commitment", error))
    }

    /// The commitment of the vector that holds `position`, 48 bytes, or `None` where no slot stands
    /// there.
    ///
    /// # Errors
    /// Text that is not 48 bytes in hexadecimal.
    pub fn of_position(&self, position: u64) -> Result<Option<[u8; 48]>, JsonError> {
        if position >= self.slots {
            return Ok(None);
        }
        let vector = usize::try_from(position / u64::from(self.vector_size)).unwrap_or(usize::MAX);
        match self.commitments.get(vector) {
            Some(text) => decode_array(text).map(Some).map_err(|error| JsonError::Hex("a commitment", error)),
            None => Ok(None),
        }
    }
}

/// Why commitments cannot be trusted with a scheme: it is another one than theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the commitments are for {scheme} with vectors of {vector_size}, and the setup is for another")]
pub struct OtherSetup {
    /// The commitments' scheme.
    pub scheme: SchemeKind,
    /// Their N.
    pub vector_size: u32,
}

impl CommitmentsText<'_> {
    /// The scheme to verify with, on the published setup.
    ///
    /// # Errors
    /// None for a vector size that was read.
    pub fn verifier(&self) -> Result<Scheme, CommitmentError> {
        verifier(self.scheme, self.vector_size)
    }

    /// The commitments as what a verifier believes.
    ///
    /// # Errors
    /// A scheme that is not [`CommitmentsText::verifier`]'s: off their domain openings could be
    /// forged.
    pub fn trusted<'a>(&'a self, scheme: &'a Scheme) -> Result<Trusted<'a>, OtherSetup> {
        if scheme.kind() != self.scheme || scheme.vector_size() as u64 != u64::from(self.vector_size) {
            return Err(OtherSetup { scheme: self.scheme, vector_size: self.vector_size });
        }
        let Self { dictionary, version, slots, .. } = *self;
        Ok(Trusted::Commitments(KnownCommitments { dictionary, scheme, version, size: slots, commitments: self }))
    }
}

impl KnownVectors for CommitmentsText<'_> {
    fn known(&self, vector: u64) -> KnownVector {
        let text = usize::try_from(vector).ok().and_then(|vector| self.commitments.get(vector));
        let Some(text) = text else { return KnownVector::Missing };
        let bytes = decode_array(text).ok();
        bytes.and_then(|bytes| Commitment::from_bytes(&bytes).ok()).map_or(KnownVector::Malformed, KnownVector::Known)
    }
}

/// Commitments as JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
pub struct CommitmentsJson {
    format: u64,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    dictionary: HexArray<32>,
    scheme: &'static str,
    vector_size: u32,
    version: u64,
    slots: u64,
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    commitments: Vec<HexArray<48>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read<'a> {
    #[serde(rename = "format")]
    _format: u64,
    dictionary: HexArray<32>,
    scheme: String,
    vector_size: u32,
    version: u64,
    slots: u64,
    #[serde(borrow)]
    commitments: Vec<&'a str>,
}

/// The commitments as indented JSON, without a line break at the end.
///
/// # Errors
/// None for the types above; the serializer's signature has one.
pub fn write(known: &Commitments) -> Result<String, JsonError> {
    let json = CommitmentsJson {
        format: FORMAT,
        dictionary: HexArray(known.dictionary.0),
        scheme: known.scheme.name(),
        vector_size: known.vector_size,
        version: known.version,
        slots: known.slots,
        commitments: known.commitments.iter().copied().map(HexArray).collect(),
    };
    Ok(serde_json::to_string_pretty(&json)?)
}

/// What [`write()`] puts before the first commitment, for who writes them one after the other:
/// `known` has none.
///
/// # Errors
/// As [`write()`].
pub fn head(known: &Commitments) -> Result<String, JsonError> {
    let text = write(known)?;
    Ok(text.strip_suffix("]\n}").unwrap_or(&text).to_owned())
}

/// A commitment behind [`head`] and others.
pub fn put_element(text: &mut Vec<u8>, number: u64, commitment: &[u8; 48]) {
    let separator = if number > 0 { ",\n" } else { "\n" };
    text.extend_from_slice(format!("{separator}    \"{}\"", encode(commitment)).as_bytes());
}

/// What stands behind the last commitment.
pub const END: &[u8] = b"\n  ]\n}";

/// Reads commitments, each kept as its text.
///
/// # Errors
/// Anything that is not exactly one object of format 1 whose numbers fit together.
pub fn read(text: &[u8]) -> Result<CommitmentsText<'_>, JsonError> {
    check_format(text, FORMAT)?;
    let json: Read<'_> = read_object(text)?;
    if !json.vector_size.is_power_of_two() || json.vector_size > 4096 {
        return Err(JsonError::Number(format!(
            "vector_size {} is not a power of two from 1 to 4096",
            json.vector_size
        )));
    }
    if json.slots == 0 {
        return Err(JsonError::Number("0 slots, where there is always the sentinel's".to_owned()));
    }
    let needed = json.slots.div_ceil(u64::from(json.vector_size));
    if json.commitments.len() as u64 != needed {
        let (found, slots) = (json.commitments.len(), json.slots);
        return Err(JsonError::Number(format!("{found} commitments, where {slots} slots need {needed}")));
    }
    Ok(CommitmentsText {
        dictionary: DictionaryId(json.dictionary.0),
        scheme: json.scheme.parse()?,
        vector_size: json.vector_size,
        version: json.version,
        slots: json.slots,
        commitments: json.commitments,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Commitments {
        Commitments {
            dictionary: DictionaryId([1; 32]),
            scheme: SchemeKind::LibertYung,
            vector_size: 4,
            version: 9,
            slots: 9,
            commitments: vec![[1; 48], [2; 48], [3; 48]],
        }
    }

    fn error_after(change: impl Fn(String) -> String) -> String {
        let text = change(write(&known()).unwrap());
        read(text.as_bytes()).expect_err(&text).to_string()
    }

    #[test]
    fn commitments_survive_their_text_and_are_found_by_position() {
        let text = write(&known()).unwrap();
        let back = read(text.as_bytes()).unwrap();
        assert_eq!(
            (back.dictionary, back.scheme, back.vector_size),
            (DictionaryId([1; 32]), SchemeKind::LibertYung, 4)
        );
        assert_eq!((back.version, back.slots, back.commitments.len()), (9, 9, 3));
        for (position, expected) in [(0, Some([1; 48])), (3, Some([1; 48])), (4, Some([2; 48])), (8, Some([3; 48]))] {
            assert_eq!(back.of_position(position).unwrap(), expected);
        }
        for position in [9, 11, 12, u64::MAX] {
            assert_eq!(back.of_position(position).unwrap(), None);
        }
    }

    #[test]
    fn numbers_that_do_not_fit_together_are_refused() {
        assert!(error_after(|text| text.replace("\"slots\": 9", "\"slots\": 8")).contains("3 commitments"));
        assert!(error_after(|text| text.replace("\"slots\": 9", "\"slots\": 13")).contains("need 4"));
        assert!(error_after(|text| text.replace("\"slots\": 9", "\"slots\": 18446744073709551615")).contains("need"));
        assert!(error_after(|text| text.replace("\"slots\": 9", "\"slots\": 0")).contains("sentinel"));
        for size in ["0", "3", "8192", "4294967296"] {
            error_after(|text| text.replace("\"vector_size\": 4", &format!("\"vector_size\": {size}")));
        }
    }

    #[test]
    fn unknown_repeated_and_missing_fields_and_formats_are_refused() {
        assert!(error_after(|text| text.replace("\"slots\"", "\"keys\": 1, \"slots\"")).contains("unknown field"));
        assert!(error_after(|text| text.replace("\"slots\"", "\"slots\": 9, \"slots\"")).contains("duplicate field"));
        assert!(error_after(|text| text.replace("\"slots\": 9,", "")).contains("missing field"));
        assert!(error_after(|text| text.replace("\"format\": 1", "\"format\": 7")).contains("format 7"));
        assert!(error_after(|text| text.replace("\"slots\": 9", "\"slots\": null")).starts_with("slots: invalid type"));
        assert!(error_after(|_| "[1]".to_owned()).contains("invalid type: sequence"));
        assert!(error_after(|text| text.replace("libert-yung", "pedersen")).contains("pedersen"));
    }

    #[test]
    fn a_malformed_commitment_is_an_error_where_it_is_used_and_only_there() {
        let text = write(&known()).unwrap().replace(&"02".repeat(48), "zz");
        let back = read(text.as_bytes()).unwrap();
        assert!(back.of_position(0).is_ok());
        assert!(back.of_position(4).is_err());
    }
}
