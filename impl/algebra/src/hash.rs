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

use blst::blst_fr;
use blstrs::{G1Affine, G1Projective, Scalar};
use ff::Field;
use group::Curve;
use sha2::block_api::compress256;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Bytes of a SHA-256 digest.
const DIGEST_BYTES: usize = 32;
/// Bytes of SHA-256's input block, `s_in_bytes` in the RFC.
const BLOCK_BYTES: usize = 64;
/// What padding begins with: a bit 1.
const END: u8 = 0x80;
/// Bytes at the end of the padding: the number of bits.
const COUNT_BYTES: usize = 8;
/// H^(0) of SHA-256 (FIPS 180-4, section 5.3.3).
#[rustfmt::skip]
const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
/// L of RFC 9380 for the scalar field: ceil((255 + 128) / 8).
const EXPANDED_BYTES: usize = 48;

/// SHA-256's words between blocks.
type State = [u32; 8];

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
    fill(&[message], dst, output);
    Ok(())
}

/// A scalar indistinguishable from uniform: RFC 9380's `hash_to_field` with SHA-256, L = 48, m = 1,
/// count = 1.
pub fn hash_to_scalar(message: &[u8], dst: &[u8]) -> Scalar {
    hash_pieces_to_scalar(&[message], dst)
}

/// [`hash_to_scalar`] of a message that is put together of pieces.
pub fn hash_pieces_to_scalar(message: &[&[u8]], dst: &[u8]) -> Scalar {
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
fn fill(message: &[&[u8]], dst: &[u8], output: &mut [u8]) {
    /// The state after Z_pad, the block of zeros that begins every message.
    static AFTER_ZEROS: LazyLock<State> = LazyLock::new(|| compressed(INITIAL, &[[0; BLOCK_BYTES]]));
    let mut mixed = Mixed::new(dst);
    let mut start = Pieces { state: *AFTER_ZEROS, block: [0; BLOCK_BYTES], length: BLOCK_BYTES };
    message.iter().for_each(|piece| start.push(piece));
    start.push(&(output.len() as u16).to_be_bytes());
    start.push(mixed.zero_and_dst_prime());
    let b_0 = start.digest();
    let mut previous = [0; DIGEST_BYTES];
    for (i, piece) in output.chunks_mut(DIGEST_BYTES).enumerate() {
        previous = mixed.hashed(core::array::from_fn(|at| b_0[at] ^ previous[at]), (i + 1) as u8);
        piece.copy_from_slice(&previous[..piece.len()]);
    }
}

/// The padded input of b_i: a digest, i, and `DST_prime = DST || I2OSP(len(DST), 1)`; a DST beyond
/// 255 bytes is hashed first (RFC 9380, section 5.3.3).
struct Mixed {
    blocks: [[u8; BLOCK_BYTES]; 5],
    /// Bytes before the padding.
    length: usize,
}

impl Mixed {
    fn new(dst: &[u8]) -> Self {
        let digest: [u8; DIGEST_BYTES];
        let (dst, dst_length) = match u8::try_from(dst.len()) {
            Ok(length) => (dst, length),
            Err(_) => {
                digest = Sha256::new().chain_update(b"H2C-OVERSIZE-DST-").chain_update(dst).finalize().into();
                (digest.as_slice(), DIGEST_BYTES as u8)
            }
        };
        let mut mixed = Self { blocks: [[0; BLOCK_BYTES]; 5], length: DIGEST_BYTES + 1 + dst.len() + 1 };
        let (end, used) = (mixed.length, mixed.used());
        let bytes = mixed.blocks.as_flattened_mut();
        bytes[DIGEST_BYTES + 1..end - 1].copy_from_slice(dst);
        bytes[end - 1] = dst_length;
        bytes[end] = END;
        let (_, bits) = bytes[..used * BLOCK_BYTES].split_at_mut(used * BLOCK_BYTES - COUNT_BYTES);
        bits.copy_from_slice(&(end as u64 * 8).to_be_bytes());
        mixed
    }

    /// Blocks in use.
    fn used(&self) -> usize {
        (self.length + 1 + COUNT_BYTES).div_ceil(BLOCK_BYTES)
    }

    /// `I2OSP(0, 1) || DST_prime`, as long as there is no i.
    fn zero_and_dst_prime(&self) -> &[u8] {
        &self.blocks.as_flattened()[DIGEST_BYTES..self.length]
    }

    fn hashed(&mut self, digest: [u8; DIGEST_BYTES], number: u8) -> [u8; DIGEST_BYTES] {
        self.blocks[0][..DIGEST_BYTES].copy_from_slice(&digest);
        self.blocks[0][DIGEST_BYTES] = number;
        digest_of(compressed(INITIAL, &self.blocks[..self.used()]))
    }
}

/// SHA-256 of a message of a few short pieces (FIPS 180-4, sections 5.1.1 and 6.2), around the
/// library's compression: its own way to collect and pad a block takes half as long as that.
struct Pieces {
    state: State,
    /// The block that is being filled.
    block: [u8; BLOCK_BYTES],
    /// Bytes so far.
    length: usize,
}

impl Pieces {
    #[inline]
    fn push(&mut self, mut piece: &[u8]) {
        let mut filled = self.length % BLOCK_BYTES;
        self.length += piece.len();
        while let Some((rest, later)) = piece.split_at_checked(BLOCK_BYTES - filled) {
            self.block[filled..].copy_from_slice(rest);
            self.compress();
            (filled, piece) = (0, later);
        }
        self.block[filled..filled + piece.len()].copy_from_slice(piece);
    }

    /// A bit 1, zeros up to the last eight bytes of a block, and in them the number of bits.
    #[inline]
    fn digest(mut self) -> [u8; DIGEST_BYTES] {
        let filled = self.length % BLOCK_BYTES;
        self.block[filled] = END;
        self.block[filled + 1..].fill(0);
        if filled + 1 > BLOCK_BYTES - COUNT_BYTES {
            self.compress();
            self.block.fill(0);
        }
        self.block[BLOCK_BYTES - COUNT_BYTES..].copy_from_slice(&(self.length as u64 * 8).to_be_bytes());
        self.compress();
        digest_of(self.state)
    }

    fn compress(&mut self) {
        compress256(&mut self.state, core::slice::from_ref(&self.block));
    }
}

fn compressed(mut state: State, blocks: &[[u8; BLOCK_BYTES]]) -> State {
    compress256(&mut state, blocks);
    state
}

fn digest_of(state: State) -> [u8; DIGEST_BYTES] {
    let mut digest = [0; DIGEST_BYTES];
    digest.as_chunks_mut().0.iter_mut().zip(state).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
    digest
}

/// A 48-byte big-endian integer modulo the group order: high · 2^192 + low, both halves below the
/// order.
///
/// A half's words are taken for a scalar in blst's form, which is the half over 2^256, and the
/// factors make up for it: one product for each half.
fn reduce(bytes: &[u8; EXPANDED_BYTES]) -> Scalar {
    static FACTORS: LazyLock<[Scalar; 2]> =
        LazyLock::new(|| [256 + 192, 256].map(|exponent| Scalar::from(2).pow_vartime([exponent])));
    let (high, low) = bytes.split_at(EXPANDED_BYTES / 2);
    let [of_high, of_low] = *FACTORS;
    over_two_to_256(high) * of_high + over_two_to_256(low) * of_low
}

/// 24 big-endian bytes as an integer, over 2^256.
fn over_two_to_256(bytes: &[u8]) -> Scalar {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.as_rchunks().1.iter().rev()) {
        *word = u64::from_be_bytes(*bytes);
    }
    blst_fr { l: words }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expand_message_xmd` word for word (RFC 9380, section 5.3.1), by the library's hash alone.
    fn expanded(message: &[u8], dst: &[u8], length: u16) -> Vec<u8> {
        let hash = |pieces: &[&[u8]]| Sha256::digest(pieces.concat()).to_vec();
        let dst = if dst.len() > 255 { hash(&[b"H2C-OVERSIZE-DST-", dst]) } else { dst.to_vec() };
        let dst_prime = [&dst[..], &[dst.len() as u8]].concat();
        let b_0 = hash(&[&[0; BLOCK_BYTES], message, &length.to_be_bytes(), &[0], &dst_prime]);
        let (mut previous, mut output) = (vec![0; DIGEST_BYTES], Vec::new());
        for i in 1..=length.div_ceil(32) as u8 {
            let mixed: Vec<u8> = b_0.iter().zip(&previous).map(|(a, b)| a ^ b).collect();
            previous = hash(&[&mixed, &[i], &dst_prime]);
            output.extend(&previous);
        }
        output.truncate(length.into());
        output
    }

    #[test]
    fn expansions_are_the_rfcs_for_all_lengths_of_the_tag() {
        let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
        for length in 0..300 {
            let (message, dst) = (&bytes[..length % 90], &bytes[7..7 + length]);
            let mut output = [0; EXPANDED_BYTES];
            fill(&[message], dst, &mut output);
            assert_eq!(output.to_vec(), expanded(message, dst, EXPANDED_BYTES as u16), "a tag of {length} bytes");
        }
    }

    #[test]
    fn digests_of_pieces_are_the_librarys_for_all_lengths_around_two_blocks() {
        let bytes: Vec<u8> = (0..150).collect();
        for length in 0..bytes.len() {
            let message = &bytes[..length];
            let expected: [u8; DIGEST_BYTES] = Sha256::digest(message).into();
            for cuts in [[0, 0], [1, 2], [30, 63], [64, 64], [64, 128], [2, 131]] {
                let [first, second] = cuts.map(|cut| cut.min(length));
                let mut pieces = Pieces { state: INITIAL, block: [1; BLOCK_BYTES], length: 0 };
                for piece in [&message[..first], &message[first..second], &message[second..]] {
                    pieces.push(piece);
                }
                assert_eq!(pieces.digest(), expected, "{length} bytes cut at {cuts:?}");
            }
        }
    }
}
