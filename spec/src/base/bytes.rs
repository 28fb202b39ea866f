//! Byte strings: their order, their equality, and numbers written as bytes.
//!
//! Order is lexicographic. Everything that compares goes through [`first_difference`], so that one
//! induction serves all.

use crate::base::integers::*;
use hacspec_lib::*;

/// A string of bytes: a key, a value, a digest, an encoding.
pub type ByteString = Seq<u8>;

/// One step of [`first_difference`]: `equal_so_far` grows while all bytes before `i`, and byte `i`,
/// agree.
pub fn first_difference_step(equal_so_far: usize, i: usize, a: &ByteString, b: &ByteString) -> usize {
    if equal_so_far == i && a[i] == b[i] { i + 1 } else { equal_so_far }
}

/// The length of the longest common prefix: the first index at which `a` and `b` differ, or the
/// shorter length.
pub fn first_difference(a: &ByteString, b: &ByteString) -> usize {
    let common = if a.len() < b.len() { a.len() } else { b.len() };
    let mut equal_so_far = 0;
    for i in 0..common {
        equal_so_far = first_difference_step(equal_so_far, i, a, b);
    }
    equal_so_far
}

/// Whether the two strings are the same.
pub fn bytes_equal(a: &ByteString, b: &ByteString) -> bool {
    a.len() == b.len() && first_difference(a, b) == a.len()
}

/// Whether `a` comes strictly before `b` in lexicographic order.
pub fn bytes_less(a: &ByteString, b: &ByteString) -> bool {
    let d = first_difference(a, b);
    if d < a.len() && d < b.len() { a[d] < b[d] } else { d < b.len() }
}

/// Whether `a` comes before `b` or equals it.
pub fn bytes_at_most(a: &ByteString, b: &ByteString) -> bool {
    !bytes_less(b, a)
}

/// Whether there is a value.
pub fn is_present(content: &Option<ByteString>) -> bool {
    match content {
        Some(_) => true,
        None => false,
    }
}

/// Whether two contents of a key, each a value or absent, are the same.
pub fn contents_equal(a: &Option<ByteString>, b: &Option<ByteString>) -> bool {
    match a {
        None => !is_present(b),
        Some(left) => match b {
            None => false,
            Some(right) => bytes_equal(left, right),
        },
    }
}

/// A string of one byte.
pub fn single_byte(byte: u8) -> ByteString {
    ByteString::new(0).push_owned(byte)
}

/// What is left of a number while its bytes are written, lowest first, in front of one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digits {
    /// The number without the bytes written so far.
    pub digits_rest: u128,
    /// The bytes written so far.
    pub digits_written: ByteString,
}

/// One step of [`big_endian`]: moves the lowest byte of the rest to the front of what is written.
pub fn big_endian_step(digits: Digits) -> Digits {
    let lowest = single_byte(u8_of_u128(digits.digits_rest % 256));
    Digits { digits_rest: digits.digits_rest / 256, digits_written: lowest.concat(&digits.digits_written) }
}

/// The `width` lowest bytes of a number, highest first.
pub fn big_endian(number: u128, width: usize) -> ByteString {
    let mut digits = Digits { digits_rest: number, digits_written: ByteString::new(0) };
    for _i in 0..width {
        digits = big_endian_step(digits);
    }
    digits.digits_written
}

/// One step of [`number_of_bytes`].
pub fn number_of_bytes_step(number: u128, byte: u8) -> u128 {
    number * 256 + u128_of_u8(byte)
}

/// The number that at most 16 bytes write, highest byte first.
pub fn number_of_bytes(bytes: &ByteString) -> u128 {
    let mut number = 0;
    for i in 0..bytes.len() {
        number = number_of_bytes_step(number, bytes[i]);
    }
    number
}

/// One byte of a count.
pub fn u8_bytes(x: usize) -> ByteString {
    big_endian(u128_of_usize(x), 1)
}

/// Two bytes of a count.
pub fn u16_bytes(x: usize) -> ByteString {
    big_endian(u128_of_usize(x), 2)
}

/// Four bytes of a count.
pub fn u32_bytes(x: usize) -> ByteString {
    big_endian(u128_of_usize(x), 4)
}

/// Eight bytes of a count, a position or a version.
pub fn u64_bytes(x: usize) -> ByteString {
    big_endian(u128_of_usize(x), 8)
}

/// `u8 len || x`, for strings of at most 255 bytes.
pub fn bytes8(x: &ByteString) -> ByteString {
    u8_bytes(x.len()).concat(x)
}

/// `u16 len || x`, for strings of at most 65,535 bytes.
pub fn bytes16(x: &ByteString) -> ByteString {
    u16_bytes(x.len()).concat(x)
}
