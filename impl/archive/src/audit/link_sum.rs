//! The links of a ring of slots, summed up: what the partitions of an audit leave to its end.

use aardvark_algebra::encoding::{DecodeError, SCALAR_BYTES, scalar_from_bytes, scalar_to_bytes};
use aardvark_algebra::hash::hash_to_scalar;
use aardvark_algebra::integers::u16_or_max;
use aardvark_algebra::{Scalar, ff::Field};
use aardvark_dictionary::Key;

/// What a link is hashed with.
const LINK_TAG: &[u8] = b"AARDVARK-JOB-LINK";

/// The sum of `hash_to_scalar(u64 position || u16 length of the key || key || next key)` over some
/// slots, in whatever order. Equal sums show equal links against damage, and against whoever cannot
/// choose many of them: with 2^32 to choose from, others of the same sum can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkSum(Scalar);

impl LinkSum {
    pub(crate) const ZERO: Self = Self(Scalar::ZERO);

    /// With one link more: the key at a position, and the next key.
    pub(crate) fn and(self, position: u64, key: &Key, next: &Key) -> Self {
        let length = u16_or_max(key.len()).to_be_bytes();
        let link = [&position.to_be_bytes()[..], &length, key, next].concat();
        Self(self.0 + hash_to_scalar(&link, LINK_TAG))
    }

    /// The links of both.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    pub(crate) fn to_bytes(self) -> [u8; SCALAR_BYTES] {
        scalar_to_bytes(&self.0)
    }

    pub(crate) fn from_bytes(bytes: &[u8; SCALAR_BYTES]) -> Result<Self, DecodeError> {
        scalar_from_bytes(bytes).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_depends_on_every_part_of_a_link_and_not_on_their_order() {
        let sum = |links: &[(u64, &str, &str)]| {
            links.iter().fold(LinkSum::ZERO, |sum, (position, key, next)| {
                sum.and(*position, &Key::from(*key), &Key::from(*next))
            })
        };
        let two = sum(&[(1, "a", "bc"), (2, "bc", "")]);
        assert_eq!(two, sum(&[(2, "bc", ""), (1, "a", "bc")]));
        assert_eq!(two, sum(&[(1, "a", "bc")]).plus(sum(&[(2, "bc", "")])));
        assert_eq!(LinkSum::from_bytes(&two.to_bytes()), Ok(two));
        for other in [[(1, "a", "bc"), (3, "bc", "")], [(1, "ab", "c"), (2, "bc", "")], [(1, "a", "b"), (2, "bc", "")]]
        {
            assert_ne!(two, sum(&other));
        }
        assert!(LinkSum::from_bytes(&[255; SCALAR_BYTES]).is_err());
    }
}
