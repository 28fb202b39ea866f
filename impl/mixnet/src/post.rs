//! Posts: pairs of a board, an authenticated dictionary in which each key is written once.
//!
//! A key names ceremony, kind, author and place; a value is a body with its author's signature, or
//! the digest of a longer body, with the receipts of servers who hold it.

use std::collections::BTreeMap;

use aardvark_algebra::TaggedHash;
use aardvark_sigma::Digest;

use crate::codec::Reader;
use crate::fault::{Fault, FaultKind};
use crate::identity::{Identity, SIGNATURE_BYTES, is_signed};
pub use crate::post_key::{AdmittedAs, CeremonyName, Kind, PostKey};
use crate::stored::StoredBody;
pub use crate::stored::body_digest;

/// Bytes of the longest body that stands in a value.
pub const INLINE_BYTES: usize = 900;
/// Bytes of the longest body: more than those of a layer of 50,000 rows of 32 bytes.
pub const MOST_BODY_BYTES: u64 = 1 << 27;

/// `H("..RECEIPT", post)`: what a server signs that holds the body of the post with this digest.
pub fn receipt_digest(post: &Digest) -> Digest {
    TaggedHash::new("AARDVARK-V1-MIXNET-RECEIPT").chain(post).finalize()
}

/// A server's word that it holds a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The server's number.
    pub server: u16,
    /// Its signature of [`receipt_digest`].
    pub signature: [u8; SIGNATURE_BYTES],
}

/// Where a post's body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// In the value.
    Inline(Vec<u8>),
    /// Elsewhere.
    Stored {
        /// The body's bytes.
        length: u64,
        /// Its SHA-256.
        digest: Digest,
        /// Who holds it, in ascending order of servers.
        receipts: Vec<Receipt>,
    },
}

/// A post's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostValue {
    /// The body, or what is known of it.
    pub content: Content,
    /// The signer's signature of the post's digest.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl PostValue {
    /// `u8 0 || body || signature`, or `u8 1 || u64 length || SHA-256(body) || u8 count || (u16
    /// server || signature)* || signature`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match &self.content {
            Content::Inline(body) => {
                bytes.push(0);
                bytes.extend(body);
            }
            Content::Stored { length, digest, receipts } => {
                bytes.push(1);
                bytes.extend(length.to_be_bytes());
                bytes.extend(digest);
                bytes.push(receipts.len() as u8);
                for receipt in receipts {
                    bytes.extend(receipt.server.to_be_bytes());
                    bytes.extend(receipt.signature);
                }
            }
        }
        bytes.extend(self.signature);
        bytes
    }

    /// Reads a value: canonical, so a body of at most [`INLINE_BYTES`] stands in it, a longer one
    /// does not.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let malformed = Fault::new(FaultKind::Malformed);
        let mut reader = Reader::new(bytes);
        let content = match reader.u8()? {
            0 => {
                let length = bytes.len().checked_sub(1 + SIGNATURE_BYTES).filter(|length| *length <= INLINE_BYTES);
                Content::Inline(reader.bytes(length.ok_or(malformed)?)?.to_vec())
            }
            1 => {
                let (length, digest, count) = (reader.u64()?, reader.array()?, reader.u8()?);
                let mut receipts = Vec::new();
                for _ in 0..count {
                    receipts.push(Receipt { server: reader.u16()?, signature: reader.array()? });
                }
                let ascending = receipts.windows(2).all(|pair| matches!(pair, [a, b] if a.server < b.server));
                if !ascending || !(INLINE_BYTES as u64 + 1..=MOST_BODY_BYTES).contains(&length) {
                    return Err(malformed);
                }
                Content::Stored { length, digest, receipts }
            }
            _ => return Err(malformed),
        };
        let signature = reader.array()?;
        reader.finish()?;
        Ok(Self { content, signature })
    }

    /// The digest of the post with this key: what is signed.
    pub fn digest(&self, dictionary: &Digest, key: &PostKey) -> Digest {
        match &self.content {
            Content::Inline(body) => key.digest(dictionary, body.len() as u64, &body_digest(body)),
            Content::Stored { length, digest, .. } => key.digest(dictionary, *length, digest),
        }
    }

    /// Whether the signer of the key signed the post.
    #[must_use]
    pub fn is_signed(&self, dictionary: &Digest, key: &PostKey) -> bool {
        is_signed(&key.signer(), &self.digest(dictionary, key), &self.signature)
    }
}

/// A pair of the board, with the body where that is elsewhere and at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The value's bytes.
    pub value: Vec<u8>,
    /// The body, if the value has only its digest.
    pub body: Option<StoredBody>,
}

/// All pairs of a board, by the bytes of their keys.
pub type Posts = BTreeMap<Vec<u8>, Posted>;

/// A post that its signer signed, and that may still need receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The key.
    pub key: PostKey,
    /// The body.
    pub body: Vec<u8>,
    /// What was signed.
    pub digest: Digest,
    signature: [u8; SIGNATURE_BYTES],
}

impl Draft {
    /// Signs a body under a key; the key's author is the one who signs, but of an admission.
    pub fn new(dictionary: &Digest, key: PostKey, body: Vec<u8>, author: &Identity) -> Self {
        let own = PostKey { author: author.author(), ..key };
        let key = if key.kind == Kind::Admission { key } else { own };
        let digest = key.digest(dictionary, body.len() as u64, &body_digest(&body));
        Self { key, body, digest, signature: author.sign(&digest) }
    }

    /// Whether the body does not stand in the value.
    #[must_use]
    pub fn needs_receipts(&self) -> bool {
        self.body.len() > INLINE_BYTES
    }

    /// The signer's signature.
    pub fn signature(&self) -> [u8; SIGNATURE_BYTES] {
        self.signature
    }

    /// The pair of the board, with these receipts if it needs any.
    pub fn posted(&self, mut receipts: Vec<Receipt>) -> Posted {
        receipts.sort_by_key(|receipt| receipt.server);
        let content = match self.needs_receipts() {
            false => Content::Inline(self.body.clone()),
            true => {
                let (length, digest) = (self.body.len() as u64, body_digest(&self.body));
                Content::Stored { length, digest, receipts }
            }
        };
        let value = PostValue { content, signature: self.signature }.to_bytes();
        Posted { value, body: self.needs_receipts().then(|| self.body.clone().into()) }
    }
}

/// A server's receipt for the post with this digest.
pub fn receipt(post: &Digest, server: u16, identity: &Identity) -> Receipt {
    Receipt { server, signature: identity.sign(&receipt_digest(post)) }
}
