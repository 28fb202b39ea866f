#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]
//! Vector commitments: KZG on the Ethereum ceremony, and Libert–Yung.
//!
//! A vector commitment binds N scalars in one group element of 48 bytes; an opening, 48 bytes as
//! well, proves what stands at one index. Position binding: nobody finds one commitment, one index,
//! and two accepted openings to different scalars. The mathematics is in the modules, in the
//! notation of docs/design.md, section 3.
//!
//! In the order of use:
//!
//! 1. [`ceremony`]: the published powers of the Ethereum KZG ceremony, pinned by digest.
//!    [`insecure`]: setups with a known secret. [`setups`]: the published ones by their digests.
//! 2. [`kzg`], [`libert_yung`]: the two schemes; [`scheme`]: the one place that dispatches between
//!    them.
//! 3. [`vector_commitment`]: the trait both implement: commit, open, verify, verify a batch,
//!    update.
//! 4. [`challenge`]: the coefficients of a batch, from a hash of its context and all its claims;
//!    [`bisect`]: which claims of a batch are false.
//! 5. [`aggregation`]: many openings merged into one point an index; [`folded`]: into two points.
//!
//! ```
//! use aardvark_algebra::Scalar;
//! use aardvark_commitment::{BatchClaim, Ceremony, Commitment, Kzg, Opening, VectorCommitment};
//!
//! let kzg = Kzg::new(Ceremony::ethereum()?, 4)?;
//! let vector = [3, 1, 4, 1].map(Scalar::from);
//! let commitment = kzg.commit(&vector)?;
//! let opening = kzg.open(&vector, 2)?;
//!
//! // Whoever verifies needs no parameters beyond those in the program.
//! let verifier = Kzg::verifier(4)?;
//! assert!(verifier.verify(&commitment, 2, &Scalar::from(4), &opening));
//! // Another scalar, another index, and an index that the vector does not have are refused.
//! assert!(!verifier.verify(&commitment, 2, &Scalar::from(5), &opening));
//! assert!(!verifier.verify(&commitment, 3, &Scalar::from(4), &opening));
//! assert!(!verifier.verify(&commitment, 6, &Scalar::from(4), &opening));
//!
//! // Bytes from elsewhere are decoded first, and those that encode no point are an error.
//! assert_eq!(Commitment::from_bytes(&commitment.to_bytes()), Ok(commitment));
//! assert!(Commitment::from_bytes(&[0; 48]).is_err());
//! assert!(Opening::from_bytes(&[0xff; 48]).is_err());
//!
//! // Many claims in one check; where it fails, bisection names the false ones.
//! let claim = |index: usize| -> Result<BatchClaim, aardvark_commitment::CommitmentError> {
//!     let (scalar, opening) = (vector[index], kzg.open(&vector, index)?);
//!     Ok(BatchClaim { label: 0, commitment, index, scalar, opening })
//! };
//! let mut claims = vec![claim(0)?, claim(1)?, claim(3)?];
//! assert!(verifier.verify_batch(b"what the claims are about", &claims));
//! claims[1].scalar += Scalar::from(1);
//! assert!(!verifier.verify_batch(b"what the claims are about", &claims));
//! assert_eq!(verifier.find_false(b"what the claims are about", &claims), [1]);
//! # Ok::<(), aardvark_commitment::CommitmentError>(())
//! ```

pub mod aggregation;
pub mod bisect;
pub mod ceremony;
pub mod challenge;
pub mod error;
pub mod folded;
pub mod insecure;
pub mod kzg;
pub mod libert_yung;
pub mod naive;
pub mod points;
pub mod scheme;
pub mod setups;
mod sums;
pub mod vector_commitment;

pub use aggregation::{Aggregate, Aggregation, UnopenedClaim};
pub use ceremony::Ceremony;
pub use error::CommitmentError;
pub use folded::{FoldedClaim, FoldedOpening};
pub use kzg::Kzg;
pub use libert_yung::LibertYung;
pub use points::{Commitment, Opening};
pub use scheme::{Scheme, SchemeKind, UnknownScheme};
pub use vector_commitment::{BatchClaim, CommitmentUpdate, OpeningUpdate, VectorCommitment};

/// Largest number of scalars in one vector: the number of G1 powers that the ceremony published.
pub const MAX_VECTOR_SIZE: usize = 4096;
