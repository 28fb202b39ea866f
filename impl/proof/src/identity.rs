//! What a dictionary's id is over (`aardvark_spec::answer::rooted_answer`): a proof that brings it
//! along is judged under a state root alone, since the root binds the id.
//!
//! It is in `docs/format.md`, "Genesis and the dictionary id": `bytes8(name) || salt (32) ||
//! parameters_bytes (41) || setup_digest (32) || content_digest (32) || binding`.

use aardvark_algebra::TaggedHash;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::parameters::PARAMETER_BYTES;
use aardvark_dictionary::root::Digest;
use aardvark_dictionary::{DictionaryId, Identity, Parameters};
use serde::{Deserialize, Serialize};

use crate::answer_reason::{Reason, Refusal};
use crate::hex_text;
use crate::setup::verifier;
use crate::strict_json::object_types;

/// What a dictionary's id is over, as a proof says it. Only its digest makes it true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct DictionaryIdentity {
    /// The dictionary's name: any bytes, 1 to 255 of them where it is well-formed. Whoever shows it
    /// to people must expect more than letters.
    #[serde(with = "hex_text::bytes")]
    pub name: Vec<u8>,
    /// The salt.
    #[serde(with = "hex_text::array")]
    pub salt: [u8; 32],
    /// The parameters, encoded.
    #[serde(with = "hex_text::array")]
    pub parameters: [u8; PARAMETER_BYTES],
    /// The digest of the scheme's setup.
    #[serde(with = "hex_text::array")]
    pub setup_digest: Digest,
    /// The digest of the first keys and values.
    #[serde(with = "hex_text::array")]
    pub content_digest: Digest,
    /// What the id binds besides.
    #[serde(with = "hex_text::bytes")]
    pub binding: Vec<u8>,
}

object_types!(DictionaryIdentity);

impl DictionaryIdentity {
    /// The identity of a dictionary.
    pub fn new(identity: &Identity, parameters: &Parameters, setup_digest: Digest, content_digest: Digest) -> Self {
        Self {
            name: identity.name().as_bytes().to_vec(),
            salt: *identity.salt(),
            parameters: parameters.to_bytes(),
            setup_digest,
            content_digest,
            binding: identity.binding().to_vec(),
        }
    }

    /// The id of the dictionary that has this identity.
    pub fn id(&self) -> DictionaryId {
        let hash = TaggedHash::new("AARDVARK-V2-DICTIONARY")
            // A longer name is refused before its id is asked for.
            .chain([u8::try_from(self.name.len()).unwrap_or(u8::MAX)])
            .chain(&self.name)
            .chain(self.salt)
            .chain(self.parameters)
            .chain(self.setup_digest)
            .chain(self.content_digest)
            .chain(&self.binding);
        DictionaryId(hash.finalize())
    }

    /// The parameters, where this is an identity that a dictionary can have.
    ///
    /// # Errors
    /// [`Reason::PartsMalformed`].
    pub fn checked_parameters(&self) -> Result<Parameters, Refusal> {
        let parameters = Parameters::from_bytes(&self.parameters).ok().filter(|found| found.check().is_ok());
        parameters
            .filter(|_| (1..=255).contains(&self.name.len()))
            .ok_or_else(|| Refusal::whole(Reason::PartsMalformed))
    }

    /// A scheme to verify with, on the published setup that the identity names: ready in
    /// milliseconds.
    ///
    /// # Errors
    /// [`Reason::PartsMalformed`]; [`Reason::OtherScheme`] where the setup is not a published one.
    pub fn verifier(&self) -> Result<Scheme, Refusal> {
        let Parameters { scheme, vector_size, .. } = self.checked_parameters()?;
        let scheme = verifier(scheme, vector_size).map_err(|_| Refusal::whole(Reason::PartsMalformed))?;
        self.check_setup(&scheme)?;
        Ok(scheme)
    }

    /// Whether a scheme is on the setup of the identity, for its vector size.
    pub(crate) fn check_setup(&self, scheme: &Scheme) -> Result<(), Refusal> {
        let parameters = self.checked_parameters()?;
        if parameters.scheme != scheme.kind() || self.setup_digest != scheme.setup_digest() {
            return Err(Refusal::whole(Reason::OtherScheme));
        }
        if parameters.positions_per_vector() != scheme.vector_size() as u64 {
            return Err(Refusal::whole(Reason::OtherVectorSize));
        }
        Ok(())
    }
}
