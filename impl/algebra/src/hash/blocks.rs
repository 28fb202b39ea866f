//! SHA-256 around the library's compression (FIPS 180-4): messages of a few short pieces, and two
//! messages in step.

#![allow(clippy::indexing_slicing, reason = "what is filled of the blocks is below their length")]

use sha2::block_api::compress256;

/// Bytes of a SHA-256 digest.
pub(super) const DIGEST_BYTES: usize = 32;
/// Bytes of SHA-256's input block, `s_in_bytes` in the RFC.
pub(super) const BLOCK_BYTES: usize = 64;
/// What padding begins with: a bit 1.
pub(super) const END: u8 = 0x80;
/// Bytes at the end of the padding: the number of bits.
pub(super) const COUNT_BYTES: usize = 8;
/// H^(0) of SHA-256 (FIPS 180-4, section 5.3.3).
#[rustfmt::skip]
pub(super) const INITIAL: State =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
/// SHA-256's words between blocks.
pub(super) type State = [u32; 8];

/// SHA-256 of a message of a few short pieces (FIPS 180-4, sections 5.1.1 and 6.2), around the
/// library's compression: its own way to collect and pad blocks takes half as long as that. What a
/// slot with keys of 32 bytes and a short value comes to is collected as a whole, and compressed at
/// once.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    pub(super) state: State,
    blocks: [[u8; BLOCK_BYTES]; COLLECTED],
    /// Bytes in the blocks that are not compressed yet.
    filled: usize,
    /// Bytes so far.
    length: usize,
}

/// Blocks that are collected.
const COLLECTED: usize = 3;

impl Pieces {
    /// Behind one block, whose state is still to be set.
    pub(super) const fn after_a_block() -> Self {
        Self { state: INITIAL, blocks: [[0; BLOCK_BYTES]; COLLECTED], filled: 0, length: BLOCK_BYTES }
    }

    /// Appends bytes to the message.
    #[inline]
    pub(super) fn push(&mut self, mut piece: &[u8]) {
        self.length += piece.len();
        while let Some((rest, later)) = piece.split_at_checked(COLLECTED * BLOCK_BYTES - self.filled) {
            self.blocks.as_flattened_mut()[self.filled..].copy_from_slice(rest);
            self.compress();
            piece = later;
        }
        let place = &mut self.blocks.as_flattened_mut()[self.filled..self.filled + piece.len()];
        // The length of most keys: as a constant it is copied without a call.
        match (<&mut [u8; DIGEST_BYTES]>::try_from(&mut *place), <&[u8; DIGEST_BYTES]>::try_from(piece)) {
            (Ok(place), Ok(piece)) => *place = *piece,
            _ => place.copy_from_slice(piece),
        }
        self.filled += piece.len();
    }

    /// Ends the message, whose last blocks are not compressed yet: a bit 1, zeros up to the last
    /// eight bytes of a block, and in them the number of bits.
    #[inline]
    pub(super) fn pad(&mut self) {
        let bits = (self.length as u64 * 8).to_be_bytes();
        self.push(&[END]);
        if self.filled > COLLECTED * BLOCK_BYTES - COUNT_BYTES {
            self.blocks.as_flattened_mut()[self.filled..].fill(0);
            self.compress();
        }
        let end = (self.filled + COUNT_BYTES).next_multiple_of(BLOCK_BYTES);
        let bytes = &mut self.blocks.as_flattened_mut()[self.filled..end];
        let (zeros, count) = bytes.split_at_mut(end - self.filled - COUNT_BYTES);
        zeros.fill(0);
        count.copy_from_slice(&bits);
        self.filled = end;
    }

    /// The blocks of a padded message that are not compressed yet.
    pub(super) fn collected(&self) -> &[[u8; BLOCK_BYTES]] {
        &self.blocks[..self.filled / BLOCK_BYTES]
    }

    /// Compresses the blocks, all of which are filled.
    fn compress(&mut self) {
        compress256(&mut self.state, &self.blocks);
        self.filled = 0;
    }
}

pub(super) fn digest_of(state: State) -> [u8; DIGEST_BYTES] {
    let mut digest = [0; DIGEST_BYTES];
    digest.as_chunks_mut().0.iter_mut().zip(state).for_each(|(bytes, word)| *bytes = word.to_be_bytes());
    digest
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn digests_of_pieces_are_the_librarys_for_all_lengths_up_to_eight_blocks() {
        let bytes: Vec<u8> = (0..=255).chain(0..=255).collect();
        for length in 0..bytes.len() {
            let message = &bytes[..length];
            let expected: [u8; DIGEST_BYTES] = Sha256::digest(message).into();
            for cuts in [[0, 0], [1, 2], [30, 62], [64, 64], [64, 128], [2, 131], [192, 384]] {
                let [first, second] = cuts.map(|cut| cut.min(length));
                let mut pieces = Pieces { blocks: [[1; BLOCK_BYTES]; COLLECTED], length: 0, ..Pieces::after_a_block() };
                for piece in [&message[..first], &message[first..second], &message[second..]] {
                    pieces.push(piece);
                }
                pieces.pad();
                let mut state = pieces.state;
                compress256(&mut state, pieces.collected());
                assert_eq!(digest_of(state), expected, "{length} bytes cut at {cuts:?}");
            }
        }
    }
}
