//! The outbox: what keys have signed, on disk before it is sent, so that a command that is repeated
//! is one transaction.
//!
//! ```text
//! FOLDER/REQUEST-NUMBER.json    { "format": 1, "request": "0x…", "number": 0, "id": "0x…", "dictionary": "0x…",
//!                                 "last_valid": 17, "bytes": "0x…", "applied": null | HEIGHT }
//! ```
//!
//! A request is what was asked: dictionary, signers and operations. Its transactions are numbered;
//! the nonce is derived from request and number. A transaction's id covers the versions for which
//! it is good, so the same command makes another transaction minutes later: it is the file that
//! knows the earlier one. A file is made whole, never replaced by another transaction, and readable
//! by its owner only: whoever has its bytes may send them.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use aardvark_chain::SignedTransaction;
use aardvark_dictionary::{DictionaryId, Limits, Operation, Transaction, TransactionId};
use aardvark_proof::hex_text::{HexArray, HexBytes};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

const FORMAT: u64 = 1;
/// Most bytes of a file: a transaction of the default limits in hexadecimal, its signatures, and
/// room.
const LARGEST: u64 = 1 << 22;
/// Digits of a request in a file's name.
const NAME_DIGITS: usize = 32;

/// What was asked: the same for the same operations by the same signers on the same dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request([u8; 32]);

impl Request {
    /// The request for operations. Signers are public keys, in any order.
    pub fn new(dictionary: &DictionaryId, signers: &[[u8; 32]], operations: &[Operation]) -> Self {
        let operations = operations.to_vec();
        let asked: Transaction =
            Transaction { first_valid: 0, last_valid: 0, nonce: [0; 16], operations, claims: Vec::new() };
        let mut signers = signers.to_vec();
        signers.sort_unstable();
        signers.dedup();
        // The id covers dictionary and operations.
        let mut hash = Sha256::new_with_prefix(b"AARDVARK-CLIENT-REQUEST-1");
        hash.update(asked.id(dictionary).0);
        signers.iter().for_each(|signer| hash.update(signer));
        Self(hash.finalize().into())
    }

    /// The nonce of the transaction of that number.
    pub fn nonce(&self, number: u64) -> [u8; 16] {
        let mut hash = Sha256::new_with_prefix(b"AARDVARK-CLIENT-NONCE-1");
        hash.update(self.0);
        hash.update(number.to_be_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let mut nonce = [0; 16];
        nonce.copy_from_slice(digest.split_at(16).0);
        nonce
    }
}

/// A transaction that may have been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What was asked.
    pub request: Request,
    /// Which of the transactions of that request it is, from 0.
    pub number: u64,
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The signed transaction.
    pub signed: SignedTransaction,
    /// The height of the block that applied it, once a node has said so.
    pub applied: Option<u64>,
}

impl Entry {
    /// The transaction's id.
    pub fn id(&self) -> TransactionId {
        self.signed.transaction.id(&self.dictionary)
    }

    /// The last version that may hold it.
    pub fn last_valid(&self) -> u64 {
        self.signed.transaction.last_valid
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryJson {
    format: u64,
    request: HexArray<32>,
    number: u64,
    id: HexArray<32>,
    dictionary: HexArray<32>,
    last_valid: u64,
    bytes: HexBytes,
    applied: Option<u64>,
}

/// Why the outbox cannot be used. Nothing is sent that is not in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutboxError {
    /// The system says no.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// A file that is none of ours.
    #[error("{0}: {1}")]
    Malformed(String, String),
    /// Another process has just signed the same.
    #[error("{0}: another process has just made the same transaction; say it again to go on with that one")]
    Taken(String),
    /// There is no such transaction.
    #[error("{folder} holds no transaction 0x{}", hex::encode(id.0))]
    Unknown {
        /// The outbox.
        folder: String,
        /// The transaction's id.
        id: TransactionId,
    },
}

/// A folder of transactions.
#[derive(Clone, Debug)]
pub struct Outbox {
    folder: PathBuf,
}

impl Outbox {
    /// The outbox in a folder, which need not be there.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The outbox of a key: beside its file, `alice.key.sent`.
    pub fn beside(key_file: &Path) -> Self {
        let mut name = key_file.as_os_str().to_owned();
        name.push(".sent");
        Self::new(name.into())
    }

    /// The file of a transaction.
    pub fn file(&self, entry: &Entry) -> PathBuf {
        let digits = hex::encode(entry.request.0);
        let digits = digits.get(..NAME_DIGITS).unwrap_or(&digits);
        self.folder.join(format!("{digits}-{}.json", entry.number))
    }

    /// The newest transaction of a request.
    ///
    /// # Errors
    /// [`OutboxError::File`], [`OutboxError::Malformed`].
    pub fn newest(&self, request: &Request) -> Result<Option<Entry>, OutboxError> {
        let digits = hex::encode(request.0);
        let start = format!("{}-", digits.get(..NAME_DIGITS).unwrap_or(&digits));
        let mut newest: Option<Entry> = None;
        for path in self.files()? {
            let is_ours = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&start));
            if !is_ours {
                continue;
            }
            let entry = read(&path)?;
            if entry.request == *request && newest.as_ref().is_none_or(|newest| newest.number < entry.number) {
                newest = Some(entry);
            }
        }
        Ok(newest)
    }

    /// The transaction of an id.
    ///
    /// # Errors
    /// [`OutboxError::Unknown`], [`OutboxError::File`].
    pub fn find(&self, id: &TransactionId) -> Result<Entry, OutboxError> {
        // A file that cannot be read is another transaction's, or is missed here by its id.
        let found = self.files()?.into_iter().find_map(|path| read(&path).ok().filter(|entry| entry.id() == *id));
        found.ok_or_else(|| OutboxError::Unknown { folder: self.folder.display().to_string(), id: *id })
    }

    /// Writes a transaction's file, which must not be there yet. It is on disk when this returns.
    ///
    /// # Errors
    /// [`OutboxError::Taken`], [`OutboxError::File`].
    pub fn keep(&self, entry: &Entry) -> Result<(), OutboxError> {
        let path = self.file(entry);
        let kept = self.write_beside(&path, entry).and_then(|temporary| {
            let linked = std::fs::hard_link(&temporary, &path);
            std::fs::remove_file(&temporary)?;
            linked?;
            std::fs::File::open(&self.folder)?.sync_all()
        });
        kept.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OutboxError::Taken(path.display().to_string()),
            _ => failed(&path, error),
        })
    }

    /// Notes that a transaction was applied at a height.
    ///
    /// # Errors
    /// [`OutboxError::File`].
    pub fn is_applied(&self, entry: &Entry, height: u64) -> Result<(), OutboxError> {
        let path = self.file(entry);
        let applied = Entry { applied: Some(height), ..entry.clone() };
        let noted = self.write_beside(&path, &applied).and_then(|temporary| std::fs::rename(temporary, &path));
        noted.map_err(|error| failed(&path, error))
    }

    /// Writes an entry to a file of another name beside its own.
    fn write_beside(&self, path: &Path, entry: &Entry) -> io::Result<PathBuf> {
        let mut folder = std::fs::DirBuilder::new();
        folder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&self.folder)?;
        let json = EntryJson {
            format: FORMAT,
            request: HexArray(entry.request.0),
            number: entry.number,
            id: HexArray(entry.id().0),
            dictionary: HexArray(entry.dictionary.0),
            last_valid: entry.last_valid(),
            bytes: HexBytes(entry.signed.encode()),
            applied: entry.applied,
        };
        let text = serde_json::to_string_pretty(&json)?;
        let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&temporary)?;
        writeln!(file, "{text}")?;
        file.sync_all()?;
        Ok(temporary)
    }

    fn files(&self) -> Result<Vec<PathBuf>, OutboxError> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| failed(&self.folder, error))?,
        };
        let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
        let paths = paths.map_err(|error| failed(&self.folder, error))?;
        Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect())
    }
}

fn failed(path: &Path, error: io::Error) -> OutboxError {
    OutboxError::File(path.display().to_string(), error)
}

fn read(path: &Path) -> Result<Entry, OutboxError> {
    let mut text = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| failed(path, error))?;
    file.take(LARGEST).read_to_end(&mut text).map_err(|error| failed(path, error))?;
    let malformed = |reason: String| OutboxError::Malformed(path.display().to_string(), reason);
    let json: EntryJson = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
    if json.format != FORMAT {
        return Err(malformed(format!("format {}", json.format)));
    }
    // A transaction that we made; what may stand in a block is the validators' matter.
    let limits = Limits { transaction_bytes: 1 << 21, ..Limits::default() };
    let signed = SignedTransaction::decode(&json.bytes.0, &limits).map_err(|error| malformed(error.to_string()))?;
    let entry = Entry {
        request: Request(json.request.0),
        number: json.number,
        dictionary: DictionaryId(json.dictionary.0),
        signed,
        applied: json.applied,
    };
    match entry.id().0 == json.id.0 {
        true => Ok(entry),
        false => Err(malformed("the bytes are not those of the id".to_owned())),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use ed25519_dalek::SigningKey;

    use super::*;

    const DICTIONARY: DictionaryId = DictionaryId([5; 32]);

    /// A payment of so much by one signer.
    pub(crate) fn request(amount: u64) -> Request {
        Request::new(&DICTIONARY, &[[1; 32]], &[Operation::Add("bob".into(), amount)])
    }

    /// A transaction of a request.
    pub(crate) fn entry(request: Request, number: u64, last_valid: u64) -> Entry {
        let transaction = Transaction {
            first_valid: 1,
            last_valid,
            nonce: request.nonce(number),
            operations: vec![Operation::Add("bob".into(), 1)],
            claims: Vec::new(),
        };
        let signed = SignedTransaction::sign(transaction, &DICTIONARY, &[SigningKey::from_bytes(&[9; 32])]);
        Entry { request, number, dictionary: DICTIONARY, signed, applied: None }
    }

    #[test]
    fn a_request_is_what_was_asked_and_by_whom_whatever_the_order_of_the_signers() {
        let of = |signers: &[[u8; 32]], amount| {
            Request::new(&DICTIONARY, signers, &[Operation::Sub("alice".into(), amount)])
        };
        assert_eq!(of(&[[1; 32], [2; 32]], 5), of(&[[2; 32], [1; 32], [1; 32]], 5));
        assert_ne!(of(&[[1; 32]], 5), of(&[[2; 32]], 5));
        assert_ne!(of(&[[1; 32]], 5), of(&[[1; 32]], 6));
        let elsewhere = Request::new(&DictionaryId([6; 32]), &[[1; 32]], &[Operation::Sub("alice".into(), 5)]);
        assert_ne!(of(&[[1; 32]], 5), elsewhere);
        assert_eq!(request(1).nonce(0), request(1).nonce(0));
        assert_ne!(request(1).nonce(0), request(1).nonce(1));
        assert_ne!(request(1).nonce(0), request(2).nonce(0));
    }

    #[test]
    fn a_transaction_is_found_by_its_request_and_by_its_id_and_stays_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::beside(&folder.path().join("alice.key"));
        assert_eq!(outbox.newest(&request(1)).unwrap(), None);
        let entries = [0, 1, 10].map(|number| entry(request(1), number, 7 + number));
        entries.iter().for_each(|entry| outbox.keep(entry).unwrap());
        outbox.keep(&entry(request(2), 0, 9)).unwrap();
        assert_eq!(outbox.newest(&request(1)).unwrap().as_ref(), Some(&entries[2]));
        assert_eq!(outbox.find(&entries[1].id()).unwrap(), entries[1]);
        assert!(matches!(outbox.find(&TransactionId([0; 32])), Err(OutboxError::Unknown { .. })));

        assert!(matches!(outbox.keep(&entry(request(1), 10, 99)), Err(OutboxError::Taken(_))));
        assert_eq!(outbox.newest(&request(1)).unwrap().as_ref(), Some(&entries[2]));
        outbox.is_applied(&entries[2], 12).unwrap();
        assert_eq!(outbox.newest(&request(1)).unwrap().unwrap().applied, Some(12));
        assert_eq!(std::fs::read_dir(folder.path().join("alice.key.sent")).unwrap().count(), 4);
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_read_what_was_signed() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::new(folder.path().join("sent"));
        let kept = entry(request(1), 0, 7);
        outbox.keep(&kept).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder.path().join("sent")), mode(&outbox.file(&kept))), (0o700, 0o600));
        outbox.is_applied(&kept, 3).unwrap();
        assert_eq!(mode(&outbox.file(&kept)), 0o600);
    }

    #[test]
    fn a_file_that_was_changed_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::new(folder.path().to_owned());
        let kept = entry(request(1), 0, 7);
        outbox.keep(&kept).unwrap();
        let path = outbox.file(&kept);
        let text = std::fs::read_to_string(&path).unwrap();
        for (from, to) in [("\"format\": 1", "\"format\": 2"), ("\"id\": \"0x", "\"id\": \"0x00"), ("}", "")] {
            std::fs::write(&path, text.replace(from, to)).unwrap();
            let error = outbox.newest(&request(1)).unwrap_err();
            assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
        }
        let other = hex::encode(entry(request(2), 0, 7).id().0);
        std::fs::write(&path, text.replace(&hex::encode(kept.id().0), &other)).unwrap();
        assert!(matches!(outbox.newest(&request(1)), Err(OutboxError::Malformed(_, reason)) if reason.contains("id")));
    }
}
