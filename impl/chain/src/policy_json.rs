//! Policy and limits of a block in a genesis file's JSON.

use aardvark_proof::hex_text::HexArray;
use serde::{Deserialize, Serialize};

use crate::accounts::Accounts;
use crate::fees::Fee;
use crate::gas::BlockLimits;
use crate::policy::Policy;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum PolicyJson {
    Accounts(AccountsJson),
    Publisher { keys: Vec<HexArray<32>> },
    Tables { creators: Vec<HexArray<32>> },
    Board { organisers: Vec<HexArray<32>> },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountsJson {
    fee: FeeJson,
    minimum: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FeeJson {
    account: HexArray<32>,
    base: u64,
    byte: u64,
    claim: u64,
    operation: u64,
}

impl From<PolicyJson> for Policy {
    fn from(json: PolicyJson) -> Self {
        match json {
            PolicyJson::Accounts(AccountsJson { fee, minimum }) => {
                let FeeJson { account: HexArray(account), base, byte, claim, operation } = fee;
                Self::Accounts(Accounts { fee: Fee { account, base, byte, claim, operation }, minimum })
            }
            PolicyJson::Publisher { keys } => Self::Publisher(keys.into_iter().map(|key| key.0).collect()),
            PolicyJson::Tables { creators } => {
                Self::Tables { creators: creators.into_iter().map(|key| key.0).collect() }
            }
            PolicyJson::Board { organisers } => {
                Self::Board { organisers: organisers.into_iter().map(|key| key.0).collect() }
            }
        }
    }
}

impl From<&Policy> for PolicyJson {
    fn from(policy: &Policy) -> Self {
        match policy {
            Policy::Accounts(Accounts { fee, minimum }) => {
                let Fee { account, base, byte, claim, operation } = *fee;
                let fee = FeeJson { account: HexArray(account), base, byte, claim, operation };
                Self::Accounts(AccountsJson { fee, minimum: *minimum })
            }
            Policy::Publisher(keys) => Self::Publisher { keys: keys.iter().copied().map(HexArray).collect() },
            Policy::Tables { creators } => Self::Tables { creators: creators.iter().copied().map(HexArray).collect() },
            Policy::Board { organisers } => {
                Self::Board { organisers: organisers.iter().copied().map(HexArray).collect() }
            }
        }
    }
}

/// What is left out has the value of [`BlockLimits::default`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BlockJson {
    max_bytes: u64,
    max_gas: u64,
}

impl From<BlockJson> for BlockLimits {
    fn from(BlockJson { max_bytes, max_gas }: BlockJson) -> Self {
        Self { max_bytes, max_gas }
    }
}

impl From<BlockLimits> for BlockJson {
    fn from(BlockLimits { max_bytes, max_gas }: BlockLimits) -> Self {
        Self { max_bytes, max_gas }
    }
}

impl Default for BlockJson {
    fn default() -> Self {
        BlockLimits::default().into()
    }
}
