//! Puts notes together line by line, and collects them with their verdicts.

use base64ct::{Base64, Encoding as _};
use ed25519_dalek::{Signer as _, SigningKey};

use crate::vectors::flags::Flag;
use crate::vectors::hex_text::Hex;
use crate::vectors::note_case::{NoteCase, NoteExpected, RefusedNoteJson, SignedJson};
use crate::vectors::proof_case::ClassJson;

/// The dictionary's name in most notes.
pub(super) const ORIGIN: &str = "packages of a distribution";
/// The version in most notes.
pub(super) const VERSION: &str = "7";
/// The root, in whose base64 stand digits of both alphabets.
pub(super) const ROOT: [u8; 32] = [0xfb; 32];

/// A key with a name.
pub(super) struct Signer {
    name: &'static str,
    key: SigningKey,
}

impl Signer {
    pub(super) fn new(name: &'static str, seed: u8) -> Self {
        Self { name, key: SigningKey::from_bytes(&[seed; 32]) }
    }

    /// The kind of key, and the key.
    pub(super) fn typed(&self) -> Vec<u8> {
        [&[1], self.key.verifying_key().as_bytes().as_slice()].concat()
    }

    /// SHA-256 of name, line break and typed key, of which the first four bytes.
    pub(super) fn hash(&self) -> [u8; 4] {
        use sha2::{Digest as _, Sha256};
        let hash = Sha256::new().chain_update(self.name).chain_update("\n").chain_update(self.typed()).finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// The key's text.
    pub(super) fn public(&self) -> String {
        format!("{}+{}+{}", self.name, hex::encode(self.hash()), Base64::encode_string(&self.typed()))
    }

    pub(super) fn sign(&self, text: &str) -> Vec<u8> {
        self.key.sign(text.as_bytes()).to_bytes().to_vec()
    }

    /// The line of a signature on a text.
    pub(super) fn line(&self, text: &str) -> String {
        line(self.name, &self.hash(), &self.sign(text))
    }
}

pub(super) fn line(name: &str, hash: &[u8], signature: &[u8]) -> String {
    format!("\u{2014} {name} {}\n", Base64::encode_string(&[hash, signature].concat()))
}

/// The text that is signed.
pub(super) fn statement(origin: &str, version: &str, root: &str) -> String {
    format!("{origin}\n{version}\n{root}\n")
}

pub(super) fn root_text() -> String {
    Base64::encode_string(&ROOT)
}

pub(super) fn ordinary() -> String {
    statement(ORIGIN, VERSION, &root_text())
}

/// The tests so far, and who signs.
pub(super) struct Maker {
    pub(super) publisher: Signer,
    pub(super) witness: Signer,
    pub(super) stranger: Signer,
    pub(super) tests: Vec<(String, Vec<Flag>, NoteCase)>,
}

impl Default for Maker {
    fn default() -> Self {
        Self {
            publisher: Signer::new("publisher.example", 1),
            witness: Signer::new("witness.example", 2),
            stranger: Signer::new("stranger.example", 3),
            tests: Vec::new(),
        }
    }
}

impl Maker {
    pub(super) fn put(
        &mut self,
        comment: &str,
        flags: &[Flag],
        keys: Vec<String>,
        note: &[u8],
        expected: NoteExpected,
    ) {
        let (note, bytes) = match std::str::from_utf8(note) {
            Ok(text) => (Some(text.to_owned()), None),
            Err(_) => (None, Some(Hex(note.to_vec()))),
        };
        self.tests.push((comment.to_owned(), flags.to_vec(), NoteCase { keys, note, bytes, expected }));
    }

    /// A note that the publisher's key opens.
    pub(super) fn signed(&mut self, comment: &str, flags: &[Flag], note: &str, others: &[&str]) {
        let expected = signed(ORIGIN, 7, others);
        self.put(comment, flags, vec![self.publisher.public()], note.as_bytes(), expected);
    }

    /// A note that nobody can read, whoever signed it.
    pub(super) fn unreadable(&mut self, comment: &str, flag: Flag, note: &[u8]) {
        let expected = refused("Unreadable", ClassJson::Malformed);
        self.put(comment, &[flag], vec![self.publisher.public()], note, expected);
    }

    /// A text that the publisher signed as it stands.
    pub(super) fn published(&self, text: &str) -> String {
        format!("{text}\n{}", self.publisher.line(text))
    }
}

pub(super) fn signed(origin: &str, version: u64, others: &[&str]) -> NoteExpected {
    NoteExpected::Signed(SignedJson {
        origin: origin.to_owned(),
        version,
        root: Hex(ROOT.to_vec()),
        others: others.iter().map(|&name| name.to_owned()).collect(),
    })
}

pub(super) fn refused(reason: &str, class: ClassJson) -> NoteExpected {
    NoteExpected::Refused(RefusedNoteJson { reason: reason.to_owned(), class })
}
