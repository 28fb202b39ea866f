//! A line of a note with a signature, of which nothing is verified.

use base64ct::{Base64, Encoding as _};

/// What a signature's line begins with.
const DASH: &str = "\u{2014} ";
/// Bytes that tell keys of one name apart.
pub(crate) const HASH_BYTES: usize = 4;

/// A signature on a note, by whoever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// The name of a key.
    pub(crate) name: String,
    /// What tells it apart from others of its name.
    pub(crate) hash: [u8; HASH_BYTES],
    /// The signature's bytes, 64 of them where the key is one of Ed25519.
    pub(crate) signature: Vec<u8>,
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

    /// What a line says, without the break at its end.
    pub(crate) fn read(line: &str) -> Result<Self, &'static str> {
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

    /// The line, with the break at its end.
    pub(crate) fn line(&self) -> String {
        let bytes = [self.hash.as_slice(), &self.signature].concat();
        format!("{DASH}{} {}\n", self.name, Base64::encode_string(&bytes))
    }
}

/// Whether a key can have a name.
pub(crate) fn is_key_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|character| character.is_whitespace() || character == '+')
}
