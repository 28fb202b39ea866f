//! Posts: pairs of a board, an authenticated dictionary in which each key is written once.
//!
//! A key names ceremony, kind, author and place; a value is a body with its author's signature, or
//! the digest of a longer body, with the receipts of servers who hold it.

use std::collections::BTreeMap;

use aardvark_algebra::TaggedHash;
use aardvark_sigma::Digest;

use crate::codec::Reader;
use crate::fault::{Fault, FaultKind};
use crate::identity::{AuthorKey, Identity, SIGNATURE_BYTES, is_signed};
use crate::stored::StoredBody;
pub use crate::stored::body_digest;

/// The version of keys.
const VERSION: u8 = 1;
/// Bytes of the longest body that stands in a value.
pub const INLINE_BYTES: usize = 900;
/// Bytes of the longest body: more than those of a layer of 50,000 rows of 32 bytes.
pub const MOST_BODY_BYTES: u64 = 1 << 27;

/// What a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The terms, by the organiser.
    Ceremony = 0,
    /// A server's dealing.
    Dealing = 1,
    /// A server's complaints about dealings.
    Verdict = 2,
    /// A sender's value.
    Input = 3,
    /// The organiser's end of inputs.
    Close = 4,
    /// A server's shuffle.
    Layer = 5,
    /// The organiser's word that a server's post of a stage will not be waited for.
    Absent = 6,
    /// A server's shares of the last list.
    Shares = 7,
    /// A question.
    Query = 8,
    /// A server's column of a query.
    Column = 9,
    /// A server's zero test of a query.
    ZeroTest = 10,
    /// A server's shares of a query's targets.
    AnswerShares = 11,
    /// The querier's opening of a private answer.
    Opening = 12,
    /// A server's signature of the mix before it is decrypted.
    Agreement = 15,
    /// The organiser's word that an author may write: what a chain asks of all others (the policy
    /// `board`, `docs/network.md`).
    Admission = 16,
}

/// As what an author is admitted: the sequence of an admission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdmittedAs {
    /// A sender, who writes one input.
    Sender,
    /// The server with this number, from 1 to 255.
    Server(u8),
    /// A querier.
    Querier,
}

impl AdmittedAs {
    /// The sequence: 0, the server's number, 256.
    #[must_use]
    pub fn sequence(self) -> u16 {
        match self {
            Self::Sender => 0,
            Self::Server(number) => number.into(),
            Self::Querier => 256,
        }
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Ceremony,
        Self::Dealing,
        Self::Verdict,
        Self::Input,
        Self::Close,
        Self::Layer,
        Self::Absent,
        Self::Shares,
        Self::Query,
        Self::Column,
        Self::ZeroTest,
        Self::AnswerShares,
        Self::Opening,
        Self::Agreement,
        Self::Admission,
    ];

    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Whether a query's id is in the key.
    #[must_use]
    pub fn is_of_query(self) -> bool {
        matches!(self, Self::Column | Self::ZeroTest | Self::AnswerShares | Self::Opening)
    }

    /// Whether a server writes it, with its number as sequence.
    #[must_use]
    pub fn is_of_server(self) -> bool {
        use Kind::{Agreement, AnswerShares, Column, Dealing, Layer, Shares, Verdict, ZeroTest};
        matches!(self, Dealing | Verdict | Layer | Agreement | Shares | Column | ZeroTest | AnswerShares)
    }

    /// Whether the organiser writes it.
    #[must_use]
    pub fn is_of_organiser(self) -> bool {
        matches!(self, Self::Ceremony | Self::Close | Self::Absent | Self::Admission)
    }

    /// Whether the organiser can declare a server absent from it.
    #[must_use]
    pub fn may_be_absent(self) -> bool {
        matches!(self, Self::Dealing | Self::Verdict | Self::Layer)
    }
}

/// Which ceremony on which board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CeremonyName {
    /// The dictionary's id.
    pub dictionary: Digest,
    /// The organiser's key.
    pub organiser: AuthorKey,
    /// The organiser's number for it.
    pub number: u32,
}

impl CeremonyName {
    /// What the keys of all its posts begin with.
    pub fn prefix(&self) -> Vec<u8> {
        [&[VERSION][..], &self.organiser, &self.number.to_be_bytes()].concat()
    }

    /// The key of a post.
    pub fn key(&self, kind: Kind, query: Option<Digest>, sequence: u16, author: AuthorKey) -> PostKey {
        PostKey { organiser: self.organiser, ceremony: self.number, kind, query, sequence, author }
    }

    /// The key of the ceremony's terms.
    pub fn terms_key(&self) -> PostKey {
        self.key(Kind::Ceremony, None, 0, self.organiser)
    }

    /// The key of the admission of an author.
    pub fn admission_key(&self, admitted: AdmittedAs, author: AuthorKey) -> PostKey {
        self.key(Kind::Admission, None, admitted.sequence(), author)
    }
}

/// A post's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PostKey {
    /// The organiser's key.
    pub organiser: AuthorKey,
    /// The organiser's number of the ceremony.
    pub ceremony: u32,
    /// What it is.
    pub kind: Kind,
    /// The id of the query that it belongs to.
    pub query: Option<Digest>,
    /// A server's number, a query's number, stage · 256 + server of an absence; as what an author
    /// is admitted; else 0.
    pub sequence: u16,
    /// Who writes it; of an admission who is admitted.
    pub author: AuthorKey,
}

impl PostKey {
    /// `u8 1 || organiser || u32 ceremony || u8 kind || [query id] || u16 sequence || author`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        bytes.extend(self.organiser);
        bytes.extend(self.ceremony.to_be_bytes());
        bytes.push(self.kind as u8);
        bytes.extend(self.query.iter().flatten());
        bytes.extend(self.sequence.to_be_bytes());
        bytes.extend(self.author);
        bytes
    }

    /// Reads a key: canonical, and with a sequence that its kind may have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let malformed = Fault::new(FaultKind::Malformed);
        let mut reader = Reader::new(bytes);
        if reader.u8()? != VERSION {
            return Err(malformed);
        }
        let (organiser, ceremony) = (reader.array()?, reader.u32()?);
        let kind = Kind::from_number(reader.u8()?).ok_or(malformed)?;
        let query = if kind.is_of_query() { Some(reader.array()?) } else { None };
        let key = Self { organiser, ceremony, kind, query, sequence: reader.u16()?, author: reader.array()? };
        reader.finish()?;
        let legal = match kind {
            // Else one key would have 65,536 ballots.
            Kind::Ceremony | Kind::Input | Kind::Close | Kind::Opening => key.sequence == 0,
            Kind::Absent => key.absentee().is_some(),
            Kind::Admission => key.sequence <= AdmittedAs::Querier.sequence(),
            _ => true,
        };
        if legal { Ok(key) } else { Err(malformed) }
    }

    /// Of which stage which server is declared absent, if that is what the post says.
    pub fn absentee(&self) -> Option<(Kind, u16)> {
        let [stage, server] = self.sequence.to_be_bytes();
        let stage = Kind::from_number(stage).filter(|kind| kind.may_be_absent())?;
        (self.kind == Kind::Absent && server > 0).then_some((stage, u16::from(server)))
    }

    /// The keys that have to be absent when this one is written: itself, since posts are written
    /// once; for an input the close; for dealing, verdict and layer the server's absence.
    pub fn gates(&self) -> Vec<Self> {
        let of_organiser = |kind, sequence| Self { kind, query: None, sequence, author: self.organiser, ..*self };
        let gate = match self.kind {
            Kind::Input => Some(of_organiser(Kind::Close, 0)),
            kind if kind.may_be_absent() => {
                Some(of_organiser(Kind::Absent, u16::from(kind as u8) << 8 | self.sequence & 0xff))
            }
            _ => None,
        };
        [*self].into_iter().chain(gate).collect()
    }

    /// Whose signature the post needs: the author's, and of an admission the organiser's.
    pub fn signer(&self) -> AuthorKey {
        if self.kind == Kind::Admission { self.organiser } else { self.author }
    }

    /// As what its author has to be admitted on a chain; none where the post is the organiser's, or
    /// a server's whose number is not from 1 to 255.
    pub fn admitted_as(&self) -> Option<AdmittedAs> {
        match self.kind {
            kind if kind.is_of_organiser() => None,
            Kind::Input => Some(AdmittedAs::Sender),
            Kind::Query | Kind::Opening => Some(AdmittedAs::Querier),
            _ => u8::try_from(self.sequence).ok().filter(|number| *number > 0).map(AdmittedAs::Server),
        }
    }

    /// The key of the admission that the post needs on a chain, if it needs one.
    pub fn admission(&self) -> Option<Self> {
        let sequence = self.admitted_as()?.sequence();
        Some(Self { kind: Kind::Admission, query: None, sequence, ..*self })
    }

    /// `H("..POST", dictionary || key || u64 length || SHA-256(body))`: what the signer signs.
    pub fn digest(&self, dictionary: &Digest, length: u64, body: &Digest) -> Digest {
        let hash = TaggedHash::new("AARDVARK-V1-MIXNET-POST").chain(dictionary).chain(self.to_bytes());
        hash.chain(length.to_be_bytes()).chain(body).finalize()
    }
}

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
