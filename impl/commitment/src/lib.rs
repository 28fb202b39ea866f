#![forbid(unsafe_code)]
//! Vector commitments: KZG on the Ethereum ceremony, and Libert–Yung.
//!
//! A vector commitment binds N scalars in one group element of 48 bytes; an opening, 48 bytes as well, proves what stands at one
//! index. Position binding: nobody finds one commitment, one index, and two accepted openings to different scalars. The
//! mathematics is in the modules, in the notation of docs/design.md, section 3.
//!
//! In the order of use:
//!
//! 1. [`ceremony`]: the published powers of the Ethereum KZG ceremony, pinned by digest. [`insecure`]: setups with a known secret.
//! 2. [`kzg`], [`libert_yung`]: the two schemes; [`scheme`]: the one place that dispatches between them.
//! 3. [`vector_commitment`]: the trait all implement: commit, open, verify, verify a batch, update.
//! 4. [`challenge`]: the coefficients of a batch, from a hash of all its claims; [`bisect`]: which claims of a batch are false.
//! 5. [`aggregation`]: the openings of a block merged into one point an index.
//!
//! ```
//! use aardvark_algebra::Scalar;
//! use aardvark_commitment::{Ceremony, Kzg, VectorCommitment};
//!
//! let kzg = Kzg::new(Ceremony::ethereum()?, 4)?;
//! let vector = [3, 1, 4, 1].map(Scalar::from);
//! let commitment = kzg.commit(&vector)?;
//! let opening = kzg.open(&vector, 2)?;
//! assert!(kzg.verify(&commitment, 2, &Scalar::from(4), &opening));
//! assert!(!kzg.verify(&commitment, 2, &Scalar::from(5), &opening));
//! # Ok::<(), aardvark_commitment::CommitmentError>(())
//! ```

pub mod aggregation;
pub mod bisect;
pub mod ceremony;
pub mod challenge;
pub mod error;
pub mod insecure;
pub mod kzg;
pub mod libert_yung;
pub mod merkle;
pub mod multilinear;
pub mod naive;
pub mod points;
pub mod scheme;
mod sums;
pub mod vector_commitment;

pub use aggregation::{Aggregate, Aggregation, UnopenedClaim};
pub use ceremony::Ceremony;
pub use error::CommitmentError;
pub use kzg::Kzg;
pub use libert_yung::LibertYung;
pub use merkle::Merkle;
pub use multilinear::Multilinear;
pub use points::{Commitment, Opening};
pub use scheme::{Scheme, SchemeKind, UnknownScheme};
pub use vector_commitment::{BatchClaim, CommitmentUpdate, OpeningUpdate, VectorCommitment};

/// Largest number of scalars in one vector: the number of G1 powers that the ceremony published.
pub const MAX_VECTOR_SIZE: usize = 4096;
