//! Libert–Yung vector commitments: the paper's scheme (Pointproofs without its aggregation).
//!
//! Public: `[α^e]_1` for e in 1..=2N except N + 1, `[α^e]_2` for e in 1..=N. Position p of a vector
//! has exponent i = p + 1.
//!
//! - Commit: C = Σ m_i `[α^i]_1`.
//! - Open at i: π = Σ_{j≠i} m_j `[α^(N+1-i+j)]_1`.
//! - Verify: e(C - m_i `[α^i]_1`, `[α^(N+1-i)]_2`) = e(π, g2).
//! - Batch: grouped by index, Π_i e(Σ ρ_j (C_j - m_j `[α^i]_1`), `[α^(N+1-i)]_2`) = e(Σ ρ_j π_j,
//!   g2): at most N + 1 Miller loops.
//! - Aggregation: Π_i e(Σ γ_i ρ_j (C_j - m_j `[α^i]_1`), `[α^(N+1-i)]_2`) = e(Σ γ_i P_i, g2).
//! - Updates: C + δ `[α^j]_1`; π_i + δ `[α^(N+1-i+j)]_1`, nothing when j = i.
//!
//! Binding needs `[α^(N+1)]_1` to be unknown, so no published powers of a secret can serve: setups
//! exist in [`crate::insecure`] only, for tests and for the comparison with the paper.

use std::collections::BTreeMap;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::parallel::{self, prelude::*};
use aardvark_algebra::table::Term;
use aardvark_algebra::{
    FixedBaseTable, G1Affine, G1Projective, G2Affine, G2Prepared, PairingProduct, Scalar, batch_to_affine, msm,
    msm_short, scalar_from_u128,
};

use crate::MAX_VECTOR_SIZE;
use crate::aggregation::{self, Aggregate, Aggregation, UnopenedClaim};
use crate::challenge;
use crate::error::CommitmentError;
use crate::points::{Commitment, Opening};
use crate::sums::add_multiples;
use crate::vector_commitment::{
    BatchClaim, CommitmentUpdate, OpeningUpdate, VectorCommitment, check_index, check_length,
};

/// Libert–Yung for vectors of N scalars, N a power of two in 1..=4096.
#[derive(Debug)]
pub struct LibertYung {
    vector_size: usize,
    setup_digest: [u8; 32],
    generator_g2: G2Prepared,
    parameters: Parameters,
    /// Only where it was asked for.
    table: Option<FixedBaseTable>,
}

/// Where the public powers come from.
#[derive(Debug)]
enum Parameters {
    /// All of them, for committing and for repeated verification.
    Tables {
        /// Entry e - 1 is `[α^e]_1`, e in 1..=2N; the identity stands at e = N + 1, which nothing
        /// uses.
        g1: Vec<G1Affine>,
        /// Entry e - 1 is `[α^e]_2`, e in 1..=N.
        g2: Vec<G2Affine>,
    },
    /// A verifier that computes each power when it needs it, which the publicly known secret of an
    /// insecure setup allows.
    Secret(Scalar),
}

impl LibertYung {
    /// A setup from a known secret: insecure by nature, hence not public here.
    pub(crate) fn from_secret(
        vector_size: usize,
        alpha: Scalar,
        setup_digest: [u8; 32],
    ) -> Result<Self, CommitmentError> {
        let verifier = Self::verifier_from_secret(vector_size, alpha, setup_digest)?;
        let exponents: Vec<Scalar> =
            core::iter::successors(Some(alpha), |power| Some(power * alpha)).take(2 * vector_size).collect();
        let g1: Vec<G1Projective> = exponents
            .par_iter()
            .enumerate()
            .map(|(i, power)| match i == vector_size {
                true => G1Projective::identity(),
                false => G1Affine::generator() * power,
            })
            .collect();
        let g2 =
            exponents.par_iter().take(vector_size).map(|power| (G2Affine::generator() * power).to_affine()).collect();
        let parameters = Parameters::Tables { g1: batch_to_affine(&g1), g2 };
        Ok(Self { parameters, ..verifier })
    }

    /// The same without tables: ready at once, verifies only.
    pub(crate) fn verifier_from_secret(
        vector_size: usize,
        alpha: Scalar,
        setup_digest: [u8; 32],
    ) -> Result<Self, CommitmentError> {
        if !vector_size.is_power_of_two() || vector_size > MAX_VECTOR_SIZE {
            return Err(CommitmentError::VectorSize(vector_size));
        }
        if bool::from(alpha.is_zero()) {
            return Err(CommitmentError::DegenerateSecret);
        }
        Ok(Self {
            vector_size,
            setup_digest,
            generator_g2: G2Prepared::from(G2Affine::generator()),
            parameters: Parameters::Secret(alpha),
            table: None,
        })
    }

    /// `[α^e]_1` for every e in 1..=2N at entry e - 1, the identity at e = N + 1; none for a
    /// verifier.
    pub fn g1_powers(&self) -> Option<&[G1Affine]> {
        match &self.parameters {
            Parameters::Tables { g1, .. } => Some(g1),
            Parameters::Secret(_) => None,
        }
    }

    /// The same with a table of at most `budget` bytes over all 2N powers, for updates, on rayon's
    /// threads. Commit and open stay plain sums.
    pub fn with_tables(mut self, budget: usize) -> Result<Self, CommitmentError> {
        let powers = self.prover()?;
        let window = FixedBaseTable::window_within(powers.len(), budget);
        self.table = window.map(|window| FixedBaseTable::new(powers, window));
        Ok(self)
    }

    /// start + Σ k_e `[α^(e+1)]_1` for every (start, terms).
    fn add_multiples(&self, runs: &[(G1Affine, &[Term])]) -> Result<Vec<G1Affine>, CommitmentError> {
        let powers = self.prover()?;
        Ok(match &self.table {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(powers, runs),
        })
    }

    fn prover(&self) -> Result<&[G1Affine], CommitmentError> {
        self.g1_powers().ok_or(CommitmentError::VerifierOnly)
    }

    /// m `[α^(index+1)]_1`, for an index below N.
    #[allow(clippy::indexing_slicing, reason = "there are 2N powers")]
    fn value_point(&self, index: usize, scalar: &Scalar) -> G1Projective {
        match &self.parameters {
            Parameters::Tables { g1, .. } => g1[index] * scalar,
            Parameters::Secret(alpha) => G1Affine::generator() * (scalar * alpha.pow_vartime([index as u64 + 1])),
        }
    }

    /// `[α^(N-index)]_2`, what the left side at `index` is paired with, for an index below N.
    #[allow(clippy::indexing_slicing, reason = "there are N powers")]
    fn index_point(&self, index: usize) -> G2Prepared {
        let exponent = self.vector_size - index;
        match &self.parameters {
            Parameters::Tables { g2, .. } => G2Prepared::from(g2[exponent - 1]),
            Parameters::Secret(alpha) => {
                let power = alpha.pow_vartime([exponent as u64]);
                G2Prepared::from((G2Affine::generator() * power).to_affine())
            }
        }
    }

    /// e(left, `[α^(N-index)]_2`).
    fn left_side(&self, index: usize, left: G1Projective) -> PairingProduct {
        PairingProduct::pair(&left.to_affine(), &self.index_point(index))
    }

    /// e(-opening, g2).
    fn right_side(&self, opening: &G1Affine) -> PairingProduct {
        PairingProduct::pair(&-opening, &self.generator_g2)
    }

    /// Σ ρ_j (C_j - m_j `[α^(index+1)]_1`) over (C_j, m_j, ρ_j), the claims at one index.
    fn group(&self, index: usize, members: &[(Commitment, Scalar, u128)]) -> G1Projective {
        let points: Vec<G1Affine> = members.iter().map(|(commitment, _, _)| *commitment.point()).collect();
        let coefficients: Vec<u128> = members.iter().map(|(_, _, rho)| *rho).collect();
        let scalar: Scalar = members.iter().map(|(_, scalar, rho)| scalar * scalar_from_u128(*rho)).sum();
        msm_short(&points, &coefficients) - self.value_point(index, &scalar)
    }
}

impl VectorCommitment for LibertYung {
    fn vector_size(&self) -> usize {
        self.vector_size
    }

    fn setup_digest(&self) -> [u8; 32] {
        self.setup_digest
    }

    fn commit(&self, scalars: &[Scalar]) -> Result<Commitment, CommitmentError> {
        let powers = self.prover()?;
        check_length(scalars, self.vector_size)?;
        Ok(Commitment::from_point_unchecked(msm(powers, scalars)))
    }

    fn open(&self, scalars: &[Scalar], index: usize) -> Result<Opening, CommitmentError> {
        let powers = self.prover()?;
        check_length(scalars, self.vector_size)?;
        check_index(index, self.vector_size)?;
        // Position p adds m_p [α^(N+1-i+p+1)], which is entry N - index + p; the hole at p = index
        // holds the identity.
        let above = powers.get(self.vector_size - index..).unwrap_or_default();
        Ok(Opening::from_point_unchecked(msm(above, scalars)))
    }

    fn open_all(&self, scalars: &[Scalar]) -> Result<Vec<Opening>, CommitmentError> {
        (0..self.vector_size).into_par_iter().map(|index| self.open(scalars, index)).collect()
    }

    fn verify(&self, commitment: &Commitment, index: usize, scalar: &Scalar, opening: &Opening) -> bool {
        if index >= self.vector_size {
            return false;
        }
        let left = commitment.point().to_curve() - self.value_point(index, scalar);
        self.left_side(index, left).times(self.right_side(opening.point())).is_one()
    }

    fn verify_batch(&self, context: &[u8], claims: &[BatchClaim]) -> bool {
        if claims.iter().any(|claim| claim.index >= self.vector_size) {
            return false;
        }
        match claims {
            [] => return true,
            [c] => return self.verify(&c.commitment, c.index, &c.scalar, &c.opening),
            _ => {}
        }
        let coefficients = challenge::coefficients(context, claims);
        let mut groups: BTreeMap<usize, Vec<(Commitment, Scalar, u128)>> = BTreeMap::new();
        for (claim, rho) in claims.iter().zip(&coefficients) {
            groups.entry(claim.index).or_default().push((claim.commitment, claim.scalar, *rho));
        }
        let openings: Vec<G1Affine> = claims.iter().map(|c| *c.opening.point()).collect();
        let groups: Vec<_> = groups.into_iter().collect();
        let (left, right) = parallel::join(
            || {
                groups
                    .par_iter()
                    .map(|(index, members)| self.left_side(*index, self.group(*index, members)))
                    .reduce(PairingProduct::one, PairingProduct::times)
            },
            || self.right_side(&msm_short(&openings, &coefficients).to_affine()),
        );
        left.times(right).is_one()
    }

    fn update_commitments_many(&self, updates: &[CommitmentUpdate]) -> Result<Vec<Commitment>, CommitmentError> {
        let indices = updates.iter().flat_map(|(_, deltas)| *deltas);
        indices.into_iter().try_for_each(|(index, _)| check_index(*index, self.vector_size))?;
        // Position p has [α^(p+1)], which is entry p.
        let runs: Vec<(G1Affine, &[Term])> = updates.iter().map(|(c, deltas)| (*c.point(), *deltas)).collect();
        Ok(self.add_multiples(&runs)?.into_iter().map(Commitment::from_point_unchecked).collect())
    }

    fn update_commitment_many(
        &self,
        commitment: &Commitment,
        deltas: &[(usize, Scalar)],
    ) -> Result<Commitment, CommitmentError> {
        let updated = self.update_commitments_many(&[(*commitment, deltas)])?;
        Ok(updated.first().copied().unwrap_or(*commitment))
    }

    fn update_openings_many(&self, updates: &[OpeningUpdate]) -> Result<Vec<Opening>, CommitmentError> {
        for (_, opened, deltas) in updates {
            check_index(*opened, self.vector_size)?;
            deltas.iter().try_for_each(|(changed, _)| check_index(*changed, self.vector_size))?;
        }
        // The hole holds the identity, so equal indices change nothing.
        let terms = |(_, opened, deltas): &OpeningUpdate| -> Vec<Term> {
            deltas.iter().map(|(changed, delta)| (self.vector_size - opened + changed, *delta)).collect()
        };
        let terms: Vec<Vec<Term>> = updates.iter().map(terms).collect();
        let runs: Vec<(G1Affine, &[Term])> =
            updates.iter().zip(&terms).map(|((opening, _, _), terms)| (*opening.point(), terms.as_slice())).collect();
        Ok(self.add_multiples(&runs)?.into_iter().map(Opening::from_point_unchecked).collect())
    }

    fn update_opening_many(
        &self,
        opening: &Opening,
        opened_index: usize,
        deltas: &[(usize, Scalar)],
    ) -> Result<Opening, CommitmentError> {
        let updated = self.update_openings_many(&[(*opening, opened_index, deltas)])?;
        Ok(updated.first().copied().unwrap_or(*opening))
    }

    fn update_opening(
        &self,
        opening: &Opening,
        opened_index: usize,
        changed_index: usize,
        delta: &Scalar,
    ) -> Result<Opening, CommitmentError> {
        self.update_opening_many(opening, opened_index, &[(changed_index, *delta)])
    }
}

impl Aggregation for LibertYung {
    fn verify_aggregated(&self, context: &[u8], claims: &[UnopenedClaim], aggregate: &Aggregate) -> bool {
        let Some(transcript) = aggregation::transcript(self.vector_size, context, claims, aggregate) else {
            return false;
        };
        let mut groups: BTreeMap<usize, Vec<(Commitment, Scalar, u128)>> = BTreeMap::new();
        let places = transcript.places.iter().zip(&transcript.coefficients);
        for (place, rho) in places {
            // The transcript has places in this list only.
            let Some(claim) = claims.get(*place) else {
                return false;
            };
            let group = groups.entry(claim.index(self.vector_size)).or_default();
            group.push((claim.commitment, claim.scalar, *rho));
        }
        // The indices of the groups are those of the points, in the same order.
        let groups: Vec<_> = groups.into_iter().zip(&transcript.combiners).collect();
        let left = groups
            .par_iter()
            .map(|((index, members), gamma)| {
                self.left_side(*index, self.group(*index, members) * scalar_from_u128(**gamma))
            })
            .reduce(PairingProduct::one, PairingProduct::times);
        let points: Vec<G1Affine> = aggregate.points.iter().map(|(_, point)| *point.point()).collect();
        left.times(self.right_side(&msm_short(&points, &transcript.combiners).to_affine())).is_one()
    }
}
