//! Proofs as JSON, format 1.
//!
//! ```json
//! { "format": 1, "dictionary": "0x…", "scheme": "kzg", "vector_size": 1024, "version": 7, "key": "0x…",
//!   "claims": [ { "position": 4711, "slot": { "key": "0x…", "value": "0x…", "next": "0x…" }, "opening": "0x…" } ] }
//! ```
//!
//! One claim, that of the slot that covers the key; for a deletion of a present key a second one,
//! that of its predecessor. The answer is derived from the claim and never stated beside it.
//! Dictionary, scheme, vector size and version stand here so that a mix-up has a clear error; a
//! verifier compares them with what it trusts and uses only the latter.
//!
//! An archive of a chain adds, when asked, a field `root`: what ties the claims to the state root
//! ([`crate::root_json`]).

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Claim, DictionaryId, Key, Slot, Value};
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

use crate::hex_text::{HexArray, HexBytes};
use crate::json::{FORMAT, JsonError, check_format, checked_key, checked_value, given, read_object};
use crate::root_json::ProofRoot;
use crate::strict_json::object_types;

/// Most bytes of a proof's text: two claims at maximal lengths have about 8 KiB.
pub const LARGEST_PROOF: u64 = 1 << 16;

/// Most bytes of a proof on one line, as archives write it, with what ties it to the root.
pub const LONGEST_PROOF: usize = 20 << 10;

/// A proof for one key at one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The dictionary that it is about.
    pub dictionary: DictionaryId,
    /// The dictionary's vector commitment.
    pub scheme: SchemeKind,
    /// The dictionary's N.
    pub vector_size: u32,
    /// The version that it is about.
    pub version: u64,
    /// The key that it is about.
    pub key: Key,
    /// One claim (covering slot), or two (covering slot, predecessor).
    pub claims: Vec<Claim>,
    /// What ties the claims to the state root of the version, where it was asked for.
    pub root: Option<ProofRoot>,
}

/// A proof as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct ProofJson {
    format: u64,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    dictionary: HexArray<32>,
    scheme: String,
    vector_size: u32,
    version: u64,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    key: HexBytes,
    claims: Vec<ClaimJson>,
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    root: Option<ProofRoot>,
}

/// A claim as JSON; transactions have the same.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct ClaimJson {
    position: u64,
    slot: SlotJson,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    opening: HexArray<48>,
}

/// A slot as JSON; archives' tails have the same.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(ToSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SlotJson {
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    key: HexBytes,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    value: HexBytes,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    next: HexBytes,
}

object_types!(ProofJson, ClaimJson, SlotJson);

impl From<&Slot> for SlotJson {
    fn from(slot: &Slot) -> Self {
        let Slot { key, value, next } = slot;
        Self { key: HexBytes(key.to_vec()), value: HexBytes(value.to_vec()), next: HexBytes(next.to_vec()) }
    }
}

impl TryFrom<SlotJson> for Slot {
    type Error = JsonError;

    fn try_from(json: SlotJson) -> Result<Self, JsonError> {
        Ok(Self {
            key: Key::from(checked_key(json.key.0, "the key of a claim's slot")?),
            value: Value::from(checked_value(json.value.0, "the value of a claim's slot")?),
            next: Key::from(checked_key(json.next.0, "the next key of a claim's slot")?),
        })
    }
}

impl From<&Claim> for ClaimJson {
    fn from(claim: &Claim) -> Self {
        let slot = SlotJson::from(&claim.slot);
        Self { position: claim.position, slot, opening: HexArray(claim.opening) }
    }
}

impl TryFrom<ClaimJson> for Claim {
    type Error = JsonError;

    fn try_from(json: ClaimJson) -> Result<Self, JsonError> {
        Ok(Self { position: json.position, slot: Slot::try_from(json.slot)?, opening: json.opening.0 })
    }
}

/// The proof as indented JSON, without a line break at the end.
///
/// # Errors
/// None for the types above; the serializer's signature has one.
pub fn write(proof: &Proof) -> Result<String, JsonError> {
    Ok(serde_json::to_string_pretty(&ProofJson::from(proof))?)
}

/// The same on one line: of many proofs in one file, each is a line.
///
/// # Errors
/// As [`write()`].
pub fn write_line(proof: &Proof) -> Result<String, JsonError> {
    Ok(serde_json::to_string(&ProofJson::from(proof))?)
}

impl From<&Proof> for ProofJson {
    fn from(proof: &Proof) -> Self {
        Self {
            format: FORMAT,
            dictionary: HexArray(proof.dictionary.0),
            scheme: proof.scheme.to_string(),
            vector_size: proof.vector_size,
            version: proof.version,
            key: HexBytes(proof.key.to_vec()),
            claims: proof.claims.iter().map(ClaimJson::from).collect(),
            root: proof.root.clone(),
        }
    }
}

/// Reads a proof. What it says is only checked for its form.
///
/// # Errors
/// Anything that is not exactly one proof of format 1 with one or two claims.
pub fn read(text: &[u8]) -> Result<Proof, JsonError> {
    check_format(text, FORMAT)?;
    read_object::<ProofJson>(text)?.try_into()
}

impl TryFrom<ProofJson> for Proof {
    type Error = JsonError;

    fn try_from(json: ProofJson) -> Result<Self, JsonError> {
        if json.format != FORMAT {
            return Err(JsonError::UnknownFormat { found: json.format, wanted: FORMAT });
        }
        let claims = json.claims.into_iter().map(Claim::try_from).collect::<Result<Vec<_>, _>>()?;
        if !(1..=2).contains(&claims.len()) {
            return Err(JsonError::Number(format!("{} claims, where a proof has one or two", claims.len())));
        }
        Ok(Self {
            dictionary: DictionaryId(json.dictionary.0),
            scheme: json.scheme.parse()?,
            vector_size: json.vector_size,
            version: json.version,
            key: Key::from(checked_key(json.key.0, "the key")?),
            claims,
            root: json.root,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(claims: usize) -> Proof {
        let slot = Slot { key: "curl".into(), value: Value::from([0xff, 0].as_slice()), next: Key::empty() };
        let claim = |position| Claim { position, slot: slot.clone(), opening: [7; 48] };
        Proof {
            dictionary: DictionaryId([1; 32]),
            scheme: SchemeKind::Kzg,
            vector_size: 1024,
            version: u64::MAX,
            key: "curl".into(),
            claims: (0..claims as u64).map(claim).collect(),
            root: None,
        }
    }

    fn error_after(change: impl Fn(String) -> String) -> String {
        let text = change(write(&proof(1)).unwrap());
        read(text.as_bytes()).expect_err(&text).to_string()
    }

    #[test]
    fn proofs_survive_their_text() {
        for claims in [1, 2] {
            assert_eq!(read(write(&proof(claims)).unwrap().as_bytes()).unwrap(), proof(claims));
            let line = write_line(&proof(claims)).unwrap();
            assert!(!line.contains('\n'));
            assert_eq!(read(line.as_bytes()).unwrap(), proof(claims));
        }
    }

    #[test]
    fn the_longest_proof_is_within_its_limit() {
        let mut longest = proof(2);
        let key = Key::from(vec![255; 255]);
        longest.key = key.clone();
        let slot = Slot { key: key.clone(), value: vec![255; 1024].into(), next: key };
        longest.claims = vec![Claim { position: u64::MAX, slot, opening: [255; 48] }; 2];
        let mut root = ProofRoot::example();
        let path = crate::root_json::CommitmentPath { commitment: [8; 48], path: vec![[255; 32]; 64] };
        (root.version, root.size, root.tail_start, root.claims) = (u64::MAX, u64::MAX, u64::MAX, vec![path; 2]);
        longest.root = Some(root);
        let length = write_line(&longest).unwrap().len();
        assert!(length <= LONGEST_PROOF, "{length}");
    }

    #[test]
    fn a_root_survives_its_text_and_is_left_out_where_there_is_none() {
        let mut rooted = proof(1);
        rooted.root = Some(ProofRoot::example());
        assert_eq!(read(write(&rooted).unwrap().as_bytes()).unwrap(), rooted);
        assert!(!write(&proof(1)).unwrap().contains("root"));
    }

    #[test]
    fn the_text_is_that_of_format_1() {
        let json: serde_json::Value = serde_json::from_str(&write(&proof(1)).unwrap()).unwrap();
        assert_eq!(json["format"], 1);
        assert_eq!(json["scheme"], "kzg");
        assert_eq!(json["key"], "0x6375726c");
        assert_eq!(json["claims"][0]["slot"]["value"], "0xff00");
        assert_eq!(json["claims"][0]["slot"]["next"], "0x");
        assert_eq!(json["claims"][0]["opening"], format!("0x{}", "07".repeat(48)));
    }

    #[test]
    fn unknown_formats_and_schemes_are_named() {
        assert!(error_after(|text| text.replace("\"format\": 1", "\"format\": 2, \"new\": 3")).contains("format 2"));
        assert!(error_after(|text| text.replace("kzg", "merkle")).contains("\"merkle\""));
    }

    #[test]
    fn unknown_repeated_and_missing_fields_are_refused() {
        assert!(error_after(|text| text.replace("\"version\"", "\"value\": 1, \"version\"")).contains("unknown field"));
        assert!(
            error_after(|text| text.replace("\"position\"", "\"index\": 1, \"position\"")).contains("unknown field")
        );
        assert!(error_after(|text| text.replace("\"next\"", "\"next\": \"0x\", \"next\"")).contains("duplicate field"));
        assert!(
            error_after(|text| text.replace("\"format\"", "\"format\": 1, \"format\"")).contains("duplicate field")
        );
        assert!(error_after(|text| text.replace("\"version\": 18446744073709551615,", "")).contains("missing field"));
    }

    #[test]
    fn a_list_is_no_object_and_null_is_no_root() {
        let mut rooted = proof(1);
        rooted.root = Some(ProofRoot::example());
        let text = write(&rooted).unwrap();
        for (from, to, named) in [
            ("\"claims\": [", "\"claims\": [[], ", "claims[0]: "),
            ("\"slot\": {", "\"slot\": [], \"other\": {", "claims[0].slot: "),
            ("\"root\": {", "\"root\": [], \"other\": {", "root: "),
            ("\"root\": {", "\"root\": null, \"other\": {", "root: "),
        ] {
            let error = read(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(named) && error.contains("invalid type"), "{to}: {error}");
        }
        let (before, after) = text.rsplit_once("\"claims\": [").unwrap();
        let error = read(format!("{before}\"claims\": [[], {after}").as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("root.claims[0]: invalid type"), "{error}");
        assert!(read(b"[1]").unwrap_err().to_string().contains("invalid type: sequence"));
    }

    #[test]
    fn malformed_fields_are_refused() {
        assert!(error_after(|text| text.replace("6375726c", "6375726C")).contains("lower-case"));
        assert!(error_after(|text| text.replace("0x6375726c", "6375726c")).contains("0x"));
        assert!(error_after(|text| text.replace("0707\"", "07\"")).contains("47 bytes where 48 are needed"));
        assert!(error_after(|text| text.replace("18446744073709551615", "18446744073709551616")).contains("invalid"));
        assert!(error_after(|text| text.replace("18446744073709551615", "-1")).contains("invalid"));
        assert!(error_after(|text| text.replace("0xff00", &format!("0x{}", "00".repeat(1025)))).contains("1025 bytes"));
        assert!(
            error_after(|text| text.replace("\"0x6375726c\"", &format!("\"0x{}\"", "00".repeat(256))))
                .contains("256 bytes")
        );
        assert!(error_after(|text| text + "x").contains("trailing"));
    }

    #[test]
    fn every_truncation_is_refused() {
        let text = write(&proof(2)).unwrap();
        for end in 0..text.len() {
            assert!(read(&text.as_bytes()[..end]).is_err(), "cut after {end}");
        }
    }

    #[test]
    fn no_claim_and_three_claims_are_refused() {
        assert!(read(write(&proof(0)).unwrap().as_bytes()).is_err());
        assert!(read(write(&proof(3)).unwrap().as_bytes()).is_err());
    }

    #[test]
    fn nesting_without_end_is_refused() {
        let deep = format!("{{\"format\":1,\"claims\":{}", "[".repeat(60_000));
        assert!(read(deep.as_bytes()).is_err());
    }
}
