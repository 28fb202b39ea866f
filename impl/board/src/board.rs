//! The board on disk: `DIR/dictionary`, an archive, and `DIR/bodies`, a file for each longer body,
//! named by its SHA-256.
//!
//! Every key is written once and nothing is deleted, so the first post stands in slot 1, the next
//! in slot 2, and so on: in the order in which they were written, on a chain for whoever reads it.
//! An archive of the board's own has one version for each post, a chain one for each block.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use aardvark_algebra::integers::u64_of_usize;
use aardvark_archive::{Archive, ArchiveError, SERVICE_FILE, Snapshot};
use aardvark_chain::board::operations_of;
use aardvark_commitment::setups;
use aardvark_dictionary::{Genesis, GenesisError, Identity, Key, Parameters, Reason, Slot};
use aardvark_mixnet::identity::AuthorKey;
use aardvark_mixnet::post::{Content, PostKey, PostValue};
use aardvark_mixnet::view::has_receipts;
use aardvark_mixnet::{Ceremony, Kind};
use aardvark_node::archive::{ChainOptions, ChainRecords, DaemonError, Follower, SharedArchive};
use aardvark_proof::hex_text::HexArray;

use crate::admission::{Admission, body_of};
use crate::bodies::Bodies;
use crate::drafts::Drafts;
use crate::error::BoardError;
use crate::ledger::{ChainLedger, Ledger, Sending, transaction};
use crate::limits::{BoardLimits, MOST_ADMISSIONS, MOST_POSTS_OF_PAGE};
use crate::wire::{BoardJson, FORMAT, Pair};

mod drafting;

/// Versions before the newest whose claims can be proved.
pub const RETENTION: u64 = 1 << 16;

/// A board with its posts.
pub struct Board {
    shared: Arc<SharedArchive>,
    bodies: Bodies,
    drafts: Drafts,
    admission: Admission,
    limits: BoardLimits,
    ledger: Ledger,
    /// The first slot whose post was not noted yet.
    next: u64,
}

/// What becomes of posts that the board takes.
pub(crate) enum Taken {
    /// They are written.
    Written,
    /// They are to be sent to the chain.
    ToSend(Sending),
}

impl Board {
    /// Makes an empty board in a directory, which must not hold one. The salt tells it from others
    /// of its name.
    pub fn create(directory: &Path, name: &str, salt: [u8; 32]) -> Result<Self, BoardError> {
        fs::create_dir_all(directory)?;
        let parameters = Parameters::default();
        let digest = setups::published_digest(parameters.scheme, parameters.vector_size).map_err(ArchiveError::from)?;
        let identity = Identity::new(name, salt).map_err(GenesisError::from).map_err(ArchiveError::from)?;
        let genesis = Genesis::new(identity, parameters, digest, Vec::new()).map_err(ArchiveError::from)?;
        let archive = Archive::builder().retention(RETENTION).create(&directory.join("dictionary"), &genesis)?;
        Self::with(Arc::new(SharedArchive::new(archive, None)?), directory, Ledger::Own)
    }

    /// Opens a board that stands on no chain.
    pub fn open(directory: &Path) -> Result<Self, BoardError> {
        let place = directory.join("dictionary");
        let archive = Archive::builder().open(&place)?;
        if place.join(SERVICE_FILE).exists() {
            let records = ChainRecords::open(&place, *archive.id()).map_err(DaemonError::from)?;
            if records.chain_id().map_err(DaemonError::from)?.is_some() {
                return Err(BoardError::OnChain);
            }
        }
        Self::with(Arc::new(SharedArchive::new(archive, None)?), directory, Ledger::Own)
    }

    /// The board on a chain, with the archive that follows it in a directory, made there if there
    /// is none, and what follows: as long as that runs the board has what the chain has.
    pub fn follow(directory: &Path, chain: &ChainOptions) -> Result<(Self, Follower), BoardError> {
        fs::create_dir_all(directory)?;
        let (shared, follower, ledger) = ChainLedger::open(&directory.join("dictionary"), chain)?;
        Ok((Self::with(shared, directory, Ledger::Chain(Arc::new(ledger)))?, follower))
    }

    fn with(shared: Arc<SharedArchive>, directory: &Path, ledger: Ledger) -> Result<Self, BoardError> {
        let bodies = Bodies::open(directory.join("bodies"))?;
        let (drafts, admission) = (Drafts::default(), Admission::default());
        let board = Self { shared, bodies, drafts, admission, limits: BoardLimits::default(), ledger, next: 1 };
        let mut board = board.within(BoardLimits::default());
        board.refresh()?;
        Ok(board)
    }

    /// The same board within other limits. A board on a chain takes ceremonies of those only whom
    /// genesis names.
    #[must_use]
    pub fn within(self, limits: BoardLimits) -> Self {
        let organisers = match &self.ledger {
            Ledger::Chain(chain) if limits.organisers.is_empty() => chain.organisers.clone(),
            _ => limits.organisers,
        };
        Self { limits: BoardLimits { organisers, ..limits }, ..self }
    }

    /// Notes the posts that came since the last time: whose bodies they name, which drafts have
    /// become posts, which queries there are.
    pub(crate) fn refresh(&mut self) -> Result<(), BoardError> {
        let archive = self.archive();
        while self.next < archive.size() {
            let to = archive.size().min(self.next + MOST_POSTS_OF_PAGE);
            for slot in archive.slots(archive.version(), self.next, to)? {
                self.note(&slot);
            }
            self.next = to;
        }
        Ok(())
    }

    fn note(&mut self, slot: &Slot) {
        let (Ok(key), Ok(value)) = (PostKey::from_bytes(&slot.key), PostValue::from_bytes(&slot.value)) else { return };
        if let Content::Stored { digest, length, .. } = &value.content {
            self.bodies.name(digest, *length);
        }
        self.drafts.remove(&value.digest(&self.dictionary(), &key));
        if key.kind == Kind::Query
            && let Ok(body) = body_of(value, &self.bodies)
        {
            self.admission.enter_query(&key, &body);
        }
    }

    /// What bounds it.
    pub fn limits(&self) -> &BoardLimits {
        &self.limits
    }

    /// The dictionary's id.
    pub fn dictionary(&self) -> [u8; 32] {
        self.archive().id().0
    }

    /// The dictionary's version.
    pub fn version(&self) -> u64 {
        self.archive().version()
    }

    /// How many posts were written.
    pub fn posts(&self) -> u64 {
        self.archive().size().saturating_sub(1)
    }

    /// The state root of the newest version.
    pub fn root(&self) -> Result<[u8; 32], BoardError> {
        self.root_of(&self.archive())
    }

    fn root_of(&self, archive: &Snapshot) -> Result<[u8; 32], BoardError> {
        let parts = self.shared.root_parts(archive, archive.version());
        Ok(parts.map_err(io::Error::other)?.root())
    }

    /// What it says of itself, of one version.
    pub fn about(&self) -> Result<BoardJson, BoardError> {
        let archive = self.archive();
        Ok(BoardJson {
            format: FORMAT,
            dictionary: HexArray(archive.id().0),
            version: archive.version(),
            root: HexArray(self.root_of(&archive)?),
            posts: archive.size().saturating_sub(1),
            admissions: matches!(self.ledger, Ledger::Chain(_)),
            drafts: u64_of_usize(self.drafts.len()),
        })
    }

    /// The posts after so many, in the order in which they were written; at most
    /// [`MOST_POSTS_OF_PAGE`].
    pub fn posts_since(&self, known: u64) -> Result<Vec<Pair>, BoardError> {
        let archive = self.archive();
        let from = known.saturating_add(1).min(archive.size());
        let slots =
            archive.slots(archive.version(), from, archive.size().min(from.saturating_add(MOST_POSTS_OF_PAGE)))?;
        Ok(slots.into_iter().map(|slot| (slot.key.to_vec(), slot.value.to_vec())).collect())
    }

    /// The newest version of the dictionary.
    pub fn archive(&self) -> Snapshot {
        self.shared.archive()
    }

    /// The dictionary, for those who serve it.
    pub fn shared(&self) -> Arc<SharedArchive> {
        Arc::clone(&self.shared)
    }

    /// Where a body lies whose draft waits for it. It is written there while others use the board;
    /// then [`Board::stored`] is told.
    pub fn place_for(&self, digest: &[u8; 32], length: u64) -> Result<PathBuf, BoardError> {
        match self.drafts.wait_for(digest, Some(length)) {
            true => Ok(self.bodies.path(digest)),
            false => Err(BoardError::DraftMissing),
        }
    }

    /// A body was written to its place. Terms that are none are forgotten with their draft.
    pub fn stored(&mut self, digest: &[u8; 32], body: &[u8]) -> Result<(), BoardError> {
        for post in self.drafts.unread(digest) {
            match Ceremony::from_bytes(body) {
                Ok(ceremony) => {
                    let servers: Vec<AuthorKey> = ceremony.servers.iter().map(|server| server.author).collect();
                    self.drafts.set_servers(&post, &servers);
                }
                Err(_) => drop(self.drafts.remove(&post)),
            }
        }
        if !self.drafts.wait_for(digest, None) {
            self.bodies.forget(digest)?;
        }
        Ok(())
    }

    /// Stores a body that a draft waits for.
    pub fn put_body(&mut self, body: &[u8]) -> Result<[u8; 32], BoardError> {
        let digest = aardvark_mixnet::post::body_digest(body);
        crate::bodies::write_whole(&self.place_for(&digest, u64_of_usize(body.len()))?, body)?;
        self.stored(&digest, body)?;
        Ok(digest)
    }

    /// The file of a body, if it was stored.
    pub fn body_file(&self, digest: &[u8; 32]) -> PathBuf {
        self.bodies.path(digest)
    }

    /// Writes a post: a pair of the dictionary. Who posts the same again is told that it is there.
    /// The rules of the protocol are for the readers to check; here are signature, receipts and
    /// gates, and that the ceremony's terms name the author. On a chain this waits for a block.
    pub fn post(&mut self, key_bytes: &[u8], value_bytes: &[u8]) -> Result<(), BoardError> {
        match self.take(key_bytes, value_bytes)? {
            Taken::Written => Ok(()),
            Taken::ToSend(sending) => {
                sending.send()?;
                self.refresh()
            }
        }
    }

    /// Takes admissions, on a chain as one transaction; those that are there are left out.
    pub(crate) fn take_admissions(&mut self, pairs: &BTreeSet<Pair>) -> Result<Taken, BoardError> {
        if pairs.len() > MOST_ADMISSIONS {
            return Err(BoardError::NotAdmissions(MOST_ADMISSIONS));
        }
        let mut left = Vec::new();
        for (key_bytes, value_bytes) in pairs {
            let key = PostKey::from_bytes(key_bytes).map_err(BoardError::Malformed)?;
            if key.kind != Kind::Admission {
                return Err(BoardError::NotAdmissions(MOST_ADMISSIONS));
            }
            match self.take(key_bytes, value_bytes)? {
                Taken::Written => {}
                Taken::ToSend(sending) => left.push(sending),
            }
        }
        Ok(Sending::together(left).map_or(Taken::Written, Taken::ToSend))
    }

    /// Checks a post, and writes it where that is this process's to do.
    pub(crate) fn take(&mut self, key_bytes: &[u8], value_bytes: &[u8]) -> Result<Taken, BoardError> {
        let key = PostKey::from_bytes(key_bytes).map_err(BoardError::Malformed)?;
        let value = PostValue::from_bytes(value_bytes).map_err(BoardError::Malformed)?;
        let (archive, dictionary) = (self.archive(), self.dictionary());
        match archive.get(&Key::from(key_bytes), archive.version())? {
            Some(there) if *there == *value_bytes => return Ok(Taken::Written),
            Some(_) => return Err(BoardError::SlotConflict),
            None => {}
        }
        if !value.is_signed(&dictionary, &key) {
            return Err(BoardError::SignatureFalse);
        }
        let stored = match &value.content {
            Content::Stored { digest, length, .. } => Some((*digest, *length)),
            Content::Inline(_) => None,
        };
        if !self.limits.admits(&key.organiser) {
            return Err(BoardError::NotAuthorised);
        }
        // Whose receipts the body needs is said by the terms, of which there must be some.
        let ceremony = match key.kind {
            Kind::Ceremony => None,
            _ => Some(Arc::clone(&self.admission.admit(&key, &archive, &self.bodies)?.ceremony)),
        };
        if stored.is_some_and(|(digest, length)| !self.bodies.has(&digest, length)) {
            return Err(BoardError::BodyMissing);
        }
        let terms = || -> Result<Arc<Ceremony>, BoardError> {
            let body = body_of(value.clone(), &self.bodies)?;
            Ok(Arc::new(Ceremony::from_bytes(&body).map_err(BoardError::Malformed)?))
        };
        let ceremony = ceremony.map_or_else(terms, Ok)?;
        if key.kind == Kind::Ceremony && key.author != key.organiser {
            return Err(BoardError::NotAuthorised);
        }
        if !has_receipts(&dictionary, &key, &value, &ceremony) {
            return Err(BoardError::ReceiptsMissing);
        }
        let bytes = stored.map_or(0, |(_, length)| length);
        if self.posts() >= self.limits.posts
            || self.bodies.named_bytes().saturating_add(bytes) > self.limits.named_bytes
        {
            return Err(BoardError::Full);
        }
        if let Ledger::Chain(chain) = &self.ledger {
            let posts = vec![(key, (key_bytes.to_vec(), value_bytes.to_vec()))];
            return Ok(Taken::ToSend(Sending::new(Arc::clone(chain), self.shared(), posts)));
        }
        self.apply(&archive, &key, value_bytes)?;
        self.refresh()?;
        Ok(Taken::Written)
    }

    /// Makes the next version, with this post in it.
    fn apply(&self, archive: &Snapshot, key: &PostKey, value: &[u8]) -> Result<(), BoardError> {
        let transaction = transaction(archive, operations_of(key, value, None), 0)?;
        let mut archive = self.shared.archive_mut();
        let proposal = archive.propose(vec![transaction])?;
        if let Some(dropped) = proposal.dropped.first() {
            // The requirements are what can fail.
            let closed = dropped.reason == Reason::RequireFailed;
            return Err(if closed { BoardError::GateClosed } else { refused(dropped) });
        }
        archive.apply(&proposal.block)?;
        self.shared.note_root(archive.validator()?.root_parts());
        Ok(())
    }
}

/// A transaction that the dictionary refused for a reason that no post should meet.
fn refused(rejection: &aardvark_dictionary::Rejection) -> BoardError {
    BoardError::File(io::Error::other(format!("the dictionary refused the post: {rejection}")))
}
