//! Posts that wait for receipts: who drafts one says its length and digest first, then its body
//! comes, then its servers' receipts.

use aardvark_algebra::integers::u64_of_usize;
use aardvark_dictionary::Key;
use aardvark_mixnet::fault::Fault;
use aardvark_mixnet::identity::is_signed;
use aardvark_mixnet::post::{INLINE_BYTES, MOST_BODY_BYTES, PostKey, PostValue, receipt_digest};
use aardvark_mixnet::{FaultKind, Kind};

use super::Board;
use crate::error::BoardError;
use crate::limits::MOST_DRAFTS_OF_PAGE;
use crate::wire::{DraftJson, ReceiptJson};

impl Board {
    /// Notes that an author wants receipts for a post. Its body comes after this.
    pub fn draft(&mut self, draft: DraftJson) -> Result<[u8; 32], BoardError> {
        let key = PostKey::from_bytes(&draft.key.0).map_err(BoardError::Malformed)?;
        if !(u64_of_usize(INLINE_BYTES) + 1..=MOST_BODY_BYTES).contains(&draft.length) {
            return Err(BoardError::Malformed(Fault::new(FaultKind::WrongLength)));
        }
        let post = key.digest(&self.dictionary(), draft.length, &draft.body.0);
        if !is_signed(&key.signer(), &post, &draft.signature.0) {
            return Err(BoardError::SignatureFalse);
        }
        let archive = self.archive();
        if let Some(there) = archive.get(&Key::from(draft.key.0.as_slice()), archive.version())? {
            let there = PostValue::from_bytes(&there).map_err(BoardError::Malformed)?;
            let same = there.digest(&self.dictionary(), &key) == post;
            return Err(if same { BoardError::Posted } else { BoardError::SlotConflict });
        }
        let by_organiser = key.kind != Kind::Ceremony || key.author == key.organiser;
        if !self.limits.admits(&key.organiser) || !by_organiser {
            return Err(BoardError::NotAuthorised);
        }
        let servers = match key.kind {
            Kind::Ceremony => None,
            _ => Some(self.admission.admit(&key, &archive, &self.bodies)?.servers()),
        };
        let waiting = self.bodies.orphaned_bytes().saturating_add(self.drafts.bytes()).saturating_add(draft.length);
        if waiting > self.limits.unnamed_bytes {
            self.bodies.remove_orphans()?;
        }
        let body = draft.body.0;
        for gone in self.drafts.add(post, &key, draft, servers, &self.limits)? {
            self.bodies.forget(&gone)?;
        }
        self.bodies.adopt(&body);
        Ok(post)
    }

    /// Posts that wait for receipts, those whose digests come after this one; not all at once.
    pub fn drafts_after(&self, post: Option<&[u8; 32]>) -> Vec<DraftJson> {
        self.drafts.after(post, MOST_DRAFTS_OF_PAGE)
    }

    /// How many posts wait for receipts.
    pub fn drafts(&self) -> usize {
        self.drafts.len()
    }

    /// Bytes of bodies that no post names: those that drafts wait for, come or not, and those that
    /// were there when the board opened.
    pub fn unnamed_bytes(&self) -> u64 {
        self.drafts.bytes().saturating_add(self.bodies.orphaned_bytes())
    }

    /// Adds a receipt, if it is of one of the ceremony's servers.
    pub fn receipt(&mut self, receipt: &ReceiptJson) -> Result<(), BoardError> {
        if !is_signed(&receipt.author.0, &receipt_digest(&receipt.post.0), &receipt.signature.0) {
            return Err(BoardError::SignatureFalse);
        }
        self.drafts.receipt(receipt);
        Ok(())
    }
}
