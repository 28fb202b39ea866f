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

mod blocks;
#[cfg(target_arch = "x86_64")]
mod two;

use std::sync::LazyLock;

use blst::blst_fr;
use blstrs::{G1Affine, G1Projective, Scalar};
use ff::Field;
use group::Curve;
use sha2::block_api::compress256;
use sha2::{Digest, Sha256};
use thiserror::Error;

use self::blocks::{BLOCK_BYTES, COUNT_BYTES, DIGEST_BYTES, END, INITIAL, Pieces, State, digest_of};

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
    fill([&[message]], &Mixed::new(dst), [output]);
    Ok(())
}

/// A scalar indistinguishable from uniform: RFC 9380's `hash_to_field` with SHA-256, L = 48, m = 1,
/// count = 1.
pub fn hash_to_scalar(message: &[u8], dst: &[u8]) -> Scalar {
    ScalarHash::new(dst).hash(&[message])
}

/// [`hash_to_scalar`] under one DST, for many messages that are put together of pieces.
#[derive(Clone, Debug)]
pub struct ScalarHash {
    mixed: Mixed,
}

impl ScalarHash {
    /// The hash under a DST.
    pub fn new(dst: &[u8]) -> Self {
        Self { mixed: Mixed::new(dst) }
    }

    /// The scalar of a message.
    pub fn hash(&self, message: &[&[u8]]) -> Scalar {
        let [scalar] = self.hash_in_step([message]);
        scalar
    }

    /// The scalars of two messages, which take less time together where the processor has
    /// instructions for SHA-256.
    pub fn hash_two(&self, messages: [&[&[u8]]; 2]) -> [Scalar; 2] {
        self.hash_in_step(messages)
    }

    fn hash_in_step<const N: usize>(&self, messages: [&[&[u8]]; N]) -> [Scalar; N] {
        let mut expanded = [[0; EXPANDED_BYTES]; N];
        fill(messages, &self.mixed, expanded.each_mut().map(<[u8; EXPANDED_BYTES]>::as_mut_slice));
        expanded.map(|bytes| reduce(&bytes))
    }
}

/// A point of G1 whose discrete logarithm nobody knows: RFC 9380, suite
/// `BLS12381G1_XMD:SHA-256_SSWU_RO_`. The DST has at most 255 bytes.
pub fn hash_to_g1(message: &[u8], dst: &[u8]) -> G1Affine {
    G1Projective::hash_to_curve(message, dst, &[]).to_affine()
}

/// `expand_message_xmd` of messages in step, for outputs of at most 255 digests, as long as the
/// first; lengths are taken modulo 2^16 and 2^8 otherwise.
fn fill<const N: usize>(messages: [&[&[u8]]; N], mixed: &Mixed, mut outputs: [&mut [u8]; N]) {
    /// The state after Z_pad, the block of zeros that begins every message.
    static AFTER_ZEROS: LazyLock<State> = LazyLock::new(|| {
        let mut state = INITIAL;
        compress256(&mut state, &[[0; BLOCK_BYTES]]);
        state
    });
    let length = outputs.first().map_or(0, |output| output.len());
    let mut starts = [const { Pieces::after_a_block() }; N];
    for (start, message) in starts.iter_mut().zip(messages) {
        start.state = *AFTER_ZEROS;
        message.iter().for_each(|piece| start.push(piece));
        start.push(&(length as u16).to_be_bytes());
        start.push(mixed.zero_and_dst_prime());
        start.pad();
    }
    let mut states = starts.each_ref().map(|start| start.state);
    compress_in_step(&mut states, starts.each_ref().map(Pieces::collected));
    let b_0 = states.map(digest_of);
    let mut previous = [[0; DIGEST_BYTES]; N];
    for number in 0..length.div_ceil(DIGEST_BYTES) {
        let mut blocks = [mixed.blocks[0]; N];
        for ((block, b_0), previous) in blocks.iter_mut().zip(&b_0).zip(&previous) {
            let (digest, rest) = block.split_at_mut(DIGEST_BYTES);
            digest.iter_mut().zip(b_0.iter().zip(previous)).for_each(|(byte, (a, b))| *byte = a ^ b);
            rest[0] = (number + 1) as u8;
        }
        let mut states = [INITIAL; N];
        compress_in_step(&mut states, blocks.each_ref().map(core::slice::from_ref));
        compress_in_step(&mut states, [&mixed.blocks[1..mixed.used()]; N]);
        previous = states.map(digest_of);
        for (output, digest) in outputs.iter_mut().zip(&previous) {
            let place = &mut output[number * DIGEST_BYTES..length.min((number + 1) * DIGEST_BYTES)];
            place.copy_from_slice(&digest[..place.len()]);
        }
    }
}

/// Compresses blocks into their states: those of two messages side by side, as far as both have
/// one.
fn compress_in_step<const N: usize>(states: &mut [State; N], blocks: [&[[u8; BLOCK_BYTES]]; N]) {
    #[cfg(target_arch = "x86_64")]
    if let ([first, second], [of_first, of_second]) = (states.as_mut_slice(), blocks.as_slice())
        && let Some(in_step) = two::InStep::detect()
    {
        let both = of_first.len().min(of_second.len());
        for (a, b) in of_first.iter().zip(*of_second) {
            in_step.compress([first, second], [a, b]);
        }
        compress256(first, &of_first[both..]);
        compress256(second, &of_second[both..]);
        return;
    }
    states.iter_mut().zip(blocks).for_each(|(state, blocks)| compress256(state, blocks));
}

/// The padded input of b_i: a digest, i, and `DST_prime = DST || I2OSP(len(DST), 1)`; a DST beyond
/// 255 bytes is hashed first (RFC 9380, section 5.3.3).
#[derive(Clone, Debug)]
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
            fill([&[message]], &Mixed::new(dst), [&mut output]);
            assert_eq!(output.to_vec(), expanded(message, dst, EXPANDED_BYTES as u16), "a tag of {length} bytes");
        }
    }

    #[test]
    fn two_messages_in_step_are_hashed_as_each_alone() {
        let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
        for length in 0..260 {
            for other in [0, 1, 76, 130, 255, length] {
                let (a, b) = (&bytes[..length], &bytes[100..100 + other]);
                let tag = &bytes[..1 + length % 200];
                let alone = [a, b].map(|message| hash_to_scalar(message, tag));
                let (cut, rest) = a.split_at(length / 3);
                let together = ScalarHash::new(tag).hash_two([&[cut, rest], &[b]]);
                assert_eq!(together, alone, "{length} and {other} bytes");
            }
        }
    }
}
