//! Keys of publishers and cosigners, as text and as what verifies a line.

use std::fmt;
use std::str::FromStr;

use base64ct::{Base64, Encoding as _};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::note_error::NoteError;
use crate::note_signature::{HASH_BYTES, NoteSignature, is_key_name};

/// Ed25519 among the kinds of keys.
const ED25519: u8 = 1;

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
    pub(crate) fn hash(&self) -> [u8; HASH_BYTES] {
        let hash: [u8; 32] =
            Sha256::new_with_prefix(&self.name).chain_update(b"\n").chain_update(self.typed()).finalize().into();
        let [a, b, c, d, ..] = hash;
        [a, b, c, d]
    }

    /// Whether a line says that it is by this key.
    pub fn is_named_by(&self, line: &NoteSignature) -> bool {
        line.name == self.name && line.hash == self.hash()
    }

    /// Whether a line's signature is this key's on a text.
    pub(crate) fn verifies(&self, text: &str, line: &NoteSignature) -> bool {
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
