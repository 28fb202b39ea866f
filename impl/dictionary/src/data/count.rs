//! Numbers of positions have 64 bits, lengths in memory as many as the machine's addresses: the one
//! place where they meet.

/// A length as a number. No machine's memory holds 2^64 items, so nothing is cut off.
pub(crate) fn count_of(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A number as a length or an index. One that memory cannot have is beyond the end of every list,
/// and so is the largest index, which stands for it.
pub(crate) fn index_of(number: impl Into<u64>) -> usize {
    usize::try_from(number.into()).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lengths_are_the_same_numbers() {
        for number in [0, 1, 4095, u32::MAX] {
            assert_eq!(count_of(index_of(number)), u64::from(number));
        }
        assert!(index_of(u64::MAX) > isize::MAX as usize);
    }
}
