//! Conversions between widths of integers, each named for why it loses nothing, or for what it does
//! where it would.
//!
//! The standard library converts `usize` only fallibly, since it says nothing about its width. Here
//! it has 32 or 64 bits, as on every machine that this code is for; others do not compile.

const _: () = assert!(usize::BITS == 32 || usize::BITS == 64, "usize has 32 or 64 bits");

/// A length or count as 64 bits. Exact: `usize` has at most 64.
#[must_use]
pub const fn u64_of_usize(number: usize) -> u64 {
    number as u64
}

/// A number of 32 bits as a length or index. Exact: `usize` has at least 32.
#[must_use]
pub const fn usize_of_u32(number: u32) -> usize {
    number as usize
}

/// A number as a length or limit: the largest `usize` where it is larger, which no memory reaches.
#[must_use]
pub fn usize_or_max(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

/// A number as 32 bits: the largest of them where it is larger.
#[must_use]
pub fn u32_or_max(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

/// A number as 64 bits, such as a count of microseconds: the largest of them where it is larger.
#[must_use]
pub fn u64_or_max(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// A number as 64 bits with a sign, as formats of other programs have it: the largest of them where
/// it is larger.
#[must_use]
pub fn i64_or_max(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A number as 16 bits: the largest of them where it is larger.
#[must_use]
pub fn u16_or_max(number: impl TryInto<u16>) -> u16 {
    number.try_into().unwrap_or(u16::MAX)
}

/// A number as 8 bits: the largest of them where it is larger.
#[must_use]
pub fn u8_or_max(number: impl TryInto<u8>) -> u8 {
    number.try_into().unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_exact_and_what_does_not_is_the_largest() {
        assert_eq!(u64_of_usize(usize::MAX), usize::MAX as u64);
        assert_eq!(usize_of_u32(u32::MAX) as u64, u64::from(u32::MAX));
        assert_eq!((usize_or_max(7u64), usize_or_max(u128::MAX)), (7, usize::MAX));
        assert_eq!((u32_or_max(7usize), u32_or_max(1u64 << 32)), (7, u32::MAX));
        assert_eq!((i64_or_max(7u64), i64_or_max(u64::MAX)), (7, i64::MAX));
        assert_eq!((u16_or_max(7u64), u16_or_max(1u64 << 16)), (7, u16::MAX));
        assert_eq!((u8_or_max(7u64), u8_or_max(256u64)), (7, u8::MAX));
        assert_eq!((u64_or_max(7u128), u64_or_max(u128::MAX)), (7, u64::MAX));
    }
}
