//! Multilinear vector commitments: EDRAX without its SNARK (Chepurnoy, Papamanthou, Zhang, eprint
//! 2018/968, section 4), a baseline.
//!
//! L = log2 N; secrets s_0 .. s_{L-1}, s_t for bit t of the index, bit 0 the lowest. A vector (m_i)
//! is the multilinear polynomial f in x_0 .. x_{L-1} with f(bits of i) = m_i. For w < 2^t let
//! χ_w^t(x) = Π_{u<t} (x_u if bit u of w is 1, else 1 - x_u), so that f = Σ m_i χ_i^L.
//!
//! Public: `[χ_w^t(s)]_1` for all t in 0..=L, w < 2^t, and `[s_t]_2`: 2N - 1 points of G1 and L of
//! G2.
//!
//! - Commit: C = Σ m_i `[χ_i^L(s)]_1` = `[f(s)]_1`.
//! - Open at i: with f_L = f, from the highest bit down, f_{t+1} = f_t + (x_t - i_t) q_t, where
//!   f_t is f_{t+1} at x_t = i_t and q_t is its slope in x_t: a polynomial in x_0 .. x_{t-1}.
//!   π_t = `[q_t(s)]_1`: L points, 2^t terms each.
//! - Verify: f(s) - m = Σ_t q_t(s) (s_t - i_t), that is
//!   e(C - m g1, g2) = Π_t e(π_t, `[s_t]_2` - i_t g2).
//! - Commitment update (m_j grows by δ): C + δ `[χ_j^L(s)]_1`, one multiplication.
//! - Opening update: f_{t+1} changes only while the bits of i and j above t agree, so for t from
//!   L - 1 down to the first bit in which they differ, π_t grows by ±δ `[χ_j^t(s)]_1`, plus where
//!   bit t of j is 1: two elements on average over random indices, all L when j = i.
//!
//! A proof has L points where KZG has one, verification L + 1 Miller loops where KZG has two.
//! Claims are verified one by one, as in the paper. There is no published ceremony for such
//! secrets; this one's are known to everyone ([`Multilinear::insecure`]): **anyone can forge**.

mod naive;
mod opening;
mod setup;
#[cfg(test)]
mod tests;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::{G1Affine, G1Projective, G2Prepared, Scalar, msm, pairing_product_is_one};
use aardvark_commitment::{Commitment, CommitmentError};

use super::scheme::{Baseline, check_index, check_length};
pub use opening::{MAX_LOG_SIZE, MultilinearOpening};

/// Multilinear vector commitments for N scalars, N a power of two in 1..=4096.
#[derive(Debug)]
pub struct Multilinear {
    vector_size: usize,
    /// Entry t holds `[χ_w^t(s)]_1` for w < 2^t; L + 1 entries, the last one the basis of
    /// commitments.
    bases: Vec<Vec<G1Affine>>,
    generator_g2: G2Prepared,
    /// Entry t holds `[s_t]_2` and `[s_t]_2` - g2, for index bits 0 and 1.
    lines: Vec<[G2Prepared; 2]>,
}

impl Multilinear {
    /// L, the number of points in a proof.
    pub fn log_size(&self) -> usize {
        self.lines.len()
    }

    /// `[χ_i^L(s)]_1`, i < N.
    fn commitment_basis(&self) -> &[G1Affine] {
        self.bases.last().map_or(&[], Vec::as_slice)
    }
}

impl Baseline for Multilinear {
    type Commitment = Commitment;
    type Opening = MultilinearOpening;

    fn vector_size(&self) -> usize {
        self.vector_size
    }

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        check_length(scalars, self.vector_size)?;
        Ok(Commitment::from_point_unchecked(msm(self.commitment_basis(), scalars)))
    }

    fn open(&self, scalars: &[Scalar], index: usize) -> Result<MultilinearOpening, CommitmentError> {
        check_length(scalars, self.vector_size)?;
        check_index(index, self.vector_size)?;
        let mut values = scalars.to_vec();
        values.resize(self.vector_size, Scalar::from(0));
        let mut elements = vec![G1Projective::identity(); self.log_size()];
        for (t, element) in elements.iter_mut().enumerate().rev() {
            let (slope, rest) = divide(&values, bit(index, t));
            *element = msm(&self.bases[t], &slope);
            values = rest;
        }
        Ok(MultilinearOpening::from_projective(&elements))
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &MultilinearOpening) -> bool {
        if index >= self.vector_size || opening.elements().len() != self.log_size() {
            return false;
        }
        let left = (G1Affine::generator() * scalar - commitment.point()).to_affine();
        let quotients = opening.elements().iter().zip(&self.lines).enumerate();
        let mut pairs: Vec<(G1Affine, &G2Prepared)> =
            quotients.map(|(t, (element, lines))| (*element, &lines[usize::from(bit(index, t))])).collect();
        pairs.push((left, &self.generator_g2));
        pairing_product_is_one(&pairs)
    }
}

impl Multilinear {
    /// The commitment after the scalar at `index` has grown by `delta`.
    pub fn update_commitment(
        &self,
        commitment: &Commitment,
        index: usize,
        delta: &Scalar,
    ) -> Result<Commitment, CommitmentError> {
        check_index(index, self.vector_size)?;
        let grown = multiple(&self.commitment_basis()[index], delta) + commitment.point();
        Ok(Commitment::from_point_unchecked(grown))
    }

    /// The commitment after several scalars have grown by their deltas.
    pub fn update_commitment_many(
        &self,
        commitment: &Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Commitment, CommitmentError> {
        let basis = |(index, _): &(usize, Scalar)| {
            check_index(*index, self.vector_size).map(|()| self.commitment_basis()[*index])
        };
        let points = deltas.iter().map(basis).collect::<Result<Vec<_>, _>>()?;
        let factors: Vec<Scalar> = deltas.iter().map(|(_, delta)| *delta).collect();
        Ok(Commitment::from_point_unchecked(msm(&points, &factors) + commitment.point()))
    }

    /// The opening at `opened_index` after the scalar at `changed_index` has grown by `delta`.
    pub fn update_opening(
        &self,
        opening: &MultilinearOpening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<MultilinearOpening, CommitmentError> {
        check_index(opened_index, self.vector_size)?;
        check_index(changed_index, self.vector_size)?;
        let mut updated = *opening;
        for (t, element) in updated.elements_mut().iter_mut().enumerate().rev() {
            let low = changed_index & ((1 << t) - 1);
            let step = multiple(&self.bases[t][low], delta);
            let grown = if bit(changed_index, t) { step + *element } else { -step + *element };
            *element = grown.to_affine();
            if bit(changed_index, t) != bit(opened_index, t) {
                break;
            }
        }
        Ok(updated)
    }
}

/// Bit t of an index.
fn bit(index: usize, t: usize) -> bool {
    (index >> t) & 1 == 1
}

/// Slope in the highest variable, and value where that variable is `bit`, of a multilinear
/// polynomial given by its values.
fn divide(values: &[Scalar], bit: bool) -> (Vec<Scalar>, Vec<Scalar>) {
    let (zero, one) = values.split_at(values.len() / 2);
    let slope = zero.iter().zip(one).map(|(zero, one)| one - zero).collect();
    (slope, if bit { one.to_vec() } else { zero.to_vec() })
}

/// Bits up to which doubling and adding beats the full multiplication of 255 bits.
const SHORT_BITS: u32 = 64;

/// k P. Deltas of account balances are short (31 bits in the paper's table), and short factors take
/// a short time.
fn multiple(point: &G1Affine, factor: &Scalar) -> G1Projective {
    let limbs = factor.to_bytes_le();
    let (low, high) = limbs.split_at(SHORT_BITS as usize / 8);
    if high.iter().any(|byte| *byte != 0) {
        return point * factor;
    }
    let short = low.iter().rev().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    (0..u64::BITS - short.leading_zeros()).rev().fold(G1Projective::identity(), |sum, place| {
        let doubled = sum.double();
        if (short >> place) & 1 == 1 { doubled + point } else { doubled }
    })
}
