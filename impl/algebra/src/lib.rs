//! Scalars, points, encodings, multi-scalar multiplication, FFT and hashing to scalars on
//! BLS12-381.
//!
//! The only crate that touches `blst`; everything above it speaks of scalars and points. In the
//! order of use:
//!
//! 1. [`encoding`]: scalars and points to and from bytes, with each format's rule of acceptance.
//! 2. [`hash`]: `hash_to_scalar` (RFC 9380) and the tagged SHA-256 of `docs/format.md`.
//! 3. [`mod@msm`]: multi-scalar multiplication, exact on every point of the curve.
//! 4. [`multiply`]: many points, each times its own scalar. [`table`], [`bucket_table`],
//!    [`joint_table`]: sums of multiples of points that are known beforehand, some, many or all of
//!    them; [`split_table`]: one such sum; [`subsets`]: sums of some points.
//! 5. [`combination`]: sums of multiples for pairings and in the subgroup, many points, all
//!    threads.
//! 6. [`fft`]: the domain of roots of unity; transforms over scalars and over G1.
//! 7. [`pairing_check`]: "this product of pairings is one", with one final exponentiation.
//! 8. [`mod@subgroup`]: whether many points lie in the subgroup of order r, at a sixth of the price
//!    of checking each.
//! 9. [`kernel`]: eight field elements at a time where the processor can, under the sums above.
//! 10. [`parallel`]: work on several threads. [`integers`]: conversions between widths of integers.
//!
//! Scalars and points are the types of `blstrs`, which fixes the versions of the trait crates; take
//! those traits from here ([`ff`], [`group`], [`pairing`]), so that one version is in use.
//!
//! ```
//! use aardvark_algebra::group::Curve;
//! use aardvark_algebra::group::prime::PrimeCurveAffine;
//! use aardvark_algebra::{G1Affine, Scalar, decode_g1, encode_g1, msm};
//!
//! let points = [G1Affine::generator(), G1Affine::generator()];
//! let five = msm(&points, &[Scalar::from(2), Scalar::from(3)]).to_affine();
//! assert_eq!(decode_g1(&encode_g1(&five)), Ok(five));
//! ```

#![warn(clippy::indexing_slicing)]

mod affine;
mod bit_sums;
pub mod bucket_table;
mod buckets;
pub mod combination;
pub mod encoding;
mod ffi;
pub mod fft;
mod fft_points;
mod glv;
mod group_sums;
pub mod hash;
mod images;
pub mod integers;
pub mod joint_table;
pub mod kernel;
mod membership;
pub mod msm;
pub mod multiply;
pub mod pairing_check;
pub mod parallel;
mod point;
mod populate;
mod shifted;
pub mod split_table;
pub mod subgroup;
pub mod subsets;
pub mod table;

pub use blstrs::{Bls12, G1Affine, G1Projective, G2Affine, G2Prepared, G2Projective, Gt, Scalar};
pub use {ff, group, pairing};

pub use bucket_table::BucketTable;
pub use combination::{Combination, msm_in_subgroup};
pub use encoding::{
    DecodeError, decode_g1, decode_g1_many, decode_g1_uncompressed, decode_g1_uncompressed_many, decode_g2,
    decode_opening, decode_openings, encode_g1, encode_g1_uncompressed, encode_g2, scalar_from_bytes, scalar_from_u128,
    scalar_to_bytes,
};
pub use fft::{Domain, DomainError};
pub use hash::{TaggedHash, expand_message_xmd, hash_to_g1, hash_to_scalar, tagged_hash};
pub use joint_table::JointTable;
pub use kernel::Kernel;
pub use membership::{each_in_subgroup, is_in_subgroup};
pub use msm::{batch_to_affine, msm, msm_short};
pub use multiply::{Threads, multiply_each, multiply_secret};
pub use pairing_check::{PairingProduct, PreparedLines, pairing_product_is_one, pairings_equal, shared_product_is_one};
pub use shifted::shifted_sums;
pub use split_table::SplitTable;
pub use subgroup::{batch_in_subgroup, first_outside_subgroup};
pub use subsets::subset_sums;
pub use table::FixedBaseTable;
