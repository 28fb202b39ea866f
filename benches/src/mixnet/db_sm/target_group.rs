//! Elements of the target group: as bytes, and many of them times short weights. The group is
//! written as a sum.

use aardvark_algebra::Gt;
use aardvark_algebra::group::Group;
use blstrs::Compress;

use crate::error::BenchError;

/// Bytes of an element.
pub const ELEMENT_BYTES: usize = 288;
/// Bits of a digit of a weight.
const DIGIT: u32 = 8;

/// Elements one after the other, compressed.
pub fn encode(elements: &[Gt]) -> Result<Vec<u8>, BenchError> {
    let mut bytes = Vec::with_capacity(elements.len() * ELEMENT_BYTES);
    for element in elements {
        // 1 has no compressed form; a first message is never 1.
        let element = if bool::from(element.is_identity()) { Gt::generator() } else { *element };
        element.write_compressed(&mut bytes).map_err(|source| BenchError::io("an element", source))?;
    }
    Ok(bytes)
}

/// So many elements of the subgroup of order r.
pub fn decode(bytes: &[u8], count: usize) -> Result<Vec<Gt>, BenchError> {
    let (elements, rest) = bytes.as_chunks::<ELEMENT_BYTES>();
    if elements.len() != count || !rest.is_empty() {
        return Err(BenchError::Wrong("elements of another number".to_owned()));
    }
    let read = |bytes: &[u8; ELEMENT_BYTES]| Gt::read_compressed(bytes.as_slice());
    elements.iter().map(|bytes| read(bytes).map_err(|source| BenchError::io("an element", source))).collect()
}

/// Σ w_i x_i, digit by digit: each element goes into its digit's bucket.
pub fn weighted_sum(elements: &[Gt], weights: &[u128]) -> Gt {
    (0..u128::BITS / DIGIT).rev().fold(Gt::identity(), |sum, digit| {
        let shifted = (0..DIGIT).fold(sum, |sum, _| sum.double());
        let mut buckets = vec![Gt::identity(); (1 << DIGIT) - 1];
        for (element, weight) in elements.iter().zip(weights) {
            let place = (weight >> (digit * DIGIT)) as usize & ((1 << DIGIT) - 1);
            if let Some(bucket) = place.checked_sub(1).and_then(|place| buckets.get_mut(place)) {
                *bucket += element;
            }
        }
        // Each bucket as often as its digit says: sums of all buckets from the last one on.
        let start = (Gt::identity(), shifted);
        let (_, sum) = buckets.iter().rev().fold(start, |(running, sum), bucket| {
            let running = running + bucket;
            (running, sum + running)
        });
        sum
    })
}

#[cfg(test)]
mod tests {
    use aardvark_algebra::{Scalar, scalar_from_u128};

    use super::*;

    #[test]
    fn a_weighted_sum_is_the_sum_of_multiples_and_bytes_come_back() {
        let elements: Vec<Gt> = (2..9u64).map(|k| Gt::generator() * Scalar::from(k * k)).collect();
        let weights: Vec<u128> = (0..7u128).map(|i| u128::MAX / (i + 1) - i * 1_000_003).collect();
        let slow: Gt = elements.iter().zip(&weights).map(|(element, w)| *element * scalar_from_u128(*w)).sum();
        assert_eq!(weighted_sum(&elements, &weights), slow);
        assert_eq!(weighted_sum(&elements, &[0; 7]), Gt::identity());
        let bytes = encode(&elements).unwrap();
        assert_eq!(decode(&bytes, 7).unwrap(), elements);
        assert!(decode(&bytes, 6).is_err());
    }
}
