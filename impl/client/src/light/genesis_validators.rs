//! The validators that a chain begins with: those of CometBFT's genesis.json. Whoever has the file
//! needs no trusted header: [`known_validators`](crate::light::known_validators) has the way from
//! there.

use std::collections::BTreeMap;

use serde::Deserialize;
use tendermint::validator::{Info, Set};
use tendermint::{PublicKey, account, vote};

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

/// The validators of the first height.
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

    /// Voting powers by public key; `None` where a key is not ed25519 or stands twice.
    pub fn powers(&self) -> Option<BTreeMap<[u8; 32], u64>> {
        let entry = |info: &Info| Some((ed25519(&info.pub_key)?, info.power()));
        let powers: BTreeMap<_, _> = self.set.validators().iter().map(entry).collect::<Option<_>>()?;
        Some(powers).filter(|powers| powers.len() == self.set.validators().len())
    }

    /// The set.
    pub(super) fn set(&self) -> &Set {
        &self.set
    }
}

/// The ed25519 public key that CometBFT writes in base64, as `cometbft show-validator` does; `None`
/// where the text is none.
pub fn validator_key(text: &str) -> Option<[u8; 32]> {
    let json = serde_json::json!({ "type": "tendermint/PubKeyEd25519", "value": text });
    ed25519(&serde_json::from_value(json).ok()?)
}

fn ed25519(key: &PublicKey) -> Option<[u8; 32]> {
    match key {
        PublicKey::Ed25519(key) => key.as_bytes().first_chunk().copied(),
        _ => None,
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
