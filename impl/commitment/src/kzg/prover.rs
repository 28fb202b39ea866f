//! What committing, opening and updating need: the basis, and what is made of it.

use aardvark_algebra::table::Term;
use aardvark_algebra::{Domain, G1Affine, G1Projective, Scalar, msm_in_subgroup};

use super::quotient::Differences;
use super::tables::Tables;
use super::update::OwnKeys;
use crate::sums::add_multiples;

/// What committing, opening and updating need beyond verifying.
#[derive(Debug)]
pub(super) struct ProverKey {
    /// `[L_i(τ)]_1`, i < N.
    pub(super) basis: Vec<G1Affine>,
    pub(super) differences: Differences,
    /// Only updates of an opening at its own index need them: derived at the first.
    pub(super) own_keys: OwnKeys,
    /// Only where they were asked for.
    pub(super) tables: Option<Tables>,
}

impl ProverKey {
    /// Σ k_i `[L_i(τ)]_1`.
    pub(super) fn sum(&self, scalars: &[Scalar]) -> G1Projective {
        match self.tables.as_ref().and_then(|tables| tables.buckets.as_ref()) {
            Some(buckets) => buckets.msm(scalars),
            None => msm_in_subgroup(&self.basis, scalars),
        }
    }

    /// Whether a vector of so many scalars, the others zeros, is opened for less by its scalars
    /// than by the N values of its quotient: there are tables of both kinds of points, and at most
    /// three quarters of N. At N = 256, on one core of a shared and busy x86-64 machine, 119
    /// scalars took 0.50 ms and the values 0.83 ms.
    pub(super) fn opens_by_terms(&self, scalars: usize) -> bool {
        let tables = self.tables.as_ref().is_some_and(|tables| tables.basis.is_some() && tables.own.is_some());
        tables && 4 * scalars <= 3 * self.basis.len()
    }

    /// start + Σ k_i `[L_i(τ)]_1` for every (start, terms).
    pub(super) fn add_multiples(&self, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        match self.tables.as_ref().and_then(|tables| tables.basis.as_ref()) {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(&self.basis, runs),
        }
    }

    /// start + Σ k_i u_i for every (start, terms).
    pub(super) fn add_own_multiples(&self, domain: &Domain, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        match self.tables.as_ref().and_then(|tables| tables.own.as_ref()) {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(self.own_keys.get(domain, &self.basis), runs),
        }
    }
}
