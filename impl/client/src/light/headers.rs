//! Verifies a later header from a trusted one, by CometBFT's rules
//! (`tendermint-light-client-verifier`).
//!
//! A header is believed when it is well-formed, its validators and next validators are those that
//! it names, its commit has signatures of more than two thirds of its validators' power, **and**
//! either it is the next height with exactly the validators that the trusted header announced, or
//! validators with more than a third of the trusted power signed it, while the trusting period
//! lasts. Where too few of them did, the header half-way is verified first.

use std::time::{Duration, Instant};

use aardvark_chain::validator_change::root_of_app_hash;
use aardvark_dictionary::root::Digest;
use tendermint::block::signed_header::SignedHeader;
use tendermint::validator::Set;
use tendermint::{Hash, Time};
use tendermint_light_client_verifier::errors::VerificationErrorDetail;
use tendermint_light_client_verifier::options::Options;
use tendermint_light_client_verifier::types::{TrustThreshold, TrustedBlockState, UntrustedBlockState};
use tendermint_light_client_verifier::{ProdVerifier, Verdict, Verifier as _};

use crate::rpc::{Problem, RpcClient, RpcError};

/// Most headers that one step forward may take: bisection needs few, and a node cannot keep a
/// client busy for ever.
pub(super) const MOST_HEADERS: usize = 512;

/// How often a node is asked for the validators after its newest header, which it has a moment
/// later than the header.
const PATIENCE: u32 = 20;

/// How long between two times.
const PAUSE: Duration = Duration::from_millis(100);

/// How far the light client goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightOptions {
    /// How long validators can be held to what they signed: shorter than the time in which they can
    /// take their stake away.
    pub trusting_period: Duration,
    /// How much later than the clock a header may be.
    pub clock_drift: Duration,
    /// How old the newest header may be.
    pub max_age: Duration,
    /// How long one server may take for all that it is asked, from one look for the newest header
    /// to the next.
    pub server_time: Duration,
}

impl Default for LightOptions {
    /// Two weeks, ten seconds, a minute, a minute.
    fn default() -> Self {
        Self {
            trusting_period: Duration::from_secs(14 * 24 * 3600),
            clock_drift: Duration::from_secs(10),
            max_age: Duration::from_secs(60),
            server_time: Duration::from_secs(60),
        }
    }
}

/// Why a node's header is not believed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// No answer, or a malformed one.
    #[error("{}: {}", .0.method, .0.problem)]
    Rpc(RpcError),
    /// The header of the trusted height is another.
    #[error("its header of height {height} has the hash {found}, the trusted one has {trusted}")]
    NotTheTrusted {
        /// The height.
        height: u64,
        /// The node's, in hexadecimal.
        found: String,
        /// The trusted one.
        trusted: String,
    },
    /// The verifier says no.
    #[error("its header of height {height} does not hold: {reason}")]
    Invalid {
        /// The height.
        height: u64,
        /// Which rule.
        reason: String,
    },
    /// Too few of those whose signatures are known to look for signed a later header.
    #[error("its header of height {height} has too few signatures of validators that are known: {reason}")]
    LittleTrust {
        /// The height.
        height: u64,
        /// How many, by voting power.
        reason: String,
    },
    /// Too many headers between the trusted one and the newest.
    #[error("more than {MOST_HEADERS} headers are needed to verify that of height {0}")]
    TooMany(u64),
    /// The newest header is before the trusted one.
    #[error("its newest header has height {newest}, the trusted one has {trusted}")]
    Behind {
        /// The node's.
        newest: u64,
        /// The trusted one.
        trusted: u64,
    },
    /// The newest header is too old.
    #[error("its newest header, of height {height}, is {age} s old; at most {most} s are allowed")]
    TooOld {
        /// The height.
        height: u64,
        /// The age in seconds.
        age: u64,
        /// What is allowed.
        most: u64,
    },
    /// The app hash is not a state root.
    #[error("the app hash of height {0} has neither 32 nor 64 bytes")]
    NoRoot(u64),
    /// Another header than the one that holds.
    #[error("its header of height {height} has the hash {found}; {holds}, which is signed, holds")]
    Conflict {
        /// The height.
        height: u64,
        /// The hash of what it showed.
        found: String,
        /// The hash of what holds.
        holds: String,
    },
}

impl HeaderFault {
    /// A header beside the one that holds.
    pub fn conflict(height: u64, found: &Hash, holds: &Hash) -> Self {
        Self::Conflict { height, found: hash_text(found), holds: hash_text(holds) }
    }

    /// Whether the node said something false.
    #[must_use]
    pub fn is_lie(&self) -> bool {
        !matches!(
            self,
            Self::Rpc(_) | Self::Behind { .. } | Self::TooOld { .. } | Self::TooMany(_) | Self::LittleTrust { .. }
        )
    }
}

/// A header that is believed, with the validators that it announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedHeader {
    signed: SignedHeader,
    next_validators: Set,
}

impl VerifiedHeader {
    /// The header that the user trusts by its height and hash, fetched from any node.
    ///
    /// # Errors
    /// [`HeaderFault::NotTheTrusted`] where the node has another; [`HeaderFault::Invalid`] where
    /// the validators are not those that it announces.
    pub fn trusted(node: &RpcClient, height: u64, hash: &Digest) -> Result<Self, HeaderFault> {
        let signed = node.commit(Some(height)).map_err(HeaderFault::Rpc)?;
        let found = signed.header.hash();
        if found != Hash::Sha256(*hash) {
            let trusted = hex::encode(hash);
            return Err(HeaderFault::NotTheTrusted { height, found: hash_text(&found), trusted });
        }
        let next_validators = next_validators(node, height)?;
        if next_validators.hash() != signed.header.next_validators_hash {
            return Err(HeaderFault::Invalid { height, reason: "its next validators are others".to_owned() });
        }
        Ok(Self { signed, next_validators })
    }

    /// The height H.
    pub fn height(&self) -> u64 {
        self.signed.header.height.value()
    }

    /// The header's hash.
    pub fn hash(&self) -> Digest {
        digest(&self.signed.header.hash())
    }

    /// The chain's id.
    pub fn chain_id(&self) -> &str {
        self.signed.header.chain_id.as_str()
    }

    /// The header's time.
    pub fn time(&self) -> Time {
        self.signed.header.time
    }

    /// The version that the header certifies: H - 1.
    pub fn version(&self) -> u64 {
        self.height().saturating_sub(1)
    }

    /// The state root of that version.
    ///
    /// # Errors
    /// [`HeaderFault::NoRoot`] on a chain that is not Aardvark's.
    pub fn root(&self) -> Result<Digest, HeaderFault> {
        root_of_app_hash(self.signed.header.app_hash.as_bytes()).ok_or(HeaderFault::NoRoot(self.height()))
    }

    /// How long ago the header was made, by a clock that says `now`; nothing for one that is ahead
    /// of the clock.
    pub fn age(&self, now: Time) -> Duration {
        now.duration_since(self.time()).unwrap_or_default()
    }

    /// The node's newest header, or that of a height, verified from this one.
    ///
    /// # Errors
    /// [`HeaderFault`].
    pub fn advance(
        &self,
        node: &RpcClient,
        target: Option<u64>,
        options: &LightOptions,
        now: Time,
    ) -> Result<Self, HeaderFault> {
        let target = node.commit(target).map_err(HeaderFault::Rpc)?;
        let height = target.header.height.value();
        if height < self.height() {
            return Err(HeaderFault::Behind { newest: height, trusted: self.height() });
        }
        if height == self.height() {
            return self.same_as(&target);
        }
        let mut trusted = self.clone();
        let mut pending = vec![LightBlock::fetch(node, target)?];
        for _ in 0..MOST_HEADERS {
            let Some(block) = pending.pop() else {
                return Ok(trusted);
            };
            let begun = Instant::now();
            let verdict = trusted.verdict(&block, options, now);
            node.charge(begun);
            match verdict {
                Verdict::NotEnoughTrust(_) if block.height() > trusted.height() + 1 => {
                    let middle = trusted.height() + (block.height() - trusted.height()) / 2;
                    pending.push(block);
                    let signed = node.commit(Some(middle)).map_err(HeaderFault::Rpc)?;
                    pending.push(LightBlock::fetch(node, signed)?);
                }
                verdict => {
                    holds(block.height(), &verdict)?;
                    trusted = Self { signed: block.signed, next_validators: block.next_validators };
                }
            }
        }
        if pending.is_empty() { Ok(trusted) } else { Err(HeaderFault::TooMany(height)) }
    }

    fn same_as(&self, other: &SignedHeader) -> Result<Self, HeaderFault> {
        let (found, trusted) = (other.header.hash(), self.signed.header.hash());
        if found == trusted {
            return Ok(self.clone());
        }
        let (found, trusted) = (hash_text(&found), hash_text(&trusted));
        Err(HeaderFault::NotTheTrusted { height: self.height(), found, trusted })
    }

    fn verdict(&self, block: &LightBlock, options: &LightOptions, now: Time) -> Verdict {
        let header = &self.signed.header;
        let trusted = TrustedBlockState {
            chain_id: &header.chain_id,
            header_time: header.time,
            height: header.height,
            next_validators: &self.next_validators,
            next_validators_hash: header.next_validators_hash,
        };
        let untrusted = UntrustedBlockState {
            signed_header: &block.signed,
            validators: &block.validators,
            next_validators: Some(&block.next_validators),
        };
        let options = Options {
            trust_threshold: TrustThreshold::ONE_THIRD,
            trusting_period: options.trusting_period,
            clock_drift: options.clock_drift,
        };
        ProdVerifier::default().verify_update_header(untrusted, trusted, &options, now)
    }
}

/// A header with all that its verification needs, received.
struct LightBlock {
    signed: SignedHeader,
    validators: Set,
    next_validators: Set,
}

impl LightBlock {
    fn fetch(node: &RpcClient, signed: SignedHeader) -> Result<Self, HeaderFault> {
        let height = signed.header.height.value();
        let validators = node.validators(height).map_err(HeaderFault::Rpc)?;
        Ok(Self { signed, validators, next_validators: next_validators(node, height)? })
    }

    fn height(&self) -> u64 {
        self.signed.header.height.value()
    }
}

/// The validators of the height after, for which a node that has just made a block needs a moment.
pub(super) fn next_validators(node: &RpcClient, height: u64) -> Result<Set, HeaderFault> {
    let mut asked = 0;
    loop {
        match node.validators(height.saturating_add(1)) {
            Err(RpcError { problem: Problem::Refused { .. }, .. }) if asked < PATIENCE => {
                asked += 1;
                node.wait(PAUSE);
            }
            answer => return answer.map_err(HeaderFault::Rpc),
        }
    }
}

/// Whether the verifier believes the header of a height.
pub(super) fn holds(height: u64, verdict: &Verdict) -> Result<(), HeaderFault> {
    let reason = match verdict {
        Verdict::Success => return Ok(()),
        Verdict::NotEnoughTrust(tally) => format!("not enough trust: {tally}"),
        Verdict::Invalid(detail) => explain(detail),
    };
    Err(HeaderFault::Invalid { height, reason })
}

/// The verifier's reason in words of a line.
fn explain(detail: &VerificationErrorDetail) -> String {
    match detail {
        VerificationErrorDetail::InvalidSignature(fault) => {
            format!("a false signature of the validator {}", fault.validator.address)
        }
        other => other.to_string(),
    }
}

/// A hash in hexadecimal.
pub(super) fn hash_text(hash: &Hash) -> String {
    hex::encode(hash.as_bytes())
}

/// Hashes of headers have 32 bytes.
fn digest(hash: &Hash) -> Digest {
    Digest::try_from(hash.as_bytes()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
