//! The folded opening of claims about combinations of points, at any points of the field
//! (`aardvark_spec::commitment::folded_opening::verify_fold`).
//!
//! A claim (Σ c_t P_t, z_i, y_i) says that the polynomial under the combination has the value y_i
//! at z_i. With f_i = γ_i / (z - z_i):
//!
//! ```text
//! γ_i = challenge(seed, i)        z = challenge(H("AARDVARK-V1-FOLD", seed || W), 0)
//! accept iff no z_i is z, and  e(Σ f_i (C_i - y_i g1) - W + z W', g2) = e(W', [τ]_2)
//! ```
//!
//! The seed binds all claims. Points that several claims use have one term in the sum.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    Combination, G1Affine, G1Projective, G2Affine, PreparedLines, Scalar, TaggedHash, hash_to_scalar, scalar_from_u128,
    shared_product_is_one,
};
use aardvark_commitment::{Ceremony, Commitment, CommitmentError, FoldedOpening, Kzg, Opening};

/// Domain separation tag of a fold's point.
const FOLD_TAG: &str = "AARDVARK-V1-FOLD";
/// Domain separation tag of challenges.
const CHALLENGE_TAG: &[u8] = b"AARDVARK-V1-CHALLENGE";
/// Domain separation tag of a batch's coefficients.
const BATCH_TAG: &str = "AARDVARK-V1-TABLE-BATCH-COEFFICIENT";

/// The challenge with a number, drawn from a seed: any scalar.
pub fn challenge(seed: &[u8; 32], number: usize) -> Scalar {
    let number = (number as u64).to_be_bytes();
    hash_to_scalar([seed.as_slice(), &number].concat().as_slice(), CHALLENGE_TAG)
}

/// The first `count` challenges of a seed.
pub fn challenges(seed: &[u8; 32], count: usize) -> Vec<Scalar> {
    (0..count).map(|number| challenge(seed, number)).collect()
}

/// z of a fold, once W is fixed.
pub fn fold_point(seed: &[u8; 32], quotient: &Opening) -> Scalar {
    challenge(&TaggedHash::new(FOLD_TAG).chain(seed).chain(quotient.to_bytes()).finalize(), 0)
}

/// A claim about a combination of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinedClaim {
    /// The combination: places in a list of points, and coefficients.
    pub terms: Vec<(usize, Scalar)>,
    /// z_i, where the polynomial is evaluated.
    pub point: Scalar,
    /// y_i, the value that is claimed.
    pub value: Scalar,
}

/// The lines of both sides of the pairing equation, of one setup.
#[derive(Clone, Debug)]
pub struct TableVerifier {
    generator: PreparedLines,
    tau: PreparedLines,
}

impl TableVerifier {
    /// A verifier on the setup with this `[τ]_2`.
    pub fn new(tau_g2: &G2Affine) -> Self {
        Self { generator: PreparedLines::new(&G2Affine::generator()), tau: PreparedLines::new(tau_g2) }
    }

    /// A verifier on the setup of a scheme, which has the lines already.
    pub fn of(kzg: &Kzg) -> Self {
        let [generator, tau] = kzg.lines();
        Self { generator: generator.clone(), tau: tau.clone() }
    }

    /// A verifier on the Ethereum ceremony, ready in under a millisecond.
    ///
    /// # Errors
    /// As [`Ceremony::ethereum`].
    pub fn ethereum() -> Result<Self, CommitmentError> {
        Ok(Self::new(Ceremony::ethereum()?.tau_g2()))
    }

    /// Whether a folded opening shows all claims, under the challenges that the seed draws. A claim
    /// with a place beyond the points is false.
    #[must_use]
    pub fn verify_fold(
        &self,
        seed: &[u8; 32],
        points: &[G1Affine],
        claims: &[CombinedClaim],
        opening: &FoldedOpening,
    ) -> bool {
        FoldEquation::new(seed, points, claims, opening).is_some_and(|equation| self.holds(&equation))
    }

    /// Whether an equation holds.
    pub(crate) fn holds(&self, equation: &FoldEquation) -> bool {
        let mut left = Combination::with_capacity(2 * equation.terms.len() + 4);
        equation.commitment.iter().for_each(|commitment| left.add(commitment, 1));
        equation.subtracted.iter().for_each(|subtracted| left.add(&-subtracted, 1));
        equation.terms.iter().for_each(|(point, scalar)| left.add_modulo_torsion(point, scalar));
        left.add_modulo_torsion(&G1Affine::generator(), &equation.generator);
        self.equation_holds(&left.sum(), &equation.witness)
    }

    /// Whether all equations hold, by one pairing check: each but the last is multiplied by a
    /// coefficient of 128 bits that the seed draws, which binds all of them. Where one is false,
    /// this finds so but for one seed in 2^128.
    pub(crate) fn all_hold(&self, seed: &[u8; 32], equations: &[FoldEquation]) -> bool {
        let terms: usize = equations.iter().map(|equation| equation.terms.len()).sum();
        let mut left = Combination::with_capacity(2 * terms + 3 * equations.len() + 2);
        let mut right = Combination::with_capacity(equations.len());
        let mut generator = Scalar::ZERO;
        // Equations of one vector stand beside each other, and have one commitment.
        let mut commitments: Vec<(G1Affine, Scalar)> = Vec::new();
        for (number, equation) in equations.iter().enumerate() {
            let coefficient = if number + 1 == equations.len() { 1 } else { batch_coefficient(seed, number) };
            let factor = scalar_from_u128(coefficient);
            if let Some(commitment) = equation.commitment {
                match commitments.last_mut() {
                    Some((last, sum)) if *last == commitment => *sum += factor,
                    _ => commitments.push((commitment, factor)),
                }
            }
            if let Some(subtracted) = equation.subtracted {
                left.add(&-subtracted, coefficient);
            }
            let terms: Vec<(G1Affine, Scalar)> =
                equation.terms.iter().map(|(point, scalar)| (*point, *scalar * factor)).collect();
            left.extend_modulo_torsion(&terms, |(point, _)| point, |(_, scalar)| *scalar);
            right.add(&equation.witness, coefficient);
            generator += equation.generator * factor;
        }
        commitments.iter().for_each(|(commitment, factor)| left.add_modulo_torsion(commitment, factor));
        left.add_modulo_torsion(&G1Affine::generator(), &generator);
        self.equation_holds(&left.sum(), &right.sum().to_affine())
    }

    /// e(left, g2) = e(right, `[τ]_2`).
    fn equation_holds(&self, left: &G1Projective, right: &G1Affine) -> bool {
        shared_product_is_one(&[(left.to_affine(), &self.generator), (-right, &self.tau)])
    }
}

/// The coefficient of an equation of a batch.
fn batch_coefficient(seed: &[u8; 32], number: usize) -> u128 {
    let digest = TaggedHash::new(BATCH_TAG).chain(seed).chain((number as u64).to_be_bytes()).finalize();
    digest.iter().take(16).fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

/// The equation of an opening: e(commitment - subtracted + generator g1 + Σ scalar point, g2) =
/// e(witness, `[τ]_2`). Where a factor is 1 or -1, that of a batch is a coefficient of 128 bits.
pub(crate) struct FoldEquation {
    /// The commitment of an ordinary opening.
    commitment: Option<G1Affine>,
    /// W of a fold.
    subtracted: Option<G1Affine>,
    /// What g1 is multiplied by, which all equations of a batch have in common.
    generator: Scalar,
    terms: Vec<(G1Affine, Scalar)>,
    witness: G1Affine,
}

impl FoldEquation {
    /// The equation of an ordinary opening: e(C - m g1 + x π, g2) = e(π, `[τ]_2`).
    pub(crate) fn single(commitment: &Commitment, point: Scalar, value: Scalar, opening: &Opening) -> Self {
        Self {
            commitment: Some(*commitment.point()),
            subtracted: None,
            generator: -value,
            terms: vec![(*opening.point(), point)],
            witness: *opening.point(),
        }
    }

    /// The equation that shows claims; `None` where one is about z, or about a point that is not
    /// there.
    pub(crate) fn new(
        seed: &[u8; 32],
        points: &[G1Affine],
        claims: &[CombinedClaim],
        opening: &FoldedOpening,
    ) -> Option<Self> {
        let z = fold_point(seed, &opening.quotient);
        let mut coefficients = vec![Scalar::ZERO; points.len()];
        let mut generator = Scalar::ZERO;
        for (claim, gamma) in claims.iter().zip(challenges(seed, claims.len())) {
            let factor = gamma * Option::<Scalar>::from((z - claim.point).invert())?;
            generator -= factor * claim.value;
            for (place, coefficient) in &claim.terms {
                *coefficients.get_mut(*place)? += factor * coefficient;
            }
        }
        let mut terms: Vec<(G1Affine, Scalar)> = points.iter().copied().zip(coefficients).collect();
        terms.push((*opening.witness.point(), z));
        let subtracted = Some(*opening.quotient.point());
        Some(Self { commitment: None, subtracted, generator, terms, witness: *opening.witness.point() })
    }
}
