//! Proofs of linear relations in G1, and what a mixnet is made of: commitments to permutations,
//! shuffles of columns by a committed permutation, shares of keys, decryption by t of m servers.
//!
//! Every proof here says "I know s with M s = X", M a matrix of points: commitment T = M t,
//! challenge c, response z = t + c s, accepted iff M z = T + c X. T travels, not c, so that many
//! proofs are checked as one sum ([`claim::false_claims`]). The matrices are never written out,
//! except in [`naive`], which says them entry by entry and which tests compare everything with.
//! docs/mixnet.md says what the relations mean and why they are enough.
//!
//! In the order of use:
//!
//! 1. [`list`](mod@list): lists of points that are known to lie in G1.
//! 2. [`secret`]: seeds, and the secret scalars that follow from them.
//! 3. [`transcript`]: what each challenge covers.
//! 4. [`generators`]: the points of commitments.
//! 5. [`permutation`], [`mod@column`]: committing to a permutation, shuffling by it.
//! 6. [`sharing`], [`threshold`], [`zero_test`]: keys in shares, decryption, blinding.
//! 7. [`knowledge`], [`dealing`]: proofs of knowing logarithms, and keys dealt by the servers.
//! 8. [`claim`]: many proofs as one sum. [`chunks`]: values as numbers of 16 bits.
//!
//! **Side channels.** Key shares multiply points in constant time ([`threshold::decrypt`]).
//! One-time randomness (blindings, nonces) goes through tables and sums whose time depends on it.
//!
//! Pure: no input or output, no clock, no randomness of its own.

#![warn(clippy::indexing_slicing)]

pub mod chunks;
pub mod claim;
pub mod column;
pub mod dealing;
pub mod generators;
pub mod knowledge;
pub mod list;
pub mod naive;
pub mod permutation;
pub mod secret;
pub mod sharing;
pub mod threshold;
pub mod transcript;
pub mod zero_test;

pub use claim::{Claim, Shape};
pub use generators::Generators;
pub use list::{List, ListError};
pub use permutation::Permutation;
pub use secret::{Secrets, Seed};
pub use transcript::{Context, Digest};
