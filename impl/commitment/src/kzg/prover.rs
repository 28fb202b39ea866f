//! What committing, opening and updating need: the basis, and what is made of it.

use std::sync::OnceLock;

use aardvark_algebra::parallel::made_once;
use aardvark_algebra::table::Term;
use aardvark_algebra::{BucketTable, Domain, G1Affine, G1Projective, Scalar, msm_in_subgroup};

use super::quotient::Differences;
use super::tables::Tables;
use super::update::OwnKeys;
use crate::sums::add_multiples;

/// Vectors' worth of terms that are summed at once from which on it pays to make a table of buckets
/// first, where nobody asked for tables: as much work as four sums without it.
const VECTORS_FOR_BUCKETS: usize = 8;

/// Additions that cost as much as a multiplication without tables.
const ADDITIONS_A_MULTIPLICATION: usize = 2000;

/// A start and the terms that are added to it.
type Run<'a> = (G1Affine, &'a [Term]);

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
    /// The table of buckets where nobody asked for tables: made at the first long import.
    pub(super) own_buckets: OnceLock<BucketTable>,
}

impl ProverKey {
    /// Without tables.
    pub(super) fn new(basis: Vec<G1Affine>, differences: Differences) -> Self {
        let (own_keys, own_buckets) = (OwnKeys::default(), OnceLock::new());
        Self { basis, differences, own_keys, tables: None, own_buckets }
    }

    /// Σ k_i `[L_i(τ)]_1`.
    pub(super) fn sum(&self, scalars: &[Scalar]) -> G1Projective {
        match self.buckets() {
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

    /// The table of buckets that there is.
    fn buckets(&self) -> Option<&BucketTable> {
        match &self.tables {
            Some(tables) => tables.buckets.as_ref(),
            None => self.own_buckets.get(),
        }
    }

    /// The table of buckets for so many terms at once, which may be worth making one.
    fn buckets_for(&self, terms: usize) -> Option<&BucketTable> {
        if self.tables.is_none() && terms >= VECTORS_FOR_BUCKETS * self.basis.len() {
            return Some(made_once(&self.own_buckets, || BucketTable::new(&self.basis)));
        }
        self.buckets()
    }

    /// start + Σ k_i `[L_i(τ)]_1` for every (start, terms): the long ones from the table of
    /// buckets, the others from that of multiples.
    pub(super) fn add_multiples(&self, runs: &[Run<'_>]) -> Vec<G1Affine> {
        let Some(buckets) = self.buckets_for(runs.iter().map(|(_, terms)| terms.len()).sum()) else {
            return self.add_few_multiples(runs);
        };
        let shape = self.tables.as_ref().and_then(Tables::shape);
        let otherwise = |terms| shape.map_or(terms * ADDITIONS_A_MULTIPLICATION, |shape| shape.cost(terms));
        let is_long = |(_, terms): &Run<'_>| buckets.additions(terms.len()) < otherwise(terms.len());
        let (long, short): (Vec<Run<'_>>, Vec<Run<'_>>) = runs.iter().partition(|run| is_long(run));
        let mut long = buckets.add_multiples(&long).into_iter();
        let mut short = self.add_few_multiples(&short).into_iter();
        runs.iter().filter_map(|run| if is_long(run) { long.next() } else { short.next() }).collect()
    }

    /// Whether multiples of the basis come from a table.
    pub(super) fn has_multiples(&self) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.basis.is_some())
    }

    /// The same from the table of multiples, or without one.
    fn add_few_multiples(&self, runs: &[Run<'_>]) -> Vec<G1Affine> {
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
