//! A small deterministic generator, so that every run has the same keys and choices (SplitMix64:
//! Steele, Lea, Flood, 2014).

use aardvark_algebra::hash::tagged_hash;
use aardvark_algebra::{Scalar, hash_to_scalar};
use aardvark_dictionary::{Key, Value};

/// A stream of 64-bit numbers from a seed. For workloads, never for secrets.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0. Uniform up to a bias of bound / 2^64.
    pub fn below(&mut self, bound: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(bound);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// Eight random bytes.
    pub fn value(&mut self) -> Value {
        Value::from(self.next().to_be_bytes().as_slice())
    }

    /// Puts items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let chosen = usize::try_from(self.below(last as u64 + 1)).unwrap_or(0);
            items.swap(last, chosen);
        }
    }
}

/// Key number `number`: 32 bytes that look random, different for different numbers.
pub fn key(number: u64) -> Key {
    Key::from(tagged_hash("AARDVARK-BENCH-KEY", &number.to_be_bytes()).as_slice())
}

/// Scalar number `number`, which looks random.
pub fn scalar(number: u64) -> Scalar {
    hash_to_scalar(&number.to_be_bytes(), b"AARDVARK-BENCH-SCALAR")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut random = Random::new(1);
        let mut seen = [0u32; 7];
        (0..7000).for_each(|_| seen[usize::try_from(random.below(7)).unwrap()] += 1);
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }

    #[test]
    fn a_shuffle_is_a_permutation() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::new(2).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
