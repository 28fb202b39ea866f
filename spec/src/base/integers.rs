//! Conversions between integer types: the primitives of this specification.
//!
//! Every widening is the identity on the number, and every narrowing is the remainder modulo the
//! width of its target. A translation maps these functions by hand. No other file of the
//! specification converts between integer types.
//!
//! Positions, versions, counts and lengths are `usize`, which is 64 bits wide wherever the
//! specification runs; bytes are `u8`; amounts of `Add` and `Sub` are `u64`; numbers read from
//! bytes are `u128`.

/// The number of a byte.
pub fn u128_of_u8(x: u8) -> u128 {
    u128::from(x)
}

/// The number of a position, version, count or length.
pub fn u128_of_usize(x: usize) -> u128 {
    x as u128
}

/// The number of an amount.
pub fn u128_of_u64(x: u64) -> u128 {
    u128::from(x)
}

/// The number modulo 2^8.
pub fn u8_of_u128(x: u128) -> u8 {
    (x % 256) as u8
}

/// The number modulo 2^64.
pub fn u64_of_u128(x: u128) -> u64 {
    (x % 18_446_744_073_709_551_616) as u64
}

/// The number of a position, version, count or length: the number modulo 2^64.
pub fn usize_of_u128(x: u128) -> usize {
    (x % 18_446_744_073_709_551_616) as usize
}
