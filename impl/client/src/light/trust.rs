//! The trusted header: height and hash, as text, and in a file that moves forward.

use std::fmt;
use std::io::Write as _;
use std::path::Path;
use std::str::FromStr;

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::DictionaryId;
use aardvark_dictionary::root::Digest;
use aardvark_proof::hex_text::HexArray;
use serde::{Deserialize, Serialize};

use crate::light::facts::DictionaryFacts;

/// The format of the file.
const FORMAT: u64 = 1;

/// A header that is trusted, by height and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustPoint {
    /// The height, from 1.
    pub height: u64,
    /// The header's hash.
    pub hash: Digest,
}

/// Why text is not a trusted header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrustTextError {
    /// Not the form.
    #[error("a trusted header is HEIGHT:HASH, the hash in 64 hexadecimal digits")]
    Form,
    /// Not a file of this format.
    #[error("{0}")]
    File(String),
}

impl FromStr for TrustPoint {
    type Err = TrustTextError;

    /// `HEIGHT:HASH`; the hash with or without `0x`, in either case, as nodes and tools print it.
    fn from_str(text: &str) -> Result<Self, TrustTextError> {
        let (height, digits) = text.split_once(':').ok_or(TrustTextError::Form)?;
        let height = height.parse().ok().filter(|height| *height > 0).ok_or(TrustTextError::Form)?;
        let mut hash = Digest::default();
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        hex::decode_to_slice(digits, &mut hash).map_err(|_| TrustTextError::Form)?;
        Ok(Self { height, hash })
    }
}

impl fmt::Display for TrustPoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.height, hex::encode_upper(self.hash))
    }
}

/// What a light client keeps between two runs. Whoever can write the file decides what is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustState {
    /// The chain.
    pub chain_id: String,
    /// The newest verified header.
    pub point: TrustPoint,
    /// The dictionary, once an answer was tied to a root with it.
    pub facts: Option<DictionaryFacts>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StateJson {
    format: u64,
    chain_id: String,
    height: u64,
    hash: HexArray<32>,
    dictionary: Option<DictionaryJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DictionaryJson {
    id: HexArray<32>,
    scheme: String,
    vector_size: u32,
    window: u32,
}

impl TrustState {
    /// Reads the file; `None` where there is none yet.
    ///
    /// # Errors
    /// A file that cannot be read or is not of this format.
    pub fn load(path: &Path) -> Result<Option<Self>, TrustTextError> {
        let fault = |error: &dyn fmt::Display| TrustTextError::File(format!("{}: {error}", path.display()));
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(&error)),
        };
        let json: StateJson = serde_json::from_slice(&bytes).map_err(|error| fault(&error))?;
        if json.format != FORMAT || json.height == 0 {
            return Err(fault(&format!("format {}, height {}", json.format, json.height)));
        }
        let facts = |json: DictionaryJson| {
            let scheme: SchemeKind = json.scheme.parse().map_err(|error| fault(&error))?;
            let DictionaryJson { id, vector_size, window, .. } = json;
            Ok(DictionaryFacts { id: DictionaryId(id.0), scheme, vector_size, window })
        };
        let facts = json.dictionary.map(facts).transpose()?;
        let point = TrustPoint { height: json.height, hash: json.hash.0 };
        Ok(Some(Self { chain_id: json.chain_id, point, facts }))
    }

    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path) -> Result<(), TrustTextError> {
        let fault = |error: &dyn fmt::Display| TrustTextError::File(format!("{}: {error}", path.display()));
        let json = StateJson {
            format: FORMAT,
            chain_id: self.chain_id.clone(),
            height: self.point.height,
            hash: HexArray(self.point.hash),
            dictionary: self.facts.map(|facts| DictionaryJson {
                id: HexArray(facts.id.0),
                scheme: facts.scheme.to_string(),
                vector_size: facts.vector_size,
                window: facts.window,
            }),
        };
        let text = serde_json::to_string_pretty(&json).map_err(|error| fault(&error))?;
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        let written = std::fs::File::create(&beside)
            .and_then(|mut file| {
                file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).and_then(|()| file.sync_all())
            })
            .and_then(|()| std::fs::rename(&beside, path));
        written.map_err(|error| fault(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trusted_header_is_read_as_tools_print_it() {
        let point = TrustPoint { height: 27, hash: [0xab; 32] };
        for text in [format!("27:{}", "AB".repeat(32)), format!("27:0x{}", "ab".repeat(32)), point.to_string()] {
            assert_eq!(text.parse(), Ok(point));
        }
        let (short, long) = (format!("27:{}", "ab".repeat(31)), format!("27:{}", "ab".repeat(33)));
        let zero = format!("0:{}", "ab".repeat(32));
        for text in ["", "27", "27:", ":ab", &short, &long, &zero, &format!("-1:{}", "ab".repeat(32))] {
            assert_eq!(text.parse::<TrustPoint>(), Err(TrustTextError::Form), "{text}");
        }
    }

    #[test]
    fn the_file_survives_and_any_other_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trust.json");
        assert_eq!(TrustState::load(&path), Ok(None));
        let facts =
            DictionaryFacts { id: DictionaryId([1; 32]), scheme: SchemeKind::Kzg, vector_size: 1024, window: 300 };
        let point = TrustPoint { height: 9, hash: [2; 32] };
        for facts in [None, Some(facts)] {
            let state = TrustState { chain_id: "c".to_owned(), point, facts };
            state.save(&path).unwrap();
            assert_eq!(TrustState::load(&path), Ok(Some(state)));
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let text = std::fs::read_to_string(&path).unwrap();
        for (from, to) in
            [("\"format\": 1", "\"format\": 2"), ("\"height\": 9", "\"height\": 0"), ("kzg", "rsa"), ("0x02", "0x")]
        {
            std::fs::write(&path, text.replace(from, to)).unwrap();
            assert!(TrustState::load(&path).is_err(), "{from}");
        }
    }
}
