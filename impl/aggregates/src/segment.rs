//! Segments as their keeper knows them: numbers in ascending order, and the masks of their vectors
//! (`aardvark_spec::table::certificate_prover`).

use aardvark_algebra::ff::Field;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, msm_in_subgroup, msm_short};
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
        let points = setup.masked(&batch_to_affine(&self.unmasked(setup)), &self.all_masks());
        self.record(setup, root, &points)
    }

    /// The values' commitment and those of the sums of each power, without masks.
    fn unmasked(&self, setup: &SheetSetup) -> Vec<G1Projective> {
        let sum = |points: &[G1Affine], power: u32| {
            let points = points.get(self.first..).unwrap_or_default();
            // Squares of numbers of 64 bits have 128.
            match power {
                1 | 2 => {
                    let powers = self.numbers.iter().map(|number| u128::from(*number).pow(power));
                    msm_short(points, &powers.collect::<Vec<u128>>())
                }
                _ => {
                    let powers: Vec<Scalar> = self.numbers.iter().map(|number| raised(*number, power)).collect();
                    msm_in_subgroup(points, &powers)
                }
            }
        };
        let sums = (1u32..).take(self.sums_masks.len()).map(|power| sum(&setup.partial_sums, power));
        core::iter::once(sum(&setup.basis, 1)).chain(sums).collect()
    }

    /// The masks of the values, and those of the sums of each power.
    fn all_masks(&self) -> Vec<[Scalar; 2]> {
        core::iter::once(&self.values_masks).chain(&self.sums_masks).copied().collect()
    }

    /// The record with the commitments to the values and to the sums of each power.
    fn record(&self, setup: &SheetSetup, root: [u8; 32], commitments: &[G1Affine]) -> Record {
        let mut points = commitments.iter().copied().map(Commitment::from_point_unchecked);
        Record {
            log: setup.domain.size().trailing_zeros() as u8,
            first: self.first as u16,
            rows: self.numbers.len() as u16,
            values: points.next().unwrap_or_else(Commitment::identity),
            root,
            sums: points.collect(),
        }
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
pub(crate) fn raised(number: u64, power: u32) -> Scalar {
    let number = Scalar::from(number);
    (0..power).fold(Scalar::ONE, |product, _| product * number)
}

fn put_masks(vector: &mut [Scalar], masks: &[Scalar; 2]) {
    vector.iter_mut().rev().zip(masks.iter().rev()).for_each(|(element, mask)| *element = *mask);
}

/// The records of segments with the roots over their rows' texts, each as [`KnownSegment::commit`]
/// makes it: together they take less time.
pub fn commit_each(setup: &SheetSetup, segments: &[(&KnownSegment, [u8; 32])]) -> Vec<Record> {
    let (mut sums, mut masks) = (Vec::new(), Vec::new());
    for (segment, _) in segments {
        sums.extend(segment.unmasked(setup));
        masks.extend(segment.all_masks());
    }
    let points = setup.masked(&batch_to_affine(&sums), &masks);
    let mut rest = points.as_slice();
    let record = |(segment, root): &(&KnownSegment, [u8; 32])| {
        let (own, behind) = rest.split_at_checked(1 + segment.sums_masks.len()).unwrap_or_default();
        rest = behind;
        segment.record(setup, *root, own)
    };
    segments.iter().map(record).collect()
}

/// The slow twin of [`KnownSegment::commit`].
pub mod naive {
    use aardvark_algebra::group::Group;

    use super::{Commitment, G1Projective, KnownSegment, Scalar, SheetSetup, batch_to_affine};

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
        batch_to_affine(&points).into_iter().map(Commitment::from_point_unchecked).collect()
    }
}
