//! What committing, opening and updating need: the basis, and what is made of it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aardvark_algebra::parallel::made_once;
use aardvark_algebra::table::Term;
use aardvark_algebra::{BucketTable, Domain, G1Affine, G1Projective, JointTable, Scalar, SplitTable, msm_in_subgroup};

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

/// `[L_i(τ)]_1`, i < N.
#[derive(Debug)]
pub(super) enum Basis {
    /// As they were derived.
    Alone(Vec<G1Affine>),
    /// With the shifts and images that the cache keeps.
    Split(SplitTable),
}

impl Basis {
    /// The points.
    pub(super) fn points(&self) -> &[G1Affine] {
        match self {
            Self::Alone(points) => points,
            Self::Split(table) => table.bases(),
        }
    }

    /// Σ k_i `[L_i(τ)]_1`.
    fn msm(&self, scalars: &[Scalar]) -> G1Projective {
        match self {
            Self::Alone(points) => msm_in_subgroup(points, scalars),
            Self::Split(table) => table.msm(scalars),
        }
    }
}

/// What committing, opening and updating need beyond verifying.
#[derive(Debug)]
pub(super) struct ProverKey {
    pub(super) basis: Basis,
    pub(super) differences: Differences,
    /// Only updates of an opening at its own index need them: derived at the first.
    pub(super) own_keys: OwnKeys,
    /// Only where they were asked for.
    pub(super) tables: Option<Tables>,
    /// The table of buckets where nobody asked for tables: made at the first long import.
    pub(super) own_buckets: OnceLock<BucketTable>,
    /// Joint tables of the basis, for sums over most of it: made in long imports.
    joint: OnceLock<JointTable>,
    /// Additions that joint tables would have saved before there were any.
    joint_savings: AtomicUsize,
}

impl ProverKey {
    /// Without tables.
    pub(super) fn new(basis: Basis, differences: Differences) -> Self {
        let (own_keys, own_buckets) = (OwnKeys::default(), OnceLock::new());
        let (joint, joint_savings) = (OnceLock::new(), AtomicUsize::new(0));
        Self { basis, differences, own_keys, tables: None, own_buckets, joint, joint_savings }
    }

    /// Σ k_i `[L_i(τ)]_1`.
    pub(super) fn sum(&self, scalars: &[Scalar]) -> G1Projective {
        match self.buckets() {
            Some(buckets) => buckets.msm(scalars),
            None => self.basis.msm(scalars),
        }
    }

    /// Whether a vector of so many scalars, the others zeros, is opened for less by its scalars
    /// than by the N values of its quotient: there are tables of both kinds of points, and at most
    /// three quarters of N. At N = 256, on one core of a shared and busy x86-64 machine, 119
    /// scalars took 0.50 ms and the values 0.83 ms.
    pub(super) fn opens_by_terms(&self, scalars: usize) -> bool {
        let tables = self.tables.as_ref().is_some_and(|tables| tables.basis.is_some() && tables.own.is_some());
        tables && 4 * scalars <= 3 * self.basis.points().len()
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
        if self.tables.is_none() && terms >= VECTORS_FOR_BUCKETS * self.basis.points().len() {
            return Some(made_once(&self.own_buckets, || BucketTable::new(self.basis.points())));
        }
        self.buckets()
    }

    /// The joint tables, where they have been worth making: once they would have saved as many
    /// additions as they cost, with `saved` more.
    fn joint_after(&self, saved: usize) -> Option<&JointTable> {
        if self.joint.get().is_none() {
            let saved = self.joint_savings.fetch_add(saved, Ordering::Relaxed).saturating_add(saved);
            if saved < JointTable::additions_to_build(self.basis.points().len()) {
                return None;
            }
        }
        Some(made_once(&self.joint, || JointTable::new(self.basis.points())))
    }

    /// start + Σ k_i `[L_i(τ)]_1` for every (start, terms), from the table of buckets, or, where
    /// terms are so many and joint tables have been worth making, from those.
    fn add_long_multiples(&self, buckets: &BucketTable, runs: &[Run<'_>]) -> Vec<G1Affine> {
        let joint = JointTable::additions(self.basis.points().len());
        let saving = |(_, terms): &Run<'_>| buckets.additions(terms.len()).saturating_sub(joint);
        let Some(table) = self.joint_after(runs.iter().map(saving).sum()) else {
            return buckets.add_multiples(runs);
        };
        let of_runs = |runs: &[Run<'_>], whole| match whole {
            true => table.add_multiples(runs),
            false => buckets.add_multiples(runs),
        };
        in_two_ways(runs, |run| saving(run) > 0, of_runs)
    }

    /// start + Σ k_i `[L_i(τ)]_1` for every (start, terms): the long ones from the table of
    /// buckets, the others from that of multiples.
    pub(super) fn add_multiples(&self, runs: &[Run<'_>]) -> Vec<G1Affine> {
        self.add_multiples_by(runs, BucketTable::add_multiples)
    }

    /// The same with joint tables for runs over most of the basis, once they are worth making.
    pub(super) fn add_multiples_in_bulk(&self, runs: &[Run<'_>]) -> Vec<G1Affine> {
        self.add_multiples_by(runs, |buckets, runs| self.add_long_multiples(buckets, runs))
    }

    /// The same with another way to sum the long ones.
    fn add_multiples_by(
        &self,
        runs: &[Run<'_>],
        long_sums: impl Fn(&BucketTable, &[Run<'_>]) -> Vec<G1Affine>,
    ) -> Vec<G1Affine> {
        let Some(buckets) = self.buckets_for(runs.iter().map(|(_, terms)| terms.len()).sum()) else {
            return self.add_few_multiples(runs);
        };
        let shape = self.tables.as_ref().and_then(Tables::shape);
        let otherwise = |terms| shape.map_or(terms * ADDITIONS_A_MULTIPLICATION, |shape| shape.cost(terms));
        let is_long = |(_, terms): &Run<'_>| buckets.additions(terms.len()) < otherwise(terms.len());
        let of_runs = |runs: &[Run<'_>], long| match long {
            true => long_sums(buckets, runs),
            false => self.add_few_multiples(runs),
        };
        in_two_ways(runs, is_long, of_runs)
    }

    /// Whether multiples of the basis come from a table.
    pub(super) fn has_multiples(&self) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.basis.is_some())
    }

    /// The same from the table of multiples, or without one.
    fn add_few_multiples(&self, runs: &[Run<'_>]) -> Vec<G1Affine> {
        match self.tables.as_ref().and_then(|tables| tables.basis.as_ref()) {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(self.basis.points(), runs),
        }
    }

    /// start + Σ k_i u_i for every (start, terms).
    pub(super) fn add_own_multiples(&self, domain: &Domain, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        match self.tables.as_ref().and_then(|tables| tables.own.as_ref()) {
            Some(table) => table.add_multiples(runs),
            None => add_multiples(self.own_keys.get(domain, self.basis.points()), runs),
        }
    }
}

/// The sums of all runs in their order, those that are `chosen` together and the others together.
fn in_two_ways(
    runs: &[Run<'_>],
    chosen: impl Fn(&Run<'_>) -> bool,
    sums: impl Fn(&[Run<'_>], bool) -> Vec<G1Affine>,
) -> Vec<G1Affine> {
    let (first, second): (Vec<Run<'_>>, Vec<Run<'_>>) = runs.iter().partition(|run| chosen(run));
    let (mut first, mut second) = (sums(&first, true).into_iter(), sums(&second, false).into_iter());
    runs.iter().filter_map(|run| if chosen(run) { first.next() } else { second.next() }).collect()
}
