//! Posts that wait for receipts, and the bytes of their bodies.
//!
//! Whoever a ceremony names has drafts of its own, so that nobody's are in another's way. Terms of
//! ceremonies come from anybody, so those that came first go where there is no room.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use aardvark_mixnet::PostKey;
use aardvark_mixnet::identity::AuthorKey;
use aardvark_sigma::Digest;

use crate::error::BoardError;
use crate::limits::{BoardLimits, MOST_DRAFTS, MOST_DRAFTS_OF_AUTHOR, MOST_TERMS_BYTES, MOST_TERMS_DRAFTS};
use crate::wire::{DraftJson, ReceiptJson};

/// Drafts that are older go where there is no room; their authors send them again.
const EXPIRES: Duration = Duration::from_secs(600);

/// A draft.
#[derive(Debug)]
struct Waiting {
    draft: DraftJson,
    author: AuthorKey,
    /// Whose receipts are taken, in their order; none for terms that were not read yet.
    servers: Vec<AuthorKey>,
    /// Whether no ceremony names its author.
    stranger: bool,
    number: u64,
    since: Instant,
}

/// All drafts.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    waiting: BTreeMap<Digest, Waiting>,
    next: u64,
}

impl Drafts {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Bytes of the bodies that are waited for.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes_of(|_| true)
    }

    fn bytes_of(&self, which: impl Fn(&Waiting) -> bool) -> u64 {
        self.waiting.values().filter(|waiting| which(waiting)).map(|waiting| waiting.draft.length).sum()
    }

    fn oldest(&self, which: impl Fn(&Waiting) -> bool) -> Option<Digest> {
        let chosen = self.waiting.iter().filter(|(_, waiting)| which(waiting));
        chosen.min_by_key(|(_, waiting)| waiting.number).map(|(post, _)| *post)
    }

    /// Whether a draft waits for this body, of this length if one is given.
    pub(crate) fn wait_for(&self, body: &Digest, length: Option<u64>) -> bool {
        let fits = |draft: &DraftJson| draft.body.0 == *body && length.is_none_or(|length| draft.length == length);
        self.waiting.values().any(|waiting| fits(&waiting.draft))
    }

    /// Adds a draft, and returns the digests of bodies that nothing waits for any more.
    pub(crate) fn add(
        &mut self,
        post: Digest,
        key: &PostKey,
        draft: DraftJson,
        servers: Option<Vec<AuthorKey>>,
        limits: &BoardLimits,
    ) -> Result<Vec<Digest>, BoardError> {
        if self.waiting.contains_key(&post) {
            return Ok(Vec::new());
        }
        let stranger = servers.is_none() && !limits.names(&key.organiser);
        let (length, most) = match stranger {
            true => (draft.length, limits.of_strangers().min(MOST_TERMS_BYTES)),
            false => (draft.length, limits.unnamed_bytes - limits.of_strangers()),
        };
        if length > most {
            return Err(BoardError::BodiesFull);
        }
        let mut gone = Vec::new();
        if stranger {
            let full = |drafts: &Self| {
                let of_strangers = drafts.waiting.values().filter(|waiting| waiting.stranger).count();
                let bytes = drafts.bytes_of(|waiting| waiting.stranger).saturating_add(length);
                of_strangers >= MOST_TERMS_DRAFTS || bytes > limits.of_strangers()
            };
            while full(self) && self.drop_oldest(|waiting| waiting.stranger, &mut gone) {}
        } else {
            let of_author = |drafts: &Self| drafts.waiting.values().filter(|known| known.author == key.author).count();
            while of_author(self) >= MOST_DRAFTS_OF_AUTHOR
                && self.drop_oldest(|known| known.author == key.author, &mut gone)
            {}
            let full = |drafts: &Self| {
                let bytes = drafts.bytes_of(|waiting| !waiting.stranger).saturating_add(length);
                drafts.waiting.len() >= MOST_DRAFTS || bytes > limits.unnamed_bytes - limits.of_strangers()
            };
            let expired = |waiting: &Waiting| !waiting.stranger && waiting.since.elapsed() > EXPIRES;
            while full(self) && self.drop_oldest(expired, &mut gone) {}
            if full(self) {
                return Err(BoardError::BodiesFull);
            }
        }
        let (number, since) = (self.next, Instant::now());
        self.next += 1;
        let waiting = Waiting {
            draft: DraftJson { receipts: Vec::new(), ..draft },
            author: key.author,
            servers: servers.unwrap_or_default(),
            stranger,
            number,
            since,
        };
        self.waiting.insert(post, waiting);
        Ok(gone)
    }

    fn drop_oldest(&mut self, which: impl Fn(&Waiting) -> bool, gone: &mut Vec<Digest>) -> bool {
        let oldest = self.oldest(which);
        gone.extend(oldest.and_then(|post| self.remove(&post)));
        oldest.is_some()
    }

    /// Removes a draft; the digest of its body, if nothing else waits for that.
    pub(crate) fn remove(&mut self, post: &Digest) -> Option<Digest> {
        let body = self.waiting.remove(post)?.draft.body.0;
        (!self.wait_for(&body, None)).then_some(body)
    }

    /// The drafts of terms whose body has come, without the servers whose receipts they need.
    pub(crate) fn unread(&self, body: &Digest) -> Vec<Digest> {
        let unread = self.waiting.iter().filter(|(_, known)| known.servers.is_empty() && known.draft.body.0 == *body);
        unread.map(|(post, _)| *post).collect()
    }

    /// Whose receipts a draft of terms needs.
    pub(crate) fn set_servers(&mut self, post: &Digest, servers: &[AuthorKey]) {
        if let Some(waiting) = self.waiting.get_mut(post) {
            waiting.servers = servers.to_vec();
        }
    }

    /// Adds a receipt, if it is of a server whose receipt the draft needs.
    pub(crate) fn receipt(&mut self, receipt: &ReceiptJson) {
        let Some(waiting) = self.waiting.get_mut(&receipt.post.0) else { return };
        let server = usize::from(receipt.server).checked_sub(1).and_then(|place| waiting.servers.get(place));
        let receipts = &mut waiting.draft.receipts;
        if server == Some(&receipt.author.0) && receipts.iter().all(|known| known.server != receipt.server) {
            receipts.push(receipt.clone());
        }
    }

    /// The first drafts whose digests come after this one.
    pub(crate) fn after(&self, post: Option<&Digest>, most: usize) -> Vec<DraftJson> {
        let after = self.waiting.iter().filter(|(known, _)| post.is_none_or(|post| *known > post));
        after.take(most).map(|(_, waiting)| waiting.draft.clone()).collect()
    }
}
