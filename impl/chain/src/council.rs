//! The council of a chain: who may change its validators (`docs/network.md`, Who decides).

use std::collections::BTreeSet;

use aardvark_algebra::integers::u8_or_max;
use aardvark_proof::hex_text::HexArray;
use serde::{Deserialize, Serialize};

use crate::code::TxCode;
use crate::genesis_error::ChainGenesisError;
use crate::listed::listed;
use crate::signed::SignerSignature;

/// The number of the encoding that [`Council::encode`] writes.
const ENCODING: u8 = 1;

/// Public keys of which so many together change validators. Genesis names it, and nothing changes
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Council {
    threshold: u8,
    members: BTreeSet<[u8; 32]>,
}

impl Council {
    /// A council of these ed25519 public keys, at most 255.
    ///
    /// # Errors
    /// [`ChainGenesisError::Council`] unless the threshold is from 1 to the number of members.
    pub fn new(threshold: u8, members: BTreeSet<[u8; 32]>) -> Result<Self, ChainGenesisError> {
        let is_possible = threshold >= 1 && (usize::from(threshold)..=255).contains(&members.len());
        if is_possible { Ok(Self { threshold, members }) } else { Err(ChainGenesisError::Council) }
    }

    /// How many members have to sign.
    pub fn threshold(&self) -> u8 {
        self.threshold
    }

    /// The members.
    pub fn members(&self) -> &BTreeSet<[u8; 32]> {
        &self.members
    }

    /// Whether all who signed are members, and enough of them; signers ascend strictly. Whether
    /// their signatures are true is not looked at.
    ///
    /// # Errors
    /// [`TxCode::SignerSuperfluous`], [`TxCode::SignerMissing`].
    pub(crate) fn agrees(&self, signatures: &[SignerSignature]) -> Result<(), TxCode> {
        listed(signatures, |key| self.members.contains(key))?;
        if signatures.len() < usize::from(self.threshold) { Err(TxCode::SignerMissing) } else { Ok(()) }
    }

    /// `u8 1 | u8 threshold | u8 number | public key (32)*`, keys ascending.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![ENCODING, self.threshold, u8_or_max(self.members.len())];
        bytes.extend(self.members.iter().flatten());
        bytes
    }
}

/// A council in a genesis file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CouncilJson {
    threshold: u8,
    keys: Vec<HexArray<32>>,
}

impl TryFrom<CouncilJson> for Council {
    type Error = ChainGenesisError;

    fn try_from(json: CouncilJson) -> Result<Self, ChainGenesisError> {
        let listed = json.keys.len();
        let members: BTreeSet<[u8; 32]> = json.keys.into_iter().map(|key| key.0).collect();
        // A key that stands twice would count once, which its author did not mean.
        if members.len() == listed { Self::new(json.threshold, members) } else { Err(ChainGenesisError::Council) }
    }
}

impl From<&Council> for CouncilJson {
    fn from(council: &Council) -> Self {
        Self { threshold: council.threshold, keys: council.members.iter().copied().map(HexArray).collect() }
    }
}
