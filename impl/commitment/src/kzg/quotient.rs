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
    /// Those of a domain: one inversion for the first half; 1 / (ω^-d - 1) = -(1 + 1 / (ω^d - 1))
    /// gives the second.
    pub fn new(domain: &Domain) -> Self {
        let size = domain.size();
        let mut inverses = Vec::with_capacity(size);
        inverses.push(Scalar::ZERO);
        inverses.extend(domain.powers().iter().skip(1).take(size / 2).map(|power| power - Scalar::ONE));
        // Zeros stay zeros; with a scratch area as long as the list, nothing can go wrong.
        let mut scratch = inverses.clone();
        BatchInverter::invert_with_external_scratch(&mut inverses, &mut scratch);
        for d in (1..size - size / 2).rev() {
            inverses.extend(inverses.get(d).map(|inverse| -(Scalar::ONE + inverse)));
        }
        Self { inverses }
    }

    /// 1 / (ω^j - ω^i) for j ≠ i, both below N; 0 for j = i.
    pub(super) fn inverse(&self, domain: &Domain, j: usize, i: usize) -> Scalar {
        self.at_distance(j + domain.size() - i) * domain.inverse_element(i)
    }

    /// 1 / (ω^d - 1), 0 for d = 0 modulo N.
    #[allow(clippy::indexing_slicing, reason = "a remainder by the length")]
    fn at_distance(&self, d: usize) -> Scalar {
        self.inverses[d % self.inverses.len()]
    }

    /// Values, on the domain that these are of, of the quotient at `index` < N, for a vector of at
    /// most N scalars, padded with zeros: what an opening there is a commitment to.
    pub fn quotient(&self, domain: &Domain, scalars: &[Scalar], index: usize) -> Vec<Scalar> {
        let size = domain.size();
        let at = |j: usize| scalars.get(j).copied().unwrap_or(Scalar::ZERO);
        let opened = at(index);
        let mut values = vec![Scalar::ZERO; size];
        // With d = j - i and t_j = (m_j - m_i) / (ω^d - 1), q_j is ω^-i t_j, and its share of q_i
        // is -ω^-i t_j ω^d, where t_j ω^d = t_j + (m_j - m_i).
        let shift = domain.inverse_element(index);
        let mut sum = Scalar::ZERO;
        for (j, value) in values.iter_mut().enumerate().filter(|(j, _)| *j != index) {
            let difference = at(j) - opened;
            let t = difference * self.at_distance(j + size - index);
            sum += t + difference;
            *value = t * shift;
        }
        if let Some(value) = values.get_mut(index) {
            *value = -(sum * shift);
        }
        values
    }
}
