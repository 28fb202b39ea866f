//! A version's state root in a signed note (C2SP `signed-note`): what a publisher signs, and what a
//! reader takes for the root who knows the publisher's key.
//!
//! ```text
//! packages
//! 7
//! q0cs0JBFTCSHbjzgsDTNOTLCfnyGxsvEPFTCeSsNSMY=
//!
//! — packages 8yQ3Rw4zcGpW…
//! — witness.example 1IWkDQn0…
//! ```
//!
//! The text has three lines: the origin, which is the dictionary's name; the version; the root's 32
//! bytes in base64. Behind an empty line each signature has a line: the name of its key, and in
//! base64 four bytes that tell keys of one name apart, then the Ed25519 signature of the text. Any
//! number of others may sign the same text; lines by keys that a reader does not know are left
//! alone, whatever kind they are.
//!
//! Keys and notes are those of `golang.org/x/mod/sumdb/note`, and what that program refuses is
//! refused here. Beyond it base64 has one form only, and the text is one of the above.
//!
//! ```
//! use aardvark_note::{NoteError, RootStatement, SignedNote};
//! use ed25519_dalek::SigningKey;
//!
//! // Who publishes signs; the key's text goes to readers by some way that they trust.
//! let mut note = SignedNote::unsigned(RootStatement::new("packages", 7, [1; 32])?);
//! let publisher = note.sign("packages", &SigningKey::from_bytes(&[2; 32]))?;
//!
//! // Who reads knows the key, and takes the note from anybody.
//! let received = SignedNote::read(note.to_text().as_bytes())?;
//! let statement = received.signed_by(&[publisher.to_string().parse()?])?;
//! assert_eq!((statement.version(), statement.root()), (7, &[1; 32]));
//!
//! // Another version was not signed.
//! let forged = note.to_text().replacen("\n7\n", "\n8\n", 1);
//! let forged = SignedNote::read(forged.as_bytes())?;
//! assert!(matches!(forged.signed_by(&[publisher]), Err(NoteError::SignatureFalse(_))));
//! # Ok::<(), NoteError>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

use std::fmt;
use std::str::FromStr;

use aardvark_dictionary::root::Digest;
use aardvark_proof::Class;
use base64ct::{Base64, Encoding as _};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// Most bytes of a note that is read.
pub const LARGEST_NOTE: u64 = 1 << 16;
/// Most signatures of a note that is read.
pub const MOST_SIGNATURES: usize = 100;

/// What a signature's line begins with.
const DASH: &str = "\u{2014} ";
/// Ed25519 among the kinds of keys.
const ED25519: u8 = 1;
/// Bytes that tell keys of one name apart.
const HASH_BYTES: usize = 4;

/// Why a note is none, or is not signed as it has to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteError {
    /// More bytes than [`LARGEST_NOTE`], or more signatures than [`MOST_SIGNATURES`].
    #[error("a note has at most {LARGEST_NOTE} bytes and {MOST_SIGNATURES} signatures")]
    TooLong,
    /// Not a note of this form.
    #[error("line {line}: {what}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A dictionary's name that cannot stand on a line of its own.
    #[error("{0:?} cannot be the origin of a note: it has a control character, or nothing but spaces")]
    Origin(String),
    /// A name that no key can have.
    #[error("{0:?} cannot be the name of a key: it must not be empty, and has neither a space nor a +")]
    KeyName(String),
    /// Text that is no publisher's key.
    #[error("a publisher's key is NAME+HASH+KEY: {0}")]
    PublisherKey(&'static str),
    /// Nobody has signed with the key.
    #[error("the note is not signed by {0}")]
    NotSigned(String),
    /// The key's signature is of something else.
    #[error("the signature of {0} is false")]
    SignatureFalse(String),
}

impl NoteError {
    /// Whether the note is malformed, by others, or falsely signed.
    pub fn class(&self) -> Class {
        match self {
            Self::SignatureFalse(_) => Class::False,
            Self::NotSigned(_) => Class::Other,
            _ => Class::Malformed,
        }
    }

    /// The error's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooLong => "NoteTooLong",
            Self::Malformed { .. } => "NoteMalformed",
            Self::Origin(_) => "NoteOrigin",
            Self::KeyName(_) => "KeyName",
            Self::PublisherKey(_) => "PublisherKey",
            Self::NotSigned(_) => "NotSigned",
            Self::SignatureFalse(_) => "SignatureFalse",
        }
    }
}

/// What a note says: the root of a version of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootStatement {
    origin: String,
    version: u64,
    root: Digest,
}

impl RootStatement {
    /// The root of a version of the dictionary with a name.
    ///
    /// # Errors
    /// [`NoteError::Origin`].
    pub fn new(origin: impl Into<String>, version: u64, root: Digest) -> Result<Self, NoteError> {
        let origin = origin.into();
        if origin.chars().all(char::is_whitespace) || origin.chars().any(char::is_control) {
            return Err(NoteError::Origin(origin));
        }
        Ok(Self { origin, version, root })
    }

    /// The dictionary's name.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The version.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The state root.
    pub fn root(&self) -> &Digest {
        &self.root
    }

    /// The text that is signed.
    fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.version, Base64::encode_string(&self.root))
    }

    fn read(text: &str) -> Result<Self, NoteError> {
        let malformed = |line, what| NoteError::Malformed { line, what };
        let lines: Vec<&str> = text.lines().collect();
        let &[origin, number, root] = lines.as_slice() else {
            return Err(malformed(lines.len().min(4), "the text has three lines: origin, version, root"));
        };
        let version = number.parse().map_err(|_| malformed(2, "a version is a number of 64 bits"))?;
        let mut digest = Digest::default();
        let decoded = Base64::decode(root, &mut digest).map(<[u8]>::len);
        if decoded != Ok(digest.len()) {
            return Err(malformed(3, "a root is 32 bytes in base64"));
        }
        let statement = Self::new(origin, version, digest).map_err(|_| malformed(1, "no origin"))?;
        // One statement has one text: no sign, no leading zero, no other white space.
        if statement.text() != text {
            return Err(malformed(2, "a version has neither a sign nor leading zeros"));
        }
        Ok(statement)
    }
}

/// A publisher's name and public key; as text `NAME+HASH+KEY`, hash in hexadecimal and key in
/// base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublisherKey {
    name: String,
    key: VerifyingKey,
}

impl PublisherKey {
    /// A key with a name, which is not empty and has neither a space nor a +.
    ///
    /// # Errors
    /// [`NoteError::KeyName`].
    pub fn new(name: impl Into<String>, key: VerifyingKey) -> Result<Self, NoteError> {
        let name = name.into();
        if is_key_name(&name) { Ok(Self { name, key }) } else { Err(NoteError::KeyName(name)) }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind of key, and the key.
    fn typed(&self) -> Vec<u8> {
        [&[ED25519], self.key.as_bytes().as_slice()].concat()
    }

    /// What tells it apart from other keys of its name.
    fn hash(&self) -> [u8; HASH_BYTES] {
        let hash: [u8; 32] =
            Sha256::new_with_prefix(&self.name).chain_update(b"\n").chain_update(self.typed()).finalize().into();
        let [a, b, c, d, ..] = hash;
        [a, b, c, d]
    }

    /// Whether a line says that it is by this key.
    pub fn is_named_by(&self, line: &NoteSignature) -> bool {
        line.name == self.name && line.hash == self.hash()
    }

    fn verifies(&self, text: &str, line: &NoteSignature) -> bool {
        Signature::from_slice(&line.signature)
            .is_ok_and(|signature| self.key.verify_strict(text.as_bytes(), &signature).is_ok())
    }
}

impl fmt::Display for PublisherKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}+{}", self.name, hex::encode(self.hash()), Base64::encode_string(&self.typed()))
    }
}

impl FromStr for PublisherKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let fault = NoteError::PublisherKey;
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(hash), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(fault("there are not three parts"));
        };
        let mut typed = [0; 33];
        let decoded = Base64::decode(key, &mut typed).map(<[u8]>::len);
        let [kind, key @ ..] = typed;
        if decoded != Ok(typed.len()) || kind != ED25519 {
            return Err(fault("the key is not one of Ed25519 in base64"));
        }
        let key = VerifyingKey::from_bytes(&key).map_err(|_| fault("the key is no point of the curve"))?;
        let publisher = Self::new(name, key)?;
        if hex::encode(publisher.hash()) != hash {
            return Err(fault("the hash is not that of name and key; was it copied whole?"));
        }
        Ok(publisher)
    }
}

/// Whether a key can have a name.
fn is_key_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|character| character.is_whitespace() || character == '+')
}

/// A signature on a note, by whoever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    name: String,
    hash: [u8; HASH_BYTES],
    signature: Vec<u8>,
}

impl NoteSignature {
    /// The name of the key that it says it is by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The four bytes that tell keys of one name apart, in hexadecimal.
    pub fn key_hash(&self) -> String {
        hex::encode(self.hash)
    }

    fn read(line: &str) -> Result<Self, &'static str> {
        let (name, text) = line
            .strip_prefix(DASH)
            .and_then(|line| line.split_once(' '))
            .ok_or("a signature is a dash, the name of a key and base64, with a space between them")?;
        if !is_key_name(name) {
            return Err("no name of a key");
        }
        let bytes = Base64::decode_vec(text).map_err(|_| "the signature is not base64")?;
        match bytes.split_first_chunk() {
            Some((hash, signature)) if !signature.is_empty() => {
                Ok(Self { name: name.to_owned(), hash: *hash, signature: signature.to_vec() })
            }
            _ => Err("the signature is too short"),
        }
    }

    fn line(&self) -> String {
        let bytes = [self.hash.as_slice(), &self.signature].concat();
        format!("{DASH}{} {}\n", self.name, Base64::encode_string(&bytes))
    }
}

/// A statement with signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedNote {
    statement: RootStatement,
    signatures: Vec<NoteSignature>,
}

impl SignedNote {
    /// A statement that nobody has signed yet.
    pub fn unsigned(statement: RootStatement) -> Self {
        Self { statement, signatures: Vec::new() }
    }

    /// Reads a note. Nothing of it is verified.
    ///
    /// # Errors
    /// [`NoteError::TooLong`], [`NoteError::Malformed`].
    pub fn read(bytes: &[u8]) -> Result<Self, NoteError> {
        if bytes.len() as u64 > LARGEST_NOTE {
            return Err(NoteError::TooLong);
        }
        let malformed = |line, what| NoteError::Malformed { line, what };
        let note = std::str::from_utf8(bytes).map_err(|_| malformed(1, "a note is UTF-8"))?;
        let is_plain = |line: &str| !line.chars().any(|character| character < ' ');
        if let Some(line) = note.split('\n').position(|line| !is_plain(line)) {
            return Err(malformed(line.saturating_add(1), "a control character"));
        }
        let (text, lines) = note.rsplit_once("\n\n").ok_or(malformed(1, "no empty line before signatures"))?;
        let text = format!("{text}\n");
        let above = text.lines().count().saturating_add(1);
        let count = lines.lines().count();
        let lines = lines.strip_suffix('\n').ok_or(malformed(above.saturating_add(count), "it does not end a line"))?;
        if count > MOST_SIGNATURES {
            return Err(NoteError::TooLong);
        }
        let statement = RootStatement::read(&text)?;
        let read = |(line, text)| NoteSignature::read(text).map_err(|what| malformed(line, what));
        let signatures = (above.saturating_add(1)..).zip(lines.split('\n')).map(read).collect::<Result<_, _>>()?;
        Ok(Self { statement, signatures })
    }

    /// The note, with a line break at the end.
    pub fn to_text(&self) -> String {
        let lines: String = self.signatures.iter().map(NoteSignature::line).collect();
        format!("{}\n{lines}", self.statement.text())
    }

    /// What it says, which anybody may have written: [`SignedNote::signed_by`] says whether it is
    /// signed.
    pub fn unverified_statement(&self) -> &RootStatement {
        &self.statement
    }

    /// The signatures, of which nothing is verified.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Adds a signature, in the place of one with the same key; the others stay.
    ///
    /// # Errors
    /// [`NoteError::KeyName`], and [`NoteError::TooLong`] where nobody would read the note.
    pub fn sign(&mut self, name: &str, key: &SigningKey) -> Result<PublisherKey, NoteError> {
        let publisher = PublisherKey::new(name, key.verifying_key())?;
        let signature = key.sign(self.statement.text().as_bytes()).to_bytes().to_vec();
        let mut signed = self.clone();
        signed.signatures.retain(|line| !publisher.is_named_by(line));
        signed.signatures.push(NoteSignature { name: name.to_owned(), hash: publisher.hash(), signature });
        if signed.signatures.len() > MOST_SIGNATURES || signed.to_text().len() as u64 > LARGEST_NOTE {
            return Err(NoteError::TooLong);
        }
        *self = signed;
        Ok(publisher)
    }

    /// Whether a key signed a line of the note. The first line that names the key counts.
    ///
    /// # Errors
    /// [`NoteError::NotSigned`], [`NoteError::SignatureFalse`].
    pub fn check(&self, key: &PublisherKey) -> Result<(), NoteError> {
        let line = self.signatures.iter().find(|line| key.is_named_by(line));
        let line = line.ok_or_else(|| NoteError::NotSigned(key.to_string()))?;
        match key.verifies(&self.statement.text(), line) {
            true => Ok(()),
            false => Err(NoteError::SignatureFalse(key.to_string())),
        }
    }

    /// What the note says, if every one of these keys has signed it. Without a key nobody has.
    ///
    /// # Errors
    /// As [`SignedNote::check`], of the first key that fails; [`NoteError::PublisherKey`] where
    /// there is no key.
    pub fn signed_by(&self, keys: &[PublisherKey]) -> Result<&RootStatement, NoteError> {
        if keys.is_empty() {
            return Err(NoteError::PublisherKey("none was given"));
        }
        keys.iter().try_for_each(|key| self.check(key))?;
        Ok(&self.statement)
    }
}
