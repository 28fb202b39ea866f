//! The light client: what a client believes that trusts neither archives nor nodes, and why.
//!
//! It starts from one header, by height and hash, that its user trusts, and from the clock.
//! Everything else is received:
//!
//! ```text
//! trusted header --CometBFT's rules--> newest header H --compared with a second node, not too old--> app hash
//! app hash of H = root of version H - 1 = H(dictionary id, version, size, .., commitment root, ..)     [`answer`]
//!    -> commitment of the claim's vector, along its path: tree size and leaf follow from size and position
//!    -> position < size -> the opening holds -> the slot covers the key -> present with its value, or absent
//! ```
//!
//! [`headers`] goes forward from header to header: a later one is believed for the signatures of
//! more than a third of the trusted validators' power and two thirds of its own (bisecting where
//! the validators changed too much), within the trusting period. [`client`] adds what no signature
//! shows: that a second node has the same header, and that it is recent. The dictionary's id hides
//! its parameters: [`facts`] takes them from a genesis file that hashes to the id.
//!
//! Whoever has the genesis file needs no trusted header: [`known_validators`] goes from the
//! validators that it names to those of later heights, by which archives follow.
//!
//! Every lie has a name: [`Accusation`] says which server told it and what gave it away. What
//! nobody can know here is whether more than two thirds of the validators agreed on a lie.

pub mod announced;
pub mod answer;
pub mod client;
mod error;
pub mod facts;
pub mod genesis_validators;
pub mod headers;
pub mod known_validators;
pub mod trust;

pub use announced::{AnnouncedError, AnnouncedHeader, announced_header};
pub use answer::{Answer, ProofFault, Question, verify_answer};
pub use client::{LightClient, Updated, Witnesses};
pub use error::{Accusation, Fault, LightError, Server};
pub use facts::DictionaryFacts;
pub use genesis_validators::{GenesisValidators, GenesisValidatorsError, validator_key};
pub use headers::{HeaderFault, LightOptions, VerifiedHeader};
pub use known_validators::KnownValidators;
pub use tendermint::Time;
pub use trust::{TrustPoint, TrustState, TrustTextError};

/// The machine's clock, as headers have time. A clock before 1970 or after 9999 is the year 1970:
/// no header is then from the past.
pub fn clock() -> Time {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    Time::from_unix_timestamp(seconds, since.subsec_nanos()).unwrap_or_else(|_| Time::unix_epoch())
}
