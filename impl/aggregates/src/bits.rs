//! Numbers by their bits: for each bit a vector on a domain, with two random scalars at the masks.

use aardvark_algebra::ff::Field;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{Domain, Scalar, subset_sums};
use aardvark_commitment::Opening;

use crate::coset::Coset;
use crate::polynomial::add_scaled;
use crate::setup::SheetSetup;

/// The vectors B_j: element i is bit j of the number at position i.
pub(crate) struct BitVectors<'a> {
    /// The numbers at all positions but the two masks.
    numbers: &'a [u64],
    /// The scalars at the masks, one pair a bit.
    masks: &'a [[Scalar; 2]],
}

impl<'a> BitVectors<'a> {
    /// The vectors of numbers, of as many bits as there are pairs of masks.
    pub(crate) fn new(numbers: &'a [u64], masks: &'a [[Scalar; 2]]) -> Self {
        Self { numbers, masks }
    }

    /// The two masks of bit j.
    fn masks_of(&self, j: usize) -> [Scalar; 2] {
        self.masks.get(j).copied().unwrap_or([Scalar::ZERO; 2])
    }

    /// B_j on the domain.
    pub(crate) fn vector(&self, j: usize) -> Vec<Scalar> {
        let bits = self.numbers.iter().map(|number| if number >> j & 1 == 1 { Scalar::ONE } else { Scalar::ZERO });
        bits.chain(self.masks_of(j)).collect()
    }

    /// The positions whose number has bit j.
    fn rows_with(&self, j: usize) -> Vec<usize> {
        let rows = self.numbers.iter().enumerate();
        rows.filter(|(_, number)| *number >> j & 1 == 1).map(|(position, _)| position).collect()
    }

    /// `[B_j(τ)]_1` for all j.
    pub(crate) fn commitments(&self, setup: &SheetSetup) -> Vec<Opening> {
        let sums = subset_sums(&setup.basis, &(0..self.masks.len()).map(|j| self.rows_with(j)).collect::<Vec<_>>());
        setup.masked(&sums, self.masks).into_iter().map(Opening::from_point_unchecked).collect()
    }

    /// b_j for all j, of the values of the domain's Lagrange polynomials at a point.
    pub(crate) fn values(&self, lagrange: &[Scalar]) -> Vec<Scalar> {
        let value = |j: usize| {
            let rows = self.numbers.iter().zip(lagrange).filter(|(number, _)| *number >> j & 1 == 1);
            let sum: Scalar = rows.map(|(_, lagrange)| lagrange).sum();
            let masks = lagrange.iter().rev().zip(self.masks_of(j).into_iter().rev());
            masks.fold(sum, |sum, (lagrange, mask)| sum + *lagrange * mask)
        };
        (0..self.masks.len()).map(value).collect()
    }

    /// Σ β_j (B_j² - B_j) - β Σ 2^j B_j on a coset.
    pub(crate) fn relation_on(&self, domain: &Domain, coset: &Coset, betas: &[Scalar], weight: Scalar) -> Vec<Scalar> {
        let of_bit = |j: usize| -> Vec<Scalar> {
            let beta = betas.get(j).copied().unwrap_or(Scalar::ZERO);
            let weight = beta + weight * Scalar::from(1u64 << j);
            let values = coset.values(&domain.ifft(&self.vector(j)));
            values.into_iter().map(|bit| bit * (beta * bit - weight)).collect()
        };
        let all: Vec<Vec<Scalar>> = (0..self.masks.len()).into_par_iter().map(of_bit).collect();
        let mut sum = vec![Scalar::ZERO; coset.size()];
        all.iter().for_each(|values| add_scaled(&mut sum, values, Scalar::ONE));
        sum
    }

    /// Σ γ_j B_j by its coefficients; γ that are lacking are 0.
    pub(crate) fn combined(&self, domain: &Domain, gammas: &[Scalar]) -> Vec<Scalar> {
        let folded = |number: &u64| -> Scalar {
            let own = gammas.iter().take(self.masks.len()).enumerate();
            own.filter(|(j, _)| number >> j & 1 == 1).map(|(_, gamma)| gamma).sum()
        };
        let mut vector: Vec<Scalar> = self.numbers.iter().map(folded).collect();
        for which in 0..2 {
            let mask = |(masks, gamma): (&[Scalar; 2], &Scalar)| masks.get(which).map(|mask| *mask * gamma);
            vector.push(self.masks.iter().zip(gammas).filter_map(mask).sum());
        }
        domain.ifft(&vector)
    }
}
