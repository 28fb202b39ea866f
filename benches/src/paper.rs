//! The paper's own method: Libert–Yung as Pointproofs computes it, one pairing check a claim, no
//! batching, no tables.
//!
//! Verification divides by the value instead of multiplying in GT: with t = 1/m, e(t C,
//! `[α^(N+1-i)]_2`) e(-t π, g2) = e(`[α]_1`, `[α^N]_2`), the right side being a constant; m = 0
//! drops it. Two multiplications in G1, two Miller loops, one final exponentiation.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::pairing::{Engine, MillerLoopResult, MultiMillerLoop};
use aardvark_algebra::{
    Bls12, G1Affine, G1Projective, G2Affine, G2Prepared, Gt, Scalar, batch_to_affine, hash_to_scalar, msm,
};
use aardvark_commitment::{Commitment, Opening, insecure};

/// Public parameters for N scalars, from the secret that everyone knows
/// ([`insecure::libert_yung`]).
#[derive(Debug)]
pub struct Paper {
    vector_size: usize,
    /// `[α^e]_1` at entry e - 1, e in 1..=2N; the identity at e = N + 1.
    g1: Vec<G1Affine>,
    /// `[α^e]_2` at entry e - 1, e in 1..=N.
    g2: Vec<G2Affine>,
    /// e(`[α]_1`, `[α^N]_2`).
    constant: Gt,
}

impl Paper {
    /// The parameters for N = `vector_size`, at least 1.
    pub fn new(vector_size: usize) -> Self {
        let alpha = hash_to_scalar(insecure::LIBERT_YUNG_TEXT, insecure::LIBERT_YUNG_TAG);
        let powers = core::iter::successors(Some(alpha), |power| Some(power * alpha)).take(2 * vector_size);
        let powers: Vec<Scalar> = powers.collect();
        let g1 = powers.iter().zip(1..).map(|(power, e)| match e == vector_size + 1 {
            true => G1Projective::identity(),
            false => G1Affine::generator() * power,
        });
        let g2 = powers.iter().take(vector_size).map(|power| (G2Affine::generator() * power).to_affine());
        let last = (G2Affine::generator() * powers.get(vector_size - 1).unwrap_or(&alpha)).to_affine();
        let first = (G1Affine::generator() * alpha).to_affine();
        Self {
            vector_size,
            g1: batch_to_affine(&g1.collect::<Vec<_>>()),
            g2: g2.collect(),
            constant: Bls12::pairing(&first, &last),
        }
    }

    /// N.
    pub fn vector_size(&self) -> usize {
        self.vector_size
    }

    /// Σ m_i `[α^(i+1)]_1`.
    pub fn commit(&self, scalars: &[Scalar]) -> Commitment {
        Commitment::from_point_unchecked(msm(&self.g1, scalars))
    }

    /// Σ over j ≠ index of m_j `[α^(N+1-index+j)]_1`.
    pub fn open(&self, scalars: &[Scalar], index: usize) -> Opening {
        Opening::from_point_unchecked(msm(self.g1.get(self.vector_size - index..).unwrap_or_default(), scalars))
    }

    /// Whether the opening proves `scalar` at `index`.
    pub fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool {
        let Some(power) = self.vector_size.checked_sub(index + 1).and_then(|entry| self.g2.get(entry)) else {
            return false;
        };
        let inverse: Option<Scalar> = scalar.invert().into();
        let factor = inverse.unwrap_or(Scalar::ONE);
        let left = (commitment.point() * factor).to_affine();
        let right = (opening.point() * -factor).to_affine();
        let lines = [G2Prepared::from(*power), G2Prepared::from(G2Affine::generator())];
        let [first, second] = &lines;
        let product = Bls12::multi_miller_loop(&[(&left, first), (&right, second)]).final_exponentiation();
        match inverse {
            Some(_) => product == self.constant,
            None => product.is_identity().into(),
        }
    }

    /// C + δ `[α^(index+1)]_1`.
    pub fn update_commitment(&self, commitment: &Commitment, index: usize, delta: &Scalar) -> Option<Commitment> {
        let point = self.g1.get(index).filter(|_| index < self.vector_size)?;
        Some(Commitment::from_point_unchecked(point * delta + commitment.point()))
    }

    /// π + δ `[α^(N+1-opened+changed)]_1`.
    pub fn update_opening(
        &self,
        opening: &Opening,
        (opened, changed): (usize, usize),
        delta: &Scalar,
    ) -> Option<Opening> {
        let point = self.g1.get((self.vector_size + changed).checked_sub(opened)?)?;
        Some(Opening::from_point_unchecked(point * delta + opening.point()))
    }
}

#[cfg(test)]
mod tests {
    use aardvark_commitment::VectorCommitment;

    use super::*;

    #[test]
    fn the_papers_method_agrees_with_libert_yung() {
        let (paper, scheme) = (Paper::new(8), insecure::libert_yung(8).unwrap());
        let mut vector: Vec<Scalar> = (5..13u64).map(|number| Scalar::from(number).square()).collect();
        vector[3] = Scalar::ZERO;
        let commitment = scheme.commit(&vector).unwrap();
        assert_eq!(paper.commit(&vector), commitment);
        let delta = Scalar::from(77);
        for index in 0..8 {
            let opening = scheme.open(&vector, index).unwrap();
            assert_eq!(paper.open(&vector, index), opening);
            assert!(paper.verify(&commitment, index, &vector[index], &opening));
            assert!(!paper.verify(&commitment, index, &(vector[index] + Scalar::ONE), &opening));
            let updated = scheme.update_opening(&opening, index, 3, &delta).unwrap();
            assert_eq!(paper.update_opening(&opening, (index, 3), &delta), Some(updated));
            let updated = scheme.update_commitment(&commitment, index, &delta).unwrap();
            assert_eq!(paper.update_commitment(&commitment, index, &delta), Some(updated));
        }
    }
}
