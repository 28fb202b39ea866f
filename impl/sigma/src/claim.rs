//! Many proofs as one sum.
//!
//! A claim is a linear relation with its proof. Each of its equations, row by row of M z - T - c X,
//! gets a weight of its own, `coefficient(W, ·)` with W a hash of all statements, commitments and
//! responses; all together must sum to 0, in which each point occurs once. If they do not, halves
//! of the claims are looked at, down to the false ones. A false claim passes with probability
//! 2^-128.

use std::collections::HashMap;

use aardvark_algebra::group::Group;
use aardvark_algebra::{Combination, G1Affine, Scalar, TaggedHash, scalar_from_u128, scalar_to_bytes};
use thiserror::Error;

use crate::list::List;
use crate::transcript::{Digest, coefficients};

/// A proof has other lengths than its statement asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a proof or a list has another length than its statement")]
pub struct Shape;

/// A proof of a linear relation, with its statement.
pub trait Claim: Sync {
    /// The digest of statement and commitment T: what the challenge was drawn from.
    fn digest(&self) -> Digest;

    /// The responses z.
    fn responses(&self) -> &[Scalar];

    /// Number of equations.
    fn rows(&self) -> usize;

    /// Adds `Σ_i weights[i] (M z - T - c X)_i` to the terms.
    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>);
}

/// A sum of multiples in which each point of a list occurs once.
#[derive(Debug, Default)]
pub struct Terms<'a> {
    lists: Vec<(&'a [G1Affine], Vec<Scalar>)>,
    /// Lists by where they stand in memory.
    places: HashMap<usize, usize>,
    singles: Vec<(G1Affine, Scalar)>,
}

impl<'a> Terms<'a> {
    /// The coefficients of a list's points so far, to add to.
    pub fn of(&mut self, points: &'a [G1Affine]) -> &mut [Scalar] {
        let next = self.lists.len();
        let place = *self.places.entry(points.as_ptr() as usize).or_insert(next);
        if place == next {
            self.lists.push((points, vec![Scalar::default(); points.len()]));
        }
        let Some((known, coefficients)) = self.lists.get_mut(place) else { return &mut [] };
        // A list that begins where another one does is the same or a part of it.
        if known.len() < points.len() {
            *known = points;
            coefficients.resize(points.len(), Scalar::default());
        }
        coefficients
    }

    /// Adds k_i P_i over the points of a list.
    pub fn add(&mut self, points: &'a [G1Affine], scalars: impl IntoIterator<Item = Scalar>) {
        self.of(points).iter_mut().zip(scalars).for_each(|(sum, k)| *sum += k);
    }

    /// Adds k_i P_i over one column of a list.
    pub fn add_column(&mut self, list: &'a List, column: usize, scalars: impl IntoIterator<Item = Scalar>) {
        let places = self.of(list.points()).iter_mut().skip(column).step_by(list.width());
        places.zip(scalars).for_each(|(sum, k)| *sum += k);
    }

    /// Adds k P.
    pub fn add_one(&mut self, point: &G1Affine, k: Scalar) {
        self.singles.push((*point, k));
    }

    /// Whether the sum is 0. All points are in G1.
    fn vanish(&self) -> bool {
        let count: usize = self.lists.iter().map(|(points, _)| points.len()).sum();
        let mut sum = Combination::with_capacity(2 * (count + self.singles.len()));
        for (points, scalars) in &self.lists {
            let terms: Vec<(&G1Affine, &Scalar)> = points.iter().zip(scalars).collect();
            // In G1 this is exact: only components outside of it would be changed.
            sum.extend_modulo_torsion(&terms, |(point, _)| point, |(_, scalar)| **scalar);
        }
        self.singles.iter().for_each(|(point, scalar)| sum.add_modulo_torsion(point, scalar));
        bool::from(sum.sum().is_identity())
    }
}

/// Whether all claims are true.
#[must_use]
pub fn claims_hold(claims: &[&dyn Claim]) -> bool {
    let mut hash = TaggedHash::new("AARDVARK-V1-MIXNET-BATCH");
    for claim in claims {
        hash.update(claim.digest());
        claim.responses().iter().for_each(|response| hash.update(scalar_to_bytes(response)));
    }
    let rows: usize = claims.iter().map(|claim| claim.rows()).sum();
    let weights: Vec<Scalar> = coefficients(&hash.finalize(), rows).into_iter().map(scalar_from_u128).collect();
    let mut rest = weights.as_slice();
    let mut terms = Terms::default();
    for claim in claims {
        let (weights, others) = rest.split_at(claim.rows().min(rest.len()));
        claim.terms(weights, &mut terms);
        rest = others;
    }
    terms.vanish()
}

/// The numbers of the false claims, by halves.
#[must_use]
pub fn false_claims(claims: &[&dyn Claim]) -> Vec<usize> {
    if claims_hold(claims) {
        return Vec::new();
    }
    if claims.len() < 2 {
        return (0..claims.len()).collect();
    }
    let (low, high) = claims.split_at(claims.len() / 2);
    let mut found = false_claims(low);
    found.extend(false_claims(high).into_iter().map(|place| place + low.len()));
    found
}

/// The response z = t + c s.
pub(crate) fn respond<'a>(
    nonces: impl IntoIterator<Item = &'a Scalar>,
    challenge: Scalar,
    secrets: impl IntoIterator<Item = Scalar>,
) -> Vec<Scalar> {
    nonces.into_iter().zip(secrets).map(|(nonce, secret)| *nonce + challenge * secret).collect()
}

/// Σ k_i P_i over points of G1, the scalars as they are.
pub(crate) fn combine(points: &[G1Affine], scalars: &[Scalar]) -> aardvark_algebra::G1Projective {
    let terms: Vec<(&G1Affine, &Scalar)> = points.iter().zip(scalars).collect();
    let mut sum = Combination::with_capacity(2 * terms.len());
    sum.extend_modulo_torsion(&terms, |(point, _)| point, |(_, scalar)| **scalar);
    sum.sum()
}
