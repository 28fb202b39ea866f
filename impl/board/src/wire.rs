//! What travels between a board and those who read and write it, as JSON: byte strings are
//! lower-case hex with 0x, and unknown fields are refused.

use aardvark_mixnet::post::Receipt;
use aardvark_proof::hex_text::{HexArray, HexBytes};
use serde::{Deserialize, Serialize};

/// The version of these formats.
pub const FORMAT: u64 = 1;

/// A key and its value.
pub type Pair = (Vec<u8>, Vec<u8>);

/// `GET /v1/board`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardJson {
    /// [`FORMAT`].
    pub format: u64,
    /// The dictionary's id.
    pub dictionary: HexArray<32>,
    /// The dictionary's version.
    pub version: u64,
    /// The state root of that version, by the board's word.
    pub root: HexArray<32>,
    /// How many posts were written.
    pub posts: u64,
    /// Whether authors need admissions: the board is on a chain.
    pub admissions: bool,
    /// How many posts wait for receipts.
    pub drafts: u64,
}

/// A pair of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairJson {
    /// The key.
    pub key: HexBytes,
    /// The value.
    pub value: HexBytes,
}

/// `GET /v1/posts?since=N`: a page of pairs, in the order in which they were written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostsJson {
    /// [`FORMAT`].
    pub format: u64,
    /// How many posts the board has; the page ends before that where there are more.
    pub written: u64,
    /// The pairs behind the first N.
    pub posts: Vec<PairJson>,
}

/// `POST /v1/drafts`, and the items of `GET /v1/drafts?after=DIGEST`: a signed post that waits for
/// receipts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftJson {
    /// The key.
    pub key: HexBytes,
    /// The body's bytes.
    pub length: u64,
    /// The body's SHA-256.
    pub body: HexArray<32>,
    /// The author's signature of the post.
    pub signature: HexArray<64>,
    /// The receipts so far; none where it is sent.
    pub receipts: Vec<ReceiptJson>,
}

/// `POST /v1/receipts`: a server's receipt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptJson {
    /// The digest of the post.
    pub post: HexArray<32>,
    /// The server's number.
    pub server: u16,
    /// The server's key.
    pub author: HexArray<32>,
    /// Its signature.
    pub signature: HexArray<64>,
}

impl From<&ReceiptJson> for Receipt {
    fn from(receipt: &ReceiptJson) -> Self {
        Self { server: receipt.server, signature: receipt.signature.0 }
    }
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusalJson {
    /// A name for programs.
    pub reason: String,
    /// For people.
    pub message: String,
}
