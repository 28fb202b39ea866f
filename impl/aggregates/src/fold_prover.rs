//! Folded openings of polynomials that are known (`aardvark_spec::commitment::folded_opening`).
//!
//! With q_i = (p_i - y_i) / (X - z_i), W = Σ γ_i q_i and f_i = γ_i / (z - z_i), the witness is
//!
//! ```text
//! W' = Σ f_i q_i = (Σ f_i (p_i - y_i) - W) / (X - z)
//! ```
//!
//! so that only W takes a division for each polynomial; where all points are one, z_1, it is
//! W / (z - z_1), a multiple of a point. Polynomials of rows are given by the
//! segment, and made when they are needed: many thousand of them are folded in little memory.

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{Domain, G1Affine, Scalar, msm_in_subgroup};
use aardvark_commitment::{FoldedOpening, Opening};

use crate::fold::{challenges, fold_point};
use crate::polynomial::{add_scaled, divided_by_point};
use crate::segment::KnownSegment;

/// How many polynomials one thread adds up.
const CHUNK: usize = 64;

/// A polynomial that is opened at a point.
#[derive(Clone)]
pub struct OpenedPolynomial<'a> {
    /// The segment whose values are part of it, with the size of its domain.
    pub rows: Option<(&'a KnownSegment, usize)>,
    /// The coefficients of what is added to them, the lowest first.
    pub coefficients: Vec<Scalar>,
    /// The point.
    pub point: Scalar,
}

impl OpenedPolynomial<'_> {
    /// All coefficients; none for a size that no domain has.
    pub(crate) fn all_coefficients(&self) -> Vec<Scalar> {
        let mut sum = match self.rows {
            Some((segment, size)) => {
                Domain::new(size).map(|domain| domain.ifft(&segment.values(size))).unwrap_or_default()
            }
            None => Vec::new(),
        };
        add_scaled(&mut sum, &self.coefficients, Scalar::ONE);
        sum
    }
}

/// The folded opening of polynomials, each at its point, under the challenges that a seed draws;
/// `None` where one is opened at the fold's own point, which nobody meets by chance. There have to
/// be as many powers `[τ^i]_1` as any polynomial has coefficients.
pub fn fold_polynomials(
    powers: &[G1Affine],
    seed: &[u8; 32],
    opened: &[OpenedPolynomial<'_>],
) -> Option<FoldedOpening> {
    let commit =
        |coefficients: &[Scalar]| Opening::from_point_unchecked(msm_in_subgroup(powers, coefficients).to_affine());
    let gammas = challenges(seed, opened.len());
    let claims: Vec<(&OpenedPolynomial<'_>, Scalar)> = opened.iter().zip(gammas).collect();

    let quotients = |part: &[(&OpenedPolynomial<'_>, Scalar)]| {
        let mut sum = Vec::new();
        // Neighbours at one point have one quotient.
        for same in part.chunk_by(|(one, _), (other, _)| one.point == other.point) {
            let mut all = Vec::new();
            for (polynomial, gamma) in same {
                add_scaled(&mut all, &polynomial.all_coefficients(), *gamma);
            }
            let point = same.first().map_or(Scalar::ZERO, |(polynomial, _)| polynomial.point);
            add_scaled(&mut sum, &divided_by_point(&all, &point), Scalar::ONE);
        }
        sum
    };
    let quotient = added(claims.par_chunks(CHUNK).map(quotients).collect());
    let w = commit(&quotient);
    let z = fold_point(seed, &w);
    if let Some(((first, _), others)) = claims.split_first()
        && others.iter().all(|(other, _)| other.point == first.point)
    {
        let factor = Option::<Scalar>::from((z - first.point).invert())?;
        return Some(FoldedOpening {
            quotient: w,
            witness: Opening::from_point_unchecked((w.point() * factor).to_affine()),
        });
    }

    let factor = |(polynomial, gamma): &(&OpenedPolynomial<'_>, Scalar)| {
        Some(*gamma * Option::<Scalar>::from((z - polynomial.point).invert())?)
    };
    let factors: Vec<Scalar> = claims.iter().map(factor).collect::<Option<_>>()?;
    let scaled: Vec<(&OpenedPolynomial<'_>, Scalar)> = opened.iter().zip(factors).collect();
    let polynomials = |part: &[(&OpenedPolynomial<'_>, Scalar)]| {
        let mut sum = Vec::new();
        part.iter().for_each(|(polynomial, factor)| add_scaled(&mut sum, &polynomial.all_coefficients(), *factor));
        sum
    };
    let mut sum = added(scaled.par_chunks(CHUNK).map(polynomials).collect());
    add_scaled(&mut sum, &quotient, -Scalar::ONE);
    Some(FoldedOpening { quotient: w, witness: commit(&divided_by_point(&sum, &z)) })
}

fn added(parts: Vec<Vec<Scalar>>) -> Vec<Scalar> {
    let mut sum = Vec::new();
    parts.iter().for_each(|part| add_scaled(&mut sum, part, Scalar::ONE));
    sum
}

#[cfg(test)]
mod tests {
    use aardvark_algebra::group::prime::PrimeCurveAffine;
    use aardvark_algebra::hash_to_scalar;

    use super::*;
    use crate::polynomial::evaluate;

    fn scalar(number: u64) -> Scalar {
        hash_to_scalar(&number.to_be_bytes(), b"fold")
    }

    /// W and W' by their definition, in the exponent.
    fn defined(tau: Scalar, seed: &[u8; 32], opened: &[OpenedPolynomial<'_>]) -> FoldedOpening {
        let point = |exponent: Scalar| Opening::from_point_unchecked((G1Affine::generator() * exponent).to_affine());
        let quotient = |polynomial: &OpenedPolynomial<'_>| {
            let [there, here] = [tau, polynomial.point].map(|at| evaluate(&polynomial.coefficients, &at));
            (there - here) * (tau - polynomial.point).invert().unwrap()
        };
        let quotients: Vec<Scalar> =
            opened.iter().zip(challenges(seed, opened.len())).map(|(one, gamma)| gamma * quotient(one)).collect();
        let w = point(quotients.iter().sum());
        let z = fold_point(seed, &w);
        let shares = opened.iter().zip(&quotients).map(|(one, share)| share * (z - one.point).invert().unwrap());
        FoldedOpening { quotient: w, witness: point(shares.sum()) }
    }

    #[test]
    fn folds_at_one_point_and_at_several_are_those_of_the_definition() {
        let tau = scalar(0);
        let powers: Vec<G1Affine> = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau))
            .take(8)
            .map(|power| (G1Affine::generator() * power).to_affine())
            .collect();
        for points in [vec![5], vec![5, 5, 5], vec![5, 6], vec![5, 6, 5], vec![5, 5, 6]] {
            let polynomial = |(place, point): (u64, &u64)| OpenedPolynomial {
                rows: None,
                coefficients: (0..8).map(|degree| scalar(10 * (place + 1) + degree)).collect(),
                point: scalar(*point),
            };
            let opened: Vec<OpenedPolynomial<'_>> = (0..).zip(&points).map(polynomial).collect();
            let seed = [9; 32];
            assert_eq!(fold_polynomials(&powers, &seed, &opened), Some(defined(tau, &seed, &opened)), "{points:?}");
        }
    }
}
