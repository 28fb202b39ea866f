//! Checks a list of validators, and makes it a set.

use tendermint::account;
use tendermint::validator::{Info, Set};

/// Most validators that CometBFT has in a set.
pub const MOST_VALIDATORS: usize = 10_000;

/// Why validators are no set of CometBFT's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetFault {
    /// More than a set has.
    #[error("{0} validators")]
    TooMany(usize),
    /// An address that belongs to another key.
    #[error("the address {0} is not that of its key")]
    Address(account::Id),
    /// More power than a set has.
    #[error("a total voting power of {0}")]
    Power(u64),
}

/// The set of some validators. Each address is compared with its key, and the sum of their power
/// with what CometBFT allows, since the verifier's own types check neither here.
///
/// # Errors
/// [`SetFault`].
pub fn validator_set(validators: Vec<Info>) -> Result<Set, SetFault> {
    if validators.len() > MOST_VALIDATORS {
        return Err(SetFault::TooMany(validators.len()));
    }
    if let Some(wrong) = validators.iter().find(|info| account::Id::from(info.pub_key) != info.address) {
        return Err(SetFault::Address(wrong.address));
    }
    let power = validators.iter().fold(0u64, |sum, info| sum.saturating_add(info.power()));
    if power > Set::MAX_TOTAL_VOTING_POWER {
        return Err(SetFault::Power(power));
    }
    Ok(Set::new(validators, None))
}
