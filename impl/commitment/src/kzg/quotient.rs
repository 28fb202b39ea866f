//! The quotient q(X) = (p(X) - p(z)) / (X - z) at z = ω^i, by its values on the domain.
//!
//! For j ≠ i: q_j = (m_j - m_i) / (ω^j - ω^i). At i itself q_i = p'(ω^i) = -Σ_{j≠i} q_j ω^(j-i) (as
//! in EIP-4844's specification, `compute_quotient_eval_within_domain`). The differences ω^j - ω^i =
//! ω^i (ω^(j-i) - 1) take only N - 1 values up to a power of ω, so their inverses are kept.

use aardvark_algebra::ff::{BatchInverter, Field};
use aardvark_algebra::{Domain, Scalar};

/// 1 / (ω^d - 1) for 0 < d < N, entry 0 is 0: what quotients on one domain are made with.
#[derive(Debug)]
pub struct Differences {
    inverses: Vec<Scalar>,
}

impl Differences {
    /// Those of a domain: one inversion.
    pub fn new(domain: &Domain) -> Self {
        let mut inverses: Vec<Scalar> = domain.powers().iter().map(|w| w - Scalar::ONE).collect();
        // Zeros stay zeros; with a scratch area as long as the list, nothing can go wrong.
        let mut scratch = inverses.clone();
        BatchInverter::invert_with_external_scratch(&mut inverses, &mut scratch);
        Self { inverses }
    }

    /// 1 / (ω^j - ω^i) for j ≠ i, both below N; 0 for j = i.
    #[allow(clippy::indexing_slicing, reason = "a remainder by the length")]
    pub(super) fn inverse(&self, domain: &Domain, j: usize, i: usize) -> Scalar {
        let size = domain.size();
        self.inverses[(j + size - i) % size] * domain.inverse_element(i)
    }

    /// Values, on the domain that these are of, of the quotient at `index` < N, for a vector of at
    /// most N scalars, padded with zeros: what an opening there is a commitment to.
    pub fn quotient(&self, domain: &Domain, scalars: &[Scalar], index: usize) -> Vec<Scalar> {
        let size = domain.size();
        let at = |j: usize| scalars.get(j).copied().unwrap_or(Scalar::ZERO);
        let opened = at(index);
        let mut values = vec![Scalar::ZERO; size];
        let mut derivative = Scalar::ZERO;
        for (j, value) in values.iter_mut().enumerate().filter(|(j, _)| *j != index) {
            *value = (at(j) - opened) * self.inverse(domain, j, index);
            derivative -= *value * domain.element(j + size - index);
        }
        if let Some(value) = values.get_mut(index) {
            *value = derivative;
        }
        values
    }
}
