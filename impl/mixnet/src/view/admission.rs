//! The first checks of every post, in this order: `Malformed`, `SignatureFalse`, `ReceiptsMissing`,
//! `NotAuthorised`. What passes them is judged in its stage.

use std::borrow::Cow;
use std::collections::BTreeMap;

use aardvark_sigma::Digest;

use crate::ceremony::Ceremony;
use crate::fault::{Fault, FaultKind};
use crate::identity::{AuthorKey, is_signed};
use crate::post::{CeremonyName, Content, Kind, PostKey, PostValue, Posted, Posts, body_digest, receipt_digest};

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
    Body(Cow<'a, [u8]>),
}

/// All posts of a ceremony after their first checks.
#[derive(Debug)]
pub struct Admitted<'a> {
    name: CeremonyName,
    slots: BTreeMap<PostKey, Slot<'a>>,
    /// The faults that were found.
    pub faults: Vec<PostFault>,
    /// The posts whose bodies are not at hand.
    pub missing: Vec<PostKey>,
}

/// The body of a post, if it is at hand and the one that was signed.
fn body<'a>(posted: &'a Posted, value: PostValue) -> Option<Cow<'a, [u8]>> {
    match value.content {
        Content::Inline(body) => Some(Cow::Owned(body)),
        Content::Stored { length, digest, .. } => {
            let body = posted.body.as_deref()?;
            (body.len() as u64 == length && body_digest(body) == digest).then_some(Cow::Borrowed(body))
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
        Kind::Ceremony | Kind::Close | Kind::Absent => key.author == key.organiser,
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
        let server = ceremony.server_of(&key.author).filter(|_| key.kind.is_of_server());
        Self { key: key.to_bytes(), author: Some(key.author), server, fault: fault.by(server) }
    }
}

/// The terms of a ceremony: `None` if they are not there, or their body is not at hand.
pub(super) fn terms(name: &CeremonyName, posts: &Posts) -> Result<Option<Ceremony>, PostFault> {
    let key = name.terms_key();
    let Some(posted) = posts.get(&key.to_bytes()) else { return Ok(None) };
    let failed = |fault| PostFault { key: key.to_bytes(), author: Some(key.author), server: None, fault };
    let value = PostValue::from_bytes(&posted.value).map_err(failed)?;
    if !value.is_signed(&name.dictionary, &key) {
        return Err(failed(Fault::new(FaultKind::SignatureFalse)));
    }
    let Some(bytes) = body(posted, value.clone()) else { return Ok(None) };
    let ceremony = Ceremony::from_bytes(&bytes).map_err(failed)?;
    match has_receipts(&name.dictionary, &key, &value, &ceremony) {
        true => Ok(Some(ceremony)),
        false => Err(failed(Fault::new(FaultKind::ReceiptsMissing))),
    }
}

impl<'a> Admitted<'a> {
    /// Looks at all posts of a ceremony but its terms.
    pub(super) fn of(name: &CeremonyName, ceremony: &Ceremony, posts: &'a Posts) -> Self {
        let prefix = name.prefix();
        let mut admitted = Self { name: *name, slots: BTreeMap::new(), faults: Vec::new(), missing: Vec::new() };
        for (bytes, posted) in posts.range(prefix.clone()..).take_while(|(key, _)| key.starts_with(&prefix)) {
            match PostKey::from_bytes(bytes) {
                Ok(key) if key.kind == Kind::Ceremony => {}
                Ok(key) => admitted.admit(key, posted, ceremony),
                Err(fault) => {
                    let unread = PostFault { key: bytes.clone(), author: None, server: None, fault };
                    admitted.faults.push(unread);
                }
            }
        }
        admitted
    }

    fn admit(&mut self, key: PostKey, posted: &'a Posted, ceremony: &Ceremony) {
        let checked = PostValue::from_bytes(&posted.value).and_then(|value| {
            let kind = match () {
                () if !value.is_signed(&self.name.dictionary, &key) => FaultKind::SignatureFalse,
                () if !has_receipts(&self.name.dictionary, &key, &value, ceremony) => FaultKind::ReceiptsMissing,
                () if !is_authorised(&key, ceremony) => FaultKind::NotAuthorised,
                () => return Ok(value),
            };
            Err(Fault::new(kind))
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
    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&PostKey, &[u8])> {
        let bodies = self.slots.iter().filter(move |(key, _)| key.kind == kind);
        bodies.filter_map(|(key, slot)| match slot {
            Slot::Body(body) => Some((key, body.as_ref())),
            _ => None,
        })
    }

    /// All keys under which there is something.
    pub(super) fn keys(&self) -> impl Iterator<Item = PostKey> {
        self.slots.keys().copied()
    }
}
