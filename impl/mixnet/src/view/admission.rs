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

/// All posts of a ceremony after their first checks.
#[derive(Debug)]
pub struct Admitted<'a> {
    name: CeremonyName,
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

impl<'a> Admitted<'a> {
    /// Looks at all posts of a ceremony but its terms.
    pub(super) fn of(name: &CeremonyName, ceremony: &Ceremony, posts: &'a Posts, memo: &'a Memo) -> Self {
        let (prefix, digest) = (name.prefix(), ceremony.digest(&name.dictionary, &name.terms_key().to_bytes()));
        let mut admitted = Self { name: *name, slots: BTreeMap::new(), memo, faults: Vec::new(), missing: Vec::new() };
        for (bytes, posted) in posts.range(prefix.clone()..).take_while(|(key, _)| key.starts_with(&prefix)) {
            match PostKey::from_bytes(bytes) {
                Ok(key) if key.kind == Kind::Ceremony => {}
                Ok(key) => admitted.admit(key, (bytes, posted), ceremony, &digest),
                Err(fault) => {
                    let unread = PostFault { key: bytes.clone(), author: None, server: None, fault };
                    admitted.faults.push(unread);
                }
            }
        }
        admitted
    }

    fn admit(
        &mut self,
        key: PostKey,
        (bytes, posted): (&[u8], &'a Posted),
        ceremony: &Ceremony,
        ceremony_digest: &Digest,
    ) {
        let checked = PostValue::from_bytes(&posted.value).and_then(|value| {
            let statement = statement("admission", &[ceremony_digest, bytes, &posted.value]);
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
