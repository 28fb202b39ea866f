//! The first checks of every post, in this order: `Malformed`, `SignatureFalse`, `ReceiptsMissing`,
//! `NotAuthorised`. What passes them is judged in its stage.

use std::borrow::Cow;
use std::collections::BTreeMap;

use aardvark_sigma::Digest;

use crate::ceremony::Ceremony;
use crate::fault::{Fault, FaultKind};
use crate::identity::{AuthorKey, is_signed};
use crate::post::{CeremonyName, Content, Kind, PostKey, PostValue, Posted, Posts, body_digest, receipt_digest};
use crate::view::memo::{Memo, statement};

/// A post that breaks the rules: whose it is, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostFault {
    /// The key's bytes.
    pub key: Vec<u8>,
    /// Whose key it is, if it can be read.
    pub author: Option<AuthorKey>,
    /// The author's number, if it is a server.
    pub server: Option<u16>,
    /// What is wrong, and where in the body.
    pub fault: Fault,
}

impl core::fmt::Display for PostFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.fault)
    }
}

impl core::error::Error for PostFault {}

/// A body that may be judged.
#[derive(Clone, Debug)]
pub struct AdmittedBody<'a> {
    bytes: Cow<'a, [u8]>,
    /// Its SHA-256.
    pub digest: Digest,
}

impl core::ops::Deref for AdmittedBody<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

/// What there is under a key.
#[derive(Clone, Debug)]
pub enum Slot<'a> {
    /// Nothing.
    Empty,
    /// A post whose body is not at hand: nothing can be said of it.
    BodyMissing,
    /// A post that is faulty already.
    Faulty,
    /// The body of a post that may be judged.
    Body(AdmittedBody<'a>),
}

/// Posts of a ceremony after their first checks.
#[derive(Debug)]
pub struct Admitted<'a> {
    name: CeremonyName,
    /// The ceremony's digest.
    ceremony: Digest,
    /// All posts of the board.
    posts: &'a Posts,
    slots: BTreeMap<PostKey, Slot<'a>>,
    /// What was found before.
    pub memo: &'a Memo,
    /// The faults that were found.
    pub faults: Vec<PostFault>,
    /// The posts whose bodies are not at hand.
    pub missing: Vec<PostKey>,
}

/// The body of a post, if it is at hand and the one that was signed.
fn body<'a>(posted: &'a Posted, value: PostValue) -> Option<AdmittedBody<'a>> {
    match value.content {
        Content::Inline(body) => Some(AdmittedBody { digest: body_digest(&body), bytes: Cow::Owned(body) }),
        Content::Stored { length, digest, .. } => {
            let body = posted.body.as_ref()?;
            let is_signed = body.len() as u64 == length && body.digest() == digest;
            is_signed.then_some(AdmittedBody { bytes: Cow::Borrowed(body), digest })
        }
    }
}

/// Whether a longer body has receipts of t servers.
#[must_use]
pub fn has_receipts(dictionary: &Digest, key: &PostKey, value: &PostValue, ceremony: &Ceremony) -> bool {
    let Content::Stored { receipts, .. } = &value.content else { return true };
    let digest = receipt_digest(&value.digest(dictionary, key));
    let valid = receipts.iter().filter(|receipt| {
        let server = ceremony.server(receipt.server);
        server.is_some_and(|server| is_signed(&server.author, &digest, &receipt.signature))
    });
    valid.count() >= ceremony.threshold()
}

/// Whether the author of a key may write it.
#[must_use]
pub fn is_authorised(key: &PostKey, ceremony: &Ceremony) -> bool {
    match key.kind {
        kind if kind.is_of_organiser() => key.signer() == key.organiser,
        Kind::Input => ceremony.sender(&key.author).is_some(),
        Kind::Query => ceremony.rules.anyone || ceremony.querier(&key.author).is_some(),
        // The query says whose it is.
        Kind::Opening => true,
        _ => ceremony.server(key.sequence).is_some_and(|server| server.author == key.author),
    }
}

impl PostFault {
    /// The fault of a post.
    pub(crate) fn new(key: &PostKey, ceremony: &Ceremony, fault: Fault) -> Self {
        let author = key.signer();
        let server = ceremony.server_of(&author).filter(|_| key.kind.is_of_server());
        Self { key: key.to_bytes(), author: Some(author), server, fault: fault.by(server) }
    }
}

/// The terms of a ceremony: `None` if they are not there, or their body is not at hand.
pub(super) fn terms(name: &CeremonyName, posts: &Posts, memo: &Memo) -> Result<Option<Ceremony>, PostFault> {
    let key = name.terms_key();
    let key_bytes = key.to_bytes();
    let Some(posted) = posts.get(&key_bytes) else { return Ok(None) };
    let failed = |fault| PostFault { key: key_bytes.clone(), author: Some(key.author), server: None, fault };
    let value = PostValue::from_bytes(&posted.value).map_err(failed)?;
    let signed = statement("signature", &[&name.dictionary, &key_bytes, &posted.value]);
    if !memo.find(signed, || value.is_signed(&name.dictionary, &key)) {
        return Err(failed(Fault::new(FaultKind::SignatureFalse)));
    }
    let Some(body) = body(posted, value.clone()) else { return Ok(None) };
    // The value has the body's digest.
    let read = statement("terms", &[&name.dictionary, &key_bytes, &posted.value]);
    let read = memo.find(read, || {
        let ceremony = Ceremony::from_bytes(&body)?;
        match has_receipts(&name.dictionary, &key, &value, &ceremony) {
            true => Ok(ceremony),
            false => Err(Fault::new(FaultKind::ReceiptsMissing)),
        }
    });
    read.map(Some).map_err(failed)
}

/// The posts of a ceremony, in the order of keys.
fn of_ceremony<'a>(name: &CeremonyName, posts: &'a Posts) -> impl Iterator<Item = (&'a Vec<u8>, &'a Posted)> {
    let prefix = name.prefix();
    posts.range(prefix.clone()..).take_while(move |(key, _)| key.starts_with(&prefix))
}

/// Whether the key of a post of a ceremony has the kind of a post about a query.
fn is_about_query(name: &CeremonyName, key: &[u8]) -> bool {
    key.get(name.prefix().len()).and_then(|kind| Kind::from_number(*kind)).is_some_and(Kind::is_of_query)
}

/// Whether a post is about one of these queries, and an opening its querier's.
fn is_awaited(key: &PostKey, asked: &BTreeMap<Digest, AuthorKey>) -> bool {
    let querier = key.query.and_then(|id| asked.get(&id));
    querier.is_some_and(|querier| key.kind != Kind::Opening || key.author == *querier)
}

impl<'a> Admitted<'a> {
    /// None of the posts.
    fn empty(name: &CeremonyName, ceremony: Digest, posts: &'a Posts, memo: &'a Memo) -> Self {
        let slots = BTreeMap::new();
        Self { name: *name, ceremony, posts, slots, memo, faults: Vec::new(), missing: Vec::new() }
    }

    /// Looks at all posts of a ceremony but its terms, and those about queries.
    pub(super) fn of(name: &CeremonyName, ceremony: &Ceremony, posts: &'a Posts, memo: &'a Memo) -> Self {
        let digest = ceremony.digest(&name.dictionary, &name.terms_key().to_bytes());
        let mut admitted = Self::empty(name, digest, posts, memo);
        for (bytes, posted) in of_ceremony(name, posts).filter(|(bytes, _)| !is_about_query(name, bytes)) {
            match PostKey::from_bytes(bytes) {
                Ok(key) if key.kind == Kind::Ceremony => {}
                Ok(key) => admitted.admit(key, (bytes, posted), ceremony),
                Err(fault) => {
                    let unread = PostFault { key: bytes.clone(), author: None, server: None, fault };
                    admitted.faults.push(unread);
                }
            }
        }
        admitted
    }

    /// Looks at the posts about these queries, by id with their queriers, and counts the others: of
    /// a query that nobody asked there is no end, so nothing is kept of them, and no signature
    /// checked. Nor is anybody blamed: where the query's post is left out, its servers are honest.
    pub(super) fn about(&self, asked: &BTreeMap<Digest, AuthorKey>, ceremony: &Ceremony) -> (Self, usize) {
        let mut about = Self::empty(&self.name, self.ceremony, self.posts, self.memo);
        let mut others = 0;
        for (bytes, posted) in of_ceremony(&self.name, self.posts).filter(|(key, _)| is_about_query(&self.name, key)) {
            match PostKey::from_bytes(bytes) {
                Ok(key) if is_awaited(&key, asked) => about.admit(key, (bytes, posted), ceremony),
                _ => others += 1,
            }
        }
        (about, others)
    }

    fn admit(&mut self, key: PostKey, (bytes, posted): (&[u8], &'a Posted), ceremony: &Ceremony) {
        let checked = PostValue::from_bytes(&posted.value).and_then(|value| {
            let statement = statement("admission", &[&self.ceremony, bytes, &posted.value]);
            let fault = self.memo.find(statement, || match () {
                () if !value.is_signed(&self.name.dictionary, &key) => Some(FaultKind::SignatureFalse),
                () if !has_receipts(&self.name.dictionary, &key, &value, ceremony) => Some(FaultKind::ReceiptsMissing),
                () if !is_authorised(&key, ceremony) => Some(FaultKind::NotAuthorised),
                () => None,
            });
            fault.map_or(Ok(value), |kind| Err(Fault::new(kind)))
        });
        let slot = match checked.map(|value| body(posted, value)) {
            Ok(Some(body)) => Slot::Body(body),
            Ok(None) => {
                self.missing.push(key);
                Slot::BodyMissing
            }
            Err(fault) => {
                self.faults.push(PostFault::new(&key, ceremony, fault));
                Slot::Faulty
            }
        };
        self.slots.insert(key, slot);
    }

    /// What there is under a key.
    pub(super) fn slot(&self, key: &PostKey) -> Slot<'a> {
        self.slots.get(key).cloned().unwrap_or(Slot::Empty)
    }

    /// Whether a server was declared absent from a stage.
    pub(super) fn is_absent(&self, stage: Kind, server: u16) -> bool {
        let sequence = u16::from(stage as u8) << 8 | server;
        let key = self.name.key(Kind::Absent, None, sequence, self.name.organiser);
        matches!(self.slot(&key), Slot::Body(_))
    }

    /// The posts of a kind that may be judged, in the order of keys.
    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&PostKey, &AdmittedBody<'a>)> {
        let bodies = self.slots.iter().filter(move |(key, _)| key.kind == kind);
        bodies.filter_map(|(key, slot)| match slot {
            Slot::Body(body) => Some((key, body)),
            _ => None,
        })
    }

    /// All keys under which there is something.
    pub(super) fn keys(&self) -> impl Iterator<Item = PostKey> {
        self.slots.keys().copied()
    }
}
