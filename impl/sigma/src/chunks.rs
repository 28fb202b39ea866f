//! Values as points: a value of v bytes is v / 2 numbers of 16 bits, each number m the point m G.
//!
//! v = 2: the two bytes are the number. Else `u8 length || bytes || zeros`, which leaves v - 1
//! bytes for the value. Decryption looks the points up; what is not in the table is undecodable.

use std::collections::HashMap;

use aardvark_algebra::encoding::encode_g1_words;
use aardvark_algebra::group::Group;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine};
use thiserror::Error;

/// Numbers of 16 bits.
const NUMBERS: usize = 1 << 16;
/// Most bytes of a value.
pub const MOST_BYTES: usize = 32;

/// A value cannot be written in so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a value of a ceremony has an even number of bytes from 2 to 32, the first of which is its length")]
pub struct ValueError;

/// The numbers of a value in a ceremony whose values have `bytes` bytes.
pub fn numbers(value: &[u8], bytes: usize) -> Result<Vec<u16>, ValueError> {
    if !(2..=MOST_BYTES).contains(&bytes) || !bytes.is_multiple_of(2) {
        return Err(ValueError);
    }
    let mut padded = vec![0; bytes];
    match (padded.as_mut_slice(), value) {
        ([high, low], [first, second]) => (*high, *low) = (*first, *second),
        ([_, _], _) => return Err(ValueError),
        ([length, room @ ..], value) => {
            *length = value.len() as u8;
            room.get_mut(..value.len()).ok_or(ValueError)?.copy_from_slice(value);
        }
        ([], _) => return Err(ValueError),
    }
    Ok(padded.as_chunks().0.iter().map(|pair| u16::from_be_bytes(*pair)).collect())
}

/// The value of these numbers; `None` if they are not what [`numbers`] writes.
pub fn value(read: &[u16]) -> Option<Vec<u8>> {
    if read.len() > MOST_BYTES / 2 {
        return None;
    }
    let padded: Vec<u8> = read.iter().flat_map(|number| number.to_be_bytes()).collect();
    match padded.as_slice() {
        [_, _] => Some(padded),
        [length, room @ ..] => {
            let (value, zeros) = room.split_at_checked(usize::from(*length))?;
            zeros.iter().all(|byte| *byte == 0).then(|| value.to_vec())
        }
        [] => None,
    }
}

/// The points of numbers, m G.
pub fn points(numbers: &[u16]) -> Vec<G1Affine> {
    let generator = G1Projective::generator();
    let products: Vec<G1Projective> =
        numbers.iter().map(|number| generator * Scalar::from(u64::from(*number))).collect();
    batch_to_affine(&products)
}

/// The numbers of points: all m G for m below a bound, by their points.
#[derive(Debug)]
pub struct NumberTable(HashMap<[u8; 96], u32>);

impl NumberTable {
    /// The table of the numbers of 16 bits.
    pub fn of_chunks() -> Self {
        Self::up_to(NUMBERS)
    }

    /// The table of the numbers below a bound.
    pub fn up_to(bound: usize) -> Self {
        let generator = G1Projective::generator();
        let multiples = core::iter::successors(Some(G1Projective::identity()), |point| Some(point + generator));
        let multiples = batch_to_affine(&multiples.take(bound).collect::<Vec<_>>());
        let entry = |(number, point): (usize, &G1Affine)| (encode_g1_words(point), number as u32);
        Self(multiples.iter().enumerate().map(entry).collect())
    }

    /// m of m G; `None` if it is not in the table.
    pub fn number(&self, point: &G1Affine) -> Option<u32> {
        self.0.get(&encode_g1_words(point)).copied()
    }

    /// The value of a row of points, if all are numbers of 16 bits and the value is canonical.
    pub fn value(&self, row: &[G1Affine]) -> Option<Vec<u8>> {
        let number = |point| u16::try_from(self.number(point)?).ok();
        value(&row.iter().map(number).collect::<Option<Vec<_>>>()?)
    }
}
