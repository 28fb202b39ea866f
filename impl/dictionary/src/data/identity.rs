//! What tells a dictionary from all others: name, salt, and what the dictionary id binds besides
//! (`aardvark_spec::dictionary::genesis`, `docs/format.md`, Genesis and the dictionary id).

use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::{u8_or_max, u16_or_max};

use crate::data::bytes::{Key, Value};
use crate::data::parameters::Parameters;

/// Most bytes of a name.
pub const LONGEST_NAME: usize = 255;
/// Bytes of a salt.
pub const SALT_BYTES: usize = 32;

/// SHA-256 over all that makes a dictionary the one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DictionaryId(pub [u8; 32]);

/// Why something cannot be a dictionary's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// No byte, or more than [`LONGEST_NAME`].
    #[error("a dictionary's name has 1 to 255 bytes, not {0}")]
    Length(usize),
    /// A character that moves a terminal's cursor or is not seen.
    #[error("a dictionary's name has no control characters")]
    ControlCharacter,
}

/// A dictionary's name and salt, and its binding: bytes of no meaning here, which its id covers. It
/// is empty where a dictionary stands alone, and a chain's name and policy where validators agree
/// on its blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    name: String,
    salt: [u8; SALT_BYTES],
    binding: Vec<u8>,
}

impl Identity {
    /// The identity of a dictionary that stands alone. The salt should be random: it keeps two
    /// dictionaries of one name apart.
    ///
    /// # Errors
    /// [`NameError`].
    pub fn new(name: impl Into<String>, salt: [u8; SALT_BYTES]) -> Result<Self, NameError> {
        let name = name.into();
        if name.is_empty() || name.len() > LONGEST_NAME {
            return Err(NameError::Length(name.len()));
        }
        if name.chars().any(char::is_control) {
            return Err(NameError::ControlCharacter);
        }
        Ok(Self { name, salt, binding: Vec::new() })
    }

    /// The same with another binding.
    #[must_use]
    pub fn with_binding(self, binding: Vec<u8>) -> Self {
        Self { binding, ..self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The salt.
    pub fn salt(&self) -> &[u8; SALT_BYTES] {
        &self.salt
    }

    /// What the id covers besides.
    pub fn binding(&self) -> &[u8] {
        &self.binding
    }

    /// The id of the dictionary with this identity, these parameters, and setup and content of
    /// these digests.
    pub fn dictionary_id(
        &self,
        parameters: &Parameters,
        setup_digest: &[u8; 32],
        content_digest: &[u8; 32],
    ) -> DictionaryId {
        let hash = TaggedHash::new("AARDVARK-V2-DICTIONARY")
            .chain([u8_or_max(self.name.len())])
            .chain(&self.name)
            .chain(self.salt)
            .chain(parameters.to_bytes())
            .chain(setup_digest)
            .chain(content_digest)
            .chain(&self.binding);
        DictionaryId(hash.finalize())
    }
}

/// The digest of a dictionary's first keys and values, computed entry by entry.
#[derive(Clone, Debug)]
pub struct ContentHasher {
    hash: TaggedHash,
    missing: Option<u64>,
}

impl ContentHasher {
    /// A digest over as many entries as `count` says: their number comes first.
    pub fn new(count: u64) -> Self {
        Self { hash: TaggedHash::new("AARDVARK-V2-CONTENT").chain(count.to_be_bytes()), missing: Some(count) }
    }

    /// Adds the next entry. That keys ascend is the caller's to check.
    pub fn add(&mut self, key: &Key, value: &Value) {
        for bytes in [&**key, &**value] {
            self.hash.update(u16_or_max(bytes.len()).to_be_bytes());
            self.hash.update(bytes);
        }
        self.missing = self.missing.and_then(|missing| missing.checked_sub(1));
    }

    /// The digest; `None` where there were more entries or fewer than the count said.
    pub fn finish(self) -> Option<[u8; 32]> {
        (self.missing == Some(0)).then(|| self.digest())
    }

    /// The digest, for who has added as many as were announced.
    pub(crate) fn digest(self) -> [u8; 32] {
        self.hash.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_text_of_1_to_255_bytes_without_control_characters() {
        let name = |text: &str| Identity::new(text, [0; 32]).map(|identity| identity.name().to_owned());
        for good in ["a", "packages of Debian, bookworm", "Größe", &"n".repeat(255)] {
            assert_eq!(name(good), Ok(good.to_owned()));
        }
        assert_eq!(name(""), Err(NameError::Length(0)));
        assert_eq!(name(&"n".repeat(256)), Err(NameError::Length(256)));
        assert_eq!(name(&"ö".repeat(128)), Err(NameError::Length(256)));
        for bad in ["a\n", "\u{1b}[2K", "\u{7f}", "\u{85}"] {
            assert_eq!(name(bad), Err(NameError::ControlCharacter));
        }
    }

    #[test]
    fn the_id_depends_on_name_salt_and_binding_and_on_where_one_ends() {
        let id = |name: &str, salt: u8, binding: &[u8]| {
            let identity = Identity::new(name, [salt; 32]).unwrap().with_binding(binding.to_vec());
            identity.dictionary_id(&Parameters::default(), &[1; 32], &[2; 32])
        };
        let all = [id("a", 0, b""), id("b", 0, b""), id("a", 1, b""), id("a", 0, b"x"), id("a\u{30}", 0, b"")];
        for (index, one) in all.iter().enumerate() {
            assert_eq!(all.iter().filter(|other| *other == one).count(), 1, "{index}");
        }
        assert_eq!(all.first(), Some(&id("a", 0, b"")));
    }

    #[test]
    fn a_digest_of_content_wants_as_many_entries_as_were_announced() {
        let digest = |count: u64, entries: &[(&str, &str)]| {
            let mut hasher = ContentHasher::new(count);
            entries.iter().for_each(|(key, value)| hasher.add(&(*key).into(), &(*value).into()));
            hasher.finish()
        };
        let one = digest(1, &[("ab", "c")]);
        assert!(one.is_some());
        assert_ne!(one, digest(1, &[("a", "bc")]));
        assert_ne!(one, digest(2, &[("ab", "c"), ("b", "")]));
        assert_eq!(digest(2, &[("ab", "c")]), None);
        assert_eq!(digest(0, &[("ab", "c")]), None);
        assert_eq!(digest(1, &[("a", ""), ("b", ""), ("c", "")]), None);
    }
}
