//! What can be wrong with a setup or with the caller's input.
//!
//! A false opening is not an error: `verify` answers it with `false`.

use aardvark_algebra::DecodeError;
use thiserror::Error;

use crate::MAX_VECTOR_SIZE;

/// Why a setup could not be made, or a commitment or opening not be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CommitmentError {
    /// N must be a power of two in 1..=4096.
    #[error("vector size {0} is not a power of two from 1 to {MAX_VECTOR_SIZE}")]
    VectorSize(usize),
    /// The vector holds more scalars than the setup has indices.
    #[error("vector of {length} scalars is longer than the vector size {vector_size}")]
    VectorTooLong {
        /// Scalars given.
        length: usize,
        /// N.
        vector_size: usize,
    },
    /// The index is not below N.
    #[error("index {index} is not below the vector size {vector_size}")]
    IndexOutOfRange {
        /// Index given.
        index: usize,
        /// N.
        vector_size: usize,
    },
    /// The setup is a verifier's: it has no basis to commit, open or update with.
    #[error("this setup can only verify: it was made without the parameters that committing needs")]
    VerifierOnly,
    /// A point of the ceremony file does not decode.
    #[error("ceremony file: power {power} of {group}: {source}")]
    CeremonyPoint {
        /// "G1" or "G2".
        group: &'static str,
        /// Exponent of the secret.
        power: usize,
        /// What is wrong with its bytes.
        source: DecodeError,
    },
    /// More powers were asked for than the ceremony published.
    #[error("ceremony has {available} powers in {group}, not {asked}")]
    CeremonyTooShort {
        /// "G1" or "G2".
        group: &'static str,
        /// Powers asked for.
        asked: usize,
        /// Powers there are.
        available: usize,
    },
    /// The digest is not that of the published setup.
    #[error("no published setup of this scheme and vector size has the digest that was given")]
    UnknownSetup,
    /// Only KZG's openings fold into one.
    #[error("only openings of KZG fold into one")]
    NotFolding,
    /// A test setup's secret must not be a root of unity of the domain, nor 0.
    #[error("the secret of this setup is degenerate")]
    DegenerateSecret,
}
