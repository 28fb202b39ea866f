//! Sizes of memory as options give them, in MiB.

use aardvark_algebra::integers::usize_of_u32;

/// The bytes of so many MiB. On a machine of 32 bits, 4 GiB and more mean all that it can address:
/// these are limits, and a limit that cannot be reached is none.
pub fn bytes_of_mib(mib: u32) -> usize {
    usize_of_u32(mib).saturating_mul(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mebibytes_are_bytes_up_to_what_a_machine_can_address() {
        assert_eq!([0, 1, 256].map(bytes_of_mib), [0, 1 << 20, 256 << 20]);
        let all = u64::from(u32::MAX) << 20;
        assert_eq!(bytes_of_mib(u32::MAX), usize::try_from(all).unwrap_or(usize::MAX));
    }
}
