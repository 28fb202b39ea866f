//! The board on disk: `DIR/dictionary`, an archive, and `DIR/bodies`, a file for each longer body,
//! named by its SHA-256.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use aardvark_archive::{Archive, ArchiveError};
use aardvark_commitment::setups;
use aardvark_dictionary::{
    Claim, Genesis, GenesisError, Identity, Key, Operation, Parameters, Reason, Transaction, Value,
};
use aardvark_mixnet::fault::Fault;
use aardvark_mixnet::identity::is_signed;
use aardvark_mixnet::post::{Content, MOST_BODY_BYTES, PostKey, PostValue, body_digest, receipt_digest};
use aardvark_proof::hex_text::encode;

use crate::wire::{DraftJson, ReceiptJson};

/// Most posts at a time whose bodies wait for receipts.
const MOST_DRAFTS: usize = 4096;
/// Most receipts that a draft keeps, more than a ceremony has servers.
const MOST_RECEIPTS: usize = 1024;

/// Why a post, body or draft was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Bytes that are no key or value, a body that is too long.
    #[error("malformed: {0}")]
    Malformed(Fault),
    /// Not signed by the author that the key names.
    #[error("not signed by its author")]
    SignatureFalse,
    /// The key has another value: a post is written once.
    #[error("there is another post under this key")]
    SlotConflict,
    /// What the key asks to be absent is there.
    #[error("the stage is closed")]
    GateClosed,
    /// A longer body that was not stored before.
    #[error("the board does not have the body")]
    BodyMissing,
    /// More drafts than a board keeps.
    #[error("too many posts wait for receipts")]
    TooManyDrafts,
    /// The dictionary.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The files.
    #[error("{0}")]
    File(#[from] io::Error),
}

/// A board with its posts.
pub struct Board {
    archive: Archive,
    bodies: PathBuf,
    posts: BTreeMap<Vec<u8>, Vec<u8>>,
    drafts: BTreeMap<[u8; 32], DraftJson>,
}

/// Writes a file that is there whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = fs::File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&part, path)
}

impl Board {
    /// Makes an empty board in a directory, which must not hold one. The salt tells it from others
    /// of its name.
    pub fn create(directory: &Path, name: &str, salt: [u8; 32]) -> Result<Self, BoardError> {
        fs::create_dir_all(directory.join("bodies"))?;
        let parameters = Parameters::default();
        let digest = setups::published_digest(parameters.scheme, parameters.vector_size).map_err(ArchiveError::from)?;
        let identity = Identity::new(name, salt).map_err(GenesisError::from).map_err(ArchiveError::from)?;
        let genesis = Genesis::new(identity, parameters, digest, Vec::new()).map_err(ArchiveError::from)?;
        let archive = Archive::builder().create(&directory.join("dictionary"), &genesis)?;
        Self::with(archive, directory)
    }

    /// Opens a board.
    pub fn open(directory: &Path) -> Result<Self, BoardError> {
        Self::with(Archive::builder().open(&directory.join("dictionary"))?, directory)
    }

    fn with(archive: Archive, directory: &Path) -> Result<Self, BoardError> {
        let slots = archive.slots(archive.version(), 0, archive.size())?;
        let pairs = slots.into_iter().filter(|slot| !slot.key.is_empty());
        let posts = pairs.map(|slot| (slot.key.to_vec(), slot.value.to_vec())).collect();
        Ok(Self { archive, bodies: directory.join("bodies"), posts, drafts: BTreeMap::new() })
    }

    /// The dictionary's id.
    pub fn dictionary(&self) -> [u8; 32] {
        self.archive.id().0
    }

    /// The dictionary's version: how many posts were written.
    pub fn version(&self) -> u64 {
        self.archive.version()
    }

    /// All pairs, by keys.
    pub fn posts(&self) -> &BTreeMap<Vec<u8>, Vec<u8>> {
        &self.posts
    }

    /// The archive.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    fn body_path(&self, digest: &[u8; 32]) -> PathBuf {
        self.bodies.join(encode(digest))
    }

    /// Stores a body of at most [`MOST_BODY_BYTES`], and returns its digest.
    pub fn put_body(&self, body: &[u8]) -> Result<[u8; 32], BoardError> {
        if body.len() as u64 > MOST_BODY_BYTES {
            return Err(BoardError::Malformed(Fault::new(aardvark_mixnet::FaultKind::WrongLength)));
        }
        let digest = body_digest(body);
        let path = self.body_path(&digest);
        if !path.exists() {
            write_whole(&path, body)?;
        }
        Ok(digest)
    }

    /// The body with this digest, if it was stored.
    pub fn body(&self, digest: &[u8; 32]) -> Result<Option<Vec<u8>>, BoardError> {
        match fs::read(self.body_path(digest)) {
            Ok(body) => Ok(Some(body)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a post: a pair of the dictionary. Who posts the same again is told that it is there.
    /// The rules of the protocol are for the readers to check; here signature and gates are.
    pub fn post(&mut self, key_bytes: &[u8], value_bytes: &[u8]) -> Result<(), BoardError> {
        let key = PostKey::from_bytes(key_bytes).map_err(BoardError::Malformed)?;
        let value = PostValue::from_bytes(value_bytes).map_err(BoardError::Malformed)?;
        match self.posts.get(key_bytes) {
            Some(there) if there == value_bytes => return Ok(()),
            Some(_) => return Err(BoardError::SlotConflict),
            None => {}
        }
        if !value.is_signed(&self.dictionary(), &key) {
            return Err(BoardError::SignatureFalse);
        }
        if let Content::Stored { digest, .. } = &value.content
            && !self.body_path(digest).exists()
        {
            return Err(BoardError::BodyMissing);
        }
        let transaction = self.transaction(&key, value_bytes)?;
        let proposal = self.archive.propose(vec![transaction])?;
        if let Some(dropped) = proposal.dropped.first() {
            // The requirements are what can fail.
            let closed = dropped.reason == Reason::RequireFailed;
            return Err(if closed { BoardError::GateClosed } else { refused(dropped) });
        }
        self.archive.apply(&proposal.block)?;
        self.posts.insert(key_bytes.to_vec(), value_bytes.to_vec());
        self.drafts.remove(&value.digest(&self.dictionary(), &key));
        Ok(())
    }

    /// `Require(gate, absent)` for the key and its gates, and `Put(key, value)`.
    fn transaction(&self, key: &PostKey, value: &[u8]) -> Result<Transaction, BoardError> {
        let version = self.archive.version();
        let gates: Vec<Key> = key.gates().iter().map(|gate| Key::from(gate.to_bytes().as_slice())).collect();
        let mut claims: Vec<Claim> = Vec::new();
        for claim in self.archive.prove_many(&gates, version)? {
            if claims.iter().all(|known| known.position != claim.position) {
                claims.push(claim);
            }
        }
        let mut operations: Vec<Operation> = gates.into_iter().map(|gate| Operation::Require(gate, None)).collect();
        operations.push(Operation::Put(Key::from(key.to_bytes().as_slice()), Value::from(value)));
        Ok(Transaction { first_valid: version + 1, last_valid: version + 1, nonce: [0; 16], operations, claims })
    }

    /// Notes that an author wants receipts for a post, whose body is stored.
    pub fn draft(&mut self, draft: DraftJson) -> Result<[u8; 32], BoardError> {
        let key = PostKey::from_bytes(&draft.key.0).map_err(BoardError::Malformed)?;
        let digest = key.digest(&self.dictionary(), draft.length, &draft.body.0);
        if !is_signed(&key.author, &digest, &draft.signature.0) {
            return Err(BoardError::SignatureFalse);
        }
        if !self.body_path(&draft.body.0).exists() {
            return Err(BoardError::BodyMissing);
        }
        if self.drafts.len() >= MOST_DRAFTS && !self.drafts.contains_key(&digest) {
            return Err(BoardError::TooManyDrafts);
        }
        if !self.posts.contains_key(&draft.key.0) {
            self.drafts.entry(digest).or_insert(DraftJson { receipts: Vec::new(), ..draft });
        }
        Ok(digest)
    }

    /// All posts that wait for receipts.
    pub fn drafts(&self) -> Vec<DraftJson> {
        self.drafts.values().cloned().collect()
    }

    /// Adds a receipt, if its author signed it. Whether that is a server the reader has to see.
    pub fn receipt(&mut self, receipt: &ReceiptJson) -> Result<(), BoardError> {
        if !is_signed(&receipt.author.0, &receipt_digest(&receipt.post.0), &receipt.signature.0) {
            return Err(BoardError::SignatureFalse);
        }
        if let Some(draft) = self.drafts.get_mut(&receipt.post.0)
            && draft.receipts.len() < MOST_RECEIPTS
            && draft.receipts.iter().all(|known| known.author.0 != receipt.author.0)
        {
            draft.receipts.push(receipt.clone());
        }
        Ok(())
    }
}

/// A transaction that the dictionary refused for a reason that no post should meet.
fn refused(rejection: &aardvark_dictionary::Rejection) -> BoardError {
    BoardError::File(io::Error::other(format!("the dictionary refused the post: {rejection}")))
}
