//! Folded openings of vectors, all at one element of their domains: of a row, and of totals, which
//! are opened at 1.
//!
//! Where all claims are about one point z_1, W' is W / (z - z_1), so that W = Σ γ_k q_k is all that
//! has to be committed to. Where z_1 = ω^i is an element of each vector's domain, q_k is known by
//! its values there ([`Differences`]) without a Fourier transform, and W is a sum of multiples of
//! Lagrange bases, of which there are tables. Without tables it is [`fold_polynomials`].
//!
//! A vector of few numbers, as that of a short run's rows, has a quotient of few values but for the
//! share of the opened element m, whose own quotient is m (L_i - 1) / (X - ω^i): a multiple of a
//! point that is known beforehand.
//!
//! [`Differences`]: aardvark_commitment::kzg::Differences

use std::collections::BTreeMap;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::{G1Projective, Scalar, msm_in_subgroup};
use aardvark_commitment::{CommitmentError, FoldedOpening, Opening};

use crate::fold::{challenges, fold_point};
use crate::fold_prover::{OpenedPolynomial, fold_polynomials};
use crate::polynomial::add_scaled;
use crate::setup::{ProverSetup, SheetSetup};

/// One element in so many that is not 0, at most, for a vector to be of few numbers.
const FEW: usize = 4;

/// A polynomial that is the sum of those of some vectors, each with the logarithm of the size of
/// its domain.
pub type VectorSum = Vec<(usize, Vec<Scalar>)>;

/// The folded opening of sums of vectors at the element with a number of each vector's domain,
/// which has to be one and the same point, under the challenges that a seed draws. `None` where it
/// is not, where there are no vectors, or where the point is the fold's own, which nobody meets by
/// chance.
///
/// # Errors
/// [`CommitmentError::VectorSize`] for a domain that no sheet has; too few powers.
pub fn fold_vectors(
    setup: &ProverSetup,
    seed: &[u8; 32],
    element: usize,
    opened: &[VectorSum],
) -> Result<Option<FoldedOpening>, CommitmentError> {
    let Some(point) = common_point(setup, element, opened)? else { return Ok(None) };
    if !setup.has_tables() {
        return fold_coefficients(setup, seed, point, opened);
    }
    // Of each domain Σ γ_k v_k.
    let mut sums: BTreeMap<usize, Vec<Scalar>> = BTreeMap::new();
    for (parts, gamma) in opened.iter().zip(challenges(seed, opened.len())) {
        for (log, vector) in parts {
            add_scaled(sums.entry(*log).or_default(), vector, gamma);
        }
    }
    let mut quotient = G1Projective::identity();
    for (log, vector) in &sums {
        quotient += committed_quotient(setup.sheet(*log)?, vector, element);
    }
    let quotient = Opening::from_point_unchecked(quotient.to_affine());
    let factor = Option::<Scalar>::from((fold_point(seed, &quotient) - point).invert());
    let witness = |factor: Scalar| {
        let multiple = msm_in_subgroup(core::slice::from_ref(quotient.point()), &[factor]);
        Opening::from_point_unchecked(multiple.to_affine())
    };
    Ok(factor.map(|factor| FoldedOpening { quotient, witness: witness(factor) }))
}

/// The commitment to the quotient of a vector at an element of its domain.
fn committed_quotient(sheet: &SheetSetup, vector: &[Scalar], element: usize) -> G1Projective {
    let committed =
        |vector: &[Scalar]| sheet.table().msm(&sheet.differences().quotient(&sheet.domain, vector, element));
    let used = vector.iter().filter(|number| !bool::from(number.is_zero())).count();
    let mut others = vector.to_vec();
    match others.get_mut(element) {
        Some(number) if FEW * used <= sheet.domain.size() => {
            let opened = core::mem::replace(number, Scalar::ZERO);
            committed(&others) + msm_in_subgroup(sheet.own().get(element..).unwrap_or_default(), &[opened])
        }
        _ => committed(vector),
    }
}

/// The point at which all vectors are opened.
fn common_point(setup: &ProverSetup, element: usize, opened: &[VectorSum]) -> Result<Option<Scalar>, CommitmentError> {
    let mut common = None;
    for (log, vector) in opened.iter().flatten() {
        let domain = &setup.sheet(*log)?.domain;
        let point = domain.element(element);
        if element >= domain.size() || vector.len() > domain.size() || *common.get_or_insert(point) != point {
            return Ok(None);
        }
    }
    Ok(common)
}

/// The same opening by coefficients.
fn fold_coefficients(
    setup: &ProverSetup,
    seed: &[u8; 32],
    point: Scalar,
    opened: &[VectorSum],
) -> Result<Option<FoldedOpening>, CommitmentError> {
    let mut polynomials = Vec::with_capacity(opened.len());
    let mut largest = 0;
    for parts in opened {
        let mut coefficients = Vec::new();
        for (log, vector) in parts {
            largest = largest.max(*log);
            let domain = &setup.sheet(*log)?.domain;
            let mut whole = vector.clone();
            whole.resize(domain.size(), Scalar::ZERO);
            add_scaled(&mut coefficients, &domain.ifft(&whole), Scalar::ONE);
        }
        polynomials.push(OpenedPolynomial { rows: None, coefficients, point });
    }
    Ok(fold_polynomials(&setup.sheet(largest)?.powers, seed, &polynomials))
}
