//! A proof, input, key or query of a mixnet with its verdict, as the file has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::file::Outcome;
use super::hex_text::Hex;

/// What the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MixnetPart {
    /// List a; list B, list T, q, e', s', ω.
    Permutation,
    /// List Y; list T, q, e', u: `before` shuffled forward.
    Forward,
    /// The same, backward.
    Backward,
    /// List D; list T; z for each key.
    Decryption,
    /// List C'; list T; z for each target.
    ZeroTest,
    /// Row, T, z, 48 bytes a point.
    Input,
    /// A post's key.
    PostKey,
    /// A post's value.
    PostValue,
    /// A query about the mix with the digest `keys`.
    Query,
}

/// Bytes that somebody posted, what they are about, and what must come of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MixnetCase {
    /// What the bytes are.
    pub part: MixnetPart,
    /// What every hash begins with.
    pub keys: Hex,
    /// Whose they are: a server's number.
    pub server: u16,
    /// What a proof is for.
    pub purpose: Hex,
    /// n: rows of the lists, or of the mix.
    pub rows: usize,
    /// What is known: lists of points of 96 bytes, a sender, its label.
    pub statement: BTreeMap<String, Hex>,
    /// The bytes.
    pub body: Hex,
    /// What must come of them.
    pub expected: MixnetExpected,
}

/// What must come of posted bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixnetExpected {
    /// In a word.
    pub outcome: Outcome,
    /// The fault, as docs/mixnet.md names it; null of what is valid.
    pub fault: Option<String>,
}
