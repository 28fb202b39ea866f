//! What a light client has to know of a dictionary before it verifies: id, scheme, vector size,
//! window.
//!
//! The root is over the dictionary's **id**, which hides the rest; a vector size that is merely
//! received would let slots be forged. So they come from a genesis, whoever gives it: it is the
//! right one when its id is under the root.

use std::sync::Arc;

use aardvark_algebra::integers::usize_of_u32;
use aardvark_commitment::{CommitmentError, Kzg, Scheme, SchemeKind};
use aardvark_dictionary::{DictionaryId, Genesis};

/// What never changes of a chain's dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DictionaryFacts {
    /// The dictionary's id.
    pub id: DictionaryId,
    /// Its vector commitment.
    pub scheme: SchemeKind,
    /// N, slots per vector.
    pub vector_size: u32,
    /// W, for how many versions a claim stays good.
    pub window: u32,
}

impl DictionaryFacts {
    /// The facts of a genesis.
    pub fn of_genesis(genesis: &Genesis) -> Self {
        let parameters = genesis.parameters();
        Self {
            id: genesis.dictionary_id(),
            scheme: parameters.scheme,
            vector_size: parameters.vector_size,
            window: parameters.window,
        }
    }

    /// A scheme that verifies and nothing else, ready in milliseconds. A chain has none but KZG.
    ///
    /// # Errors
    /// A vector size that no dictionary has.
    pub fn verifier(&self) -> Result<Arc<Scheme>, CommitmentError> {
        let vector_size = usize_of_u32(self.vector_size);
        Kzg::verifier(vector_size).map(|kzg| Arc::new(Scheme::from(kzg)))
    }
}
