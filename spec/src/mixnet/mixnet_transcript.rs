//! What each challenge of a mixnet covers.
//!
//! All hashes are [`tagged_hash`]es. The encodings of points are a matter of the curve, so a list
//! of rows of points comes as its bytes, 96 a point, and enters other hashes by its digest. After
//! the keys are dealt every hash begins with `keys`, 32 bytes that bind the ceremony and all dealt
//! keys. Source: docs/mixnet.md, "Challenges".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::base::scalar::*;
use crate::commitment::challenge::*;
use hacspec_lib::*;

/// Whose proof it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MixnetContext {
    /// `keys`, 32 bytes.
    pub mixnet_keys: ByteString,
    /// The server's number, from 1.
    pub mixnet_server: usize,
}

/// The tag of lists.
pub fn tag_mixnet_list() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-LIST")
}

/// The tag of a permutation proof's seed.
pub fn tag_mixnet_permutation() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-PERMUTATION")
}

/// The tag of a permutation proof's last digest.
pub fn tag_mixnet_permutation_first() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-PERMUTATION-T")
}

/// The tag of a permutation proof's shift.
pub fn tag_mixnet_shift() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-SHIFT")
}

/// The tag of a column proof's seed.
pub fn tag_mixnet_column() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-COLUMN")
}

/// The tag of a column proof's last digest.
pub fn tag_mixnet_column_first() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-COLUMN-T")
}

/// The tag of a decryption proof's seed.
pub fn tag_mixnet_decryption() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-DECRYPTION")
}

/// The tag of a decryption proof's last digest.
pub fn tag_mixnet_decryption_first() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-DECRYPTION-T")
}

/// The tag of a zero test's seed.
pub fn tag_mixnet_zero_test() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-ZERO-TEST")
}

/// The tag of a zero test's last digest.
pub fn tag_mixnet_zero_test_first() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-ZERO-TEST-T")
}

/// The tag of challenges.
pub fn tag_mixnet_challenge() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-CHALLENGE")
}

/// The tag of secret scalars.
pub fn tag_mixnet_secret() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-SECRET")
}

/// The digest of a list of rows of points, given as bytes: `H(tag, u32 rows || u16 width || 96
/// bytes a point)`.
pub fn mixnet_list_digest(rows: usize, width: usize, points: &ByteString) -> ByteString {
    tagged_hash(&tag_mixnet_list(), &u32_bytes(rows).concat(&u16_bytes(width)).concat(points))
}

/// P0: what a permutation proof's coefficients and shift are drawn from.
pub fn permutation_seed(context: &MixnetContext, count: usize, commitment_digest: &ByteString) -> ByteString {
    let author = context.mixnet_keys.concat(&u16_bytes(context.mixnet_server));
    tagged_hash(&tag_mixnet_permutation(), &author.concat(&u32_bytes(count)).concat(commitment_digest))
}

/// θ
pub fn permutation_shift(seed: &ByteString) -> Scalar {
    hash_to_scalar(seed, &tag_mixnet_shift())
}

/// The challenge of a permutation proof, of its seed and the digests of B and T.
pub fn permutation_challenge(seed: &ByteString, chain_digest: &ByteString, first_digest: &ByteString) -> Scalar {
    let last = tagged_hash(&tag_mixnet_permutation_first(), &seed.concat(chain_digest).concat(first_digest));
    hash_to_scalar(&last, &tag_mixnet_challenge())
}

/// C0: what a column proof's coefficients are drawn from; the digests are those of a, κ, X and Y.
pub fn column_seed(
    context: &MixnetContext,
    purpose: &ByteString,
    commitment_digest: &ByteString,
    keys_digest: &ByteString,
    before_digest: &ByteString,
    after_digest: &ByteString,
) -> ByteString {
    let author = context.mixnet_keys.concat(purpose).concat(&u16_bytes(context.mixnet_server));
    let lists = commitment_digest.concat(keys_digest).concat(before_digest).concat(after_digest);
    tagged_hash(&tag_mixnet_column(), &author.concat(&lists))
}

/// The challenge of a column proof, of its seed and the digest of T.
pub fn column_challenge(seed: &ByteString, first_digest: &ByteString) -> Scalar {
    let last = tagged_hash(&tag_mixnet_column_first(), &seed.concat(first_digest));
    hash_to_scalar(&last, &tag_mixnet_challenge())
}

/// D0: what a decryption proof's coefficients are drawn from; the digests are those of the key
/// shares, of all C_0 and of D.
pub fn decryption_seed(
    context: &MixnetContext,
    purpose: &ByteString,
    keys_digest: &ByteString,
    rows_digest: &ByteString,
    shares_digest: &ByteString,
) -> ByteString {
    let author = context.mixnet_keys.concat(purpose).concat(&u16_bytes(context.mixnet_server));
    tagged_hash(&tag_mixnet_decryption(), &author.concat(keys_digest).concat(rows_digest).concat(shares_digest))
}

/// The challenge of a decryption proof, of its seed and the digest of T.
pub fn decryption_challenge(seed: &ByteString, first_digest: &ByteString) -> Scalar {
    let last = tagged_hash(&tag_mixnet_decryption_first(), &seed.concat(first_digest));
    hash_to_scalar(&last, &tag_mixnet_challenge())
}

/// Z0: what a zero test's challenge is drawn from; the digests are those of C and C'.
pub fn zero_test_seed(
    context: &MixnetContext,
    purpose: &ByteString,
    before_digest: &ByteString,
    after_digest: &ByteString,
) -> ByteString {
    let author = context.mixnet_keys.concat(purpose).concat(&u16_bytes(context.mixnet_server));
    tagged_hash(&tag_mixnet_zero_test(), &author.concat(before_digest).concat(after_digest))
}

/// The challenge of a zero test, of its seed and the digest of T.
pub fn zero_test_challenge(seed: &ByteString, first_digest: &ByteString) -> Scalar {
    let last = tagged_hash(&tag_mixnet_zero_test_first(), &seed.concat(first_digest));
    hash_to_scalar(&last, &tag_mixnet_challenge())
}

/// One step of [`mixnet_coefficients`].
pub fn mixnet_coefficients_step(drawn: Seq<Scalar>, seed: &ByteString, i: usize) -> Seq<Scalar> {
    drawn.push_owned(batch_coefficient(seed, i))
}

/// The first coefficients of a seed, of 128 bits.
pub fn mixnet_coefficients(seed: &ByteString, count: usize) -> Seq<Scalar> {
    let mut drawn = Seq::<Scalar>::new(0);
    for i in 0..count {
        drawn = mixnet_coefficients_step(drawn, seed, i);
    }
    drawn
}

/// A secret scalar: it follows from a seed, a label and the digest of the whole statement that it
/// is for.
pub fn mixnet_secret(seed: &ByteString, label: &ByteString, statement: &ByteString, i: usize) -> Scalar {
    let message = seed.concat(&bytes8(label)).concat(statement).concat(&u64_bytes(i));
    hash_to_scalar(&message, &tag_mixnet_secret())
}
