//! SHA-256 (FIPS 180-4), the tagged hash, and RFC 9380's expand_message_xmd and hash_to_field for
//! scalars.
//!
//! A translation treats this file as given: of its functions it uses the tags, [`tagged_hash`] and
//! [`hash_to_scalar`], as opaque functions of byte strings.

use crate::base::bytes::*;
use crate::base::scalar::*;
use hacspec_lib::*;

/// The eight words between two rounds of the compression function.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HashWords {
    /// Word a.
    pub word_a: u32,
    /// Word b.
    pub word_b: u32,
    /// Word c.
    pub word_c: u32,
    /// Word d.
    pub word_d: u32,
    /// Word e.
    pub word_e: u32,
    /// Word f.
    pub word_f: u32,
    /// Word g.
    pub word_g: u32,
    /// Word h.
    pub word_h: u32,
}

/// The 64 round constants: the first 32 bits of the fractional parts of the cube roots of the first
/// 64 primes.
pub fn round_constants() -> Seq<u32> {
    Seq::<u32>::from_native_slice(&[
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
        0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
        0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
        0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
        0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
        0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
        0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2,
    ])
}

/// The words before the first block: the first 32 bits of the fractional parts of the square roots
/// of the first 8 primes.
pub fn initial_words() -> HashWords {
    HashWords {
        word_a: 0x6a09e667,
        word_b: 0xbb67ae85,
        word_c: 0x3c6ef372,
        word_d: 0xa54ff53a,
        word_e: 0x510e527f,
        word_f: 0x9b05688c,
        word_g: 0x1f83d9ab,
        word_h: 0x5be0cd19,
    }
}

/// Four bytes as a word, highest first.
pub fn word_of_bytes(bytes: &ByteString, start: usize) -> u32 {
    u32::from_be_bytes([bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]])
}

/// One step of [`message_schedule`]: word `i` is read from the block for i < 16, mixed from earlier
/// words after.
pub fn message_schedule_step(schedule: Seq<u32>, block: &ByteString, i: usize) -> Seq<u32> {
    if i < 16 {
        schedule.push_owned(word_of_bytes(block, 4 * i))
    } else {
        let w15 = schedule[i - 15];
        let w2 = schedule[i - 2];
        let sigma0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ (w15 >> 3);
        let sigma1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ (w2 >> 10);
        let w16 = schedule[i - 16];
        let w7 = schedule[i - 7];
        schedule.push_owned(w16.wrapping_add(sigma0).wrapping_add(w7).wrapping_add(sigma1))
    }
}

/// The 64 words of the message schedule of a block of 64 bytes.
pub fn message_schedule(block: &ByteString) -> Seq<u32> {
    let mut schedule = Seq::<u32>::with_capacity(64);
    for i in 0..64 {
        schedule = message_schedule_step(schedule, block, i);
    }
    schedule
}

/// One round of the compression function, with the round's constant and message word.
pub fn compression_round(words: HashWords, constant: u32, message_word: u32) -> HashWords {
    let e = words.word_e;
    let a = words.word_a;
    let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
    let choice = (e & words.word_f) ^ (!e & words.word_g);
    let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
    let majority = (a & words.word_b) ^ (a & words.word_c) ^ (words.word_b & words.word_c);
    let t1 = words.word_h.wrapping_add(sum1).wrapping_add(choice).wrapping_add(constant).wrapping_add(message_word);
    HashWords {
        word_a: t1.wrapping_add(sum0.wrapping_add(majority)),
        word_b: words.word_a,
        word_c: words.word_b,
        word_d: words.word_c,
        word_e: words.word_d.wrapping_add(t1),
        word_f: words.word_e,
        word_g: words.word_f,
        word_h: words.word_g,
    }
}

/// The compression function: the words after a block of 64 bytes.
pub fn compress(before_block: HashWords, block: &ByteString, constants: &Seq<u32>) -> HashWords {
    let schedule = message_schedule(block);
    let mut words = before_block;
    for i in 0..64 {
        words = compression_round(words, constants[i], schedule[i]);
    }
    HashWords {
        word_a: before_block.word_a.wrapping_add(words.word_a),
        word_b: before_block.word_b.wrapping_add(words.word_b),
        word_c: before_block.word_c.wrapping_add(words.word_c),
        word_d: before_block.word_d.wrapping_add(words.word_d),
        word_e: before_block.word_e.wrapping_add(words.word_e),
        word_f: before_block.word_f.wrapping_add(words.word_f),
        word_g: before_block.word_g.wrapping_add(words.word_g),
        word_h: before_block.word_h.wrapping_add(words.word_h),
    }
}

/// The message, one bit 1, zeros, and the message's length in bits, so that 64 divides the number
/// of bytes.
pub fn padded_message(message: &ByteString) -> ByteString {
    let filled = (message.len() + 9) % 64;
    let zeros = if filled == 0 { 0 } else { 64 - filled };
    message.concat(&single_byte(128)).concat(&ByteString::new(zeros)).concat(&u64_bytes(8 * message.len()))
}

/// The digest that the words after the last block write.
pub fn digest_of_words(words: HashWords) -> ByteString {
    ByteString::from_native_slice(&words.word_a.to_be_bytes())
        .concat(&ByteString::from_native_slice(&words.word_b.to_be_bytes()))
        .concat(&ByteString::from_native_slice(&words.word_c.to_be_bytes()))
        .concat(&ByteString::from_native_slice(&words.word_d.to_be_bytes()))
        .concat(&ByteString::from_native_slice(&words.word_e.to_be_bytes()))
        .concat(&ByteString::from_native_slice(&words.word_f.to_be_bytes()))
        .concat(&ByteString::from_native_slice(&words.word_g.to_be_bytes()))
        .concat(&ByteString::from_native_slice(&words.word_h.to_be_bytes()))
}

/// SHA-256: the digest, 32 bytes, of a message.
pub fn sha256(message: &ByteString) -> ByteString {
    let padded = padded_message(message);
    let constants = round_constants();
    let mut words = initial_words();
    for i in 0..padded.len() / 64 {
        words = compress(words, &padded.slice(64 * i, 64), &constants);
    }
    digest_of_words(words)
}

/// `H(tag, x)` = SHA-256(`bytes8(tag) || x`), the hash that is separated by domain. Source:
/// docs/format.md.
pub fn tagged_hash(tag: &ByteString, x: &ByteString) -> ByteString {
    sha256(&bytes8(tag).concat(x))
}

/// The tag of slots' scalars.
pub fn tag_slot() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-SLOT")
}

/// The tag of dictionary ids.
pub fn tag_dictionary() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V2-DICTIONARY")
}

/// The tag of the digest of the first keys and values.
pub fn tag_content() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V2-CONTENT")
}

/// The tag of transaction ids.
pub fn tag_transaction() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-TRANSACTION")
}

/// The tag of a batch's seed.
pub fn tag_batch() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-BATCH")
}

/// The tag of a batch's coefficients.
pub fn tag_coefficient() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-COEFFICIENT")
}

/// The tag of an aggregation's first seed.
pub fn tag_aggregate_claims() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-AGGREGATE-CLAIMS")
}

/// The tag of an aggregation's second seed.
pub fn tag_aggregate_points() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-AGGREGATE-POINTS")
}

/// One step of [`bytes_xor`].
pub fn bytes_xor_step(mixed: ByteString, a: u8, b: u8) -> ByteString {
    mixed.push_owned(a ^ b)
}

/// The exclusive or of two strings of one length.
pub fn bytes_xor(a: &ByteString, b: &ByteString) -> ByteString {
    let mut mixed = ByteString::with_capacity(a.len());
    for i in 0..a.len() {
        mixed = bytes_xor_step(mixed, a[i], b[i]);
    }
    mixed
}

/// What expand_message_xmd has produced: the bytes so far, and the last 32 of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    /// b_1 to b_i.
    pub expansion_bytes: ByteString,
    /// b_i; 32 zeros before the first.
    pub expansion_last: ByteString,
}

/// One step of [`expand_message_xmd`]: b_i = SHA-256((b_0 xor b_{i-1}) || i || DST_prime).
pub fn expand_message_step(expansion: Expansion, b0: &ByteString, dst_prime: &ByteString, i: usize) -> Expansion {
    let mixed = bytes_xor(b0, &expansion.expansion_last);
    let last = sha256(&mixed.concat(&u8_bytes(i)).concat(dst_prime));
    Expansion { expansion_bytes: expansion.expansion_bytes.concat(&last), expansion_last: last }
}

/// RFC 9380, section 5.3.1, with SHA-256: `length` uniform bytes (at most 8,160) from a message and
/// a domain separation tag of at most 255 bytes.
pub fn expand_message_xmd(message: &ByteString, dst: &ByteString, length: usize) -> ByteString {
    let dst_prime = dst.concat(&u8_bytes(dst.len()));
    let z_pad = ByteString::new(64);
    let b0 = sha256(&z_pad.concat(message).concat(&u16_bytes(length)).concat(&u8_bytes(0)).concat(&dst_prime));
    let mut expansion = Expansion { expansion_bytes: ByteString::new(0), expansion_last: ByteString::new(32) };
    for i in 1..(length + 31) / 32 + 1 {
        expansion = expand_message_step(expansion, &b0, &dst_prime, i);
    }
    expansion.expansion_bytes.slice(0, length)
}

/// RFC 9380, section 5.2, into the scalar field of BLS12-381, with L = 48 and m = 1.
pub fn hash_to_scalar(message: &ByteString, dst: &ByteString) -> Scalar {
    scalar_of_wide_bytes(&expand_message_xmd(message, dst, 48))
}
