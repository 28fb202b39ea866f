//! Polynomials on a coset of a larger domain, where Z has no root and division by it is pointwise.

use aardvark_algebra::ff::{BatchInverter, Field, PrimeField};
use aardvark_algebra::{Domain, Scalar};

/// The points g ω'^i, ω' a root of unity of a multiple of the domain's order.
pub(crate) struct Coset {
    domain: Domain,
    ratio: usize,
    /// g^i.
    shifts: Vec<Scalar>,
    /// g^(-i).
    unshifts: Vec<Scalar>,
}

impl Coset {
    pub(crate) fn new(domain: &Domain, ratio: usize) -> Option<Self> {
        let domain = Domain::new(ratio * domain.size()).ok()?;
        let g = Scalar::MULTIPLICATIVE_GENERATOR;
        let powers = |base: Scalar| -> Vec<Scalar> {
            core::iter::successors(Some(Scalar::ONE), |power| Some(power * base)).take(domain.size()).collect()
        };
        let (shifts, unshifts) = (powers(g), powers(Option::from(g.invert())?));
        Some(Self { domain, ratio, shifts, unshifts })
    }

    pub(crate) fn size(&self) -> usize {
        self.domain.size()
    }

    /// The number of the point ωx, x the point with number i.
    pub(crate) fn next(&self, i: usize) -> usize {
        (i + self.ratio) % self.size()
    }

    pub(crate) fn values(&self, coefficients: &[Scalar]) -> Vec<Scalar> {
        let shifted: Vec<Scalar> = coefficients.iter().zip(&self.shifts).map(|(c, shift)| *c * shift).collect();
        self.domain.fft(&shifted)
    }

    pub(crate) fn coefficients(&self, values: &[Scalar]) -> Vec<Scalar> {
        let mut coefficients = self.domain.ifft(values);
        coefficients.iter_mut().zip(&self.unshifts).for_each(|(c, unshift)| *c *= unshift);
        coefficients
    }

    /// Values divided by Z.
    pub(crate) fn by_vanishing(&self, rows: &Domain, values: &[Scalar]) -> Vec<Scalar> {
        let g = Scalar::MULTIPLICATIVE_GENERATOR;
        // x^N takes as many values as the coset is larger than the domain.
        let size = rows.size() as u64;
        let lift = g.pow_vartime([size]);
        let mut whole: Vec<Scalar> =
            (0..self.ratio).map(|i| lift * self.domain.element(i * rows.size()) - Scalar::ONE).collect();
        let mut scratch = whole.clone();
        BatchInverter::invert_with_external_scratch(&mut whole, &mut scratch);
        let (first, second) = (rows.inverse_element(2), rows.inverse_element(1));
        let points = self.domain.powers().iter().map(|power| g * power);
        let factors = points.zip(whole.iter().cycle()).map(|(x, inverse)| (x - first) * (x - second) * inverse);
        values.iter().zip(factors).map(|(value, factor)| *value * factor).collect()
    }
}
