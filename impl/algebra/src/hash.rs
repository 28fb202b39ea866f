//! Hashing: the tagged SHA-256 of `docs/format.md`, and RFC 9380's `hash_to_field` into the scalar
//! field.
//!
//! `H(tag, x) = SHA-256(u8 len(tag) || tag || x)`: hashes with different tags never share an input.
//!
//! `hash_to_scalar(message, dst)`: `expand_message_xmd` (RFC 9380, section 5.3.1) with SHA-256 to L
//! = 48 bytes, taken as a big-endian integer modulo the group order (section 5.2 with m = 1, count
//! = 1). 48 bytes = 384 bits for a 255-bit order: the result is within 2^-129 of uniform.
//!
//! `hash_to_g1(message, dst)`: RFC 9380's suite `BLS12381G1_XMD:SHA-256_SSWU_RO_`, by blst.

#![allow(clippy::indexing_slicing, reason = "lengths are constants of the suite")]

use std::sync::LazyLock;

use blstrs::{G1Affine, G1Projective, Scalar};
use ff::Field;
use group::Curve;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Bytes of a SHA-256 digest.
const DIGEST_BYTES: usize = 32;
/// Bytes of SHA-256's input block, `s_in_bytes` in the RFC.
const BLOCK_BYTES: usize = 64;
/// L of RFC 9380 for the scalar field: ceil((255 + 128) / 8).
const EXPANDED_BYTES: usize = 48;

/// H(tag, x) of `docs/format.md`, with x fed in pieces.
#[derive(Clone, Debug)]
pub struct TaggedHash {
    state: Sha256,
}

impl TaggedHash {
    /// Starts a hash under `tag`, a constant of the format.
    ///
    /// # Panics
    /// If the tag is longer than 255 bytes, which its one-byte length cannot say.
    pub fn new(tag: &'static str) -> Self {
        assert!(tag.len() <= usize::from(u8::MAX), "tag is too long");
        let mut state = Sha256::new();
        state.update([tag.len() as u8]);
        state.update(tag.as_bytes());
        Self { state }
    }

    /// Appends bytes to x.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.state.update(bytes);
    }

    /// Appends bytes to x, for chaining.
    #[must_use]
    pub fn chain(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.update(bytes);
        self
    }

    /// The digest.
    pub fn finalize(self) -> [u8; 32] {
        self.state.finalize().into()
    }
}

/// H(tag, x) of `docs/format.md` in one call.
pub fn tagged_hash(tag: &'static str, x: &[u8]) -> [u8; 32] {
    TaggedHash::new(tag).chain(x).finalize()
}

/// More output was asked of `expand_message_xmd` than RFC 9380 allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expand_message_xmd gives at most 8160 bytes")]
pub struct ExpandError;

/// Fills `output` with RFC 9380's `expand_message_xmd` under SHA-256. At most 255 · 32 bytes.
pub fn expand_message_xmd(message: &[u8], dst: &[u8], output: &mut [u8]) -> Result<(), ExpandError> {
    if output.len() > usize::from(u8::MAX) * DIGEST_BYTES {
        return Err(ExpandError);
    }
    fill(message, dst, output);
    Ok(())
}

/// A scalar indistinguishable from uniform: RFC 9380's `hash_to_field` with SHA-256, L = 48, m = 1,
/// count = 1.
pub fn hash_to_scalar(message: &[u8], dst: &[u8]) -> Scalar {
    let mut expanded = [0; EXPANDED_BYTES];
    fill(message, dst, &mut expanded);
    reduce(&expanded)
}

/// A point of G1 whose discrete logarithm nobody knows: RFC 9380, suite
/// `BLS12381G1_XMD:SHA-256_SSWU_RO_`. The DST has at most 255 bytes.
pub fn hash_to_g1(message: &[u8], dst: &[u8]) -> G1Affine {
    G1Projective::hash_to_curve(message, dst, &[]).to_affine()
}

/// `expand_message_xmd` for outputs of at most 255 digests; lengths are taken modulo 2^16 and 2^8
/// otherwise.
fn fill(message: &[u8], dst: &[u8], output: &mut [u8]) {
    /// The state after Z_pad, the block of zeros that begins every message.
    static AFTER_ZEROS: LazyLock<Sha256> = LazyLock::new(|| Sha256::new().chain_update([0; BLOCK_BYTES]));
    let mut mixed = Mixed::new(dst);
    let start = AFTER_ZEROS.clone().chain_update(message).chain_update((output.len() as u16).to_be_bytes());
    let b_0: [u8; DIGEST_BYTES] = start.chain_update([0]).chain_update(mixed.dst_prime()).finalize().into();
    let mut previous = [0; DIGEST_BYTES];
    for (i, piece) in output.chunks_mut(DIGEST_BYTES).enumerate() {
        let mut digest = b_0;
        digest.iter_mut().zip(previous).for_each(|(a, b)| *a ^= b);
        previous = mixed.hashed(&digest, (i + 1) as u8);
        piece.copy_from_slice(&previous[..piece.len()]);
    }
}

/// The input of b_i in one piece: a digest, i, and `DST_prime = DST || I2OSP(len(DST), 1)`; a DST
/// beyond 255 bytes is hashed first (RFC 9380, section 5.3.3).
struct Mixed {
    bytes: [u8; DIGEST_BYTES + 1 + 256],
    length: usize,
}

impl Mixed {
    fn new(dst: &[u8]) -> Self {
        let digest: [u8; DIGEST_BYTES];
        let (dst, length) = match u8::try_from(dst.len()) {
            Ok(length) => (dst, length),
            Err(_) => {
                digest = Sha256::new().chain_update(b"H2C-OVERSIZE-DST-").chain_update(dst).finalize().into();
                (digest.as_slice(), DIGEST_BYTES as u8)
            }
        };
        let mut bytes = [0; DIGEST_BYTES + 1 + 256];
        let (_, dst_prime) = bytes.split_at_mut(DIGEST_BYTES + 1);
        dst_prime[..dst.len()].copy_from_slice(dst);
        dst_prime[dst.len()] = length;
        Self { bytes, length: DIGEST_BYTES + 1 + dst.len() + 1 }
    }

    fn dst_prime(&self) -> &[u8] {
        &self.bytes[DIGEST_BYTES + 1..self.length]
    }

    fn hashed(&mut self, digest: &[u8; DIGEST_BYTES], number: u8) -> [u8; DIGEST_BYTES] {
        self.bytes[..DIGEST_BYTES].copy_from_slice(digest);
        self.bytes[DIGEST_BYTES] = number;
        Sha256::digest(&self.bytes[..self.length]).into()
    }
}

/// A 48-byte big-endian integer modulo the group order: high · 2^192 + low, both halves below the
/// order.
fn reduce(bytes: &[u8; EXPANDED_BYTES]) -> Scalar {
    static TWO_TO_192: LazyLock<Scalar> = LazyLock::new(|| Scalar::from(2).pow_vartime([192]));
    let (high, low) = bytes.split_at(EXPANDED_BYTES / 2);
    from_192_bits(high) * *TWO_TO_192 + from_192_bits(low)
}

/// The scalar of 24 big-endian bytes, which is below the group order whatever they are.
fn from_192_bits(bytes: &[u8]) -> Scalar {
    let mut wide = [0; 32];
    wide[8..].copy_from_slice(bytes);
    Option::from(Scalar::from_bytes_be(&wide)).unwrap_or_default()
}
