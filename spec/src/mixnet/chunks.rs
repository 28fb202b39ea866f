//! Values as chunks: a value of a ceremony is written as w numbers of 16 bits, and a row encrypts
//! each under a key of its own, C_l = m_l G + ρ Y_l, all with one ρ.
//!
//! A ceremony's values have a width of v bytes, even, 2 to 32, and w = v / 2. With v = 2 the value
//! is the number; else it is `u8 length || bytes || zeros`, which leaves v - 1 bytes. A row goes
//! through the servers as a whole, so what a shuffle moves is all chunks of a value, by one
//! permutation. Decryption looks each number up among the multiples of the generator; what is not
//! there, or is not what some value is written as, is undecodable. Source: docs/mixnet.md,
//! "Algebra".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::integers::*;
use crate::base::scalar::*;
use crate::mixnet::column::*;
use hacspec_lib::*;

/// The most bytes of a value's width.
pub const MOST_VALUE_BYTES: usize = 32;
/// How many numbers a chunk can be.
pub const CHUNK_NUMBERS: usize = 65_536;

/// Whether values can have this width, in bytes.
pub fn value_width_legal(width: usize) -> bool {
    2 <= width && width <= MOST_VALUE_BYTES && width % 2 == 0
}

/// The bytes that a value is written as; none where the width is not legal or the value does not
/// fit.
pub fn padded_value(content: &ByteString, width: usize) -> Option<ByteString> {
    if !value_width_legal(width) {
        None
    } else if width == 2 {
        if content.len() == 2 { Some(content.clone()) } else { None }
    } else if content.len() < width {
        let zeros = ByteString::new(width - 1 - content.len());
        Some(u8_bytes(content.len()).concat(content).concat(&zeros))
    } else {
        None
    }
}

/// One step of [`chunk_numbers`].
pub fn chunk_numbers_step(chunks: Seq<usize>, padded: &ByteString, i: usize) -> Seq<usize> {
    chunks.push_owned(usize_of_u128(number_of_bytes(&padded.slice(2 * i, 2))))
}

/// The numbers of an even count of bytes, two bytes each, the higher first.
pub fn chunk_numbers(padded: &ByteString) -> Seq<usize> {
    let mut chunks = Seq::<usize>::new(0);
    for i in 0..padded.len() / 2 {
        chunks = chunk_numbers_step(chunks, padded, i);
    }
    chunks
}

/// The chunks of a value.
pub fn value_chunks(content: &ByteString, width: usize) -> Option<Seq<usize>> {
    match padded_value(content, width) {
        Some(padded) => Some(chunk_numbers(&padded)),
        None => None,
    }
}

/// One step of [`chunk_bytes`].
pub fn chunk_bytes_step(padded: ByteString, chunks: &Seq<usize>, i: usize) -> ByteString {
    padded.concat(&u16_bytes(chunks[i]))
}

/// Two bytes a chunk.
pub fn chunk_bytes(chunks: &Seq<usize>) -> ByteString {
    let mut padded = ByteString::new(0);
    for i in 0..chunks.len() {
        padded = chunk_bytes_step(padded, chunks, i);
    }
    padded
}

/// One step of [`chunks_legal`].
pub fn chunks_legal_step(legal: bool, chunks: &Seq<usize>, i: usize) -> bool {
    legal && chunks[i] < CHUNK_NUMBERS
}

/// Whether there are as many chunks as a width can have, all of 16 bits.
pub fn chunks_legal(chunks: &Seq<usize>) -> bool {
    let mut legal = 0 < chunks.len() && chunks.len() <= MOST_VALUE_BYTES / 2;
    for i in 0..chunks.len() {
        legal = chunks_legal_step(legal, chunks, i);
    }
    legal
}

/// The value that bytes would be written for: so many bytes as the first says, behind it; none of
/// them where there are fewer.
pub fn unpadded_value(padded: &ByteString) -> ByteString {
    if padded.len() < 3 {
        padded.clone()
    } else {
        let length = usize_of_u128(u128_of_u8(padded[0usize]));
        if length < padded.len() { padded.slice(1, length) } else { ByteString::new(0) }
    }
}

/// The value of these chunks, if they are what it is written as: not of another count, with another
/// length, or with other bytes than zeros behind it.
pub fn chunks_value(chunks: &Seq<usize>) -> Option<ByteString> {
    if chunks_legal(chunks) {
        let padded = chunk_bytes(chunks);
        let content = unpadded_value(&padded);
        match padded_value(&content, padded.len()) {
            Some(again) => {
                if bytes_equal(&again, &padded) {
                    Some(content)
                } else {
                    None
                }
            }
            None => None,
        }
    } else {
        None
    }
}

/// One step of [`chunk_elements`].
pub fn chunk_elements_step(elements: Seq<G1>, chunks: &Seq<usize>, i: usize) -> Seq<G1> {
    elements.push_owned(g1_multiple(scalar_of_number(u128_of_usize(chunks[i]))))
}

/// m_l G
pub fn chunk_elements(chunks: &Seq<usize>) -> Seq<G1> {
    let mut elements = Seq::<G1>::new(0);
    for i in 0..chunks.len() {
        elements = chunk_elements_step(elements, chunks, i);
    }
    elements
}

/// The row that encrypts chunks under (G, Y_1, .., Y_w).
pub fn encrypted_chunks(chunks: &Seq<usize>, keys: &Seq<G1>, rho: Scalar) -> Seq<G1> {
    let row = Seq::<G1>::new(0).push_owned(g1_identity()).concat(&chunk_elements(chunks));
    column_reencrypt_row(&row, keys, rho)
}

/// One step of [`element_chunk`].
pub fn element_chunk_step(found: Option<usize>, element: G1, number: usize) -> Option<usize> {
    match found {
        Some(first) => Some(first),
        None => {
            if g1_equal(element, g1_multiple(scalar_of_number(u128_of_usize(number)))) {
                Some(number)
            } else {
                None
            }
        }
    }
}

/// The number m of 16 bits of m G; none of other elements.
pub fn element_chunk(element: G1) -> Option<usize> {
    let mut found = None;
    for number in 0..CHUNK_NUMBERS {
        found = element_chunk_step(found, element, number);
    }
    found
}

/// One step of [`elements_chunks`].
pub fn elements_chunks_step(read: Option<Seq<usize>>, elements: &Seq<G1>, l: usize) -> Option<Seq<usize>> {
    match read {
        None => None,
        Some(chunks) => match element_chunk(elements[l]) {
            None => None,
            Some(number) => Some(chunks.push_owned(number)),
        },
    }
}

/// The chunks of decrypted elements, if each is a number of 16 bits.
pub fn elements_chunks(elements: &Seq<G1>) -> Option<Seq<usize>> {
    let mut read = Some(Seq::<usize>::new(0));
    for l in 0..elements.len() {
        read = elements_chunks_step(read, elements, l);
    }
    read
}

/// The value of a decrypted row; none where it is undecodable.
pub fn elements_value(elements: &Seq<G1>) -> Option<ByteString> {
    match elements_chunks(elements) {
        Some(chunks) => chunks_value(&chunks),
        None => None,
    }
}
