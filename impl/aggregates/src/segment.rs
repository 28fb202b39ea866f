//! Segments as their keeper knows them: numbers in ascending order, and the masks of their vectors
//! (`aardvark_spec::table::certificate_prover`).

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Group;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, msm, msm_short};
use aardvark_commitment::Commitment;

use crate::masks::MaskSource;
use crate::record::Record;
use crate::setup::SheetSetup;

/// A segment with its rows.
#[derive(Clone)]
pub struct KnownSegment {
    /// The position of the first row.
    pub first: usize,
    /// The rows' numbers above the lowest, in ascending order.
    pub numbers: Vec<u64>,
    /// The two scalars at the masks of the values.
    pub values_masks: [Scalar; 2],
    /// For each power the two scalars at the masks of its sums.
    pub sums_masks: Vec<[Scalar; 2]>,
}

impl KnownSegment {
    /// A segment with the next masks of a source.
    pub fn draw(source: &mut MaskSource, first: usize, numbers: Vec<u64>, moments: usize) -> Self {
        let values_masks = source.scalars();
        let sums_masks = (0..moments).map(|_| source.scalars()).collect();
        Self { first, numbers, values_masks, sums_masks }
    }

    /// The record of the segment: its commitments, with the root over its rows' texts. Numbers that
    /// do not fit the domain are left out, and a certificate of the record will not be made.
    pub fn commit(&self, setup: &SheetSetup, root: [u8; 32]) -> Record {
        let numbers = self.numbers.iter().map(|number| u128::from(*number));
        let values = masked(setup, self.sum(&setup.basis, &numbers.clone().collect::<Vec<u128>>()), &self.values_masks);
        let sums = self.sums_masks.iter().zip(1u32..).map(|(masks, power)| {
            let suffixes = match power {
                1 => self.sum(&setup.partial_sums, &numbers.clone().collect::<Vec<u128>>()),
                2 => {
                    self.sum(&setup.partial_sums, &numbers.clone().map(|number| number * number).collect::<Vec<u128>>())
                }
                _ => {
                    let powers: Vec<Scalar> = self.numbers.iter().map(|n| raised(*n, power)).collect();
                    let points = setup.partial_sums.iter().skip(self.first).copied().collect::<Vec<G1Affine>>();
                    msm(&points, &powers)
                }
            };
            masked(setup, suffixes, masks)
        });
        let points: Vec<G1Projective> = core::iter::once(values).chain(sums).collect();
        let mut points = batch_to_affine(&points).into_iter().map(Commitment::from_point_unchecked);
        Record {
            log: setup.domain.size().trailing_zeros() as u8,
            first: self.first as u16,
            rows: self.numbers.len() as u16,
            values: points.next().unwrap_or_else(Commitment::identity),
            root,
            sums: points.collect(),
        }
    }

    /// Σ k_i P_(first + i).
    fn sum(&self, points: &[G1Affine], integers: &[u128]) -> G1Projective {
        msm_short(points.get(self.first..).unwrap_or_default(), integers)
    }

    /// V_k on the domain.
    pub(crate) fn values(&self, size: usize) -> Vec<Scalar> {
        let mut vector = vec![Scalar::ZERO; size];
        let rows = vector.iter_mut().skip(self.first).zip(&self.numbers);
        rows.for_each(|(element, number)| *element = Scalar::from(*number));
        put_masks(&mut vector, &self.values_masks);
        vector
    }

    /// A_(p,k) on the domain.
    pub(crate) fn sums(&self, size: usize, power: u32) -> Vec<Scalar> {
        let mut vector = vec![Scalar::ZERO; size];
        let mut total = Scalar::ZERO;
        for (i, element) in vector.iter_mut().enumerate().rev().skip(2) {
            if let Some(number) = i.checked_sub(self.first).and_then(|row| self.numbers.get(row)) {
                total += raised(*number, power);
            }
            *element = total;
        }
        let masks = (power as usize).checked_sub(1).and_then(|p| self.sums_masks.get(p));
        masks.into_iter().for_each(|masks| put_masks(&mut vector, masks));
        vector
    }
}

/// The power of a number.
fn raised(number: u64, power: u32) -> Scalar {
    Scalar::from(number).pow_vartime([u64::from(power)])
}

fn put_masks(vector: &mut [Scalar], masks: &[Scalar; 2]) {
    vector.iter_mut().rev().zip(masks.iter().rev()).for_each(|(element, mask)| *element = *mask);
}

/// A sum with the masks' share.
fn masked(setup: &SheetSetup, sum: G1Projective, masks: &[Scalar; 2]) -> G1Projective {
    let last = setup.basis.iter().rev().zip(masks.iter().rev());
    last.fold(sum, |sum, (point, mask)| sum + G1Projective::from(point) * mask)
}

/// The slow twin of [`KnownSegment::commit`].
pub mod naive {
    use super::{Commitment, G1Projective, Group, KnownSegment, Scalar, SheetSetup};

    /// The commitments to the values and to the sums of each power, element by element.
    pub fn commitments(segment: &KnownSegment, setup: &SheetSetup) -> Vec<Commitment> {
        let size = setup.domain.size();
        let sums = (1u32..).take(segment.sums_masks.len()).map(|power| segment.sums(size, power));
        let vectors: Vec<Vec<Scalar>> = core::iter::once(segment.values(size)).chain(sums).collect();
        let commit = |vector: &Vec<Scalar>| {
            let terms = setup.basis.iter().zip(vector).map(|(point, scalar)| G1Projective::from(point) * scalar);
            terms.fold(G1Projective::identity(), |sum, term| sum + term)
        };
        let points: Vec<G1Projective> = vectors.iter().map(commit).collect();
        super::batch_to_affine(&points).into_iter().map(Commitment::from_point_unchecked).collect()
    }
}
