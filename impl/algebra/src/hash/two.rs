//! SHA-256's compression of two blocks of different messages in step.
//!
//! Each round waits for the one before it, and the processor's instructions for two rounds
//! (`sha256rnds2`) could begin twice as often as one message needs them: two messages take hardly
//! more than one.
#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_alignr_epi8, _mm_extract_epi32, _mm_loadu_si128, _mm_set_epi8, _mm_set_epi32,
    _mm_sha256msg1_epu32, _mm_sha256msg2_epu32, _mm_sha256rnds2_epu32, _mm_shuffle_epi8, _mm_shuffle_epi32,
};

use super::blocks::{BLOCK_BYTES, State};

/// Rounds that take four words of the schedule.
const STEPS: usize = 16;

/// K of FIPS 180-4, section 4.2.2.
#[rustfmt::skip]
const CONSTANTS: [[u32; 4]; STEPS] = [
    [0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5], [0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5],
    [0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3], [0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174],
    [0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc], [0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da],
    [0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7], [0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967],
    [0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13], [0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85],
    [0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3], [0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070],
    [0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5], [0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3],
    [0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208], [0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2],
];

/// The instructions: a value exists only where the processor has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct InStep(());

impl InStep {
    /// The instance, if this processor has the instructions.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        let there =
            is_x86_feature_detected!("sha") && is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3");
        there.then_some(Self(()))
    }

    /// Compresses a block into each state.
    #[inline]
    pub(super) fn compress(self, states: [&mut State; 2], blocks: [&[u8; BLOCK_BYTES]; 2]) {
        // SAFETY: `self` exists, so the processor has SHA, SSE4.1 and SSSE3.
        unsafe { compress(states, blocks) }
    }
}

/// A message's state as the instructions take it, and the sixteen words that the schedule goes on
/// from.
#[derive(Clone, Copy)]
struct Message {
    abef: __m128i,
    cdgh: __m128i,
    words: [__m128i; 4],
}

#[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
fn compress(states: [&mut State; 2], blocks: [&[u8; BLOCK_BYTES]; 2]) {
    let [first, second] = states;
    let [of_first, of_second] = blocks;
    let started = [Message::new(first, of_first), Message::new(second, of_second)];
    let mut messages = started;
    // Unrolled: the schedule's words then stay in registers.
    macro_rules! steps {
        ($($step:literal)*) => {
            $(messages.iter_mut().for_each(|message| message.step::<$step>());)*
        };
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    *first = messages[0].added(&started[0]);
    *second = messages[1].added(&started[1]);
}

impl Message {
    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    fn new(state: &State, block: &[u8; BLOCK_BYTES]) -> Self {
        let [a, b, c, d, e, f, g, h] = state.map(u32::cast_signed);
        let (parts, _) = block.as_chunks();
        let big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
        let words = core::array::from_fn(|part| {
            let part: &[u8; 16] = &parts[part];
            // SAFETY: the sixteen bytes that are read, at any alignment, are those of the array.
            let loaded = unsafe { _mm_loadu_si128(part.as_ptr().cast()) };
            _mm_shuffle_epi8(loaded, big_endian)
        });
        Self { abef: _mm_set_epi32(a, b, e, f), cdgh: _mm_set_epi32(c, d, g, h), words }
    }

    /// Four rounds.
    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    fn step<const STEP: usize>(&mut self) {
        let [w_0, w_1, w_2, w_3] = [0, 1, 2, 3].map(|behind| self.words[(STEP + behind) % 4]);
        let mut words = w_0;
        if STEP >= 4 {
            let older = _mm_add_epi32(_mm_sha256msg1_epu32(w_0, w_1), _mm_alignr_epi8::<4>(w_3, w_2));
            words = _mm_sha256msg2_epu32(older, w_3);
            self.words[STEP % 4] = words;
        }
        let [k_0, k_1, k_2, k_3] = CONSTANTS[STEP].map(u32::cast_signed);
        let sums = _mm_add_epi32(words, _mm_set_epi32(k_3, k_2, k_1, k_0));
        self.cdgh = _mm_sha256rnds2_epu32(self.cdgh, self.abef, sums);
        self.abef = _mm_sha256rnds2_epu32(self.abef, self.cdgh, _mm_shuffle_epi32::<0b1110>(sums));
    }

    /// The state's words and those that it began with.
    #[inline]
    #[target_feature(enable = "sha,sse2,ssse3,sse4.1")]
    fn added(&self, started: &Self) -> State {
        let (x, y) = (_mm_add_epi32(self.abef, started.abef), _mm_add_epi32(self.cdgh, started.cdgh));
        let [a, b, e, f] = [
            _mm_extract_epi32::<3>(x),
            _mm_extract_epi32::<2>(x),
            _mm_extract_epi32::<1>(x),
            _mm_extract_epi32::<0>(x),
        ];
        let [c, d, g, h] = [
            _mm_extract_epi32::<3>(y),
            _mm_extract_epi32::<2>(y),
            _mm_extract_epi32::<1>(y),
            _mm_extract_epi32::<0>(y),
        ];
        [a, b, c, d, e, f, g, h].map(i32::cast_unsigned)
    }
}
