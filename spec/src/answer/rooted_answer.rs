//! Answers for those who hold a state root and nothing else.
//!
//! The root binds the dictionary's id, and the id its name and parameters, the vector size among
//! them. So an answer that brings along what the id is over needs no second thing to be known: id
//! and vector size follow, and are the root's or else two strings of one digest are at hand. The
//! setup is the one that scheme, vector size and setup digest name. Source: docs/answers.md.

use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::answer::question::*;
use crate::answer::scan::*;
use crate::answer::verify::*;
use crate::base::bytes::*;
use crate::base::hash::*;
use crate::commitment::scheme::*;
use crate::dictionary::genesis::*;

/// What a dictionary's id is over; of the first keys and values, their digest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DictionaryIdentity {
    /// The dictionary's name, 1 to 255 bytes.
    pub identity_name: ByteString,
    /// The salt, 32 bytes.
    pub identity_salt: ByteString,
    /// The parameters.
    pub identity_parameters: Parameters,
    /// The digest of the scheme's setup, 32 bytes.
    pub identity_setup_digest: ByteString,
    /// The digest of the first keys and values, 32 bytes.
    pub identity_content_digest: ByteString,
    /// What the id binds besides.
    pub identity_binding: ByteString,
}

/// A proof, and what its dictionary's id is over.
#[derive(Clone, Debug)]
pub struct RootedProof {
    /// What the id is over.
    pub rooted_identity: DictionaryIdentity,
    /// The proof.
    pub rooted_proof: AnswerProof,
}

/// The identity that a genesis gives its dictionary.
pub fn identity_of_genesis(genesis: &Genesis) -> DictionaryIdentity {
    DictionaryIdentity {
        identity_name: genesis.genesis_name.clone(),
        identity_salt: genesis.genesis_salt.clone(),
        identity_parameters: genesis.genesis_parameters.clone(),
        identity_setup_digest: genesis.genesis_setup_digest.clone(),
        identity_content_digest: content_digest(&genesis.genesis_entries),
        identity_binding: genesis.genesis_binding.clone(),
    }
}

/// The bytes of an identity: those of [`identity_bytes`].
pub fn bytes_of_identity(identity: &DictionaryIdentity) -> ByteString {
    bytes8(&identity.identity_name)
        .concat(&identity.identity_salt)
        .concat(&encode_parameters(&identity.identity_parameters))
        .concat(&identity.identity_setup_digest)
        .concat(&identity.identity_content_digest)
        .concat(&identity.identity_binding)
}

/// The id of the dictionary that has an identity.
pub fn id_of_identity(identity: &DictionaryIdentity) -> ByteString {
    tagged_hash(&tag_dictionary(), &bytes_of_identity(identity))
}

/// Whether an identity is one that a legal genesis can have.
pub fn identity_well_formed(identity: &DictionaryIdentity) -> bool {
    parameters_legal(&identity.identity_parameters)
        && identity.identity_name.len() >= 1
        && identity.identity_name.len() <= 255
        && identity.identity_salt.len() == 32
        && identity.identity_setup_digest.len() == 32
        && identity.identity_content_digest.len() == 32
}

/// What is known of a root, once an identity is taken to be its dictionary's.
pub fn known_root_of(trusted_root: &ByteString, identity: &DictionaryIdentity) -> KnownRoot {
    KnownRoot {
        root_dictionary: id_of_identity(identity),
        root_vector_size: identity.identity_parameters.vector_size,
        root_digest: trusted_root.clone(),
    }
}

/// The answer that a proof gives to a question, under a root alone; or why it gives none.
pub fn verify_rooted_answer(
    setup: &Setup,
    trusted_root: &ByteString,
    question: &Question,
    proof: &RootedProof,
) -> Result<Answer, AnswerRefusal> {
    if identity_well_formed(&proof.rooted_identity) {
        let known = known_root_of(trusted_root, &proof.rooted_identity);
        verify_answer(setup, &Trusted::TrustedRoot(known), question, &proof.rooted_proof)
    } else {
        Err(refuse_answer(AnswerReason::PartsMalformed))
    }
}
