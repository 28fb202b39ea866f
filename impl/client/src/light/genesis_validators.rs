//! The validators of a chain that never changes them: those of CometBFT's genesis.json.
//!
//! **What is assumed here**: our application asks CometBFT for no change of the validators. What it
//! answers to InitChain and to FinalizeBlock lists none (`aardvark_node::validator`), so the
//! validators of each height are those of genesis. Whoever has the genesis file, as an archive that
//! follows the chain does, then verifies any header by itself:
//!
//! ```text
//! header of H: its hash is what the commit is for; its validators and next validators are those of genesis;
//!              more than two thirds of their power signed it         (`tendermint-light-client-verifier`'s predicates)
//! ```
//!
//! No header before it has to be trusted, and no period ends; what is verified is that the
//! validators decided this header, not that it is the newest, nor when they did. On a chain whose
//! validators change, the first header that announces others does not hold, whoever signed it.
//! [`headers`](crate::light::headers) has the rules for such chains, from a trusted header on.

use serde::Deserialize;
use tendermint::block::signed_header::SignedHeader;
use tendermint::validator::{Info, Set};
use tendermint::{PublicKey, account, vote};
use tendermint_light_client_verifier::types::UntrustedBlockState;
use tendermint_light_client_verifier::{ProdVerifier, Verdict};

use crate::light::headers::{HeaderFault, holds};
use crate::rpc::{SetFault, validator_set};

/// Why the validators of a genesis file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenesisValidatorsError {
    /// Not the JSON that it has to be, or a key of another kind than ed25519.
    #[error("the genesis file's validators: {0}")]
    Json(#[from] serde_json::Error),
    /// There are none.
    #[error("the genesis file lists no validators, so nobody's signatures are known to look for in headers")]
    Nobody,
    /// An address that is none.
    #[error("the genesis file's validators: {0:?} is no address")]
    Address(String),
    /// What is no set of CometBFT's.
    #[error("the genesis file's validators: {0}")]
    Set(#[from] SetFault),
}

/// The validators of every height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenesisValidators {
    set: Set,
}

impl GenesisValidators {
    /// Reads `validators` of CometBFT's genesis.json.
    ///
    /// # Errors
    /// [`GenesisValidatorsError`].
    pub fn from_genesis_file(bytes: &[u8]) -> Result<Self, GenesisValidatorsError> {
        let file: FileJson = serde_json::from_slice(bytes)?;
        let listed = file.validators.unwrap_or_default();
        if listed.is_empty() {
            return Err(GenesisValidatorsError::Nobody);
        }
        let infos = listed.into_iter().map(ValidatorJson::info).collect::<Result<_, _>>()?;
        Ok(Self { set: validator_set(infos)? })
    }

    /// Whether a header is one that these validators decided.
    ///
    /// # Errors
    /// [`HeaderFault::Invalid`].
    pub fn verify(&self, signed: &SignedHeader) -> Result<(), HeaderFault> {
        let untrusted =
            UntrustedBlockState { signed_header: signed, validators: &self.set, next_validators: Some(&self.set) };
        let verifier = ProdVerifier::default();
        let verdict = match verifier.verify_validator_sets(&untrusted) {
            Verdict::Success => verifier.verify_commit(&untrusted),
            refused => refused,
        };
        holds(signed.header.height.value(), &verdict)
    }
}

#[derive(Deserialize)]
struct FileJson {
    /// CometBFT writes null where there are none.
    #[serde(default)]
    validators: Option<Vec<ValidatorJson>>,
}

#[derive(Deserialize)]
struct ValidatorJson {
    /// CometBFT takes a file that leaves it out.
    #[serde(default)]
    address: String,
    pub_key: PublicKey,
    power: vote::Power,
}

impl ValidatorJson {
    fn info(self) -> Result<Info, GenesisValidatorsError> {
        let info = Info::new(self.pub_key, self.power);
        if self.address.is_empty() {
            return Ok(info);
        }
        match self.address.parse::<account::Id>() {
            Ok(address) => Ok(Info { address, ..info }),
            Err(_) => Err(GenesisValidatorsError::Address(self.address)),
        }
    }
}

#[cfg(test)]
mod tests;
