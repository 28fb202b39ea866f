//! Genesis and the dictionary id (`aardvark_spec::dictionary::genesis`).
//!
//! Two dictionaries that differ in name, salt, binding, any parameter, the setup or their first
//! content have different ids, and share no proof, transaction or signature.

use aardvark_algebra::integers::u64_of_usize;

use crate::data::bytes::{Key, Value};
use crate::data::identity::{ContentHasher, DictionaryId, Identity, NameError};
use crate::data::parameters::{ParameterError, Parameters};
use crate::data::slot::Slot;

/// What version 0 is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genesis {
    identity: Identity,
    parameters: Parameters,
    setup_digest: [u8; 32],
    entries: Vec<(Key, Value)>,
    id: DictionaryId,
    complete: bool,
}

/// Why something cannot be a genesis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenesisError {
    /// Parameters that are not legal.
    #[error(transparent)]
    Parameters(#[from] ParameterError),
    /// A name that is none.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A key that is empty or too long.
    #[error("the key {0} is empty or too long")]
    Key(Key),
    /// A value that is too long.
    #[error("the value of key {0} is too long")]
    Value(Key),
    /// Keys that do not strictly ascend.
    #[error("the key {0} is out of order or stands twice")]
    Order(Key),
}

impl Genesis {
    /// A genesis with `entries` in strictly ascending key order; `setup_digest` is that of the
    /// scheme's setup.
    ///
    /// # Errors
    /// [`GenesisError`] names the first parameter or key that is not legal.
    pub fn new(
        identity: Identity,
        parameters: Parameters,
        setup_digest: [u8; 32],
        entries: Vec<(Key, Value)>,
    ) -> Result<Self, GenesisError> {
        parameters.check()?;
        for (key, value) in &entries {
            if key.is_empty() || key.len() > usize::from(parameters.max_key_length) {
                return Err(GenesisError::Key(key.clone()));
            }
            if value.len() > usize::from(parameters.max_value_length) {
                return Err(GenesisError::Value(key.clone()));
            }
        }
        let ascending = entries.iter().zip(entries.iter().skip(1)).find(|((a, _), (b, _))| a >= b);
        match ascending {
            Some((_, (key, _))) => Err(GenesisError::Order(key.clone())),
            None => {
                let id = identity.dictionary_id(&parameters, &setup_digest, &content_digest(&entries));
                Ok(Self { identity, parameters, setup_digest, entries, id, complete: true })
            }
        }
    }

    /// The genesis of a dictionary whose first content is known by its digest only
    /// ([`ContentHasher`]). It has the dictionary's id and no entries: no version 0 can be made
    /// from it.
    ///
    /// # Errors
    /// [`GenesisError::Parameters`].
    pub fn without_content(
        identity: Identity,
        parameters: Parameters,
        setup_digest: [u8; 32],
        content_digest: &[u8; 32],
    ) -> Result<Self, GenesisError> {
        parameters.check()?;
        let id = identity.dictionary_id(&parameters, &setup_digest, content_digest);
        Ok(Self { identity, parameters, setup_digest, entries: Vec::new(), id, complete: false })
    }

    /// Whether the entries are here, so that version 0 can be made.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Name, salt and binding.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The digest of the setup.
    pub fn setup_digest(&self) -> &[u8; 32] {
        &self.setup_digest
    }

    /// The keys and values of version 0, ascending; none where the genesis is not complete.
    pub fn entries(&self) -> &[(Key, Value)] {
        &self.entries
    }

    /// The dictionary id (`docs/format.md`, Genesis).
    pub fn dictionary_id(&self) -> DictionaryId {
        self.id
    }

    /// The dense array of version 0: the sentinel, then the entries, linked into one ring.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        let nexts = self.entries.iter().map(|(key, _)| key.clone()).chain([Key::empty()]);
        let sentinel = (Key::empty(), Value::empty());
        let heads = [sentinel].into_iter().chain(self.entries.iter().cloned());
        heads.zip(nexts).map(|((key, value), next)| Slot { key, value, next })
    }
}

fn content_digest(entries: &[(Key, Value)]) -> [u8; 32] {
    let mut hasher = ContentHasher::new(u64_of_usize(entries.len()));
    entries.iter().for_each(|(key, value)| hasher.add(key, value));
    hasher.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> Identity {
        Identity::new("test", [0; 32]).unwrap()
    }

    fn entries(keys: &[&str]) -> Vec<(Key, Value)> {
        keys.iter().map(|key| (Key::from(*key), Value::from("v"))).collect()
    }

    #[test]
    fn genesis_links_the_sentinel_and_its_entries_into_one_ring() {
        let genesis = Genesis::new(identity(), Parameters::default(), [0; 32], entries(&["a", "b"])).unwrap();
        let ring: Vec<_> = genesis.slots().map(|slot| (slot.key.to_string(), slot.next.to_string())).collect();
        let expected = [("\"\"", "\"a\""), ("\"a\"", "\"b\""), ("\"b\"", "\"\"")];
        assert_eq!(ring, expected.map(|(key, next)| (key.to_owned(), next.to_owned())));
    }

    #[test]
    fn a_genesis_without_its_content_has_the_same_id_and_makes_no_state() {
        let whole = Genesis::new(identity(), Parameters::default(), [0; 32], entries(&["a", "b"])).unwrap();
        let mut hasher = ContentHasher::new(2);
        whole.entries().iter().for_each(|(key, value)| hasher.add(key, value));
        let digest = hasher.finish().unwrap();
        let head = Genesis::without_content(identity(), Parameters::default(), [0; 32], &digest).unwrap();
        assert_eq!((head.dictionary_id(), head.entries()), (whole.dictionary_id(), [].as_slice()));
        assert!(whole.is_complete() && !head.is_complete());
    }

    #[test]
    fn illegal_entries_are_named() {
        let make = |keys: &[&str]| Genesis::new(identity(), Parameters::default(), [0; 32], entries(keys));
        assert_eq!(make(&[""]), Err(GenesisError::Key("".into())));
        assert_eq!(make(&["b", "a"]), Err(GenesisError::Order("a".into())));
        assert_eq!(make(&["a", "a"]), Err(GenesisError::Order("a".into())));
        assert!(matches!(make(&[&"k".repeat(256)]), Err(GenesisError::Key(_))));
        let long = vec![(Key::from("a"), Value::from(vec![0; 1025]))];
        assert_eq!(
            Genesis::new(identity(), Parameters::default(), [0; 32], long),
            Err(GenesisError::Value("a".into()))
        );
    }

    #[test]
    fn the_id_depends_on_parameters_setup_and_entries() {
        let id = |parameters: Parameters, digest: u8, keys: &[&str]| {
            Genesis::new(identity(), parameters, [digest; 32], entries(keys)).unwrap().dictionary_id()
        };
        let original = id(Parameters::default(), 0, &["a"]);
        assert_ne!(original, id(Parameters { window: 11, ..Parameters::default() }, 0, &["a"]));
        assert_ne!(original, id(Parameters::default(), 1, &["a"]));
        assert_ne!(original, id(Parameters::default(), 0, &["b"]));
        assert_ne!(original, id(Parameters::default(), 0, &[]));
    }
}
