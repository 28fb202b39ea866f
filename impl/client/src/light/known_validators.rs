//! The validators of a height, and the way from there to those of later heights, by headers alone:
//! by which archives follow a chain from its genesis file on.
//!
//! ```text
//! the next header, of H: its validators are those that are known of H
//! a later one:           its validators are the same, or those with more than a third of the known
//!                        power signed it; else the header half-way comes first
//! both:                  more than two thirds of the power of its own validators signed it, and its
//!                        next validators are those that it announces
//! ```
//!
//! The predicates are `tendermint-light-client-verifier`'s. Validators that are not known come from
//! a node and count for their hash alone, which a header has that is believed. No period ends: what
//! is trusted is that nobody with a third of the power of a set signed what was not decided, also
//! after he left it. Who follows block by block, as an archive does while it runs, needs no more
//! than two thirds at each height, and never asks the past again.
//!
//! On a chain without a council nothing changes the validators: the first header that announces
//! others does not hold, whoever signed it.

use tendermint::block::signed_header::SignedHeader;
use tendermint::validator::{Info, Set};
use tendermint_light_client_verifier::options::Options;
use tendermint_light_client_verifier::types::{TrustThreshold, TrustedBlockState, UntrustedBlockState};
use tendermint_light_client_verifier::{ProdVerifier, Verdict};

use crate::light::genesis_validators::{GenesisValidators, GenesisValidatorsError};
use crate::light::headers::{HeaderFault, LightOptions, MOST_HEADERS, holds, next_validators};
use crate::rpc::{RpcClient, validator_set};

/// The validators of a height.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValidators {
    height: u64,
    set: Set,
    may_change: bool,
}

impl KnownValidators {
    /// Those that a chain begins with, which change only where there is a council.
    pub fn of_genesis(genesis: &GenesisValidators, may_change: bool) -> Self {
        Self { height: 1, set: genesis.set().clone(), may_change }
    }

    /// The height whose block they decide.
    pub fn height(&self) -> u64 {
        self.height
    }

    /// The same for another height, as [`KnownValidators::to_json`] wrote them.
    ///
    /// # Errors
    /// [`GenesisValidatorsError`] where the bytes are no validators.
    pub fn with_stored(self, height: u64, json: &[u8]) -> Result<Self, GenesisValidatorsError> {
        let infos: Vec<Info> = serde_json::from_slice(json)?;
        Ok(Self { height, set: validator_set(infos)?, ..self })
    }

    /// What [`KnownValidators::with_stored`] reads.
    ///
    /// # Errors
    /// None that a set can have.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self.set.validators())
    }

    /// Whether another height has the same validators.
    pub fn is_same_set(&self, other: &Self) -> bool {
        self.set.hash() == other.set.hash()
    }

    /// Believes a node's header of this height or a later one, and gives the validators of the
    /// height after it.
    ///
    /// # Errors
    /// [`HeaderFault`].
    pub fn verify(&self, node: &RpcClient, signed: &SignedHeader) -> Result<Self, HeaderFault> {
        if !self.may_change {
            return self.step(node, signed);
        }
        let mut known = self.clone();
        let mut pending = vec![signed.clone()];
        for _ in 0..MOST_HEADERS {
            let Some(header) = pending.pop() else { return Ok(known) };
            let height = header.header.height.value();
            match known.step(node, &header) {
                Err(HeaderFault::LittleTrust { .. }) if height > known.height => {
                    let middle = known.height + (height - known.height) / 2;
                    pending.push(header);
                    pending.push(node.commit(Some(middle)).map_err(HeaderFault::Rpc)?);
                }
                after => known = after?,
            }
        }
        if pending.is_empty() { Ok(known) } else { Err(HeaderFault::TooMany(signed.header.height.value())) }
    }

    /// Believes a header at once, or not.
    fn step(&self, node: &RpcClient, signed: &SignedHeader) -> Result<Self, HeaderFault> {
        let header = &signed.header;
        let height = header.height.value();
        let (ours, its_own) = (self.set.hash(), header.validators_hash);
        let is_next = height <= self.height;
        let set = match self.may_change && !is_next && its_own != ours {
            true => node.validators(height).map_err(HeaderFault::Rpc)?,
            false => self.set.clone(),
        };
        // A node is asked for the next ones only where more than two thirds of these announce them.
        let alone = UntrustedBlockState { signed_header: signed, validators: &set, next_validators: None };
        holds(height, &decided(&alone))?;
        if its_own != ours {
            self.overlaps(&alone)?;
        }
        let next = match self.may_change && header.next_validators_hash != its_own {
            true => next_validators(node, height)?,
            false => set.clone(),
        };
        let whole = UntrustedBlockState { next_validators: Some(&next), ..alone };
        holds(height, &ProdVerifier::default().verify_validator_sets(&whole))?;
        Ok(Self { height: height.saturating_add(1), set: next, may_change: self.may_change })
    }

    /// Whether those with more than a third of the known power signed a later header.
    fn overlaps(&self, untrusted: &UntrustedBlockState<'_>) -> Result<(), HeaderFault> {
        let header = &untrusted.signed_header.header;
        let known = self.height.saturating_sub(1).try_into();
        let trusted = TrustedBlockState {
            chain_id: &header.chain_id,
            header_time: header.time,
            height: known.map_err(|_| HeaderFault::TooMany(self.height))?,
            next_validators: &self.set,
            next_validators_hash: self.set.hash(),
        };
        let LightOptions { trusting_period, clock_drift, .. } = LightOptions::default();
        let options = Options { trust_threshold: TrustThreshold::ONE_THIRD, trusting_period, clock_drift };
        match ProdVerifier::default().verify_commit_against_trusted(untrusted, &trusted, &options) {
            Verdict::NotEnoughTrust(tally) => {
                Err(HeaderFault::LittleTrust { height: header.height.value(), reason: tally.to_string() })
            }
            verdict => holds(header.height.value(), &verdict),
        }
    }
}

/// Whether the validators at hand are a header's own and decided it.
fn decided(untrusted: &UntrustedBlockState<'_>) -> Verdict {
    let verifier = ProdVerifier::default();
    match verifier.verify_validator_sets(untrusted) {
        Verdict::Success => verifier.verify_commit(untrusted),
        refused => refused,
    }
}

#[cfg(test)]
mod tests;
